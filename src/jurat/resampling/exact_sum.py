"""Sums without rounding: numbers are split into parts whose weighted sums are exact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MANTISSA = 53
SMALLEST = -1074  # the exponent below which there is only zero
ENOUGH = 60  # bits kept of a column's largest number: all of a float64, and some for the smaller


def exact_parts(rows: Array, weight: float) -> Array:
    """Parts side by side that add up to the rows, and whose products with weights are exact.

    Each part is a whole multiple of a power of two, at most 2^b of them. A sum under whole weights
    that add up to no more than `weight` then stays below 2^53 multiples, which float64 holds
    exactly, in whatever order they are added. Whole numbers need one part; others two, at the
    price of twice the product (Ozaki et al. 2012, error-free transformation of matrix products).
    """
    bits = max(1, MANTISSA - int(np.ceil(np.log2(weight))))
    parts: list[Array] = []
    rest = rows
    while not parts or (rest.any() and len(parts) * bits < ENOUGH):
        exponent = np.frexp(np.abs(rest).max(axis=0))[1] - bits
        unit = np.ldexp(1.0, np.maximum(exponent, SMALLEST))
        part = rest / unit
        np.rint(part, out=part)
        part *= unit
        rest = rest - part
        parts.append(part)
    return parts[0] if len(parts) == 1 else np.hstack(parts)


def join_parts(sums: Array, columns: int) -> Array:
    """The sums of the rows from the sums of their parts, over the last axis."""
    whole: Array = sums.reshape(*sums.shape[:-1], -1, columns).sum(axis=-2)
    return whole
