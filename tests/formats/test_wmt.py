"""WMT's releases: rankings as CSV, and judgments as JSON Lines."""

import json

import pytest

from jurat.errors import InputError
from jurat.formats import ReadTables, read_judgments
from jurat.model import File

PLACE = "srclang,trglang,srcIndex,documentId,segmentId,judgeId"
FIVE = PLACE + "".join(f",system{n}Number,system{n}Id" for n in range(1, 6))
FIVE += "".join(f",system{n}rank" for n in range(1, 6))


def ranking(*rows: str, heading: str = FIVE) -> ReadTables:
    return read_judgments([File("wmt.csv", "\n".join([heading, *rows]).encode())])


def test_five_way_ranking_becomes_pairs() -> None:
    found = ranking("Czech,English,7,-1,7,j1,1,A,2,B,3,C,4,D,5,E,1,2,2,-1,5")
    preferences = found.tables["preferences"]
    pairs = preferences.select("system_a", "system_b", "outcome").rows()
    assert len(pairs) == 6
    assert ("A", "B", "a") in pairs
    assert ("B", "C", "tie") in pairs
    assert preferences.select("judge", "segment", "language_pair").row(0) == (
        "j1",
        "7",
        "Czech-English",
    )
    assert found.notes == ("WMT: left out, outputs that were not ranked (-1): 1",)


def test_the_same_judge_may_rank_a_segment_twice() -> None:
    row = "Czech,English,7,-1,7,j1,1,A,2,B,3,C,4,D,5,E,1,2,2,4,5"
    assert ranking(row, row).tables["preferences"].height == 20


@pytest.mark.parametrize(("rank", "outcome"), [("1", "a"), ("2", "b"), ("0", "tie")])
def test_pairwise_form(rank: str, outcome: str) -> None:
    heading = f"{PLACE},system1Number,system1Id,system2Number,system2Id,rank"
    found = ranking(f"cs,en,7,d,7,j1,1,A,2,B,{rank}", heading=heading)
    assert found.tables["preferences"]["outcome"].to_list() == [outcome]


def test_wrong_ranks_are_named() -> None:
    with pytest.raises(InputError) as caught:
        ranking("cs,en,7,-1,7,j1,1,A,2,B,3,C,4,D,5,E,1,2,2,best,5", "cs,en")
    assert str(caught.value).splitlines() == [
        "wmt.csv:2: 'best' is not a rank: 1 is best, -1 is not ranked",
        "wmt.csv:3: 2 cells where the heading has 21",
    ]


def read(*lines: object) -> ReadTables:
    return read_judgments([File("wmt.jsonl", "\n".join(map(json.dumps, lines)).encode())])


SPAN = {"start_i": 3, "end_i": 5, "severity": "minor", "error_type": None}
ESA = {
    "langs": "en-es",
    "line_id": 731,
    "src": "Good",
    "tgt": "😀 gut",
    "doc_id": "test-en-speech_8",
    "domain": "speech",
    "esa_spans": [SPAN],
    "esa_score": "66",
    "system": "ONLINE-B",
    "annotator": "engspa7832",
}


def test_esa_of_wmt24() -> None:
    found = read(ESA, {**ESA, "doc_id": "canary"})
    names = ("judge", "document", "segment", "system", "question", "value", "domain")
    expected = ("engspa7832", "test-en-speech_8", "731", "ONLINE-B", "esa", 66.0, "speech")
    assert found.tables["judgments"].select(names).rows() == [expected]
    assert found.tables["spans"].select("start", "end").rows() == [(2, 5)]
    assert found.notes == ("WMT: left out, judgments of canary lines: 1",)


def test_score_that_is_no_number() -> None:
    with pytest.raises(InputError, match=r"wmt.jsonl:2: 'good' is not a score"):
        read(ESA, {**ESA, "esa_score": "good"})


SEGMENT = {"doc_id": "en-ru_RU_#_news_#_nyt.1_#_4", "src_text": "Good", "tgt_text": {"A": "😀 gut"}}


def test_unified_form_of_wmt24() -> None:
    judged = {"score": 66.0, "annotator": "A12", "errors": [SPAN], "times": [10.0, 15.0]}
    found = read({**SEGMENT, "scores": {"A": [{**judged, "protocol": "ESA"}]}}).tables
    names = ("judge", "document", "segment", "value", "wave", "domain", "language_pair")
    expected = ("A12", "en-ru_RU_#_news_#_nyt.1", "4", 66.0, "1", "news", "en-ru_RU")
    assert found["judgments"].select(names).rows() == [expected]
    assert found["judgments"]["decided_at"].dt.epoch("s").to_list() == [15]
    assert found["spans"].select("start", "end").rows() == [(2, 5)]


def test_wmt25_has_a_judgment_for_each_wave() -> None:
    first = {"human1": 91.0, "errors1": [], "annotator1": "acc"}
    second = {"human2": 0.0, "errors2": [SPAN], "annotator2": "bcc"}
    found = read({**SEGMENT, "scores": {"A": {**first, **second}}}).tables
    assert found["judgments"].select("judge", "value").rows() == [("acc", 91.0), ("bcc", 0.0)]
    assert found["spans"]["judge"].to_list() == ["bcc"]
    assert found["translations"]["translation"].to_list() == ["😀 gut"]


HEADING = (
    "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tsource_segment\t"
    "hypothesis_segment\treference_segment\tdomain_name\tmethod\t"
    "start_indices\tend_indices\terror_types\n"
)


def error_row(starts: str, ends: str, kinds: str) -> str:
    return f"d\t3\ten\tde\ts\tA\tGood.\tGut.\t\tnews\tmqm\t{starts}\t{ends}\t{kinds}\n"


def test_error_spans() -> None:
    data = (
        HEADING + error_row("0 missing", "3 missing", "minor major") + error_row("", "", "no-error")
    )
    found = read_judgments([File("spans.tsv", data.encode())]).tables
    assert found["judgments"]["value"].to_list() == [-6.0, 0.0]
    spans = found["spans"].select("start", "end", "severity", "missing").rows()
    assert spans == [(0, 3, "minor", False), (4, 4, "major", True)]
    assert found["translations"]["translation"].to_list() == ["Gut."]


def test_error_spans_whose_lists_differ() -> None:
    data = HEADING + error_row("0 1", "3", "minor")
    with pytest.raises(InputError, match="2 starts, 1 ends and 1 types"):
        read_judgments([File("spans.tsv", data.encode())])
