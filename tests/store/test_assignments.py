"""Which kits judges are given, and what becomes of those they leave."""

from collections.abc import Sequence

import pytest

from jurat.store import (
    AccountChange,
    Had,
    KitGone,
    NewJudge,
    NoSuchJudge,
    Offer,
    OpenKit,
    Store,
)
from tests.store.samples import (
    LEASE,
    NOW,
    Chosen,
    decide,
    finish,
    finish_kit,
    given,
    last,
    later,
    launch,
    make_campaign,
    make_kit,
    turn_of,
)


@pytest.mark.parametrize("probability", [0.0, 1.5, float("nan")])
def test_a_choice_has_a_probability(store: Store, probability: float) -> None:
    judge = launch(store, make_campaign())[0]
    with pytest.raises(ValueError, match="with the probability"):
        store.next_step(
            "news", judge.id, lambda offer: Chosen(offer.kits[0], probability), now=NOW, lease=LEASE
        )


def test_never_more_judges_than_wanted_nor_the_same_kit_twice(store: Store) -> None:
    judges = launch(store, make_campaign(count=2, size=1, wanted=2), judges=3)
    had = []
    for judge in judges:
        while turn := turn_of(store, judge.id):
            had.append((judge.pin, turn.kit))
            finish(store, judge.id, turn)
    assert had == [("001", 1), ("001", 2), ("002", 1), ("002", 2)]


def test_kits_of_no_limit(store: Store) -> None:
    judges = launch(store, make_campaign(count=1, size=1, wanted=None), judges=5)
    for judge in judges:
        finish(store, judge.id, given(store, judge.id))
        assert turn_of(store, judge.id) is None


def test_blocks_are_kept_apart_where_the_phase_says_so(store: Store) -> None:
    kits = [make_kit(n, block="ab"[n > 2]) for n in (1, 2, 3)]
    judge = launch(store, make_campaign(kits=kits, apart=True))[0]
    had = []
    while turn := turn_of(store, judge.id):
        had.append(turn.kit)
        finish(store, judge.id, turn)
    assert had == [1, 3]


def test_groups_get_their_own_kits(store: Store) -> None:
    kits = [make_kit(1, group="g1"), make_kit(2, group="g2"), make_kit(3)]
    judge = launch(store, make_campaign(kits=kits))[0]
    store.change_judge("news", judge.id, AccountChange(group="g2"), author="boss", now=NOW)
    had = []
    while turn := turn_of(store, judge.id):
        had.append(turn.kit)
        finish(store, judge.id, turn)
    assert had == [2, 3]


def test_the_choice_sees_what_there_is_and_what_was(store: Store) -> None:
    judges = launch(store, make_campaign(count=3, size=1, wanted=2))
    finish(store, judges[0].id, given(store, judges[0].id))
    given(store, judges[0].id)
    seen: list[tuple[Sequence[OpenKit], Sequence[Had]]] = []

    def look(offer: Offer) -> Chosen:
        seen.append((list(offer.kits), offer.had))
        return Chosen(offer.kits[-1], 0.25)

    turn = store.next_step("news", judges[1].id, look, now=NOW, lease=LEASE)
    assert turn is not None
    assert turn.kit == 3
    ((kits, had),) = seen
    assert [(kit.number, kit.taken, kit.wanted) for kit in kits] == [
        (1, 1, 2),
        (2, 1, 2),
        (3, 0, 2),
    ]
    assert kits[0].systems == ("beta",)
    assert had == []
    finish(store, judges[1].id, turn)
    assert [row.probability for row in store.decisions("news")][-1] == 0.25
    store.next_step("news", judges[1].id, look, now=NOW, lease=LEASE)
    assert [(kit.number, kit.state, kit.block) for kit in seen[1][1]] == [(3, "done", "b3")]


def test_nothing_is_given_that_the_choice_does_not_want(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    assert store.next_step("news", judge.id, lambda *_: None, now=NOW, lease=LEASE) is None
    assert given(store, judge.id).kit == 1


def test_more_kits_are_offered_if_the_first_do_not_suit(store: Store) -> None:
    judge = launch(store, make_campaign(count=30, size=1))[0]

    def picky(offer: Offer) -> Chosen | None:
        return next((Chosen(kit) for kit in offer.kits if kit.number == 23), None)

    turn = store.next_step("news", judge.id, picky, now=NOW, lease=LEASE, most=2)
    assert turn is not None
    assert turn.kit == 23
    finish(store, judge.id, turn)
    assert store.next_step("news", judge.id, picky, now=NOW, lease=LEASE, most=2) is None


def test_a_choice_that_fails_leaves_nothing_behind(store: Store) -> None:
    judge = launch(store, make_campaign())[0]

    def broken(*_: object) -> Chosen:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.next_step("news", judge.id, broken, now=NOW, lease=LEASE)
    assert given(store, judge.id).kit == 1


def test_an_abandoned_kit_goes_to_another_judge(store: Store) -> None:
    one, other = launch(store, make_campaign(count=1, wanted=1), judges=2)
    turn = given(store, one.id)
    decide(store, "news", one.id, turn.assignment, 1, {"q": 1}, now=NOW, lease=LEASE)
    assert turn_of(store, other.id, minutes=50) is None
    taken = given(store, other.id, minutes=61)
    assert (taken.kit, taken.position) == (1, 1)
    with pytest.raises(KitGone, match="went to another judge"):
        decide(store, "news", one.id, turn.assignment, 2, {}, now=later(minutes=62), lease=LEASE)
    assert turn_of(store, one.id, minutes=62) is None
    (left,) = store.decisions("news")
    assert (left.status, left.reason) == ("excluded", "the lease was over")
    (tally,) = [one for one in store.progress("news").judges if one.returned]
    assert (tally.returned, tally.left) == (1, 1)


def test_a_judge_who_comes_back_goes_on_where_they_were(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    turn = given(store, one.id)
    decide(store, "news", one.id, turn.assignment, 1, {}, now=NOW, lease=LEASE)
    # The other judge's turn returns the abandoned kit, but they are given another one.
    store.next_step("news", other.id, last, now=later(hours=2), lease=LEASE)
    assert [row.status for row in store.decisions("news")] == ["excluded"]
    back = given(store, one.id, hours=2)
    assert (back.assignment, back.position) == (turn.assignment, 2)
    assert back.shown_at == later(hours=2)
    assert [row.status for row in store.decisions("news")] == ["valid"]
    finish(store, one.id, back, hours=2)
    assert turn_of(store, one.id, hours=2) is None


def test_the_lease_is_renewed_by_working(store: Store) -> None:
    one, other = launch(store, make_campaign(count=1, wanted=1), judges=2)
    turn = given(store, one.id)
    decide(store, "news", one.id, turn.assignment, 1, {}, now=later(minutes=40), lease=LEASE)
    assert turn_of(store, other.id, minutes=80) is None
    assert given(store, one.id, minutes=90).position == 2
    store.save_answers(
        "news", one.id, turn.assignment, 2, content="so far", now=later(minutes=140), lease=LEASE
    )
    assert turn_of(store, other.id, minutes=190) is None
    assert store.judge("news", one.id).seen_at == later(minutes=140)
    assert given(store, other.id, minutes=210).kit == 1


def test_what_a_coordinator_took_away_is_not_taken_up_again(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    turn = given(store, one.id)
    store.next_step("news", other.id, last, now=later(hours=2), lease=LEASE)
    assert store.redo("news", one.id, author="boss", reason="", now=NOW) == 0
    assert store.give_back("news", one.id, author="boss", reason="no", now=NOW) == 1
    assert turn_of(store, one.id, hours=2) is None
    with pytest.raises(KitGone, match="given back: no"):
        decide(store, "news", one.id, turn.assignment, 1, {}, now=later(hours=2), lease=LEASE)
    store.give_back("news", other.id, author="boss", reason="", now=NOW)
    third = store.add_judges("news", [NewJudge(pin="x")], author="boss", now=NOW)[0]
    assert {finish_kit(store, third.id), finish_kit(store, third.id)} == {1, 2}
    assert turn_of(store, third.id) is None


def offer(store: Store, judge: str, **delta: float) -> Offer:
    return store.offers("news", [judge], now=later(**delta), most=9)[judge]


def test_what_there_is_for_a_judge(store: Store) -> None:
    kits = [make_kit(1, size=1), make_kit(2, size=1, group="left")]
    one, two, *_ = launch(store, make_campaign(kits=kits, wanted=1), judges=2)
    assert [kit.number for kit in offer(store, one.id).kits] == [1]
    turn = given(store, one.id)
    assert offer(store, one.id).resumes == ("adequacy", "evaluation")
    # the other kit is for another group, but this one may come back, and does after the lease
    assert not offer(store, two.id).kits
    assert [kit.number for kit in offer(store, two.id).held("adequacy", "evaluation")] == [1]
    assert [kit.number for kit in offer(store, two.id, hours=2).kits] == [1]
    finish(store, one.id, turn)
    assert offer(store, one.id).resumes is None
    assert [had.state for had in offer(store, one.id).had] == ["done"]
    assert not offer(store, two.id).held("adequacy", "evaluation")
    store.change_judge("news", two.id, AccountChange(group="left"), author="boss", now=NOW)
    assert [kit.number for kit in offer(store, two.id).kits] == [2]
    store.set_phase("news", "adequacy", "evaluation", "stopped", author="boss", now=NOW)
    assert not offer(store, two.id).kits
    # what they will find once it is started again
    assert [kit.number for kit in offer(store, two.id).held("adequacy", "evaluation")] == [2]
    store.set_phase("news", "adequacy", "evaluation", "closed", author="boss", now=NOW)
    assert not offer(store, two.id).held("adequacy", "evaluation")
    with pytest.raises(NoSuchJudge):
        offer(store, "nobody")


def test_those_who_are_new_share_an_offer(store: Store) -> None:
    """Thousands of judges may wait for their first kit: it is looked for once for each group."""
    kits = [make_kit(1, size=1), make_kit(2, size=1, group="left")]
    one, two, three, four = launch(store, make_campaign(kits=kits, wanted=3), judges=4)
    store.change_judge("news", four.id, AccountChange(group="left"), author="boss", now=NOW)
    given(store, one.id)
    ids = [judge.id for judge in (one, two, three, four)]
    offers = store.offers("news", ids, now=NOW, most=9)
    assert offers[two.id] is offers[three.id]
    for judge in ids:
        alone = offer(store, judge)
        assert (alone.kits, alone.had) == (offers[judge].kits, offers[judge].had)
