import polars as pl
import pytest

from jurat.stats import Evaluation
from tests.stats.agreement.asking import one, results, value
from tests.stats.tables import evaluation

JUDGED = evaluation(
    "judge,item,question,value,position\na,x,errors,-6,1\nb,x,errors,-1,1\na,y,errors,0,2\nb,y,errors,0,2"
)


def spans(*rows):
    names = ("judge", "item", "question", "position", "start", "end", "severity", "missing")
    frame = pl.DataFrame(
        [("errors", *row) for row in rows],
        schema=["question", "judge", "item", "position", "start", "end", "severity", "missing"],
        orient="row",
    )
    return Evaluation(judgments=JUDGED.judgments, spans=frame.select(names))


def test_by_hand():
    # a marks 0–4 and 6–10, b 2–8: 2 + 2 characters in common, of 8 and 6.
    asked = spans(
        ("a", "x", 1, 0, 4, "minor", False),
        ("a", "x", 1, 6, 10, "major", False),
        ("b", "x", 1, 2, 8, "minor", False),
    )
    assert value(asked, "span-f1") == pytest.approx(2 * 4 / 14)
    assert value(asked, "span-severity-agreement") == pytest.approx(2 / 4)
    # One span more in x, none in y, where nobody found anything.
    assert value(asked, "span-count-distance") == 0.5
    assert one(asked, "span-f1").n == 2


def test_overlapping_spans_of_one_judge_count_once():
    asked = spans(
        ("a", "x", 1, 0, 4, "minor", False),
        ("a", "x", 1, 2, 6, "minor", False),
        ("b", "x", 1, 0, 6, "minor", False),
    )
    assert value(asked, "span-f1") == 1


def test_what_is_missing_is_counted_without_characters():
    asked = spans(("a", "x", 1, 3, 4, "major", True), ("b", "x", 1, 3, 4, "major", True))
    assert one(asked, "span-f1").reason == "nobody marked an error"
    assert value(asked, "span-count-distance") == 0


def test_spans_of_other_judgments_do_not_count():
    asked = spans(("a", "x", 9, 0, 4, "minor", False), ("c", "x", 1, 0, 4, "minor", False))
    assert value(asked, "span-f1") is None


def test_nothing_is_said_without_spans():
    assert not [r for r in results(JUDGED) if r.name.startswith("span-")]
