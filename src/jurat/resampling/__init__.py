"""Bootstrap, jackknife and permutation of any statistic: weights × sufficient statistics.

A statistic is given as an array of sufficient statistics, one row a unit, and a function `score`
from their totals (one row a resample) to values. Resampling is then a matrix product of random
weights and rows, whatever the statistic is.
"""

from jurat.resampling.adjustments import adjust
from jurat.resampling.bootstraps import Bootstrap, bootstrap
from jurat.resampling.intervals import Interval
from jurat.resampling.jackknives import Jackknife, jackknife
from jurat.resampling.permutations import Relabelled, SignFlip, permute_labels, permute_signs
from jurat.resampling.swaps import Swapped, permute_pairs

__all__ = [
    "Bootstrap",
    "Interval",
    "Jackknife",
    "Relabelled",
    "SignFlip",
    "Swapped",
    "adjust",
    "bootstrap",
    "jackknife",
    "permute_labels",
    "permute_pairs",
    "permute_signs",
]
