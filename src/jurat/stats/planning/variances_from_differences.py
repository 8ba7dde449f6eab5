"""Variances of what systems do not share, from differences of two systems by one judge.

The difference of two systems that a judge saw on one segment holds neither the difficulty of
document and segment nor the judge's severity: documents by system, translations, tastes and errors
are all that is left. In pilots of 6 judges and 20 documents without any tastes, pairs of single
judgments took severities for tastes (correlation with the mean square of judges by system .54).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jurat.stats.planning.judgment_model import JudgmentArrays, first_judgments, joined
from jurat.stats.ratings import Array, Codes

# The share of judgments that must be in differences, or these speak for too few.
ENOUGH = 0.5


class ContrastVariances(NamedTuple):
    """Estimates without bias, which may be below 0."""

    interaction: float
    translation: float
    taste: float
    rest: float


def contrast_variances(data: JudgmentArrays) -> ContrastVariances | None:
    """Henderson's method 1 on differences of two systems; None where too few judgments have one.

    Sums of squares of the differences' totals by document, segment and judge, less those of the
    means, are set equal to their expectations; for complete data these are the estimates of the
    analysis of variance (Searle, Casella & McCulloch 1992, section 5.3). Where two variances cannot
    be told apart, the sum of both goes to the later one.
    """
    first = first_judgments(data)
    differences, used = _differences(first)
    if used < ENOUGH * len(first.values):
        return None
    expected, found = _equations(differences)
    known = [
        at
        for at in range(expected.shape[1])
        if expected[:, at].any()
        and not any(np.allclose(expected[:, at], later) for later in expected[:, at + 1 :].T)
    ]
    solved = np.zeros(expected.shape[1])
    # equations are as large as their mean squares' degrees of freedom
    solved[known] = np.linalg.lstsq(expected[:, known], found, rcond=None)[0]
    return ContrastVariances(*solved.tolist())


def _differences(data: JudgmentArrays) -> tuple[JudgmentArrays, int]:
    """Differences of two systems by one judge on one segment, and how many judgments they use.

    They are divided by √2, so that their variance is that of one judgment; `system` is the pair.
    """
    block = joined(data.judge, data.segment)
    order = np.lexsort((data.system, block))
    block, rows = block[order], data.at(order)
    size = np.bincount(block)
    start = np.cumsum(size) - size
    first, second = [], []
    for apart in range(1, int(size.max(initial=0))):
        at = np.flatnonzero(np.arange(len(block)) - start[block] + apart < size[block])
        first.append(at)
        second.append(at + apart)
    if not first:
        return data.at(np.zeros(0, dtype=np.int64)), 0
    one, other = np.concatenate(first), np.concatenate(second)
    pairs = rows.at(one)._replace(
        values=(rows.values[one] - rows.values[other]) / np.sqrt(2),
        system=joined(rows.system[one], rows.system[other]),
    )
    return pairs, len(np.unique(np.concatenate([one, other])))


def _equations(data: JudgmentArrays) -> tuple[Array, Array]:
    """What documents, segments, judges and errors add to each sum of squares, and these sums."""
    number = len(data.values)
    alone = np.arange(number)
    # of each pair of systems apart: their means differ, and so do their effects
    groups = [joined(data.system, part) for part in (data.document, data.segment, data.judge)]
    groups.append(alone)
    mean = _Sums.of(data.system, data.values, groups)
    rows = [_Sums.of(group, data.values, groups) for group in groups]
    expected = np.array([row.expected - mean.expected for row in rows])
    return expected, np.array([row.squares - mean.squares for row in rows])


class _Sums(NamedTuple):
    """Σ(total of a group)²/size, and what a variance of 1 of each kind of effect adds to it."""

    squares: float
    expected: Array

    @classmethod
    def of(cls, group: Codes, values: Array, effects: list[Codes]) -> _Sums:
        size = np.bincount(group).astype(np.float64)
        squares = (np.bincount(group, values) ** 2 / size).sum()
        expected = []
        for effect in effects:
            cell = joined(group, effect)
            shared = np.bincount(cell).astype(np.float64) ** 2
            of_cell = np.zeros(len(shared), dtype=np.int64)
            of_cell[cell] = group
            expected.append((shared / size[of_cell]).sum())
        return cls(float(squares), np.array(expected))
