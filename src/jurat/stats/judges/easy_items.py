"""Which items are easy, so that a careful judge gives them the top: by a rule, or a condition.

- `length=5`: at most five words (column `length` or `words`, else the words of a text).
- `frequency=3`: of a sentence that three or more segments have in common.
- `genre=weather`: a tag, that is a column with this value.
- anything else is a condition, as in `--where`.

A column of its own is named after a colon: `length:source=5`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from jurat.errors import input_error, unknown_name
from jurat.stats.judges.judge_ratings import rows_fulfilling
from jurat.tables.schema import words

RULE = re.compile(r"\s*(?P<name>\w+)\s*(?::\s*(?P<column>\w+)\s*)?=(?!=)\s*(?P<value>[^=<>!]+)")
# Columns that tell the length of an item, and those whose words are counted.
LENGTHS = ("length", "words")
TEXTS = ("source", "translation", "target", "hypothesis", "text")
# What tells segments apart, whose sentences may be the same.
SEGMENT = ("document", "segment")
MARKS = r"[^\w\s]"


class EasyRule(NamedTuple):
    """A rule of one word: `length`, `frequency`, or the name of a column of tags."""

    name: str
    column: str
    value: str

    @classmethod
    def of(cls, text: str) -> EasyRule | None:
        """The rule that a text names; None for a condition."""
        found = RULE.fullmatch(text)
        return cls(found["name"], found["column"] or "", found["value"].strip()) if found else None

    @property
    def is_number(self) -> bool:
        """Whether the value is a number."""
        return re.fullmatch(r"\d+(\.\d+)?", self.value) is not None

    @property
    def number(self) -> float:
        """The value as a number; raises `InputError` if it is none."""
        if not self.is_number:
            message = f"{self.name} takes a number, as in {self.name}=5"
            raise input_error(message, field="easy", value=self.value)
        return float(self.value)


def easy_rows(rows: pl.DataFrame, text: str) -> pl.Series:
    """Which rows are about easy items, by a rule or a condition.

    Raises `InputError` where the table has no column for it.
    """
    rule = EasyRule.of(text)
    if rule is None:
        return rows_fulfilling(text, rows)
    # the lengths of some tables are words, such as `short`
    tagged = rule.name in rows.columns and not rule.is_number
    if rule.name == "length" and not tagged:
        easy = _words(rows, rule) <= rule.number
    elif rule.name == "frequency" and not tagged:
        easy = _frequency(rows, rule) >= rule.number
    elif rule.name in rows.columns:
        easy = words(rows[rule.name]) == rule.value
    else:
        allowed = ["length", "frequency", "list", *rows.columns]
        raise unknown_name("rule or column", rule.name, allowed, field="easy")
    return easy.fill_null(value=False)


def _words(rows: pl.DataFrame, rule: EasyRule) -> pl.Series:
    """The length of each item: a number, or the words of a text."""
    column = rows[_column(rows, rule, (*LENGTHS, *TEXTS))]
    if column.dtype != pl.String:
        return column.cast(pl.Float64)
    numbers = column.cast(pl.Float64, strict=False)
    # a column of numbers may have been read as text
    known = numbers.null_count() == column.null_count()
    return numbers if known else column.str.count_matches(r"\S+").cast(pl.Float64)


def _frequency(rows: pl.DataFrame, rule: EasyRule) -> pl.Series:
    """In how many segments the sentence of each row occurs, but for case and punctuation."""
    text = words(rows[_column(rows, rule, TEXTS)])
    plain = text.str.to_lowercase().str.replace_all(MARKS, " ")
    plain = plain.str.replace_all(r"\s+", " ").str.strip_chars()
    ids = [name for name in SEGMENT if name in rows.columns] or ["item"]
    told = rows.select(pl.struct(ids).alias("segment")).with_columns(plain.alias("sentence"))
    return told.select(pl.col("segment").n_unique().over("sentence")).to_series()


def _column(rows: pl.DataFrame, rule: EasyRule, usual: Sequence[str]) -> str:
    if rule.column:
        if rule.column not in rows.columns:
            raise unknown_name("column", rule.column, rows.columns, field="easy")
        return rule.column
    for name in usual:
        if name in rows.columns and rows[name].null_count() < rows.height:
            return name
    message = f"{rule.name} needs a column {', '.join(usual)}, or one of yours"
    raise input_error(f"{message}: {rule.name}:COLUMN={rule.value}", field="easy")


LISTED = "easy_listed"
# The condition for the items that `with_listed` marks.
IS_LISTED = f"{LISTED} == 1"


def list_file(text: str) -> str:
    """The file that the rule `list=FILE` names; empty for any other rule."""
    kind, _, path = text.partition("=")
    return path.strip() if kind.strip() == "list" and not path.startswith("=") else ""


def with_listed(table: pl.DataFrame, listed: pl.DataFrame) -> pl.DataFrame:
    """The table with a column `LISTED`, 1 for the rows whose ids are in a list of items.

    Rows are matched by the columns that both tables have, as texts. Raises `InputError` if they
    share none, or no row.
    """
    # readers add columns of their own, whose names no file can have
    known = [name for name in table.columns if not name.startswith("\x00")]
    keys = [name for name in listed.columns if name in known]
    if not keys:
        allowed = ", ".join(known)
        raise input_error(f"the list of easy items has no column of the judgments: {allowed}")
    told = listed.select(words(listed[name]) for name in keys).unique()
    own = table.select(words(table[name]) for name in keys)
    ones = told.with_columns(pl.lit(1).alias(LISTED))
    found = own.join(ones, on=keys, how="left", maintain_order="left")
    marks = found[LISTED].fill_null(0)
    if not marks.sum():
        raise input_error(f"no judgment is of an easy item in the list, by {', '.join(keys)}")
    return table.with_columns(marks)
