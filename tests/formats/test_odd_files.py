"""Files that are odd but legal: other orders of columns, marks, encodings, copies, or empty."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.formats import read_judgments
from jurat.model import File

TIMES = "1711315415.4,1711315424.0"
MQM = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\n"


def tables(name: str, content: str | bytes) -> Mapping[str, pl.DataFrame]:
    data = content if isinstance(content, bytes) else content.encode()
    return read_judgments([File(name, data)]).tables


def pairs(*rows: str) -> list[tuple[object, ...]]:
    found = tables("results.csv", "\n".join(rows))["preferences"]
    names = [name for name in ("document", "system_a", "system_b", "outcome") if name in found]
    return found.select(names).rows()


def test_pairs_of_documents_whose_ids_name_both_systems() -> None:
    rows = [f"u,{s},1,TGT,eng,deu,{v},d1#A#B,False,{TIMES}" for s, v in (("A", 9), ("B", 7))]
    assert pairs(*rows) == [("d1", "A", "B", "a")]


def test_systems_with_the_same_text_are_on_one_side_of_a_pair() -> None:
    sides = {"A": (9, 0), "A2": (9, 0), "B": (7, 1)}
    rows = [
        f"u,{name},1,TGT,eng,deu,{value},,,{TIMES},3,5,{side}"
        for name, (value, side) in sides.items()
    ]
    assert sorted(pairs(*rows)) == [("A", "B", "a"), ("A2", "B", "a")]


@pytest.mark.parametrize("name", ["d1-tutorial1#A", "d1#A-tutorial2", "d1-tutorial"])
def test_tutorials_wherever_the_system_stands(name: str) -> None:
    row = f"u,A,1,TGT,eng,deu,86,{name},False,[],{TIMES}\n"
    assert tables("results.csv", row)["judgments"]["phase"].to_list() == ["tutorial"]


def test_canary_lines_of_appraise_are_left_out_and_counted() -> None:
    rows = [
        f"u,A,{n},TGT,eng,deu,86,{d},False,[],{TIMES}\n" for n, d in ((0, "canary#A"), (1, "d1"))
    ]
    read = read_judgments([File("results.csv", "".join(rows).encode())])
    assert read.tables["judgments"]["document"].to_list() == ["d1"]
    assert read.notes == ("Appraise: left out, judgments of canary lines: 1",)


def test_rankings_separated_by_tabs_with_other_names_and_order() -> None:
    rows = "JudgeID SrcLang TrgLang segmentid system1id system2id system1rank system2rank more\n"
    text = f"\ufeff{rows}j ces eng 3 A+B C 1 2 x\n".replace(" ", "\t").replace("\n", "\r\n")
    assert tables("ranking.tsv", text)["rankings"]["system"].to_list() == ["A+B", "C"]


def test_columns_of_mqm_are_known_by_their_names() -> None:
    text = "rater\tsystem\tdoc\tglobalSegId\tdocSegId\ttarget\tsource\tseverity\tcategory\n"
    found = tables("mqm.tsv", text + "r\tA\td\t7\t1\t𠮷 <v>x</v>\tS\tMajor\tAccuracy/Addition\n")
    assert found["judgments"].select("segment", "value").row(0) == ("7", -5.0)
    assert found["spans"].select("start", "end").row(0) == (2, 3)


def test_canary_lines_of_mqm_are_left_out_and_counted() -> None:
    rows = [f"A\t{doc}\t1\t1\tr\tS\tT\tNo-error\tNo-error\n" for doc in ("canary", "d")]
    read = read_judgments([File("mqm.tsv", (MQM + "".join(rows)).encode())])
    assert read.tables["judgments"]["document"].to_list() == ["d"]
    assert read.notes == ("MQM: left out, rows of canary lines: 1",)


def test_segments_of_marot_without_numbers_across_documents() -> None:
    """Its documentation says to set globalSegId to a constant where there are none."""
    rows = [f"A\td\t{n}\t0\tr\tS{n}\tT\tStyle\tMinor\n" for n in (1, 2)]
    found = tables("mqm.tsv", MQM + "".join(rows))["judgments"]
    assert found.select("segment", "value").rows() == [("1", -1.0), ("2", -1.0)]


def test_means_that_google_publishes() -> None:
    text = "system mqm_avg_score seg_id\nA\t-1.5 1\nA\tNone 2\nB\t-0.000000 1\n"
    found = tables("x.avg_seg_scores.tsv", text)["judgments"]
    assert found.select("segment", "system", "value").rows() == [("1", "A", -1.5), ("1", "B", 0.0)]
    with pytest.raises(InputError, match=r"x\.tsv:2: 'x' is not a score"):
        tables("x.tsv", "system mqm_avg_score seg_id\nA\tx 1\n")


def test_a_reference_that_is_scored_is_also_a_system() -> None:
    told = {
        "system-outputs/en-de/refB.txt": "canary\nEins\n",
        "references/en-de.refB.txt": "canary\nEins\n",
        "sources/en-de.txt": "canary\nOne\n",
        "documents/en-de.docs": "canary\tcanary\nnews\td1\n",
        "metadata/en-de/refB.jsonl": "{}\n",
        "human-scores/en-de.mqm.seg.score": "refB\tNone\nrefB\t-1\n",
        "human-scores/en-de.mqm.sys.score": "refB\t-1\n",
        "README.md": "# An EvalSet\n",
    }
    files = [File(f"wmt24/{name}", text.encode()) for name, text in told.items()]
    read = read_judgments(files)
    judged = read.tables["judgments"].select("domain", "document", "value")
    assert judged.rows() == [("news", "d1", -1.0)]
    assert read.tables["translations"]["translation"].to_list() == ["Eins"]
    assert read.notes == (
        "mt-metrics-eval: left out, files of means of other scores: 1",
        "left out, files that hold no judgments: wmt24/README.md",
    )


def test_ratings_without_scores_weigh_severities() -> None:
    rating = json.dumps({"errors": [{"start": 0, "end": 1, "severity": "major"}]})
    found = tables("en-de.esa.seg.rating", f"A\t{rating}\nA\tNone\n")
    assert found["judgments"]["value"].to_list() == [-5.0]


def test_waves_in_which_nobody_judged_have_no_row() -> None:
    scores = {"A": {"human1": 3.0, "annotator1": "a", "human2": None, "annotator2": None}}
    line = {"doc_id": "en-ru_#_news_#_d_#_1", "src_text": "s", "tgt_text": {"A": "t"}}
    found = tables("wmt25.jsonl", json.dumps({**line, "scores": scores}))
    assert found["judgments"].select("judge", "value").rows() == [("a", 3.0)]


def test_answers_in_potato_that_hold_several_things() -> None:
    errors = [{"start": 0, "end": 2, "type": "Accuracy", "subtype": "Omission"}]
    row = {
        "instance_id": "r1",
        "user_id": "a",
        "pair.selection": "A",
        "pair.scale_value": "1",
        "order.rank_order": "B,A=C",
        "mqm.errors": errors,
        "mqm.score": 94,
    }
    found = tables("export.jsonl", json.dumps(row))
    answers = found["judgments"].select("question", "value", "label").rows()
    assert answers == [
        ("pair.selection", None, "A"),
        ("pair.scale_value", 1.0, None),
        ("mqm", 94.0, None),
    ]
    assert found["rankings"].select("system", "rank").rows() == [("B", 1), ("A", 2), ("C", 2)]
    assert found["spans"].select("start", "end", "category").row(0) == (0, 2, "Accuracy/Omission")


def studio(*results: tuple[str, Mapping[str, object]]) -> str:
    told = [{"type": kind, "from_name": "q", "value": value} for kind, value in results]
    return json.dumps([{"id": 1, "data": {}, "annotations": [{"result": told}]}])


def test_label_studio_with_several_choices_rankings_and_paths() -> None:
    page = {"start": "/p[1]", "end": "/p[1]", "hypertextlabels": ["x"]}
    content = studio(
        ("choices", {"choices": ["a", "b"]}),
        ("ranker", {"ranker": {"best": ["B", "A"]}}),
        ("hypertextlabels", page),
        ("hypertextlabels", {**page, "globalOffsets": {"start": 2, "end": 4}}),
    )
    read = read_judgments([File("studio.json", content.encode())])
    assert read.tables["judgments"]["question"].to_list() == ["q.a", "q.b"]
    assert read.tables["rankings"].select("item", "system", "rank").rows() == [
        ("1", "B", 1),
        ("1", "A", 2),
    ]
    assert read.tables["spans"].select("start", "end").rows() == [(2, 4)]
    assert read.notes == ("Label Studio: left out, results of the kind hypertextlabels: 1",)


def test_label_studio_as_csv() -> None:
    heading = "id,system,text,q,spans,annotator,annotation_id,lead_time\n"
    spans = '"[{""start"": 0, ""end"": 2, ""labels"": [""Major""]}]"'
    found = tables("studio.csv", f"{heading}1,A,t,4,{spans},3,9,4.5\n2,B,u,3,,4,10,\n")
    assert found["judgments"].select("judge", "value").rows() == [("3", 4.0), ("4", 3.0)]
    assert found["spans"]["severity"].to_list() == ["Major"]


def test_arena_with_a_heading_in_capitals() -> None:
    found = tables("arena.csv", "Question_ID,Model_A,Model_B,Winner\nq,A,B,Model_A\n")
    assert found["preferences"]["outcome"].to_list() == ["a"]


XLIFF = """\ufeff<?xml version="1.0" encoding="utf-8"?>
<xliff version="1.2" xmlns:its="http://www.w3.org/2005/11/its"><file original="a"><body>
<trans-unit id="1"><source>S<bpt id="1">&lt;b></bpt></source>
<target its:locQualityIssueType="style">T<ph id="2">{0}</ph>x</target></trans-unit>
<trans-unit id="2"><source>S</source><target/></trans-unit></body></file></xliff>"""


def test_codes_in_xliff_are_no_text_and_a_target_may_have_issues_itself() -> None:
    found = tables("a.xlf", XLIFF)
    assert found["translations"].select("source", "translation").rows() == [("S", "Tx")]
    assert found["judgments"]["segment"].to_list() == ["1"]
    assert found["spans"].select("start", "end", "category").rows() == [(0, 2, "style")]


def test_tmx_in_utf16_with_codes_and_documents() -> None:
    text = """<?xml version="1.0" encoding="UTF-16"?><tmx version="1.4"><header srclang="en"/><body>
    <tu tuid="1"><prop type="x-doc">d1</prop><tuv xml:lang="en"><seg>a<ph>{0}</ph>b</seg></tuv>
    <tuv xml:lang="de"><seg>😀</seg></tuv></tu></body></tmx>"""
    found = tables("m.tmx", text.encode("utf-16"))["translations"]
    assert found.select("document", "source", "translation").rows() == [("d1", "ab", "😀")]


NOTHING: Sequence[tuple[str, str]] = [
    ("studio.json", studio(("pairwise", {"selected": "left"}))),
    ("ranking.csv", "srclang,trglang,segmentId,judgeId,system1Id,system2Id,rank\n"),
]


@pytest.mark.parametrize(("name", "content"), NOTHING)
def test_a_file_without_judgments_is_refused_by_name(name: str, content: str) -> None:
    with pytest.raises(InputError, match=f"{name}: there are no judgments here"):
        tables(name, content)


SPAN = {"start_i": 3, "end_i": 5, "severity": "minor"}
ITEM = {"item_id": "d_#_0", "src": "s", "tgt": {"A": "😀 gut"}}
PEARMUT = {"annotation": [{"A": {"score": 7, "error_spans": [SPAN]}}], "item": [ITEM]}
PEARMUT |= {"user_id": "u", "item_i": 0}
WMT = {"doc_id": "en-de_#_news_#_d_#_1", "src_text": "s", "tgt_text": {"A": "😀 gut", "B": "x"}}
ESA = {"langs": "en-de", "line_id": 1, "src": "s", "tgt": "😀 gut", "doc_id": "d", "system": "A"}
ESA |= {"annotator": "u", "esa_score": 7, "esa_spans": [SPAN]}
RATING = {"hypothesis": "😀 gut", "system_id": "A", "segment_id": 0, "document_id": "d"}
STUDIO = {"id": 7, "data": {"system": "A", "translation": "😀 gut", "source": "s"}}
LABELS = {"type": "labels", "from_name": "e", "value": {"start": 2, "end": 5, "labels": ["x"]}}
NUMBER = {"type": "number", "from_name": "q", "value": {"number": 7}}
RESULTS = {"completed_by": "u", "result": [NUMBER, LABELS]}


@pytest.mark.parametrize(
    "content",
    [
        {**PEARMUT, "actions": None, "comment": None, "validations": None},
        {**PEARMUT, "annotation": [{"A": {"score": "7", "sliders": None, "error_spans": [SPAN]}}]},
        {**PEARMUT, "user_id": 3, "item": [{**ITEM, "ref": None, "validation": None, "more": [1]}]},
        [PEARMUT, {"user_id": "other", "annotation": "__RESET__", "item": None, "item_i": None}],
        {"none": [], "one": [PEARMUT]},
        {**WMT, "scores": {"A": {"human1": "7", "errors1": [SPAN], "human2": None}, "B": None}},
        {**WMT, "scores": {"A": {"human1": 7, "errors1": [SPAN], "human2": math.nan}}},
        {**WMT, "scores": {"A": [{"score": 7, "errors": [SPAN], "times": None}], "B": []}},
        [ESA],
        {**ESA, "esa_score": "7", "domain": None, "speech_info": {"file": "a"}},
        {**RATING, "errors": [{"start": 2, "end": 5, "score": -7, "is_source_error": None}]},
        [{**STUDIO, "annotations": [{**RESULTS, "was_cancelled": None, "lead_time": None}]}],
        {**STUDIO, "annotations": [RESULTS], "predictions": None},
    ],
    ids=str,
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_fields_that_are_null_or_numbers_as_texts(content: object, encoding: str) -> None:
    text = json.dumps(content, ensure_ascii=False).replace("}, {", "},\r\n{")
    found = tables("x.json", text.encode(encoding))
    assert found["judgments"]["value"].to_list() == [7.0]
    assert found["spans"].select("start", "end").row(0) == (2, 5)


def test_sentences_that_a_document_of_pearmut_repeats_are_two() -> None:
    answers = [{"A": {"score": 1}}, {"A": {"score": 2}}]
    items = [{"src": "Yes.", "tgt": {"A": "Ja."}}, {"src": "Yes.", "tgt": {"A": "Doch."}}]
    found = tables("a.jsonl", json.dumps({**PEARMUT, "annotation": answers, "item": items}))
    assert found["judgments"]["item"].n_unique() == 2
    assert found["translations"]["translation"].to_list() == ["Ja.", "Doch."]


def test_campaigns_of_pearmut_that_ask_for_errors_alone() -> None:
    answer: dict[str, Any] = {
        "score": None,
        "sliders": {},
        "error_spans": [{**SPAN, "severity": "Major"}],
    }
    lines = [
        {**PEARMUT, "annotation": [{"A": answer}]},
        {**PEARMUT, "annotation": [{"A": answer}], "item_i": 1}
        | {"actions": [{"time": 1, "action": "submit_skip"}]},
    ]
    found = tables("a.jsonl", "\n".join(map(json.dumps, lines)))["judgments"]
    assert found.select("question", "value").rows() == [("mqm", -5.0)]


APPRAISE = "u,A,40,TGT,eng,deu,{},d1#A,False,{},1711315415.4,1711315424.0"


def test_documents_of_campaigns_before_errors_were_marked() -> None:
    rows = [f"u,A,{n},TGT,eng,deu,{v},d1#A,False,17113154{n}.4,17113154{n}.9,3,{n}" for n, v in
            ((40, 50), (41, 60))]  # fmt: skip
    for columns in (11, 13):
        text = "\n".join(",".join(row.split(",")[:columns]) for row in rows)
        found = tables("results.csv", text)
        assert "preferences" not in found
        assert found["judgments"].select("question", "value").rows() == [
            ("score", 50.0),
            ("score", 60.0),
        ]


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("nothing", ["", "None", "[]"])
def test_results_of_appraise_that_a_spreadsheet_saved(separator: str, nothing: str) -> None:
    span = '[{""start_i"":""3"",""end_i"":""5"",""severity"":""minor""}]'
    rows = APPRAISE.format(9, nothing), APPRAISE.format(7, "SPAN")
    text = "\r\n".join(rows).replace(",", separator).replace("SPAN", f'"{span}"')
    found = tables("results.csv", text)
    assert found["judgments"]["value"].to_list() == [9.0, 7.0]
    # a number that is written as a text is no missing text
    assert found["spans"].select("start", "end", "missing").rows() == [(3, 6, False)]


@pytest.mark.parametrize(
    ("name", "content", "values"),
    [
        ("m.csv", MQM.replace("\t", ",") + 'A,d,1,1,r,s,"Ja, <v>so</v>",x,Major\n', [-5.0]),
        ("x.avg_seg_scores.tsv", "system\tmqm_avg_score\tseg_id\nB C\t-2\t7\nA\t\t8\n", [-2.0]),
        ("x.avg_seg_scores.tsv", "system mqm_avg_score seg_id\nB C -2 7\n", [-2.0]),
    ],
)
def test_mqm_as_spreadsheets_save_it(name: str, content: str, values: list[float]) -> None:
    assert tables(name, content)["judgments"]["value"].to_list() == values


def test_what_is_left_out_or_doubtful_is_said() -> None:
    row = "A\td\t1\t1\tr\ts\t<v>So</v> <v>geht</v>\tx\tMajor\n"
    task = {"doc_id": "d", "segment_id": "1", "system_id": "A", "hypothesis_segment": "gut"}
    task |= {"start_indices": "1", "end_indices": "9", "error_types": "critical"}
    spans = "\n".join("\t".join(cells) for cells in (task, task.values()))
    said = {
        "m.tsv": (MQM + row, "marks of an error after its first: 1"),
        "en-de.esa.seg.score": ("A\t1\nA\t2\nB\t3\n", "1 system with other than 2 lines"),
        "spans.tsv": (spans, "errors beyond the end of a text: 1"),
    }
    for name, (content, words) in said.items():
        notes = read_judgments([File(name, content.encode())]).notes
        assert any(words in note for note in notes), notes


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("data.json", '[{"id": "r1", "text": "gut", "more": 1}]'),
        ("data.csv", "id,text\nr1,gut\n"),
        ("data.csv", "Text, ID\nwith no id\ngut,r1\n"),
    ],
)
def test_texts_of_potato_in_any_file(name: str, content: str) -> None:
    labels = {"r1": [[{"schema": "fluency", "name": "4"}, "true"]]}
    state = {"user_id": "a", "instance_id_to_label_to_value": labels, "instance_id_ordering": None}
    files = [File("user_state.json", json.dumps(state).encode()), File(name, content.encode())]
    found = read_judgments(files).tables["judgments"]
    assert found.select("judge", "value", "text").rows() == [("a", 4.0, "gut")]


def test_labels_on_the_source_in_label_studio() -> None:
    result = [{**LABELS, "to_name": "source", "value": {"start": 0, "end": 1, "labels": ["x"]}}]
    task = {**STUDIO, "annotations": [{"completed_by": 1, "result": result}]}
    span = tables("s.json", json.dumps([task]))["spans"].row(0, named=True)
    assert (span["missing"], span["source_start"], span["source_end"]) == (True, 0, 1)


def test_arena_with_a_column_for_each_outcome() -> None:
    text = "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie\n1,A,B,1,0,0\n2,A,B,0,0,1\n"
    found = tables("arena.csv", text)["preferences"]
    assert found.select("item", "outcome").rows() == [("1", "a"), ("2", "tie")]


UNIT = '<trans-unit id="1"><source>Hello</source><target>{}</target></trans-unit>'
ITS = 'xmlns:its="http://www.w3.org/2005/11/its"'
FILE = f'<xliff version="1.2" {ITS}><file original="a.docx"><body>{UNIT}</body></file></xliff>'
MARK = '<mrk its:locQualityIssueType="style">{}</mrk>'


@pytest.mark.parametrize(
    ("targets", "column"), [(("Hallo", "Salut"), "system"), (("Hallo", "Hallo"), "judge")]
)
def test_several_files_of_the_same_segments(targets: tuple[str, str], column: str) -> None:
    marked = [FILE.format(MARK.format(targets[0])), FILE.format(targets[1])]
    files = [File(f"{n}.xlf", text.encode()) for n, text in zip("ab", marked, strict=True)]
    found = read_judgments(files)
    assert found.tables["judgments"].select(column, "value").rows() == [("a", -1.0), ("b", 0.0)]
    assert found.notes[-1].endswith(f"taken as {column}s")


def test_xliff_in_latin_1_and_issues_as_2_1_has_them() -> None:
    old = '<?xml version="1.0" encoding="ISO-8859-1"?>\r\n' + FILE.format(MARK.format("schön"))
    assert tables("a.xlf", old.encode("latin-1"))["translations"]["translation"][0] == "schön"
    listed = '<its:locQualityIssues xml:id="q"><its:locQualityIssue locQualityIssueType="style"/>'
    apart = '<sm id="9" its:locQualityIssueType="x"/>a<em startRef="9"/>'
    new = (
        f'<xliff version="2.1" {ITS}><file id="f"><unit id="1">{listed}</its:locQualityIssues>'
        f"<segment><source>s</source><target>B{apart}</target></segment>"
        '<segment><source>s</source><target>C<mrk id="m" its:locQualityIssuesRef="#its=q">d</mrk>'
        "</target></segment></unit></file></xliff>"
    )
    found = tables("a.xlf", new)
    assert found["spans"].select("segment", "start", "end", "category").rows() == [
        ("1", 1, 2, "x"),
        ("1/2", 1, 2, "style"),
    ]


def test_a_mark_of_xliff_that_ends_outside_every_segment() -> None:
    text = (
        f'<xliff version="2.1" {ITS}><file id="f"><unit id="1"><segment><source>s</source>'
        '<target><sm id="9" its:locQualityIssueType="x"/>B</target></segment></unit>'
        '<em startRef="9"/></file></xliff>'
    )
    assert tables("a.xlf", text)["translations"]["translation"].to_list() == ["B"]


def test_a_memory_with_one_number_for_all_units_has_them_numbered() -> None:
    unit = '<tu tuid="0"><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>b'
    text = f'<tmx version="1.4"><header srclang="en"/><body>{(unit + "</seg></tuv></tu>") * 3}'
    found = tables("a.tmx", text + "</body></tmx>")["translations"]
    assert found["segment"].to_list() == ["0", "0 (2)", "0 (3)"]


def test_memories_whose_regions_differ_and_whose_numbers_repeat() -> None:
    unit = '<tu tuid="1"><tuv xml:lang="de"><seg>{}</seg></tuv><tuv xml:lang="EN-US"><seg>{}'
    units = "".join(f"{unit.format(*t)}</seg></tuv></tu>" for t in (("Ja", "Yes"), ("Nein", "No")))
    text = f'<tmx version="1.4"><header srclang="en"/><body>{units}</body></tmx>'
    found = read_judgments([File("a.tmx", text.encode())]).tables["translations"]
    assert found.select("source", "translation").rows() == [("Yes", "Ja"), ("No", "Nein")]
