"""Times as arrays: which decisions there are, and what their mean may be.

Any table with times is a table of decisions.
"""

import numpy as np
import polars as pl
import pytest

from jurat.errors import InputError
from jurat.stats import Evaluation
from jurat.stats.phrases import headline_prefix
from jurat.stats.settings import TimeSettings
from jurat.stats.time.decision_times import (
    decision_times,
    decisions,
    group_means,
    independent_means,
)
from jurat.tables import Intake, Judgments
from tests.stats.tables import comparison, evaluation

HEAD = "judge,item,value,seconds,status"


def test_adjudicators_and_what_has_no_time_are_left_out():
    table = evaluation(f"{HEAD}\na,1,3,10,valid\nb,1,3,,valid\na,2,3,-5,valid\nc,1,2,9,adjudicated")
    (one,) = decision_times(table)
    assert one.seconds.tolist() == [10]
    assert one.untimed == 2


def test_not_applicable_takes_time_too():
    (one,) = decision_times(evaluation("judge,item,value,seconds\na,1,NA,10\na,2,3,20"))
    assert sorted(one.seconds) == [10, 20]


def test_seconds_from_two_times():
    table = "judge,item,value,shown_at,decided_at\na,1,3,100.25,115.75"
    (one,) = decision_times(evaluation(table))
    assert one.seconds.tolist() == [15.5]


def test_preferences_have_times_as_well():
    pairs = comparison("judge,item,system_a,system_b,outcome,seconds\na,1,A,B,a,20\na,1,A,C,a,20")
    judged = evaluation("judge,item,value,seconds\na,1,3,10")
    both = Evaluation(judgments=judged.judgments, preferences=pairs.preferences)
    assert [(t.question, t.seconds.tolist()) for t in decision_times(both)] == [
        ("value", [10]),
        ("preference", [20, 20]),
    ]


@pytest.mark.parametrize("more", ["", ",position", ",decided_at"])
def test_a_ranking_is_one_decision(more):
    place = {"": "", ",position": ",1", ",decided_at": ",2024-01-01"}[more]
    rows = [f"a,1,{system},{rank},30{place}" for system, rank in (("A", 1), ("B", 2), ("C", 2))]
    (one,) = decision_times(comparison("\n".join([f"judge,item,system,rank,seconds{more}", *rows])))
    assert one.seconds.tolist() == [30]


def test_means_of_groups_over_judges():
    rows = [f"{j},{n},3,{s},valid" for j, s in (("a", 10), ("b", 20), ("c", 30)) for n in range(4)]
    (one,) = decision_times(evaluation("\n".join([HEAD, *rows])))
    groups = np.tile([0, 0, 1, 1], 3)
    means = group_means(one, groups, 2, TimeSettings(bootstrap=200))
    assert means.made.values.tolist() == [20, 20]
    assert means.counts.tolist() == [6, 6]
    # Student's t with two degrees of freedom: 20 ± 4.303 × 10/√3, but no less than no time
    assert (means.made.low[0], means.made.high[0]) == (0, pytest.approx(44.84, abs=0.01))


def test_a_group_of_one_item_has_no_interval():
    (one,) = decision_times(evaluation(f"{HEAD}\na,1,3,10,valid\nb,2,3,20,valid\na,3,3,30,valid"))
    means = group_means(one, np.array([0, 0, 1]), 2, TimeSettings(bootstrap=50))
    assert means.made.values.tolist() == [15, 30]
    assert np.isnan(means.made.high).tolist() == [False, True]


def test_means_of_independent_values():
    """Mean ± t SD/√n by hand: 2 ± 4.303 · 1/√3; a single value has no interval."""
    means = independent_means(
        np.array([1.0, 2, 3, 8]), np.array([0, 0, 0, 1]), 3, TimeSettings(bootstrap=10)
    )
    assert means.made.values[:2].tolist() == [2, 8]
    assert means.made.high[0] == pytest.approx(2 + 4.302653 / np.sqrt(3))
    assert np.isnan(means.made.values[2])
    assert np.isnan(means.made.low[1:]).all()
    without = independent_means(np.array([1.0, 2]), np.array([0, 0]), 1, TimeSettings(bootstrap=0))
    assert np.isnan(without.made.low).all()


def test_headlines_say_of_what_they_speak():
    table = evaluation(
        "judge,item,lp,x,y,seconds\na,1,de,3,4,9\na,2,fr,3,4,9", questions=("x", "y"), by=("lp",)
    )
    parts = list(decision_times(table))
    assert [headline_prefix(part, parts) for part in parts] == [
        "x, lp de: ", "x, lp fr: ", "y, lp de: ", "y, lp fr: ",
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", [{"cap": 0}, {"estimated": {"": -3.0}}])
def test_settings_that_make_no_sense(wrong):
    with pytest.raises(InputError, match="more than 0"):
        TimeSettings(**wrong)


def test_a_method_that_nobody_knows_is_refused():
    with pytest.raises(InputError, match="unknown method 'bayes'"):
        TimeSettings(method="bayes")


def read(table: dict[str, list[str | None]], **options) -> pl.DataFrame:
    return decisions(pl.DataFrame(table), Intake(**options))


def test_times_alone():
    table = read({"who": ["a", "b"], "t": ["3", "4"]}, columns="judge=who,seconds=t")
    frame = Judgments(table, Intake(columns="judge=who,seconds=t")).frame
    assert frame["seconds"].to_list() == [3, 4]
    assert frame["question"].to_list() == ["decision"] * 2
    assert frame["item"].n_unique() == 2


def test_a_wide_ranking_is_a_decision_a_row_also_where_nothing_was_ranked():
    table = read(
        {"segment": ["1", "2"], "output1": ["A", None], "rank1": ["1", None], "seconds": ["9", "4"]}
    )
    assert "output1" not in table.columns
    assert Judgments(table, Intake()).frame["question"].to_list() == ["ranking"] * 2


@pytest.mark.parametrize(
    "columns",
    [
        {"item": ["1"], "value": ["3"]},
        {"item": ["1"], "label": ["good"]},
        {"system_a": ["A"], "system_b": ["B"], "outcome": ["a"]},
        {"better": ["A"], "worse": ["B"]},
        {"item": ["1"], "system": ["A"], "rank": ["1"]},
    ],
)
def test_what_has_answers_stays_as_it_is(columns):
    table = pl.DataFrame(columns)
    assert decisions(table, Intake()).equals(table)


def test_columns_that_are_named_are_answers():
    table = pl.DataFrame({"item": ["1"], "adequacy": ["3"]})
    assert decisions(table, Intake(questions=("adequacy",))).equals(table)
    assert decisions(table, Intake(columns="value=adequacy")).equals(table)
