"""p-values adjusted for many tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from jurat.errors import input_error
from jurat.resampling.engine import Array, one_of


def adjust(p_values: ArrayLike, method: str = "holm") -> Array:
    """Adjust p-values for the number of tests, in whatever shape they come.

    `holm` (1979) and `bonferroni` keep the chance of any false finding below the level, `bh`
    (Benjamini & Hochberg 1995) the expected share of false ones among the findings. A test without
    a p-value (NaN) keeps none and is not counted.
    """
    one_of(METHODS, method, field="method")
    given = np.asarray(p_values, dtype=np.float64)
    there = ~np.isnan(given)
    p = given[there]
    if ((p < 0) | (p > 1)).any():
        raise input_error("p_values must lie between 0 and 1", field="p_values")
    adjusted = np.full(given.shape, np.nan)
    adjusted[there] = np.minimum(1, METHODS[method](p))
    return adjusted


def _holm(p: Array) -> Array:
    order = np.argsort(p)
    steps = p[order] * np.arange(len(p), 0, -1)
    # An adjusted p is never smaller than that of a smaller p.
    return np.maximum.accumulate(steps)[np.argsort(order)]


def _bh(p: Array) -> Array:
    order = np.argsort(p)[::-1]
    steps = p[order] * len(p) / np.arange(len(p), 0, -1)
    # From the largest down, an adjusted p is never larger than the one before.
    return np.minimum.accumulate(steps)[np.argsort(order)]


METHODS: Mapping[str, Callable[[Array], Array]] = {
    "holm": _holm,
    "bh": _bh,
    "bonferroni": lambda p: p * len(p),
    "none": lambda p: p,
}
