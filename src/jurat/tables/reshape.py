"""Reshapes tables: columns to rows, answers to numbers, rows to sums, scales to other scales."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import polars as pl

from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.tables.schema import LINE, OF_FILE, cast_column, faulty_rows, plain, words

NOT_APPLICABLE = ("na", "n/a", "n.a.", "not applicable")
NA_LABEL = "n/a"
# `--sum` adds up rows that agree in these.
ADDED = ("judge", "item", "system", "question")

_DATE = "'{}' is a date, not a judgment; name the right column with --columns value=…"
_ID = "'{}' is too large for a judgment; name the right column with --columns value=…"
_COMMA = "'{}' has a comma: write thousands without a separator, and decimals with a point"
_SIGNS = "'{}' has signs beside its number; write the number alone"
# Answers in these notations are refused with what to write instead; the first that fits counts.
NOTATIONS: Mapping[str, str] = {
    r"^[+-]?\d[\d.,]*\s?[%％]$": "'{}' has a percent sign; write the number without it",
    r"^[+-]?\d{1,3}(,\d{3})+$": _COMMA,
    r"^[+-]?\d+,\d+$": "'{}' has a decimal comma; write it with a point",
    r"^[+-]?\d{1,3}([.,'’\s]\d{3})+([.,]\d+)?$": "'{}' has thousands separators; leave them out",
    r"(?i)^[+-]?(inf|infinity|∞)$": "'{}' is infinite; leave missing answers empty",
    r"^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?$": _DATE,
    r"^\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d\d)$": _DATE,
    # what spreadsheets make of 3-1
    r"(?i)^\d{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(-\d{2,4})?$": _DATE,
    r"^\d+([.,]\d+)?\s*[/⁄]\s*\d+$": "'{}' is a fraction; write the number of points alone",
    r"^[+-]?([0-9]{16,}|[0-9]+(\.[0-9]*)?[eE]\+?[0-9]{3,})$": _ID,
    r"^[\p{Sc}\[({<>≤≥~≈=]\s?[+-]?\d+([.,]\d+)?[\])}]?$": _SIGNS,
    r"^[+-]?\d+([.,]\d+)?\s?\p{Sc}$": _SIGNS,
    r"^[-–−]?\p{Nd}+([.,٫]\p{Nd}+)?$": "'{}' is not written with 0 to 9, and - for minus",
}
# Words that programs and people write for a missing answer; among words they may be answers.
MISSING = r"(?i)^(null|none|nil|missing|#n/a|#value!|#div/0!|[-–—]+|\?+|\.+)$"
UNANSWERED = "'{}' is a word among numbers; leave missing answers empty, or write n/a"
MIXED = "'{}' is a word among numbers"
HEADING = "'{}' is the column's name: the heading stands here again"
# Whole numbers below this one are exact as floating-point numbers.
EXACT = 2**53

# Words that a message tells how to weight.
MOST_WORDS = 6

# The hidden column of answers that are words, until rows are selected.
WORD = "\0word"


def lengthen(frame: pl.DataFrame, columns: Mapping[str, pl.Series], name: str) -> pl.DataFrame:
    """The frame with a row for each of the columns: its name in `name`, its value in `value`."""
    kept = frame.drop(name, "value", strict=False)
    # columns of different types have to become texts
    alike = len({series.dtype for series in columns.values()}) == 1
    pieces = [
        kept.with_columns(
            pl.repeat(title, frame.height, eager=True).alias(name),
            (series if alike else words(series)).alias("value"),
        )
        for title, series in columns.items()
    ]
    return pl.concat(pieces)


def answered(frame: pl.DataFrame, *, keep_empty: bool = False) -> pl.DataFrame:
    """The frame with answers as `value`, `label` and `na` (not applicable).

    Rows without an answer are dropped, unless `keep_empty`: for `--sum` they show that an item was
    judged and no error found.
    """
    raw = plain(frame["value"])
    number = _exact(raw, cast_column(raw, pl.Float64))
    word, na = _words(raw, number)
    label = word.set(na, NA_LABEL)
    full = _with_answers(frame, number, label, na).with_columns(word.alias(WORD))
    told = pl.col("value").is_not_null() | pl.col("label").is_not_null() | pl.col("na")
    return full if keep_empty else full.filter(told)


def _exact(raw: pl.Series, number: pl.Series) -> pl.Series:
    """The numbers, null where a whole number of the file is too large to be exact."""
    large = (number.abs() >= EXACT).fill_null(value=False)
    if not large.any() or raw.dtype.is_float():
        return number
    # 1e30 was never meant to be exact
    return number.set(large & words(raw).str.contains(r"^\s*[+-]?\d+\s*$"), None)


def _words(raw: pl.Series, number: pl.Series) -> tuple[pl.Series, pl.Series]:
    """The answers that are words, and which of them mean "not applicable"."""
    if number.null_count() == raw.null_count():  # only numbers, as in Jurat's own tables
        none = pl.repeat(None, len(raw), dtype=pl.String, eager=True)
        return none, pl.repeat(value=False, n=len(raw), eager=True)
    text = words(raw.set(number.is_not_null(), None)).str.strip_chars()
    text = text.set((text == "").fill_null(value=True), None)
    small = text.str.to_lowercase()
    na = small.is_in(NOT_APPLICABLE).fill_null(value=False)
    # `nan` is how numpy and pandas write a missing value, not a word
    return text.set((na | (small == "nan")).fill_null(value=False), None), na


def _with_answers(
    frame: pl.DataFrame, number: pl.Series, label: pl.Series, na: pl.Series
) -> pl.DataFrame:
    """The frame with the three columns; the file's own labels and `na` are kept."""
    if "label" in frame.columns:
        label = words(frame["label"]).fill_null(label)
    if "na" in frame.columns:
        own = cast_column(frame["na"], pl.Boolean)
        strange = frame["na"].is_not_null() & own.is_null()
        raise_problems(faulty_rows(frame, strange, "'{}' is not a truth value (true, false)", "na"))
        na = own.fill_null(na) | na
    # "not applicable" has no number, whatever the file says
    number = number.set(na, None)
    return frame.with_columns(number.alias("value"), label.alias("label"), na.alias("na"))


def refuse_mixture(frame: pl.DataFrame, *, numbers_only: bool = False) -> pl.DataFrame:
    """The frame without hidden words; raises `InputError` for words among a question's numbers.

    Words that look like a number or a date in another notation are always an error, and with
    `numbers_only` any word is.
    """
    if frame[WORD].null_count() == frame.height:
        return frame.drop(WORD)
    word = frame[WORD].str.strip_chars()
    problems: list[Problem] = []
    left = word.is_not_null()
    for pattern, message in NOTATIONS.items():
        alike = left & word.str.contains(pattern).fill_null(value=False)
        problems += faulty_rows(frame, alike, message, WORD, field="value")
        left &= ~alike
    numbers = frame.select(pl.col("value").is_not_null().any().over("question")).to_series()
    mixed = left if numbers_only else left & numbers
    if numbers_only and not numbers.any():
        _refuse_unweighted(word.filter(mixed))
    missing = mixed & word.str.contains(MISSING).fill_null(value=False)
    problems += faulty_rows(frame, missing, UNANSWERED, WORD, field="value")
    heading = mixed & (word == frame["question"]).fill_null(value=False)
    problems += faulty_rows(frame, heading, HEADING, WORD, field="value")
    problems += faulty_rows(frame, mixed & ~missing & ~heading, MIXED, WORD, field="value")
    raise_problems(problems)
    return frame.drop(WORD)


def _refuse_unweighted(found: pl.Series) -> None:
    """Raise `InputError` if words alone are to be added up, as in a column of severities."""
    named = found.unique(maintain_order=True).head(MOST_WORDS).to_list()
    if named:
        weights = ",".join(f"{word}=…" for word in named)
        message = f"--sum adds up numbers, and '{named[0]}' is a word; write --weights {weights}"
        raise input_error(message, value=named[0])


def added_up(frame: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    """Values summed per judge and item; 0 for items of `judged` that have no row in `frame`.

    Columns that differ between the rows of one sum, such as an error's category, are dropped.
    """
    keys = judged.select(name for name in ADDED if name in judged.columns)
    sums = frame.group_by(keys.columns).agg(pl.col("value").sum())
    # a sum has no line of its own
    rest = judged.drop("value", "label", "na", LINE, *keys.columns, strict=False)
    told = rest.drop(differing(keys, rest.to_dict()))
    universe = pl.concat([keys, told], how="horizontal").unique(
        keys.columns, keep="first", maintain_order=True
    )
    full = universe.join(sums, on=keys.columns, how="left", nulls_equal=True, maintain_order="left")
    none = pl.lit(None, dtype=pl.String)
    return full.with_columns(
        pl.col("value").fill_null(0.0), none.alias("label"), pl.lit(value=False).alias("na")
    )


def differing(keys: pl.DataFrame, columns: Mapping[str, pl.Series]) -> list[str]:
    """The names of columns that differ between rows with the same keys."""
    if not columns:
        return []
    group = keys.with_row_index(_GROUP).select(pl.col(_GROUP).first().over(keys.columns))
    # a column that is constant within groups adds no distinct rows to the groups themselves
    count = group[_GROUP].n_unique()
    return [
        name for name, series in columns.items() if group.with_columns(series).n_unique() > count
    ]


_GROUP = "\0group"


# The new values of the points 1, 2, 3…: TAP-ET's five points, and the three of Hamon et al.
NAMED: Mapping[str, tuple[float, ...]] = {"7to5": (1, 2, 2, 3, 4, 4, 5), "5to3": (1, 1, 2, 3, 3)}


def fold(frame: pl.DataFrame, text: str) -> pl.DataFrame:
    """The frame with values mapped by a fold.

    A fold is `7to5`, `1,1,2,3,3` (from point 1 on), `A=3,B=2,C=1`, or ranges: `0-49=1,50-100=2`.
    """
    text = text.strip()
    if "=" in text:
        pairs = _pairs(text)
        ranges = {m: new for old, new in pairs.items() if (m := _range(old, text))}
        points = {old: new for old, new in pairs.items() if not _range(old, text)}
        return _folded(frame, points, ranges)
    points_in_order = NAMED.get(text) or _points(text)
    return _folded(frame, {str(n): point for n, point in enumerate(points_in_order, 1)}, {})


# The lowest and the highest value of a range, both included.
Range = tuple[float, float]
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)\s*[-–]\s*(-?\d+(?:\.\d+)?)")


def _range(old: str, text: str) -> Range | None:
    """A range of values, `0-49`; raises `InputError` if it is empty."""
    found = _RANGE.fullmatch(old)
    if not found:
        return None
    low, high = float(found[1]), float(found[2])
    if low > high:
        raise input_error(f"the range '{old}' in the fold '{text}' is empty", value=old)
    return low, high


def _folded(
    frame: pl.DataFrame, pairs: Mapping[str, float], ranges: Mapping[Range, float]
) -> pl.DataFrame:
    """The frame with mapped values; raises `InputError` for answers that are not in the map."""
    answers = _answers(frame)
    value = answers.replace_strict(pairs, default=None, return_dtype=pl.Float64)
    for (low, high), new in ranges.items():
        inside = frame["value"].is_between(low, high).fill_null(value=False)
        if (inside & value.is_not_null()).any():
            raise input_error(f"two parts of the fold hold a value from {low:g} to {high:g}")
        value = value.set(inside, new)
    # one problem per value, not per row: there may be thousands of rows
    strange = answers.is_not_null() & value.is_null() & answers.is_first_distinct()
    named = frame.with_columns(answers.alias(_ANSWER))
    allowed = (*pairs, *(f"{low:g}-{high:g}" for low, high in ranges))
    told = {"field": "value", "allowed": allowed}
    raise_problems(faulty_rows(named, strange, "the fold has no value for '{}'", _ANSWER, **told))
    return frame.with_columns(value.alias("value"))


def weighted(values: pl.Series, text: str) -> pl.Series:
    """Words as numbers, by `minor=1,major=5`; capitals do not matter, and empty cells stay empty.

    Raises `InputError` for words without a weight.
    """
    weights = {word.lower(): weight for word, weight in _pairs(text, what="weights").items()}
    small = words(values).str.strip_chars().str.to_lowercase()
    small = small.set((small == "").fill_null(value=False), None)
    unknown = small.drop_nulls().unique(maintain_order=True).to_list()
    for word in unknown:
        if word not in weights:
            field = values.name.removeprefix(OF_FILE)
            raise unknown_name("word, which has no weight,", word, weights, field=field)
    return small.replace_strict(weights, default=None, return_dtype=pl.Float64)


_ANSWER = "\0answer"


def _answers(frame: pl.DataFrame) -> pl.Series:
    """The answers as texts: the number if there is one, else the label."""
    # users write the map with 5, and the value is 5.0
    number = frame["value"].cast(pl.String).str.replace(r"\.0$", "")
    return number.fill_null(frame["label"].set(frame["na"], None))


def _points(text: str) -> tuple[float, ...]:
    return tuple(_number(part, text) for part in text.split(","))


def _pairs(text: str, *, what: str = "fold") -> dict[str, float]:
    found: dict[str, float] = {}
    for pair in text.split(","):
        old, equals, new = (part.strip() for part in pair.partition("="))
        if not equals or not old:
            raise _unreadable(text, what)
        if old in found:
            raise input_error(f"the {what} '{text}' maps '{old}' twice")
        found[old] = _number(new, text, what)
    return found


def _number(part: str, text: str, what: str = "fold") -> float:
    try:
        number = float(part)
    except ValueError:
        raise _unreadable(text, what) from None
    if not math.isfinite(number):
        raise _unreadable(text, what)
    return number


def _unreadable(text: str, what: str) -> InputError:
    if what != "fold":
        return input_error(f"'{text}' are no {what}; write them as minor=1,major=5", value=text)
    forms = (*NAMED, "1,1,2,3,3", "A=3,B=2,C=1", "0-49=1,50-100=2")
    return input_error(f"'{text}' is not a fold", value=text, allowed=forms)
