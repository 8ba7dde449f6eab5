"""What every reader of tables does with its columns: names are checked, nothing is empty text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import msgspec
import polars as pl

from jurat.errors import Problem, input_error, raise_problems
from jurat.model import File
from jurat.tables.schema import plain

# Columns of a table at most; each is looked at many times.
MOST_COLUMNS = 1 << 12
# What spreadsheets and web pages put before names that nobody sees: marks and spaces of no width.
_UNSEEN = "\ufeff\u200b\u200e\u200f\u2060"


def bare_name(cell: str) -> str:
    """A heading without spaces around it, also those of no width."""
    return cell.strip().strip(_UNSEEN).strip()


def check_names(file: File, names: Sequence[str]) -> None:
    """Raise `InputError` for names that two columns share, or that no column may have.

    Also for more columns than any table of judgments has.
    """
    if len(names) > MOST_COLUMNS:
        message = f"the table has {len(names):,} columns; at most {MOST_COLUMNS:,} are read"
        raise input_error(message, file=file.name, line=1)
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    problems = [Problem(message=_shared(name), file=file.name, line=1) for name in twice]
    if any("\0" in name for name in names):
        problems.append(Problem(message="a column's name has a NUL character", file=file.name))
    raise_problems(problems)


def _shared(name: str) -> str:
    """What is said of two columns with the same name."""
    told = f"two columns are called '{name}'"
    # a number is hardly a column's name: the file may have no heading
    if re.fullmatch(r"[\d.,+-]+", name):
        return f"{told}; if this is no heading, name the columns with --header a,b,…"
    return told


def check_kinds(file: File, frame: pl.DataFrame) -> None:
    """Raise `InputError` for columns of lists, objects or bytes."""
    check_names(file, frame.columns)
    odd = [n for n, kind in frame.schema.items() if kind.is_nested() or kind == pl.Binary]
    problems = [
        Problem(message=f"'{name}' holds lists, objects or bytes, not values", file=file.name)
        for name in odd
    ]
    raise_problems(problems)


def nothing_empty(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with null for empty texts, which CSV and TSV cannot distinguish."""
    simple = frame.with_columns(plain(frame[name]) for name in frame.columns)
    return simple.with_columns(pl.col(pl.String).replace("", None))


def value_column(name: str, cells: Sequence[object]) -> pl.Series:
    """A column of the values' type if they have only one, else of texts."""
    kinds = {type(cell) for cell in cells if cell is not None}
    # JSON has whole numbers beyond 64 bits: as texts they stay exact, for they may be ids
    small = all(not isinstance(cell, int) or abs(cell) < 2**63 for cell in cells)
    if kinds <= {int, float} and small:
        kind = pl.Int64 if kinds == {int} else pl.Float64
        return pl.Series(name, cells, dtype=kind, strict=False)
    if len(kinds) == 1 and small:
        return pl.Series(name, cells)
    return pl.Series(name, [None if cell is None else value_text(cell) for cell in cells])


def value_text(cell: object) -> str:
    """A value as a text, as JSON writes it; msgspec writes no numbers beyond 64 bits."""
    whole = isinstance(cell, int) and not isinstance(cell, bool)
    return str(cell) if whole or isinstance(cell, str) else msgspec.json.encode(cell).decode()
