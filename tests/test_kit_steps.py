"""Positions name steps, and steps positions."""

import pytest
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.kit_steps import ItemStage, KitSteps
from tests.kits.sets import given

ADVANCES = st.sampled_from(["item", "kit"])


@given(st.integers(0, 40), st.integers(1, 4), ADVANCES)
def test_every_step_has_one_position(size, stages, advance):
    all_steps = KitSteps(size, stages, advance)
    found = list(all_steps)
    assert len(found) == len(all_steps) == size * stages
    assert set(found) == {ItemStage(i, s) for i in range(size) for s in range(stages)}
    for position, (item, stage) in enumerate(found, 1):
        assert all_steps.position(item, stage) == position


def test_an_item_first_or_the_kit_first():
    assert list(KitSteps(2, 2, "item")) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(KitSteps(2, 2, "kit")) == [(0, 0), (1, 0), (0, 1), (1, 1)]


@pytest.mark.parametrize("position", [0, 5, -1])
def test_no_such_position(position):
    with pytest.raises(InputError, match="this kit has 1 to 4"):
        KitSteps(2, 2, "item").step(position)


@pytest.mark.parametrize(("item", "stage"), [(2, 0), (0, 2), (-1, 0)])
def test_no_such_step(item, stage):
    with pytest.raises(InputError, match="there is no item"):
        KitSteps(2, 2, "item").position(item, stage)


def test_earlier_stages_of_the_same_item():
    assert KitSteps(3, 2, "item").earlier_stages(4) == [3]
    assert KitSteps(3, 2, "kit").earlier_stages(5) == [2]
    assert KitSteps(3, 3, "kit").earlier_stages(8) == [2, 5]
    assert KitSteps(3, 2, "kit").earlier_stages(2) == []


@pytest.mark.parametrize(
    ("kit", "ahead"),
    [
        (KitSteps(3, 1, "item"), [2, 1, 0]),
        (KitSteps(2, 2, "item"), [0, 0, 0, 0]),
        (KitSteps(2, 2, "kit"), [1, 0, 1, 0]),
    ],
)
def test_what_may_be_shown_ahead(kit, ahead):
    assert [kit.steps_ahead(position) for position in range(1, len(kit) + 1)] == ahead


def test_a_decision_changes_until_the_next_stage_of_its_item_was_shown():
    kit = KitSteps(2, 2, "kit")
    assert kit.is_changeable(1, reached=2)
    assert not kit.is_changeable(1, reached=3)
    assert kit.is_changeable(3, reached=4)
