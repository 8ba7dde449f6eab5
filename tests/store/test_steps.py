"""The steps of a kit: the next one, earlier ones, saved answers."""

import pytest

from jurat.store import (
    NotYours,
    OutOfTurn,
    Step,
    Store,
)
from tests.store.samples import (
    LEASE,
    NOW,
    decide,
    decide_and_turn,
    first,
    given,
    later,
    launch,
    make_campaign,
)


def test_a_kit_from_the_first_step_to_the_last(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    assert (turn.task, turn.phase, turn.kit) == ("adequacy", "evaluation", 1)
    assert (turn.position, turn.steps, turn.index, turn.stage) == (1, 3, 0, 0)
    assert turn.item == make_campaign().kits[0].items[0]
    assert (turn.shown_at, turn.earlier, turn.saved) == (NOW, {}, None)
    for position in (1, 2, 3):
        decided = decide(
            store,
            "news",
            judge.id,
            turn.assignment,
            position,
            {"q": position, "why": "日本 \0"},
            now=later(seconds=2 * position),
            lease=LEASE,
            active_seconds=1.5,
            language="es",
        )
        assert decided.new
        assert (decided.position, decided.revision) == (position, 1)
        assert decided.decided_at == later(seconds=2 * position)
        assert decided.finished == (position == 3)
    rows = list(store.decisions("news"))
    assert [row.answers for row in rows] == [{"q": n, "why": "日本 \0"} for n in (1, 2, 3)]
    assert [row.item for row in rows] == list(make_campaign().kits[0].items)
    one = rows[0]
    assert (one.judge, one.kit, one.block, one.status) == ("001", 1, "b1", "valid")
    assert (one.seconds, one.active_seconds, one.language) == (2.0, 1.5, "es")
    assert (one.shown_at, one.decided_at) == (NOW, later(seconds=2))
    assert [row.number for row in rows] == sorted({row.number for row in rows})
    assert given(store, judge.id).kit == 2


def test_the_step_is_the_same_until_it_is_decided(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    assert given(store, judge.id) == given(store, judge.id, minutes=5)
    assert given(store, judge.id, minutes=9).shown_at == NOW


@pytest.mark.parametrize(
    ("advance", "places"),
    [
        ("item", [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]),
        ("kit", [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]),
    ],
)
def test_stages(store: Store, advance: str, places: list[tuple[int, int]]) -> None:
    new = make_campaign(stages=2, advance=advance)
    judge = launch(store, new)[0]
    turn: Step | None = given(store, judge.id)
    seen = []
    while turn and turn.kit == 1:
        seen.append((turn.index, turn.stage))
        assert turn.steps == 6
        assert turn.item == new.kits[0].items[turn.index]
        assert turn.earlier == ({"s0": turn.index} if turn.stage else {})
        answers = {f"s{turn.stage}": turn.index}
        _, turn = decide_and_turn(
            store,
            "news",
            judge.id,
            turn.assignment,
            turn.position,
            answers,
            choose=first,
            now=NOW,
            lease=LEASE,
        )
    assert seen == places
    rows = list(store.decisions("news"))
    assert [(row.index, row.stage) for row in rows] == places
    assert [row.item.segment for row in rows] == [str(index) for index, _ in places]


def test_a_step_that_was_reached_can_be_looked_at(store: Store) -> None:
    one, other = launch(store, make_campaign(), judges=2)
    turn = given(store, one.id)
    assert store.step("news", one.id, turn.assignment, 1) == turn
    decide(store, "news", one.id, turn.assignment, 1, {"q": 4}, now=NOW, lease=LEASE)
    back = store.step("news", one.id, turn.assignment, 1)
    assert (back.answered, back.revision, back.item) == ({"q": 4}, 1, turn.item)
    assert store.step("news", one.id, turn.assignment, 2).answered is None
    for position in (0, 3, 4):
        with pytest.raises(OutOfTurn):
            store.step("news", one.id, turn.assignment, position)
    with pytest.raises(NotYours):
        store.step("news", other.id, turn.assignment, 1)


def test_drafts_are_overwritten_and_no_judgments(store: Store) -> None:
    judge = launch(store, make_campaign())[0]
    turn = given(store, judge.id)
    for draft in ({"q": 1}, ["half", None]):
        store.save_answers(
            "news", judge.id, turn.assignment, 1, content=draft, now=NOW, lease=LEASE
        )
        assert given(store, judge.id).saved == draft
    assert not list(store.decisions("news"))
    with pytest.raises(OutOfTurn):
        store.save_answers("news", judge.id, turn.assignment, 2, content=1, now=NOW, lease=LEASE)
    decide(store, "news", judge.id, turn.assignment, 1, {}, now=NOW, lease=LEASE)
    assert given(store, judge.id).saved is None
    store.save_answers("news", judge.id, turn.assignment, 2, content="new", now=NOW, lease=LEASE)
    assert given(store, judge.id).saved == "new"


def test_ids_tell_nothing(store: Store) -> None:
    judges = launch(store, make_campaign())
    keys = [judge.id for judge in judges] + [given(store, judge.id).assignment for judge in judges]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 20 for key in keys)
