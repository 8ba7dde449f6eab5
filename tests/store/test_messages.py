"""Messages to judges: each sees their own and those to all, until they have read them."""

import pytest

from jurat.store import NoSuchJudge, NoSuchMessage, Store
from tests.store.samples import NOW, later, launch, make_campaign


def texts(store: Store, judge: str) -> list[str]:
    return [one.text for one in store.unread_messages("news", judge)]


def test_each_judge_sees_their_own_and_those_to_all(store: Store) -> None:
    first, second, *_ = (one.id for one in launch(store, make_campaign()))
    store.send_message("news", "To all", author="boss", now=NOW)
    own = store.send_message("news", "To one", judge=first, author="boss", now=later(hours=1))
    assert texts(store, first) == ["To all", "To one"]
    assert texts(store, second) == ["To all"]
    to_all, to_one = store.messages("news")
    assert (to_all.judge, to_one.judge) == ("", store.judge("news", first).pin)
    assert (to_one.id, to_one.author, to_one.sent_at) == (own, "boss", later(hours=1))
    assert [one.action for one in store.audit_log("news")][-2:] == ["send message"] * 2


def test_what_was_dismissed_or_withdrawn_is_seen_no_more(store: Store) -> None:
    first, second, third, *_ = (one.id for one in launch(store, make_campaign()))
    sent = store.send_message("news", "To all", author="boss", now=NOW)
    for _ in range(2):
        store.dismiss_message("news", first, sent, now=NOW)
    assert (texts(store, first), texts(store, second)) == ([], ["To all"])
    assert store.messages("news")[0].dismissed == (store.judge("news", first).pin,)
    for _ in range(2):
        store.withdraw_message("news", sent, author="boss", now=later(hours=1))
    assert texts(store, third) == []
    assert store.messages("news")[0].withdrawn_at == later(hours=1)
    store.dismiss_message("news", second, sent, now=NOW)
    assert len(store.messages("news")[0].dismissed) == 1


def test_what_is_not_there_is_told(store: Store) -> None:
    first, second, *_ = (one.id for one in launch(store, make_campaign()))
    with pytest.raises(NoSuchJudge):
        store.send_message("news", "Hello", judge="nobody", author="boss", now=NOW)
    own = store.send_message("news", "To one", judge=first, author="boss", now=NOW)
    with pytest.raises(NoSuchMessage):
        store.dismiss_message("news", second, own, now=NOW)
    with pytest.raises(NoSuchMessage):
        store.withdraw_message("news", "nothing", author="boss", now=NOW)
