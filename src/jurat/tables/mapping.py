"""Column maps: `judge=judge_id,item=system+docId+itemId,system_a='mt'`.

Jurat's name = the file's column, several columns joined by `+`, or a literal in quotes. A column
whose name holds one of `, = + ' "` stands in backticks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import polars as pl

from jurat.faults import complain, unknown
from jurat.tables.columns import words

_PART = re.compile(
    r"\s*(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|`(?P<tick>[^`]*)`|(?P<bare>[^,+='\"`]+))\s*"
)


class Part(msgspec.Struct, frozen=True):
    """A piece of a column: a column of the file, or a literal."""

    text: str
    literal: bool = False


ColumnMap = Mapping[str, tuple[Part, ...]]


def parse_columns(text: str, known: Iterable[str]) -> ColumnMap:
    """A column map from the command line; the names before `=` must be among those known."""
    allowed = tuple(known)
    found: dict[str, tuple[Part, ...]] = {}
    at = 0
    while at < len(text):
        name, equals, _ = text[at:].partition("=")
        if not equals:
            raise complain(
                f"'{text[at:]}' is no column map: write jurat_name=file_column", value=text[at:]
            )
        at += len(name) + 1
        name = name.strip()
        if name not in allowed:
            raise unknown("column name before =", name, allowed)
        if name in found:
            raise complain(f"'{name}' is mapped twice")
        found[name], at = _parts(text, at)
    return found


def _parts(text: str, at: int) -> tuple[tuple[Part, ...], int]:
    """The joined pieces from a place on, and the place after the comma that ends them."""
    parts: list[Part] = []
    while True:
        match = _PART.match(text, at)
        if not match or (match["bare"] is not None and not match["bare"].strip()):
            where = f"before '{text[at:]}'" if text[at:] else "at the end"
            raise complain(f"a column or a 'literal' is missing {where} of the column map")
        literal = match["single"] if match["single"] is not None else match["double"]
        named = match["tick"] if match["tick"] is not None else (match["bare"] or "").strip()
        parts.append(Part(literal, literal=True) if literal is not None else Part(named))
        at = match.end()
        if text[at : at + 1] not in ("+", ",", ""):
            raise complain(f"'{text[at:]}' is not expected in the column map", allowed=("+", ","))
        joins, at = text[at : at + 1] == "+", at + 1
        if not joins:
            return tuple(parts), at


def mapped(parts: Sequence[Part], columns: Mapping[str, pl.Series], height: int) -> pl.Series:
    """The values that a map's right side stands for."""
    for part in parts:
        if not part.literal and part.text not in columns:
            raise unknown("column in the file", part.text, columns)
    if len(parts) > 1:
        return joined([_series(part, columns, height) for part in parts])
    return _series(parts[0], columns, height)


def _series(part: Part, columns: Mapping[str, pl.Series], height: int) -> pl.Series:
    return pl.repeat(part.text, height, eager=True) if part.literal else columns[part.text]


def joined(values: Sequence[pl.Series]) -> pl.Series:
    """Texts put together with `|`, so that different parts never give the same whole."""
    escaped = pl.DataFrame([_escaped(series, str(n)) for n, series in enumerate(values)])
    nothing = pl.all_horizontal(pl.all().is_null())
    whole = pl.concat_str(pl.all().fill_null(""), separator="|")
    return escaped.select(pl.when(~nothing).then(whole)).to_series()


def _escaped(series: pl.Series, name: str) -> pl.Series:
    text = words(series).alias(name)
    if not text.str.contains(r"[|\\]").any():
        return text
    return text.str.replace_all("\\", "\\\\", literal=True).str.replace_all(
        "|", "\\|", literal=True
    )
