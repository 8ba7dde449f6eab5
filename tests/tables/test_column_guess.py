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


@pytest.mark.parametrize(
    "rows",
    [
        table(judge="a", item="1", value="3"),
        table(rater="a", seg="1", score="good"),
        table(rater="a", score="3"),
        table(x="1"),
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
        (table(rater="a", seg="1", score="3", rating="4"), r"may be the judgments \('score', 'ra"),
        (
            table(rater="a", seg="1", adequacy="3", fluency="4"),
            "copy: --columns judge=rater,segment=seg --questions adequacy,fluency",
        ),
    ],
)
def test_what_is_not_safe_is_refused(rows: pl.DataFrame, message: str) -> None:
    with pytest.raises(InputError, match=message):
        with_guessed_columns(rows, Intake())


def test_odd_names_are_quoted_for_the_shell() -> None:
    rows = table(**{"Rater ID": "a", "seg": "1", "score": "3"})
    assert "judge='`Rater ID`'" in with_guessed_columns(rows, Intake()).notes[0]
