"""Pairwise accuracy with tie calibration: how often a metric orders or ties two as people do.

A metric ties two translations whose scores differ by no more than ε. Every ε is tried, and the
smallest with the highest accuracy is taken (Deutsch, Foster & Freitag 2023).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, spoken
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.matched_scores import NO_PAIRS, MatchedScores, ScoreGroups, score_groups
from jurat.stats.metaeval.metric_statistic import (
    MetricStatistic,
    each_metric,
    first_question,
    highest,
    interval_method,
    question_prefix,
)
from jurat.stats.metaeval.unit_intervals import (
    intervals_of_left_out,
    left_out_groups,
    recomputed_intervals,
)
from jurat.stats.phrases import percentage
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import Grouping, MetricSettings
from jurat.stats.statistic import Answer

# Pairs that fit into memory at once.
MOST = 2**25
# Pairs up to which accuracy is computed block by block: some ten seconds.
MOST_COUNTED = 2**28
MANY = "too many pairs; --grouping item compares the systems of a segment"
# Members of a group beyond which counting its pairs first is quicker than sorting them all.
LONG = 512
# Cells of the histogram of differences.
CELLS = 2**16
# Pairs of a block, which stay in the processor's cache.
AT_ONCE = 2**17
# Sums of weights that are equal but for rounding are equally good.
ROUNDING = 1e-12
GROUPS = {
    "none": "all translations at once",
    "item": "the systems of a segment",
    "system": "the segments of a system",
}


class MetricAccuracyWithTies(MetricStatistic):
    """The share of pairs of which people and metric say the same: better, worse, or a tie."""

    name = "metric-acceq"
    gives = ("metric-acceq", "metric-epsilon")
    asks = "How often does the metric say what people say of two translations, ties and all?"
    formula = (
        "acc_eq: pairs that people and the metric order alike or both tie, over all pairs of a "
        "group, mean over groups; the metric ties two whose scores differ by no more than ε, the "
        "smallest one with the highest accuracy"
    )
    source = "Deutsch, Foster & Freitag 2023; mt-metrics-eval"
    order = 55
    points = ("Pairwise accuracy with calibrated ties", "accuracy")

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """Accuracies, and the ε with which they are reached."""
        grouping = settings.grouped("item")
        made = [_of_metric(*key, grouping, settings) for key in each_metric(parts)]
        found = [accuracy for accuracy, _, _ in made]
        thresholds = [epsilon for _, epsilon, _ in made]
        drawn = interval_method([spread for *_, spread in made], parts)
        common = (f"groups: {GROUPS[grouping]}; n counts pairs", settings.metric_scores.direction)
        chosen = {"grouping": grouping}
        yield Answer(
            found,
            method_line(self.formula, *common, drawn, "ε calibrated anew" if drawn else ""),
            headline=_headline(found, thresholds),
            choices=chosen,
        )
        method = method_line("ε: scores that differ by no more are best taken for a tie", *common)
        yield Answer(thresholds, method, "metric-epsilon", choices=chosen)


class PairDifferences(NamedTuple):
    """Pairs of translations: their group, the sign of people's difference, and the metric's."""

    group: Codes
    human: Array
    metric: Array

    def correct(self, epsilon: float) -> Mask:
        """Whether the metric agrees with people on each pair, with differences up to ε as ties."""
        size = np.abs(self.metric)
        alike = (self.human * self.metric > 0) & (size > epsilon)
        return np.where(self.human == 0, size <= epsilon, alike)


class Calibration(NamedTuple):
    """The highest accuracy, and the least ε that reaches it."""

    accuracy: float
    epsilon: float


def metric_pairs(data: MatchedScores, metric: int, grouping: Grouping) -> PairDifferences | str:
    """The pairs of a metric, or why there are none."""
    if data.human.means is not None:
        groups = score_groups(data.human.means, data.oriented[metric], grouping)
        return MANY if groups.pairs.sum() > MOST else pair_differences(groups)
    if grouping == "system":
        return "people compared systems, segment by segment"
    rows = data.human.decisions
    margin = data.margins(metric, rows)
    scored = ~np.isnan(margin)
    group = np.zeros(len(rows), dtype=np.int64) if grouping == "none" else rows.segment
    return PairDifferences(group[scored], rows.outcome[scored], margin[scored])


def metric_accuracy(
    data: MatchedScores, metric: int, grouping: Grouping
) -> tuple[Calibration, int] | str:
    """The accuracy of a metric and the number of its pairs, or why there are none."""
    if data.human.means is not None:
        groups = score_groups(data.human.means, data.oriented[metric], grouping)
        number = int(groups.pairs.sum())
        if number > MOST_COUNTED:
            return MANY
        return (calibrate_groups(groups), number) if number else NO_PAIRS
    pairs = metric_pairs(data, metric, grouping)
    if isinstance(pairs, str):
        return pairs
    return (calibrate(pairs), len(pairs.human)) if len(pairs.human) else NO_PAIRS


def _of_metric(
    data: MatchedScores, metric: int, grouping: Grouping, settings: MetricSettings
) -> tuple[Estimate, Estimate, Estimates]:
    """The accuracy, the ε, and how the accuracy's interval was made."""
    key = {"level": "segment", "grouping": grouping}
    found = metric_accuracy(data, metric, grouping)
    if isinstance(found, str):
        missing = data.missing(metric, found, **key)
        return missing, missing, Estimates.undefined()
    best, n = found
    drawn = Estimates.without_intervals(np.array([best.accuracy]))
    if settings.intervals and n * data.units.number <= MOST_COUNTED:
        drawn = _with_interval(data, metric, grouping, best.accuracy, settings)
    accuracy = drawn.estimate(n=n, by=data.key(metric, **key), tags=data.tags)
    return accuracy, data.estimate(metric, best.epsilon, n, **key), drawn


def _with_interval(
    data: MatchedScores, metric: int, grouping: Grouping, value: float, settings: MetricSettings
) -> Estimates:
    """The accuracy with the jackknife's interval, for which ε is calibrated anew each time."""
    if data.human.means is None or grouping != "item" or len(data.systems) > LONG:
        return recomputed_intervals(
            data, lambda part: [_accuracy(part, metric, grouping)], settings, share=True
        )
    pairs = sorted_pairs(data, metric)
    group = left_out_groups(data)
    number = int(group.max(initial=-1)) + 1
    left_out = [pairs.accuracy(group[pairs.group] != one) for one in range(number)]
    table = np.array(left_out if number > 1 else [], dtype=np.float64)[:, None]
    return intervals_of_left_out(data, np.array([value]), table, settings, share=True)


def _accuracy(data: MatchedScores, metric: int, grouping: Grouping) -> float:
    found = metric_accuracy(data, metric, grouping)
    return np.nan if isinstance(found, str) else found[0].accuracy


def pair_differences(groups: ScoreGroups) -> PairDifferences:
    """Every two members of each group that have both scores."""
    number, size = groups.human.shape
    # One long group: indices of all its pairs would take more room than the pairs.
    if number == 1:
        human, metric = (_every_two(side[0])[None] for side in groups)
    else:
        first, second = np.triu_indices(size, 1)
        human, metric = (side[:, first] - side[:, second] for side in groups)
    group = np.repeat(np.arange(number), human.shape[1])
    pairs = PairDifferences(group, np.sign(human).ravel(), metric.ravel())
    there = ~np.isnan(pairs.human)
    if there.all():
        return pairs
    return PairDifferences(group[there], pairs.human[there], pairs.metric[there])


def _every_two(scores: Array) -> Array:
    """Differences of every two, without the indices of all of them: these may be millions."""
    number = len(scores)
    found = np.empty(number * (number - 1) // 2)
    at = 0
    for place in range(number - 1):
        found[at : at + number - 1 - place] = scores[place] - scores[place + 1 :]
        at += number - 1 - place
    return found


def pair_weights(group: Codes) -> Array:
    """The weight of each pair: equal within a group, and groups have equal weight in all."""
    return np.asarray(_group_weights(np.bincount(group))[group])


def _group_weights(number: Codes) -> Array:
    return np.asarray(1 / (np.maximum(number, 1) * max(1, np.count_nonzero(number))))


def calibrate(pairs: PairDifferences) -> Calibration:
    """Try every ε: sort the pairs by their difference, and add up what tying them changes.

    Tied, a pair that people tie becomes right, one that is ordered alike becomes wrong, and one
    that is ordered the other way round stays wrong. Only where a pair becomes right can an ε be
    the best.
    """
    size = np.abs(pairs.metric)
    tied, alike = pairs.human == 0, pairs.human * pairs.metric > 0
    number = np.bincount(pairs.group)
    number = number[number > 0]
    # Groups of one size need no weights: the differences are sorted by themselves.
    weights = None if (number == number[0]).all() else pair_weights(pairs.group)
    gains, losses = (
        SortedDifferences.of(size[chosen], None if weights is None else weights[chosen])
        for chosen in (tied, alike)
    )
    net = gains.up_to(gains.sizes) - losses.up_to(gains.sizes)
    best, epsilon = _best(gains.sizes, net, float(gains.up_to(np.zeros(1))[0]), losses.total)
    return Calibration((losses.total + best) / (len(size) if weights is None else 1.0), epsilon)


def _best(sizes: Array, net: Array, start: float, scale: float) -> tuple[float, float]:
    """The greatest gain over that without ε, and the least ε that reaches it but for rounding."""
    best = max(start, float(net.max(initial=-np.inf)))
    same = best - ROUNDING * max(1.0, scale)
    # Without any ε is as good: the smallest one is asked for.
    if start >= same:
        return start, 0.0
    return best, float(sizes[np.argmax(net >= same)])


class SortedDifferences(NamedTuple):
    """Differences of some pairs in order, and the sum of their weights up to each."""

    sizes: Array
    sums: Array | None
    """None where every pair counts 1."""

    @classmethod
    def of(cls, sizes: Array, weights: Array | None) -> SortedDifferences:
        """Sort differences, with their weights where they have any."""
        if weights is None:
            return cls(np.sort(sizes), None)
        order = np.argsort(sizes)
        return cls(sizes[order], np.append(0.0, np.cumsum(weights[order])))

    @property
    def total(self) -> float:
        """The weight of all of them."""
        return float(len(self.sizes) if self.sums is None else self.sums[-1])

    def up_to(self, limits: Array) -> Array:
        """The weight of the pairs that differ by no more than each limit."""
        number = np.searchsorted(self.sizes, limits, side="right")
        return number.astype(np.float64) if self.sums is None else np.asarray(self.sums[number])


class SortedPairs:
    """The pairs of all segments, sorted once for the calibration of many subsets of them."""

    def __init__(self, groups: ScoreGroups) -> None:
        pairs = pair_differences(groups)
        size = np.abs(pairs.metric)
        self.groups, self.group = groups, pairs.group
        self.gains, self.losses = (
            chosen[np.argsort(size[chosen])]
            for chosen in map(np.flatnonzero, (pairs.human == 0, pairs.human * pairs.metric > 0))
        )
        gained, lost = size[self.gains], size[self.losses]
        # How many gains and losses there are up to the size of each gain, and gains of size 0.
        self.gained_up_to = np.searchsorted(gained, gained, side="right")
        self.lost_up_to = np.searchsorted(lost, gained, side="right")
        self.start = int(np.searchsorted(gained, 0.0, side="right"))

    @property
    def members(self) -> tuple[Codes, Codes]:
        """Which two members of its group each pair is made of."""
        human = self.groups.human
        first, second = np.triu_indices(human.shape[1], 1)
        there = ~np.isnan(human[:, first] + human[:, second]).ravel()
        return np.tile(first, len(human))[there], np.tile(second, len(human))[there]

    def accuracy(self, kept: Mask) -> float:
        """The highest accuracy of the pairs that are kept; NaN where none is."""
        number = np.bincount(self.group[kept])
        number = number[number > 0]
        if not len(number):
            return float("nan")
        equal = bool((number == number[0]).all())
        weights = kept.astype(np.float64)
        if not equal:
            weights[kept] = pair_weights(self.group[kept])
        gains, losses = (
            np.append(0.0, np.cumsum(weights[order])) for order in (self.gains, self.losses)
        )
        # Sizes of pairs that are left out are no better: nothing is gained there.
        net = gains[self.gained_up_to] - losses[self.lost_up_to]
        total, start = float(losses[-1]), float(gains[self.start])
        best, _ = _best(net, net, start, total)
        return (total + best) / (int(kept.sum()) if equal else 1.0)


def sorted_pairs(data: MatchedScores, metric: int) -> SortedPairs:
    """The pairs of systems of all segments."""
    assert data.human.means is not None
    return SortedPairs(score_groups(data.human.means, data.oriented[metric], "item"))


def calibrate_groups(groups: ScoreGroups) -> Calibration:
    """`calibrate` for groups, also of so many pairs that they do not fit into memory.

    Those are counted in a histogram of their differences, which bounds the accuracy of every ε in a
    cell; only the pairs of cells that may contain the best ε are computed again, and sorted.
    """
    if groups.human.shape[1] > LONG:
        return _BlockCalibration(groups).best()
    return calibrate(pair_differences(groups))


class _BlockCalibration:
    """Calibration of groups whose pairs are computed block by block, twice."""

    def __init__(self, groups: ScoreGroups) -> None:
        self.groups = groups
        self.weights = _group_weights(groups.pairs)
        # Equal scores have a range of 0, by which cells could not be divided.
        self.top = float(np.nanmax(groups.metric) - np.nanmin(groups.metric)) or 1.0

    def best(self) -> Calibration:
        """The highest accuracy."""
        gains, losses, start = np.zeros(CELLS + 1), np.zeros(CELLS + 1), 0.0
        for weight, gained, lost in self._blocks():
            start += weight * np.count_nonzero(gained == 0)
            gains += weight * np.bincount(self._cell(gained), minlength=CELLS + 1)
            losses += weight * np.bincount(self._cell(lost), minlength=CELLS + 1)
        after = np.cumsum(gains - losses)
        before = after - gains + losses
        floor = max(start, float(after.max())) - ROUNDING
        # At best, an ε within a cell has all of its gains and none of its losses.
        promising = (gains > 0) & (before + gains >= floor)
        best, epsilon = _best(*self._inside(promising, before), start, 1.0)
        return Calibration(float(losses.sum() + best), epsilon)

    def _inside(self, promising: Mask, before: Array) -> tuple[Array, Array]:
        """The sizes at which pairs become right in promising cells, and what is gained by each."""
        sizes: tuple[list[Array], list[Array]] = ([], [])
        weights: tuple[list[Array], list[Array]] = ([], [])
        # A second pass: the pairs of the first could not all be held.
        for weight, *moving in self._blocks():
            for at, own in enumerate(moving):
                kept = own[promising[self._cell(own)]]
                sizes[at].append(kept)
                weights[at].append(np.full(len(kept), weight))
        gains, losses = (
            SortedDifferences.of(np.concatenate(own), np.concatenate(counted))
            for own, counted in zip(sizes, weights, strict=True)
        )
        cells = self._cell(gains.sizes)
        # Within its cell, and what all cells below it gained or lost as a whole.
        return gains.sizes, before[cells] + self._within(gains, cells) - self._within(
            losses, cells, gains.sizes
        )

    def _within(self, own: SortedDifferences, cells: Codes, limits: Array | None = None) -> Array:
        """The weight between the lower edge of each cell and the limits."""
        assert own.sums is not None
        first = np.searchsorted(self._cell(own.sizes), cells, side="left")
        return own.up_to(own.sizes if limits is None else limits) - own.sums[first]

    def _cell(self, size: Array) -> Codes:
        """Cells are finer where differences are small, since most are."""
        return (np.sqrt(size * (1 / self.top)) * CELLS).astype(np.int64)

    def _blocks(self) -> Iterator[tuple[float, Array, Array]]:
        """The weight of a block's pairs, the sizes of those that people tie, and of those alike."""
        for group, (human, metric) in enumerate(zip(*self.groups, strict=True)):
            there = ~np.isnan(human)
            sides, number = (human[there], metric[there]), int(there.sum())
            step = max(1, AT_ONCE // max(1, number))
            for start in range(0, number - 1, step):
                rows = slice(start, min(start + step, number - 1))
                first, second = (side[rows, None] - side[None, start + 1 :] for side in sides)
                # No translation is compared with itself, nor twice with another.
                left = first[:, : len(first)]
                left[np.tril_indices(len(left), -1, left.shape[1])] = np.nan
                tied, alike = second[first == 0], second[first * second > 0]
                yield float(self.weights[group]), np.abs(tied), np.abs(alike)


def _headline(found: Sequence[Estimate], thresholds: Sequence[Estimate]) -> str:
    if not (first := first_question(found)):
        return ""
    best = highest(first)
    epsilon = next(e for e in thresholds if (e.by, e.tags) == (best.by, best.tags))
    return (
        f"{question_prefix(best, found)}{best.by['metric']} says what people say of two "
        f"translations in {percentage(best)} of the pairs, where scores "
        f"that differ by no more than {spoken(epsilon.value)} are taken for a tie."
    )
