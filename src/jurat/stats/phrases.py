"""Numbers in plain words: bands of agreement, percent, intervals, counts, lists, headlines."""

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


# Why there is no score of systems.
NOT_NUMBERS = "the answers are words, not numbers; --fold maps them to numbers"
NO_VARIATION = "there is no variation to judge by"
# Names that a sentence lists before it only counts the others.
MOST_LISTED = 5
# What a note says where simulations found an interval to hold too seldom.
FALLS_SHORT = "the interval may hold less often than stated"


def percent(share: float) -> str:
    """`61.0 %`."""
    return f"{100 * share:.1f} %"


def interval(estimate: Estimate) -> str:
    """` [0.39, 0.46]` where the estimate has an interval, else nothing."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f" [{spoken(estimate.low)}, {spoken(estimate.high)}]"


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
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


def subject(estimate: Estimate) -> str:
    """`adequacy, genre news`: whose number it is, where there are several."""
    tags = (f"{name} {value}" for name, value in estimate.tags.items())
    return ", ".join((str(estimate.by.get("question", "")), *tags))


def percentage(estimate: Estimate) -> str:
    """`36.5 % [35.2, 37.9]`."""
    share = percent(estimate.value or 0.0)
    if estimate.low is None or estimate.high is None:
        return share
    return f"{share} [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"


def strength_headline(
    words: str, estimates: Sequence[Estimate], things: str = "items", *, banded: bool = False
) -> str:
    """The coefficients with their intervals, after `words`; `banded` with Landis and Koch's.

    Their bands were made for kappas: they say nothing of alpha, correlations or other coefficients.
    At most three are named; where none has a value, the reason is. `things` is what n counts.
    """
    known = [e for e in estimates if e.value is not None]
    if not known:
        # Said in words, so that a headline is never empty without a reason.
        reason = next((e.reason for e in estimates if e.reason), "there are no judgments")
        return f"It cannot be told: {reason}."
    more = f"; and {len(known) - 3} more" if len(known) > 3 else ""
    return f"{words}: {'; '.join(_strength(e, things, banded) for e in known[:3])}{more}."


def _strength(estimate: Estimate, things: str, banded: bool) -> str:
    value = estimate.value or 0.0
    word = f"{band(value)} (Landis & Koch), " if banded else ""
    note = f" ({estimate.note})" if estimate.note else ""
    return (
        f"{subject(estimate)} {spoken(value)}{interval(estimate)}, "
        f"{word}{count_of(estimate.n, things)}{note}"
    )


def count_of(n: int, things: str) -> str:
    """`1 pair of judges`, `300 pairs of judges`."""
    first, *rest = things.split(" ")
    return " ".join([f"{n:,}", first.removesuffix("s") if n == 1 else first, *rest])
