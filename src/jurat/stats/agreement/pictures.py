"""The picture that coefficients of agreement have in common."""

from __future__ import annotations

from collections.abc import Sequence

from jurat.results import Estimate, Figure
from jurat.stats import figures
from jurat.stats.agreement.wording import of_what

MOST_ROWS = 300


def coefficients(title: str, estimates: Sequence[Estimate], *, over: str = "question") -> Figure:
    """A point a coefficient with its interval, split as asked."""
    tags = {name for e in estimates for name in e.tags}
    facet = min(tags) if tags else "question" if over != "question" else ""
    return figures.points_with_intervals(
        title, tuple(estimates)[:MOST_ROWS], over=over, value=title, facet=facet
    )


def within(title: str, estimates: Sequence[Estimate]) -> Figure:
    """The share of pairs within each distance, a curve a question or split."""
    told = [e for e in estimates if e.value is not None]
    return figures.lines(
        title,
        [
            # in a row, n is how many pairs there are
            {**row, "of": of_what(e), "points": e.by["n"]}
            for row, e in zip(figures.rows(told), told, strict=True)
        ],
        x=figures.axis("points", "n, points of the scale", axis={"tickMinStep": 1}),
        y=figures.axis("value", "share of pairs", scale={"domain": [0, 1]}),
        colour=figures.axis("of", "question", "nominal"),
    )
