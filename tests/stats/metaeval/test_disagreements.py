"""The pairs on which people and a metric part."""

import polars as pl

from jurat.stats.metaeval.disagreements import discordant_pairs
from jurat.tables import Intake
from tests.stats.metaeval.asking import asked, figure

CSV = """
judge,document,segment,system,value,BLEU,TER
x,d,1,a,5,10,0.9
x,d,1,b,3,30,0.1
y,d,1,a,4,10,0.9
y,d,1,b,4,30,0.1
z,d,1,a,2,10,0.9
z,d,1,b,1,30,0.1
x,d,2,a,1,7,0.5
x,d,2,b,2,7,0.5
"""
TEXTS = "document,segment,source,a,b\nd,1,S1,A1,B1\nd,2,S2,A2,B2\n"


def test_what_most_judges_prefer_and_the_metric_does_not():
    rows = discordant_pairs(*asked(CSV, texts=TEXTS)).filter(pl.col("metric") == "BLEU")
    first, second = rows.rows(named=True)
    assert first["kind"] == "discordant"
    assert (first["system_a"], first["system_b"]) == ("b", "a")  # the metric prefers b
    assert (first["score_a"], first["score_b"], first["difference"]) == (30, 10, 20)
    assert (first["agree"], first["disagree"], first["tie"]) == (0, 2, 1)
    assert (first["text_a"], first["text_b"], first["source"]) == ("B1", "A1", "S1")
    assert (first["document"], first["segment"]) == ("d", "1")
    assert second["kind"] == "undifferentiated"
    assert second["segment"] == "2"


def test_error_rates_are_turned():
    rows = discordant_pairs(*asked(CSV)).filter(pl.col("metric") == "TER")
    first = rows.row(0, named=True)
    assert (first["system_a"], first["score_a"], first["score_b"]) == ("b", 0.1, 0.9)
    assert "text_a" not in rows.columns


def test_the_largest_differences_come_first():
    rows = discordant_pairs(*figure())
    for _, part in rows.group_by("metric", "kind"):
        assert part["difference"].is_sorted(descending=True)


def test_splits_are_told_and_nothing_is_an_empty_table():
    rows = discordant_pairs(*asked(CSV, intake=Intake(by=("segment",)), metrics=("BLEU",)))
    assert rows.height == 2
    none = discordant_pairs(*asked("segment,system,value,m\n1,a,1,1\n1,b,2,2\n"))
    assert none.height == 0
    assert {"metric", "system_a", "difference"} <= set(none.columns)
    words = discordant_pairs(*asked("segment,system,value\n1,a,x\n", "segment,system,m\n1,a,1\n"))
    assert words.height == 0
