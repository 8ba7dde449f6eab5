"""Correlations between two short lists of scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jurat.stats.ratings import Array

Correlation = Callable[[Array, Array], float]


def pearson(first: Array, second: Array) -> float:
    """Pearson's r; NaN where one of the lists is constant."""
    one, other = first - first.mean(), second - second.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    flat = max(np.ptp(first), np.ptp(second)) * 1e-12
    if np.ptp(first) <= flat or np.ptp(second) <= flat or not size:
        return float("nan")
    return round(float((one @ other) / size), 14)  # what lies on a line has exactly 1


def spearman(first: Array, second: Array) -> float:
    """Spearman's rho: Pearson's r of mid-ranks."""
    return pearson(midranks(first), midranks(second))


def kendall(first: Array, second: Array) -> float:
    """Kendall's tau-b; NaN where one of the lists is constant."""
    one, other = (np.sign(a[:, None] - a[None]) for a in (first, second))
    size = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return float((one * other).sum() / size) if size else float("nan")


def midranks(values: Array) -> Array:
    """Ranks from 1, equal values sharing the middle of theirs."""
    _, which, many = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(many) - (many - 1) / 2)[which])


def places(scores: Array) -> Array:
    """The place of each score, 1 is the highest, equal scores sharing the better; NaN has none."""
    known = ~np.isnan(scores)
    better = (scores[None, :] > scores[:, None]).sum(axis=1) + 1.0
    return np.asarray(np.where(known, better, np.nan))


CORRELATIONS: dict[str, Correlation] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}
