"""Choices: yes and no, or named options with or without numbers."""

import pytest

from jurat.errors import InputError
from jurat.protocols.questions.choice import Choice, Option
from tests.protocols.items import KINDS, item, rows

YES_NO = KINDS["yes or no"]
CHOICE = KINDS["choice"]


@pytest.mark.parametrize(("answer", "value"), [("yes", 1.0), ("no", 0.0)])
def test_yes_or_no(answer: str, value: float) -> None:
    (row,) = rows(YES_NO, answer, item())
    expected = {"system": "m1", "question": "q", "value": value, "label": answer, "na": False}
    assert row.values == expected
    assert YES_NO.maximum(answer, item()) == 1.0


@pytest.mark.parametrize("answer", ["Yes", "y", "n/a", True, False, 1, 0, None, [], ["yes"], {}])
def test_everything_else_is_refused(answer: object) -> None:
    with pytest.raises(InputError, match="not one of the options; allowed: yes, no"):
        YES_NO.check(answer, item())


def test_options_may_have_no_number() -> None:
    assert CHOICE.number("middling", item()) is None
    assert CHOICE.number("bad", item()) == -1
    assert CHOICE.maximum("bad", item()) == 2
    (row,) = rows(CHOICE, "middling", item())
    assert (row.values["value"], row.values["label"]) == (None, "middling")


def test_options_called_by_numbers() -> None:
    choice = Choice(id="q", ask="?", options=(Option(value="1"), Option(value="2")))
    assert choice.check(1, item()) == "1"
    assert choice.check("2", item()) == "2"
    for wrong in (3, 1.0, True, 10**5000):
        with pytest.raises(InputError):
            choice.check(wrong, item())


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ((), "two options or more"),
        (("a",), "two options or more"),
        (("a", "b", "a"), "'a' occurs 2 times"),
        (("a", "n/a"), "'n/a' cannot be an option; write not_applicable: true"),
    ],
)
def test_faulty_options(values: tuple[str, ...], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Choice(id="q", ask="?", options=tuple(Option(value=value) for value in values))
