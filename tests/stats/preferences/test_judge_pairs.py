"""Cohen's kappa of two judges' preferences, against scikit-learn and statsmodels."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from jurat.stats.preferences.judge_pairs import kappas_of_tables
from tests.stats.preferences.asking import compared, found

OUTCOMES = ("a", "b", "tie")


def judged(seed: int = 1, items: int = 80) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, items)
    return {
        judge: np.where(random.random(items) < 0.6, truth, random.integers(0, 3, items))
        for judge in "xyz"
    }


def test_is_scikit_learns():
    answers = judged()
    rows = [
        (judge, str(n), "A", "B", OUTCOMES[code])
        for judge, codes in answers.items()
        for n, code in enumerate(codes)
    ]
    estimates = found(compared(rows), "cohen-kappa", bootstrap=2)
    each = {(e.by["judge_a"], e.by["judge_b"]): e for e in estimates if "judge_a" in e.by}
    assert set(each) == {("x", "y"), ("x", "z"), ("y", "z")}
    for (first, second), estimate in each.items():
        expected = cohen_kappa_score(answers[first], answers[second])
        assert estimate.value == pytest.approx(expected)
        assert estimate.n == 80
        assert estimate.low < estimate.value < estimate.high
    mean = next(e for e in estimates if "judge_a" not in e.by)
    assert mean.value == pytest.approx(np.mean([e.value for e in each.values()]))
    assert mean.high - mean.low < min(e.high - e.low for e in each.values())


def test_the_error_is_statsmodels():
    answers = judged(2)
    table = np.zeros((3, 3))
    np.add.at(table, (answers["x"], answers["y"]), 1)
    kappa, moves = kappas_of_tables(table[None])
    theirs = cohens_kappa(table)
    assert kappa[0] == pytest.approx(theirs.kappa)
    error = np.sqrt((moves[0] ** 2 * table).sum()) / table.sum()
    assert error == pytest.approx(theirs.std_kappa)


def test_one_and_the_same_answer():
    rows = [(j, str(n), "A", "B", "a") for j in "xy" for n in range(3)]
    mean, pair = found(compared(rows), "cohen-kappa")
    assert (mean.value, pair.value) == (None, None)
    assert pair.reason == "both judges gave one and the same answer to all"


def test_no_shared_comparison():
    rows = [("x", "1", "A", "B", "a"), ("y", "1", "A", "C", "a")]
    (mean,) = found(compared(rows), "cohen-kappa")
    assert (mean.value, mean.reason) == (None, "no comparison was made by two judges")
