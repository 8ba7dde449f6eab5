"""How long each judge takes for a decision."""

from __future__ import annotations

from jurat.stats.ratings import Codes
from jurat.stats.time.grouped import GroupedSeconds
from jurat.stats.time.timing import Means, Times, Timing, independent_means


class SecondsOfJudge(GroupedSeconds):
    """A judge's own mean; the interval is over his decisions, taken as independent."""

    name = "seconds-of-judge"
    gives = ("seconds-of-judge",)
    asks = "Who is slow, and who is fast?"
    formula = "mean seconds of a judge's decisions, of those within the cap"
    source = "TAP-ET, tables 2 and 3, for each judge"
    place = 40
    key = "judge"

    def means(self, one: Times, codes: Codes, size: int, settings: Timing) -> Means:
        """The mean of each judge."""
        return independent_means(one.seconds, codes, size, settings)
