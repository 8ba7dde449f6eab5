"""Pace and places: counts from assignments agree with what all decisions say."""

from datetime import datetime, timedelta
from random import Random

import pytest

from jurat.store import (
    Account,
    Store,
)
from tests.store.samples import (
    LEASE,
    NOW,
    decide,
    do_kit,
    first,
    later,
    launch,
    make_campaign,
    make_kit,
)


def judging(store: Store, judges: tuple[Account, ...], decisions: int) -> list[datetime]:
    """Decisions at all times of some days, kits left in the middle and gone on with."""
    random = Random(5)
    moment = NOW
    made = []
    for _ in range(decisions):
        moment += timedelta(minutes=random.choice([1, 2, 30, 300]))
        judge = random.choice(judges)
        turn = store.next_step("news", judge.id, first, now=moment, lease=timedelta(days=9))
        if turn is None:
            continue
        took = timedelta(seconds=random.choice([5, 20, 100, 200]))
        decide(
            store,
            "news",
            judge.id,
            turn.assignment,
            turn.position,
            {},
            now=moment + took,
            lease=timedelta(days=9),
        )
        made.append(moment + took)
    return made


def test_counts_of_the_last_hour_and_day(store: Store) -> None:
    judges = launch(store, make_campaign(count=12, size=4, wanted=2))
    made = judging(store, judges, 60)
    for now in (made[-1], made[30], made[-1] + timedelta(minutes=50)):
        paces = store.paces("news", now=now)
        for span, of in ((timedelta(hours=1), 0), (timedelta(days=1), 1)):
            told = {judge: pace[of] for judge, pace in paces.items() if pace[of]}
            assert told == counted(store, judges, now - span)


def counted(store: Store, judges: tuple[Account, ...], since: datetime) -> dict[str, int]:
    ids = {account.pin: account.id for account in judges}
    found: dict[str, int] = {}
    for one in store.decisions("news"):
        if one.decided_at >= since:
            found[ids[one.judge]] = found.get(ids[one.judge], 0) + 1
    return found


def test_times_are_summed_up_by_kit(store: Store) -> None:
    judges = launch(store, make_campaign(count=12, size=4, wanted=2))
    judging(store, judges, 60)
    pins = {account.id: account.pin for account in judges}
    tallies = store.progress("news").judges
    assert tallies
    for tally in tallies:
        kits: dict[str, list[float]] = {}
        for one in store.decisions("news"):
            if one.judge == pins[tally.judge] and one.seconds is not None and one.seconds <= 120:
                kits.setdefault(one.assignment, []).append(one.seconds)
        sums = [(len(times), sum(times)) for times in kits.values()]
        found = (tally.timed_squares, tally.timed_products, tally.seconds_squares)
        assert found == pytest.approx(
            (sum(n * n for n, _ in sums), sum(n * s for n, s in sums), sum(s * s for _, s in sums))
        )


def test_spans_hold_what_was_decided_in_them(store: Store) -> None:
    judges = launch(store, make_campaign(count=12, size=1, wanted=2))
    made = judging(store, judges, 24)
    now = made[-1]
    (found,) = store.windows("news", now=now, width=timedelta(days=1), most=14).values()
    age = now - NOW
    assert len(found) == min(14, -(-age // timedelta(days=1)))
    expected = [0] * len(found)
    for moment in made:
        expected[(now - moment) // timedelta(days=1)] += 1
    assert found == expected
    assert sum(found) == len(made)


def test_no_spans_before_the_beginning(store: Store) -> None:
    launch(store, make_campaign())
    assert store.windows("news", now=NOW, width=timedelta(hours=1), most=5) == {}
    assert store.paces("news", now=NOW) == {}


def test_what_lies_ahead_has_just_been(store: Store) -> None:
    """Simulated judges decide at times that are still to come."""
    judge, *_ = launch(store, make_campaign(count=3, size=1))
    turn = store.next_step("news", judge.id, first, now=later(hours=2), lease=LEASE)
    assert turn is not None
    decide(store, "news", judge.id, turn.assignment, 1, {}, now=later(hours=3), lease=LEASE)
    found = store.windows("news", now=NOW, width=timedelta(hours=1), most=5)
    assert found == {("adequacy", "evaluation"): [1]}
    assert store.paces("news", now=NOW)[judge.id].hour == 1


def test_what_was_given_back_does_not_count_as_progress(store: Store) -> None:
    judge, *_ = launch(store, make_campaign(count=3, size=2))
    turn = store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
    assert turn is not None
    now = later(minutes=1)
    decide(store, "news", judge.id, turn.assignment, 1, {}, now=now, lease=LEASE)
    width = timedelta(hours=1)
    assert store.windows("news", now=now, width=width, most=5) == {("adequacy", "evaluation"): [1]}
    (counts,) = store.campaign_counts()
    assert (counts.done, counts.begun, counts.judges, counts.last) == (1, 1, 4, now)
    assert store.paces("news", now=now)[judge.id] == (1, 1)
    store.give_back("news", judge.id, author="boss", reason="", now=now)
    assert store.windows("news", now=now, width=width, most=5) == {}
    assert store.paces("news", now=now) == {}
    assert [(g.campaign, g.wanted, g.done) for g in store.campaign_counts()] == [("news", 12, 0)]


def test_open_places_and_who_had_them(store: Store) -> None:
    kits = [make_kit(n, block="same") for n in (1, 2)] + [make_kit(3)]
    one, two, three, _ = launch(store, make_campaign(kits=kits, wanted=2, apart=True))
    for judge in (one, two):
        assert store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
    found = {(p.unit, p.systems): (p.places, p.had) for p in store.open_places("news")}
    # both took the first kit, of which no place is left
    assert found == {("same", ("alpha",)): (2, 2), ("b3", ("beta",)): (2, 0)}
    store.next_step("news", three.id, first, now=NOW, lease=LEASE)
    found = {(p.unit, p.systems): (p.places, p.had) for p in store.open_places("news")}
    assert found == {("same", ("alpha",)): (1, 3), ("b3", ("beta",)): (2, 0)}
    # a lease that is over lets its judge come back, and one that a coordinator ended does not
    store.give_back("news", three.id, author="boss", reason="", now=NOW)
    units = {p.unit: (p.places, p.had) for p in store.open_places("news")}
    assert units["same"] == (2, 3)


def test_kits_each_for_themselves(store: Store) -> None:
    kits = [make_kit(n, block="same") for n in (1, 2)]
    one, *_ = launch(store, make_campaign(kits=kits, wanted=2, apart=False))
    store.next_step("news", one.id, first, now=NOW, lease=LEASE)
    found = {p.unit: (p.places, p.had) for p in store.open_places("news")}
    assert found == {"kit 1": (1, 1), "kit 2": (2, 0)}


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
