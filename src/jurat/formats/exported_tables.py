"""Jurat's own tables in several files, as `jurat export` writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from jurat.formats.long_rows import TRANSLATION_COLUMNS
from jurat.model import File
from jurat.tables import TABLES, conform
from jurat.tables.io import READABLE, concatenated, open_table
from jurat.tables.schema import words

# Tables that stand beside judgments, never alone. Preferences can be read alone, too.
BESIDE = ("preferences", "rankings", "spans", "suggestions", "texts", "flags")
_NAME = re.compile(rf"(?:^|[./\\])({'|'.join(BESIDE)}|translations)\.({'|'.join(READABLE)})$")


def split_tables(files: Sequence[File]) -> tuple[list[File], dict[str, pl.DataFrame]]:
    """Files of judgments, and the tables beside them by name.

    `judgments.spans.csv` holds spans, and so does `spans.csv`, if it has their columns. Where no
    file holds judgments, all are returned as they are, since one of them is what the user wants to
    read. Raises `InputError` for rows that do not fit the tables.
    """
    judgments: list[File] = []
    frames: dict[str, list[pl.DataFrame]] = {}
    for file in files if len(files) > 1 else ():
        found = _NAME.search(file.name.lower())
        frame = open_table(file).frame if found else pl.DataFrame()
        if found and {*_needed(found[1])} <= {*frame.columns}:
            frames.setdefault(found[1], []).append(frame)
        else:
            judgments.append(file)
    if not judgments:
        return list(files), {}
    return judgments, {name: _typed(name, concatenated(found)) for name, found in frames.items()}


def _needed(name: str) -> Sequence[str]:
    return TABLES[name].needed if name in TABLES else TRANSLATION_COLUMNS[:4]


def _typed(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    if name in TABLES:
        return conform(frame, TABLES[name])
    return frame.select(words(frame[n]) for n in TRANSLATION_COLUMNS if n in frame.columns)
