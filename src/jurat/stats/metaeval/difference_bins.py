"""Pairs of translations in bins by the size of a metric's difference (Sun 2010).

What people say of the pairs in each bin, and how many pairs there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key
from jurat.stats import figures
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.metaeval.input_tables import parse_widths
from jurat.stats.metaeval.matched_scores import NO_PAIRS, MatchedScores
from jurat.stats.metaeval.metric_statistic import MetricStatistic, each_metric, interval_method
from jurat.stats.metaeval.unit_intervals import share_intervals
from jurat.stats.phrases import percent
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer

# Bins of differences; the last is open at the top.
NUMBER = 10
# The name of equal scores, which are in no bin.
NONE = "0"
# The share of a bin up to which a difference is rounded up: 0.3 − 0.2 falls short of 0.1.
ROUNDING = 1e-9
VERDICTS = ("agree", "disagree", "tie")
# What people say where the metric scores both alike: nobody can agree with it.
VERDICTS_OF_NONE = ("", "differ", "tie")


class DifferenceBins(NamedTuple):
    """Bins of equal width from 0; the last takes all that is larger."""

    step: float
    largest: float
    """Of the differences."""

    def of(self, differences: Array) -> Codes:
        """The bin of each difference, from 1; 0 where there is none."""
        at = np.floor(np.abs(differences) / self.step + ROUNDING)
        return np.where(differences == 0, 0, np.minimum(at, NUMBER - 1) + 1).astype(np.int64)

    @property
    def names(self) -> list[str]:
        """`0`, then `0.0-0.1` and so on; the last is `0.9+` where differences go beyond it."""
        digits = max(0, -int(np.floor(np.log10(self.step) + ROUNDING)))
        # A width of 0.25 has one digit more than its power of ten.
        digits += round(self.step, digits) != round(self.step, 12)
        edges = [f"{self.step * n:.{digits}f}" for n in range(NUMBER + 1)]
        beyond = self.largest > self.step * NUMBER * (1 + ROUNDING)
        last = f"{edges[-2]}+" if beyond else f"{edges[-2]}-{edges[-1]}"
        return [NONE, *(f"{low}-{high}" for low, high in pairwise(edges[:-1])), last]

    @property
    def edges(self) -> Array:
        """The lower edge of each bin."""
        return np.asarray(self.step * np.arange(NUMBER), dtype=np.float64)


def bins_of(data: MatchedScores, metric: int, settings: MetricSettings) -> DifferenceBins:
    """The bins of a metric: as asked, else by the scale of its scores."""
    scores = data.scores[metric]
    asked = parse_widths(settings.step, data.metrics)
    # Differences are in the metric's own units, so that each metric has bins of its own.
    step = asked.get(data.metrics[metric]) or default_width(scores[~np.isnan(scores)])
    margins = np.abs(data.margins(metric))
    return DifferenceBins(step, float(np.nanmax(margins, initial=0.0)) if len(margins) else 0.0)


def default_width(scores: Array) -> float:
    """0.1 on scales from 0 to 1, 10 on those to 100, else a round tenth of the scores' range.

    Quantiles decide: a few error rates above 1 or 100 do not make another scale.
    """
    if not len(scores):
        return 0.1
    low, middle, high = np.quantile(scores, (0.025, 0.5, 0.975))
    # COMET and the like lie around 0 to 1, sometimes a little below; BLEU and chrF up to 100.
    if low >= -0.5 and middle <= 1 and high <= 2:
        return 0.1
    if low >= 0 and 10 < high <= 200:
        return 10.0
    return _round((high - low) / 10) if high > low else 0.1


def _round(number: float) -> float:
    """The nearest of 1, 2, 5, 10 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(number))
    nearest = min((1.0, 2.0, 5.0, 10.0), key=lambda digit: abs(np.log(digit * power / number)))
    return float(nearest * power)


def describe_bins(parts: Sequence[MatchedScores], settings: MetricSettings) -> str:
    """`steps of 0.1 (TER), 10 (BLEU)`, for the method."""
    steps: dict[float, list[str]] = {}
    for data, metric in each_metric(parts[:1]):
        steps.setdefault(bins_of(data, metric, settings).step, []).append(data.metrics[metric])
    if len(steps) == 1:
        return f"steps of {next(iter(steps)):g}"
    each = ", ".join(f"{step:g} ({', '.join(names)})" for step, names in sorted(steps.items()))
    return f"steps of {each}" if steps else ""


def shares(counts: Sequence[int] | Mapping[str, int]) -> list[float | None]:
    """The share of the pairs in each bin; of no pairs at all there are none.

    Pairs without any difference are in no bin, and so not in the total either: Sun's 61.02 % of
    pairs below 0.1 in GTM are 1,484 of 2,432, and not of the 3,420 pairs that were compared.
    """
    numbers = list(counts.values()) if isinstance(counts, Mapping) else list(counts)
    total = sum(numbers)
    return [number / total if total else None for number in numbers]


class MetricScale(MetricStatistic):
    """What people say of pairs by the size of the metric's difference."""

    name = "metric-scale"
    gives = ("metric-scale", "metric-pairs", "metric-pairs-share")
    asks = "Do people see the differences that the metric sees, and which of them?"
    formula = (
        "share of the pairs of a segment's systems, by the size of the metric's difference, where "
        "the judge agrees with it, disagrees, or calls it a tie"
    )
    source = "Sun 2010, section 4, Table 2 and Figures 2-4"
    order = 20

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """Shares of verdicts in each bin, and how many pairs are in it."""
        each = [(*key, bins_of(*key, settings)) for key in each_metric(parts)]
        made = [_verdicts(*key, settings) for key in each]
        found = [e for _, estimates in made for e in estimates]
        steps = (describe_bins(parts, settings), "[lower, upper), 0 is no difference at all")
        common = (
            "n counts decisions; without judge: of all judges",
            settings.metric_scores.direction,
        )
        drawn = interval_method([spread for spread, _ in made], parts)
        chosen = {"step": settings.step}
        yield Answer(found, method_line(self.formula, *steps, *common, drawn), choices=chosen)
        pairs = [e for key in each for e in _pairs(*key)]
        method = method_line(
            "pairs of a segment's systems in each step; n counts all pairs", *steps
        )
        yield Answer(pairs, method, "metric-pairs", choices=chosen)
        relative = [e for key in each for e in _pair_shares(*key)]
        method = method_line("share of the pairs that differ; n counts these", *steps)
        yield Answer(relative, method, "metric-pairs-share", choices=chosen)

    def finding(self, name: str, first: Sequence[Estimate]) -> str:
        """What people say of small and large differences, or how many pairs differ little."""
        if name == "metric-scale":
            return _ends_of_scale(first)
        return _lowest_bins(first) if name == "metric-pairs-share" else ""

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Bars of verdicts, or of pairs, in each bin."""
        if name == "metric-scale":
            return _draw(estimates)
        return _draw_pairs(estimates) if name == "metric-pairs-share" else {}


def _verdicts(
    data: MatchedScores, metric: int, bins: DifferenceBins, settings: MetricSettings
) -> tuple[Estimates, list[Estimate]]:
    """Shares of verdicts, of all judges with intervals over documents, and of each judge."""
    rows = data.human.decisions
    margin = data.margins(metric, rows)
    scored = ~np.isnan(margin)
    if not scored.any():
        return Estimates.undefined(), [data.missing(metric, NO_PAIRS)]
    rows, margin = rows.where(scored), margin[scored]
    same = np.sign(margin) * rows.outcome
    verdict = np.select([rows.outcome == 0, same > 0], [2, 0], default=1)
    # The three verdicts of a bin stand side by side in a row of counts.
    cell, size = bins.of(margin) * 3 + verdict, 3 * len(bins.names)
    counts = _table(rows.segment, cell, data.segments, size)
    of_bin = np.repeat(counts.reshape(len(counts), -1, 3).sum(axis=2), 3, axis=1)
    drawn = share_intervals(data, counts, of_bin, settings)
    each = _table(rows.judge, cell, max(1, len(data.human.judges)), size)
    by = data.key(metric)
    found = [*_estimates(drawn, each.sum(axis=0), by, data, bins)]
    for at, judge in enumerate(data.human.judges):
        nan = np.full(size, np.nan)
        plain = Estimates(values=_verdict_shares(each[at][None])[0], low=nan, high=nan)
        found += _estimates(plain, each[at], {**by, "judge": judge}, data, bins)
    return drawn, found


def _table(rows: Codes, columns: Codes, height: int, width: int) -> Array:
    cells = np.bincount(rows * width + columns, minlength=height * width)
    return cells.reshape(height, width).astype(np.float64)


def _verdict_shares(totals: Array) -> Array:
    """Each count over the sum of its bin's three."""
    bins = totals.reshape(len(totals), -1, 3)
    with np.errstate(invalid="ignore"):
        return np.asarray((bins / bins.sum(axis=2, keepdims=True)).reshape(totals.shape))


def _estimates(
    found: Estimates,
    counts: Array,
    by: Mapping[str, Key],
    data: MatchedScores,
    bins: DifferenceBins,
) -> Iterator[Estimate]:
    """A share for each verdict in each bin that has pairs."""
    totals = counts.reshape(-1, 3).sum(axis=1)
    for step, name in enumerate(bins.names):
        for at, verdict in enumerate(VERDICTS if name != NONE else VERDICTS_OF_NONE):
            if totals[step] and verdict:
                key = {**by, "bin": name, "verdict": verdict}
                yield found.estimate(3 * step + at, n=int(totals[step]), by=key, tags=data.tags)


def _numbers(data: MatchedScores, metric: int, bins: DifferenceBins) -> list[int]:
    """How many pairs are in each bin, whoever judged them."""
    margin = data.margins(metric)
    found = np.bincount(bins.of(margin[~np.isnan(margin)]), minlength=len(bins.names))
    return [int(number) for number in found]


def _pairs(data: MatchedScores, metric: int, bins: DifferenceBins) -> Iterator[Estimate]:
    numbers = _numbers(data, metric, bins)
    if not sum(numbers):
        yield data.missing(metric, NO_PAIRS)
        return
    for name, number in zip(bins.names, numbers, strict=True):
        yield data.estimate(metric, float(number), sum(numbers), bin=name)


def _pair_shares(data: MatchedScores, metric: int, bins: DifferenceBins) -> Iterator[Estimate]:
    none, *numbers = _numbers(data, metric, bins)
    if not sum(numbers):
        alike = "the metric sets no two translations apart"
        yield data.missing(metric, alike if none else NO_PAIRS)
        return
    # Pairs without a difference are in no bin.
    for name, share in zip(bins.names[1:], shares(numbers), strict=True):
        yield data.estimate(metric, share or 0.0, sum(numbers), bin=name)


def _ends_of_scale(first: Sequence[Estimate]) -> str:
    """The smallest and the largest difference of the first metric."""
    agree = [e for e in first if e.by.get("verdict") == "agree" and "judge" not in e.by]
    same = [e for e in agree if e.by["metric"] == agree[0].by["metric"]]
    if len(same) < 2:
        return ""
    low, high = same[0], same[-1]
    return (
        f"Where {low.by['metric']} differs by {low.by['bin']}, judges "
        f"agree with it in {percent(low.value or 0.0)} of their decisions; where it differs by "
        f"{high.by['bin']}, in {percent(high.value or 0.0)}."
    )


def _lowest_bins(first: Sequence[Estimate]) -> str:
    """The share of the lowest bin, for the first three metrics."""
    lowest: dict[object, Estimate] = {}
    for estimate in first:
        lowest.setdefault(estimate.by["metric"], estimate)
    each = [
        f"{e.by['metric']} {percent(e.value or 0.0)} below {str(e.by['bin']).rpartition('-')[2]}"
        for e in list(lowest.values())[:3]
    ]
    return f"Of the pairs that a metric sets apart, in the lowest step: {'; '.join(each)}."


def _draw(found: Sequence[Estimate]) -> Figure:
    """Stacked bars for every bin: the counterpart of Figures 2-4, all judges together."""
    rows = figures.rows([e for e in found if "judge" not in e.by])
    bars = {
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {
            "x": figures.axis("bin", "the metric's difference", "nominal", sort=None),
            "y": figures.axis("value", "share of decisions"),
            "color": figures.axis("verdict", "people", "nominal"),
        },
    }
    facet = figures.axis("metric", "metric", "nominal")
    title = "What people say where the metric differs so much"
    return figures.figure(title, rows, facet=facet, spec=bars, columns=2)


def _draw_pairs(relative: Sequence[Estimate]) -> Figure:
    return figures.bars(
        "Pairs in each step of the metric's difference",
        figures.rows(relative),
        x=figures.axis("bin", "the metric's difference", "nominal", sort=None),
        y=figures.axis("value", "share of pairs", stack=None),
        colour=figures.axis("metric", "metric", "nominal"),
    )
