"""The best and the worst of several translations, and magnitudes."""

from random import Random

import pytest

from jurat.errors import InputError
from jurat.protocols.questions.best_worst import BestWorst
from jurat.protocols.questions.magnitude import Magnitude
from tests.protocols.items import item, rows

CHOICE = BestWorst(id="choice", ask="?")
FOUR = item("One.", "Two.", "Three.", "Four.")


def test_the_mean_of_the_values_is_best_minus_worst() -> None:
    """As Kiritchenko and Mohammad (2017) count: the share of best minus the share of worst."""
    made = [row for answer in ([1, 4], [1, 2], [3, 1]) for row in rows(CHOICE, answer, FOUR)]
    values = [
        r.values["value"] for r in made if r.table == "judgments" and r.values["system"] == "m1"
    ]
    assert sum(map(float, map(str, values))) / 3 == pytest.approx(2 / 3 - 1 / 3)


def test_only_what_is_known_about_pairs_is_ranked() -> None:
    made = [row.values for row in rows(CHOICE, [3, 1], FOUR) if row.table == "rankings"]
    assert [(row["slot"], row["rank"]) for row in made] == [(1, 3), (2, 2), (3, 1), (4, 2)]
    two = [
        r.values["rank"] for r in rows(CHOICE, [2, 1], item("A.", "B.")) if r.table == "rankings"
    ]
    assert two == [2, 1]


@pytest.mark.parametrize("answer", [[1], [0, 1], [1, 5], [True, 2], "1", [1.0, 2], [2, 2]])
def test_other_answers_are_refused(answer: object) -> None:
    with pytest.raises(InputError):
        CHOICE.check(answer, FOUR)


def test_a_simulated_judge_finds_the_ends() -> None:
    assert CHOICE.simulate(FOUR, [0.5, 0.9, 0.1, 0.4], Random(1)) == [2, 3]


@pytest.mark.parametrize("answer", [0, -1, float("inf"), float("nan"), "100", True, 1_000_001])
def test_a_magnitude_is_a_number_above_zero(answer: object) -> None:
    question = Magnitude(id="m", ask="?")
    assert question.check(0.5, item()) == 0.5
    with pytest.raises(InputError):
        question.check(answer, item())
