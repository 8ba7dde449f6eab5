"""The translations themselves, for whoever wants to read what people and a metric disagree on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from jurat.faults import complain
from jurat.tables.columns import hidden, words
from jurat.tables.intake import visible, with_own_names

KEYS = ("document", "segment")
TRANSLATIONS = ("translation", "mt", "target", "hypothesis", "output", "text")
"""What the column of translations may be called in a table that has a row for each."""
BESIDE = re.compile(r"(source|src|ref.*)", re.IGNORECASE)
"""What stands beside a translation: its source and its references."""
KNOWN = (*KEYS, "system", "text")


@dataclass(frozen=True, kw_only=True, eq=False)
class Texts:
    """A row a translation (document, segment, system, text), and a row a segment beside them."""

    translations: pl.DataFrame = field(repr=False)
    beside: pl.DataFrame = field(repr=False)

    @property
    def keys(self) -> list[str]:
        """The columns that say which segment a text belongs to."""
        return [name for name in KEYS if name in self.translations.columns]


def read_texts(table: pl.DataFrame, systems: Sequence[str], *, columns: str = "") -> Texts:
    """The texts of a table: a row a translation, or a row a segment with a column a system."""
    frame = with_own_names(table, columns, KNOWN)
    there = visible(frame)
    keys = [name for name in KEYS if name in frame.columns]
    told = [name for name in ("text", *TRANSLATIONS) if name in (*frame.columns, *there)]
    if "system" in frame.columns and told:
        text = frame["text"] if "text" in frame.columns else there[told[0]]
        rows = frame.select(*_named(frame, (*keys, "system")), words(text).alias("text"))
    else:
        found = [name for name in systems if name in there]
        if not keys or not found:
            wanted = "segment, system and text, or segment and a column for each system"
            raise complain(f"texts need columns {wanted}", allowed=tuple(there), field="--texts")
        rows = pl.concat(
            frame.select(
                *_named(frame, keys),
                pl.lit(system).alias("system"),
                words(there[system]).alias("text"),
            )
            for system in found
        )
    return Texts(translations=rows.drop_nulls("text"), beside=_beside(frame, keys))


def texts_among(judged: pl.DataFrame) -> Texts | None:
    """The translations that stand beside the judgments, where they do."""
    plain = judged.drop(name for name in judged.columns if hidden(name))
    keys = [name for name in KEYS if name in plain.columns]
    told = [name for name in TRANSLATIONS if name in plain.columns]
    if not keys or not told or "system" not in plain.columns:
        return None
    rows = plain.select(*_named(plain, (*keys, "system")), words(plain[told[0]]).alias("text"))
    return Texts(translations=rows.drop_nulls("text"), beside=_beside(plain, keys))


def _beside(frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Sources and references, once for each segment."""
    there = visible(frame)
    texts = {n: s for n, s in there.items() if BESIDE.fullmatch(n) and s.dtype == pl.String}
    rows = frame.select(
        *_named(frame, keys), *(words(s).alias(n) for n, s in texts.items() if n not in keys)
    )
    return rows.unique(list(keys), keep="first", maintain_order=True) if keys else rows


def _named(frame: pl.DataFrame, names: Sequence[str]) -> list[pl.Series]:
    return [words(frame[name]).alias(name) for name in names]
