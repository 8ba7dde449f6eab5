"""Correlations of every two judges over the items that they share, and their mean.

All are computed for all pairs at once, from sums and from tables of the two judges' answers. Also
the first against the second judgment of an item, each in standard deviations of its judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import WORDS
from jurat.stats.agreement.cohen_kappa import INFLUENCES, judge_pairs, mean_over_pairs
from jurat.stats.correlation import (
    influence_on_r,
    kendall_counts_of_tables,
    moments,
    pearson_by_group,
    pearson_from_sums,
    tau_b,
    tau_c,
)
from jurat.stats.estimates import (
    JACKKNIFED,
    Estimates,
    bootstrap_estimates,
    first_method,
    jackknife_errors,
    normal_quantile,
    with_normal_interval,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.kappa import JudgePairs, rank_in_pair
from jurat.stats.phrases import count_of, interval, percentage, subject
from jurat.stats.ratings import Array, Codes, Ratings, scaled, summed
from jurat.stats.statistic import Settings, Statistic

# Cells of the answers' tables that are held at once.
CELLS = 2**22
# Cells up to which tables are counted in a second or so.
MOST_CELLS = 2**23


def pearson(pairs: JudgePairs) -> tuple[Array, Array]:
    """Pearson's r of each pair of judges, and the influence of each shared item on it."""
    places = scaled(pairs.places)
    return pearson_by_group(places[pairs.first], places[pairs.second], pairs.pair, pairs.n)


def spearman(pairs: JudgePairs) -> Array:
    """Spearman's ρ of each pair of judges: Pearson's r of mid-ranks."""
    first, second = (rank_in_pair(pairs, codes) for codes in (pairs.first, pairs.second))
    return pearson_by_group(first, second, pairs.pair, pairs.n)[0]


def kendall_is_quick(pairs: JudgePairs) -> bool:
    """Whether Kendall's τ of all pairs takes seconds rather than minutes."""
    return len(pairs) * len(pairs.places) ** 2 <= MOST_CELLS


def kendall(pairs: JudgePairs) -> tuple[Array, Array]:
    """Kendall's τ_b and Stuart's τ_c of each pair of judges, from the table of its answers."""
    found = [_taus(*table) for table in _tables(pairs)]
    if not found:
        return np.empty(0), np.empty(0)
    b, c = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return b, c


def _tables(pairs: JudgePairs) -> Iterator[tuple[Array, Codes]]:
    """Tables of answers (some pairs × points × points), and the pairs' numbers of items."""
    points = len(pairs.places)
    step = max(1, CELLS // max(points, 1) ** 2)
    # Sorting is needed only where the tables are made in several goes.
    one = step >= len(pairs)
    order = np.arange(len(pairs.pair)) if one else np.argsort(pairs.pair, kind="stable")
    starts = np.concatenate([[0], np.cumsum(pairs.n)])
    for begin in range(0, len(pairs), step):
        end = min(begin + step, len(pairs))
        rows = order[starts[begin] : starts[end]]
        cells = (pairs.pair[rows].astype(np.int64) - begin) * points + pairs.first[rows]
        size = (end - begin) * points**2
        counts = np.bincount(cells * points + pairs.second[rows], minlength=size)
        yield counts.reshape(-1, points, points).astype(np.float64), pairs.n[begin:end]


def _taus(table: Array, n: Codes) -> tuple[Array, Array]:
    given = (table.sum(axis=2), table.sum(axis=1))
    fewer = np.minimum(*((counts > 0).sum(axis=1) for counts in given))
    counts = kendall_counts_of_tables(table)
    return tau_b(counts), tau_c(counts, n, fewer)


# Pairs of judgments of which ranks are computed twenty times over.
MOST_JACKKNIFED = 100_000
CONSTANT = "one of the two judges of every pair always gave the same answer"
MANY = "there are too many pairs of judges and points of the scale for it"
_HOW = {"pearson-mean": INFLUENCES} | dict.fromkeys(("spearman-mean", "kendall-mean"), JACKKNIFED)


class Correlations(Statistic[Settings]):
    """Pearson, Spearman and Kendall, each averaged over all pairs of judges."""

    name = "pearson-mean"
    formulas: ClassVar = {
        "pearson-mean": "Pearson's r of two judges over their shared items, mean over pairs of "
        "judges",
        "spearman-mean": "Spearman's ρ (mid-ranks) of two judges, mean over pairs of judges",
        "kendall-mean": "Kendall's τ_b and Stuart's τ_c of two judges, mean over pairs of judges",
    }
    asks = "Do judges put the items in the same order, whatever their level?"
    source = "Pearson 1895; Spearman 1904; Kendall 1945; Stuart 1953"
    needs = ("judge",)
    order = 50
    over = "question"
    counted = "pairs of judges"

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result a kind of correlation."""
        found = [_MeanCorrelations(ratings.firsts, settings) for ratings in evaluation.ratings]
        ways = {
            # Only Pearson has influences in closed form; ranks change with every item left out.
            "pearson-mean": _MeanCorrelations.pearson,
            "spearman-mean": _MeanCorrelations.spearman,
            "kendall-mean": _MeanCorrelations.kendall,
        }
        for name, of in ways.items():
            estimates = [e for means in found for e in of(means)]
            sure = any(e.low is not None for e in estimates)
            how = _HOW[name] if sure else ""
            yield self.result(evaluation, settings, estimates, name=name, how=how)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The first three; of Kendall's, τ_b."""
        told = [e for e in known if e.by.get("form", "b") == "b"][:3]
        each = [
            f"{subject(e)} {spoken(e.value)}{interval(e)} over {count_of(e.n, 'pairs of judges')}"
            for e in told
        ]
        kind = name.removesuffix("-mean").capitalize()
        return f"Two judges' answers correlate ({kind}): {'; '.join(each)}." if told else ""


class _MeanCorrelations:
    """The mean correlations of one question."""

    def __init__(self, ratings: Ratings, settings: Settings) -> None:
        self.ratings, self.settings = ratings, settings

    def pearson(self) -> Iterator[Estimate]:
        if self.ratings.nominal:
            yield self._nothing(WORDS)
            return
        pairs = judge_pairs(self.ratings)
        values, influences = pearson(pairs)
        yield self._mean(values, influences, {})

    def spearman(self) -> Iterator[Estimate]:
        if self.ratings.nominal:
            yield self._nothing(WORDS)
        else:
            yield from self._jackknifed(lambda pairs: [spearman(pairs)], ({},))

    def kendall(self) -> Iterator[Estimate]:
        pairs = judge_pairs(self.ratings)
        reason = WORDS if self.ratings.nominal else "" if kendall_is_quick(pairs) else MANY
        forms: Sequence[dict[str, Key]] = ({"form": "b"}, {"form": "c"})
        if reason:
            yield from (self._nothing(reason, **form) for form in forms)
        else:
            yield from self._jackknifed(kendall, forms)

    def _jackknifed(
        self, of: Callable[[JudgePairs], Sequence[Array]], keys: Sequence[dict[str, Key]]
    ) -> Iterator[Estimate]:
        """Means of what has no influences, with the jackknife's intervals where it is quick."""
        pairs = judge_pairs(self.ratings)
        estimates = [self._mean(v, None, key) for v, key in zip(of(pairs), keys, strict=True)]
        if not self.settings.bootstrap or not 0 < len(pairs.pair) <= MOST_JACKKNIFED:
            yield from estimates
            return
        # The jackknife leaves items out, not pairs: an item is in many pairs.
        items = int(pairs.item.max()) + 1

        def without(kept: NDArray[np.bool_]) -> list[float]:
            return [_defined_mean(values) for values in of(pairs.where(kept[pairs.item]))]

        errors = jackknife_errors(without, items, seed=self.settings.seed)
        for estimate, error in zip(estimates, errors, strict=True):
            yield with_normal_interval(estimate, float(error), self.settings)

    def _mean(self, values: Array, influences: Array | None, keys: Mapping[str, Key]) -> Estimate:
        return mean_over_pairs(
            self.ratings, values, influences, settings=self.settings, by=keys, reason=CONSTANT
        )

    def _nothing(self, reason: str, **keys: Key) -> Estimate:
        return Estimate.of(None, 0, about=self.ratings, by=keys, reason=reason)


def pearson_mean(ratings: Ratings) -> float:
    """The mean Pearson correlation of two judges; NaN where no pair has one."""
    pairs = judge_pairs(ratings.firsts)
    return _defined_mean(pearson(pairs)[0])


def _defined_mean(values: Array) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


# Items that are resampled; of more, the limit to which resampling comes is as good.
MOST_DRAWN = 50_000
UNPAIRED = "no item was judged by two judges whose scores vary"


class ZR2(Statistic[Settings]):
    """TAP-ET's scatter of normalised scores."""

    name = "z-r2"
    asks = "How much of a second judgment does the first one tell, judges' levels set aside?"
    formula = (
        "R² of the first two judgments of an item, by different judges, in z-scores: "
        "(score − judge's mean) / judge's SD, ddof 1; the earlier decision is the first"
    )
    source = "TAP-ET, figure 5"
    needs = ("judge",)
    order = 55
    counted = "items"

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One R² a question."""
        baseline = {ratings.question: ratings for ratings in evaluation.baseline}
        found = [_Scatter.of(r, baseline.get(r.question, r), settings) for r in evaluation.ratings]
        estimates = [scatter.estimate() for scatter in found]
        how = first_method([scatter.found for scatter in found])
        yield self.result(evaluation, settings, estimates, how=how, draw=lambda: _draw(found))

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Of the first question and split."""
        first = known[0]
        return (
            f"The first judgment of an item explains {percentage(first)} of the variance of the "
            f"second, judges' own levels set aside ({subject(first)}, {first.n:,} items)."
        )


class _Scatter(NamedTuple):
    ratings: Ratings
    first: Array
    second: Array
    found: Estimates

    @classmethod
    def of(cls, ratings: Ratings, baseline: Ratings, settings: Settings) -> _Scatter:
        first, second = first_and_second(ratings, baseline)
        found = Estimates.undefined()
        # Of so many items, resampling comes to the same limit.
        if len(first) > MOST_DRAWN:
            found = _from_influences(first, second, settings)
        elif len(first):
            found = bootstrap_estimates(moments(first, second), _r2, settings=settings)
        return cls(ratings, first, second, found)

    def estimate(self) -> Estimate:
        reason = WORDS if self.ratings.nominal else UNPAIRED
        return self.found.estimate(n=len(self.first), about=self.ratings, reason=reason)


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
    # Stable, so that the order of giving remains within an item.
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
    # A judge of this split is among those of the baseline, under another number.
    known = {judge: at for at, judge in enumerate(baseline.judges)}
    which = np.array([known[judge] for judge in ratings.judges])[ratings.judge_codes]
    return np.asarray((values - mean[which]) / deviation[which])


def _r2(totals: Array) -> Array:
    return pearson_from_sums(totals)[:, None] ** 2


def _from_influences(first: Array, second: Array, settings: Settings) -> Estimates:
    """The same from the influence of each item, without draws."""
    x, y = ((z - z.mean()) / z.std() for z in (first, second))
    r = float((x * y).mean())
    error = np.sqrt((influence_on_r(x, y, r) ** 2).sum()) / len(x)
    # R² is r squared: its error is 2|r| times that of r (delta method).
    half = 2 * abs(r) * error * normal_quantile(settings) if settings.bootstrap else np.nan
    low, high = (np.array([np.clip(r**2 + end, 0, 1)]) for end in (-half, half))
    method = INFLUENCES if settings.bootstrap else ""
    return Estimates(values=np.array([r**2]), low=low, high=high, method=method)


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
