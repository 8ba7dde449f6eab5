"""Tables of arenas and of language models as judges: `model_a`, `model_b`, `winner`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import polars as pl

from jurat.errors import raise_problems
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_file, decode_lines
from jurat.model import File
from jurat.tables import read_table
from jurat.tables.io import concatenated
from jurat.tables.schema import FILE, LINE, PREFERENCES, conform, faulty_rows, words

SIDES = {"model_a", "model_b"}
NEEDED = SIDES | {"winner"}
# The winner as one column for each outcome.
APART = {"winner_model_a": "model_a", "winner_model_b": "model_b", "winner_tie": "tie"}
# Who won, as arenas write it.
OUTCOMES = {
    "model_a": "a",
    "model_b": "b",
    "tie": "tie",
    "tie (bothbad)": "bad",
    "both_bad": "bad",
    "bothbad": "bad",
}
# Jurat's names of their columns; an item is a question in one of its turns.
NAMES = {
    "question_id": "item",
    "judge": "judge",
    "tstamp": "decided_at",
    "language": "language",
    "turn": "turn",
}


class Arena(FileFormat):
    """Comparisons of two models, as Chatbot Arena publishes them."""

    name: ClassVar[str] = "arena"
    title: ClassVar[str] = "arena comparisons"
    endings: ClassVar[tuple[str, ...]] = ("csv", "json", "jsonl", "parquet")

    def recognises(self, sample: Sample) -> bool:
        ways = (sample.heading, sample.record.keys(), sample.first_of_list.keys())
        return any(names >= NEEDED for names in ways) or sample.heading >= {*SIDES, *APART}

    def read(self, files: Sequence[File]) -> ReadTables:
        return ReadTables(tables={PREFERENCES.name: concatenated([_pairs(f) for f in files])})


def _pairs(file: File) -> pl.DataFrame:
    """The comparisons of one file; raises `InputError` for winners that are none."""
    table = _table(file)
    known = {*NAMES, *NEEDED, *APART}
    table = table.rename({name: name.lower() for name in table.columns if name.lower() in known})
    if "winner" not in table.columns:
        ways = [pl.when(words(table[n]) == "1").then(pl.lit(who)) for n, who in APART.items()]
        table = table.with_columns(pl.coalesce(ways).alias("winner"))
    if "question_id" not in table.columns and "id" in table.columns:
        table = table.rename({"id": "question_id"})
    winner = words(table["winner"]).str.strip_chars()
    outcome = winner.str.to_lowercase().replace_strict(OUTCOMES, default=None)
    problems = faulty_rows(
        table, outcome.is_null(), "'{}' is not a winner", "winner", allowed=tuple(OUTCOMES)
    )
    raise_problems(problems)
    named = {old: new for old, new in NAMES.items() if old in table.columns}
    kept = table.select(*named, "model_a", "model_b", FILE, LINE).rename(named)
    pairs = kept.rename({"model_a": "system_a", "model_b": "system_b"})
    return conform(pairs.with_columns(outcome.alias("outcome")), PREFERENCES)


def _table(file: File) -> pl.DataFrame:
    """The columns that say something of the comparison; conversations are left out."""
    if file.data.lstrip()[:1] not in (b"{", b"["):
        return read_table(file)
    rows: list[dict[str, Any]]
    if file.data.lstrip()[:1] == b"[":
        rows = decode_file(file, list[dict[str, Any]])
        lines = list(range(1, len(rows) + 1))
    else:
        found = list(decode_lines(file, dict[str, Any]))
        lines, rows = [n for n, _ in found], [row for _, row in found]
    columns = {
        name: [None if row.get(name) is None else str(row[name]) for row in rows]
        for name in (*NAMES, *sorted(NEEDED))
        if any(name in row for row in rows)
    }
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    return frame.with_columns(pl.lit(file.name).alias(FILE), pl.Series(LINE, lines))
