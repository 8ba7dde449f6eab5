import itertools

import numpy as np
import pytest
from scipy import stats

from jurat.stats.agreement import judge_correlation
from jurat.stats.agreement.judge_correlation import pearson_mean
from tests.stats.agreement.asking import estimates, long, one
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix

ANSWERS = table(11, judges=4, items=50, points=9)


def mean_of(statistic):
    values = []
    for a, b in itertools.combinations(ANSWERS, 2):
        both = ~np.isnan(a) & ~np.isnan(b)
        values.append(statistic(a[both], b[both]))
    return np.mean(values)


@pytest.mark.parametrize(
    ("name", "by", "statistic"),
    [
        ("pearson-mean", {}, lambda a, b: stats.pearsonr(a, b)[0]),
        ("spearman-mean", {}, lambda a, b: stats.spearmanr(a, b)[0]),
        ("kendall-mean", {"form": "b"}, lambda a, b: stats.kendalltau(a, b)[0]),
        ("kendall-mean", {"form": "c"}, lambda a, b: stats.kendalltau(a, b, variant="c")[0]),
    ],
)
def test_as_scipy(name, by, statistic):
    found = one(evaluation(long(rows(ANSWERS))), name, **by)
    assert found.value == pytest.approx(mean_of(statistic), abs=1e-12)
    assert found.n == 6


def test_intervals_are_those_of_items_drawn_one_by_one():
    rng = np.random.default_rng(0)
    drawn = [pearson_mean(matrix(rows(ANSWERS[:, rng.integers(0, 50, 50)]))) for _ in range(120)]
    asked = evaluation(long(rows(ANSWERS)))
    found = one(asked, "pearson-mean", {"bootstrap": 5})
    assert (found.high - found.low) / 3.92 == pytest.approx(np.std(drawn), rel=0.25)
    ranked = one(asked, "spearman-mean", {"bootstrap": 5})
    assert (ranked.high - ranked.low) / 3.92 == pytest.approx(np.std(drawn), rel=0.5)


def test_too_many_cells_are_left_out(monkeypatch):
    monkeypatch.setattr(judge_correlation, "MOST_CELLS", 10)
    found = estimates(evaluation(long(rows(ANSWERS))), "kendall-mean")
    assert [e.value for e in found] == [None, None]
    assert "too many" in found[0].reason


def test_a_constant_judge_has_no_correlation():
    found = one(evaluation(long([[3, 3, 3], [1, 2, 3]])), "pearson-mean")
    assert "always gave the same answer" in found.reason
    # One of three pairs is left.
    found = one(evaluation(long([[3, 3, 3], [1, 2, 3], [1, 2, 3]])), "pearson-mean")
    assert (found.value, found.n) == (pytest.approx(1), 1)
    assert "words" in one(evaluation(long([["A"], ["B"]])), "spearman-mean").reason
