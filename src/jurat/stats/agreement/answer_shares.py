"""How often each point of the scale is used, and how often the answer is Yes.

The share of Yes is given per system and, where a scale was asked too, at each of its points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import ClassVar

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.agreement.new_judges import drawn, for_these_judges
from jurat.stats.estimates import Estimates, common_method, method_line, share_estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import Units, units_of, with_unit_note
from jurat.stats.phrases import listed, percentage, subject
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Settings, Statistic

# Points whose shares have intervals; one of a hundred points says little by itself.
MOST_POINTS = 20
MOST_ANSWERS = 200
# Units with an answer up to which its interval takes into account that it is known by occurring.
# Of scores like MQM's, intervals of answers in one unit held in 77 % without that, in two and three
# in 89 %.
FEW_HAVING = 3


class AnswerShares(Statistic[Settings]):
    """The share of each answer among all."""

    name = "answer-share"
    asks = "Which points of the scale do judges use, and how often?"
    formula = "share of the answer among all answers"
    source = "TAP-ET, section 5"
    order = 70
    counted = "answers"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A share an answer of each question."""
        found = [(ratings, _shares(ratings, settings)) for ratings in evaluation.ratings]
        estimates = [e for one in found for e in _estimates(*one)]
        how = for_these_judges(common_method(shares.method for _, shares in found), settings)
        yield self.result(
            evaluation, settings, estimates, how=how, unit=settings.unit, drawn=drawn(settings)
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The most frequent answer."""
        most = max(known, key=lambda e: e.value or 0.0)
        return (
            f"The most frequent answer is {most.by['answer']} ({subject(most)}): "
            f"{percentage(most)} of {most.n:,} answers."
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A bar an answer, the questions in colours."""
        known = [e for e in estimates if e.value is not None]
        return figures.bars(
            "How often each answer was given",
            [{**row, "of": subject(e)} for row, e in zip(figures.rows(known), known, strict=True)],
            x=figures.axis("answer", "answer", "ordinal"),
            y=figures.axis("value", "share of answers"),
            colour=figures.axis("of", "question", "nominal"),
        )


def answers(ratings: Ratings) -> list[Key]:
    """The points as people read them: words, whole numbers, or other numbers."""
    if ratings.nominal:
        return list(ratings.points)
    return [int(point) if point.is_integer() else point for point in ratings.places.tolist()]


def _shares(ratings: Ratings, settings: Settings) -> Estimates:
    given = AnswerCounts.of(ratings).distinct
    if given.points > MOST_POINTS:
        total = given.per_point(given.count)
        return Estimates.without_intervals(total / total.sum())
    # Few points: a dense table is small, and all shares are computed at once.
    counts = np.zeros((given.items, given.points))
    counts[given.item, given.code] = given.count
    every = np.repeat(counts.sum(axis=1, keepdims=True), given.points, axis=1)
    units = units_of(ratings, settings)
    if units.are_items:
        found = share_estimates(counts, every, settings=settings, copies=given.copies)
        having = given.copies @ (counts > 0)
    else:
        own, document = given.kinds, units.of_item
        found = share_estimates(
            counts[own], every[own], settings=settings, clusters=document, words=units.words
        )
        having = np.array([len(np.unique(document[row > 0])) for row in counts[own].T])
    return with_unit_note(_that_occurred(found, having, settings, units), units)


def _that_occurred(found: Estimates, having: Codes, settings: Settings, units: Units) -> Estimates:
    """The shares, with lower ends for answers that few units have.

    An answer that no unit has is not in the table: the low end of one that x units have is the rate
    at which x or more are as improbable as the tail, given that there is one.
    """
    # where half of few units have it, it would hardly have been missed
    rare = having <= min(FEW_HAVING, units.number / 4)
    if not found.method or not rare.any():
        return found
    share = np.array([_lowest_rate(x, settings.confidence) / x for x in having[rare].tolist()])
    low = found.low.copy()
    low[rare] = np.minimum(low[rare], found.values[rare] * share)
    said = f"lower ends of answers in {FEW_HAVING} {units.words} or fewer given that they occurred"
    return replace(found, low=low, method=method_line(found.method, said))


@cache
def _lowest_rate(seen: int, confidence: float) -> float:
    """The Poisson rate at which so many or more have the probability of one tail, if any occur."""
    from scipy.optimize import brentq
    from scipy.special import pdtrc

    tail = (1 - confidence) / 2
    if seen == 1:
        return 0.0
    return float(brentq(lambda rate: pdtrc(seen - 1, rate) / pdtrc(0, rate) - tail, 1e-9, seen))


def _estimates(ratings: Ratings, shares: Estimates) -> Iterator[Estimate]:
    if len(ratings.points) > MOST_ANSWERS:
        reason = f"more than {MOST_ANSWERS} different answers"
        yield Estimate.of(None, len(ratings), about=ratings, reason=reason)
        return
    for at, answer in enumerate(answers(ratings)):
        yield shares.estimate(at, n=len(ratings), about=ratings, by={"answer": answer})


YES, NO = "yes", "no"


class YesShare(Statistic[Settings]):
    """The share of Yes per system, and at each point of the scale."""

    name = "yes-share"
    formulas: ClassVar = {
        "yes-share": "share of Yes among a system's answers; n counts answers",
        "yes-cross": "share of Yes among the judgments with that answer to the other question; "
        "n counts these",
    }
    asks = "How often is the answer Yes, for which system and at which point of the scale?"
    source = "TAP-ET, section 4 (the Yes/No beside the seven points)"
    order = 72
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Per system, then crossed with every scale; nothing where no Yes or No was asked."""
        asked = [ratings for ratings in evaluation.ratings if _is_yes_or_no(ratings)]
        found = [(one, _yes_by_system(one.firsts, settings)) for one in asked if one.has("system")]
        if found:
            estimates = [e for one in found for e in _system_estimates(*one)]
            how = for_these_judges(common_method(shares.method for _, shares in found), settings)
            yield self.result(
                evaluation, settings, estimates, how=how, unit=settings.unit, drawn=drawn(settings)
            )
        crossed = [
            e
            for scale in evaluation.ratings
            for ratings in asked
            if scale.question != ratings.question and scale.tags == ratings.tags
            for e in _crossed(scale.firsts, ratings.firsts)
        ]
        if crossed:
            yield self.result(evaluation, settings, crossed, name="yes-cross")

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The systems with the most Yes, or the share at the top of the scale."""
        return _most_yes(known) if name == "yes-share" else _yes_at_top(known)

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point a system, or a bar a point of the scale."""
        if name == "yes-share":
            return figures.points_with_intervals(
                "Share of Yes", estimates, over="system", value="share of Yes"
            )
        return figures.bars(
            "Share of Yes at each point of the scale",
            figures.rows(estimates),
            x=figures.axis("answer", "answer", "ordinal"),
            y=figures.axis("value", "share of Yes"),
            colour=figures.axis("scale", "question", "nominal"),
        )


def _is_yes_or_no(ratings: Ratings) -> bool:
    # Yes and No are told by their labels: their values may be 1 and 0, or anything.
    if not ratings.has("label"):
        return False
    words = ratings.frame["label"].drop_nulls().str.to_lowercase().unique().to_list()
    return len(words) <= 2 and set(words) <= {YES, NO}


def _yes(frame: pl.DataFrame) -> Array:
    return (
        (frame["label"].str.to_lowercase() == YES).fill_null(value=False).to_numpy().astype(float)
    )


def _yes_by_system(ratings: Ratings, settings: Settings) -> Estimates:
    """The share of Yes of each system, in the order of their names; items are drawn."""
    codes, systems = ratings.coded("system")
    given = np.eye(len(systems))[codes]
    columns = np.hstack([given * _yes(ratings.frame)[:, None], given])
    units = units_of(ratings, settings)
    hits, cases = np.hsplit(columns, 2)
    unit = units.of_item[ratings.item_codes]
    found = share_estimates(hits, cases, settings=settings, clusters=unit, words=units.words)
    return with_unit_note(found, units)


def _system_estimates(ratings: Ratings, shares: Estimates) -> Iterator[Estimate]:
    codes, systems = ratings.firsts.coded("system")
    for at, (system, n) in enumerate(zip(systems, np.bincount(codes).tolist(), strict=True)):
        yield shares.estimate(at, n=n, about=ratings, by={"system": system})


def _crossed(scale: Ratings, asked: Ratings) -> Iterator[Estimate]:
    """The share of Yes at each point, over judgments of the same judge and item."""
    keys = [name for name in ("judge", "item") if name in scale.frame.columns]
    if len(scale.points) > MOST_POINTS or _is_yes_or_no(scale):
        return
    left = scale.frame.select(*keys).with_columns(pl.Series("code", scale.codes))
    right = asked.frame.select(*keys).with_columns(pl.Series("yes", _yes(asked.frame)))
    # A judge who answered twice must not be joined with each of the two answers.
    both = left.unique(keys).join(right.unique(keys), on=keys)
    n = np.bincount(both["code"].to_numpy(), minlength=len(scale.points))
    yes = np.bincount(both["code"].to_numpy(), both["yes"].to_numpy(), len(scale.points))
    for at, answer in enumerate(answers(scale)):
        if n[at]:
            by = {"scale": scale.question, "answer": answer}
            yield Estimate.of(yes[at] / n[at], n[at], about=asked, by=by)


def _most_yes(known: Sequence[Estimate]) -> str:
    best = max(known, key=lambda e: e.value or 0.0)
    # Several may share the first place.
    first = [str(e.by["system"]) for e in known if e.value == best.value and _alike(e, best)]
    verb = "has" if len(first) == 1 else "have"
    return f"{listed(first)} {verb} the most Yes ({best.by['question']}): {percentage(best)}."


def _alike(one: Estimate, other: Estimate) -> bool:
    """Whether two estimates are of the same question and split."""
    return (one.by["question"], one.tags) == (other.by["question"], other.tags)


def _yes_at_top(crossed: Sequence[Estimate]) -> str:
    top = crossed[-1]
    return (
        f"Where {top.by['scale']} is {top.by['answer']}, {percentage(top)} of {top.n:,} judgments "
        f"say Yes ({top.by['question']})."
    )
