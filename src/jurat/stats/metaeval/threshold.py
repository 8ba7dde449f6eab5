"""The difference that people notice: from where on a metric means something to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.tallies import summed
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.bins import Bins, bins_of, told_steps
from jurat.stats.metaeval.decisions import Flags
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import MetricSettings, choices
from jurat.stats.metaeval.wording import NO_PAIRS, NOTHING, drawn_over, place_of
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings
from jurat.stats.words import listed, percent

FINE = 256
"""Different sizes of differences that are told apart in resamples; the value itself is exact."""
NEVER = "even where it differs most, the majority of judges does not agree with it"
METHODS = ("monotone", "bins", "mean-difference")
SEVERAL = 4
"""Metrics that a headline speaks of."""


class MetricThreshold(AgainstPeople):
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
    place = 10

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The three readings for each metric, and how many pairs differ so much."""
        asked = choices(settings)
        parts = matched(evaluation, asked)
        found: list[Estimate] = []
        beyond: list[Estimate] = []
        spreads: list[Spread] = []
        for one in parts:
            for at, name in enumerate(one.metrics):
                noticed = Noticed.of(one, at, asked)
                for method, drawn in noticed.spreads(asked).items():
                    by = {**one.by, "metric": name, "method": method}
                    found.append(noticed.estimate(drawn, by, one))
                    beyond.append(_share(noticed, found[-1]))
                    spreads.append(drawn)
        yield self.answer(
            evaluation,
            asked,
            found,
            method=told(
                self.formula,
                told_steps(parts, asked),
                "n counts pairs that the metric sets apart",
                asked.scored.direction,
                drawn_over(spreads),
                "an interval without end reaches beyond the largest difference" * _open(found),
            ),
            headline=_headline(found, beyond),
            draw=lambda: _draw(parts, asked),
            step=asked.step,
        )
        yield self.answer(
            evaluation,
            asked,
            beyond,
            name="metric-threshold-share",
            method="share of the pairs that differ by the threshold or more; n counts all pairs",
            step=asked.step,
        )


class Noticed(NamedTuple):
    """The pairs that a metric sets apart: how far, and whether the majority agrees with it."""

    apart: Array
    agrees: Flags
    segment: Codes
    segments: int
    bins: Bins
    every: int
    """Pairs, with those that the metric scores alike."""

    @classmethod
    def of(cls, one: Matched, metric: int, settings: MetricSettings) -> Noticed:
        """Of one metric."""
        margin, pairs = one.margins(metric), one.people.decisions.pairs
        scored = ~np.isnan(margin)
        differ = scored & (margin != 0)
        return cls(
            np.abs(margin[differ]),
            pairs.agreeing(margin)[differ],
            pairs.segment[differ],
            one.segments,
            bins_of(one, metric, settings),
            int(scored.sum()),
        )

    def spreads(self, settings: MetricSettings) -> dict[str, Spread]:
        """Each reading with its interval over segments."""
        if not len(self.apart):
            return dict.fromkeys(METHODS, NOTHING)
        return {
            "monotone": self._monotone(settings),
            "bins": self._by_steps(settings),
            "mean-difference": self._mean(settings),
        }

    @property
    def largest(self) -> float:
        """The greatest difference."""
        return float(self.apart.max(initial=0.0))

    @property
    def never(self) -> float:
        """Stands for a threshold beyond every difference, so that resamples can be sorted."""
        return 2 * self.largest + 1

    def estimate(self, drawn: Spread, by: dict[str, Key], one: Matched) -> Estimate:
        """A reading; an end of its interval beyond every difference is open."""
        values, low, high = (
            np.where(end > self.largest, np.nan, end)
            for end in (drawn.values, drawn.low, drawn.high)
        )
        reason = NEVER if len(self.apart) else NO_PAIRS
        kept = Spread(values=values, low=low, high=high)
        return kept.estimate(n=len(self.apart), by=by, tags=one.tags, reason=reason)

    def _monotone(self, settings: MetricSettings) -> Spread:
        """Resampled on some hundred sizes of differences; the value itself is exact."""
        sizes = np.unique(self.apart)
        if len(sizes) > FINE:
            levels = np.arange(FINE) / FINE
            sizes = np.unique(np.quantile(self.apart, levels, method="lower"))
        cell = np.searchsorted(sizes, self.apart, side="right") - 1
        (excess,) = self._in_cells(cell, len(sizes), self.agrees.astype(np.float64) - 0.5)
        exact = noticed_difference(self.apart, self.agrees)
        values = np.array([self.never if np.isnan(exact) else exact])
        if not settings.bootstrap:
            return replace(NOTHING, values=values)
        drawn = spread(
            excess, lambda totals: crossing(totals, sizes, self.never), settings=settings
        )
        return replace(drawn, values=values)

    def _by_steps(self, settings: MetricSettings) -> Spread:
        edges = self.bins.edges
        cell = self.bins.of(self.apart) - 1
        counts = self._in_cells(
            cell, len(edges), self.agrees.astype(np.float64), np.ones(len(cell))
        )

        def read(totals: Array) -> Array:
            agreeing, pairs = np.hsplit(totals, 2)
            return lowest_edge(agreeing, pairs, edges, self.never)

        return spread(np.hstack(counts), read, settings=settings)

    def _in_cells(self, cell: Codes, width: int, *parts: Array) -> list[Array]:
        """Sums by segment and cell, of the segments that have any pair."""
        cells, size = self.segment * width + cell, self.segments * width
        used = np.bincount(self.segment, minlength=self.segments) > 0
        return [summed(cells, part, size).reshape(-1, width)[used] for part in parts]

    def _mean(self, settings: MetricSettings) -> Spread:
        if not self.agrees.any():
            return NOTHING
        parts = np.column_stack([np.where(self.agrees, self.apart, 0.0), self.agrees])

        def read(totals: Array) -> Array:
            return np.asarray(totals[:, 0] / totals[:, 1])

        return spread(parts, read, settings=settings, clusters=self.segment)


def noticed_difference(apart: Array, agrees: Flags) -> float:
    """The smallest difference at which the isotonic fit of agreement exceeds one half.

    The fit is above c on the largest differences {x > t} for which Σ (y − c) is greatest: t is
    where the sum over the smaller ones is lowest, and no fit need be made (Robertson, Wright &
    Dykstra 1988, section 1.4). NaN where it never is.
    """
    sizes, place = np.unique(apart, return_inverse=True)
    excess = summed(place, agrees.astype(np.float64) - 0.5, len(sizes))
    return float(crossing(excess[None], sizes, np.nan)[0])


def crossing(excess: Array, sizes: Array, never: float) -> Array:
    """From agreeing pairs less half of the pairs of each size (rows × sizes), ascending."""
    below = np.column_stack([np.zeros(len(excess)), np.cumsum(excess, axis=1)])
    # the last of the lowest: from there on agreement exceeds one half and is not just equal to it
    last = below.shape[1] - 1 - np.argmin(below[:, ::-1], axis=1)
    return np.asarray(np.append(sizes, never)[last])


def lowest_edge(agreeing: Array, pairs: Array, edges: Array, never: float) -> Array:
    """The lower edge of the step from which on more than half agree in all that have pairs."""
    fails = (2 * agreeing <= pairs) & (pairs > 0)
    after = np.where(fails.any(axis=1), fails.shape[1] - np.argmax(fails[:, ::-1], axis=1), 0)
    full = (np.arange(len(edges)) >= after[:, None]) & (pairs > 0)
    at = np.where(full.any(axis=1), np.argmax(full, axis=1), len(edges))
    return np.asarray(np.append(edges, never)[at])


def _share(noticed: Noticed, estimate: Estimate) -> Estimate:
    """How many of all pairs differ by as much."""
    if estimate.value is None or not noticed.every:
        return estimate._replace(low=None, high=None, n=noticed.every)
    beyond = int((noticed.apart >= estimate.value * (1 - 1e-12)).sum())
    return estimate._replace(value=beyond / noticed.every, n=noticed.every, low=None, high=None)


def _open(found: Sequence[Estimate]) -> bool:
    return any(e.low is not None and e.high is None for e in found)


def _headline(found: Sequence[Estimate], beyond: Sequence[Estimate]) -> str:
    """Each metric's monotone reading in words, of the first question and split."""
    read = [
        (e, share)
        for e, share in zip(found, beyond, strict=True)
        if e.by.get("method") == "monotone" and (e.value is not None or e.reason == NEVER)
    ]
    same = [pair for pair in read if _of(pair[0]) == _of(read[0][0])]
    noticed = [pair for pair in same if pair[0].value is not None]
    never = [str(e.by["metric"]) for e, _ in same if e.value is None]
    noticed.sort(key=lambda pair: pair[0].low is not None and pair[0].high is None)
    said = [_said(*pair, first=at == 0) for at, pair in enumerate(noticed[:SEVERAL])]
    more = f"; {len(noticed) - SEVERAL} more below" if len(noticed) > SEVERAL else ""
    sentences = [f"{'; '.join(said)}{more}."] if said else []
    if never:
        sentences.append(f"Never, in these data: {listed(never)} ({NEVER}).")
    return (place_of(same[0][0], found) if same else "") + " ".join(sentences)


def _of(estimate: Estimate) -> tuple[object, ...]:
    return estimate.by.get("question"), *estimate.tags.items()


def _said(estimate: Estimate, share: Estimate, *, first: bool) -> str:
    name, value = estimate.by["metric"], spoken(estimate.value)
    many = percent(share.value or 0.0)
    sure = estimate.low is None or estimate.high is not None
    ends = ""
    if estimate.low is not None:
        ends = f" ({spoken(estimate.low)}–{spoken(estimate.high) or '…'})"
    if not first:
        return f"{name} {'' if sure else 'perhaps '}at {value}{ends}, {many} of the pairs"
    if not sure:
        return (
            f"Whether {name} ever means something to people is not settled by these data: perhaps "
            f"from a difference of {value} on{ends}, which {many} of the pairs have"
        )
    return (
        f"{name} starts to mean something to people at a difference of {value}{ends}: from "
        f"there on the majority of judges agrees with it more often than not; {many} of the "
        "pairs differ by as much"
    )


def _draw(parts: tuple[Matched, ...], settings: MetricSettings) -> Figure:
    """The share of pairs in which the majority agrees, by step, and one half."""
    rows: list[dict[str, object]] = []
    for one in parts:
        for at, name in enumerate(one.metrics):
            noticed = Noticed.of(one, at, settings)
            steps = noticed.bins.of(noticed.apart)
            labels = noticed.bins.names
            for step in np.unique(steps):
                own = steps == step
                share = float(noticed.agrees[own].mean())
                row = {**one.by, **one.tags, "metric": name, "bin": labels[step]}
                rows.append({**row, "value": share, "n": int(own.sum()), "half": 0.5})
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
    return figures.figure(title, rows, facet=facet, spec={"layer": [half, line]}, columns=2)
