import numpy as np
import pytest
from scipy import stats

from jurat.stats.agreement.z_r2 import first_and_second
from tests.stats.agreement.asking import long, one
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix

ANSWERS = table(2, judges=2, gaps=0)


def test_as_scipy():
    first, second = (stats.zscore(row, ddof=1) for row in ANSWERS)
    expected = stats.linregress(first, second).rvalue ** 2
    found = one(evaluation(long(rows(ANSWERS))), "z-r2")
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
