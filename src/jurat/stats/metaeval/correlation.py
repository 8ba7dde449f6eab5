"""Correlations of metrics with people's scores, of systems and of segments (WMT)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from jurat.results import Estimate, Figure, spoken
from jurat.stats import figures
from jurat.stats.answer import Answer
from jurat.stats.estimates import bootstrap_estimates, method_line
from jurat.stats.metaeval.base import (
    NO_PAIRS,
    MetricStatistic,
    each_metric,
    first_question,
    question_prefix,
)
from jurat.stats.metaeval.coefficients import (
    KENDALL_FORMULAS,
    LOWER,
    PEARSON,
    SPEARMAN,
    Coefficient,
    kendall_of,
    kendall_variant,
    of_segments,
    of_systems,
)
from jurat.stats.metaeval.consistency import verdicts
from jurat.stats.metaeval.matched_scores import MatchedScores
from jurat.stats.phrases import interval
from jurat.stats.settings import Grouping, MetricSettings

HOW = {
    "none": "over all translations at once",
    "item": "over the systems of each segment, mean over segments for which it is defined",
    "system": "over the segments of each system, mean over systems for which it is defined",
}
POOLED = {
    "none": "over all pairs of translations",
    "item": "over the pairs of systems of all segments",
    "system": "over the pairs of segments of all systems",
}
INTERVALS = {
    "pearson": "Fisher's interval",
    "spearman": "Bonett and Wright's interval",
    "kendall": "Fieller's interval",
}
NAMES = {"pearson": "Pearson's r, of scores as they are", "spearman": "Spearman's ρ, mid-ranks"}


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
        kind = settings.kendall or ("b" if rated else "wmt14")
        for coefficient in (PEARSON, SPEARMAN, kendall_of(kind)):
            grouping = default_grouping(coefficient, settings)
            found = list(_estimates(parts, coefficient, grouping, kind, settings))
            of_kendall = coefficient.name == "kendall"
            formula = KENDALL_FORMULAS[kind] if of_kendall else NAMES[coefficient.name]
            yield Answer(
                found,
                _method(parts, coefficient, grouping, formula, settings),
                f"metric-{coefficient.name}",
                _headline(coefficient, found),
                partial(_draw, coefficient, found),
                {"grouping": grouping, "variant": kind if of_kendall else ""},
            )


def default_grouping(coefficient: Coefficient, settings: MetricSettings) -> Grouping:
    """All translations at once, unless pairs are counted or it was asked otherwise."""
    return settings.grouped("item" if coefficient.pooled else "none")


def _estimates(
    parts: Sequence[MatchedScores],
    coefficient: Coefficient,
    grouping: Grouping,
    kind: str,
    settings: MetricSettings,
) -> Iterator[Estimate]:
    """Of segments, then of systems; a pooled variant counts segments' pairs, so those get τ_b."""
    for data, metric in each_metric(parts):
        if coefficient.name == "kendall" and data.human.means is None:
            yield of_decisions(data, metric, kind, settings)
        else:
            yield of_segments(data, metric, coefficient, grouping, settings)
    whole = kendall_of("b") if coefficient.pooled else coefficient
    for data, metric in each_metric(parts):
        yield of_systems(data, metric, whole, settings)


def of_decisions(data: MatchedScores, metric: int, kind: str, settings: MetricSettings) -> Estimate:
    """Kendall's τ from people's decisions on two systems of a segment, all counted together."""
    key = {"level": "segment", "grouping": "item"}
    if settings.grouping == "system" or kind in ("c", "wmt20"):
        reason = "people compared two systems of a segment at a time, and gave no scores"
        return data.missing(metric, reason, **key)
    rows, kinds = data.human.decisions, verdicts(data, metric)
    tied = data.margins(metric, rows) == 0
    # In the order of `KendallCounts`: concordant, discordant, tied by people, the metric, both.
    masks = (kinds == 0, kinds == 1, (kinds == 3) & ~tied, kinds == 2, (kinds == 3) & tied)
    counts = np.stack(
        [np.bincount(rows.segment, weights=m, minlength=data.segments) for m in masks], axis=1
    )
    n = int(counts.sum())
    if not n:
        return data.missing(metric, NO_PAIRS, **key)
    drawn = bootstrap_estimates(counts, partial(kendall_variant, kind), settings=settings)
    reason, by = "no pair is ordered by both", data.key(metric, **key)
    return drawn.estimate(n=n, by=by, tags=data.tags, reason=reason)


def _method(
    parts: Sequence[MatchedScores],
    coefficient: Coefficient,
    grouping: Grouping,
    formula: str,
    settings: MetricSettings,
) -> str:
    where = (POOLED if coefficient.pooled else HOW)[grouping]
    ends = INTERVALS[coefficient.name]
    sure = f"level segment: bootstrap or jackknife over segments, level system: {ends}"
    return method_line(
        f"{formula}; level segment: {where}, n counts translations (of preferences: decisions); "
        f"level system: {describe_sources(parts)}, n counts systems",
        settings.metric_scores.direction if coefficient.ordered else "",
        sure if settings.bootstrap else "",
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


def _headline(coefficient: Coefficient, found: Sequence[Estimate]) -> str:
    first = first_question(found)
    sentences = []
    for level in ("segment", "system"):
        own = [e for e in first if e.by["level"] == level]
        if own:
            best = max(own, key=lambda e: (e.value or 0.0) * (-1 if e.side == LOWER else 1))
            words = f"{best.by['metric']} {spoken(best.value)}{interval(best)}"
            sentences.append(f"of {level}s: {words}")
    if not sentences:
        return ""
    title = f"Highest correlation ({coefficient.name.capitalize()})"
    return f"{question_prefix(first[0], found)}{title} {'; '.join(sentences)}."


def _draw(coefficient: Coefficient, found: Sequence[Estimate]) -> Figure:
    title = f"Correlation with people ({coefficient.name.capitalize()})"
    return figures.points_with_intervals(
        title, found, over="metric", value="correlation", facet="level"
    )
