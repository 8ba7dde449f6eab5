import itertools

import numpy as np
import pytest
from scipy import stats

from jurat.stats.agreement import judge_correlation
from jurat.stats.agreement.judge_correlation import first_and_second, pearson_mean
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


ANSWERS_Z_R2 = table(2, judges=2, gaps=0)


def test_as_scipy_of_z_r2():
    first, second = (stats.zscore(row, ddof=1) for row in ANSWERS_Z_R2)
    expected = stats.linregress(first, second).rvalue ** 2
    found = one(evaluation(long(rows(ANSWERS_Z_R2))), "z-r2")
    assert (found.value, found.n) == (pytest.approx(expected), 60)


def test_the_earlier_decision_is_the_first():
    csv = "judge,item,value,position\na,x,1,2\nb,x,9,1\na,y,3,4\nb,y,7,5\na,z,2,7\nb,z,8,6"
    (ratings,) = evaluation(csv).ratings
    first, second, _ = first_and_second(ratings)
    # b: 9, 7, 8 and a: 1, 3, 2, both with an SD of 1; b was first with x and z.
    np.testing.assert_allclose(first, [1, 1, 0])
    np.testing.assert_allclose(second, [-1, -1, 0])


def test_means_come_from_all_rows_of_the_file():
    csv = "judge,item,type,value\n" + "\n".join(
        f"{judge},i{item},{kind},{answer}"
        for judge, answers in (("a", [1, 2, 3, 9]), ("b", [2, 3, 5, 1]))
        for item, (answer, kind) in enumerate(zip(answers, ["t", "t", "t", "bad"], strict=True))
    )
    (ratings,), (baseline,) = (
        getattr(evaluation(csv, where="type == 't'"), name) for name in ("ratings", "baseline")
    )
    first, _, _ = first_and_second(ratings, baseline)
    np.testing.assert_allclose(first, (np.array([1, 2, 3]) - 3.75) / np.std([1, 2, 3, 9], ddof=1))


def test_r2_has_the_ends_of_r_squared():
    asked = evaluation(long(rows(table(3, judges=2, gaps=0, items=300))))
    found = one(asked, "z-r2", {"bootstrap": 1})
    r, error = np.sqrt(found.value), (1 - found.value) / np.sqrt(300)
    assert np.sqrt(found.low) == pytest.approx(r - 1.97 * error, abs=0.02)
    assert np.sqrt(found.high) == pytest.approx(r + 1.97 * error, abs=0.02)


def test_the_interval_of_r2_allows_for_judges_of_few_items():
    """Ten items a judge, r = .9: judges' own means and deviations take R² from .81 to .6."""
    rng, lines = np.random.default_rng(1), ["judge,item,value"]
    for item in range(60):
        quality = rng.normal()
        for judge in rng.permutation(12)[:2]:
            value = quality * 0.9**0.5 + rng.normal() * 0.1**0.5 + judge
            lines.append(f"{judge},{item},{value:.6f}")
    found = one(evaluation("\n".join(lines)), "z-r2", {"bootstrap": 1})
    assert found.value < 0.6
    assert found.low < 0.81 < found.high


def test_undefined():
    assert "words" in one(evaluation(long([["A", "B"], ["A", "B"]])), "z-r2").reason
    assert one(evaluation(long([[3, 3], [1, 2]])), "z-r2").reason.startswith("no item was judged")
    assert first_and_second(matrix([[1, 2]]))[0].size == 0
