"""What the results of this folder say alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from jurat.results import Estimate
from jurat.stats.spread import Spread, first_method

NO_PAIRS = "people compared no two systems of a segment that the metric scored"
UNDECIDED = "no pair that the metric scored was decided: there are none, or all are ties"
TIED = "every segment is tied, or has a single system"
NOTHING = Spread(values=np.full(1, np.nan), low=np.full(1, np.nan), high=np.full(1, np.nan))
"""A value that is undefined."""
NO_RATINGS = "people compared systems and gave no scores"
NO_SEGMENTS = "there are no judgments of segments that the metric scored"


def drawn_over(spreads: Sequence[Spread]) -> str:
    """How intervals were made; what was drawn are segments."""
    return first_method(spreads).replace("clusters", "segments")


def known(estimates: Iterable[Estimate]) -> list[Estimate]:
    """Those that have a value."""
    return [e for e in estimates if e.value is not None]


def of_first(estimates: Iterable[Estimate]) -> list[Estimate]:
    """The known ones of the first question and split: what a headline speaks of."""
    told = known(estimates)
    return [
        e
        for e in told
        if (e.by.get("question"), dict(e.tags)) == (told[0].by.get("question"), dict(told[0].tags))
    ]


def place_of(estimate: Estimate, estimates: Iterable[Estimate]) -> str:
    """Of which question and split an estimate is, where there are several."""
    told = known(estimates)
    asked = {e.by.get("question") for e in told}
    parts = [str(estimate.by.get("question", ""))] if len(asked) > 1 else []
    parts += [f"{name} {value}" for name, value in estimate.tags.items()]
    return f"{', '.join(parts)}: " if parts else ""
