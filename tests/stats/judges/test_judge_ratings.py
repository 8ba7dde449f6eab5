"""The choices of a diagnosis, and what is remembered of it."""

import gc
import weakref

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from jurat.errors import InputError
from jurat.stats import Settings
from jurat.stats.judges.judge_ratings import MOST_GROUPS, judge_intervals, once
from jurat.stats.settings import JudgeSettings
from tests.stats.judges.asking import crossed, diagnosed
from tests.stats.tables import evaluation, matrix

TABLE = "judge,item,value\na,1,5\nb,1,4"


@pytest.mark.parametrize("k", [0, -1, float("nan")])
def test_k_is_more_than_nothing(k):
    with pytest.raises(InputError, match="more than 0"):
        JudgeSettings(k=k)


def test_what_was_computed_is_remembered_as_long_as_its_judgments():
    calls = []

    @once
    def counted(table, settings):
        calls.append(settings)
        return len(table.ratings)

    table = evaluation(TABLE)
    assert counted(table, JudgeSettings()) == counted(table, JudgeSettings()) == 1
    counted(table, JudgeSettings(k=2))
    assert len(calls) == 2
    judgments = weakref.ref(table.judgments)
    diagnosed(table)
    del table
    gc.collect()
    assert judgments() is None


def test_rows_without_a_judge_are_refused():
    with pytest.raises(InputError, match="does not say who judged"):
        evaluation(f"{TABLE}\n,1,1")


def test_what_adjudicators_settled_is_no_judgment():
    table = evaluation("judge,item,value,status\na,1,5,valid\nb,1,4,valid\nz,1,1,adjudicated")
    assert set(diagnosed(table).values("judge-mean")) == {"a", "b"}


def test_scores_beyond_measure_are_refused():
    with pytest.raises(InputError, match="too large"):
        diagnosed(evaluation("judge,item,value\na,1,1e300\nb,1,4"))


def test_a_table_without_judges_says_what_is_missing():
    found = diagnosed([{k: row[k] for k in ("item", "value")} for row in crossed()])
    assert {e.reason for r in found.results for e in r.estimates} == {
        "needs the column judge",
        "needs the columns judge, seconds",
        "needs the columns judge, system",
    }


def mean(totals):
    return totals[:, 1:] / totals[:, :1]


def means(table, **settings):
    ratings = matrix(table)
    rows = np.column_stack([np.ones(len(ratings)), ratings.values])
    return judge_intervals(rows, ratings, mean, Settings(**settings))


def test_the_interval_of_a_mean_is_scipys():
    values = np.random.default_rng(1).integers(1, 8, (3, 80)).astype(float)
    found = means(values.tolist())
    for at, judge in enumerate(values):
        low, high = ttest_1samp(judge, 0).confidence_interval()
        assert found.low[at, 0] == pytest.approx(low)
        assert found.high[at, 0] == pytest.approx(high)


def test_groups_of_items_give_the_same_width():
    values = np.random.default_rng(2).normal(0, 1, (2, 2 * MOST_GROUPS + 500))
    found = means(values.tolist())
    width = (found.high - found.low)[:, 0]
    expected = 2 * 1.96 * values.std(axis=1) / np.sqrt(values.shape[1])
    assert width == pytest.approx(expected, rel=0.12)
    assert "4,500 items in 2,000 groups" in found.method


def test_a_single_judgment_has_no_interval():
    found = means([[1, 2, 3, 4], [5, None, None, None]], bootstrap=50)
    assert np.isfinite(found.low[0, 0])
    assert np.isnan(found.low[1, 0])
    assert found.values[:, 0].tolist() == [2.5, 5]


def test_no_bootstrap_no_interval():
    found = means([[1, 2], [2, 3]], bootstrap=0)
    assert np.isnan(found.low).all()
    assert found.method == ""
