"""People as a baseline: how far one judge agrees with the mean of the others.

A metric can hardly agree with people better than they agree with each other. Each judge in turn is
taken for a metric, and the mean of the other judges for people; the metrics are correlated with
the same means, on the same translations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.resampling.jackknife_t import jackknife_t, random_groups
from jurat.results import Estimate, Key, spoken
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.metaeval.correlation import LOWER, mean_pearson
from jurat.stats.metaeval.matched_scores import NO_RATINGS, MatchedScores
from jurat.stats.metaeval.metric_statistic import MetricStatistic, interval_method
from jurat.stats.metaeval.unit_intervals import as_estimates
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Codes, summed
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer

HUMAN, JUDGE = "human", "judge:"
# Metrics that a headline names.
SEVERAL = 3


class JudgeBaseline(MetricStatistic):
    """Pearson's r of each judge, and of each metric, with the mean of the other judges."""

    name = "metric-baseline"
    gives = ("metric-baseline",)
    asks = "Does the metric agree with people as well as a judge does?"
    formula = (
        "Pearson's r with the mean of the other judges, over the translations that the judge, "
        "others and all metrics scored: of the judge held out (metric judge:NAME), of metrics on "
        "the same translations, and the mean over judges (human, and metrics without judge)"
    )
    source = "after Graham & Baldwin 2014, and WMT's human baselines"
    order = 54

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """The means over judges, then each judge held out."""
        made = [_of_data(data, settings) for data in parts]
        drawn = interval_method([spread for _, spreads in made for spread in spreads], parts)
        more = ("n counts judgments", settings.metric_scores.direction, drawn)
        yield Answer([e for found, _ in made for e in found], method_line(self.formula, *more))

    def finding(self, name: str, first: Sequence[Estimate]) -> str:
        """The judges' agreement beside that of the best metrics."""
        means = {str(e.by["metric"]): e for e in first if "judge" not in e.by}
        people = means.pop(HUMAN, None)
        if people is None:
            return ""
        best = sorted(means.values(), key=lambda e: -_good(e))[:SEVERAL]
        listed = ", ".join(f"{e.by['metric']} {spoken(e.value)}{interval(e)}" for e in best)
        words = f"A judge agrees with the mean of the others at r = {spoken(people.value)}"
        same = f"; on the same translations {listed}" if listed else ""
        return f"{words}{interval(people)}{same}."


def _good(estimate: Estimate) -> float:
    return (estimate.value or 0.0) * (-1 if estimate.side == LOWER else 1)


class HeldOut(NamedTuple):
    """Rows of judges' scores: the group of documents, the judge, and both sides of r."""

    group: Codes
    judge: Codes
    others: Array
    """The mean of the other judges of the translation."""
    sides: Array
    """The judge's own score, then those of the metrics: (1 + metrics) × rows."""


def held_out(data: MatchedScores) -> HeldOut | str:
    """The scores of judges who were not alone with a translation, or why there are none."""
    human = data.human
    if human.means is None:
        return NO_RATINGS
    if len(human.judges) < 2:
        return "no two judges are known"
    rows = human.judge_scores
    cell = rows.segment * len(data.systems) + rows.system
    size = data.segments * len(data.systems)
    count, total = np.bincount(cell, minlength=size)[cell], summed(cell, rows.value, size)[cell]
    used = [at for at in range(len(data.metrics)) if data.covered[at]]
    scores = np.stack([data.scores[at].reshape(-1)[cell] for at in used])
    there = (count > 1) & ~np.isnan(scores).any(axis=0)
    if not there.any():
        return "no translation was judged by two and scored by all metrics"
    others = (total[there] - rows.value[there]) / (count[there] - 1)
    group = random_groups(data.units.number)[data.units.of_item][rows.segment[there]]
    sides = np.vstack([rows.value[None, there], scores[:, there]])
    return HeldOut(group, rows.judge[there], others, sides)


def _of_data(
    data: MatchedScores, settings: MetricSettings
) -> tuple[list[Estimate], list[Estimates]]:
    found = held_out(data)
    if isinstance(found, str):
        return [Estimate(None, 0, by=data.by, tags=data.tags, reason=found)], []
    names = [HUMAN, *(n for n, covered in zip(data.metrics, data.covered, strict=True) if covered)]
    lower = {n for n, sign in zip(data.metrics, data.signs, strict=True) if sign < 0}
    tables = [_moments(found, at, len(data.human.judges)) for at in range(len(names))]
    each = np.bincount(found.judge, minlength=len(data.human.judges))
    means, judges, spreads = [], [], []
    for name, table in zip(names, tables, strict=True):
        side = LOWER if name in lower else ""
        drawn = _interval(table, data, settings)
        spreads.append(drawn)
        by = {**data.by, "metric": name}
        means.append(drawn.estimate(n=int(each.sum()), by=by, tags=data.tags, side=side))
        for at, judge in enumerate(data.human.judges):
            own: dict[str, Key] = {"metric": f"{JUDGE}{judge}" if name == HUMAN else name}
            value = float(mean_pearson(table[:, at].sum(axis=0)[None])[0])
            by = {**data.by, **own, "judge": judge}
            reason = "the scores do not vary, or there are none"
            judges.append(
                Estimate.of(value, int(each[at]), by=by, tags=data.tags, reason=reason, side=side)
            )
    return [*means, *judges], spreads


def _moments(found: HeldOut, at: int, judges: int) -> Array:
    """Sums of one side by group of documents and judge (groups × judges × 6)."""
    x, y = (side - side.mean() for side in (found.others, found.sides[at]))
    size = int(found.group.max()) + 1
    cell = found.group * judges + found.judge
    columns = (np.ones_like(x), x, y, x * x, y * y, x * y)
    sums = [summed(cell, column, size * judges) for column in columns]
    return np.stack(sums, axis=-1).reshape(size, judges, 6)


def _interval(table: Array, data: MatchedScores, settings: MetricSettings) -> Estimates:
    """The mean r of the judges with its interval over documents."""
    rows = table.reshape(len(table), -1)
    used = rows[rows.any(axis=1)]
    if not settings.intervals or len(used) < 2:
        return Estimates.without_intervals(mean_pearson(rows.sum(axis=0)[None]))
    made = jackknife_t(used, mean_pearson, confidence=settings.confidence, words=data.units.words)
    return as_estimates(made)
