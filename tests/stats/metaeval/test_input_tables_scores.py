"""Tables of scores as users have them."""

import pytest

from jurat.errors import InputError
from jurat.stats.metaeval.input_tables import read_scores
from jurat.tables import Intake
from tests.stats.metaeval.asking import table

WIDE = "judge,doc,seg,mt,rating,seconds,BLEU,COMET,note\nx,d,1,a,4,9.5,30,0.8,fine\n"
MAP = "judge=judge,document=doc,segment=seg,system=mt,value=rating"


def test_in_a_wide_table_all_other_numbers_are_metrics():
    found = read_scores(table(WIDE), intake=Intake(columns=MAP))
    assert found.metrics == ("BLEU", "COMET")
    assert found.frame.select("document", "segment", "system").row(0) == ("d", "1", "a")


def test_columns_of_judges_are_none():
    csv = "segment,system,L1,L2,BLEU\n1,a,4,3,30\n"
    assert read_scores(table(csv), judged_columns=("L1", "L2")).metrics == ("BLEU",)


def test_columns_by_which_one_splits_are_none():
    csv = "segment,system,value,year,BLEU\n1,a,4,2019,30\n"
    assert read_scores(table(csv), intake=Intake(by=("year",))).metrics == ("BLEU",)


def test_metrics_that_are_named():
    found = read_scores(table(WIDE), intake=Intake(columns=MAP), metrics=("COMET", "seconds"))
    assert set(found.metrics) == {"COMET", "seconds"}


def test_its_own_map_comes_first():
    csv = "seg,mt,line,BLEU\n1,a,7,30\n"
    found = read_scores(
        table(csv), intake=Intake(columns="segment=seg,system=mt"), columns="segment=line"
    )
    assert found.frame["segment"].to_list() == ["7"]
    assert found.frame["system"].to_list() == ["a"]


def test_what_the_judgments_say_holds_only_where_it_fits():
    csv = "segment,system,metric,value\n1,a,BLEU,30\n"
    found = read_scores(table(csv), intake=Intake(columns="segment=seg,system=mt,value=rating"))
    assert found.frame.row(0) == ("1", "a", "BLEU", 30.0)


def test_literals_and_joined_columns_are_passed_on():
    csv = "doc,seg,BLEU\nd,1,30\n"
    found = read_scores(table(csv), intake=Intake(columns="segment=doc+seg,system='x'"))
    assert found.frame.select("segment", "system").row(0) == ("d|1", "x")
    odd = read_scores(table(csv), intake=Intake(columns='segment=seg,system="it\'s"'))
    assert odd.frame["system"].to_list() == ["it's"]


def test_no_scores_at_all():
    with pytest.raises(InputError, match="no column holds scores"):
        read_scores(table("segment,system,value\n1,a,3\n"))
    with pytest.raises(InputError, match="has none"):
        read_scores(table("segment,system,metric,value\n1,a,m,\n"))
