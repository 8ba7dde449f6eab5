"""Preferences: the first, the second, or a kind of tie."""

from random import Random

import pytest

from jurat.errors import InputError
from jurat.protocols.questions.preference import Preference
from tests.protocols.items import KINDS, item, rows

THREE, FOUR = KINDS["preference"], KINDS["preference of four"]
PAIR = item("one", "two")


@pytest.mark.parametrize("answer", ["a", "b", "tie"])
def test_a_row(answer: str) -> None:
    (row,) = rows(THREE, answer, PAIR)
    assert row.table == "preferences"
    expected = {"question": "q", "system_a": "m1", "system_b": "m2", "outcome": answer}
    assert row.values == expected


@pytest.mark.parametrize("answer", ["A", "good", "m1", 1, True, None, [], {}, ["a"]])
def test_refused(answer: object) -> None:
    with pytest.raises(InputError, match="not a preference; allowed: a, tie, b"):
        THREE.check(answer, PAIR)


def test_two_kinds_of_tie() -> None:
    assert [FOUR.check(answer, PAIR) for answer in ("good", "bad")] == ["good", "bad"]
    with pytest.raises(InputError):
        FOUR.check("tie", PAIR)


@pytest.mark.parametrize(
    ("qualities", "three", "four"),
    [
        ((0.9, 0.1), "a", "a"),
        ((0.1, 0.9), "b", "b"),
        ((0.9, 0.9), "tie", "good"),
        ((0.1, 0.1), "tie", "bad"),
        ((5.0, -5.0), "a", "a"),
    ],
)
def test_simulation(qualities: tuple[float, float], three: str, four: str) -> None:
    assert THREE.simulate(PAIR, qualities, Random(1)) == three
    assert FOUR.simulate(PAIR, qualities, Random(1)) == four


def test_without_ties_equals_fall_on_both_sides() -> None:
    random, question = Random(1), KINDS["preference without ties"]
    found = {question.simulate(PAIR, (0.5, 0.5), random) for _ in range(50)}
    assert found == {"a", "b"}


@pytest.mark.parametrize("labels", [{}, {"a": "1"}, {"b": "2", "tie": "="}])
def test_both_sides_need_a_label(labels: dict[str, str]) -> None:
    with pytest.raises(InputError, match="'a' and 'b' are required"):
        Preference(id="q", ask="?", labels=labels)  # type: ignore[arg-type]
