"""Appraise's results: every layout, controls, spans, texts of batches, and a published campaign."""

import csv
import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.formats import ReadTables, load, read_judgments
from jurat.model import File

TIMES = ("1711315415.441", "1711315424.033")
ROW = ("ann", "sysA", "40", "TGT", "eng", "deu", "86")


def read(*rows: tuple[str, ...], **more: object) -> ReadTables:
    lines = [",".join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in rows]
    others = [File(f"{name}.json", json.dumps(value).encode()) for name, value in more.items()]
    return read_judgments([File("scores.csv", "\n".join(lines).encode()), *others])


def document(
    name: str = "d1#sysA", spans: str = "[]", *, row: tuple[str, ...] = ROW, whole: str = "False"
) -> tuple[str, ...]:
    return (*row, name, whole, spans, *TIMES)


def test_judgments_and_spans_equal_the_released_table(shared: Path) -> None:
    tables = read_judgments(load(shared / "foreign" / "appraise" / "esa.scores.csv")).tables
    told = tables["judgments"].filter(pl.col("phase") == "evaluation")
    counts = Counter(tables["spans"].select("judge", "segment", "decided_at", "severity").rows())
    found = sorted(
        (
            row["judge"],
            row["segment"],
            row["value"],
            *(
                counts[row["judge"], row["segment"], row["decided_at"], severity]
                for severity in ("minor", "major")
            ),
        )
        for row in told.iter_rows(named=True)
    )
    with (shared / "esa_wmt23" / "ESA-IAA.csv").open() as file:
        released = sorted(
            (
                row["account"],
                row["position"],
                float(row["score"]),
                int(row["n_minor"]),
                int(row["n_major"]),
            )
            for row in csv.DictReader(file)
        )
    assert found == released
    assert len(found) == 1129
    assert (told["decided_at"] >= told["shown_at"]).all()


def test_mqm_campaign_is_scored_by_its_spans(shared: Path) -> None:
    found = read_judgments(load(shared / "foreign" / "appraise" / "mqm.scores.csv"))
    judgments = found.tables["judgments"]
    assert judgments["question"].unique().to_list() == ["mqm"]
    assert judgments["value"].max() == 0
    assert judgments["value"].null_count() == 1  # an error whose severity is undecided
    assert "no weight" in found.notes[0]


@pytest.mark.parametrize("more", [(), ("7", "8")])
def test_direct_assessment(more: tuple[str, ...]) -> None:
    judgments = read((*ROW, *TIMES, *more)).tables["judgments"]
    names = ("judge", "system", "segment", "value", "question")
    assert judgments.select(names).rows() == [("ann", "sysA", "40", 86.0, "score")]
    assert judgments["shown_at"].dt.epoch("ms").to_list() == [1711315415441]
    assert ("batch" in judgments.columns) == bool(more)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("d1#sysA", ("d1", None, "evaluation")),
        ("d1#sysA#bad4", ("d1", "degraded", "evaluation")),
        ("d1#duplicate1", ("d1", "repeat", "evaluation")),
        ("d1#dup", ("d1", "repeat", "evaluation")),
        ("ende-tutorial2", ("ende-tutorial2", None, "tutorial")),
    ],
)
def test_marks_in_documents(name: str, cells: tuple[str, ...]) -> None:
    judgments = read(document(name)).tables["judgments"]
    there = [n for n in ("document", "control", "phase") if n in judgments.columns]
    assert judgments.select(there).row(0) == tuple(cell for cell in cells if cell)


@pytest.mark.parametrize(
    ("kind", "control"), [("BAD", "degraded"), ("REF", "easy"), ("CHK", "repeat")]
)
def test_types_of_items_are_controls(kind: str, control: str) -> None:
    judgments = read((*ROW[:3], kind, *ROW[4:], *TIMES)).tables["judgments"]
    assert judgments["control"].to_list() == [control]


def test_whole_document_has_a_question_of_its_own() -> None:
    judgments = read(document(), document(whole="True")).tables["judgments"]
    assert judgments["question"].to_list() == ["score", "document score"]
    assert judgments["segment"].to_list() == ["40", None]


SPAN = {"start_i": 3, "end_i": 5, "severity": "minor", "error_type": ["Accuracy", "Addition"]}
MISSING = {**SPAN, "start_i": "missing", "end_i": "missing"}


@pytest.mark.parametrize("wide", ["😀", "𠮷"])
def test_batches_give_texts_and_convert_offsets(wide: str) -> None:
    item = {"itemID": 40, "itemType": "TGT", "documentID": "d1#sysA", "targetID": "sysA"}
    texts = {"sourceText": "Good", "targetText": f"{wide}<br>gut"}
    found = read(
        document(spans=json.dumps([SPAN, MISSING])),
        batches=[{"items": [{**item, **texts}], "task": {}}],
    )
    spans = found.tables["spans"].select("start", "end", "missing", "category")
    assert spans.rows() == [(2, 5, False, "Accuracy/Addition"), (5, 5, True, "Accuracy/Addition")]
    assert found.tables["translations"]["translation"].to_list() == [f"{wide}\ngut"]
    assert found.notes == ("Appraise: 1 of 1 judgments found in the batches",)


def test_without_batches_offsets_stay_as_they_are() -> None:
    found = read(document(spans=json.dumps([SPAN])))
    assert found.tables["spans"].select("start", "end").rows() == [(3, 6)]
    assert "count UTF-16 code units" in found.notes[0]


def test_pairwise_is_scores_and_preferences() -> None:
    one, other = (("ann", name, *ROW[2:6], score) for name, score in (("B", "70"), ("A", "30")))
    found = read(*((*row, "", "", *TIMES) for row in (one, other)))
    judgments = found.tables["judgments"].select("system", "slot", "value")
    assert judgments.rows() == [("B", 1, 70.0), ("A", 2, 30.0)]
    preferences = found.tables["preferences"].select("judge", "system_a", "system_b", "outcome")
    assert preferences.rows() == [("ann", "B", "A", "a")]


def test_thumbs_of_pairwise_documents() -> None:
    rows = (("ann", name, *ROW[2:6], score) for name, score in (("B", "61"), ("A", "40")))
    found = read(*((*row, "d1", "False", *TIMES) for row in rows)).tables["judgments"]
    assert found.select("question", "value", "source_visible").rows() == [
        ("thumb", 1.0, "yes"),
        ("thumb", -1.0, "no"),
    ]


def test_data_assessment() -> None:
    row = ("ann", "news", "http://a", "sysA", "4", "TGT", "eng", "deu", "3", "2", *TIMES)
    judgments = read(row).tables["judgments"]
    assert judgments.select("domain", "value", "rank").rows() == [("news", 3.0, "2")]


def test_manifest_names_the_campaign() -> None:
    manifest = {"CAMPAIGN_NAME": "example15esa", "TASKS_TO_ANNOTATORS": []}
    found = read(document(), manifest=manifest)
    assert found.tables["judgments"]["campaign"].to_list() == ["example15esa"]


@pytest.mark.parametrize("name", ["Direct", "MQM+ESA", "Pairwise"])
def test_batches_alone_hold_no_judgments(shared: Path, name: str) -> None:
    files = [File(p.name, p.read_bytes()) for p in (shared / "foreign/appraise").glob(f"{name}-*")]
    with pytest.raises(InputError, match="give the CSV file of results"):
        read_judgments(files)


def test_odd_rows_are_named() -> None:
    broken = (*ROW[:6], "good", "d1", "False", "[]", *TIMES)
    with pytest.raises(InputError) as caught:
        read(document(), ROW, broken, (*ROW, *TIMES))
    assert str(caught.value).splitlines() == [
        "scores.csv:2: 7 cells, where document results have 12 or, with batch information, 14",
        "scores.csv:3, field score: 'good' is not a number",
        "scores.csv:4: 9 cells, where document results have 12 or, with batch information, 14",
    ]


def test_repeated_rows_are_left_out() -> None:
    found = read(document(), document())
    assert found.tables["judgments"].height == 1
    assert found.notes == (
        "Appraise: left out, rows that repeat an earlier one in every column: 1",
    )
