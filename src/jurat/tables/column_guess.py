"""Guesses which columns of a user's table are Jurat's, from their names and contents.

A guess is used only where each column has one candidate and the values fit. It is always said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from jurat.errors import input_error
from jurat.tables.intake import WIDE, Intake
from jurat.tables.item_names import ITEM_PARTS
from jurat.tables.preferences import TIES
from jurat.tables.reshape import NOT_APPLICABLE
from jurat.tables.schema import cast_column, hidden, words

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
# Columns of rows that are errors, and of what each counts.
SEVERITIES = ("severity", "errorseverity", "severitylevel")
WEIGHTS = ("weight", "weights", "penalty", "errorweight")
# Names of columns of numbers that are no answers.
COUNTS = ("id", "rid", "hit", "batch", "repeat", "block", "line", "index", "year", "age", "n")
_NO_ANSWER = re.compile(
    r"(?i)(?:_|\b)(?:id|no|number|index|position|order|rank|seconds|time|start|end|at|count)$"
    r"|(?:Id|Start|End|Time|No)$|^(?:time|start|end|n_|num_)"
)
# Columns that a message lists.
MOST_NAMED = 12
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
    found = _found(table, names)
    told = _option({own: there[0] for own, there in found.items() if there})
    if len(found["value"]) != 1:
        _refuse(table, names, found)
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


def _found(table: pl.DataFrame, names: Sequence[str]) -> dict[str, list[str]]:
    """The columns that may be each of Jurat's."""
    found = {own: _candidates(names, own) for own in NAMES}
    found["value"] = [name for name in found["value"] if _is_numeric(table[name])]
    # ids of items are often counted anew in every document, and then name a segment of it
    if found["document"] and not found["segment"] and "item" not in names:
        found["segment"], found["item"] = found["item"], []
    return found


def _candidates(names: Sequence[str], own: str) -> list[str]:
    """The columns that may be one of Jurat's; only itself, if it is there."""
    if own in names:
        return [own]
    # beside `src`, `mt` is the text of a translation, as in COMET's files
    texts = {"mt"} if own == "system" and "src" in names else set()
    return [name for name in names if _bare(name) in NAMES[own] and name not in texts]


def _bare(name: str) -> str:
    """A name in lower case, without signs and without a scale behind it: `Score (0-100)`."""
    return re.sub(r"\([^)]*\)|[\W_]", "", name).lower()


def _is_numeric(values: pl.Series) -> bool:
    numbers = cast_column(values, pl.Float64)
    return numbers.null_count() == values.null_count() < len(values)


def _has_numbers(values: pl.Series) -> bool:
    """Whether most of what a column holds are numbers, not counting NA; the rest may be a dash."""
    numbers = cast_column(values, pl.Float64)
    missing = words(values).str.to_lowercase().is_in([*NOT_APPLICABLE, "nan"]).sum()
    told = len(values) - values.null_count() - missing
    # where nothing but NA was answered, the question was asked nevertheless
    return 2 * (len(numbers) - numbers.null_count()) > told or 0 == told < missing


def _refuse(table: pl.DataFrame, names: Sequence[str], found: Mapping[str, Sequence[str]]) -> None:
    """Raise `InputError` with what to copy, where columns look like answers but none is certain.

    Nothing is raised where none does.
    """
    _refuse_heading(names)
    keys = {own: there[0] for own, there in found.items() if there and own != "value"}
    taken = {name for there in found.values() for name in there}
    free = [name for name in names if name not in taken and not _is_count(name)]
    numbers = [name for name in free if _has_numbers(table[name])]
    asked = [name for name in numbers if name.lower() in QUESTIONS]
    options = (
        _several(found["value"], keys)
        or _pairs(table, names, keys)
        or _errors(table, names, keys)
        or (asked and _wide(asked, numbers, keys))
        or (numbers and _numbers(numbers, keys))
    )
    if options:
        raise input_error(f"no column is surely the judgments; {options}")


def _refuse_heading(names: Sequence[str]) -> None:
    """Raise `InputError` if what names the columns does not look like a heading."""
    if len(names) == 1 and re.search(r"[|\s:]", names[0]):
        message = (
            f"the file has one column, '{names[0]}'; separate columns by commas, semicolons or tabs"
        )
        raise input_error(message)
    numbers = [name for name in names if re.fullmatch(r"[+-]?\d+([.,]\d+)?", name)]
    if numbers:
        told = f"'{numbers[0]}' stands where a column's name should be"
        header = ",".join(f"name{n}" for n in range(1, min(len(names), MOST_NAMED) + 1))
        said = "or say with --columns what they hold"
        raise input_error(f"{told}; name the columns with --header {header}, {said}")
    if f"column_{len(names)}" in names:
        message = "the first line does not name all columns; remove what stands above the heading"
        raise input_error(message)


def _several(values: Sequence[str], keys: Mapping[str, str]) -> str:
    """What to copy where several columns may be the judgments."""
    if len(values) < 2:
        return ""
    listed = " and ".join(f"'{name}'" for name in values)
    return f"{listed} both may be; copy and correct: {_option({**keys, 'value': values[0]})}"


def _pairs(table: pl.DataFrame, names: Sequence[str], keys: Mapping[str, str]) -> str:
    """What to copy where a column says which of two systems is preferred, or neither."""
    for name in (n for n in names if n not in keys.values() and table[n].dtype == pl.String):
        answers = table[name].drop_nulls().unique().sort().to_list()
        systems = [each for each in answers if each.lower() not in TIES]
        if len(systems) == 2 and len(answers) == 3:
            first, second = (f"'{each}'" for each in systems)
            sides = f"outcome={_quoted(name)},system_a={first},system_b={second}"
            mapped = _option({own: n for own, n in keys.items() if own != "system"})
            return f"'{name}' holds preferences; copy: --columns \"{_joined(mapped, sides)}\""
    return ""


def _joined(mapped: str, more: str) -> str:
    """The parts of a column map in one."""
    return ",".join(filter(None, (mapped.removeprefix("--columns "), more)))


def _errors(table: pl.DataFrame, names: Sequence[str], keys: Mapping[str, str]) -> str:
    """What to copy where rows are errors, which are added up."""
    severity = next((name for name in names if _bare(name) in SEVERITIES), None)
    if severity is None:
        return ""
    weight = next((n for n in names if _bare(n) in WEIGHTS and _is_numeric(table[n])), None)
    added = f"--sum {weight}" if weight else f"--sum {severity} --weights minor=1,major=5"
    return f"rows are errors, to be added up; copy: {_option(keys)} {added}".replace(":  ", ": ")


def _wide(asked: Sequence[str], numbers: Sequence[str], keys: Mapping[str, str]) -> str:
    """What to copy where columns are answers to questions."""
    others = [name for name in numbers if name not in asked]
    more = f" (other numbers: {', '.join(others)})" if others else ""
    options = f"{_option(keys)} --questions {','.join(map(_quoted, asked))}"
    return f"copy: {options.strip()}{more}"


def _numbers(numbers: Sequence[str], keys: Mapping[str, str]) -> str:
    """What to copy where nothing but its numbers tells what a column holds."""
    one = f"copy and correct: {_option({**keys, 'value': numbers[0]})}"
    if len(numbers) == 1:
        return one
    more = len(numbers) - MOST_NAMED
    listed = ",".join(map(_quoted, numbers[:MOST_NAMED])) + (
        f" and {more} more" if more > 0 else ""
    )
    return (
        f"{one}; where each of {listed} is a question, a system or a judge, "
        f"--questions, --systems or --judges takes that list"
    )


def _is_count(name: str) -> bool:
    """Whether a column of numbers is named like an id, a position or a time, and not an answer."""
    return bool(_NO_ANSWER.search(name)) or _bare(name) in COUNTS


def _option(chosen: Mapping[str, str]) -> str:
    mapped = ",".join(f"{own}={_quoted(name)}" for own, name in chosen.items() if own != name)
    return f"--columns {mapped}" if mapped else ""


def _quoted(name: str) -> str:
    return f"'`{name}`'" if re.search(r"[\s,+='\"`~]", name) else name
