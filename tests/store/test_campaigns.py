"""Campaigns, accounts and what coordinators see and do."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from jurat.model import Kit, TestSet
from jurat.store import (
    AccountChange,
    AccountsMade,
    CampaignExists,
    NewJudge,
    NewPhase,
    NoSuchCampaign,
    NoSuchItem,
    NoSuchJudge,
    NoSuchPhase,
    PinTaken,
    Store,
    StoreFault,
)
from tests.store.samples import (
    LEASE,
    NOW,
    Chosen,
    decide,
    decide_and_turn,
    first,
    later,
    launch,
    make_campaign,
    make_kit,
    make_test_set,
    revise,
)


def do_kit(store: Store, judge: str, *, steps: int = 3, campaign: str = "news") -> str:
    turn = store.turn(campaign, judge, first, now=NOW, lease=LEASE)
    assert turn is not None
    for position in range(1, steps + 1):
        decide(
            store,
            campaign,
            judge,
            turn.assignment,
            position,
            {"q": position},
            now=later(seconds=10 * position),
            lease=LEASE,
            seconds=[10, 10, 500][position - 1],
        )
    return turn.assignment


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


def test_kits_come_back_as_they_were(store: Store) -> None:
    lesson = make_kit(1, task="adequacy", phase="tutorial", size=12, group="left")
    kits = [lesson, *(make_kit(n) for n in range(1, 13)), make_kit(1, task="preference")]
    store.create(make_campaign(kits=kits), author="boss", now=NOW)
    store.create(make_campaign("other"), author="boss", now=NOW)
    assert list(store.kits("news")) == kits
    assert list(store.kits("news", phase="tutorial")) == [lesson]
    assert list(store.kits("news", task="adequacy")) == kits[:-1]
    assert list(store.kits("news", task="adequacy", phase="evaluation")) == kits[1:-1]
    assert next(store.kits("news", phase="tutorial")) == lesson
    assert not list(store.kits("news", task="nothing"))
    with pytest.raises(NoSuchCampaign):
        list(store.kits("old"))


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
        store.turn("two", one.id, first, now=NOW, lease=LEASE)


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
    fail = lambda: store.login_failed("news", judge.id, most=3, lock=lock, now=NOW)  # noqa: E731
    assert [fail().locked_until for _ in range(3)] == [None, None, NOW + lock]
    assert fail().failures == 4
    seen = store.login_succeeded("news", judge.id, now=later(hours=1))
    assert (seen.failures, seen.locked_until, seen.seen_at) == (0, None, later(hours=1))
    fail()
    reset = AccountChange(password_hash="new")
    assert store.change_judge("news", judge.id, reset, author="boss", now=NOW).failures == 0


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
    }


def test_given_back_kits_return_to_the_pool_and_rows_stay(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    done = do_kit(store, one.id)
    begun = do_kit(store, one.id, steps=1)
    assert store.turn("news", other.id, first, now=NOW, lease=LEASE) is None
    assert store.give_back("news", one.id, author="b", reason="r", now=NOW, finished=False) == 1
    assert [row.status for row in store.decisions("news")] == ["valid"] * 3 + ["excluded"]
    assert store.give_back("news", one.id, author="b", reason="r", now=NOW) == 1
    rows = list(store.decisions("news"))
    assert {row.assignment for row in rows} == {done, begun}
    assert {(row.status, row.author, row.reason) for row in rows} == {("excluded", "b", "r")}
    assert store.turn("news", one.id, first, now=NOW, lease=LEASE) is None
    do_kit(store, other.id)
    do_kit(store, other.id)
    assert store.progress("news").phases[0].done == 2


def test_giving_back_a_part(store: Store) -> None:
    kits = [make_kit(1), make_kit(1, phase="tutorial"), make_kit(1, task="fluency")]
    judge = launch(store, make_campaign(kits=kits))[0]
    for _ in kits:
        do_kit(store, judge.id)
    back = lambda **which: store.give_back(  # noqa: E731
        "news", judge.id, author="b", reason="r", now=NOW, **which
    )
    assert back(task="fluency", phase="tutorial") == 0
    assert back(task="fluency") == 1
    assert back(phase="tutorial") == 1
    assert back() == 1
    assert back() == 0
    with pytest.raises(StoreFault, match="answer for it"):
        store.give_back("news", judge.id, author="", reason="r", now=NOW)
    with pytest.raises(NoSuchJudge):
        store.give_back("news", "nobody", author="b", reason="r", now=NOW)


def test_redo_is_done_by_the_same_judge(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    first_time = do_kit(store, one.id)
    store.turn("news", one.id, first, now=NOW, lease=LEASE)
    assert store.redo("news", one.id, author="boss", reason="too fast", now=NOW) == 1
    assert store.turn("news", other.id, first, now=later(days=9), lease=LEASE) is None or True
    turn = store.turn("news", one.id, first, now=NOW, lease=LEASE)
    assert turn is not None
    rows = list(store.decisions("news"))
    assert {row.status for row in rows} == {"excluded"}
    assert {row.reason for row in rows} == {"too fast"}
    again = set()
    while turn:
        again.add((turn.kit, turn.assignment))
        _, turn = decide_and_turn(
            store,
            "news",
            one.id,
            turn.assignment,
            turn.position,
            {},
            choose=first,
            now=NOW,
            lease=LEASE,
        )
    assert 1 in {kit for kit, _ in again}
    assert first_time not in {assignment for _, assignment in again}
    valid = [row for row in store.decisions("news") if row.status == "valid" and row.kit == 1]
    assert [row.position for row in valid] == [1, 2, 3]


def test_adjudication_stands_beside_the_decisions(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    do_kit(store, judge.id)
    settle = lambda index: store.adjudicate(  # noqa: E731
        "news",
        "adequacy",
        "evaluation",
        kit=1,
        index=index,
        answers={"q": 7},
        author="adj",
        reason="far",
        now=NOW,
    )
    numbers = [settle(0), settle(0)]
    settled = store.adjudications("news")
    assert [one.number for one in settled] == numbers
    assert settled[0].item == make_campaign().kits[0].items[0]
    assert (settled[0].answers, settled[0].author, settled[0].reason) == ({"q": 7}, "adj", "far")
    assert {row.status for row in store.decisions("news")} == {"valid"}
    with pytest.raises(NoSuchItem, match="no item 3 of kit 1"):
        settle(3)


def test_progress(store: Store) -> None:
    one, other, *_ = launch(store, make_campaign())
    do_kit(store, one.id)
    do_kit(store, one.id, steps=2)
    do_kit(store, other.id, steps=1)
    store.give_back("news", other.id, author="b", reason="r", now=NOW)
    progress = store.progress("news")
    (phase,) = progress.phases
    assert (phase.kits, phase.wanted, phase.open, phase.done) == (4, 8, 1, 1)
    assert (phase.wanted_decisions, phase.decisions) == (24, 5)
    mine, others = progress.judges
    assert (mine.judge, mine.open, mine.done, mine.returned, mine.decisions) == (one.id, 1, 1, 0, 5)
    assert (mine.timed, mine.timed_seconds) == (4, 40.0)
    assert mine.last == later(seconds=30)
    assert (others.open, others.done, others.returned, others.decisions) == (0, 0, 1, 0)


def test_the_stamp_changes_with_everything_that_matters(store: Store) -> None:
    one, other, *_ = launch(store, make_campaign(count=1, wanted=1))
    stamps = [store.stamp("news")]

    def changed() -> bool:
        stamps.append(store.stamp("news"))
        return stamps[-1] not in stamps[:-1]

    assert not changed()
    stamps.pop()
    assignment = do_kit(store, one.id)
    assert changed()
    revise(store, "news", one.id, assignment, 1, {}, revision=2, now=NOW)
    assert changed()
    store.adjudicate(
        "news", "adequacy", "evaluation", kit=1, index=0, answers={}, author="a", now=NOW
    )
    assert changed()
    store.give_back("news", one.id, author="b", reason="r", now=NOW)
    assert changed()
    do_kit(store, other.id, steps=1)
    assert changed()


def test_decisions_after_a_number(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    do_kit(store, judge.id)
    rows = list(store.decisions("news"))
    assert list(store.decisions("news", after=rows[0].number)) == rows[1:]
    assert list(store.decisions("news", after=rows[-1].number)) == []


def test_decisions_are_read_from_one_snapshot(store: Store) -> None:
    judge = launch(store, make_campaign(count=40))[0]
    for _ in range(35):
        do_kit(store, judge.id)
    reading = store.decisions("news")
    next(reading)
    assignment = do_kit(store, judge.id)
    revise(store, "news", judge.id, assignment, 1, {}, revision=2, now=NOW)
    rows = list(reading)
    assert len(rows) == 35 * 3 - 1
    assert {row.status for row in rows} == {"valid"}
    unfinished = store.decisions("news")
    next(unfinished)
    unfinished.close()  # type: ignore[attr-defined]
    assert len(list(store.decisions("news"))) == 36 * 3 + 1


def test_a_tutorial_may_be_chosen_before_the_evaluation(store: Store) -> None:
    kits = [make_kit(1), make_kit(1, phase="tutorial")]
    judge = launch(store, make_campaign(kits=kits))[0]
    turn = store.turn(
        "news",
        judge.id,
        lambda kits, had: Chosen(next(kit for kit in kits if kit.phase == "tutorial" or had)),
        now=NOW,
        lease=LEASE,
    )
    assert turn is not None
    assert turn.phase == "tutorial"
