"""Rankings: a place for each translation, ties allowed or not."""

from random import Random

import pytest

from jurat.errors import InputError
from tests.protocols.items import KINDS, item, rows

FREE, STRICT = KINDS["ranking"], KINDS["ranking without ties"]
THREE = item("one", "two", "three")


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([3, 1, 2], [3, 1, 2]),
        ([1, 1, 1], [1, 1, 1]),
        ([1, 3, 3], [1, 2, 2]),
        ([-5, 10**400, 0], [1, 3, 2]),
    ],
    ids=["as is", "mixed", "all tied", "a gap", "far apart"],
)
def test_only_the_order_counts(answer: list[int], kept: list[int]) -> None:
    assert FREE.check(answer, THREE) == kept


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [1, 2],
        [1, 2, 3, 4],
        [1, 2, "3"],
        [1, 2, 3.0],
        [1, 2, True],
        [1, 2, None],
        "123",
        1,
        None,
    ],
)
def test_refused(answer: object) -> None:
    with pytest.raises(InputError, match="a place is needed for each of 3 translations"):
        FREE.check(answer, THREE)


def test_ties_only_where_allowed() -> None:
    assert STRICT.check([2, 1, 3], THREE) == [2, 1, 3]
    with pytest.raises(InputError, match="cannot have the same place"):
        STRICT.check([1, 2, 2], THREE)


def test_rows() -> None:
    found = [dict(row.values) for row in rows(FREE, [2, 1, 2], THREE)]
    assert found == [
        {"question": "q", "system": "m1", "slot": 1, "rank": 2},
        {"question": "q", "system": "m2", "slot": 2, "rank": 1},
        {"question": "q", "system": "m3", "slot": 3, "rank": 2},
    ]


def test_simulation_ties_what_looks_alike() -> None:
    assert FREE.simulate(THREE, (0.1, 0.9, 0.12), Random(1)) == [2, 1, 2]
    assert STRICT.simulate(THREE, (0.1, 0.9, 0.12), Random(1)) == [3, 1, 2]
