"""Positions name steps, and steps positions."""

import pytest
from hypothesis import strategies as st

from jurat.faults import FaultyInput
from jurat.kits.steps import Step, steps
from tests.kits.sets import given

ADVANCES = st.sampled_from(["item", "kit"])


@given(st.integers(0, 40), st.integers(1, 4), ADVANCES)
def test_every_step_has_one_position(size, stages, advance):
    all_steps = steps(size, stages, advance)
    found = list(all_steps)
    assert len(found) == len(all_steps) == size * stages
    assert set(found) == {Step(i, s) for i in range(size) for s in range(stages)}
    for position, (item, stage) in enumerate(found, 1):
        assert all_steps.position(item, stage) == position


def test_an_item_first_or_the_kit_first():
    assert list(steps(2, 2, "item")) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(steps(2, 2, "kit")) == [(0, 0), (1, 0), (0, 1), (1, 1)]


@pytest.mark.parametrize("position", [0, 5, -1])
def test_no_such_position(position):
    with pytest.raises(FaultyInput, match="this kit has 1 to 4"):
        steps(2, 2, "item").step(position)


@pytest.mark.parametrize(("item", "stage"), [(2, 0), (0, 2), (-1, 0)])
def test_no_such_step(item, stage):
    with pytest.raises(FaultyInput, match="there is no item"):
        steps(2, 2, "item").position(item, stage)
