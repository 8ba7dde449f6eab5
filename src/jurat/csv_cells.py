"""Cells of CSV files that a spreadsheet would take for formulas.

A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`, also one that a judge has typed.
Such a cell gets an apostrophe in front, as people write it in a spreadsheet to have a text; Jurat's
own reader takes it away again. Numbers stay as they are.
"""

from __future__ import annotations

import re

# A text is changed if it looks like a formula, also behind apostrophes: otherwise a text that
# had one from the beginning would lose it when it is read. Quotation marks around a cell of a TSV
# file, which has none, are dropped by spreadsheets.
FORMULA = r"""^['"]*[=+\-@\t\r]"""
# A sign alone is no formula; dashes are common in tables.
HARMLESS = r"^([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[=+\-@])$"
DEFUSED = r"""^'(['"]*[=+\-@\t\r])"""

_formula, _harmless, _defused = map(re.compile, (FORMULA, HARMLESS, DEFUSED))


def defuse(text: str) -> str:
    """The text as a cell that no spreadsheet runs."""
    return f"'{text}" if _formula.match(text) and not _harmless.match(text) else text


def restore(cell: str) -> str:
    """The text of a cell that `defuse` made; other texts as they are."""
    return _defused.sub(r"\1", cell)
