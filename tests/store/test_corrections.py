"""Kits that are given back or done again, and adjudications."""

import pytest

from jurat.store import (
    NoSuchItem,
    NoSuchJudge,
    Store,
    StoreFault,
)
from tests.store.samples import (
    LEASE,
    NOW,
    decide_and_turn,
    do_kit,
    first,
    later,
    launch,
    make_campaign,
    make_kit,
)


def test_given_back_kits_return_to_the_pool_and_rows_stay(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    done = do_kit(store, one.id)
    begun = do_kit(store, one.id, steps=1)
    assert store.next_step("news", other.id, first, now=NOW, lease=LEASE) is None
    assert store.give_back("news", one.id, author="b", reason="r", now=NOW, finished=False) == 1
    assert [row.status for row in store.decisions("news")] == ["valid"] * 3 + ["excluded"]
    assert store.give_back("news", one.id, author="b", reason="r", now=NOW) == 1
    rows = list(store.decisions("news"))
    assert {row.assignment for row in rows} == {done, begun}
    assert {(row.status, row.author, row.reason) for row in rows} == {("excluded", "b", "r")}
    assert store.next_step("news", one.id, first, now=NOW, lease=LEASE) is None
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
    with pytest.raises(StoreFault, match="the author is missing"):
        store.give_back("news", judge.id, author="", reason="r", now=NOW)
    with pytest.raises(NoSuchJudge):
        store.give_back("news", "nobody", author="b", reason="r", now=NOW)


def test_redo_is_done_by_the_same_judge(store: Store) -> None:
    one, other = launch(store, make_campaign(count=2, wanted=1), judges=2)
    first_time = do_kit(store, one.id)
    store.next_step("news", one.id, first, now=NOW, lease=LEASE)
    assert store.redo("news", one.id, author="boss", reason="too fast", now=NOW) == 1
    # kit 2, which was begun, is free after its lease; the one to be done again has none
    elsewhere = store.next_step("news", other.id, first, now=later(days=9), lease=LEASE)
    assert elsewhere is not None
    assert elsewhere.kit == 2
    turn = store.next_step("news", one.id, first, now=NOW, lease=LEASE)
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


def test_the_time_of_a_kit_that_is_done_again_begins_when_the_judge_sees_it(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    do_kit(store, judge.id)
    store.redo("news", judge.id, author="boss", reason="too fast", now=NOW)
    seen = later(days=3)
    turn = store.next_step("news", judge.id, first, now=seen, lease=LEASE)
    assert turn is not None
    assert turn.shown_at == seen


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
