"""Where a yes or no was asked beside the scale: how the two go together, and per system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.agreement.answer_share import answers
from jurat.stats.agreement.wording import share
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings, coded
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import listed

YES, NO = "yes", "no"
MOST_POINTS = 20
CROSS = "share of Yes among the judgments with that answer to the other question; n counts these"


class YesShare(Statistic[Settings]):
    """The share of Yes per system, and at each point of the scale."""

    name = "yes-share"
    gives = ("yes-share", "yes-cross")
    asks = "How often is the answer Yes, for which system and at which point of the scale?"
    formula = "share of Yes among a system's answers; n counts answers"
    source = "TAP-ET, section 4 (the Yes/No beside the seven points)"
    place = 72

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
                method=told(self.formula, first_method([one.spread for one in systems])),
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
                draw=lambda: _draw(crossed),
            )


def _is_yes_or_no(ratings: Ratings) -> bool:
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
        self.spread: Spread = spread(
            columns,
            lambda t: t[:, width:] / t[:, :width],
            settings=settings,
            clusters=ratings.item_codes,
        )

    def estimates(self) -> Iterator[Estimate]:
        for at, system in enumerate(self.systems):
            by: dict[str, Key] = {**self.ratings.by, "system": system}
            yield self.spread.estimate(at, n=int(self.numbers[at]), by=by, tags=self.ratings.tags)


def _crossed(scale: Ratings, asked: Ratings) -> Iterator[Estimate]:
    """The share of Yes at each point, over judgments of the same judge and item."""
    keys = [name for name in ("judge", "item") if name in scale.frame.columns]
    if len(scale.points) > MOST_POINTS or _is_yes_or_no(scale):
        return
    left = scale.frame.select(*keys).with_columns(pl.Series("code", scale.codes))
    right = asked.frame.select(*keys).with_columns(pl.Series("yes", _yes(asked.frame)))
    both = left.unique(keys).join(right.unique(keys), on=keys)
    n = np.bincount(both["code"].to_numpy(), minlength=len(scale.points))
    yes = np.bincount(both["code"].to_numpy(), both["yes"].to_numpy(), len(scale.points))
    for at, answer in enumerate(answers(scale)):
        if n[at]:
            by = {**asked.by, "scale": scale.question, "answer": answer}
            yield Estimate(value=float(yes[at] / n[at]), n=int(n[at]), by=by, tags=asked.tags)


def _best(estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.value is not None]
    if not told:
        return ""
    best = max(told, key=lambda e: e.value or 0.0)
    first = [str(e.by["system"]) for e in told if e.value == best.value and _alike(e, best)]
    verb = "has" if len(first) == 1 else "have"
    return f"{listed(first)} {verb} the most Yes ({best.by['question']}): {share(best)}."


def _alike(one: Estimate, other: Estimate) -> bool:
    """Whether two estimates are of the same question and split."""
    return (one.by["question"], one.tags) == (other.by["question"], other.tags)


def _crossing(crossed: Sequence[Estimate]) -> str:
    top = crossed[-1]
    return (
        f"Where {top.by['scale']} is {top.by['answer']}, {share(top)} of {top.n:,} judgments "
        f"say Yes ({top.by['question']})."
    )


def _draw(crossed: Sequence[Estimate]) -> Figure:
    return figures.bars(
        "Share of Yes at each point of the scale",
        figures.rows(crossed),
        x=figures.axis("answer", "answer", "ordinal"),
        y=figures.axis("value", "share of Yes"),
        colour=figures.axis("scale", "question", "nominal"),
    )
