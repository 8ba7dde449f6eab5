"""Numbers in plain words: bands, percent, intervals, lists."""

from __future__ import annotations

from collections.abc import Sequence

from jurat.results import Estimate, spoken

BANDS = (
    (0.0, "poor"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)
"""Landis & Koch 1977: the upper end of each band; below 0 is poor."""


def band(kappa: float) -> str:
    """The strength of agreement in Landis and Koch's words."""
    if kappa < 0:
        return "poor"
    return next((word for end, word in BANDS[1:] if kappa <= end), "almost perfect")


def percent(share: float) -> str:
    """`61.0 %`."""
    return f"{100 * share:.1f} %"


def interval(estimate: Estimate) -> str:
    """` [0.39, 0.46]` where the estimate has an interval, else nothing."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f" [{spoken(estimate.low)}, {spoken(estimate.high)}]"


def listed(names: Sequence[str], most: int = 5) -> str:
    """`A, B and C`; the first few and the number of the others where there are many."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
