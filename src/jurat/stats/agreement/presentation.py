"""What the statistics of agreement say in words.

The picture that coefficients of agreement have in common.
"""

from __future__ import annotations

from collections.abc import Sequence

from jurat.results import Estimate, Figure, spoken
from jurat.stats import figures
from jurat.stats.phrases import band, interval, percent


def subject(estimate: Estimate) -> str:
    """`adequacy, genre news`: whose number it is, where there are several."""
    tags = (f"{name} {value}" for name, value in estimate.tags.items())
    return ", ".join((str(estimate.by.get("question", "")), *tags))


def percentage(estimate: Estimate) -> str:
    """`36.5 % [35.2, 37.9]`."""
    ends = [estimate.low, estimate.high]
    known = [f"{100 * end:.1f}" for end in ends if end is not None]
    interval = f" [{', '.join(known)}]" if len(known) == 2 else ""
    return f"{percent(estimate.value or 0.0)}{interval}"


def strength_headline(words: str, estimates: Sequence[Estimate], things: str = "items") -> str:
    """Coefficients with their intervals and Landis and Koch's words, behind what they are."""
    known = [e for e in estimates if e.value is not None]
    if not known:
        # Said in words, so that a headline is never empty without a reason.
        reason = next((e.reason for e in estimates if e.reason), "there are no judgments")
        return f"It cannot be told: {reason}."
    return f"{words}: {'; '.join(_strength(e, things) for e in known[:3])}{_more(len(known) - 3)}."


def _strength(estimate: Estimate, things: str) -> str:
    value = estimate.value or 0.0
    return (
        f"{subject(estimate)} {spoken(value)}{interval(estimate)}, "
        f"{band(value)} (Landis & Koch), {count_of(estimate.n, things)}"
    )


def count_of(n: int, things: str) -> str:
    """`1 pair of judges`, `300 pairs of judges`."""
    first, *rest = things.split(" ")
    return " ".join([f"{n:,}", first.removesuffix("s") if n == 1 else first, *rest])


def _more(number: int) -> str:
    return f"; and {number} more" if number > 0 else ""


MOST_ROWS = 300


def coefficient_figure(
    title: str, estimates: Sequence[Estimate], *, over: str = "question"
) -> Figure:
    """A point a coefficient with its interval, split as asked."""
    tags = {name for e in estimates for name in e.tags}
    # One facet at most: the first of the tags, else the question if it is not on the axis.
    facet = min(tags) if tags else "question" if over != "question" else ""
    return figures.points_with_intervals(
        title, tuple(estimates)[:MOST_ROWS], over=over, value=title, facet=facet
    )


def within_n_figure(title: str, estimates: Sequence[Estimate]) -> Figure:
    """The share of pairs within each distance, a curve a question or split."""
    known = [e for e in estimates if e.value is not None]
    return figures.lines(
        title,
        [
            # in a row, n is how many pairs there are
            {**row, "of": subject(e), "points": e.by["n"]}
            for row, e in zip(figures.rows(known), known, strict=True)
        ],
        x=figures.axis("points", "n, points of the scale", axis={"tickMinStep": 1}),
        y=figures.axis("value", "share of pairs", scale={"domain": [0, 1]}),
        colour=figures.axis("of", "question", "nominal"),
    )
