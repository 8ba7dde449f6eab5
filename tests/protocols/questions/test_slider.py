"""Sliders: any number between the ends."""

import pytest

from jurat.errors import InputError
from jurat.protocols.questions.slider import Mark, Slider
from tests.protocols.items import KINDS, item, rows

SLIDER = KINDS["slider"]


@pytest.mark.parametrize("answer", [-10, 0, 10, 3.25, -9.99])
def test_legal(answer: float) -> None:
    kept = SLIDER.check(answer, item())
    assert (kept, type(kept)) == (answer, type(answer))


HUGE = 10**400


@pytest.mark.parametrize(
    "answer",
    [11, -10.01, "5", True, None, [], {}, float("nan"), float("inf"), HUGE, -HUGE, "n/a"],
    ids=lambda answer: "huge" if isinstance(answer, int) and abs(answer) > 99 else None,
)
def test_refused(answer: object) -> None:
    with pytest.raises(InputError, match="not a number from -10 to 10"):
        SLIDER.check(answer, item())


@pytest.mark.parametrize(("answer", "label"), [(0, "Middle"), (1, None)])
def test_a_row(answer: int, label: str | None) -> None:
    (row,) = rows(SLIDER, answer, item())
    assert (row.table, row.values["value"], row.values["label"]) == ("judgments", answer, label)
    assert SLIDER.maximum(answer, item()) == 10.0


def test_all_faults_at_once() -> None:
    with pytest.raises(InputError) as caught:
        Slider(id="1q", ask="?", low=5, high=5, marks=(Mark(value=9, label="x"),) * 2)
    found = [(problem.field, problem.message) for problem in caught.value.problems]
    assert found == [
        ("low", "the low end 5 is not below the high end 5"),
        ("marks.1.value", "9 lies outside the slider"),
        ("marks.2.value", "9 lies outside the slider"),
        (
            "id",
            "'1q' is not a valid question name: letters, digits and hyphens only, a letter first",
        ),
    ]
