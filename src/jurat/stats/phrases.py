"""Numbers in plain words: bands, percent, intervals, lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from jurat.results import Estimate, Key, spoken

# Landis & Koch 1977: the upper end of each band; below 0 is poor.
BANDS = (
    (0.0, "poor"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)


def band(kappa: float) -> str:
    """The strength of agreement in Landis and Koch's words."""
    # The first band is open below: kappa may be negative.
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


class QuestionPart(Protocol):
    """The answers to one question, in one split."""

    @property
    def question(self) -> str:
        """What was asked."""

    @property
    def tags(self) -> Mapping[str, Key]:
        """The split."""


def headline_prefix(part: QuestionPart, parts: Sequence[QuestionPart]) -> str:
    """`adequacy, domain news: `: what a headline speaks of, where there are several parts."""
    said = [part.question] if len({one.question for one in parts}) > 1 else []
    said += [f"{name} {value}" for name, value in part.tags.items()]
    return f"{', '.join(said)}: " if said else ""
