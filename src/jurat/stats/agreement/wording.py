"""What the statistics of agreement say in words."""

from __future__ import annotations

from collections.abc import Sequence

from jurat.results import Estimate, spoken
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.words import band, interval, percent

UNPAIRED = "no item was judged by two judges"
WORDS = "the answers are words, which have neither order nor distance"


def undefined(tallies: Tallies, otherwise: str) -> str:
    """Why there is no agreement to be told: no pairs of judgments, or what else it may be."""
    return otherwise if tallies.paired.any() else UNPAIRED


def of_what(estimate: Estimate) -> str:
    """`adequacy, genre news`: whose number it is, where there are several."""
    tags = (f"{name} {value}" for name, value in estimate.tags.items())
    return ", ".join((str(estimate.by.get("question", "")), *tags))


def share(estimate: Estimate) -> str:
    """`36.5 % [35.2, 37.9]`."""
    ends = [estimate.low, estimate.high]
    told = [f"{100 * end:.1f}" for end in ends if end is not None]
    interval = f" [{', '.join(told)}]" if len(told) == 2 else ""
    return f"{percent(estimate.value or 0.0)}{interval}"


def strength(words: str, estimates: Sequence[Estimate], things: str = "items") -> str:
    """Coefficients with their intervals and Landis and Koch's words, behind what they are."""
    told = [e for e in estimates if e.value is not None]
    if not told:
        reason = next((e.reason for e in estimates if e.reason), "there are no judgments")
        return f"It cannot be told: {reason}."
    return f"{words}: {'; '.join(_strength(e, things) for e in told[:3])}{_more(len(told) - 3)}."


def _strength(estimate: Estimate, things: str) -> str:
    value = estimate.value or 0.0
    return (
        f"{of_what(estimate)} {spoken(value)}{interval(estimate)}, "
        f"{band(value)} (Landis & Koch), {counted(estimate.n, things)}"
    )


def counted(n: int, things: str) -> str:
    """`1 pair of judges`, `300 pairs of judges`."""
    first, *rest = things.split(" ")
    return " ".join([f"{n:,}", first.removesuffix("s") if n == 1 else first, *rest])


def _more(number: int) -> str:
    return f"; and {number} more" if number > 0 else ""
