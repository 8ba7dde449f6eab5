"""How long decisions about each system take."""

from __future__ import annotations

from jurat.stats.time.grouped import GroupedSeconds


class SecondsOfSystem(GroupedSeconds):
    """Worse output takes longer to judge, or is given up sooner."""

    name = "seconds-of-system"
    gives = ("seconds-of-system",)
    asks = "Do decisions about some systems take longer?"
    formula = "mean seconds of the decisions about a system, of those within the cap"
    source = "TAP-ET, tables 2 and 3, for each system"
    place = 20
    key = "system"
