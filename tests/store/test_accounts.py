"""Accounts of a campaign: made, found, changed and locked."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from msgspec.structs import replace

from jurat.store import (
    Account,
    AccountChange,
    AccountsMade,
    NewJudge,
    NoSuchJudge,
    PinTaken,
    Store,
)
from tests.store.samples import (
    NOW,
    later,
    launch,
    make_campaign,
)


def test_judges_are_numbered_in_their_campaign(store: Store) -> None:
    """The same in every store, whatever else is in it."""
    for name in ("other", "news"):
        launch(store, make_campaign(name), judges=3)
    late = store.add_judges("other", [NewJudge(pin="x")], author="boss", now=NOW)[0]
    judges = store.judges("news")
    assert [store.judge_number("news", judge.id) for judge in judges] == [1, 2, 3]
    assert store.judge_number("other", late.id) == 4
    with pytest.raises(NoSuchJudge):
        store.judge_number("news", late.id)


def test_accounts(store: Store) -> None:
    store.create(make_campaign(), author="boss", now=NOW)
    new = [
        NewJudge(pin="001", password_hash="h1", group="g", site="s", tags={"native": "yes"}),
        NewJudge(pin="002", role="adjudicator", token_hash="t2"),
        NewJudge(pin="003"),
    ]
    made = store.add_judges("news", new, author="boss", now=NOW)
    assert store.judges("news") == made
    assert store.judge("news", made[0].id) == made[0]
    assert store.judge_by_pin("news", "002") == made[1]
    assert store.judge_by_token("news", "t2") == made[1]
    assert store.judge_by_token("news", "") is None
    assert store.judge_by_pin("news", "9") is None
    assert made[0].judge.tags == {"native": "yes"}
    assert (made[0].created, made[0].seen_at, made[0].disabled) == (NOW, None, False)
    with pytest.raises(NoSuchJudge):
        store.judge("news", "nobody")


def test_accounts_made_at_the_same_moment_keep_within_a_number(store: Store) -> None:
    """People from a platform, who are paid, come in dozens when a study begins."""
    store.create(make_campaign(), author="boss", now=NOW)
    begin = Barrier(6)

    def check(there: Sequence[Account]) -> None:
        if len(there) >= 2:
            raise PermissionError

    def come(n: int) -> None:
        begin.wait()
        with suppress(PermissionError):
            store.add_judges("news", [NewJudge(pin=str(n))], author="x", now=NOW, check=check)

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(come, range(6)))
    assert len(store.judges("news")) == 2


def test_pins_are_unique_in_a_campaign(store: Store) -> None:
    launch(store, make_campaign("one"), judges=1)
    launch(store, make_campaign("two"), judges=1)
    with pytest.raises(PinTaken, match="PIN '001' is taken in the campaign 'one'"):
        store.add_judges("one", [NewJudge(pin="9"), NewJudge(pin="001")], author="boss", now=NOW)
    assert store.judge_by_pin("one", "9") is None


def test_accounts_are_made_once_for_the_same_word(store: Store) -> None:
    for name in ("one", "two"):
        launch(store, make_campaign(name), judges=1)
    made = store.add_judges("one", _pins("8", "9"), author="boss", now=NOW, once="word")
    with pytest.raises(AccountsMade):
        store.add_judges("one", _pins("6", "7"), author="boss", now=NOW, once="word")
    assert store.judge_by_pin("one", "6") is None
    with pytest.raises(PinTaken):
        store.add_judges("one", _pins("5", "9"), author="boss", now=NOW, once="another")
    other = store.add_judges("one", _pins("6", "7"), author="boss", now=NOW, once="a third")
    store.add_judges("two", _pins("6", "7"), author="boss", now=NOW, once="word")
    assert len({one.id for one in (*made, *other)}) == 4


def _pins(*pins: str) -> list[NewJudge]:
    return [NewJudge(pin=pin) for pin in pins]


def test_accounts_change(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    change = AccountChange(password_hash="secret", tags={"a": "b"}, disabled=True, role="guest")
    changed = store.change_judge("news", judge.id, change, author="boss", now=NOW)
    assert store.judge("news", judge.id) == changed
    expected = replace(judge, password_hash="secret", tags={"a": "b"}, disabled=True, role="guest")
    assert changed == expected
    entry = store.audit_log("news")[-1]
    assert entry.details == {
        "pin": "001",
        "password_hash": "changed",
        "role": "guest",
        "tags": {"a": "b"},
        "disabled": True,
    }
    with pytest.raises(NoSuchJudge):
        store.change_judge("news", "nobody", change, author="boss", now=NOW)


def test_wrong_passwords_lock_an_account(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    lock = timedelta(minutes=5)

    def try_at(now: datetime) -> bool:
        return store.login_attempted("news", judge.id, most=3, lock=lock, now=now)

    assert [try_at(NOW) for _ in range(5)] == [True, True, True, False, False]
    locked = store.judge("news", judge.id)
    assert (locked.failures, locked.locked_until) == (3, NOW + lock)
    assert try_at(NOW + lock)
    # a lock from before the clock was put back would last too long
    assert try_at(NOW + lock)
    assert try_at(NOW + lock)
    assert try_at(NOW - lock)
    seen = store.login_succeeded("news", judge.id, now=later(hours=1))
    assert (seen.failures, seen.locked_until, seen.seen_at) == (0, None, later(hours=1))
    assert try_at(NOW)
    reset = AccountChange(password_hash="new")
    assert store.change_judge("news", judge.id, reset, author="boss", now=NOW).failures == 0
