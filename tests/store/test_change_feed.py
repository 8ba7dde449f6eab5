"""The change feed: what is new comes once, whatever happens to it."""

from typing import Any

import psycopg
import pytest

from jurat.store import Store
from jurat.store.change_feed import (
    EXCLUDED,
    Changes,
    Checkpoint,
    RawAssignment,
    RawDecision,
    RawJudge,
)
from jurat.store.schema import decisions
from tests.store import samples
from tests.store.samples import (
    LEASE,
    NOW,
    do_kit,
    first,
    later,
    launch,
    make_campaign,
    revise,
)


class Reader:
    """Reads the feed, and remembers all of it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.known: dict[int, Checkpoint] = {}
        self.decisions: list[RawDecision] = []
        self.assignments: dict[int, RawAssignment] = {}
        self.judges: dict[int, RawJudge] = {}

    def look(self) -> list[RawDecision]:
        """What is new."""
        before = len(self.decisions)
        self.store.changes("news", self.known, self._take)
        return self.decisions[before:]

    def _take(self, news: Changes) -> None:
        said = list(news.decisions)
        last = {one.assignment_id: one.number for one in said}
        for held, changes in news.versions.items():
            known = self.known.get(held, Checkpoint())
            self.known[held] = Checkpoint(changes, last.get(held, known.number))
        self.assignments |= {one.id: one for one in news.assignments}
        self.judges = {one.id: one for one in news.judges}
        self.decisions += said


def decide(store: Store, judge: str, position: int, **answers: object) -> str:
    turn = store.next_step("news", judge, first, now=NOW, lease=LEASE)
    assert turn is not None
    samples.decide(store, "news", judge, turn.assignment, position, answers, now=NOW, lease=LEASE)
    return turn.assignment


def test_everything_comes_once_and_in_order(store: Store) -> None:
    one, two, *_ = launch(store, make_campaign(wanted=2))
    reader = Reader(store)
    assert reader.look() == []
    decide(store, one.id, 1, adequacy=1)
    assert [said.answers for said in reader.look()] == ['{"adequacy":1}']
    decide(store, two.id, 1, adequacy=2)
    decide(store, one.id, 2, adequacy=3)
    decide(store, two.id, 2, adequacy=4)
    assert [said.answers for said in reader.look()] == [f'{{"adequacy":{n}}}' for n in (2, 3, 4)]
    assert reader.look() == []
    late = Reader(store)
    late.look()
    assert late.decisions == reader.decisions
    assert late.assignments == reader.assignments
    assert [said.number for said in late.decisions] == sorted(
        said.number for said in late.decisions
    )
    assert {one.pin for one in reader.judges.values()} == {"001", "002", "003", "004"}


def test_corrections_come_as_new_and_what_is_gone_is_told(store: Store) -> None:
    judge, *_ = launch(store, make_campaign(wanted=2))
    reader = Reader(store)
    assignment = decide(store, judge.id, 1, adequacy=1)
    reader.look()
    revise(
        store, "news", judge.id, assignment, 1, {"adequacy": 7}, revision=2, now=later(minutes=1)
    )
    (new,) = reader.look()
    assert (new.revision, new.position, new.answers) == (2, 1, '{"adequacy":7}')
    (held,) = reader.assignments.values()
    assert held.state not in EXCLUDED
    store.give_back("news", judge.id, author="boss", reason="careless", now=NOW)
    assert reader.look() == []
    (held,) = reader.assignments.values()
    assert held.state in EXCLUDED
    assert held.reason == "careless"


def test_a_lower_number_that_comes_later_is_not_missed(store: Store) -> None:
    """What is stored with a higher number may be seen first, where several processes write."""
    one, two, *_ = launch(store, make_campaign(wanted=2))
    reader = Reader(store)
    decide(store, one.id, 1, adequacy=1)
    decide(store, two.id, 1, adequacy=2)
    reader.look()
    lower = min(reader.decisions)
    # as if the transaction of the lower one had not ended when the other was read
    reader.known[lower.assignment_id] = Checkpoint()
    reader.decisions.remove(lower)
    assert reader.look() == [lower]
    assert sorted(reader.decisions) == [lower, max(reader.decisions)]


def feed(store: Store, after: int = 0, most: int = 100) -> list[int] | None:
    """The numbers of decisions that are certain after one of them; None while none is."""
    limit = store.feed_limit("news")
    found = store.certain_decisions("news", after=after, limit=limit, most=most)
    return None if found is None else [one.number for one in found]


def test_certain_decisions_come_in_parts_and_in_order(store: Store) -> None:
    one, two, *_ = launch(store, make_campaign(wanted=2))
    assert feed(store) == []
    for position in (1, 2):
        for judge in (one, two):
            decide(store, judge.id, position, adequacy=position)
    numbers = feed(store)
    assert numbers == sorted(numbers or ())
    assert len(numbers) == 4
    assert feed(store, most=3) == numbers[:3]
    assert feed(store, after=numbers[2]) == numbers[3:]
    assert feed(store, after=numbers[-1]) == []


# A transaction that stores a corrected answer, as another server does it.
COPIED = ", ".join(c.name for c in decisions.c if c.name not in ("id", "revision"))
CORRECTION = f"""
    INSERT INTO decisions (revision, {COPIED})
    SELECT max(revision) OVER () + 1, {COPIED} FROM decisions WHERE assignment_id = %s LIMIT 1
    RETURNING id"""


@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
def test_a_decision_whose_transaction_is_still_under_way_is_waited_for(store: Store) -> None:
    """One with a later transaction and a lower number, which is stored last, is not missed."""
    one, two, *_ = launch(store, make_campaign(wanted=2))
    decide(store, one.id, 1, adequacy=1)
    decide(store, two.id, 1, adequacy=2)
    before = feed(store)
    held = [row.id for row in _assignments(store)]
    with psycopg.connect(store.address) as early, psycopg.connect(store.address) as late:
        for connection in (early, late):
            connection.execute("SELECT pg_current_xact_id()")
        lower = _corrected(late, held[0])
        higher = _corrected(early, held[1])
        assert lower < higher
        early.commit()
        assert feed(store) is None
        late.commit()
    assert feed(store) == [*(before or ()), lower, higher]


def _assignments(store: Store) -> list[RawAssignment]:
    reader = Reader(store)
    reader.look()
    return list(reader.assignments.values())


def _corrected(connection: psycopg.Connection[Any], assignment: int) -> int:
    (number,) = connection.execute(CORRECTION.encode(), (assignment,)).fetchall()[0]
    return int(number)


def test_items_of_a_kit(store: Store) -> None:
    judge, *_ = launch(store, make_campaign(size=3))
    reader = Reader(store)
    decide(store, judge.id, 1, adequacy=1)
    reader.look()
    (held,) = reader.assignments.values()
    contents = store.contents(held.kit_id)
    assert len(contents) == held.size == 3
    assert '"segment":"1"' in contents[1]


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
