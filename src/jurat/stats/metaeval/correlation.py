"""Correlations of metrics with people's scores, of systems and of segments (WMT)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval import kendall
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.consistency import verdicts
from jurat.stats.metaeval.levels import (
    LOWER,
    PEARSON,
    SPEARMAN,
    Coefficient,
    kendall_of,
    of_segments,
    of_systems,
)
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import Grouping, MetricSettings, choices
from jurat.stats.metaeval.wording import NO_PAIRS, of_first, place_of
from jurat.stats.ratings import Array
from jurat.stats.spread import spread, told
from jurat.stats.statistic import Settings
from jurat.stats.words import interval

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
CLOSED = {
    "pearson": "Fisher's interval",
    "spearman": "Bonett and Wright's interval",
    "kendall": "Fieller's interval",
}
NAMES = {
    "pearson": "Pearson's r, of scores as they are",
    "spearman": "Spearman's ρ, mid-ranks",
    "kendall": "Kendall's τ",
}


class MetricCorrelation(AgainstPeople):
    """Pearson, Spearman and Kendall of a metric's scores and people's."""

    name = "metric-pearson"
    gives = ("metric-pearson", "metric-spearman", "metric-kendall")
    asks = "Do the metric's scores go with people's, of systems and of segments?"
    formula = "correlation of people's mean scores and the metric's"
    source = "WMT metrics tasks (Macháček & Bojar 2014; Freitag et al. 2023); mt-metrics-eval"
    place = 50

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result a coefficient, of segments and of systems."""
        asked = choices(settings)
        parts = matched(evaluation, asked)
        kind = asked.kendall or ("b" if any(_rated(one) for one in parts) else "wmt14")
        for coefficient in (PEARSON, SPEARMAN, kendall_of(kind)):
            grouping = usual(coefficient, asked)
            found = [
                *_segments(parts, coefficient, grouping, kind, asked),
                *_systems(parts, coefficient, asked),
            ]
            yield self.answer(
                evaluation,
                asked,
                found,
                name=f"metric-{coefficient.name}",
                method=_method(parts, coefficient, grouping, kind, asked),
                headline=_headline(coefficient, found),
                draw=partial(_draw, coefficient, found),
                grouping=grouping,
                variant=kind if coefficient.name == "kendall" else "",
            )


def usual(coefficient: Coefficient, settings: MetricSettings) -> Grouping:
    """All translations at once, unless pairs are counted or it was asked otherwise."""
    return settings.grouped("item" if coefficient.pooled else "none")


def _rated(one: Matched) -> bool:
    return one.people.means is not None


def _segments(
    parts: Sequence[Matched],
    coefficient: Coefficient,
    grouping: Grouping,
    kind: str,
    settings: MetricSettings,
) -> Iterator[Estimate]:
    for one in parts:
        for at in range(len(one.metrics)):
            if coefficient.name == "kendall" and not _rated(one):
                yield of_decisions(one, at, kind, settings)
            else:
                yield of_segments(one, at, coefficient, grouping, settings)


def _systems(
    parts: Sequence[Matched], coefficient: Coefficient, settings: MetricSettings
) -> Iterator[Estimate]:
    whole = kendall_of("b") if coefficient.pooled else coefficient
    for one in parts:
        yield from (of_systems(one, at, whole, settings) for at in range(len(one.metrics)))


def of_decisions(one: Matched, metric: int, kind: str, settings: MetricSettings) -> Estimate:
    """Kendall's τ from people's decisions on two systems of a segment, all counted together."""
    by: dict[str, Key] = {
        **one.by,
        "metric": one.metrics[metric],
        "level": "segment",
        "grouping": "item",
    }
    if settings.grouping == "system" or kind in ("c", "wmt20"):
        reason = "people compared two systems of a segment at a time, and gave no scores"
        return Estimate(None, 0, by=by, tags=one.tags, reason=reason)
    rows, kinds = one.people.decisions, verdicts(one, metric)
    tied = one.margins(metric, rows) == 0
    masks = (kinds == 0, kinds == 1, (kinds == 3) & ~tied, kinds == 2, (kinds == 3) & tied)
    counts = np.stack(
        [np.bincount(rows.segment, weights=m, minlength=one.segments) for m in masks], axis=1
    )
    n = int(counts.sum())
    if not n:
        return Estimate(None, 0, by=by, tags=one.tags, reason=NO_PAIRS)

    def read(totals: Array) -> Array:
        return kendall.variant_of(kind, totals)

    drawn = spread(counts, read, settings=settings)
    return drawn.estimate(n=n, by=by, tags=one.tags, reason="no pair is ordered by both")


def _method(
    parts: Sequence[Matched],
    coefficient: Coefficient,
    grouping: Grouping,
    kind: str,
    settings: MetricSettings,
) -> str:
    pooled = coefficient.pooled
    name = kendall.WORDS[kind] if coefficient.name == "kendall" else NAMES[coefficient.name]
    where = POOLED[grouping] if pooled else HOW[grouping]
    direction = settings.scored.direction
    turned = direction if coefficient.ordered else ""
    sure = "level segment: bootstrap or jackknife over segments, level system: "
    return told(
        f"{name}; level segment: {where}, n counts translations (of preferences: decisions); "
        f"level system: {told_sources(parts)}, n counts systems",
        turned,
        f"{sure}{CLOSED[coefficient.name]}" if settings.bootstrap else "",
    )


def told_sources(parts: Sequence[Matched]) -> str:
    """Where systems' scores are from: people's and the metrics'."""
    sources: dict[str, list[str]] = {}
    for one in parts[:1]:
        for at, name in enumerate(one.metrics):
            sources.setdefault(one.system_scores(at)[1], []).append(name)
    if len(sources) == 1:
        return f"metric scores {next(iter(sources))}"
    each = [f"{source} ({', '.join(names)})" for source, names in sources.items()]
    return f"metric scores {', '.join(each)}" if each else "of systems' scores"


def _headline(coefficient: Coefficient, found: Sequence[Estimate]) -> str:
    told_of = of_first(found)
    sentences = []
    for level in ("segment", "system"):
        own = [e for e in told_of if e.by["level"] == level]
        if own:
            best = max(own, key=lambda e: (e.value or 0.0) * (-1 if e.side == LOWER else 1))
            words = f"{best.by['metric']} {spoken(best.value)}{interval(best)}"
            sentences.append(f"of {level}s: {words}")
    if not sentences:
        return ""
    title = coefficient.name.capitalize()
    return f"{place_of(told_of[0], found)}Highest correlation ({title}) {'; '.join(sentences)}."


def _draw(coefficient: Coefficient, found: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        f"Correlation with people ({coefficient.name.capitalize()})",
        found,
        over="metric",
        value="correlation",
        facet="level",
    )
