"""Bootstrap, jackknife and permutation of any statistic: weights × sufficient statistics.

A statistic is given as an array of sufficient statistics, one row a unit, and a function `score`
from their totals (one row a resample) to values. Resampling is then a matrix product of random
weights and rows, whatever the statistic is.
"""

from jurat.resampling.bootstrap import Bootstrap, Interval, Jackknife, bootstrap, jackknife
from jurat.resampling.jackknife_t import JackknifeT, jackknife_t
from jurat.resampling.multiple_testing import adjust
from jurat.resampling.permutation import (
    LabelPermutation,
    PairSwaps,
    SignFlip,
    permute_labels,
    permute_pairs,
    permute_signs,
)
from jurat.resampling.wilson import Shares, wilson, wilson_by_unit

__all__ = [
    "Bootstrap",
    "Interval",
    "Jackknife",
    "JackknifeT",
    "LabelPermutation",
    "PairSwaps",
    "Shares",
    "SignFlip",
    "adjust",
    "bootstrap",
    "jackknife",
    "jackknife_t",
    "permute_labels",
    "permute_pairs",
    "permute_signs",
    "wilson",
    "wilson_by_unit",
]
