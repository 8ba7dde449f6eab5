"""How long a judge needs for each document."""

from __future__ import annotations

import numpy as np

from jurat.stats.ratings import Codes
from jurat.stats.time.grouped import GroupedSeconds
from jurat.stats.time.timing import Means, Times, Timing, independent_means


class SecondsOfDocument(GroupedSeconds):
    """The time of a document is the sum of its decisions; the mean is over judges."""

    name = "seconds-of-document"
    gives = ("seconds-of-document",)
    asks = "How long does a document take?"
    formula = "sum of a judge's decisions within the cap on a document, mean over judges"
    source = "TAP-ET, tables 2 and 3, for each document"
    place = 50
    key = "document"
    counted = "judges"

    def means(self, one: Times, codes: Codes, size: int, settings: Timing) -> Means:
        """The mean over judges of what each spent on each document."""
        cells, cell = np.unique(one.judge_codes * size + codes, return_inverse=True)
        spent = np.bincount(cell, weights=one.seconds).astype(np.float64)
        return independent_means(spent, cells % size, size, settings)
