"""Sums by judge, by item, or by any other code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from jurat.stats.ratings import Array, Codes


def added(codes: Codes, weights: Array | Codes | NDArray[np.bool_], size: int = 0) -> Array:
    """The sum of the weights of each code from 0; of codes without any, up to `size`, 0."""
    return np.asarray(np.bincount(codes, weights=weights, minlength=size), dtype=np.float64)


def over(parts: Array, wholes: Array | Codes) -> Array:
    """One by the other, NaN where there is nothing to divide by."""
    wholes = np.asarray(wholes, dtype=np.float64)
    nothing = np.full(np.shape(parts), np.nan)
    return np.asarray(np.divide(parts, wholes, out=nothing, where=wholes > 0))
