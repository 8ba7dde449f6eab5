"""mt-metrics-eval: scores, ratings, and whole EvalSets."""

import json
from pathlib import Path

import pytest

from jurat.errors import InputError
from jurat.formats import load, read_judgments, read_scores_table
from jurat.model import File


def test_released_scores(shared: Path) -> None:
    path = shared / "foreign" / "mt-metrics-eval" / "en-de.ESA-1.seg.score"
    judged = [line.split("\t") for line in path.read_text().splitlines() if "None" not in line]
    found = read_judgments(load(path)).tables["judgments"]
    assert found["value"].to_list() == [float(score) for _, score in judged]
    assert found["system"].to_list() == [system for system, _ in judged]
    assert found["question"].unique().to_list() == ["ESA-1"]
    assert read_scores_table(load(path))["metric"].unique().to_list() == ["ESA-1"]


def eval_set() -> list[File]:
    texts = {
        "sources/en-de.txt": "One\nTwo\n",
        "references/en-de.refA.txt": "Eins\nZwei\n",
        "documents/en-de.docs": "news\td1\nnews\td2\n",
        "system-outputs/en-de/A.txt": "Ein\nZwo\n",
        "human-scores/en-de.mqm.seg.score": "A\t-1\nA\tNone\n",
        "human-scores/en-de.mqm.sys.score": "A\t-1\n",
        "metric-scores/en-de/BLEU-refA.seg.score": "A\t30.5\nA\t20\n",
    }
    return [File(f"wmt23/{name}", text.encode()) for name, text in texts.items()]


def test_eval_set() -> None:
    found = read_judgments(eval_set()).tables
    rows = found["judgments"].select("document", "segment", "system", "question", "value").rows()
    # the mean of the system is in another file, and does not count beside its segments
    assert rows == [("d1", "1", "A", "mqm", -1.0)]
    assert found["translations"].row(0) == ("d1", "1", "A", "One", "Ein", "Eins")
    scores = read_scores_table(eval_set())
    names = ("document", "segment", "metric", "reference", "value")
    assert scores.select(names).rows() == [
        ("d1", "1", "BLEU", "refA", 30.5),
        ("d2", "2", "BLEU", "refA", 20.0),
    ]


def test_several_language_pairs_share_no_segments() -> None:
    files = [File(f"{pair}.esa.seg.score", b"A\t1\n" + pair.encode()[:0]) for pair in ("en-de",)]
    files.append(File("en-cs.esa.seg.score", b"A\t2\n"))
    found = read_judgments(files).tables["judgments"]
    assert found["item"].n_unique() == 2


def test_ratings() -> None:
    error = {"start": 2, "end": 5, "category": "accuracy", "severity": "major", "score": 5}
    hidden = {**error, "is_source_error": True}
    rating = json.dumps({"errors": [error, hidden]})
    file = File("en-de.mqm.rater1.seg.rating", f"A\t{rating}\nA\tNone\nB\t{rating}\tr2\n".encode())
    found = read_judgments([file]).tables
    rows = found["judgments"].select("judge", "system", "segment", "value").rows()
    assert rows == [("rater1", "A", "1", -10.0), ("r2", "B", "1", -10.0)]
    spans = found["spans"].select("start", "end", "missing").rows()
    assert spans[:2] == [(2, 5, False), (0, 0, True)]


def test_lines_that_are_no_scores_are_named() -> None:
    with pytest.raises(InputError) as caught:
        read_judgments([File("en-de.esa.seg.score", b"A\tgood\nA\nA\t1\n")])
    assert str(caught.value).splitlines() == [
        "en-de.esa.seg.score:1: 'good' is not a score: a number, or None",
        "en-de.esa.seg.score:2: 1 cells, where a line has system and score",
    ]


def test_ratings_that_stand_alone() -> None:
    error = {"start": 0, "end": 3, "category": "style", "severity": "minor", "score": 1}
    about = {"source": "Good.", "hypothesis": "Gut.", "document_id": "d", "segment_id": 0}
    rating = {**about, "system_id": "A", "rater_id": "r1", "errors": [error], "src_lang": "en"}
    found = read_judgments([File("ratings.jsonl", json.dumps(rating).encode())]).tables
    names = ("judge", "document", "segment", "system", "question", "value")
    assert found["judgments"].select(names).rows() == [("r1", "d", "0", "A", "mqm", -1.0)]
    assert found["spans"].select("start", "end", "category").rows() == [(0, 3, "style")]
    assert found["translations"]["source"].to_list() == ["Good."]


def test_texts_as_json_lines() -> None:
    files = [
        File("wmt/sources/en-de.jsonl", b'{"source": "Good."}\n'),
        File("wmt/system-outputs/en-de/A.jsonl", b'{"hypothesis": "Gut.", "n": 1}\n'),
        File("wmt/human-scores/en-de.mqm.seg.score", b"A\t-1\n"),
    ]
    texts = read_judgments(files).tables["translations"]
    assert texts.select("source", "translation").rows() == [("Good.", "Gut.")]
    unclear = File("wmt/sources/en-de.jsonl", b'{"one": "a", "two": "b"}\n')
    with pytest.raises(InputError, match="which of its fields"):
        read_judgments([unclear, *files[1:]])


def test_means_are_not_read_beside_the_ratings_they_come_from() -> None:
    error = '{"errors": [{"start": 0, "end": 1, "severity": "major", "score": 5}]}'
    files = [
        File("x/en-de.mqm.seg.score", b"A\t-5\n"),
        File("x/en-de.mqm.r1.seg.rating", f"A\t{error}\tr1\n".encode()),
    ]
    found = read_judgments(files).tables["judgments"]
    assert found.select("judge", "value").rows() == [("r1", -5.0)]
