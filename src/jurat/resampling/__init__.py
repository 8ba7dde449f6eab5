"""Bootstrap, jackknife and permutation of any statistic: weights × sufficient statistics.

A statistic is given as an array of sufficient statistics, one row a unit, and a function `score`
from their totals (one row a resample) to values. Resampling is then a matrix product of random
weights and rows, whatever the statistic is.
"""

from jurat.resampling.bootstrap import Bootstrap, Interval, Jackknife, bootstrap, jackknife
from jurat.resampling.multiple_testing import adjust
from jurat.resampling.permutation import (
    LabelPermutation,
    PairSwaps,
    SignFlip,
    permute_labels,
    permute_pairs,
    permute_signs,
)

__all__ = [
    "Bootstrap",
    "Interval",
    "Jackknife",
    "LabelPermutation",
    "PairSwaps",
    "SignFlip",
    "adjust",
    "bootstrap",
    "jackknife",
    "permute_labels",
    "permute_pairs",
    "permute_signs",
]
