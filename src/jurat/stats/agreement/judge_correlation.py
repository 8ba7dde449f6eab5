"""Correlations of every two judges over the items that they share, and their mean.

All are computed for all pairs at once, from sums and from tables of the two judges' answers. Also
the first against the second judgment of an item, each in standard deviations of its judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import WORDS, AnswerCounts
from jurat.stats.agreement.new_judges import drawn, draws_judges, for_these_judges
from jurat.stats.agreement.pair_intervals import (
    few_shared,
    judge_pairs,
    mean_over_pairs,
    mean_with_interval,
    noted,
    pair_method,
    pair_units,
    pseudo_pairs,
    widened_mean,
)
from jurat.stats.agreement.rare_answer_intervals import (
    PSEUDO_ITEMS,
    SKEWED_SCORES,
    Rarity,
    is_skewed,
    rarity,
    with_few_cases,
)
from jurat.stats.correlation import (
    kendall_counts_of_tables,
    moments,
    pearson_by_group,
    pearson_from_sums,
    tau_b,
    tau_c,
)
from jurat.stats.estimates import (
    Estimates,
    common_method,
    left_out_by_group,
    method_line,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import Units, units_of, with_unit_note
from jurat.stats.judge_pairs import FewShared, JudgePairs, PairUnits, rank_in_pair
from jurat.stats.phrases import FALLS_SHORT, count_of, interval, percentage, subject
from jurat.stats.ratings import Array, Codes, Ratings, scaled, summed
from jurat.stats.statistic import Settings, Statistic

# Cells of the answers' tables that are held at once.
CELLS = 2**22
# Cells up to which tables are counted in a second or so.
MOST_CELLS = 2**23


def pearson(pairs: JudgePairs) -> Array:
    """Pearson's r of each pair of judges."""
    places = scaled(pairs.places)
    return pearson_by_group(places[pairs.first], places[pairs.second], pairs.pair, pairs.n)[0]


def pearson_without(pairs: JudgePairs, cells: PairUnits) -> Array:
    """Pearson's r of each pair without each of its cells; NaN where it is undefined."""
    places = scaled(pairs.places)
    # Around the middle of the scale, to keep the digits of the squares.
    places = places - places[len(places) // 2]
    rows = moments(places[pairs.first], places[pairs.second])
    sums = np.column_stack([cells.sums(column) for column in rows.T])
    totals = np.column_stack([np.bincount(pairs.pair, column, len(pairs)) for column in rows.T])
    return pearson_from_sums(totals[cells.pair] - sums)


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


# Pairs of judgments of which ranks are computed twenty times over; of fewer more often.
MOST_JACKKNIFED = 100_000
FEWEST_GROUPS = 20
MOST_GROUPS = 100
# Units of which z-scores are computed anew without each.
MOST_LEFT_OUT = 400
CONSTANT = "one of the two judges of every pair always gave the same answer"
MANY = "there are too many pairs of judges and points of the scale for it"


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
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result a kind of correlation."""
        found = [_MeanCorrelations(ratings.firsts, settings) for ratings in evaluation.ratings]
        ways = {
            # Only Pearson follows from sums; ranks change with every item left out.
            "pearson-mean": _MeanCorrelations.pearson,
            "spearman-mean": _MeanCorrelations.spearman,
            "kendall-mean": _MeanCorrelations.kendall,
        }
        for name, of in ways.items():
            estimates = [e for means in found for e in of(means)]
            sure = any(e.low is not None for e in estimates)
            how = common_method(means.methods.get(name, "") for means in found) if sure else ""
            how = how if name == "pearson-mean" else for_these_judges(how, settings)
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                how=how,
                unit=settings.unit,
                drawn=drawn(settings),
            )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The first three; of Kendall's, τ_b."""
        told = [e for e in known if e.by.get("form", "b") == "b"][:3]
        each = [
            f"{subject(e)} {spoken(e.value)}{interval(e)} over {count_of(e.n, 'pairs of judges')}"
            + (f" ({e.note})" if e.note else "")
            for e in told
        ]
        kind = name.removesuffix("-mean").capitalize()
        return f"Two judges' answers correlate ({kind}): {'; '.join(each)}." if told else ""


class _MeanCorrelations:
    """The mean correlations of one question."""

    def __init__(self, ratings: Ratings, settings: Settings) -> None:
        self.ratings, self.settings = ratings, settings
        self.methods: dict[str, str] = {}
        self.rare = Rarity()
        if settings.intervals and not ratings.nominal:
            self.rare = rarity(AnswerCounts.of(ratings))

    def pearson(self) -> Iterator[Estimate]:
        if self.ratings.nominal:
            yield self._nothing(WORDS)
            return
        pairs, left_out = judge_pairs(self.ratings), None
        if self.settings.intervals:
            left_out = pearson_without(pairs, pair_units(self.ratings, self.settings))
            self.methods["pearson-mean"] = pair_method(self.ratings, self.settings)
        mean = self._mean(pearson(pairs), left_out, {})
        yield mean if draws_judges(self.settings) else self._with_few_cases(mean)

    def _with_few_cases(self, mean: Estimate) -> Estimate:
        """Pearson's mean with a wider interval where cases are few, or with a note."""
        if self._few.too_few:
            return mean
        if not self.rare.widens_distances or mean.value is None:
            return noted(mean, self.rare.square_note)
        more = pseudo_pairs(self.ratings, self.settings, "quadratic")
        values, left_out = pearson(more.pairs), pearson_without(more.pairs, more.cells)
        found = mean_with_interval(values, left_out, more.cells, self.settings, pseudo=True)
        told = method_line(self.methods["pearson-mean"], PSEUDO_ITEMS)
        self.methods["pearson-mean"] = told
        return widened_mean(mean, found, self.rare)

    def spearman(self) -> Iterator[Estimate]:
        if self.ratings.nominal:
            yield self._nothing(WORDS)
        else:
            yield from self._by_groups("spearman-mean", lambda pairs: [spearman(pairs)], ({},))

    def kendall(self) -> Iterator[Estimate]:
        pairs = judge_pairs(self.ratings)
        reason = WORDS if self.ratings.nominal else "" if kendall_is_quick(pairs) else MANY
        forms: Sequence[dict[str, Key]] = ({"form": "b"}, {"form": "c"})
        if reason:
            yield from (self._nothing(reason, **form) for form in forms)
        else:
            yield from self._by_groups("kendall-mean", kendall, forms)

    @property
    def _few(self) -> FewShared:
        """What is said of pairs who share few items or documents, where intervals are asked for."""
        sure = self.settings.intervals
        return few_shared(self.ratings, self.settings) if sure else FewShared()

    def _by_groups(
        self,
        name: str,
        of: Callable[[JudgePairs], Sequence[Array]],
        keys: Sequence[dict[str, Key]],
    ) -> Iterator[Estimate]:
        """Means of what sums cannot tell, with intervals where they are quick."""
        pairs = judge_pairs(self.ratings)
        estimates = [self._mean(v, None, key) for v, key in zip(of(pairs), keys, strict=True)]
        if not self.settings.intervals or not 0 < len(pairs.pair) <= MOST_JACKKNIFED:
            yield from estimates
            return
        if self._few.too_few:
            yield from (noted(estimate, self._few.note) for estimate in estimates)
            return
        units = units_of(self.ratings, self.settings)

        def with_pseudo_items() -> Estimates:
            more = pseudo_pairs(self.ratings, self.settings, "quadratic")
            return self._left_out(of, more.pairs, more.unit_of_item, pseudo=True)

        found = self._left_out(of, pairs, units.of_item)
        found = with_few_cases(found, self.rare, with_pseudo_items)
        self.methods[name] = method_line(found.method, units.note)
        for at, (estimate, key) in enumerate(zip(estimates, keys, strict=True)):
            told = found.estimate(
                at, n=estimate.n, about=self.ratings, by=key, reason=estimate.reason
            )
            yield noted(told, self._few.note)

    def _left_out(
        self,
        of: Callable[[JudgePairs], Sequence[Array]],
        pairs: JudgePairs,
        unit_of_item: Codes,
        *,
        pseudo: bool = False,
    ) -> Estimates:
        """The means with intervals from computing them anew without each unit, or group of them."""
        # Only units that two judges share have a part in it.
        shared, unit = np.unique(unit_of_item[pairs.item], return_inverse=True)

        def without(kept: NDArray[np.bool_]) -> list[float]:
            return [_defined_mean(values) for values in of(pairs.where(kept))]

        often = max(FEWEST_GROUPS, 2 * MOST_JACKKNIFED // len(pairs.pair))
        return left_out_by_group(
            without,
            unit,
            most=min(MOST_GROUPS, often, len(shared)),
            pseudo=pseudo,
            settings=self.settings,
            words=units_of(self.ratings, self.settings).words,
        )

    def _mean(self, values: Array, left_out: Array | None, keys: Mapping[str, Key]) -> Estimate:
        return mean_over_pairs(
            self.ratings, values, left_out, settings=self.settings, by=keys, reason=CONSTANT
        )

    def _nothing(self, reason: str, **keys: Key) -> Estimate:
        return Estimate.of(None, 0, about=self.ratings, by=keys, reason=reason)


def pearson_mean(ratings: Ratings) -> float:
    """The mean Pearson correlation of two judges; NaN where no pair has one."""
    pairs = judge_pairs(ratings.firsts)
    return _defined_mean(pearson(pairs))


def _defined_mean(values: Array) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


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
    reads_order = True
    order = 55
    counted = "items"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One R² a question."""
        baseline = {ratings.question: ratings for ratings in evaluation.baseline}
        found = [_Scatter.of(r, baseline.get(r.question, r), settings) for r in evaluation.ratings]
        estimates = [scatter.estimate() for scatter in found]
        how = common_method(scatter.found.method for scatter in found)
        how = for_these_judges(how, settings)
        yield self.result(
            evaluation,
            settings,
            estimates,
            how=how,
            draw=lambda: _draw(found),
            unit=settings.unit,
            drawn=drawn(settings),
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Of the first question and split."""
        first = known[0]
        return (
            f"The first judgment of an item explains {percentage(first)} of the variance of the "
            f"second, judges' own levels set aside ({subject(first)}, {first.n:,} items"
            f"{f'; {first.note}' if first.note else ''})."
        )


class _Scatter(NamedTuple):
    ratings: Ratings
    first: Array
    second: Array
    found: Estimates

    @classmethod
    def of(cls, ratings: Ratings, baseline: Ratings, settings: Settings) -> _Scatter:
        first, second, item = first_and_second(ratings, baseline)
        found = Estimates.undefined()
        if len(first):
            units = units_of(ratings.firsts.chronological, settings)
            known, unit = np.unique(units.of_item[item], return_inverse=True)
            sure = left_out_by_group(
                _r_without(
                    ratings, baseline, _units_of_rows(ratings, baseline, units, known), unit
                ),
                unit,
                most=max(FEWEST_GROUPS, min(MOST_LEFT_OUT, 40 * MOST_JACKKNIFED // len(baseline))),
                settings=settings,
                words=units.words,
            )
            found = _squared(with_unit_note(sure, units))
        return cls(ratings, first, second, found)

    def estimate(self) -> Estimate:
        reason = WORDS if self.ratings.nominal else UNPAIRED
        made = self.found.estimate(n=len(self.first), about=self.ratings, reason=reason)
        if made.low is None or not is_skewed(AnswerCounts.of(self.ratings.firsts)):
            return made
        return noted(made, method_line(SKEWED_SCORES, FALLS_SHORT))


def first_and_second(
    ratings: Ratings, baseline: Ratings | None = None
) -> tuple[Array, Array, Codes]:
    """The z-scores of the first two judgments of each item, in the order given, and the items.

    Judges' means and deviations come from the baseline, or from the answers themselves. A judge
    whose scores do not vary has no z-scores.
    """
    if ratings.nominal:
        return np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)
    ordered = ratings.firsts.chronological
    z = _NormalScores.of(ordered, baseline or ratings).z()
    first, second = _first_rows(ordered, z)
    return z[first], z[second], ordered.item_codes[first]


def _first_rows(ordered: Ratings, z: Array) -> tuple[Codes, Codes]:
    """The rows of the first two judgments of each item that have a z-score."""
    rows = np.flatnonzero(~np.isnan(z))
    # Stable, so that the order of giving remains within an item.
    rows = rows[np.argsort(ordered.item_codes[rows], kind="stable")]
    items = ordered.item_codes[rows]
    starts = np.flatnonzero(np.diff(items, prepend=-1))
    starts = starts[np.diff(starts, append=len(items)) > 1]
    return rows[starts], rows[starts + 1]


def _units_of_rows(ratings: Ratings, baseline: Ratings, units: Units, known: Codes) -> Codes:
    """The place in `known` of the unit of each row of the baseline, −1 where it is none of them."""
    items = ratings.firsts.chronological.items
    place = dict(zip(items, units.of_item.tolist(), strict=True))
    of_unit = np.full(units.number + 1, -1)
    of_unit[known] = np.arange(len(known))
    of_item = np.array([of_unit[place.get(name, -1)] for name in baseline.items], dtype=np.int64)
    return of_item[baseline.item_codes]


def _r_without(
    ratings: Ratings, baseline: Ratings, unit: Codes, unit_of_pair: Codes
) -> Callable[[NDArray[np.bool_]], list[float]]:
    """Pearson's r of the pairs of judgments that are kept, as a function of which these are.

    What is left out does not count in judges' means and deviations either: these draw the scores
    of judges of few items together, which makes r too low, and the jackknife corrects for that.
    `unit` is that of each row of the baseline, −1 where there is none.
    """
    ordered = ratings.firsts.chronological
    normal = _NormalScores.of(ordered, baseline)
    first, second = _first_rows(ordered, normal.z())

    def r(kept: NDArray[np.bool_]) -> list[float]:
        # the last place is that of rows without a unit, which always count
        there = np.ones(int(unit_of_pair.max()) + 2, dtype=np.bool_)
        there[unit_of_pair] = kept
        z = normal.z(there[unit])
        pairs = moments(z[first[kept]], z[second[kept]])
        # a judge whose other scores are all the same has no z-score
        return [float(pearson_from_sums(pairs[~np.isnan(pairs).any(axis=1)].sum(axis=0)))]

    return r


class _NormalScores(NamedTuple):
    """Scores, and those that the means and deviations of their judges come from."""

    values: Array
    judge: Codes
    baseline: Array
    of_judge: Codes
    judges: int

    @classmethod
    def of(cls, ratings: Ratings, baseline: Ratings) -> _NormalScores:
        values, based = np.split(
            scaled(np.concatenate([ratings.values, baseline.values])), [len(ratings)]
        )
        # A judge of this split is among those of the baseline, under another number.
        known = {judge: at for at, judge in enumerate(baseline.judges)}
        judge = np.array([known[judge] for judge in ratings.judges], dtype=np.int64)
        of_judge, judges = baseline.judge_codes, len(baseline.judges)
        return cls(values, judge[ratings.judge_codes], based, of_judge, judges)

    def z(self, kept: NDArray[np.bool_] | None = None) -> Array:
        """The z-scores, with means and deviations of the scores of the baseline that are kept."""
        based, of_judge = self.baseline, self.of_judge
        if kept is not None:
            based, of_judge = based[kept], of_judge[kept]
        n = summed(of_judge, np.ones(len(based)), self.judges)
        mean = summed(of_judge, based, self.judges) / np.maximum(n, 1)
        sums = summed(of_judge, (based - mean[of_judge]) ** 2, self.judges)
        deviation = np.sqrt(np.where(sums > 0, sums, np.nan) / np.where(n > 1, n - 1, np.nan))
        return np.asarray((self.values - mean[self.judge]) / deviation[self.judge])


def _squared(found: Estimates) -> Estimates:
    """R² with the ends of r squared; from 0 on where r may be 0."""
    low, high = found.low**2, found.high**2
    around = (found.low < 0) & (found.high > 0)
    lower = np.where(around, 0.0, np.minimum(low, high))
    return replace(found, values=found.values**2, low=lower, high=np.maximum(low, high))


def _draw(found: Sequence[_Scatter]) -> Figure:
    """How many items lie where, in steps of half a deviation."""
    first, second = (np.concatenate([np.empty(0), *(s[at] for s in found)]) for at in (1, 2))
    places, counts = np.unique(
        # + 0.0, since a negative zero would have a name of its own
        np.round(np.column_stack([first, second]).reshape(-1, 2) * 2) / 2 + 0.0,
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
