"""Correlations of every two judges over the items that they share, and their mean.

All are computed for all pairs at once, from sums and from tables of the two judges' answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Key, Result, spoken
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
from jurat.stats.agreement.rare_answer_intervals import PSEUDO_ITEMS, Rarity, rarity, with_few_cases
from jurat.stats.correlation import (
    kendall_counts_by_group,
    kendall_counts_of_tables,
    moments,
    pearson_by_group,
    pearson_from_sums,
    tau_b,
    tau_c,
)
from jurat.stats.estimates import Estimates, common_method, left_out_by_group, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import units_of
from jurat.stats.judge_pairs import (
    FewShared,
    JudgePairs,
    PairUnits,
    pairs_within,
    rank_in_pair,
)
from jurat.stats.phrases import count_of, interval, subject
from jurat.stats.ratings import Array, Codes, Ratings, scaled
from jurat.stats.statistic import Settings, Statistic

# Cells of the answers' tables that are held at once.
CELLS = 2**22
# How many cells of a table are counted while two items are compared.
CHEAPER = 4
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
    """Kendall's τ_b and Stuart's τ_c of each pair of judges, from its items or its table."""
    if _few_items(pairs):
        counts = _counts_of_items(pairs)
        return tau_b(counts), tau_c(counts, pairs.n, _fewer_points(pairs))
    found = [_taus(*table) for table in _tables(pairs)]
    if not found:
        return np.empty(0), np.empty(0)
    b, c = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return b, c


def _few_items(pairs: JudgePairs) -> bool:
    """Whether every two items of a pair of judges are fewer than the cells of its table."""
    of_items = float((pairs.n.astype(np.float64) ** 2).sum()) / 2
    return 0 < of_items <= min(CELLS, len(pairs) * len(pairs.places) ** 2 / CHEAPER)


def _counts_of_items(pairs: JudgePairs) -> Array:
    """How the two judges of each pair order every two of their items."""
    order = np.argsort(pairs.pair, kind="stable")
    group = pairs.pair[order].astype(np.int64)
    one, other = pairs_within(group)
    x, y = (side[order].astype(np.float64) for side in (pairs.first, pairs.second))
    counts = np.zeros((len(pairs), 5))
    found = kendall_counts_by_group(x[one] - x[other], y[one] - y[other], group[one])
    # the last judges have no two items if they share one alone
    counts[: len(found)] = found
    return counts


def _fewer_points(pairs: JudgePairs) -> Codes:
    """How many points the one of each pair of judges used who used fewer."""
    points, shape = len(pairs.places), (len(pairs), len(pairs.places))
    used: list[Codes] = []
    for codes in (pairs.first, pairs.second):
        there = np.zeros(shape[0] * points, dtype=np.bool_)
        there[pairs.pair.astype(np.int64) * points + codes] = True
        used.append(there.reshape(shape).sum(axis=1, dtype=np.int64))
    return np.asarray(np.minimum(*used))


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
