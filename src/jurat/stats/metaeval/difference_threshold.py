"""The smallest difference of a metric that people notice: from there on most agree with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, spoken
from jurat.stats import figures
from jurat.stats.estimates import (
    Estimates,
    bootstrap_estimates,
    first_method,
    jackknife_estimates,
    method_line,
    ratio,
)
from jurat.stats.independent_units import FEW, Units
from jurat.stats.metaeval.difference_bins import DifferenceBins, bins_of, describe_bins
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.matched_scores import NO_PAIRS, MatchedScores
from jurat.stats.metaeval.metric_statistic import (
    MetricStatistic,
    each_metric,
    interval_method,
    question_prefix,
)
from jurat.stats.metaeval.unit_intervals import share_intervals
from jurat.stats.phrases import FALLS_SHORT, listed, percent
from jurat.stats.ratings import Array, Codes, summed
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer

# Sizes of differences that resamples distinguish; the value itself is exact.
FINE = 256
NEVER = "even where it differs most, the majority of judges does not agree with it"
METHODS = ("monotone", "bins", "mean-difference")
# Documents below which intervals of the method `bins` were seen to hold too seldom: in 84 %
# of 10 unequal documents with ties, where one step with few pairs decides.
FEW_FOR_BINS = 20
# Metrics that a headline names.
SEVERAL = 4


class MetricThreshold(MetricStatistic):
    """From which difference on the majority of judges agrees with the metric."""

    name = "metric-threshold"
    gives = ("metric-threshold", "metric-threshold-share")
    asks = "How large must a difference of the metric be to mean something to people?"
    formula = (
        "the smallest difference from which more than half of the judges prefer the translation "
        "that the metric prefers, in more than half of the pairs (a judge's tie does not agree). "
        "monotone: where an isotonic fit of that share crosses one half; bins: the lower edge of "
        "the step from which on it does in every step; mean-difference: the mean difference of "
        "the pairs in which the majority agrees with the metric"
    )
    source = "Sun 2010, section 4 (GTM 0.11, TER 0.18, BLEU 0.29)"
    order = 10

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """The threshold of each metric by three methods, and how many pairs differ so much."""
        found: list[Estimate] = []
        beyond: list[Estimate] = []
        spreads: list[Estimates] = []
        for data, metric in each_metric(parts):
            pairs = MajorityAgreement.of(data, metric, settings)
            for method, drawn in pairs.thresholds(settings).items():
                found.append(pairs.estimate(drawn, data, metric, method))
                beyond.append(_share(pairs, found[-1]))
                spreads.append(drawn)
        of_means = first_method(spreads[len(METHODS) - 1 :: len(METHODS)])
        open_end = any(e.low is not None and e.high is None for e in found)
        method = method_line(
            self.formula,
            describe_bins(parts, settings),
            "n counts pairs that the metric sets apart",
            settings.metric_scores.direction,
            interval_method(spreads, parts),
            f"mean-difference: {of_means}" if of_means else "",
            "an interval without end reaches beyond the largest difference" if open_end else "",
        )
        yield Answer(
            found,
            method,
            headline=_headline(found, beyond),
            draw=lambda: _draw(parts, settings),
            choices={"step": settings.step},
        )
        method = "share of the pairs that differ by the threshold or more; n counts all pairs"
        yield Answer(beyond, method, "metric-threshold-share", choices={"step": settings.step})


class MajorityAgreement(NamedTuple):
    """The pairs that a metric sets apart: how far, and whether the majority agrees with it."""

    difference: Array
    agrees: Mask
    segment: Codes
    units: Units
    """The documents of the segments, or these themselves."""
    bins: DifferenceBins
    scored: int
    """Pairs, with those that the metric scores alike."""

    @classmethod
    def of(cls, data: MatchedScores, metric: int, settings: MetricSettings) -> MajorityAgreement:
        """Of one metric."""
        margin, votes = data.margins(metric), data.human.decisions.pairs
        scored = ~np.isnan(margin)
        # A pair that the metric scores alike has no preferred translation to agree with.
        differ = scored & (margin != 0)
        return cls(
            np.abs(margin[differ]),
            votes.majority_agrees(margin)[differ],
            votes.segment[differ],
            data.units,
            bins_of(data, metric, settings),
            int(scored.sum()),
        )

    def thresholds(self, settings: MetricSettings) -> dict[str, Estimates]:
        """The threshold by each method with its interval over documents."""
        if not len(self.difference):
            return dict.fromkeys(METHODS, Estimates.undefined())
        found = (self._monotone(settings), self._by_bins(settings), self._mean(settings))
        return dict(zip(METHODS, found, strict=True))

    @property
    def largest(self) -> float:
        """The greatest difference."""
        return float(self.difference.max(initial=0.0))

    @property
    def never(self) -> float:
        """Stands for a threshold beyond every difference, so that resamples can be sorted."""
        return 2 * self.largest + 1

    def estimate(self, drawn: Estimates, data: MatchedScores, metric: int, method: str) -> Estimate:
        """A threshold; an end of its interval beyond every difference is open."""
        ends = (drawn.values, drawn.low, drawn.high)
        # Beyond the largest difference stands `never`, which is no number to print.
        values, low, high = (np.where(end > self.largest, np.nan, end) for end in ends)
        low = np.maximum(low, 0.0)
        reason = NEVER if len(self.difference) else NO_PAIRS
        by, n = data.key(metric, method=method), len(self.difference)
        found = Estimates(values=values, low=low, high=high)
        made = found.estimate(n=n, by=by, tags=data.tags, reason=reason)
        return made if made.low is None else made._replace(note=self._note(method))

    def _note(self, method: str) -> str:
        """What to beware of where documents are few; else empty."""
        number = len(np.unique(self.units.of_item[self.segment]))
        if number >= (FEW_FOR_BINS if method == "bins" else FEW):
            return ""
        return f"{number} {self.units.words} say little about others: {FALLS_SHORT}"

    def _monotone(self, settings: MetricSettings) -> Estimates:
        exact = monotone_threshold(self.difference, self.agrees)
        values = Estimates.without_intervals(np.array([self.never if np.isnan(exact) else exact]))
        if not settings.intervals:
            return values
        # There may be thousands of sizes: resamples tell `FINE` of them apart, and only the ends of
        # the interval are rounded by that.
        sizes = np.unique(self.difference)
        if len(sizes) > FINE:
            levels = np.arange(FINE) / FINE
            sizes = np.unique(np.quantile(self.difference, levels, method="lower"))
        cell = np.searchsorted(sizes, self.difference, side="right") - 1
        (excess,) = self._by_unit(cell, len(sizes), self.agrees.astype(np.float64) - 0.5)

        def score(totals: Array) -> Array:
            return thresholds_of_excess(totals, sizes, self.never)

        # No jackknife here: a threshold is no smooth function of the documents' sums.
        drawn = bootstrap_estimates(excess, score, settings=settings, method="expanded")
        return replace(drawn, values=values.values)

    def _by_bins(self, settings: MetricSettings) -> Estimates:
        edges, cell = self.bins.edges, self.bins.of(self.difference) - 1
        parts = (self.agrees.astype(np.float64), np.ones(len(cell)))

        def score(totals: Array) -> Array:
            agreeing, pairs = np.hsplit(totals, 2)
            return thresholds_of_bins(agreeing, pairs, edges, self.never)

        counts = self._by_unit(cell, len(edges), *parts)
        return bootstrap_estimates(np.hstack(counts), score, settings=settings, method="expanded")

    def _by_unit(self, cell: Codes, width: int, *parts: Array) -> list[Array]:
        """Sums by document and cell, of the documents that have any pair."""
        unit = self.units.of_item[self.segment]
        cells, size = unit * width + cell, self.units.number * width
        used = np.bincount(unit, minlength=self.units.number) > 0
        return [summed(cells, part, size).reshape(-1, width)[used] for part in parts]

    def _mean(self, settings: MetricSettings) -> Estimates:
        if not self.agrees.any():
            return Estimates.undefined()
        sums = np.column_stack([np.where(self.agrees, self.difference, 0.0), self.agrees])
        unit = self.units.of_item[self.segment]
        return jackknife_estimates(
            sums,
            ratio,
            settings=settings,
            clusters=unit,
            scale="identity",
            contributing=[len(np.unique(unit[self.agrees]))],
            words=self.units.words,
        )


def monotone_threshold(difference: Array, agrees: Mask) -> float:
    """The smallest difference at which the isotonic fit of agreement exceeds one half.

    The fit is above c on the largest differences {x > t} for which Σ (y − c) is greatest: t is
    where the sum over the smaller ones is lowest, and no fit need be made (Robertson, Wright &
    Dykstra 1988, section 1.4). NaN where it never is.
    """
    order = np.argsort(difference, kind="stable")
    difference = difference[order]
    new = np.append(True, difference[1:] != difference[:-1])
    excess = summed(np.cumsum(new) - 1, agrees[order].astype(np.float64) - 0.5)
    return float(thresholds_of_excess(excess[None], difference[new], np.nan)[0])


def thresholds_of_excess(excess: Array, sizes: Array, never: float) -> Array:
    """The monotone threshold of each row: agreeing pairs less half of the pairs, by size.

    `excess` is rows × sizes, the sizes ascending; `never` where no size is large enough.
    """
    return thresholds_of_sums(np.cumsum(excess, axis=1), sizes, never)


def thresholds_of_sums(sums: Array, sizes: Array, never: float) -> Array:
    """The same from the excess of all pairs up to each size (rows × sizes)."""
    # The last of the lowest: from there on agreement exceeds one half and is not just equal to it.
    after = sums.shape[1] - np.argmin(sums[:, ::-1], axis=1)
    lowest = sums.min(axis=1)
    # Without any pair the sum is 0, which may be lower than all of them.
    return np.asarray(np.append(sizes, never)[np.where(lowest > 0, 0, after)])


def thresholds_of_bins(agreeing: Array, pairs: Array, edges: Array, never: float) -> Array:
    """The lower edge of the bin from which on more than half agree in all that have pairs."""
    fails = (2 * agreeing <= pairs) & (pairs > 0)
    # The bin after the last one that fails; empty bins neither fail nor count.
    after = np.where(fails.any(axis=1), fails.shape[1] - np.argmax(fails[:, ::-1], axis=1), 0)
    full = (np.arange(len(edges)) >= after[:, None]) & (pairs > 0)
    at = np.where(full.any(axis=1), np.argmax(full, axis=1), len(edges))
    return np.asarray(np.append(edges, never)[at])


def _share(pairs: MajorityAgreement, threshold: Estimate) -> Estimate:
    """How many of all pairs differ by as much."""
    share = None
    if threshold.value is not None and pairs.scored:
        # The difference that is the threshold itself counts, however it was rounded.
        share = int((pairs.difference >= threshold.value * (1 - 1e-12)).sum()) / pairs.scored
    return threshold._replace(value=share, n=pairs.scored, low=None, high=None, note="")


def _headline(found: Sequence[Estimate], beyond: Sequence[Estimate]) -> str:
    """Each metric's monotone threshold in words, of the first question and split."""
    read = [
        (e, share)
        for e, share in zip(found, beyond, strict=True)
        if e.by.get("method") == "monotone" and (e.value is not None or e.reason == NEVER)
    ]
    same = [pair for pair in read if _of(pair[0]) == _of(read[0][0])]
    noticed = [pair for pair in same if pair[0].value is not None]
    never = [str(e.by["metric"]) for e, _ in same if e.value is None]
    # Those whose interval is open come last: they are the least certain.
    noticed.sort(key=lambda pair: pair[0].low is not None and pair[0].high is None)
    said = [_sentence(*pair, first=at == 0) for at, pair in enumerate(noticed[:SEVERAL])]
    more = f"; {len(noticed) - SEVERAL} more below" if len(noticed) > SEVERAL else ""
    sentences = [f"{'; '.join(said)}{more}."] if said else []
    if never:
        sentences.append(f"Never, in these data: {listed(never)} ({NEVER}).")
    sentences += list(dict.fromkeys(f"{e.note.capitalize()}." for e, _ in noticed if e.note))
    return (question_prefix(same[0][0], found) if same else "") + " ".join(sentences)


def _of(estimate: Estimate) -> tuple[object, ...]:
    return estimate.by.get("question"), *estimate.tags.items()


def _sentence(estimate: Estimate, share: Estimate, *, first: bool) -> str:
    name, value = estimate.by["metric"], spoken(estimate.value)
    many = percent(share.value or 0.0)
    sure = estimate.low is None or estimate.high is not None
    ends = ""
    if estimate.low is not None:
        ends = f" ({spoken(estimate.low)}–{spoken(estimate.high) or '…'})"
    if not first:
        return f"with {name} {'' if sure else 'perhaps '}from {value}{ends}, {many}"
    if not sure:
        return (
            f"Whether the majority of judges ever agrees with {name} more often than not is not "
            f"settled by these data: perhaps from a difference of {value} on{ends}, which {many} "
            "of the pairs have"
        )
    return (
        f"From a difference of {value}{ends} on, the majority of judges agrees with {name} more "
        f"often than not; {many} of the pairs differ as much"
    )


def _draw(parts: Sequence[MatchedScores], settings: MetricSettings) -> Figure:
    """The share of pairs in which the majority agrees, by bin, and one half."""
    rows = [row for key in each_metric(parts) for row in _drawn_rows(*key, settings)]
    x = figures.axis("bin", "the metric's difference", "nominal", sort=None)
    line = {
        "mark": {"type": "line", "point": True, "tooltip": True},
        "encoding": {"x": x, "y": figures.axis("value", "share of pairs")},
    }
    half = {
        "mark": {"type": "rule", "strokeDash": [4, 4]},
        "encoding": {"y": figures.axis("half", "share of pairs")},
    }
    facet = figures.axis("metric", "metric", "nominal")
    title = "Pairs in which the majority of judges agrees with the metric"
    # Each metric has steps of its own.
    own = {"scale": {"x": "independent"}}
    layers = {"layer": [half, line]}
    return figures.figure(title, rows, facet=facet, spec=layers, columns=2, resolve=own)


def _drawn_rows(
    data: MatchedScores, metric: int, settings: MetricSettings
) -> Iterator[dict[str, object]]:
    pairs = MajorityAgreement.of(data, metric, settings)
    bins = pairs.bins.of(pairs.difference)
    for at in np.unique(bins):
        own = bins == at
        key = {**data.by, **data.tags, "metric": data.metrics[metric], "bin": pairs.bins.names[at]}
        hits = pairs.agrees[own].astype(np.float64)[:, None]
        units = data.units.of_item[pairs.segment[own]]
        share = share_intervals(data, hits, np.ones_like(hits), settings, units=units)
        found = share.estimate(n=int(own.sum()))
        yield {**key, "value": found.value, "low": found.low, "high": found.high, "n": found.n} | {
            "half": 0.5
        }
