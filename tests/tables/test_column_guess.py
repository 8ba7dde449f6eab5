"""Guesses of columns: used where safe, shown always, refused with the options to copy."""

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.tables import Intake, Judgments
from jurat.tables.column_guess import with_guessed_columns


def table(**columns: object) -> pl.DataFrame:
    return pl.DataFrame({name: [value] for name, value in columns.items()})


def test_guess_equals_the_map_that_it_shows() -> None:
    rows = table(Rater_ID="a", doc="d", segId="1", engine="X", Score="3", note="x")
    guess = with_guessed_columns(rows, Intake())
    shown = "judge=Rater_ID,system=engine,document=doc,segment=segId,value=Score"
    assert guess.notes == (f"columns are guessed from their names: --columns {shown}",)
    guessed, mapped = Judgments(guess.table).frame, Judgments(rows, Intake(columns=shown)).frame
    assert guessed.select(sorted(guessed.columns)).equals(mapped.select(sorted(mapped.columns)))


def test_a_scale_behind_the_name_is_no_part_of_it() -> None:
    rows = pl.DataFrame({"Reviewer": ["a"], "Segment ID": ["1"], "Score (0-100)": ["3"]})
    (note,) = with_guessed_columns(rows, Intake()).notes
    assert note.endswith("value='`Score (0-100)`'")


@pytest.mark.parametrize(
    "rows",
    [
        table(judge="a", item="1", value="3"),
        table(rater="a", seg="1", score="good"),
        table(rater="a", score="3"),
        table(x="one"),
    ],
)
def test_nothing_is_guessed(rows: pl.DataFrame) -> None:
    guess = with_guessed_columns(rows, Intake())
    assert guess.table is rows
    assert not guess.notes


def test_options_are_believed() -> None:
    rows = table(rater="a", seg="1", score="3")
    assert with_guessed_columns(rows, Intake(columns="value=seg")).table is rows


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (table(rater="a", user="b", seg="1", score="3"), "judge may be 'rater' or 'user'; copy"),
        (table(rater="a", seg="1", score="3", rating="4"), "'score' and 'rating' both may be"),
        (
            table(rater="a", seg="1", adequacy="3", fluency="4"),
            "copy: --columns judge=rater,segment=seg --questions adequacy,fluency",
        ),
        (
            table(rater="a", doc="d", severity="minor", weight=1.0),
            "copy: --columns judge=rater,document=doc --sum weight",
        ),
        (table(seg="1", severity="minor"), "--sum severity --weights minor=1,major=5"),
        (table(seg="1", raw=3, hit_seconds=8), "copy and correct: --columns segment=seg,value=raw"),
        (table(seg="1", E1=3, E2=4), "each of E1,E2 is a question, a system or a judge"),
    ],
)
def test_what_is_not_safe_is_refused(rows: pl.DataFrame, message: str) -> None:
    with pytest.raises(InputError, match=message):
        with_guessed_columns(rows, Intake())


def test_questions_answered_with_na_alone_are_offered_too() -> None:
    rows = pl.DataFrame({"engine": ["X", "Y"], "f1": ["3", "4"], "f2": ["NA", "NA"]})
    with pytest.raises(InputError, match="where each of f1,f2 is a question"):
        with_guessed_columns(rows, Intake())


def test_words_for_two_systems_and_a_tie_are_preferences() -> None:
    rows = pl.DataFrame({"rater": ["a"] * 3, "seg": [1, 2, 3], "rating": ["mt", "tie", "human"]})
    copied = "judge=rater,segment=seg,outcome=rating,system_a='human',system_b='mt'"
    with pytest.raises(InputError, match=f'copy: --columns "{copied}"'):
        with_guessed_columns(rows, Intake())


def test_ids_that_are_counted_anew_in_every_document_name_segments() -> None:
    rows = pl.DataFrame({"docId": ["d", "e"], "itemId": [1, 1], "score": [3, 4]})
    guess = with_guessed_columns(rows, Intake())
    assert "document=docId,segment=itemId" in guess.notes[0]
    assert Judgments(guess.table).frame["item"].n_unique() == 2


def test_odd_names_are_quoted_for_the_shell() -> None:
    rows = table(**{"Rater ID": "a", "seg": "1", "score": "3"})
    assert "judge='`Rater ID`'" in with_guessed_columns(rows, Intake()).notes[0]
