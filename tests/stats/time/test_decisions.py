"""Any table with times is a table of decisions."""

import polars as pl
import pytest

from jurat.stats.time.decisions import decisions
from jurat.tables import Intake, Judgments


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
