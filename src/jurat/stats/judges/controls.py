"""Items spoilt on purpose, or with a known answer: how often a judge notices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges.diagnosing import Diagnosing, ordinary, spoilt
from jurat.stats.judges.panel import WORDS
from jurat.stats.judges.shares import Mask, reading_of_shares
from jurat.stats.judges.signal import Reading, Signal
from jurat.stats.ratings import Array, Ratings
from jurat.tables.columns import cast_column, words

NONE = (
    "there are no control items: control == 'degraded', a column expected, or a condition of yours"
)
SAME = ("document", "segment", "system", "reference")
"""What a spoilt item has in common with the one that it was made of."""
NEAR = 0.1
"""Of the scale's range: so far from the expected score is still right."""


class Controls(Signal):
    """Attention checks: degraded copies, and items whose right answer is known."""

    name = "judge-controls"
    gives = ("judge-controls", "control-mean")
    way = "controls"
    doubts = True
    asks = "Who does not notice items that were spoilt on purpose?"
    formula = (
        "share of control items passed: a spoilt one scored below the judge's score of the "
        "original (of all he scored where he did not see it), a known one within 10 % of the scale"
    )
    rule = "one-sided binomial test of failures against those of all judges, p < .05"
    source = "Graham et al. 2017, section 4 (degraded copies as quality control)"
    needs = ("judge",)
    place = 38
    counts = "control items"

    absent = NONE

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The share of every judge."""
        plain = {_key(r): r for r in ordinary(evaluation, settings)}
        return tuple(
            _reading(checks, plain.get(_key(checks)), settings)
            for checks in spoilt(evaluation, settings)
        )

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """The share of every judge, and the mean score of control items beside that of others."""
        yield from super().results(evaluation, settings)
        checks, plain = spoilt(evaluation, settings), ordinary(evaluation, settings)
        means = [*_means(checks, "controls"), *_means(plain, "others")]
        yield self.result(
            evaluation,
            settings,
            means if checks else [Estimate(None, 0, reason=NONE)],
            name="control-mean",
            method="mean score of control items and of all others; n counts judgments",
            **settings.choices(),
            draw=lambda: _draw(means if checks else []),
        )


def _reading(checks: Ratings, plain: Ratings | None, settings: Diagnosing) -> Reading:
    wanted = expected(checks)
    original = np.full(len(checks), np.nan) if plain is None else scored_before(checks, plain)
    known = ~np.isnan(wanted) | ~np.isnan(original)
    return reading_of_shares(
        checks,
        known & ~passed(checks.values, wanted, original, width=_width(checks, plain)),
        known,
        settings,
        reason="what is to be expected of his control items is not known",
        turned=True,
    )


def passed(values: Array, wanted: Array, original: Array, *, width: float) -> Mask:
    """Whether a control is near the answer wanted or, without one, below the original's score."""
    near = np.abs(values - wanted) <= NEAR * width
    return np.asarray(np.where(np.isnan(wanted), values < original, near))


def expected(checks: Ratings) -> Array:
    """The right answers where the column `expected` tells them, as `values` has them."""
    if not checks.has("expected"):
        return np.full(len(checks), np.nan)
    told = checks.frame["expected"]
    if checks.nominal:
        places = {str(point): float(n) for n, point in enumerate(checks.points)}
        # a word that nobody gave is right for nobody
        return np.array([places.get(w, -1.0) if w else np.nan for w in words(told).to_list()])
    return cast_column(told, pl.Float64).to_numpy().astype(np.float64)


def scored_before(checks: Ratings, plain: Ratings) -> Array:
    """The judge's score of what each spoilt item was made of; else the mean of all he scored."""
    if checks.nominal or plain.nominal or len(plain.points) < 2:
        return np.full(len(checks), np.nan)
    same = ["judge", *(name for name in SAME if checks.has(name) and plain.has(name))]
    same = same if len(same) > 1 else ["judge", "item"]
    originals, all_of_his = _mean_by(plain, same, "original"), _mean_by(plain, ["judge"], "his")
    found = checks.frame.select(same).join(
        originals, on=same, how="left", nulls_equal=True, maintain_order="left"
    )
    found = found.join(all_of_his, on="judge", how="left", maintain_order="left")
    target = found["original"].fill_null(found["his"])
    return target.to_numpy().astype(np.float64)


def _mean_by(ratings: Ratings, keys: Sequence[str], name: str) -> pl.DataFrame:
    return ratings.frame.group_by(keys).agg(pl.col("value").mean().alias(name))


def _width(checks: Ratings, plain: Ratings | None) -> float:
    """The range of the scale, as far as it was used; words are near only to themselves."""
    if checks.nominal:
        return 0.0
    seen = [r.values for r in (checks, plain) if r is not None and not r.nominal]
    return float(np.ptp(np.concatenate(seen)))


def _key(ratings: Ratings) -> tuple[object, ...]:
    return (ratings.question, *sorted((k, str(v)) for k, v in ratings.tags.items()))


def _means(parts: Sequence[Ratings], kind: str) -> Iterator[Estimate]:
    for ratings in parts:
        yield Estimate(
            value=None if ratings.nominal else float(ratings.values.mean()),
            n=len(ratings),
            by={**ratings.by, "kind": kind},
            tags=ratings.tags,
            reason=WORDS if ratings.nominal else "",
        )


def _draw(means: Sequence[Estimate]) -> Figure:
    return figures.bars(
        "Mean score of control items and of all others",
        figures.rows(means),
        x=figures.axis("kind", "", "nominal"),
        y=figures.axis("value", "mean score"),
        colour=figures.axis("question", "question", "nominal"),
    )
