"""What is declared of a campaign changes, edition after edition."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jurat.store import CampaignChanged, NoSuchCampaign, Store, campaigns
from jurat.store.database import Session
from jurat.store.sqlite import SQLiteSession
from tests.store.samples import NOW, later, make_campaign


def redeclare(store: Store, name: str = "news", *, after: int, title: str = "New") -> int:
    return store.redeclare(
        name,
        {"title": title, "z": 1, "a": 2},
        title=title,
        after=after,
        author="Ada",
        now=later(days=1),
        details={"title": ["News", title]},
    )


def test_the_last_one_counts(store: Store) -> None:
    for name in ("news", "other"):
        store.create(make_campaign(name), author="boss", now=NOW)
    assert (store.edition("news"), store.campaign("news").edition) == (1, 1)
    assert redeclare(store, after=1) == 2
    assert redeclare(store, after=2, title="Newer") == 3
    found = store.campaign("news")
    assert (found.edition, found.title, store.edition("news")) == (3, "Newer", 3)
    assert list(found.declaration.items()) == [("title", "Newer"), ("z", 1), ("a", 2)]  # type: ignore[attr-defined]
    assert found.created == NOW
    assert store.campaigns() == (found, store.campaign("other"))
    assert store.campaign("other").declaration == make_campaign("other").declaration
    entry = store.audit_log("news")[-1]
    assert (entry.author, entry.at, entry.action) == ("Ada", later(days=1), "change parameters")
    assert entry.details == {"title": ["News", "Newer"]}


def test_to_see_whether_something_changed_an_index_is_enough(tmp_path: Path) -> None:
    """A campaign's own row holds its test set: to pass by that would take long."""
    with Store.open(str(tmp_path / "jurat.db")) as store:

        def explain(session: Session) -> list[str]:
            assert isinstance(session, SQLiteSession)
            statements = (campaigns.LATEST_EDITION, campaigns.ID)
            texts = [f"EXPLAIN QUERY PLAN {session._text(one)}" for one in statements]
            values = {"campaign_id": 1, "campaign": "news"}
            return [row[3] for text in texts for row in session._execute(text, values)]

        assert all("COVERING INDEX" in step for step in store._database.write(explain))


def test_whoever_has_not_seen_the_last_one_is_refused(store: Store) -> None:
    store.create(make_campaign(), author="boss", now=NOW)

    def change(_: int) -> bool:
        try:
            redeclare(store, after=1)
        except CampaignChanged:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(change, range(16))) == 1
    assert store.edition("news") == 2
    assert [entry.action for entry in store.audit_log("news")] == ["create", "change parameters"]
    with pytest.raises(CampaignChanged, match="'news' meanwhile"):
        redeclare(store, after=7)
    with pytest.raises(NoSuchCampaign):
        redeclare(store, "old", after=1)
    with pytest.raises(NoSuchCampaign):
        store.edition("old")
