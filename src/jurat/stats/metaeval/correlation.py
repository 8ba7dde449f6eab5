"""Correlations of metrics with people's scores, of systems and of segments (WMT).

Pearson, Spearman and the variants of Kendall's τ that the metrics tasks of WMT used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, spoken
from jurat.stats import correlation, figures
from jurat.stats.correlation import KendallCounts, kendall_counts, tau_b, tau_c
from jurat.stats.estimates import Estimates, method_line, ratio
from jurat.stats.metaeval.matched_scores import (
    NO_PAIRS,
    NO_RATINGS,
    NO_SEGMENTS,
    MatchedScores,
    ScoreGroups,
    score_groups,
)
from jurat.stats.metaeval.metric_statistic import MetricStatistic, each_metric
from jurat.stats.metaeval.rank_correlation_left_out import (
    kendall_counts_left_out,
    spearman_left_out,
)
from jurat.stats.metaeval.segment_ranking import AGREE, DISAGREE, HUMAN_TIE, METRIC_TIE, verdicts
from jurat.stats.metaeval.unit_intervals import (
    intervals_of_left_out,
    left_out_groups,
    recomputed_intervals,
    sum_intervals,
)
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Codes, summed
from jurat.stats.settings import Grouping, MetricSettings
from jurat.stats.statistic import Answer

# Systems below which their correlation says nothing.
FEWEST = 3
# Translations up to which a jackknife is quick.
MOST = 100_000
# Systems below which even a high correlation of theirs says little.
FEW_SYSTEMS = 10
LOWER = "lower is better"
FEW = f"fewer than {FEWEST} systems have both scores"
FLAT = "people's scores or the metric's do not vary"
HOW = {
    "none": "over all translations at once",
    "item": "over the systems of each segment, mean over segments for which it is defined",
    "system": "over the segments of each system, mean over systems for which it is defined",
}
HOW_POOLED = {
    "none": "over all pairs of translations",
    "item": "over the pairs of systems of all segments",
    "system": "over the pairs of segments of all systems",
}

# Variants of τ that count the pairs of all groups together; of the others groups are averaged.
POOLED = ("wmt12", "wmt13", "wmt14", "wmt20")
# Points by which people's scores must differ to count in WMT's relative ranking (2017–2020).
GAP = 25.0
KENDALL_FORMULAS = {
    "b": "τ_b = (C − D) / √((n − metric ties)(n − human ties))",
    "c": "Stuart's τ_c = 2m(C − D) / n²(m − 1), m the fewer different values",
    "23": "τ_eq = (C + tied by both − D − tied by one) / n (Deutsch et al. 2023)",
    "wmt12": "(C − D − metric ties) / (C + D + metric ties), human ties left out (WMT12)",
    "wmt13": "(C − D) / (C + D), ties left out (WMT13)",
    "wmt14": "(C − D) / (C + D + metric ties), human ties left out (WMT14)",
    "wmt20": f"(C − D) / (C + D) over pairs {GAP:g} points apart, metric ties in D (WMT17–20)",
}


class Coefficient(NamedTuple):
    """A correlation, and the interval that it has with n independent pairs of values."""

    name: str
    formula: str
    of: Callable[[ScoreGroups], Array]
    """The coefficient of each group; NaN where it is undefined."""
    interval: Callable[[float, int, float], tuple[float, float]]
    """Both ends, from a coefficient, n and the confidence."""
    interval_name: str
    ordered: bool = True
    """Whether it speaks of better and worse; else scores are taken as they are."""
    pooled: bool = False
    """Whether it is one of all groups together and no mean over groups."""
    recomputed: bool = True
    """Whether it has to be computed anew without a document; else it follows from sums."""
    left_out: Callable[[Array, Array, Codes], Array] | None = None
    """The coefficient of two lists without the places of each group, where one pass tells it."""

    def value(self, groups: ScoreGroups) -> float:
        """The coefficient of all groups; NaN where it is undefined."""
        return float(self.of(groups)[0]) if self.pooled else average(self.of(groups))


def average(values: Array) -> float:
    """The mean of the groups that have a value; NaN where none has."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


PEARSON = Coefficient(
    "pearson",
    "Pearson's r, of scores as they are",
    lambda groups: correlation.pearson(*groups),
    correlation.fisher_interval,
    "Fisher's interval",
    ordered=False,
    recomputed=False,
)
SPEARMAN = Coefficient(
    "spearman",
    "Spearman's ρ, mid-ranks",
    lambda groups: correlation.spearman(*groups),
    correlation.bonett_wright_interval,
    "Bonett and Wright's interval",
    left_out=spearman_left_out,
)


@cache
def kendall_of(variant: str) -> Coefficient:
    """A variant of Kendall's τ, as `KENDALL_FORMULAS` names it; the same object each time."""
    pooled = variant in POOLED
    return Coefficient(
        "kendall",
        KENDALL_FORMULAS[variant],
        partial(_pooled_kendall if pooled else _kendall, variant),
        correlation.fieller_interval,
        "Fieller's interval",
        pooled=pooled,
        # These two need more than the counts of all pairs.
        left_out=None if variant in ("c", "wmt20") else partial(_kendall_left_out, variant),
    )


def _kendall_left_out(variant: str, x: Array, y: Array, group: Codes) -> Array:
    return kendall_variant(variant, kendall_counts_left_out(x, y, group))


def _kendall(variant: str, groups: ScoreGroups) -> Array:
    return kendall_variant(variant, kendall_counts(*groups), groups)


def _pooled_kendall(variant: str, groups: ScoreGroups) -> Array:
    # WMT's relative ranking ignores pairs that people scored nearly alike.
    gap = GAP if variant == "wmt20" else 0.0
    return kendall_variant(variant, kendall_counts(*groups, gap=gap).sum(axis=0)[None])


def kendall_variant(variant: str, counts: Array, groups: ScoreGroups | None = None) -> Array:
    """A variant of Kendall's τ from `kendall_counts`; NaN where it is undefined.

    τ_c needs the groups themselves, for their number of different values.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        if variant == "c":
            assert groups is not None
            n = (~np.isnan(groups.human)).sum(axis=-1)
            return tau_c(counts, n, np.minimum(*(_different(side) for side in groups)))
        if variant == "b":
            return tau_b(counts)
        return np.asarray(_VARIANTS[variant](KendallCounts(*np.moveaxis(counts, -1, 0))))


def _over_metric_ties(k: KendallCounts, excess: Array) -> Array:
    return np.asarray(excess / (k.concordant + k.discordant + k.tied_y))


# Of the counts, x is people and y the metric.
_VARIANTS: Mapping[str, Callable[[KendallCounts], Array]] = {
    "23": lambda k: (k.concordant + k.tied_both - k.discordant - k.tied_x - k.tied_y) / sum(k),
    "wmt12": lambda k: _over_metric_ties(k, k.concordant - k.discordant - k.tied_y),
    "wmt13": lambda k: (k.concordant - k.discordant) / (k.concordant + k.discordant),
    "wmt14": lambda k: _over_metric_ties(k, k.concordant - k.discordant),
    "wmt20": lambda k: _over_metric_ties(k, k.concordant - k.discordant - k.tied_y),
}


def _different(values: Array) -> Array:
    """How many different values each row has; NaN is sorted last and is none."""
    ordered = np.sort(values, axis=-1)
    new = (ordered[:, 1:] != ordered[:, :-1]) & ~np.isnan(ordered[:, 1:])
    return np.asarray(new.sum(axis=-1) + ~np.isnan(ordered[:, 0]), dtype=np.float64)


def segment_value(
    data: MatchedScores, metric: int, coefficient: Coefficient, grouping: Grouping
) -> float:
    """The coefficient of segments' scores; it is computed once. NaN where it is undefined.

    There must be ratings, and not preferences alone.
    """
    return data.once(_segment_value, metric, coefficient, grouping)


def _segment_value(
    data: MatchedScores, metric: int, coefficient: Coefficient, grouping: Grouping
) -> float:
    assert data.human.means is not None
    scores = (data.oriented if coefficient.ordered else data.scores)[metric]
    return coefficient.value(score_groups(data.human.means, scores, grouping))


def of_segments(
    data: MatchedScores,
    metric: int,
    coefficient: Coefficient,
    grouping: Grouping,
    settings: MetricSettings,
) -> Estimate:
    """The coefficient of segments' scores, with an interval over segments."""
    key = {"level": "segment", "grouping": grouping}
    side = "" if coefficient.ordered or data.signs[metric] > 0 else LOWER
    if data.human.means is None:
        return data.missing(metric, NO_RATINGS, side=side, **key)
    means = data.human.means
    scores = (data.oriented if coefficient.ordered else data.scores)[metric]
    groups = score_groups(means, scores, grouping)
    if not groups.n:
        return data.missing(metric, NO_SEGMENTS, side=side, **key)
    if not settings.intervals or (coefficient.recomputed and groups.n > MOST):
        value = segment_value(data, metric, coefficient, grouping)
        return data.estimate(metric, value, groups.n, reason=FLAT, side=side, **key)
    drawn = _interval(data, metric, coefficient, grouping, settings)
    by = data.key(metric, **key)
    # A sum over segments may differ in its last digits from the coefficient itself.
    exact = replace(drawn, values=np.array([segment_value(data, metric, coefficient, grouping)]))
    return exact.estimate(n=groups.n, by=by, tags=data.tags, reason=FLAT, side=side)


def _interval(
    data: MatchedScores,
    metric: int,
    coefficient: Coefficient,
    grouping: Grouping,
    settings: MetricSettings,
) -> Estimates:
    """The coefficient with its interval over documents, by sums where it has any."""
    means, scores = data.human.means, data.oriented[metric]
    assert means is not None
    scores = scores if coefficient.ordered else data.scores[metric]
    if grouping == "item" and not coefficient.pooled:
        each = coefficient.of(score_groups(means, scores, grouping))
        defined = ~np.isnan(each)
        sums = np.column_stack([np.where(defined, each, 0.0), defined])
        return sum_intervals(data, sums, ratio, settings)
    if not coefficient.recomputed:
        return sum_intervals(data, pearson_sums(means, scores, grouping), mean_pearson, settings)
    if grouping == "none" and coefficient.left_out:
        groups = score_groups(means, scores, grouping)
        left_out = left_out_of_all(data, groups, coefficient)
        value = np.array([segment_value(data, metric, coefficient, grouping)])
        return intervals_of_left_out(data, value, left_out, settings)

    def values(part: MatchedScores) -> list[float]:
        assert part.human.means is not None
        return [coefficient.value(score_groups(part.human.means, scores, grouping))]

    return recomputed_intervals(data, values, settings)


def left_out_of_all(data: MatchedScores, groups: ScoreGroups, coefficient: Coefficient) -> Array:
    """A coefficient of all translations without each document or group of them (groups × 1)."""
    assert coefficient.left_out is not None
    segments = left_out_groups(data)
    if int(segments.max(initial=-1)) < 1:
        return np.empty((0, 1))
    each = np.repeat(segments, len(data.systems))
    return coefficient.left_out(groups.human[0], groups.metric[0], each)[:, None]


def pearson_sums(means: Array, scores: Array, grouping: Grouping) -> Array:
    """The sums of each segment from which Pearson's r follows, of all systems or of each.

    Segments × (groups × 6), as `mean_pearson` takes them.
    """
    missing = np.isnan(means) | np.isnan(scores)
    centred = []
    for side in (means, scores):
        there = np.where(missing, np.nan, side)
        middle = np.nanmean(there) if not missing.all() else 0.0
        centred.append(np.nan_to_num(there - middle))
    human, metric = centred
    table = np.stack(
        [~missing, human, metric, human * human, metric * metric, human * metric], axis=-1
    )
    return table.sum(axis=1) if grouping == "none" else table.reshape(len(table), -1)


def mean_pearson(totals: Array) -> Array:
    """Pearson's r of each group from sums (rows × groups × 6), mean over groups that have one."""
    r = correlation.pearson_from_sums(totals.reshape(len(totals), -1, 6))
    defined = ~np.isnan(r)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(defined, r, 0.0).sum(axis=1) / defined.sum(axis=1))


def of_systems(
    data: MatchedScores, metric: int, coefficient: Coefficient, settings: MetricSettings
) -> Estimate:
    """The coefficient of systems' scores, with its interval in closed form."""
    lower = data.signs[metric] < 0
    side = LOWER if lower and not coefficient.ordered else ""
    scores, _ = data.system_scores(metric)
    scores = -scores if lower and coefficient.ordered else scores
    groups = score_groups(data.human.system_scores[None], scores[None], "item")
    value = coefficient.value(groups) if groups.n >= FEWEST else float("nan")
    reason = FEW if groups.n < FEWEST else FLAT
    made = data.estimate(metric, value, groups.n, reason=reason, side=side, level="system")
    # The interval's standard error divides by n − 3 or n − 4, and atanh 1 is infinite.
    if made.value is None or not settings.intervals or abs(value) >= 1 or made.n <= 4:
        return made
    low, high = coefficient.interval(value, made.n, settings.confidence)
    return made._replace(low=low, high=high)


def of_decisions(
    data: MatchedScores, metric: int, variant: str, settings: MetricSettings
) -> Estimate:
    """Kendall's τ from people's decisions on two systems of a segment, all counted together."""
    key = {"level": "segment", "grouping": "item"}
    if settings.grouping == "system" or variant in ("c", "wmt20"):
        reason = "people compared two systems of a segment at a time, and gave no scores"
        return data.missing(metric, reason, **key)
    rows, found = data.human.decisions, verdicts(data, metric)
    tied = data.margins(metric, rows) == 0
    human_tie = found == HUMAN_TIE
    # In the order of `KendallCounts`: concordant, discordant, tied by people, the metric, both.
    masks = (found == AGREE, found == DISAGREE, human_tie & ~tied, found == METRIC_TIE)
    counts = np.stack(
        [
            summed(rows.segment, mask.astype(np.float64), data.segments)
            for mask in (*masks, human_tie & tied)
        ],
        axis=1,
    )
    n = int(counts.sum())
    if not n:
        return data.missing(metric, NO_PAIRS, **key)
    drawn = sum_intervals(data, counts, partial(kendall_variant, variant), settings)
    reason, by = "no pair is ordered by both", data.key(metric, **key)
    return drawn.estimate(n=n, by=by, tags=data.tags, reason=reason)


class MetricCorrelation(MetricStatistic):
    """Pearson, Spearman and Kendall of a metric's scores and people's."""

    name = "metric-pearson"
    gives = ("metric-pearson", "metric-spearman", "metric-kendall")
    asks = "Do the metric's scores go with people's, of systems and of segments?"
    formula = "correlation of people's mean scores and the metric's"
    source = "WMT metrics tasks (Macháček & Bojar 2014; Freitag et al. 2023); mt-metrics-eval"
    order = 50

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """A result a coefficient, of segments and of systems."""
        rated = any(data.human.means is not None for data in parts)
        # Preferences are counted as WMT14 did; of ratings τ_b is usual.
        variant = settings.kendall or ("b" if rated else "wmt14")
        for coefficient in (PEARSON, SPEARMAN, kendall_of(variant)):
            grouping = default_grouping(coefficient, settings)
            found = list(_estimates(parts, coefficient, grouping, variant, settings))
            chosen: dict[str, object] = {"grouping": grouping}
            if coefficient.name == "kendall":
                chosen["variant"] = variant
            method = _method(parts, coefficient, grouping, settings)
            yield Answer(found, method, f"metric-{coefficient.name}", choices=chosen)

    def finding(self, name: str, first: Sequence[Estimate]) -> str:
        """The highest correlation of segments and of systems."""
        sentences = []
        for level in ("segment", "system"):
            own = [e for e in first if e.by["level"] == level]
            if own:
                best = max(own, key=lambda e: (e.value or 0.0) * (-1 if e.side == LOWER else 1))
                words = f"{best.by['metric']} {spoken(best.value)}{interval(best)}"
                few = level == "system" and best.n < FEW_SYSTEMS
                little = f" ({best.n} systems say little)" if few else ""
                sentences.append(f"of {level}s: {words}{little}")
        return f"Highest correlation ({_title(name)}) {'; '.join(sentences)}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point a metric, of segments and of systems."""
        title = f"Correlation with people ({_title(name)})"
        return figures.points_with_intervals(
            title, estimates, over="metric", value="correlation", facet="level"
        )


def _title(name: str) -> str:
    return name.removeprefix("metric-").capitalize()


def default_grouping(coefficient: Coefficient, settings: MetricSettings) -> Grouping:
    """All translations at once, unless pairs are counted or it was asked otherwise."""
    return settings.grouped("item" if coefficient.pooled else "none")


def _estimates(
    parts: Sequence[MatchedScores],
    coefficient: Coefficient,
    grouping: Grouping,
    variant: str,
    settings: MetricSettings,
) -> Iterator[Estimate]:
    """Of segments, then of systems; a pooled variant counts segments' pairs, so those get τ_b."""
    for data, metric in each_metric(parts):
        if coefficient.name == "kendall" and data.human.means is None:
            yield of_decisions(data, metric, variant, settings)
        else:
            yield of_segments(data, metric, coefficient, grouping, settings)
    # Systems have one list of scores: there are no groups whose pairs could be pooled.
    whole = kendall_of("b") if coefficient.pooled else coefficient
    for data, metric in each_metric(parts):
        yield of_systems(data, metric, whole, settings)


def _method(
    parts: Sequence[MatchedScores],
    coefficient: Coefficient,
    grouping: Grouping,
    settings: MetricSettings,
) -> str:
    where = (HOW_POOLED if coefficient.pooled else HOW)[grouping]
    units = parts[0].units if parts else None
    over = f"jackknife over {units.words} on Fisher's scale, with t" if units else ""
    sure = f"level segment: {over}, level system: {coefficient.interval_name}"
    return method_line(
        coefficient.formula,
        f"level segment: {where}, n counts translations (of preferences: decisions)",
        f"level system: {describe_sources(parts)}, n counts systems",
        settings.metric_scores.direction if coefficient.ordered else "",
        sure if settings.intervals and units else "",
        units.note if settings.intervals and units else "",
    )


def describe_sources(parts: Sequence[MatchedScores]) -> str:
    """Where the metrics' scores of systems are from: given, or means of which segments."""
    sources: dict[str, list[str]] = {}
    for data, metric in each_metric(parts[:1]):
        sources.setdefault(data.system_scores(metric)[1], []).append(data.metrics[metric])
    if len(sources) == 1:
        return f"metric scores {next(iter(sources))}"
    each = [f"{source} ({', '.join(names)})" for source, names in sources.items()]
    return f"metric scores {', '.join(each)}" if each else "of systems' scores"
