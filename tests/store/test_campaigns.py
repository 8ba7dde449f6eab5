"""Campaigns: created, read, redeclared and logged."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from jurat.model import Kit, TestSet
from jurat.store import (
    CampaignChanged,
    CampaignExists,
    NewPhase,
    NoSuchCampaign,
    NoSuchJudge,
    NoSuchPhase,
    Store,
    StoreFault,
    campaigns,
)
from jurat.store.database import Session
from jurat.store.sqlite import SQLiteSession
from tests.store.samples import (
    LEASE,
    NOW,
    Chosen,
    do_kit,
    first,
    later,
    launch,
    make_campaign,
    make_kit,
    make_test_set,
)


def test_a_campaign_comes_back_as_it_was(store: Store) -> None:
    new = replace(make_campaign(), tutorial=make_test_set(1))
    store.create(new, author="boss", now=NOW)
    campaign = store.campaign("news")
    assert store.campaigns() == (campaign,)
    assert (campaign.name, campaign.title, campaign.seed) == ("news", "News", 7)
    assert campaign.declaration == new.declaration
    assert campaign.protocols == new.protocols
    assert campaign.created == NOW
    (phase,) = campaign.phases
    assert (phase.task, phase.phase, phase.state, phase.wanted) == (
        "adequacy",
        "evaluation",
        "ready",
        2,
    )
    assert (phase.kits, phase.items) == (4, 12)
    assert store.test_set("news") == new.test_set
    assert store.tutorial("news") == make_test_set(1)


def test_names_in_order(store: Store) -> None:
    declared = {"z": 1, "a": {"y": 1, "b": 2}}
    test_set: TestSet = make_test_set(1)
    store.create(replace(make_campaign(), declaration=declared), author="boss", now=NOW)
    found = store.campaign("news").declaration
    assert list(found) == ["z", "a"]  # type: ignore[call-overload]
    assert list(store.test_set("news").documents[0].segments[0].translations) == list(
        test_set.documents[0].segments[0].translations
    )
    assert store.tutorial("news") is None


def test_a_campaign_is_created_whole_or_not_at_all(store: Store) -> None:
    kits = make_campaign().kits
    for faulty, error in (
        ([*kits, make_kit(9, task="other")], NoSuchPhase),
        ([*kits, kits[0]], StoreFault),
        (
            [*kits, Kit(task="adequacy", phase="evaluation", number=9, block="b", items=())],
            StoreFault,
        ),
    ):
        with pytest.raises(error):
            store.create(replace(make_campaign(), kits=faulty), author="boss", now=NOW)
        assert store.campaigns() == ()
    doubled = (NewPhase(task="adequacy", phase="evaluation"),) * 2
    with pytest.raises(StoreFault, match="are the same"):
        store.create(replace(make_campaign(), phases=doubled), author="boss", now=NOW)
    store.create(make_campaign(), author="boss", now=NOW)
    with pytest.raises(CampaignExists, match="'news' already"):
        store.create(make_campaign(), author="boss", now=NOW)


def test_a_large_campaign_is_created_in_seconds(store: Store) -> None:
    """8 systems × 2,000 segments × 2."""
    kits = [make_kit(n, size=20) for n in range(800)]
    store.create(make_campaign(kits=kits), author="boss", now=NOW)
    assert store.campaign("news").phases[0].items == 16_000
    assert store.progress("news").phases[0].wanted_decisions == 32_000


def test_unknown_campaigns_are_named(store: Store) -> None:
    store.create(make_campaign(), author="boss", now=NOW)
    asking = (
        store.campaign,
        store.test_set,
        store.tutorial,
        store.judges,
        store.progress,
        store.stamp,
        store.adjudications,
        store.audit_log,
        lambda name: list(store.decisions(name)),
    )
    for ask in asking:
        with pytest.raises(NoSuchCampaign, match=r"no campaign 'newz'.*did you mean 'news'"):
            ask("newz")


def test_phases(store: Store) -> None:
    store.create(make_campaign(), author="boss", now=NOW)
    store.set_phase(
        "news", "adequacy", "evaluation", "stopped", author="boss", now=later(days=1), reason="fire"
    )
    (phase,) = store.campaign("news").phases
    assert (phase.state, phase.reason) == ("stopped", "fire")
    with pytest.raises(NoSuchPhase, match="no tutorial of a task 'adequacy'"):
        store.set_phase("news", "adequacy", "tutorial", "started", author="boss", now=NOW)
    whole = store.campaign("news").phases
    assert store.states("news") == tuple((one.task, one.phase, one.state) for one in whole)


def test_campaigns_do_not_mix(store: Store) -> None:
    one = launch(store, make_campaign("one"), judges=1)[0]
    two = launch(store, make_campaign("two"), judges=1)[0]
    do_kit(store, one.id, campaign="one")
    assert not list(store.decisions("two"))
    assert [judge.id for judge in store.judges("two")] == [two.id]
    with pytest.raises(NoSuchJudge):
        store.next_step("two", one.id, first, now=NOW, lease=LEASE)


def test_the_log_tells_who_did_what(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    do_kit(store, judge.id)
    store.give_back("news", judge.id, author="boss", reason="careless", now=later(days=1))
    store.log("news", "mail", author="boss", now=NOW, details={"to": "all"})
    log = store.audit_log("news")
    assert [entry.action for entry in log] == [
        "create",
        "set phase",
        "add judges",
        "give back",
        "mail",
    ]
    assert {entry.author for entry in log} == {"boss"}
    assert log[3].at == later(days=1)
    assert log[3].details == {
        "pin": "001",
        "task": None,
        "phase": None,
        "kits": 1,
        "reason": "careless",
        "finished": True,
    }


def test_a_tutorial_may_be_chosen_before_the_evaluation(store: Store) -> None:
    kits = [make_kit(1), make_kit(1, phase="tutorial")]
    judge = launch(store, make_campaign(kits=kits))[0]
    turn = store.next_step(
        "news",
        judge.id,
        lambda offer: Chosen(
            next(kit for kit in offer.kits if kit.phase == "tutorial" or offer.had)
        ),
        now=NOW,
        lease=LEASE,
    )
    assert turn is not None
    assert turn.phase == "tutorial"


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
    assert (store.version("news").edition, store.campaign("news").edition) == (1, 1)
    assert redeclare(store, after=1) == 2
    assert redeclare(store, after=2, title="Newer") == 3
    found = store.campaign("news")
    assert (found.edition, found.title, store.version("news").edition) == (3, "Newer", 3)
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
    assert store.version("news").edition == 2
    assert [entry.action for entry in store.audit_log("news")] == ["create", "change parameters"]
    with pytest.raises(CampaignChanged, match="'news' in the meantime"):
        redeclare(store, after=7)
    with pytest.raises(NoSuchCampaign):
        redeclare(store, "old", after=1)
    with pytest.raises(NoSuchCampaign):
        store.version("old")
