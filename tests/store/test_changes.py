"""Following a campaign: what is new comes once, whatever happens to it."""

from jurat.store import Store
from jurat.store.changes import GONE, Held, News, Person, Said, Seen
from tests.store import samples
from tests.store.samples import LEASE, NOW, first, later, launch, make_campaign, revise


class Follower:
    """Somebody who follows, and notes what he was told."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.known: dict[int, Seen] = {}
        self.said: list[Said] = []
        self.held: dict[int, Held] = {}
        self.people: dict[int, Person] = {}

    def look(self) -> list[Said]:
        """What is new."""
        before = len(self.said)
        self.store.follow("news", self.known, self._take)
        return self.said[before:]

    def _take(self, news: News) -> None:
        said = list(news.said)
        last = {one.held: one.number for one in said}
        for held, changes in news.changes.items():
            known = self.known.get(held, Seen())
            self.known[held] = Seen(changes, last.get(held, known.number))
        self.held |= {one.id: one for one in news.held}
        self.people = {one.id: one for one in news.people}
        self.said += said


def decide(store: Store, judge: str, position: int, **answers: object) -> str:
    turn = store.turn("news", judge, first, now=NOW, lease=LEASE)
    assert turn is not None
    samples.decide(store, "news", judge, turn.assignment, position, answers, now=NOW, lease=LEASE)
    return turn.assignment


def test_everything_comes_once_and_in_order(store: Store) -> None:
    one, two, *_ = launch(store, make_campaign(wanted=2))
    follower = Follower(store)
    assert follower.look() == []
    decide(store, one.id, 1, adequacy=1)
    assert [said.answers for said in follower.look()] == ['{"adequacy":1}']
    decide(store, two.id, 1, adequacy=2)
    decide(store, one.id, 2, adequacy=3)
    decide(store, two.id, 2, adequacy=4)
    assert [said.answers for said in follower.look()] == [f'{{"adequacy":{n}}}' for n in (2, 3, 4)]
    assert follower.look() == []
    late = Follower(store)
    late.look()
    assert late.said == follower.said
    assert late.held == follower.held
    assert [said.number for said in late.said] == sorted(said.number for said in late.said)
    assert {one.pin for one in follower.people.values()} == {"001", "002", "003", "004"}


def test_corrections_come_as_new_and_what_is_gone_is_told(store: Store) -> None:
    judge, *_ = launch(store, make_campaign(wanted=2))
    follower = Follower(store)
    assignment = decide(store, judge.id, 1, adequacy=1)
    follower.look()
    revise(
        store, "news", judge.id, assignment, 1, {"adequacy": 7}, revision=2, now=later(minutes=1)
    )
    (new,) = follower.look()
    assert (new.revision, new.position, new.answers) == (2, 1, '{"adequacy":7}')
    (held,) = follower.held.values()
    assert held.state not in GONE
    store.give_back("news", judge.id, author="boss", reason="careless", now=NOW)
    assert follower.look() == []
    (held,) = follower.held.values()
    assert held.state in GONE
    assert held.reason == "careless"


def test_a_lower_number_that_comes_later_is_not_missed(store: Store) -> None:
    """What is stored with a higher number may be seen first, where several processes write."""
    one, two, *_ = launch(store, make_campaign(wanted=2))
    follower = Follower(store)
    decide(store, one.id, 1, adequacy=1)
    decide(store, two.id, 1, adequacy=2)
    follower.look()
    lower = min(follower.said)
    # as if the transaction of the lower one had not ended when the other was read
    follower.known[lower.held] = Seen()
    follower.said.remove(lower)
    assert follower.look() == [lower]
    assert sorted(follower.said) == [lower, max(follower.said)]


def test_items_of_a_kit(store: Store) -> None:
    judge, *_ = launch(store, make_campaign(size=3))
    follower = Follower(store)
    decide(store, judge.id, 1, adequacy=1)
    follower.look()
    (held,) = follower.held.values()
    contents = store.contents(held.kit_id)
    assert len(contents) == held.size == 3
    assert '"segment":"1"' in contents[1]
