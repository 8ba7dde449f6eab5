"""Pearmut's annotations: texts, spans in code points, resets, tutorials and attention checks."""

import json
from pathlib import Path
from typing import Any

import pytest

from jurat import input_files
from jurat.errors import InputError
from jurat.formats import ReadTables, load, pearmut_rows, read_judgments
from jurat.input_files import FileOnDisk
from jurat.model import File
from jurat.tables import Judgments


def spoken(**cells: Any) -> dict[str, Any]:
    """A line of one document with one segment and one system."""
    tgt = str(cells.pop("tgt", "Das ist gut."))
    answer = {"score": 70, "error_spans": cells.pop("spans", []), "textfield": None}
    item = {"item_id": "news_#_d1_#_0", "src": "That is good.", "tgt": {"A": tgt}}
    times = [{"time": 100.0, "action": "load"}, {"time": 130.0, "action": "submit"}]
    return {
        "annotation": [{"A": {**answer, **cells.pop("answer", {})}}],
        "item": [{**item, **cells.pop("item", {})}],
        "actions": times,
        "user_id": "ann",
        "item_i": 0,
        **cells,
    }


def read(*lines: dict[str, Any], **more: bytes) -> ReadTables:
    data = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
    others = [File(f"{name}.json", text) for name, text in more.items()]
    return read_judgments([File("annotations.jsonl", data), *others])


def test_every_span_cuts_whole_words_or_marks_something_missing(shared: Path) -> None:
    read = read_judgments(load(shared / "foreign" / "pearmut"))
    keys = ["document", "segment", "system"]
    spans = read.tables["spans"].join(read.tables["translations"], on=keys)
    assert spans.height == 24
    assert read.tables["judgments"].height == 36
    for row in spans.iter_rows(named=True):
        text, start, end = row["translation"], row["start"], row["end"]
        if row["missing"]:
            assert (start, end, row.get("category")) == (len(text), len(text), None)
        else:
            assert text[start - 1 : start] in ("", " ")
            assert text[end : end + 1] in ("", " ", ".", ",")
            assert text[start:end].strip() == text[start:end] != ""


@pytest.mark.parametrize("wide", ["😀", "𠮷"])
def test_offsets_are_of_code_points(wide: str) -> None:
    span = {"start_i": 3, "end_i": 5, "severity": "minor"}
    spans = read(spoken(tgt=f"{wide} gut", spans=[span])).tables["spans"]
    assert spans.select("start", "end").row(0) == (2, 5)


def test_times_position_and_order_on_the_screen() -> None:
    answers = {name: {"score": 50, "error_spans": []} for name in ("B", "A")}
    found = read(spoken(annotation=[answers])).tables["judgments"]
    assert found["system"].to_list() == ["B", "A"]
    assert found["slot"].to_list() == [1, 2]
    assert found["position"].to_list() == [1, 1]
    seconds = found["decided_at"] - found["shown_at"]
    assert seconds.dt.total_seconds().to_list() == [30, 30]
    assert found["active_seconds"].to_list() == [30, 30]


def test_reset_and_rejudgment_supersede() -> None:
    reset = {"annotation": "__RESET__", "user_id": "ann"}
    other = spoken(user_id="bob")
    lines = (spoken(), other, reset, spoken(answer={"score": 10}), spoken(answer={"score": 20}))
    found = read(*lines)
    rows = found.tables["judgments"].select("judge", "value", "status").rows()
    assert rows == [
        ("ann", 70.0, "superseded"),
        ("bob", 70.0, "valid"),
        ("ann", 10.0, "superseded"),
        ("ann", 20.0, "valid"),
    ]
    assert "do not count" in found.notes[0]


def test_tutorial_attention_check_and_questionnaire() -> None:
    check = {"A": {"score": [70, 80], "warning": "Score 70-80."}}
    form = spoken(item_i="goodbye_0", annotation=["Czech"], item={})
    found = read(
        spoken(item_i="welcome_0"), spoken(item_i="random_1", item={"validation": check}), form
    )
    rows = found.tables["judgments"].select("phase", "control", "expected").rows()
    assert rows == [("tutorial", None, None), ("evaluation", "degraded", 75.0)]
    assert found.notes == ("Pearmut: left out, answers of questionnaires: 1",)


def test_special_tokens_have_the_names_of_the_campaign() -> None:
    info = {"special_tokens": ["[missing]", "[fault]"], "show_alignment": True}
    campaign = json.dumps({"campaign_id": "c", "info": info, "data": []}).encode()
    span = {"start_i": 13, "end_i": 13, "severity": "major"}
    found = read(spoken(spans=[span]), campaign=campaign)
    assert found.tables["spans"]["category"].to_list() == ["[fault]"]
    assert found.tables["judgments"]["campaign"].to_list() == ["c"]
    assert found.notes == ("Pearmut: settings that no table holds: show_alignment",)


def test_the_download_is_read_like_the_lines() -> None:
    download = json.dumps({"c": [spoken()]}).encode()
    found = read_judgments([File("annotations.json", download)]).tables["judgments"]
    assert found.select("campaign", "value").rows() == [("c", 70.0)]
    # its documents have numbers, which stand for lines
    wrong = json.dumps({"c": [spoken(), spoken(answer={"score": "good"})]}).encode()
    with pytest.raises(InputError, match=r"annotations.json:2: .*`float \| null`.*score"):
        read_judgments([File("annotations.json", wrong)])


def test_sliders_are_questions() -> None:
    found = read(spoken(answer={"score": None, "sliders": {"fluency": 3, "adequacy": 4}}))
    judgments = found.tables["judgments"].select("question", "value")
    assert judgments.rows() == [("fluency", 3.0), ("adequacy", 4.0)]


def test_item_without_marks_in_its_id_is_a_segment_of_the_first_one() -> None:
    two = spoken(annotation=[{"A": {"score": 1}}, {"A": {"score": 2}}])
    two["item"] = [{"item_id": name, "tgt": {"A": "x"}} for name in ("en-0", "en-1")]
    judgments = read(two).tables["judgments"]
    assert judgments.select("document", "segment").rows() == [("en-0", "en-0"), ("en-0", "en-1")]


def test_a_wrong_line_is_named() -> None:
    with pytest.raises(InputError, match=r"annotations.jsonl:2: .*`float \| null`.*score"):
        read(spoken(), spoken(answer={"score": "good"}))


def test_nothing_but_the_campaign_is_not_enough() -> None:
    campaign = json.dumps({"campaign_id": "c", "info": {}, "data": []}).encode()
    with pytest.raises(InputError, match="give Pearmut's annotations file, too"):
        read_judgments([File("c.json", campaign)])


def test_superseded_rows_do_not_count() -> None:
    found = read(spoken(), spoken(answer={"score": 20}))
    assert Judgments(found.tables["judgments"]).frame["value"].to_list() == [20.0]


def test_comments_and_text_fields_belong_to_documents_and_translations() -> None:
    own = {"score": 70, "error_spans": [], "textfield": "better"}
    item = {"item_id": "d_#_0", "src": "s", "tgt": {"A": "t"}}
    line = {"annotation": [{"A": own}], "item": [item], "user_id": "u", "item_i": 0}
    again = {**line, "annotation": [{"A": {**own, "textfield": None}}], "comment": ""}
    lines = "\n".join(map(json.dumps, ({**line, "comment": "hard"}, again)))
    texts = read_judgments([File("log.jsonl", lines.encode())]).tables["texts"]
    assert texts.select("item", "system", "question", "text", "status").rows() == [
        ("d|0|A", "A", "textfield", "better", "superseded"),
        ("d", None, "comment", "hard", "superseded"),
    ]


def test_an_empty_answer_does_not_replace_an_earlier_one() -> None:
    item = {"item_id": "d_#_0", "src": "s", "tgt": {"A": "t"}}
    lines = [
        {"annotation": [{"A": {"score": score}}], "item": [item], "user_id": "u", "item_i": 0}
        for score in (70, None)
    ]
    data = "\n".join(map(json.dumps, lines)).encode()
    found = read_judgments([File("log.jsonl", data)]).tables["judgments"]
    assert found.select("value", "status").rows() == [(70.0, "valid")]


def test_large_logs_are_read_from_the_disk_some_documents_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {"A": {"score": 5, "error_spans": [], "textfield": "better"}}
    lines = [
        spoken(item_i="welcome_0"),
        spoken(comment="hard", spans=[{"start_i": 0, "end_i": 2, "severity": "minor"}]),
        {"annotation": "__RESET__", "user_id": "ann"},
        spoken(user_id="bob", item_i=1, annotation=[own]),
        spoken(comment="again", answer={"score": 20}),
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("\ufeff" + "\n".join(map(json.dumps, lines)), encoding="utf-8")
    whole = read_judgments(load(path))
    monkeypatch.setattr(input_files, "LARGE", 0)
    monkeypatch.setattr(pearmut_rows, "CHUNK", 1)
    found = load(path)
    with monkeypatch.context() as unread:
        unread.delattr(FileOnDisk, "data")
        parts = read_judgments(found)
    assert parts.notes == whole.notes
    for name, table in whole.tables.items():
        assert parts.tables[name].equals(table), name
    status = parts.tables["texts"].select("text", "status").rows()
    assert status == [("better", "valid"), ("hard", "superseded"), ("again", "valid")]
    assert read_judgments([*found, File("x.jsonl", json.dumps(lines[3]).encode())]).tables
    with pytest.raises(InputError, match="the same content"):
        read_judgments([*found, File("x.jsonl", path.read_bytes())])
    path.unlink()
    with pytest.raises(InputError, match=r"log\.jsonl: cannot be read"):
        read_judgments(found)
