"""Folding a scale: fewer points from more, or numbers from letters."""

from __future__ import annotations

import math
from collections.abc import Mapping

import polars as pl

from jurat.faults import FaultyInput, complain, refuse
from jurat.tables.columns import faulty_rows

NAMED: Mapping[str, tuple[float, ...]] = {"7to5": (1, 2, 2, 3, 4, 4, 5), "5to3": (1, 1, 2, 3, 3)}
"""New points of the old points 1, 2, 3…: TAP-ET's five, and the three of Hamon et al."""


def fold(frame: pl.DataFrame, text: str) -> pl.DataFrame:
    """Values mapped as told: `7to5`, `1,1,2,3,3` from point 1 up, or `A=3,B=2,C=1`."""
    text = text.strip()
    if "=" in text:
        return _folded(frame, _pairs(text))
    points = NAMED.get(text) or _points(text)
    return _folded(frame, {str(n): point for n, point in enumerate(points, 1)})


def _folded(frame: pl.DataFrame, pairs: Mapping[str, float]) -> pl.DataFrame:
    """What is not applicable stays so; any other answer must have its place in the fold."""
    answers = _answers(frame)
    # one fault a value: a wrong fold is wrong for thousands of rows
    strange = answers.is_not_null() & ~answers.is_in(list(pairs)) & answers.is_first_distinct()
    named = frame.with_columns(answers.alias(_ANSWER))
    told = {"field": "value", "allowed": tuple(pairs)}
    refuse(faulty_rows(named, strange, "the fold has no value for '{}'", _ANSWER, **told))
    value = answers.replace_strict(pairs, default=None, return_dtype=pl.Float64)
    return frame.with_columns(value.alias("value"))


_ANSWER = "\0answer"


def _answers(frame: pl.DataFrame) -> pl.Series:
    """What was answered, as text: the number where there is one, else the label."""
    number = frame["value"].cast(pl.String).str.replace(r"\.0$", "")
    return number.fill_null(frame["label"].set(frame["na"], None))


def _points(text: str) -> tuple[float, ...]:
    return tuple(_number(part, text) for part in text.split(","))


def _pairs(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for pair in text.split(","):
        old, equals, new = (part.strip() for part in pair.partition("="))
        if not equals or not old:
            raise _unreadable(text)
        if old in found:
            raise complain(f"the fold '{text}' maps '{old}' twice")
        found[old] = _number(new, text)
    return found


def _number(part: str, text: str) -> float:
    try:
        number = float(part)
    except ValueError:
        raise _unreadable(text) from None
    if not math.isfinite(number):
        raise _unreadable(text)
    return number


def _unreadable(text: str) -> FaultyInput:
    forms = (*NAMED, "1,1,2,3,3", "A=3,B=2,C=1")
    return complain(f"'{text}' is no fold", value=text, allowed=forms)
