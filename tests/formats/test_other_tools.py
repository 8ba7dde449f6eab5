"""Label Studio, Potato, subset2evaluate, arenas, XLIFF and TMX."""

import json
from pathlib import Path

import pytest

from jurat.errors import InputError
from jurat.formats import ReadTables, load, read_judgments, read_scores_table
from jurat.model import File


def read(name: str, content: object) -> ReadTables:
    data = content if isinstance(content, str) else json.dumps(content)
    return read_judgments([File(name, data.encode())])


def task(*results: dict[str, object], **data: object) -> dict[str, object]:
    done = {"completed_by": {"id": 1, "email": "a@x"}, "lead_time": 4.2, "result": list(results)}
    cancelled = {**done, "was_cancelled": True}
    return {"id": 7, "data": data, "annotations": [done, cancelled]}


def result(kind: str, **value: object) -> dict[str, object]:
    return {"type": kind, "from_name": "quality", "to_name": "t", "value": value}


def test_label_studio() -> None:
    results = (
        result("rating", rating=4),
        result("choices", choices=["good"]),
        result("labels", start=7, end=19, text="…", labels=["Major"]),
        result("textarea", text=["why"]),
        result("brush", rle=[]),
    )
    found = read("export.json", [task(*results, system="A", document="d")])
    names = ("judge", "document", "segment", "system", "value", "label", "seconds")
    assert found.tables["judgments"].select(names).rows() == [
        ("a@x", "d", "7", "A", 4.0, None, 4.2),
        ("a@x", "d", "7", "A", None, "good", 4.2),
    ]
    spans = found.tables["spans"].select("start", "end", "severity")
    assert spans.rows() == [(7, 19, "Major")]
    assert found.tables["texts"]["text"].to_list() == ["why"]
    assert found.notes == (
        "Label Studio: left out, results of the kind brush: 1",
        "Label Studio: left out, cancelled annotations: 1",
    )


def test_label_studio_flat_form() -> None:
    meta = {"annotator": 3, "annotation_id": 9, "created_at": "2026-01-02T03:04:05Z"}
    spans = [{"start": 0, "end": 3, "text": "Das", "labels": ["Major"]}]
    first = {"id": 1, "translation": "Das", "system": "A", "quality": 71, "verdict": "good"}
    rows = [
        {**first, **meta, "lead_time": 4.5, "errors": spans, "stars": [{"rating": 2}]},
        {"id": 2, "translation": "Dies", "verdict": "good", **meta, "lead_time": 1.0},
    ]
    found = read("min.json", rows)
    names = ("segment", "system", "question", "value", "label")
    assert found.tables["judgments"].select(names).rows() == [
        ("1", "A", "quality", 71.0, None),
        ("1", "A", "verdict", None, "good"),
        ("1", "A", "stars", 2.0, None),
        ("2", None, "verdict", None, "good"),
    ]
    assert found.tables["spans"].select("start", "end", "severity").rows() == [(0, 3, "Major")]
    assert found.tables["judgments"]["judge"].to_list() == ["3"] * 4
    assert found.notes == ("Label Studio: fields whose texts repeat are taken as answers: verdict",)


def test_potato_export() -> None:
    spans = json.dumps([{"start": 1, "end": 4, "label": "minor"}]).replace('"', '""')
    table = (
        "instance_id,user_id,fluency.4,fluency.5,genre.news,genre.web,errors._spans\n"
        f'r1,ann,true,,true,true,"{spans}"\nr1,bob,,true,,true,\n'
    )
    found = read("annotations.csv", table)
    assert found.tables["judgments"].select("judge", "question", "value", "label").rows() == [
        ("ann", "fluency", 4.0, None),
        ("ann", "genre.news", None, "yes"),
        ("ann", "genre.web", None, "yes"),
        ("bob", "fluency", 5.0, None),
        ("bob", "genre", None, "web"),
    ]
    assert found.tables["spans"].select("start", "end", "severity").rows() == [(1, 4, "minor")]


def test_label_studio_pairs_need_the_systems() -> None:
    chosen = result("pairwise", selected="right")
    rated = result("rating", rating=4)
    found = read("export.json", [task(chosen, left_system="A", right_system="B")])
    preferences = found.tables["preferences"].select("system_a", "system_b", "outcome")
    assert preferences.rows() == [("A", "B", "b")]
    unnamed = read("export.json", [task(chosen, rated)])
    assert "without the systems' names: 1" in unnamed.notes[0]


def test_potato(shared: Path) -> None:
    found = read_judgments(load(shared / "foreign" / "potato")).tables["judgments"]
    sentiment = found.filter(question="sentiment", judge="alice")
    assert sentiment.select("item", "label", "position").head(2).rows() == [
        ("r1", "positive", 1),
        ("r2", "negative", 2),
    ]
    assert found["judge"].unique().sort().to_list() == ["alice", "bob"]
    assert "aspects.plot" in found["question"].to_list()
    assert found["text"].null_count() == 0


def test_potato_instances_alone() -> None:
    with pytest.raises(InputError, match=r"give Potato's user_state.json, too"):
        read("reviews.json", '{"id": "r1", "text": "Fine."}\n')


def test_subset2evaluate() -> None:
    told = {"A": {"human": 0.92, "XCOMET-XL": 0.99, "BLEU": None}}
    line = {"i": 3, "src": "s", "ref": "r", "tgt": {"A": "t"}, "doc": "d", "scores": told}
    file = File("wmt.jsonl", json.dumps(line).encode())
    judgments = read_judgments([file]).tables["judgments"]
    names = ("document", "segment", "system", "question", "value")
    assert judgments.select(names).rows() == [("d", "3", "A", "human", 0.92)]
    assert read_scores_table([file]).select("metric", "value").rows() == [("XCOMET-XL", 0.99)]


ARENA = {"question_id": "q1", "model_a": "A", "model_b": "B", "winner": "tie (bothbad)"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", [{**ARENA, "conversation_a": [{"role": "user"}]}]),
        ("a.jsonl", ARENA),
        ("a.csv", "question_id,model_a,model_b,winner\nq1,A,B,tie (bothbad)\n"),
    ],
)
def test_arena(name: str, content: object) -> None:
    found = read(name, content).tables["preferences"]
    names = ("item", "system_a", "system_b", "outcome")
    assert found.select(names).rows() == [("q1", "A", "B", "bad")]


def test_arena_with_an_unknown_winner() -> None:
    with pytest.raises(InputError, match=r"a.csv:2, field winner: 'C' is not a winner"):
        read("a.csv", "question_id,model_a,model_b,winner\nq1,A,B,C\n")


ITS = 'xmlns:its="http://www.w3.org/2005/11/its"'
XLIFF_1 = f"""<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" {ITS}>
<file original="a.docx" source-language="en" target-language="de"><body>
<trans-unit id="1"><source>Hello</source><target>Ha<mrk mtype="x-its"
 its:locQualityIssueType="mistranslation" its:locQualityIssueSeverity="50">llo</mrk> 😀</target>
<alt-trans origin="MT-A"><target>Hallöchen</target></alt-trans></trans-unit>
<trans-unit id="2"><source>Bye</source><target>Ciao</target></trans-unit>
<trans-unit id="3"><source>Not yet</source></trans-unit></body></file></xliff>"""
XLIFF_2 = f"""<xliff version="2.1" xmlns="urn:oasis:names:tc:xliff:document:2.0" {ITS}>
<file id="f1"><unit id="u1"><its:locQualityIssues xml:id="lq1">
<its:locQualityIssue locQualityIssueType="omission" locQualityIssueSeverity="90"/>
</its:locQualityIssues><segment id="s1"><source>Foo</source>
<target>B<mrk id="m" ref="#lq1">ar</mrk></target></segment></unit></file></xliff>"""


def test_xliff_1() -> None:
    found = read("a.xlf", XLIFF_1)
    names = ("document", "segment", "system", "value")
    assert found.tables["judgments"].select(names).rows() == [
        ("a.docx", "1", "target", -1.0),
        ("a.docx", "2", "target", 0.0),
    ]
    names = ("start", "end", "severity", "category")
    assert found.tables["spans"].select(names).rows() == [(2, 5, "major", "mistranslation")]
    texts = found.tables["translations"].select("segment", "system", "source", "translation")
    assert texts.rows()[:2] == [
        ("1", "target", "Hello", "Hallo 😀"),
        ("1", "MT-A", "Hello", "Hallöchen"),
    ]
    assert "by thirds" in found.notes[0]


def test_xliff_2_with_issues_in_a_list() -> None:
    found = read("a.xlf", XLIFF_2).tables
    assert found["judgments"].select("document", "segment").rows() == [("f1", "u1/s1")]
    names = ("start", "end", "severity", "category", "missing")
    assert found["spans"].select(names).rows() == [(1, 3, "critical", "omission", True)]


def test_xliff_without_issues_has_no_judgments() -> None:
    plain = XLIFF_2.replace('ref="#lq1"', "")
    assert list(read("a.xlf", plain).tables) == ["translations"]


def test_tmx_has_translations_alone() -> None:
    units = "".join(
        f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'
        for language, text in (("en", "Hello"), ("de", "Hallo"))
    )
    text = f'<tmx version="1.4"><header srclang="en"/><body><tu tuid="1">{units}</tu></body></tmx>'
    found = read("m.tmx", text).tables
    assert found["translations"].rows() == [("m.tmx", "1", "de", "Hello", "Hallo", None)]
    assert list(found) == ["translations"]
