import numpy as np
import pytest
from scipy.stats import friedmanchisquare

from jurat.stats.agreement.kendall_w import kendall_w
from tests.stats.agreement.asking import long, one, results
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation


@pytest.mark.parametrize("seed", range(3))
def test_as_scipys_friedman_test(seed):
    # Friedman's χ², corrected for ties, is m(n − 1)W.
    answers = table(seed, gaps=0).astype(int)
    judges, items = answers.shape
    chi2 = friedmanchisquare(*answers.T).statistic
    assert kendall_w(answers.T - 1) == pytest.approx(chi2 / (judges * (items - 1)), abs=1e-12)


def test_one_order_is_one_and_opposite_orders_are_none():
    assert kendall_w(np.array([[0, 0], [1, 1], [2, 2]])) == 1
    assert kendall_w(np.array([[0, 2], [1, 1], [2, 0]])) == 0


def test_interval_and_reasons():
    answers = table(9, gaps=0, items=100)
    found = one(evaluation(long(rows(answers))), "kendall-w", {"bootstrap": 10})
    assert found.low < found.value < found.high
    rng = np.random.default_rng(1)
    codes = answers.T.astype(int) - 1
    drawn = [kendall_w(codes[rng.integers(0, 100, 100)]) for _ in range(300)]
    assert (found.high - found.low) / 3.92 == pytest.approx(np.std(drawn), rel=0.5)
    constant = one(evaluation(long([[3, 3], [3, 3]])), "kendall-w")
    assert constant.reason == "every judge gave all items the same answer"


@pytest.mark.parametrize("name", ["kendall-w", "icc"])
def test_the_headline_says_how_many_judges_it_is_of(name):
    table = evaluation(long([[1, 2, 3, 4], [2, 2, 4, 5], [1, None, 3, 2]]))
    (found,) = [result for result in results(table) if result.name == name]
    assert "(2 of 3 judges judged them all)" in found.headline
