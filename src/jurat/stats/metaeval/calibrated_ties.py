"""Pairwise accuracy with calibrated ties: how often a metric says what people say of two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.grouping import grouped
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import Grouping, MetricSettings, choices
from jurat.stats.metaeval.tying import (
    Calibrated,
    Compared,
    calibrate,
    calibrate_groups,
    pairs_in,
    pairs_of,
)
from jurat.stats.metaeval.wording import NO_PAIRS, NOTHING, drawn_over, of_first, place_of
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings
from jurat.stats.words import interval, percent

MOST = 2**25
"""Pairs that are held at once: beyond it they would not fit into memory."""
MOST_COUNTED = 2**28
"""Pairs that are gone through: some ten seconds."""
MANY = "too many pairs; --grouping item compares the systems of a segment"


class MetricAccuracyWithTies(AgainstPeople):
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
    place = 55

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Accuracies, and the ε with which they are reached."""
        asked = choices(settings)
        grouping = asked.grouped("item")
        found: list[Estimate] = []
        thresholds: list[Estimate] = []
        spreads: list[Spread] = []
        for one in matched(evaluation, asked):
            for at in range(len(one.metrics)):
                accuracy, epsilon, drawn = _of_metric(one, at, grouping, asked)
                found.append(accuracy)
                thresholds.append(epsilon)
                spreads.append(drawn)
        drawn_at = "interval with ε as it is" if drawn_over(spreads) else ""
        common = (f"groups: {GROUPS[grouping]}; n counts pairs", asked.scored.direction)
        yield self.answer(
            evaluation,
            asked,
            found,
            method=told(self.formula, *common, drawn_over(spreads), drawn_at),
            headline=_headline(found, thresholds),
            draw=lambda: _draw(found),
            grouping=grouping,
        )
        yield self.answer(
            evaluation,
            asked,
            thresholds,
            name="metric-epsilon",
            method=told("ε: scores that differ by no more are best taken for a tie", *common),
            grouping=grouping,
        )


GROUPS = {
    "none": "all translations at once",
    "item": "the systems of a segment",
    "system": "the segments of a system",
}


def compared(one: Matched, metric: int, grouping: Grouping) -> Compared | str:
    """The pairs of a metric, or why there are none."""
    if one.people.means is not None:
        groups = grouped(one.people.means, one.oriented[metric], grouping)
        return MANY if pairs_in(groups).sum() > MOST else pairs_of(groups)
    if grouping == "system":
        return "people compared systems, segment by segment"
    rows = one.people.decisions
    margin = one.margins(metric, rows)
    told_of = ~np.isnan(margin)
    group = np.zeros(len(rows), dtype=np.int64) if grouping == "none" else rows.segment
    return Compared(group[told_of], rows.outcome[told_of], margin[told_of])


def accuracy_of(one: Matched, metric: int, grouping: Grouping) -> tuple[Calibrated, int] | str:
    """The accuracy of a metric and the number of its pairs, or why there are none."""
    if one.people.means is not None:
        groups = grouped(one.people.means, one.oriented[metric], grouping)
        number = int(pairs_in(groups).sum())
        if number > MOST_COUNTED:
            return MANY
        return (calibrate_groups(groups), number) if number else NO_PAIRS
    pairs = compared(one, metric, grouping)
    if isinstance(pairs, str):
        return pairs
    return (calibrate(pairs), len(pairs.human)) if len(pairs.human) else NO_PAIRS


def _of_metric(
    one: Matched, metric: int, grouping: Grouping, settings: MetricSettings
) -> tuple[Estimate, Estimate, Spread]:
    by: dict[str, Key] = {
        **one.by,
        "metric": one.metrics[metric],
        "level": "segment",
        "grouping": grouping,
    }
    found = accuracy_of(one, metric, grouping)
    if isinstance(found, str):
        nothing = Estimate(None, 0, by=by, tags=one.tags, reason=found)
        return nothing, nothing, NOTHING
    best, n = found
    drawn = replace(NOTHING, values=np.array([best.accuracy]))
    if grouping == "item" and settings.bootstrap:
        drawn = _resampled(compared(one, metric, grouping), best, settings)
    accuracy = drawn.estimate(n=n, by=by, tags=one.tags)
    return accuracy, Estimate(best.epsilon, n, by=by, tags=one.tags), drawn


def _resampled(pairs: Compared | str, best: Calibrated, settings: MetricSettings) -> Spread:
    """The accuracy with an interval over segments."""
    if isinstance(pairs, str):
        return replace(NOTHING, values=np.array([best.accuracy]))
    every = np.bincount(pairs.group)
    right = np.bincount(pairs.group, weights=pairs.right(best.epsilon))
    shares = right[every > 0] / every[every > 0]
    drawn = spread(
        np.column_stack([shares, np.ones(len(shares))]),
        lambda totals: np.asarray(totals[:, 0] / totals[:, 1]),
        settings=settings,
    )
    return replace(drawn, values=np.array([best.accuracy]))


def _headline(found: Sequence[Estimate], thresholds: Sequence[Estimate]) -> str:
    told_of = of_first(found)
    if not told_of:
        return ""
    best = max(told_of, key=lambda e: e.value or 0.0)
    epsilon = next(e for e in thresholds if (e.by, e.tags) == (best.by, best.tags))
    return (
        f"{place_of(best, found)}{best.by['metric']} says what people say of two translations in "
        f"{percent(best.value or 0.0)} of the pairs{interval(best)}, where scores that differ by "
        f"no more than {spoken(epsilon.value)} are taken for a tie."
    )


def _draw(found: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Pairwise accuracy with calibrated ties",
        figures.labelled(found),
        over="metric",
        value="accuracy",
        facet="of",
    )
