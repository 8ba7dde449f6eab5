"""Edit distance within the wider beam that a very short hypothesis has, cell by cell."""

from __future__ import annotations

import numpy as np

from jurat.metrics.kernels import kernel
from jurat.metrics.kernels.beam import BEAM, CHANGED, EXTRA, KEPT, MISSING
from jurat.metrics.kernels.edits import Ints

FAR = 1 << 40
"""The value of a cell outside the beam."""


@kernel
def table_of(words: Ints, reference: Ints) -> Ints:
    """The distance of each number of words from each number of words of the reference."""
    size = len(reference)
    ratio = size / len(words)
    width = int(np.ceil(ratio / 2 + BEAM))
    cells = np.empty((len(words) + 1, size + 1), np.int64)
    for j in range(size + 1):
        cells[0, j] = j
    for i in range(1, len(words) + 1):
        middle = int(np.floor(i * ratio))
        high = size + 1 if i == len(words) else middle + width
        for j in range(size + 1):
            best = FAR
            if middle - width <= j < high:
                best = min(best, cells[i - 1, j] + 1)
                if j > 0:
                    changed = words[i - 1] != reference[j - 1]
                    best = min(best, cells[i - 1, j - 1] + changed, cells[i, j - 1] + 1)
            cells[i, j] = best
    return cells


@kernel
def last_table_step(cells: Ints, i: int, j: int, same: bool) -> int:
    """The last step of the best way to a cell: of equals a substitution, then an extra word."""
    if i == 0 or j == 0:
        return EXTRA if i else MISSING
    if cells[i, j] == cells[i - 1, j - 1] + (not same):
        return KEPT if same else CHANGED
    return EXTRA if cells[i, j] == cells[i - 1, j] + 1 else MISSING
