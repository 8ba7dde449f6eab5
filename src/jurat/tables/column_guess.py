"""Guesses which columns of a user's table are Jurat's, from their names and contents.

A guess is used only where each column has one candidate and the values fit. It is always said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from jurat.errors import input_error
from jurat.tables.intake import ITEM_PARTS, WIDE, Intake
from jurat.tables.schema import cast_column, hidden

# Names that people give to columns, in lower case and without signs; the first that fits counts.
NAMES: Mapping[str, Sequence[str]] = {
    "judge": (
        "judge", "judgeid", "annotator", "annotatorid", "rater", "raterid", "evaluator",
        "evaluatorid", "assessor", "user", "userid", "username", "worker", "workerid", "reviewer",
    ),
    "system": (
        "system", "systemid", "sys", "engine", "mt", "mtsystem", "mtengine", "model", "vendor",
    ),
    "document": ("document", "documentid", "doc", "docid", "documentname", "file", "filename"),
    "segment": (
        "segment", "segmentid", "segid", "seg", "sentence", "sentenceid", "sentid", "lineid",
        "segmentnumber", "segmentno", "row",
    ),
    "item": ("item", "itemid", "unit", "unitid", "instance", "instanceid", "taskid"),
    "value": (
        "value", "score", "rating", "grade", "points", "judgment", "judgement", "rawscore", "mark",
    ),
}  # fmt: skip
# Columns of answers to separate questions, which only --questions can name.
QUESTIONS = ("adequacy", "fluency", "accuracy", "meaning", "quality", "style", "terminology")
# Options by which a user says what the columns are.
TOLD = ("columns", *WIDE)


class Guess(NamedTuple):
    """The table with Jurat's columns added, and a note that shows the guess."""

    table: pl.DataFrame
    notes: tuple[str, ...] = ()


def with_guessed_columns(table: pl.DataFrame, intake: Intake) -> Guess:
    """The table with columns of Jurat's names, guessed where the user has not said them.

    Nothing is guessed if an option says what the columns are, or the table has Jurat's own. Raises
    `InputError` with the options to copy where a guess is not safe.
    """
    names = [name for name in table.columns if not hidden(name)]
    if any(getattr(intake, option) for option in TOLD) or {"value", "label"} & {*names}:
        return Guess(table)
    found = {own: _candidates(names, own) for own in NAMES}
    found["value"] = [name for name in found["value"] if _is_numeric(table[name])]
    told = _option({own: there[0] for own, there in found.items() if there})
    if len(found["value"]) != 1:
        _refuse(table, names, found["value"], told)
        return Guess(table)
    unclear = next((own for own, there in found.items() if len(there) > 1), None)
    if unclear:
        listed = " or ".join(f"'{name}'" for name in found[unclear])
        raise input_error(f"{unclear} may be {listed}; copy and correct: {told}")
    chosen = {own: there[0] for own, there in found.items() if there and there[0] != own}
    if not any(found[part] for part in ("item", *ITEM_PARTS[:3])):
        return Guess(table)
    question = pl.lit(found["value"][0]).alias("question")
    added = [pl.col(name).alias(own) for own, name in chosen.items()]
    guessed = table.with_columns(*added, *([] if "question" in names else [question]))
    return Guess(guessed, (f"columns are guessed from their names: {told}",))


def _candidates(names: Sequence[str], own: str) -> list[str]:
    """The columns that may be one of Jurat's; only itself, if it is there."""
    if own in names:
        return [own]
    plain = {name: re.sub(r"[\W_]", "", name).lower() for name in names}
    return [name for name in names if plain[name] in NAMES[own]]


def _is_numeric(values: pl.Series) -> bool:
    numbers = cast_column(values, pl.Float64)
    return numbers.null_count() == values.null_count() < len(values)


def _refuse(table: pl.DataFrame, names: Sequence[str], values: Sequence[str], told: str) -> None:
    """Raise `InputError` with what to copy, where columns look like answers but none is certain."""
    asked = [name for name in names if name.lower() in QUESTIONS and _is_numeric(table[name])]
    questions = f"--questions {','.join(map(_quoted, asked))}"
    if asked:
        raise input_error(f"no column is surely the judgments; copy: {told} {questions}".strip())
    if len(values) > 1:
        listed = ", ".join(f"'{name}'" for name in values)
        raise input_error(f"several columns may be the judgments ({listed}); copy: {told}")


def _option(chosen: Mapping[str, str]) -> str:
    mapped = ",".join(f"{own}={_quoted(name)}" for own, name in chosen.items() if own != name)
    return f"--columns {mapped}" if mapped else ""


def _quoted(name: str) -> str:
    return f"'`{name}`'" if re.search(r"[\s,+='\"`~]", name) else name
