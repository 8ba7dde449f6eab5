"""Scores of metrics from long and wide tables, and texts to score."""

import re
from pathlib import Path

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.model import File
from jurat.tables import read_table
from jurat.tables.scores import column_texts, scores

WIDE = """system,segment,genre,BLEU,COMET
A,1,news,30.5,0.8
A,2,news,,nan
B,1,talk,20,0.5
"""
LONG = """metric,system,segment,value
BLEU,A,1,30.5
COMET,A,1,0.8
BLEU,A,,28
"""


def made(text: str, **options) -> list[dict[str, object]]:
    return scores(read_table(File("s.csv", text.encode())), **options).to_dicts()


def refused(text: str, **options) -> str:
    with pytest.raises(InputError) as caught:
        made(text, **options)
    return str(caught.value)


def score(segment: str | None, system: str, metric: str, value: float) -> dict[str, object]:
    return {"segment": segment, "system": system, "metric": metric, "value": value}


class TestScores:
    def test_wide_tables_have_their_numeric_columns(self) -> None:
        assert made(WIDE) == [
            score("1", "A", "BLEU", 30.5),
            score("1", "B", "BLEU", 20.0),
            score("1", "A", "COMET", 0.8),
            score("1", "B", "COMET", 0.5),
        ]

    def test_metrics_that_are_named(self) -> None:
        assert {row["metric"] for row in made(WIDE, metrics=["COMET"])} == {"COMET"}

    def test_columns_that_are_mapped_are_no_metrics(self) -> None:
        text = "engine,line,BLEU\n1,1,30\n2,1,20\n"
        assert made(text, columns="system=engine,segment=line") == [
            score("1", "1", "BLEU", 30.0),
            score("1", "2", "BLEU", 20.0),
        ]

    def test_long_tables(self) -> None:
        assert made(LONG) == [
            score("1", "A", "BLEU", 30.5),
            score("1", "A", "COMET", 0.8),
            score(None, "A", "BLEU", 28.0),
        ]
        assert made(LONG, metrics=["COMET"]) == [score("1", "A", "COMET", 0.8)]

    def test_long_tables_with_other_names(self) -> None:
        text = "m,s,x\nBLEU,A,3\n"
        assert made(text, columns="metric=m,system=s,value=x") == [
            {"system": "A", "metric": "BLEU", "value": 3.0}
        ]

    def test_without_segments_they_are_the_systems(self) -> None:
        assert made("system,BLEU\nA,30\n") == [{"system": "A", "metric": "BLEU", "value": 30.0}]

    def test_one_system_as_a_literal(self) -> None:
        assert made("segment,BLEU\n1,30\n", columns="system='mt'") == [
            score("1", "mt", "BLEU", 30.0)
        ]

    def test_a_score_that_is_repeated_for_every_judge_is_one(self) -> None:
        text = "judge,system,segment,BLEU\na,A,1,30\nb,A,1,30\nb,A,2,31\n"
        assert len(made(text, metrics=["BLEU"])) == 2

    def test_two_scores_for_the_same_thing_are_refused(self) -> None:
        text = "system,segment,BLEU\nA,1,30\nA,1,31\n"
        message = refused(text)
        assert (
            "s.csv:2, field metric: 'BLEU' has two different scores for the same thing" in message
        )
        assert "s.csv:3" in message

    def test_words_are_no_scores(self) -> None:
        assert refused(WIDE + "B,2,talk,bad,1\n", metrics=["BLEU"]) == (
            "s.csv:5, field value: 'bad' is not a number"
        )

    def test_unknown_metrics(self) -> None:
        assert "unknown column in the file 'BLEW'" in refused(WIDE, metrics=["BLEW"])
        assert "did you mean 'BLEU'?" in refused(LONG, metrics=["BLEW"])

    def test_no_scores_at_all(self) -> None:
        assert "no column holds scores; name them with --metrics" in refused("system,x\nA,y\n")
        assert "scores need a column 'system'" in refused("segment,BLEU\n1,30\n")

    def test_zero_rows(self) -> None:
        assert made("metric,system,value\n") == []

    def test_kinds_of_files_agree(self) -> None:
        frame = pl.DataFrame({"system": ["A"], "segment": [1], "BLEU": [30]})
        assert scores(frame).to_dicts() == [score("1", "A", "BLEU", 30.0)]

    def test_wmt23(self, shared: Path) -> None:
        def read(name: str) -> pl.DataFrame:
            path = shared / f"wmt23_metrics_ende/{name}_en-de.tsv"
            return read_table(File(path.name, path.read_bytes()))

        wide = read("segments")
        metrics = [name for name in wide.columns if name.endswith("-refA")]
        found = scores(wide, metrics=metrics)
        assert found["metric"].unique().sort().to_list() == sorted(metrics)
        systems = found.filter(pl.col("metric") == "BLEU-refA")["system"]
        assert set(systems) <= set(wide["system"])
        assert found.filter(pl.col("metric") == "BLEU-refA").height == wide["BLEU-refA"].count()
        assert "segment" not in scores(read("systems")).columns


def texts(file: File, column: str) -> list[str]:
    return column_texts(file, [column])[column]


class TestTexts:
    def test_a_column_of_a_table(self) -> None:
        assert texts(File("a.tsv", b'id\tmt\n1\t"x\n2\t\n'), "mt") == ['"x', ""]
        assert texts(File("a.jsonl", b'{"mt": "x"}\n{"mt": 5}\n'), "mt") == ["x", "5"]

    def test_several_columns_at_once(self) -> None:
        file = File("a.tsv", b"a\tb\tc\n1\t2\t3\n4\t\t6\n")
        assert column_texts(file, ["c", "b"]) == {"c": ["3", "6"], "b": ["2", ""]}

    def test_other_fields_of_json_lines_may_hold_anything(self) -> None:
        file = File("a.jsonl", b'{"mt": "x", "spans": [{"a": 1}]}\n\n{"spans": null}\n')
        assert texts(file, "mt") == ["x", ""]

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b'{"mt": "x"}\n{"mt": ["y"]}\n', "a.jsonl:2: expected a text, got a list"),
            (b'{"mt": "x"}\n["y"]\n', "a.jsonl:2: this is not a JSON object"),
            (b'{"mt1": "x"}\n', "a.jsonl: unknown field 'mt'; allowed: mt1; did you mean 'mt1'"),
        ],
    )
    def test_json_lines_that_hold_no_texts(self, data: bytes, words: str) -> None:
        with pytest.raises(InputError, match=re.escape(words)):
            texts(File("a.jsonl", data), "mt")

    def test_a_single_column_keeps_its_empty_lines(self) -> None:
        assert texts(File("a.tsv", b"mt\nx\n\ny\n"), "mt") == ["x", "", "y"]

    def test_columns_that_are_not_there(self) -> None:
        with pytest.raises(InputError, match=r"a.tsv: unknown column 'mt1'; allowed: id, mt; did"):
            texts(File("a.tsv", b"id\tmt\n"), "mt1")
