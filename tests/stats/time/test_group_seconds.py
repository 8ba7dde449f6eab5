"""Times by system, judge, document, length and part of the screen; planned and actual."""

import numpy as np
import pytest

from tests.stats.tables import evaluation
from tests.stats.time.asking import found, values

HEAD = "judge,document,segment,system,value,seconds,length,words,text"
ROWS = [
    "a,d,1,X,3,10,short,4,one two three four",
    "a,d,2,Y,3,20,long,10,one two three four five six seven eight nine ten",
    "b,d,1,X,3,30,short,4,one two three four",
    "b,e,2,Y,3,500,long,10,one",
]


def table(rows=ROWS, head=HEAD, **options):
    return evaluation("\n".join([head, *rows]), **options)


def test_by_system():
    assert values(table(), "seconds-of-system", "system") == {"X": 20, "Y": 20}
    uncapped = values(table(), "seconds-of-system", "system", cap=1000)
    assert uncapped == {"X": 20, "Y": 260}


def test_by_judge_the_interval_is_over_their_items():
    first, second = found(table(), "seconds-of-judge", bootstrap=10)
    assert (first.by["judge"], first.value, first.n) == ("a", 15, 2)
    assert first.high == pytest.approx(15 + 12.7062 * np.sqrt(50) / np.sqrt(2))
    assert (second.value, second.n, second.low) == (30, 1, None)


def test_a_document_is_the_sum_of_its_decisions():
    documents = found(table(), "seconds-of-document", cap=1000)
    assert {e.by["document"]: (e.value, e.n) for e in documents} == {"d": (30, 2), "e": (500, 1)}


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        ("", {"short": 20, "long": 260}),
        ("words", {"4": 20, "10": 260}),
        ("text", {"1": 500, "4": 20, "10": 20}),
    ],
)
def test_by_length_named_counted_or_of_a_text(length, expected):
    assert values(table(), "seconds-of-length", "length", length=length, cap=1000) == expected


def test_many_lengths_make_four_groups():
    rows = [f"a,d,{n},X,3,{n},,{n},x" for n in range(1, 101)]
    groups = values(table(rows), "seconds-of-length", "length", length="words")
    assert groups == {"1–25": 13, "26–50": 38, "51–75": 63, "76–100": 88}


def test_seconds_for_each_word():
    (ratio,) = found(table(), "seconds-per-length", length="words", cap=1000)
    assert (ratio.value, ratio.n) == (560 / 28, 4)
    (named,) = found(table(), "seconds-per-length")
    assert (named.value, named.reason[:13]) == (None, "needs lengths")


def test_lengths_that_are_missing_stand_apart():
    rows = [*ROWS, "a,d,3,X,3,7,,,"]
    groups = values(table(rows), "seconds-of-length", "length", length="words")
    assert groups == {"4": 20, "10": 20, "": 7}


@pytest.mark.parametrize("name", ["system", "judge", "document", "length"])
def test_a_column_that_is_not_there(name):
    bare = evaluation("item,value,seconds\n1,3,9")
    (nothing,) = found(bare, f"seconds-of-{name}")
    assert nothing.value is None
    assert f"needs the column {name}" in nothing.reason


def test_shares_of_parts():
    """The mean of 0.5, 0.25 and of 0.5, 0.75; a decision of no time has no shares."""
    timed = evaluation(
        """judge,item,value,seconds,s,t
           a,1,3,10,5,5
           b,1,3,20,5,15
           b,2,3,0,0,0
           b,3,3,9,,1"""
    )
    assert values(timed, "seconds-share", "part", parts=("s", "t")) == {"s": 0.375, "t": 0.625}
    assert {e.n for e in found(timed, "seconds-share", parts=("s", "t"))} == {2}
    (nothing,) = found(timed, "seconds-share", parts=("q",))
    assert nothing.reason == "needs the column q"
    (none,) = found(timed, "seconds-share")
    assert "times of parts" in none.reason


def test_planned_and_actual():
    timed = table(cap := ROWS)
    assert found(timed, "hours-worked")[0].value == pytest.approx(60 / 3600)
    (planned,) = found(timed, "hours-estimated", estimated={"": 30.0})
    assert planned.value == pytest.approx(len(cap) * 30 / 3600)
    (ratio,) = found(
        timed, "seconds-ratio", estimated={"value": 40.0, "": 1.0}, cap=600, bootstrap=1
    )
    assert ratio.value == pytest.approx(3.5)
    assert ratio.low <= 3.5 <= ratio.high
    (nothing,) = found(timed, "seconds-ratio", estimated={"other": 40.0})
    assert nothing.reason == "needs an estimate of the seconds for value"


def test_splits_stand_in_tags():
    tagged = table(by=("document",))
    assert [(e.tags["document"], e.value) for e in found(tagged, "seconds-mean")] == [
        ("d", 20),
        ("e", 500),
    ]
