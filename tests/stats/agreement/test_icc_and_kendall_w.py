import numpy as np
import pandas as pd
import pytest
from scipy.stats import friedmanchisquare

from jurat.stats.agreement.icc_and_kendall_w import FORMS, icc, kendall_w
from tests.stats.agreement.asking import estimates, long, one, results
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation


@pytest.mark.filterwarnings("ignore")  # pingouin's own, about pandas
@pytest.mark.parametrize("seed", range(2))
def test_as_pingouin(seed):
    import pingouin  # with all that draws its plots: only for this test

    answers = table(seed, gaps=0, points=100)
    judges, items = answers.shape
    frame = pd.DataFrame(
        {
            "item": np.tile(np.arange(items), judges),
            "judge": np.repeat(np.arange(judges), items),
            "value": answers.ravel(),
        }
    )
    theirs = pingouin.intraclass_corr(frame, targets="item", raters="judge", ratings="value")
    mine = icc(answers.T)
    np.testing.assert_allclose([mine[form] for form in FORMS], theirs["ICC"], atol=1e-9)


def test_only_judges_who_judged_everything():
    answers = table(4, gaps=0)
    gap = [*rows(answers), [1.0, *[None] * 59]]
    asked, complete = evaluation(long(gap)), icc(answers.T)
    found = estimates(asked, "icc")
    assert {e.by["form"]: e.value for e in found} == pytest.approx(complete)
    (result,) = (r for r in results(asked) if r.name == "icc")
    assert "4 of 5 judges" in result.method


def test_the_interval_is_that_of_items_drawn_one_by_one():
    answers = table(8, gaps=0, items=120)
    rng = np.random.default_rng(0)
    drawn = [icc(answers.T[rng.integers(0, 120, 120)])["A,1"] for _ in range(400)]
    (found,) = (
        e
        for e in estimates(evaluation(long(rows(answers))), "icc", bootstrap=1000)
        if e.by["form"] == "A,1"
    )
    assert (found.high - found.low) / 3.92 == pytest.approx(np.std(drawn), rel=0.15)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1, None], [None, 2]], "fewer than two of 2 judges"),
        ([[3, 3], [3, 3]], "do not vary"),
        ([[1], [2]], "only one item"),
        ([["A", "B"], ["A", "B"]], "words"),
    ],
)
def test_undefined(table, reason):
    found = estimates(evaluation(long(table)), "icc")
    assert [e.value for e in found] == [None] * 6
    assert all(reason in e.reason for e in found)


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
