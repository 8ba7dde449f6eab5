"""Control items: degraded on purpose, or with a known answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.judges.judge_ratings import control_ratings, true_ratings
from jurat.stats.judges.judge_statistic import Mask, Signal, SignalValues, share_signal
from jurat.stats.judges.peer_comparison import mean_score
from jurat.stats.ratings import Array, Ratings
from jurat.stats.settings import JudgeSettings
from jurat.tables.schema import cast_column, words

NONE = (
    "there are no control items: control == 'degraded', a column expected, or a condition of yours"
)
# What a degraded item has in common with the one that it was made of.
SAME = ("document", "segment", "system", "reference")
# Of the scale's range: so far from the expected score is still right.
NEAR = 0.1


class ControlItems(Signal):
    """Attention checks: degraded copies, and items whose right answer is known."""

    name = "judge-controls"
    gives = ("judge-controls", "control-mean")
    way = "controls"
    doubts = True
    asks = "Who does not notice items that were spoilt on purpose?"
    formula = (
        "share of control items passed: a spoilt one scored below the judge's score of the "
        "original (of all they scored where they did not see it), a known one within 10 % of the "
        "scale"
    )
    rule = "one-sided binomial test of failures against those of all judges, p < .05"
    source = "Graham et al. 2017, section 4 (degraded copies as quality control)"
    order = 38
    counted = "control items"
    absent = NONE

    def measure_all(
        self, evaluation: Evaluation, settings: JudgeSettings
    ) -> tuple[SignalValues, ...]:
        """The share of control items that every judge passed."""
        plain = {_key(r): r for r in true_ratings(evaluation, settings)}
        return tuple(
            _passed_share(checks, plain.get(_key(checks)), settings)
            for checks in control_ratings(evaluation, settings)
        )

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """The share of every judge, and the mean scores of control items and of the others."""
        yield from super().results(evaluation, settings)
        checks, plain = control_ratings(evaluation, settings), true_ratings(evaluation, settings)
        kinds = (("controls", checks), ("others", plain))
        means = [mean_score(ratings, kind=kind) for kind, parts in kinds for ratings in parts]
        yield self.result(
            evaluation,
            settings,
            means if checks else [Estimate(None, 0, reason=NONE)],
            name="control-mean",
            method="mean score of control items and of all others; n counts judgments",
            **settings.choices(),
            draw=lambda: _draw(means if checks else []),
        )


def _passed_share(checks: Ratings, plain: Ratings | None, settings: JudgeSettings) -> SignalValues:
    wanted = expected(checks)
    original = np.full(len(checks), np.nan) if plain is None else scored_before(checks, plain)
    # a control of which nothing is expected is neither passed nor failed
    known = ~np.isnan(wanted) | ~np.isnan(original)
    return share_signal(
        checks,
        known & ~passed(checks.values, wanted, original, width=_width(checks, plain)),
        known,
        settings,
        reason="what is to be expected of their control items is not known",
        complement=True,
    )


def passed(values: Array, wanted: Array, original: Array, *, width: float) -> Mask:
    """Whether a control is near the answer wanted or, without one, below the original's score."""
    # NaN compares as False: a control without anything to compare with is not passed
    near = np.abs(values - wanted) <= NEAR * width
    return np.asarray(np.where(np.isnan(wanted), values < original, near))


def expected(checks: Ratings) -> Array:
    """The right answers in the column `expected`, coded like `values`; NaN where there is none."""
    if not checks.has("expected"):
        return np.full(len(checks), np.nan)
    told = checks.frame["expected"]
    if checks.nominal:
        places = {str(point): float(n) for n, point in enumerate(checks.points)}
        # a word that nobody gave is right for nobody
        return np.array([places.get(w, -1.0) if w else np.nan for w in words(told).to_list()])
    return cast_column(told, pl.Float64).to_numpy().astype(np.float64)


def scored_before(checks: Ratings, plain: Ratings) -> Array:
    """The judge's score of the item each degraded one was made of; else the mean of all scores."""
    if checks.nominal or plain.nominal or len(plain.points) < 2:
        return np.full(len(checks), np.nan)
    same = ["judge", *(name for name in SAME if checks.has(name) and plain.has(name))]
    # without document and segment a control may still share the item of its original
    same = same if len(same) > 1 else ["judge", "item"]
    originals, overall = _mean_by(plain, same, "original"), _mean_by(plain, ["judge"], "overall")
    found = checks.frame.select(same).join(
        originals, on=same, how="left", nulls_equal=True, maintain_order="left"
    )
    found = found.join(overall, on="judge", how="left", maintain_order="left")
    target = found["original"].fill_null(found["overall"])
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


def _draw(means: Sequence[Estimate]) -> Figure:
    return figures.bars(
        "Mean score of control items and of all others",
        figures.rows(means),
        x=figures.axis("kind", "", "nominal"),
        y=figures.axis("value", "mean score"),
        colour=figures.axis("question", "question", "nominal"),
    )
