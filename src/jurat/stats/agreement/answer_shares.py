"""How often each point of the scale is used.

Where a yes or no was asked beside the scale: how the two go together, and per system.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.agreement.presentation import percentage, subject
from jurat.stats.estimates import Estimates, bootstrap_estimates, first_method, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.phrases import listed
from jurat.stats.ratings import Array, Ratings, coded
from jurat.stats.statistic import Settings, Statistic

# Points whose shares have intervals; one of a hundred points says little by itself.
MOST_POINTS = 20
MOST_ANSWERS = 200


class AnswerShare(Statistic[Settings]):
    """The share of each answer among all."""

    name = "answer-share"
    gives = ("answer-share",)
    asks = "Which points of the scale do judges use, and how often?"
    formula = "share of the answer among all answers; n counts answers"
    source = "TAP-ET, section 5"
    order = 70

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A share an answer of each question."""
        found = [(ratings, _shares(ratings, settings)) for ratings in evaluation.ratings]
        estimates = tuple(e for one in found for e in _estimates(*one))
        how = next((shares.method for _, shares in found if shares.method), "")
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=method_line(self.formula, how),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
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
    # Few points: a dense table is small, and all shares are drawn at once.
    counts = np.zeros((given.items, given.points))
    counts[given.item, given.code] = given.count
    return bootstrap_estimates(
        counts,
        lambda t: t / t.sum(axis=1, keepdims=True),
        settings=settings,
        copies=given.copies,
    )


def _estimates(ratings: Ratings, shares: Estimates) -> Iterator[Estimate]:
    if len(ratings.points) > MOST_ANSWERS:
        reason = f"more than {MOST_ANSWERS} different answers"
        yield Estimate(value=None, n=len(ratings), by=ratings.by, tags=ratings.tags, reason=reason)
        return
    for at, answer in enumerate(answers(ratings)):
        by = {**ratings.by, "answer": answer}
        yield shares.estimate(at, n=len(ratings), by=by, tags=ratings.tags)


def _headline(estimates: Sequence[Estimate]) -> str:
    known = [e for e in estimates if e.value is not None]
    if not known:
        return ""
    most = max(known, key=lambda e: e.value or 0.0)
    return (
        f"The most frequent answer is {most.by['answer']} ({subject(most)}): "
        f"{percentage(most)} of {most.n:,} answers."
    )


def _draw(estimates: Sequence[Estimate]) -> Figure:
    known = [e for e in estimates if e.value is not None]
    return figures.bars(
        "How often each answer was given",
        [{**row, "of": subject(e)} for row, e in zip(figures.rows(known), known, strict=True)],
        x=figures.axis("answer", "answer", "ordinal"),
        y=figures.axis("value", "share of answers"),
        colour=figures.axis("of", "question", "nominal"),
    )


YES, NO = "yes", "no"
MOST_POINTS_YES_SHARE = 20
CROSS = "share of Yes among the judgments with that answer to the other question; n counts these"


class YesShare(Statistic[Settings]):
    """The share of Yes per system, and at each point of the scale."""

    name = "yes-share"
    gives = ("yes-share", "yes-cross")
    asks = "How often is the answer Yes, for which system and at which point of the scale?"
    formula = "share of Yes among a system's answers; n counts answers"
    source = "TAP-ET, section 4 (the Yes/No beside the seven points)"
    order = 72

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Per system, then crossed with every scale; nothing where no Yes or No was asked."""
        asked = [ratings for ratings in evaluation.ratings if _is_yes_or_no(ratings)]
        systems = [
            _PerSystem(ratings.firsts, settings) for ratings in asked if ratings.has("system")
        ]
        if systems:
            estimates = tuple(e for one in systems for e in one.estimates())
            yield self.result(
                evaluation,
                settings,
                estimates,
                method=method_line(self.formula, first_method([one.found for one in systems])),
                headline=_best(estimates),
                draw=lambda: figures.points_with_intervals(
                    "Share of Yes", estimates, over="system", value="share of Yes"
                ),
            )
        crossed = tuple(
            e
            for scale in evaluation.ratings
            for ratings in asked
            if scale.question != ratings.question and scale.tags == ratings.tags
            for e in _crossed(scale.firsts, ratings.firsts)
        )
        if crossed:
            yield self.result(
                evaluation,
                settings,
                crossed,
                name="yes-cross",
                method=CROSS,
                headline=_crossing(crossed),
                draw=lambda: _draw_yes_share(crossed),
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


class _PerSystem:
    def __init__(self, ratings: Ratings, settings: Settings) -> None:
        self.ratings = ratings
        codes, self.systems = coded(ratings.frame["system"])
        self.numbers = np.bincount(codes, minlength=len(self.systems))
        given = np.eye(len(self.systems))[codes]
        columns = np.hstack([given, given * _yes(ratings.frame)[:, None]])
        width = len(self.systems)
        self.found: Estimates = bootstrap_estimates(
            columns,
            lambda t: t[:, width:] / t[:, :width],
            settings=settings,
            clusters=ratings.item_codes,
        )

    def estimates(self) -> Iterator[Estimate]:
        for at, system in enumerate(self.systems):
            by: dict[str, Key] = {**self.ratings.by, "system": system}
            yield self.found.estimate(at, n=int(self.numbers[at]), by=by, tags=self.ratings.tags)


def _crossed(scale: Ratings, asked: Ratings) -> Iterator[Estimate]:
    """The share of Yes at each point, over judgments of the same judge and item."""
    keys = [name for name in ("judge", "item") if name in scale.frame.columns]
    if len(scale.points) > MOST_POINTS_YES_SHARE or _is_yes_or_no(scale):
        return
    left = scale.frame.select(*keys).with_columns(pl.Series("code", scale.codes))
    right = asked.frame.select(*keys).with_columns(pl.Series("yes", _yes(asked.frame)))
    # A judge who answered twice must not be joined with each of the two answers.
    both = left.unique(keys).join(right.unique(keys), on=keys)
    n = np.bincount(both["code"].to_numpy(), minlength=len(scale.points))
    yes = np.bincount(both["code"].to_numpy(), both["yes"].to_numpy(), len(scale.points))
    for at, answer in enumerate(answers(scale)):
        if n[at]:
            by = {**asked.by, "scale": scale.question, "answer": answer}
            yield Estimate(value=float(yes[at] / n[at]), n=int(n[at]), by=by, tags=asked.tags)


def _best(estimates: Sequence[Estimate]) -> str:
    known = [e for e in estimates if e.value is not None]
    if not known:
        return ""
    best = max(known, key=lambda e: e.value or 0.0)
    # Several may share the first place.
    first = [str(e.by["system"]) for e in known if e.value == best.value and _alike(e, best)]
    verb = "has" if len(first) == 1 else "have"
    return f"{listed(first)} {verb} the most Yes ({best.by['question']}): {percentage(best)}."


def _alike(one: Estimate, other: Estimate) -> bool:
    """Whether two estimates are of the same question and split."""
    return (one.by["question"], one.tags) == (other.by["question"], other.tags)


def _crossing(crossed: Sequence[Estimate]) -> str:
    top = crossed[-1]
    return (
        f"Where {top.by['scale']} is {top.by['answer']}, {percentage(top)} of {top.n:,} judgments "
        f"say Yes ({top.by['question']})."
    )


def _draw_yes_share(crossed: Sequence[Estimate]) -> Figure:
    return figures.bars(
        "Share of Yes at each point of the scale",
        figures.rows(crossed),
        x=figures.axis("answer", "answer", "ordinal"),
        y=figures.axis("value", "share of Yes"),
        colour=figures.axis("scale", "question", "nominal"),
    )
