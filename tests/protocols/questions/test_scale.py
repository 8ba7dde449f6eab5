"""Scales: points with numbers, labels and an order."""

import pytest

from jurat.errors import InputError
from jurat.protocols.questions import NA
from jurat.protocols.questions.scale import Point, Scale
from tests.protocols.items import SCALE, item, rows


def scale(*values: int, **more: object) -> Scale:
    return Scale(id="q", ask="?", points=tuple(Point(value=v) for v in values), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [0, 1, 2, 3, 4])
def test_every_point_is_legal(answer: int) -> None:
    assert SCALE.check(answer, item()) == answer


def test_a_whole_float_is_a_point() -> None:
    kept = SCALE.check(3.0, item())
    assert (kept, type(kept)) == (3, int)


@pytest.mark.parametrize(
    "answer", [5, -1, 2.5, "3", True, False, None, [], [3], {}, float("nan"), NA, "L3"]
)
def test_everything_else_is_refused_with_the_points(answer: object) -> None:
    with pytest.raises(InputError, match="not a point of the scale; allowed: 4, 3, 2, 1, 0"):
        SCALE.check(answer, item())


def test_not_applicable_is_among_the_allowed_where_it_is() -> None:
    with pytest.raises(InputError, match="allowed: 2, 1, n/a"):
        scale(2, 1, not_applicable=True).check(7, item())


@pytest.mark.parametrize(("answer", "label"), [(3, "L3"), (4, None)])
def test_a_row(answer: int, label: str | None) -> None:
    (row,) = rows(SCALE, answer, item())
    assert row.table == "judgments"
    expected = {"system": "m1", "question": "q", "value": answer, "label": label, "na": False}
    assert row.values == expected


def test_number_and_maximum() -> None:
    assert (SCALE.number(3, item()), SCALE.maximum(3, item())) == (3.0, 4.0)
    assert scale(-3, 0).maximum(-3, item()) == 0.0


@pytest.mark.parametrize("values", [(1, 2, 3), (3, 2, 1), (-3, 3)])
def test_points_run_either_way_and_answers_best_first(values: tuple[int, ...]) -> None:
    assert scale(*values).answers() == tuple(sorted(values, reverse=True))


@pytest.mark.parametrize(
    ("values", "problems"),
    [
        ((), ["two points or more"]),
        ((1,), ["two points or more"]),
        ((1, 3, 2), ["in order"]),
        ((1, 1), ["occurs 2 times"]),
        ((2, 1, 2, 1, 1), ["in order", "2 occurs 2 times", "1 occurs 3 times"]),
    ],
)
def test_faulty_points(values: tuple[int, ...], problems: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        scale(*values)
    assert len(caught.value.problems) == len(problems)
    for problem, words in zip(caught.value.problems, problems, strict=True):
        assert words in problem.message
        assert problem.field == "points"


def test_simulation_takes_the_nearest_point() -> None:
    from random import Random

    found = [SCALE.simulate(item(), [q], Random(1)) for q in (-5, 0, 0.3, 0.5, 0.9, 1, 9)]
    assert found == [0, 0, 1, 2, 4, 4, 4]
