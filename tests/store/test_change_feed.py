"""The change feed: what is new comes once, whatever happens to it."""

from jurat.store import (
    Store,
)
from jurat.store.change_feed import (
    EXCLUDED,
    Changes,
    Checkpoint,
    RawAssignment,
    RawDecision,
    RawJudge,
)
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
