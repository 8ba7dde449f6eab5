"""The long tables: their columns with types and meanings, and conversion to them.

Every answer becomes rows of `judgments` or of another of these tables, and every statistic is
computed from them. Columns that are not listed here are tags.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import polars as pl

from jurat import errors
from jurat.errors import Problem, raise_problems

# Hidden columns of a frame that was read from a file: where each row comes from. No column of a
# file can have such a name, because NUL is not allowed in names and texts.
FILE = "\0file"
LINE = "\0line"
# The prefix of the file's columns while they are in one frame with Jurat's.
OF_FILE = "\0of file "

TIME = pl.Datetime("us", "UTC")
STATUSES = ("valid", "superseded", "adjudicated", "excluded")
PHASES = ("tutorial", "evaluation")
FLAG_KINDS = ("source-broken", "cannot-judge", "comment")
OUTCOMES = ("a", "b", "tie", "good", "bad")
FATES = ("kept", "changed", "removed", "added")
# The column that says that a row counts for several systems, whose names are joined by `+`.
SAME_OUTPUT = "same_output"
# How times are written: UTC, to the microsecond.
ISO = "%Y-%m-%dT%H:%M:%S%.6fZ"

# Rows with the same problem that are listed; the others are only counted.
MOST = 10


class Column(NamedTuple):
    """A column of a long table; `allowed` lists its values if they are fixed."""

    name: str
    type: pl.DataType | type[pl.DataType]
    meaning: str
    allowed: tuple[str, ...] = ()


class Table(NamedTuple):
    """A long table: its name, its columns in order, and the columns that are required."""

    name: str
    columns: tuple[Column, ...]
    needed: tuple[str, ...]

    @property
    def schema(self) -> dict[str, pl.DataType | type[pl.DataType]]:
        """Column types by name."""
        return {column.name: column.type for column in self.columns}


_PLACE = (
    Column("campaign", pl.String, "the campaign"),
    Column("task", pl.String, "the task, with its protocol"),
    Column("phase", pl.String, "tutorial or evaluation", PHASES),
    Column("judge", pl.String, "who judged"),
    Column("item", pl.String, "what was judged in one decision"),
    Column("document", pl.String, "the document"),
    Column("segment", pl.String, "the segment of the document"),
)
_DECISION = (
    Column("position", pl.Int64, "the number of this decision among the judge's, from 1"),
    Column("shown_at", TIME, "when the item was shown (UTC)"),
    Column("decided_at", TIME, "when the answer was given (UTC)"),
    Column("seconds", pl.Float64, "seconds from shown to decided"),
    Column("active_seconds", pl.Float64, "the same, without the time when the page was hidden"),
    Column("played_seconds", pl.Float64, "how long the item's video or audio was playing"),
    Column(
        "status",
        pl.String,
        "whether the row counts",
        STATUSES,
    ),
    Column("probability", pl.Float64, "how likely the kit was to be chosen, of those open then"),
    Column(
        SAME_OUTPUT,
        pl.Boolean,
        "whether systems with the same output are joined by +; the row counts for each of them",
    ),
)
_SYSTEM = Column("system", pl.String, "the system that translated")
_REFERENCE = Column("reference", pl.String, "the references shown, joined by +")
_QUESTION = Column("question", pl.String, "what was asked")


def _answers(name: str, *own: Column, needed: tuple[str, ...]) -> Table:
    """A table of answers about one system's translation; `own` are columns of the answer."""
    return Table(name, (*_PLACE, _SYSTEM, _REFERENCE, _QUESTION, *own, *_DECISION), needed)


JUDGMENTS = _answers(
    "judgments",
    Column("value", pl.Float64, "the answer as a number, higher is better"),
    Column("label", pl.String, "the answer in words"),
    Column("na", pl.Boolean, "whether the answer was 'not applicable'"),
    needed=("item", "question"),
)
PREFERENCES = Table(
    "preferences",
    (
        *_PLACE,
        _REFERENCE,
        _QUESTION,
        Column("system_a", pl.String, "the first of the two, as shown"),
        Column("system_b", pl.String, "the second of the two"),
        Column("outcome", pl.String, "which is better, or what kind of tie", OUTCOMES),
        *_DECISION,
    ),
    needed=("system_a", "system_b", "outcome"),
)
RANKINGS = _answers(
    "rankings",
    Column("slot", pl.Int64, "its position on the screen, from 1"),
    Column("rank", pl.Int64, "its rank; 1 is best, ties share a rank"),
    needed=("item", "system", "rank"),
)
_IN_SOURCE = (
    Column("source_start", pl.Int64, "first code point of the error in the source, from 0"),
    Column("source_end", pl.Int64, "the code point after its last"),
)
_SUGGESTED = (
    Column("suggestion", pl.Int64, "the number of the suggestion on its screen, from 1"),
    Column("suggested_by", pl.String, "who had marked it before the judge"),
)
SPANS = _answers(
    "spans",
    Column("start", pl.Int64, "first code point of the error in the translation, from 0"),
    Column("end", pl.Int64, "the code point after its last"),
    Column("severity", pl.String, "the severity of the error"),
    Column("category", pl.String, "the category of the error"),
    Column("missing", pl.Boolean, "whether something is missing there"),
    Column("weight", pl.Float64, "how much it lowers the score"),
    *_IN_SOURCE,
    Column("comment", pl.String, "what the judge said about the error"),
    *_SUGGESTED,
    Column("fate", pl.String, "what became of a suggestion; added: the judge's own", FATES),
    needed=("item", "start", "end", "severity"),
)
SUGGESTIONS = _answers(
    "suggestions",
    Column("start", pl.Int64, "first code point of what was suggested, from 0"),
    Column("end", pl.Int64, "the code point after its last"),
    Column("severity", pl.String, "the severity that was suggested"),
    Column("category", pl.String, "the category that was suggested"),
    Column("missing", pl.Boolean, "whether something was said to be missing there"),
    Column("weight", pl.Float64, "how much it would lower the score"),
    *_IN_SOURCE,
    *_SUGGESTED,
    Column("fate", pl.String, "what became of it", FATES[:3]),
    needed=("item", "start", "end", "fate"),
)
TEXTS = _answers(
    "texts",
    Column("text", pl.String, "a comment, a reason, a post-edit"),
    needed=("item", "text"),
)
FLAGS = Table(
    "flags",
    (
        *_PLACE,
        Column("system", pl.String, "the system that translated; joined by + where several are"),
        Column("flag", pl.String, "what the judge said about the item itself", FLAG_KINDS),
        Column("comment", pl.String, "the judge's words"),
        Column("skipped", pl.Boolean, "whether the judge skipped the item for that"),
        *_DECISION,
    ),
    needed=("item", "flag"),
)
SCORES = Table(
    "scores",
    (
        Column("document", pl.String, "the document"),
        Column("segment", pl.String, "the segment; empty for a score of the whole system"),
        _SYSTEM,
        Column("reference", pl.String, "the reference that the metric used"),
        Column("metric", pl.String, "the metric"),
        Column("value", pl.Float64, "the score"),
    ),
    needed=("system", "metric", "value"),
)
TABLES = {
    t.name: t for t in (JUDGMENTS, PREFERENCES, RANKINGS, SPANS, SUGGESTIONS, TEXTS, FLAGS, SCORES)
}


def conform(frame: pl.DataFrame, table: Table) -> pl.DataFrame:
    """The frame with the table's columns first, in order and converted to their types, then tags.

    Columns that the frame lacks are not added. Raises `InputError` for missing required columns
    and for values that cannot be converted, with their lines if the frame comes from a file.
    """
    need(frame, table.needed, table.name)
    known = [column for column in table.columns if column.name in frame.columns]
    cast = {column.name: cast_column(frame[column.name], column.type) for column in known}
    raise_problems(
        [problem for column in known for problem in _misfits(frame, cast[column.name], column)]
    )
    tags = [name for name in frame.columns if name not in table.schema]
    return frame.select(*cast.values(), *tags)


def hidden(name: str) -> bool:
    """Whether a column is one of Jurat's hidden columns, not one of the user's."""
    return name.startswith("\0")


def need(frame: pl.DataFrame, names: Iterable[str], what: str) -> None:
    """Raise `InputError` if the frame lacks one of the columns that `what` needs."""
    there = tuple(name for name in frame.columns if not hidden(name))
    # an option is singular, the name of a table plural
    verb = "needs" if what.startswith("--") else "need"
    problems = [
        Problem(
            message=f"{what} {verb} a column '{name}', which is missing", value=name, allowed=there
        )
        for name in names
        if name not in there
    ]
    raise_problems(problems)


def faulty_rows(
    frame: pl.DataFrame, wrong: pl.Series, message: str, column: str, **more: Any
) -> list[Problem]:
    """A problem for each of the first rows where `wrong` is true; `{}` stands for the value.

    `more` are fields of `Problem` that override those of the row.
    """
    if not wrong.any():
        return []
    rows = frame.select(c for c in (FILE, LINE, column) if c in frame.columns).filter(wrong)
    # field and value through `changed`, since `more` may have them, too
    problems = [
        Problem(
            message=message.format(_brief(row[column])), file=row.get(FILE), line=row.get(LINE)
        ).changed(**{"field": column, "value": str(row[column]), **more})
        for row in rows.head(MOST).iter_rows(named=True)
    ]
    return shortened(problems, rows.height)


def _brief(value: object) -> str:
    """The value as a message has it: a whole text in one field would fill the screen."""
    return errors.shortened(str(value))


def shortened(problems: list[Problem], count: int) -> list[Problem]:
    """The first `MOST` problems, and one with the number of the others."""
    more = count - MOST
    if more <= 0:
        return problems
    return [
        *problems[:MOST],
        Problem(message=f"and {more:,} more like this", file=problems[0].file),
    ]


def cast_column(values: pl.Series, wanted: pl.DataType | type[pl.DataType]) -> pl.Series:
    """The values converted to the wanted type; null where that is not possible."""
    values = plain(values)
    # floats are converted again, because infinities become null
    if values.dtype == wanted and wanted != pl.Float64:
        return values
    if wanted == TIME:
        return _times(values)
    if wanted == pl.String:
        return words(values)
    if wanted == pl.Boolean:
        # spreadsheets write TRUE, people write yes
        small = words(values).str.strip_chars().str.to_lowercase()
        return small.replace_strict(TRUTH, default=None, return_dtype=pl.Boolean)
    return _whole(values) if wanted == pl.Int64 else _number(values)


def plain(values: pl.Series) -> pl.Series:
    """The values, with categories as texts and NaN as null."""
    if values.dtype in (pl.Categorical, pl.Enum, pl.Null):
        return values.cast(pl.String)
    return values.fill_nan(None) if values.dtype.is_float() else values


TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _number(values: pl.Series) -> pl.Series:
    if values.dtype == pl.String:
        number = values.str.strip_chars().cast(pl.Float64, strict=False)
    elif values.dtype.is_numeric() or values.dtype == pl.Boolean:
        number = values.cast(pl.Float64, strict=False)
    else:
        return pl.repeat(None, len(values), dtype=pl.Float64, eager=True).alias(values.name)
    # polars reads "inf" and "nan" as numbers
    finite = number.is_finite()
    return number if finite.all() else number.set(~finite.fill_null(value=False), None)


def _whole(values: pl.Series) -> pl.Series:
    """Whole numbers, even if written 3.0; exact even if too long for a float."""
    if values.dtype.is_integer():
        return values.cast(pl.Int64, strict=False)
    number = _number(values)
    number = number.set((number % 1 != 0).fill_null(value=True), None)
    rounded = number.cast(pl.Int64, strict=False)
    if values.dtype != pl.String:
        return rounded
    # directly from the text where possible: a float would lose digits beyond 2^53
    return values.str.strip_chars().cast(pl.Int64, strict=False).fill_null(rounded)


def words(values: pl.Series) -> pl.Series:
    """The values as texts; whole numbers without `.0`, so that ids are the same in all formats."""
    values = plain(values)
    # beyond 2^53 floats are not exact
    if values.dtype.is_float() and ((values % 1 == 0) & (values.abs() < 2**53)).all():
        return values.cast(pl.Int64).cast(pl.String)
    if values.dtype == pl.Datetime:
        return _times(values).dt.to_string(ISO)
    return values.cast(pl.String)


_ISO = (
    r"^(?<day>\d{4}-\d\d-\d\d)(?:[Tt ](?<time>\d\d:\d\d)(?<rest>:\d\d(?:[.,]\d+)?)?"
    r" ?(?<zone>[Zz]|[+-]\d\d(?::?\d\d)?|UTC)?)?$"
)
# Unix seconds of the years 1 and 9999; a number outside may be milliseconds.
_FIRST, _LAST = -62_135_596_800, 253_402_300_799


def _times(values: pl.Series) -> pl.Series:
    """Times from Unix seconds or ISO 8601 (UTC if there is no zone)."""
    if values.dtype == pl.Datetime:
        zoned = getattr(values.dtype, "time_zone", None)
        times = values.dt.convert_time_zone if zoned else values.dt.replace_time_zone
        return times("UTC").cast(TIME)
    if values.dtype == pl.Date:
        return values.cast(pl.Datetime("us")).dt.replace_time_zone("UTC")
    seconds = _number(values)
    seconds = seconds.set(~seconds.is_between(_FIRST, _LAST).fill_null(value=False), None)
    micros = (seconds * 1e6).round().cast(pl.Int64)
    stamps = micros.cast(pl.Datetime("us")).dt.replace_time_zone("UTC").alias(values.name)
    # the regular expression is slow: it is skipped where all values were Unix seconds
    if values.dtype != pl.String or seconds.null_count() == values.null_count():
        return stamps
    return stamps.fill_null(_iso_times(values)).alias(values.name)


def _iso_times(values: pl.Series) -> pl.Series:
    """Times from texts: a day, or a day and a time, with seconds, fraction and zone optional."""
    parts = values.str.strip_chars().str.extract_groups(_ISO).struct.unnest()
    zone = pl.col("zone").str.to_uppercase().replace("UTC", "Z").fill_null("Z")
    # all parts are filled in, so that one format fits every value
    full = pl.concat_str(
        pl.col("day"),
        pl.lit("T"),
        pl.col("time").fill_null("00:00"),
        pl.col("rest").str.replace(",", ".").fill_null(":00"),
        pl.when(zone.str.len_chars() == 3).then(zone + ":00").otherwise(zone),
    )
    # `%+` is RFC 3339 with an optional fraction and a zone
    times = parts.select(full.str.to_datetime("%+", time_unit="us", strict=False)).to_series()
    return times.set(~times.dt.year().is_between(1, 9999).fill_null(value=False), None)


def _misfits(frame: pl.DataFrame, after: pl.Series, column: Column) -> list[Problem]:
    before = plain(frame[column.name])
    if before.dtype == pl.String == column.type and not column.allowed:
        return []
    lost = before.is_not_null() & after.is_null()
    # blanks alone are a missing value, not a wrong one
    if before.dtype == pl.String:
        lost &= before.str.strip_chars() != ""
    if column.allowed:
        lost |= after.is_not_null() & ~after.is_in(column.allowed)
        return faulty_rows(
            frame, lost, "'{}' is not allowed here", column.name, allowed=column.allowed
        )
    kind = _WORDS.get(str(column.type), "time (ISO 8601 or Unix seconds)")
    return faulty_rows(frame, lost, f"'{{}}' is not a {kind}", column.name)


_WORDS = {
    "Float64": "number",
    "Int64": "whole number",
    "Boolean": "truth value (true, false)",
    "String": "text",
}
