"""Column maps: `judge=judge_id,item=system+docId+itemId,system_a='mt'`.

On the left is Jurat's name; on the right the file's column, several columns joined by `+`, or a
quoted literal. A column whose name contains one of `, = + ' "` is written in backticks. Several
names on the left split one column: `document,segment=id~'#'`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import polars as pl

from jurat.errors import input_error, unknown_name
from jurat.tables.schema import words

_PART = re.compile(
    r"\s*(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|`(?P<tick>[^`]*)`|(?P<bare>[^,+='\"`]+))\s*"
)
_SPLIT = re.compile(
    r"\s*(?:`(?P<tick>[^`]*)`|(?P<bare>[^,+='\"`~]+))\s*~\s*"
    r"(?:'(?P<single>[^']+)'|\"(?P<double>[^\"]+)\")\s*(?:,|$)"
)


class Split(msgspec.Struct, frozen=True):
    """One of the pieces into which a separator splits a column; `index` counts from 0."""

    separator: str
    index: int
    pieces: int


class MapPart(msgspec.Struct, frozen=True):
    """A part of a mapped column: a column in the file, a piece of one, or a literal value."""

    text: str
    literal: bool = False
    split: Split | None = None


ColumnMap = Mapping[str, tuple[MapPart, ...]]


def parse_columns(text: str, known: Iterable[str]) -> ColumnMap:
    """The column map in a text; `known` are the names allowed before `=`.

    Raises `InputError` where the text is not a column map.
    """
    allowed = tuple(known)
    found: dict[str, tuple[MapPart, ...]] = {}
    at = 0
    # not split at commas, which may be part of a quoted name or literal
    while at < len(text):
        name, equals, _ = text[at:].partition("=")
        if not equals:
            raise input_error(
                f"'{text[at:]}' is not a column map: write jurat_name=file_column", value=text[at:]
            )
        at += len(name) + 1
        told = [each.strip() for each in name.split(",")]
        for each in told:
            if each not in allowed:
                raise unknown_name("column name before =", each, sorted(allowed))
            if each in found or told.count(each) > 1:
                raise input_error(f"'{each}' is mapped twice")
        if len(told) > 1:
            pieces, at = _pieces(text, at, len(told))
            found |= dict(zip(told, pieces, strict=True))
        else:
            found[told[0]], at = _parts(text, at)
    return found


def columns_text(columns: ColumnMap) -> str:
    """A column map as the command line writes it."""
    whole: dict[tuple[str, str] | str, list[str]] = {}
    for name, parts in columns.items():
        split = parts[0].split
        whole.setdefault((parts[0].text, split.separator) if split else name, []).append(name)
    return ",".join(
        f"{','.join(names)}={'+'.join(map(_part_text, columns[names[0]]))}"
        for names in whole.values()
    )


def _part_text(part: MapPart) -> str:
    if part.split:
        return f"`{part.text}`~{_quoted(part.split.separator)}"
    return _quoted(part.text) if part.literal else f"`{part.text}`"


def _quoted(text: str) -> str:
    return f'"{text}"' if "'" in text else f"'{text}'"


def _pieces(text: str, at: int, count: int) -> tuple[list[tuple[MapPart, ...]], int]:
    """The pieces of a column that is split, and the position after the comma that follows."""
    match = _SPLIT.match(text, at)
    if not match:
        form = "document,segment=id~'#'"
        raise input_error(f"several names before = split one column: write {form}", value=text[at:])
    named = match["tick"] if match["tick"] is not None else (match["bare"] or "").strip()
    separator = match["single"] or match["double"]
    parts = [MapPart(named, split=Split(separator, n, count)) for n in range(count)]
    return [(part,) for part in parts], match.end()


def _parts(text: str, at: int) -> tuple[tuple[MapPart, ...], int]:
    """The parts from a position on, and the position after the comma that follows them."""
    parts: list[MapPart] = []
    while True:
        match = _PART.match(text, at)
        if not match or (match["bare"] is not None and not match["bare"].strip()):
            where = f"before '{text[at:]}'" if text[at:] else "at the end"
            raise input_error(f"a column or a 'literal' is missing {where} of the column map")
        literal = match["single"] if match["single"] is not None else match["double"]
        named = match["tick"] if match["tick"] is not None else (match["bare"] or "").strip()
        parts.append(MapPart(literal, literal=True) if literal is not None else MapPart(named))
        at = match.end()
        # text right after a quoted part: most likely the quotes are wrong
        if text[at : at + 1] not in ("+", ",", ""):
            raise input_error(f"'{text[at:]}' is unexpected in the column map", allowed=("+", ","))
        joins, at = text[at : at + 1] == "+", at + 1
        if not joins:
            return tuple(parts), at


def mapped(parts: Sequence[MapPart], columns: Mapping[str, pl.Series], height: int) -> pl.Series:
    """The values of a mapped column; raises `InputError` for an unknown column of the file."""
    for part in parts:
        if not part.literal and part.text not in columns:
            raise unknown_name("column in the file", part.text, columns)
    if len(parts) > 1:
        return joined([_series(part, columns, height) for part in parts])
    return _series(parts[0], columns, height)


def _series(part: MapPart, columns: Mapping[str, pl.Series], height: int) -> pl.Series:
    if part.split:
        return _piece(words(columns[part.text]), part.split)
    return pl.repeat(part.text, height, eager=True) if part.literal else columns[part.text]


def _piece(values: pl.Series, split: Split) -> pl.Series:
    """A piece of each text; where there are too many, the first piece keeps what is left.

    Raises `InputError` for a text with too few pieces.
    """
    found = values.str.split(split.separator)
    short = values.filter((found.list.len() < split.pieces).fill_null(value=False))
    if short.len():
        message = f"'{short[0]}' is not {split.pieces} parts joined by '{split.separator}'"
        raise input_error(message, field=values.name, value=short[0])
    if split.index:
        return found.list.get(split.index - split.pieces)
    pieces = pl.col(values.name)
    first = pieces.list.head(pieces.list.len() - split.pieces + 1).list.join(split.separator)
    return found.to_frame().select(first).to_series()


def joined(values: Sequence[pl.Series]) -> pl.Series:
    """Texts joined by `|`, which is escaped in them; null where all parts are null."""
    # escaped, or a|b + c and a + b|c would be the same item
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
