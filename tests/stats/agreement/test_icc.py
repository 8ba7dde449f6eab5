import numpy as np
import pandas as pd
import pingouin
import pytest

from jurat.stats.agreement.icc import FORMS, icc
from tests.stats.agreement.asking import estimates, long, results
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation


@pytest.mark.filterwarnings("ignore")  # pingouin's own, about pandas
@pytest.mark.parametrize("seed", range(2))
def test_as_pingouin(seed):
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
