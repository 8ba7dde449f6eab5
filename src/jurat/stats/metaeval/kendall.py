"""Concordant and discordant pairs, and the many ways to make one number of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from jurat.stats.metaeval.decisions import Flags
from jurat.stats.metaeval.grouping import Grouped
from jurat.stats.ratings import Array, Codes

SMALL = 64
"""Members of a group up to which every pair is looked at."""
CELLS = 2**22
"""Pairs that are held at once."""
POOLED = ("wmt12", "wmt13", "wmt14", "wmt20")
"""Variants that count the pairs of all groups together; of the others groups are averaged."""
GAP = 25.0
"""Points by which people's scores must differ to count in WMT's relative ranking (2017–2020)."""

WORDS = {
    "b": "τ_b = (C − D) / √((n − metric ties)(n − human ties))",
    "c": "Stuart's τ_c = 2m(C − D) / n²(m − 1), m the fewer different values",
    "23": "τ_eq = (C + tied by both − D − tied by one) / n (Deutsch et al. 2023)",
    "wmt12": "(C − D − metric ties) / (C + D + metric ties), human ties left out (WMT12)",
    "wmt13": "(C − D) / (C + D), ties left out (WMT13)",
    "wmt14": "(C − D) / (C + D + metric ties), human ties left out (WMT14)",
    "wmt20": f"(C − D) / (C + D) over pairs {GAP:g} points apart, metric ties in D (WMT17–20)",
}


def counts(groups: Grouped, *, gap: float = 0.0) -> Array:
    """C, D, human ties, metric ties, ties of both, for each group in the last axis.

    Pairs of which people's scores are less than the gap apart are in none of them.
    """
    if gap or groups.human.shape[1] <= SMALL:
        return _by_pairs(groups, gap)
    return np.array([_by_sorting(*row) for row in zip(*groups, strict=True)])


def _by_pairs(groups: Grouped, gap: float) -> Array:
    """Each member beside all later ones."""
    size = groups.human.shape[1]
    sums = np.zeros((len(groups.human), 5))
    step = max(1, CELLS // max(1, size))
    for start in range(0, len(sums), step):
        human, metric = (side[start : start + step] for side in groups)
        for at in range(size - 1):
            with np.errstate(invalid="ignore"):
                apart = human[:, at : at + 1] - human[:, at + 1 :]
                other = metric[:, at : at + 1] - metric[:, at + 1 :]
            told = ~np.isnan(apart) & ~np.isnan(other) & (np.abs(apart) >= gap)
            sums[start : start + step] += _kinds(apart, other, told)
    return sums


def _kinds(apart: Array, other: Array, told: Flags) -> Array:
    same = np.sign(apart) * np.sign(other)
    human, metric = apart == 0, other == 0
    kinds = (same > 0, same < 0, human & ~metric, metric & ~human, human & metric)
    return np.stack([(kind & told).sum(axis=-1) for kind in kinds], axis=-1).astype(np.float64)


def _by_sorting(human: Array, metric: Array) -> tuple[float, ...]:
    """The same of one long group, in n log n: discordant pairs are inversions (Knight 1966)."""
    there = ~np.isnan(human)
    x, y = _ranked(human[there]), _ranked(metric[there])
    order = np.lexsort((y, x))
    n = len(x)
    every = n * (n - 1) / 2
    tied_x, tied_y = _tied(x), _tied(y)
    both = _tied(x * (int(y.max(initial=0)) + 1) + y)
    discordant = inversions(y[order])
    concordant = every - tied_x - tied_y + both - discordant
    return concordant, discordant, tied_x - both, tied_y - both, both


def inversions(values: Codes) -> float:
    """Pairs of whole numbers from 0 of which the earlier is the larger.

    Halves of blocks are merged from the bottom up, all blocks of one size at once: with a block's
    number in front of its values, one search finds for every earlier one the smaller later ones.
    """
    size = len(values)
    found, half = 0, 1
    width = int(values.max(initial=0)) + 1
    place = np.arange(size)
    while half < size:
        block, later = place // (2 * half), (place // half) % 2 == 1
        keys = block * width + values
        below = np.searchsorted(np.sort(keys[later]), keys[~later], side="left")
        before = np.searchsorted(block[later], block[~later], side="left")
        found += int((below - before).sum())
        half *= 2
    return float(found)


def _ranked(values: Array) -> Codes:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _tied(codes: Codes) -> float:
    number = np.unique(codes, return_counts=True)[1].astype(np.float64)
    return float((number * (number - 1) / 2).sum())


def variant_of(kind: str, sums: Array, groups: Grouped | None = None) -> Array:
    """A variant of Kendall's τ from counts; NaN where it is undefined.

    τ_c needs the groups themselves, for their number of different values.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        if kind == "c":
            assert groups is not None
            return _stuart(sums, groups)
        return np.asarray(_VARIANTS[kind](Counts(*np.moveaxis(sums, -1, 0))))


class Counts(NamedTuple):
    """Concordant, discordant, tied by people alone, by the metric alone, by both."""

    c: Array
    d: Array
    human: Array
    metric: Array
    both: Array


_VARIANTS: Mapping[str, Callable[[Counts], Array]] = {
    "b": lambda k: (k.c - k.d) / np.sqrt((k.c + k.d + k.human) * (k.c + k.d + k.metric)),
    "23": lambda k: (k.c + k.both - k.d - k.human - k.metric) / sum(k),
    "wmt12": lambda k: (k.c - k.d - k.metric) / (k.c + k.d + k.metric),
    "wmt13": lambda k: (k.c - k.d) / (k.c + k.d),
    "wmt14": lambda k: (k.c - k.d) / (k.c + k.d + k.metric),
    "wmt20": lambda k: (k.c - k.d - k.metric) / (k.c + k.d + k.metric),
}


def _stuart(sums: Array, groups: Grouped) -> Array:
    n = (~np.isnan(groups.human)).sum(axis=-1).astype(np.float64)
    fewer = np.minimum(*(_different(side) for side in groups))
    excess = sums[..., 0] - sums[..., 1]
    return np.asarray(np.where(fewer > 1, 2 * excess * fewer / (n**2 * (fewer - 1)), np.nan))


def _different(values: Array) -> Array:
    """How many different values each row has."""
    ordered = np.sort(values, axis=-1)
    new = ordered[:, 1:] != ordered[:, :-1]
    new &= ~np.isnan(ordered[:, 1:])
    return np.asarray(new.sum(axis=-1) + ~np.isnan(ordered[:, 0]), dtype=np.float64)
