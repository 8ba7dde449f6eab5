"""Other people's data with their published numbers, and the scores used on them."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# LSAT and GPA at 15 law schools (Efron & Tibshirani, An Introduction to the Bootstrap, 1993,
# table 3.1).
LSAT = np.array([576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594.0])
GPA = np.array([339, 330, 281, 303, 344, 307, 300, 343, 336, 313, 312, 274, 276, 288, 296]) / 100

# Darwin's maize, cross- minus self-fertilised, in eighths of an inch (Fisher, The Design of
# Experiments, 1935, section 21: 863 of the 32,768 patterns of signs add up to 314 or more).
MAIZE = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48.0])


def products(x: Array, y: Array) -> Array:
    """What a correlation needs to know of each unit."""
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def correlation(totals: Array) -> Array:
    n, x, y, xx, xy, yy = totals.T
    return np.asarray((n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y)))


def with_ones(x: Array) -> Array:
    return np.column_stack([x, np.ones_like(x)])


def mean(totals: Array) -> Array:
    return np.asarray(totals[:, 0] / totals[:, 1])


def far(value: Array, expected: Array | float, error: Array | float) -> float:
    """How many standard errors the worst of the values lies off."""
    return float(np.max(np.abs(np.asarray(value) - expected) / error))
