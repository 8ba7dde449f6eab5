"""How often each point of the scale is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.agreement.wording import of_what, share
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Ratings
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings, Statistic

MOST_POINTS = 20
"""Points whose shares have intervals; one of a hundred points says little by itself."""
MOST_ANSWERS = 200


class AnswerShare(Statistic[Settings]):
    """The share of each answer among all."""

    name = "answer-share"
    gives = ("answer-share",)
    asks = "Which points of the scale do judges use, and how often?"
    formula = "share of the answer among all answers; n counts answers"
    source = "TAP-ET, section 5"
    place = 70

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A share an answer of each question."""
        found = [(ratings, _shares(ratings, settings)) for ratings in evaluation.ratings]
        estimates = tuple(e for one in found for e in _estimates(*one))
        how = next((shares.method for _, shares in found if shares.method), "")
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(self.formula, how),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
        )


def answers(ratings: Ratings) -> list[Key]:
    """The points as people read them: words, whole numbers, or other numbers."""
    if ratings.nominal:
        return list(ratings.points)
    return [int(point) if point.is_integer() else point for point in ratings.places.tolist()]


def _shares(ratings: Ratings, settings: Settings) -> Spread:
    tallies = Tallies.of(ratings).kinds
    if tallies.points > MOST_POINTS:
        total = tallies.per_point(tallies.count)
        nothing = np.full(tallies.points, np.nan)
        return Spread(values=total / total.sum(), low=nothing, high=nothing)
    counts = np.zeros((tallies.items, tallies.points))
    counts[tallies.item, tallies.code] = tallies.count
    return spread(
        counts,
        lambda t: t / t.sum(axis=1, keepdims=True),
        settings=settings,
        copies=tallies.copies,
    )


def _estimates(ratings: Ratings, shares: Spread) -> Iterator[Estimate]:
    if len(ratings.points) > MOST_ANSWERS:
        reason = f"more than {MOST_ANSWERS} different answers"
        yield Estimate(value=None, n=len(ratings), by=ratings.by, tags=ratings.tags, reason=reason)
        return
    for at, answer in enumerate(answers(ratings)):
        by = {**ratings.by, "answer": answer}
        yield shares.estimate(at, n=len(ratings), by=by, tags=ratings.tags)


def _headline(estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.value is not None]
    if not told:
        return ""
    most = max(told, key=lambda e: e.value or 0.0)
    return (
        f"The most frequent answer is {most.by['answer']} ({of_what(most)}): "
        f"{share(most)} of {most.n:,} answers."
    )


def _draw(estimates: Sequence[Estimate]) -> Figure:
    told = [e for e in estimates if e.value is not None]
    return figures.bars(
        "How often each answer was given",
        [{**row, "of": of_what(e)} for row, e in zip(figures.rows(told), told, strict=True)],
        x=figures.axis("answer", "answer", "ordinal"),
        y=figures.axis("value", "share of answers"),
        colour=figures.axis("of", "question", "nominal"),
    )
