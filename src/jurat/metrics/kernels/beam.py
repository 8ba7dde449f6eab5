"""Edit distance within a beam along the diagonal: a row of the table is one machine word.

A beam of 25 has at most 50 cells in a row. Bit k of a row is the step to its cell `low + k`, the
first from a cell outside, whose value is too high to matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.kernels import kernel
from jurat.metrics.kernels.edits import ALL, LAST, ONE, ZERO, Bits, Ints, ones, step

BEAM = 25
"""Cells on either side of the diagonal."""
KEPT, CHANGED, EXTRA, MISSING = 0, 1, 2, 3
"""A word of the hypothesis that is right, substituted or too much; one that it lacks."""

ROW = np.dtype(
    [
        ("low", np.int64),  # the first cell of the row
        ("moved", np.uint64),  # how many cells further that is than in the row before
        ("beyond", np.uint64),  # cells that the row before does not have
        ("diagonal", np.uint64),  # cells to which a reference word leads from the row before
        ("rise", np.uint64),
        ("fall", np.uint64),
        ("level", np.uint64),  # cells equal to the one before them in the row before
        ("base", np.int64),  # the value of the cell before the first
    ]
)
Rows = NDArray[np.void]
"""The table, a row for each number of hypothesis words."""


@kernel
def is_wide(words: int, size: int) -> bool:
    """Whether rows of this beam would have nothing in common, so long is the reference."""
    return size / words / 2 > BEAM


@kernel
def rows_of(words: int, size: int) -> Rows:
    """Where the beam lies between a hypothesis and a reference of so many words."""
    rows = np.zeros(words + 1, ROW)
    rows[0].rise = ALL << ONE
    high = size + 1
    ratio = size / words
    for i in range(1, words + 1):
        middle = int(np.floor(i * ratio))
        low = max(0, middle - BEAM)
        moved = low - rows[i - 1].low
        rows[i].low = low
        rows[i].moved = moved
        rows[i].beyond = from_bit(min(high - low, 64 - moved))
        rows[i].diagonal = from_bit(0 if moved else 1) & ~from_bit(high - low + 1)
        high = min(size + 1, middle + BEAM)
    return rows


@kernel
def from_bit(k: int) -> np.uint64:
    """All bits from the k-th on."""
    return ALL << np.uint64(k) if k < 64 else ZERO


@kernel
def next_row(
    row: Any, mask: Bits, rise: np.uint64, fall: np.uint64, base: int
) -> tuple[np.uint64, np.uint64, int, np.uint64]:
    """A row from the bits and base of the one before it, made by the word of that mask."""
    left = ~(ALL << row.moved)
    base += 1 + ones(rise & left) - ones(fall & left)
    block, off = row.low // 64, np.uint64(row.low % 64)
    same = (mask[block] >> off) | ((mask[block + 1] << ONE) << (LAST - off))
    rise, fall = (rise >> row.moved) | row.beyond, (fall >> row.moved) & ~row.beyond
    rise, fall, _, _, level = step(same & row.diagonal, rise, fall, ONE, ZERO)
    return rise, fall, base, level


@kernel
def fill(rows: Rows, words: Ints, masks: Bits) -> None:
    """Compute all rows."""
    rise, fall, base = rows[0].rise, rows[0].fall, rows[0].base
    for i in range(len(words)):
        row = rows[i + 1]
        rise, fall, base, level = next_row(row, masks[words[i]], rise, fall, base)
        row.rise, row.fall, row.base, row.level = rise, fall, base, level


@kernel
def total(rows: Rows, size: int, rise: np.uint64, fall: np.uint64, base: int) -> int:
    """The distance of the whole, from the last row."""
    there = ~from_bit(size + 1 - rows[-1].low)
    return base + ones(rise & there) - ones(fall & there)


@kernel
def last_step(rows: Rows, i: int, j: int, same: bool) -> int:
    """The last step of the best way to a cell: of equals a substitution, then an extra word."""
    if i == 0:
        return MISSING
    row = rows[i]
    bit = ONE << np.uint64(j - row.low)
    if not row.diagonal & bit:
        return EXTRA if j == row.low else MISSING
    if same:
        return KEPT
    if not row.level & bit:
        return CHANGED
    return EXTRA if (rows[i - 1].fall >> row.moved) & ~row.beyond & bit else MISSING
