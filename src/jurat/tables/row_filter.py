"""Selects the rows of a table that meet a condition; constants take the type of the column."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

import polars as pl

from jurat.condition_language import (
    All,
    Any,
    Comparison,
    Condition,
    Literals,
    Membership,
    Name,
    Not,
    Operand,
    Operator,
    Scalar,
    names,
    parse,
)
from jurat.errors import input_error, unknown_name
from jurat.tables.schema import TIME, cast_column, plain, words

_COMPARE: dict[Operator, Callable[[pl.Series, pl.Series], pl.Series]] = {
    # == and != are not here: they treat missing values in their own way
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def fulfilled(
    condition: str | Condition, columns: Mapping[str, pl.Series], height: int
) -> pl.Series:
    """A mask of the rows that meet a condition on these columns.

    Raises `InputError` for unknown names, and for constants that do not fit their column.
    """
    condition = parse(condition) if isinstance(condition, str) else condition
    for name in names(condition):
        if name not in columns:
            raise unknown_name("column in the expression", name, columns)
    return _mask(condition, columns, height)


def _mask(condition: Condition, columns: Mapping[str, pl.Series], height: int) -> pl.Series:
    match condition:
        case Not(part):
            return ~_mask(part, columns, height)
        case All(parts):
            masks = [_mask(part, columns, height) for part in parts]
            return _frame(masks).select(pl.all_horizontal(pl.all())).to_series()
        case Any(parts):
            return _any([_mask(part, columns, height) for part in parts])
        case Comparison(left, op, right):
            return _compare(*_typed(left, right, columns, height), op)
        case Membership(Name() as left, Literals(options)):
            hits = [_compare(*_typed(left, Literals((o,)), columns, height), "==") for o in options]
            # `none`, so that an empty list selects no rows instead of being an error
            none = pl.repeat(value=False, n=height, eager=True)
            return _any([none, *hits])
        case Membership(Literals((str() as part,)), Name(name)):
            return words(columns[name]).str.contains(part, literal=True).fill_null(value=False)
    raise input_error("`in` takes a column and a list, or a text and a column")


def _any(masks: list[pl.Series]) -> pl.Series:
    return _frame(masks).select(pl.any_horizontal(pl.all())).to_series()


def _frame(masks: list[pl.Series]) -> pl.DataFrame:
    return pl.DataFrame({str(n): mask for n, mask in enumerate(masks)})


def _compare(left: pl.Series, right: pl.Series, op: Operator) -> pl.Series:
    """Compare two series; a missing value meets only `!=`, and `== None`."""
    if (left.dtype == pl.String) != (right.dtype == pl.String):
        return _compare_mixed(left, right, op)
    if op in ("==", "!="):
        equal = left.eq_missing(right)
        return equal if op == "==" else ~equal
    return _COMPARE[op](left, right).fill_null(value=False)


def _compare_mixed(left: pl.Series, right: pl.Series, op: Operator) -> pl.Series:
    """Compare texts with numbers, as numbers; a text that is not a number meets only `!=`."""
    first, second = cast_column(left, pl.Float64), cast_column(right, pl.Float64)
    word = first.is_null() & left.is_not_null() | second.is_null() & right.is_not_null()
    return _compare(first, second, op).set(word, op == "!=")


def _typed(
    left: Operand, right: Operand, columns: Mapping[str, pl.Series], height: int
) -> tuple[pl.Series, pl.Series]:
    """Both sides as series of comparable types; constants take the type of the column."""
    if isinstance(left, Literals):
        if isinstance(right, Literals):
            raise input_error("a comparison needs the name of a column on one side")
        # `5 < seconds`: typed by the column, then put back in order
        second, first = _typed(right, left, columns, height)
        return first, second
    series = natural(columns[left.name])
    if isinstance(right, Literals):
        return series, _constant(right.values[0], series, left.name, height)
    other = natural(columns[right.name])
    kinds = {series.dtype, other.dtype}
    # 0 and 1 in one column, true and false in the other
    if kinds == {pl.Float64(), pl.Boolean()}:
        return cast_column(series, pl.Float64), cast_column(other, pl.Float64)
    if len(kinds) == 1 or kinds == {pl.Float64(), pl.String()}:
        return series, other
    return words(series), words(other)


def natural(values: pl.Series) -> pl.Series:
    """A column as numbers, or as truth values, if all its texts are; otherwise as it is."""
    values = plain(values)
    if values.dtype.is_numeric():
        return values.cast(pl.Float64)
    if values.dtype in (pl.Datetime, pl.Date):
        return cast_column(values, TIME)
    # numbers first, so that a column of 0 and 1 is numeric
    for kind in (pl.Float64, pl.Boolean):
        if values.dtype != pl.String or (kind == pl.Boolean and _digits(values)):
            continue
        typed = cast_column(values, kind)
        if typed.null_count() == values.null_count() and typed.null_count() < len(typed):
            return typed
    return values


def _digits(values: pl.Series) -> bool:
    """Whether 0 or 1 occur: then the column is not read as truth values."""
    return bool(values.is_in(("0", "1")).any())


def _constant(value: Scalar, like: pl.Series, name: str, height: int) -> pl.Series:
    """A constant as a column of the type of `like`; raises `InputError` if it does not fit."""
    if value is None:
        return pl.repeat(None, height, dtype=like.dtype, eager=True)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = float(str(value))  # an integer too long for a float becomes infinite
    is_text, empty = like.dtype == pl.String, like.null_count() == len(like)
    number = isinstance(value, float) and (is_text or like.dtype == pl.Float64)
    if number or (is_text and empty and not isinstance(value, str)):
        return pl.repeat(float(value), height, dtype=pl.Float64, eager=True)
    same = not is_text or isinstance(value, str)
    fits = cast_column(pl.Series([value]), like.dtype)[0] if same else None
    if fits is None:
        kind = _KINDS.get(str(like.dtype), "times")
        raise input_error(f"'{name}' holds {kind}; {value!r} does not fit")
    return pl.repeat(fits, height, dtype=like.dtype, eager=True)


_KINDS = {"Float64": "numbers", "Boolean": "true and false", "String": "texts"}
