"""Judgments written in the formats of other tools and read back are the same."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.formats import (
    ReadTables,
    WrittenFiles,
    counting_tables,
    load,
    read_judgments,
    write_judgments,
    writers,
)
from jurat.model import File
from jurat.tables import JUDGMENTS, PREFERENCES, RANKINGS, SPANS, conform
from jurat.tables.io import write_table
from tests.conftest import require
from tests.machine import pearmut

Tables = Mapping[str, pl.DataFrame]
ANSWERS = ("judge", "document", "segment", "system", "question", "value")
MARKS = ("judge", "document", "segment", "system", "start", "end", "severity", "missing")
# An emoji and a rare character, which are two UTF-16 code units each.
TEXT = "Das 😀 ist 𠮷 gut."


def tables(question: str = "score", value: float = 70.0, weight: float | None = None) -> Tables:
    """Two judges of one translation with an error each, the second with something missing."""
    place = {"document": "d#1", "segment": "3", "system": "A", "item": "d#1|3|A"}
    shared = [{**place, "judge": judge, "question": question} for judge in ("ann", "bob")]
    spans: list[dict[str, object]] = [
        {"start": 10, "end": 11, "severity": "major", "category": "Style/Odd", "missing": False},
        {"start": 16, "end": 16, "severity": "major", "category": "Omission", "missing": True},
    ]
    marked = [{**row, **span, "weight": weight} for row, span in zip(shared, spans, strict=True)]
    texts = {**place, "source": "It is 😀.", "translation": TEXT, "reference": "Es ist 😀."}
    del texts["item"]
    return {
        "judgments": conform(pl.DataFrame([{**row, "value": value} for row in shared]), JUDGMENTS),
        "spans": conform(pl.DataFrame(marked), SPANS),
        "translations": pl.DataFrame([texts]),
    }


def written(found: Tables, name: str, ending: str = "") -> WrittenFiles:
    return write_judgments(found, name, ending=ending)


def back(files: Sequence[File]) -> Tables:
    return counting_tables(read_judgments(list(files))).tables


def rows(found: Tables, table: str, columns: Sequence[str]) -> list[str]:
    frame = found[table]
    return sorted(str(row) for row in frame.select(n for n in columns if n in frame).rows())


@pytest.mark.parametrize("name", ["pearmut", "appraise", "label-studio", "excel"])
def test_scores_and_spans_come_back(name: str) -> None:
    found = tables()
    again = back(written(found, name).files)
    assert rows(again, "judgments", ANSWERS) == rows(found, "judgments", ANSWERS)
    assert rows(again, "spans", MARKS) == rows(found, "spans", MARKS)


def test_something_missing_is_so_in_whatever_words_and_without_a_category() -> None:
    missing = {"start": [4, 16], "end": [9, 16], "missing": True, "category": None}
    found = dict(tables())
    found["spans"] = found["spans"].with_columns(
        pl.Series(name, told) if isinstance(told, list) else pl.lit(told).alias(name)
        for name, told in missing.items()
    )
    again = back(written(found, "label-studio").files)
    assert rows(again, "spans", MARKS) == rows(found, "spans", MARKS)
    made = written(found, "pearmut")
    again = back(made.files)
    assert again["spans"]["missing"].all()
    for notes, tool in ((made.notes, "Pearmut"), (written(found, "appraise").notes, "Appraise")):
        assert f"{tool}: left out, places of something missing: 1" in notes
    assert "category" not in again["spans"].columns or again["spans"]["category"].is_null().all()


def test_preferences_that_follow_from_thumbs_are_counted_where_they_are_not_written() -> None:
    row, times = ",7,TGT,eng,deu,", "d1,False,1711315415.4,1711315424.0"
    told = "".join(f"ann,{system}{row}{s},{times}\n" for system, s in (("A", 61), ("B", 41)))
    made = written(back([File("pairs.csv", told.encode())]), "label-studio")
    note = "left out, preferences that follow from answers about each translation: 1"
    assert f"Label Studio: {note}" in made.notes


@pytest.mark.parametrize("name", ["google-mqm", "mt-metrics-eval", "appraise"])
def test_scores_that_follow_from_errors_come_back(name: str) -> None:
    found = tables("mqm", -5.0, 5.0)
    again = back(written(found, name).files)
    assert rows(again, "judgments", ANSWERS) == rows(found, "judgments", ANSWERS)
    first = again["spans"].filter(pl.col("judge") == "ann").select("start", "end", "severity")
    assert first.rows() == [(10, 11, "major")]


def test_offsets_are_of_utf16_code_units_again() -> None:
    lines = written(tables(), "pearmut", "jsonl").files[0].data.decode()
    assert '"start_i":11,"end_i":12' in lines
    # beyond the 18 units of the text is the second special token, which is called Omission
    assert '"start_i":19,"end_i":19' in lines
    results = written(tables(), "appraise", "csv").files[0].data.decode()
    assert '""start_i"":11,""end_i"":12' in results
    assert '""start_i"":""missing""' in results


def test_pearmut_loads_and_counts_what_is_written(tmp_path: Path) -> None:
    require(pearmut.find)
    for folder in ("campaigns", "annotations", "progress"):
        (tmp_path / "data" / folder).mkdir(parents=True)
    for file in written(tables(), "pearmut").files:
        (tmp_path / file.name).write_bytes(file.data)
    names = {name: f"{name}.json" for name in ("campaigns", "progress", "annotations")}
    names["campaigns"] = "campaign.json"
    options = [part for name, path in names.items() for part in (f"--{name}", path)]
    own = pearmut.environment(tmp_path)
    run = partial(subprocess.run, cwd=tmp_path, env=own, capture_output=True, check=True, text=True)
    run([*pearmut.COMMAND, "add-existing", *options])
    code = "from pearmut.results_export import compute_model_scores as s; print(s('jurat'))"
    shown = run([sys.executable, "-c", code]).stdout
    assert "'model': 'A', 'score': 70" in shown


def test_one_file_for_an_ending_and_several_for_a_folder() -> None:
    names = [file.name for file in written(tables(), "pearmut").files]
    assert names == ["annotations.json", "campaign.json", "progress.json"]
    assert len(written(tables(), "pearmut", "jsonl").files) == 1
    assert [f.name for f in written(tables(), "appraise").files] == ["results.csv", "batches.json"]


def test_training_data_of_comet() -> None:
    made = written(tables(), "comet")
    heading, line = made.files[0].data.decode().splitlines()
    assert heading.startswith("lp,src,mt,ref,score")
    assert line == f"und-und,It is 😀.,{TEXT},Es ist 😀.,70.0,2,d#1,3,A"
    assert "COMET: scores are means over judges" in made.notes
    values = read_judgments([File("c.csv", made.files[0].data)]).tables["judgments"]["value"]
    assert [float(value) for value in values] == [70.0]


def test_rankings_and_preferences_come_back() -> None:
    place = {"judge": "ann", "item": "cs-en|d|7", "segment": "7", "question": "ranking"}
    ranked = [
        {
            **place,
            "document": "cs-en:d",
            "language_pair": "cs-en",
            "system": s,
            "slot": n,
            "rank": r,
        }
        for n, (s, r) in enumerate([("A", 1), ("B", 1), ("C", 2)], 1)
    ]
    found = {"rankings": conform(pl.DataFrame(ranked), RANKINGS)}
    again = read_judgments(list(written(found, "wmt-ranking").files)).tables
    columns = ("judge", "item", "document", "segment", "system", "rank")
    assert rows(again, "rankings", columns) == rows(found, "rankings", columns)
    pair = {"judge": "ann", "item": "7", "segment": "7", "system_a": "A", "system_b": "B"}
    outcomes = [{**pair, "question": "p", "outcome": outcome} for outcome in ("a", "b", "bad")]
    compared = {"preferences": conform(pl.DataFrame(outcomes), PREFERENCES)}
    for name in ("wmt-ranking", "label-studio"):
        made = written(compared, name)
        assert back(made.files)["preferences"]["outcome"].to_list() == ["a", "b", "tie"]
        assert any("written as ties: 1" in note for note in made.notes)


def test_preferences_that_rankings_tell_are_in_a_workbook_once() -> None:
    heading = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,"
    text = f"{heading}system2Number,system2Id,rank\nCzech,English,1,d,1,j,1,A,2,B,0\n"
    found = back([File("ranking.csv", text.encode())])
    again = back(written(found, "excel", "xlsx").files)
    assert {name: table.height for name, table in again.items()} == {
        "rankings": 2,
        "preferences": 1,
    }


@pytest.mark.parametrize("weight", [5.0, 0.1])
def test_sums_of_errors_are_scores_in_pearmut_where_usual_weights_do_not_tell_them(
    weight: float,
) -> None:
    found = tables("mqm", -weight, weight)
    made = written(found, "pearmut", "jsonl")
    assert rows(back(made.files), "judgments", ("value",)) == rows(found, "judgments", ("value",))
    told = [json.loads(line)["annotation"][0]["A"] for line in made.files[0].data.splitlines()]
    assert {one["score"] for one in told} == ({None} if weight == 5.0 else {-0.1})


def test_what_a_format_cannot_hold_is_said() -> None:
    labelled = pl.DataFrame([{"item": "1", "judge": "a", "question": "q", "label": "good"}])
    found = {"judgments": conform(labelled, JUDGMENTS)}
    for name in ("pearmut", "appraise", "mt-metrics-eval", "comet", "wmt-ranking"):
        with pytest.raises(InputError):
            written(found, name)
    assert "MQM: left out, answers in words: 1" in written(found, "google-mqm").notes
    two = pl.concat([tables()["judgments"], tables("fluency")["judgments"]])
    with pytest.raises(InputError, match="--where"):
        written({"judgments": two}, "appraise")


def test_rows_that_do_not_count_are_not_written() -> None:
    judgments = tables()["judgments"].with_columns(status=pl.Series(["valid", "superseded"]))
    found = counting_tables(ReadTables(tables={"judgments": judgments}))
    assert found.tables["judgments"]["judge"].to_list() == ["ann"]
    assert "left out, judgments that do not count or were not chosen: 1" in found.notes


def test_tables_of_an_export_are_read_together() -> None:
    found = tables()
    files = [File(f"out.{name}.csv", write_table(t, "csv")) for name, t in found.items()]
    files[0] = File("out.csv", files[0].data)
    again = back(files)
    assert rows(again, "spans", MARKS) == rows(found, "spans", MARKS)
    assert again["translations"]["translation"].to_list() == [TEXT]


FOREIGN = {
    "pearmut": ("pearmut", "appraise", "label-studio", "excel"),
    "appraise/esa.scores.csv": ("appraise", "pearmut", "label-studio"),
    "mqm/mqm_ted_ende.tsv": ("google-mqm", "mt-metrics-eval"),
    "mt-metrics-eval/en-de.ESA-1.seg.score": ("mt-metrics-eval", "label-studio"),
}


@pytest.mark.parametrize("source", FOREIGN)
def test_files_of_other_tools_come_back(shared: Path, source: str) -> None:
    found = counting_tables(read_judgments(load(shared / "foreign" / source))).tables
    # a tenth of the rows is enough, and takes a tenth of the time
    some = {**found, "judgments": found["judgments"].gather_every(10 if source[0] == "m" else 1)}
    for name in FOREIGN[source]:
        again = back(written(some, name).files)
        assert rows(again, "judgments", ANSWERS) == rows(some, "judgments", ANSWERS), name


NAMES = st.text("abcXYZ012 é😀", min_size=1, max_size=4).map(str.strip).filter(bool)
TEXTS = st.text("ab 😀𠮷é,;\"'", min_size=4, max_size=12)


@settings(max_examples=8, deadline=None)
@example(names=("0", "0", "00"), text=";;;;", value=1)
@given(names=st.tuples(NAMES, NAMES, NAMES), text=TEXTS, value=st.integers(1, 100))
@pytest.mark.parametrize("name", ["pearmut", "appraise", "label-studio"])
def test_whatever_the_names_and_texts_are(
    name: str, names: tuple[str, str, str], text: str, value: int
) -> None:
    judge, document, segment = names
    place = {"judge": judge, "document": document, "segment": segment, "system": "A", "item": "i"}
    about = {**place, "question": "score"}
    mark = {**about, "start": 1, "end": 3, "severity": "minor", "missing": False}
    texts = {"document": document, "segment": segment, "system": "A", "source": "s"}
    found = {
        "judgments": conform(pl.DataFrame([{**about, "value": float(value)}]), JUDGMENTS),
        "spans": conform(pl.DataFrame([mark]), SPANS),
        "translations": pl.DataFrame([{**texts, "translation": text, "reference": "r"}]),
    }
    again = back(written(found, name).files)
    assert rows(again, "judgments", ANSWERS) == rows(found, "judgments", ANSWERS)
    assert rows(again, "spans", MARKS) == rows(found, "spans", MARKS)


def test_every_writer_is_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    assert [name for name in writers() if f"--to {name}" not in page and name != "excel"] == []


def all_kinds() -> Tables:
    """An error in the source with a comment, and a special mark."""
    found = dict(tables("mqm", -6.0, 5.0))
    end = len(TEXT)
    marks: list[dict[str, object]] = [
        {
            "start": 0,
            "end": 0,
            "severity": "major",
            "category": "Accuracy/Omission",
            "missing": True,
            "weight": 5.0,
            "source_start": 6,
            "source_end": 7,
            "comment": "the smile is lost",
        },
        {
            "start": end,
            "end": end,
            "severity": "minor",
            "category": "instructions-fault",
            "missing": True,
            "weight": 1.0,
        },
    ]
    place = found["spans"].select("judge", "document", "segment", "system", "item", "question")
    rows = [{**place.row(0, named=True), **mark} for mark in marks]
    found["spans"] = conform(pl.DataFrame(rows, infer_schema_length=None), SPANS)
    return {**found, "judgments": found["judgments"].head(1)}


def test_errors_in_the_source_and_comments_come_back_from_mqm() -> None:
    again = back(written(all_kinds(), "google-mqm").files)
    first, second = again["spans"].to_dicts()
    assert (first["source_start"], first["source_end"], first["missing"]) == (6, 7, True)
    # without a place in either text: an empty mark at the end of the source
    assert (second["category"], second["missing"]) == ("instructions-fault", True)
    assert again["texts"]["text"].to_list() == ["the smile is lost"]


def test_special_marks_are_pearmuts_special_tokens() -> None:
    made = written(all_kinds(), "pearmut")
    again = back(made.files)["spans"]
    assert again["category"].to_list() == ["Accuracy/Omission", "instructions-fault"]
    assert again["missing"].all()
    assert "Pearmut: left out, comments on marked errors: 1" in made.notes


@pytest.mark.parametrize("name", ["comet", "mt-metrics-eval", "google-mqm"])
def test_formats_without_controls_leave_them_out(name: str) -> None:
    found = tables("mqm", -5.0, 5.0)
    controls = [
        table.with_columns(pl.lit("degraded").alias("control"))
        for table in (found["judgments"].with_columns(pl.lit(-50.0).alias("value")), found["spans"])
    ]
    every = {
        **found,
        "judgments": pl.concat([controls[0], found["judgments"]], how="diagonal"),
        "spans": pl.concat([controls[1], found["spans"]], how="diagonal"),
    }
    made = written(every, name)
    assert rows(back(made.files), "judgments", ANSWERS) == rows(
        back(written(found, name).files), "judgments", ANSWERS
    )
    assert "left out, answers to controls and repeated items: 2" in made.notes


def test_batches_have_the_fields_that_appraise_loads(shared: Path) -> None:
    files = {file.name: file for file in written(tables(), "appraise").files}
    (batch,) = json.loads(files["batches.json"].data)
    example = shared / "foreign" / "appraise" / "MQM+ESA-batches_esa.json"
    (known, *_) = json.loads(example.read_text(encoding="utf-8-sig"))
    assert batch["task"].keys() >= known["task"].keys()
    for item in batch["items"]:
        # `_item` is the only one that Appraise does not store
        wanted = {name: value for name, value in known["items"][-1].items() if name != "_item"}
        assert {name: type(item.get(name)) for name in wanted} == {
            name: type(value) for name, value in wanted.items()
        }
