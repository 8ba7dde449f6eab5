"""First against second judgment of an item, each in standard deviations of its judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.agreement.paired import HOW, quantile
from jurat.stats.agreement.self_agreement import correlation
from jurat.stats.agreement.tallies import summed
from jurat.stats.agreement.wording import WORDS, of_what, share
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings, scaled
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Settings, Statistic

MOST_DRAWN = 50_000
"""Items that are resampled; of more, the limit to which resampling comes is as good."""
UNPAIRED = "no item was judged by two judges whose scores vary"


class ZR2(Statistic[Settings]):
    """TAP-ET's scatter of normalised scores."""

    name = "z-r2"
    gives = ("z-r2",)
    asks = "How much of a second judgment does the first one tell, judges' levels set aside?"
    formula = (
        "R² of the first two judgments of an item, by different judges, in z-scores: "
        "(score − judge's mean) / judge's SD, ddof 1; the earlier decision is the first"
    )
    source = "TAP-ET, figure 5"
    needs = ("judge",)
    place = 55

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One R² a question."""
        baseline = {ratings.question: ratings for ratings in evaluation.baseline}
        found = [_Scatter.of(r, baseline.get(r.question, r), settings) for r in evaluation.ratings]
        estimates = tuple(scatter.estimate() for scatter in found)
        how = first_method([scatter.spread for scatter in found])
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(f"{self.formula}; n counts items", how),
            headline=_headline(estimates),
            draw=lambda: _draw(found),
        )


class _Scatter(NamedTuple):
    ratings: Ratings
    first: Array
    second: Array
    spread: Spread

    @classmethod
    def of(cls, ratings: Ratings, baseline: Ratings, settings: Settings) -> _Scatter:
        first, second = first_and_second(ratings, baseline)
        nothing = np.full(1, np.nan)
        found = Spread(values=nothing, low=nothing, high=nothing)
        if len(first) > MOST_DRAWN:
            found = _from_influences(first, second, settings)
        elif len(first):
            columns = [np.ones(len(first)), first, second, first**2, second**2, first * second]
            found = spread(np.column_stack(columns), _r2, settings=settings)
        return cls(ratings, first, second, found)

    def estimate(self) -> Estimate:
        reason = WORDS if self.ratings.nominal else UNPAIRED
        by, tags = self.ratings.by, self.ratings.tags
        return self.spread.estimate(n=len(self.first), by=by, tags=tags, reason=reason)


def first_and_second(ratings: Ratings, baseline: Ratings | None = None) -> tuple[Array, Array]:
    """The z-scores of the first two judgments of each item, in the order of their giving.

    Judges' means and deviations come from the baseline, or from the answers themselves. A judge
    whose scores do not vary has no z-scores.
    """
    if ratings.nominal:
        return np.empty(0), np.empty(0)
    ordered = ratings.firsts.chronological
    z = _z_scores(ordered, baseline or ratings)
    rows = np.flatnonzero(~np.isnan(z))
    rows = rows[np.argsort(ordered.item_codes[rows], kind="stable")]
    items = ordered.item_codes[rows]
    if not len(rows):
        return np.empty(0), np.empty(0)
    starts = np.flatnonzero(np.diff(items, prepend=-1))
    starts = starts[np.diff(starts, append=len(items)) > 1]
    return z[rows[starts]], z[rows[starts + 1]]


def _z_scores(ratings: Ratings, baseline: Ratings) -> Array:
    values, based = np.split(
        scaled(np.concatenate([ratings.values, baseline.values])), [len(ratings)]
    )
    judges = len(baseline.judges)
    n = np.bincount(baseline.judge_codes, minlength=judges)
    mean = summed(baseline.judge_codes, based, judges) / np.maximum(n, 1)
    squares = (based - mean[baseline.judge_codes]) ** 2
    sums = summed(baseline.judge_codes, squares, judges)
    deviation = np.sqrt(np.where(sums > 0, sums, np.nan) / np.where(n > 1, n - 1, np.nan))
    known = {judge: at for at, judge in enumerate(baseline.judges)}
    which = np.array([known[judge] for judge in ratings.judges])[ratings.judge_codes]
    return np.asarray((values - mean[which]) / deviation[which])


def _r2(totals: Array) -> Array:
    return correlation(totals)[:, None] ** 2


def _from_influences(first: Array, second: Array, settings: Settings) -> Spread:
    """The same from the influence of each item, z_x z_y − r (z_x² + z_y²) / 2, without draws."""
    x, y = ((z - z.mean()) / z.std() for z in (first, second))
    r = float((x * y).mean())
    error = np.sqrt(((x * y - r * (x**2 + y**2) / 2) ** 2).sum()) / len(x)
    half = 2 * abs(r) * error * quantile(settings) if settings.bootstrap else np.nan
    low, high = (np.array([np.clip(r**2 + end, 0, 1)]) for end in (-half, half))
    method = HOW if settings.bootstrap else ""
    return Spread(values=np.array([r**2]), low=low, high=high, method=method)


def _headline(estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.value is not None]
    if not told:
        return ""
    first = told[0]
    return (
        f"The first judgment of an item explains {share(first)} of the variance of the second, "
        f"judges' own levels set aside ({of_what(first)}, {first.n:,} items)."
    )


def _draw(found: Sequence[_Scatter]) -> Figure:
    """How many items lie where, in steps of half a deviation."""
    first, second = (np.concatenate([np.empty(0), *(s[at] for s in found)]) for at in (1, 2))
    places, counts = np.unique(
        np.round(np.column_stack([first, second]).reshape(-1, 2) * 2) / 2,
        axis=0,
        return_counts=True,
    )
    return figures.heat(
        "First against second judgment of an item, in z-scores",
        [
            {"first": x, "second": y, "items": int(n)}
            for (x, y), n in zip(places.tolist(), counts, strict=True)
        ],
        x=figures.axis("first", "first judgment, z", "ordinal"),
        y=figures.axis("second", "second judgment, z", "ordinal", sort="descending"),
        colour=figures.axis("items", "items"),
    )
