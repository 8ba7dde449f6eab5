"""Whether a finding hangs on one system: every number again without each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval import consistency, spearman
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.calibrated_ties import accuracy_of
from jurat.stats.metaeval.correlation import of_decisions, usual
from jurat.stats.metaeval.levels import PEARSON, SPEARMAN, Coefficient, kendall_of, of_segments
from jurat.stats.metaeval.levels import of_systems as of_whole_systems
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import MetricSettings, choices
from jurat.stats.metaeval.soft_accuracy import both_sides, soft_accuracy
from jurat.stats.metaeval.threshold import Noticed, noticed_difference
from jurat.stats.metaeval.wording import known, place_of
from jurat.stats.spread import told
from jurat.stats.statistic import Settings

LONG = 1000
"""Members of a group, beyond which all its pairs are not gone through again for each system."""
Value = Callable[[Matched, int, MetricSettings], float]
"""A number of a metric; NaN where it is undefined."""


class MetricLeftOut(AgainstPeople):
    """Each of the main numbers without one of the systems."""

    name = "metric-left-out"
    gives = ("metric-left-out",)
    asks = "Does the finding hang on a single system?"
    formula = "the same number, computed without the system; n counts the systems that are left"
    source = "Mathur, Baldwin & Cohn 2020 (outlying systems)"
    place = 80

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A number for each metric, system and statistic."""
        asked = choices(settings)
        plain = asked.without_intervals()
        found = [e for one in matched(evaluation, asked) for e in _without(one, plain)]
        yield self.answer(
            evaluation,
            asked,
            found,
            method=told(self.formula, _WORDS, asked.scored.direction),
            headline=_headline(found),
            draw=lambda: _draw(found),
            grouping=asked.grouping,
        )


_WORDS = (
    "statistic: threshold (monotone), consistency and spearman (Sun's, mean of judges), pearson, "
    "kendall, acceq (segments), system-pearson, system-spearman, system-kendall, spa"
)


def _without(one: Matched, settings: MetricSettings) -> list[Estimate]:
    """Statistic by statistic; but one system is left out after the other, to hold one table."""
    if len(one.systems) < 3:
        reason = "there are fewer than three systems"
        return [Estimate(None, 0, by=one.by, tags=one.tags, reason=reason)]
    asked = [
        (name, metric)
        for name, value in STATISTICS.items()
        for metric in range(len(one.metrics))
        if not np.isnan(value(one, metric, settings))
    ]
    found = [
        _left(one.without(at), system, asked, settings) for at, system in enumerate(one.systems)
    ]
    return [estimate for same in zip(*found, strict=True) for estimate in same]


def _left(
    rest: Matched, system: str, asked: Sequence[tuple[str, int]], settings: MetricSettings
) -> list[Estimate]:
    """Every number without the system."""
    made = []
    for name, metric in asked:
        value = STATISTICS[name](rest, metric, settings)
        by = {**rest.by, "metric": rest.metrics[metric], "system": system, "statistic": name}
        known = None if np.isnan(value) else value
        reason = "" if known is not None else "undefined without this system"
        made.append(Estimate(known, len(rest.systems), by=by, tags=rest.tags, reason=reason))
    return made


def _threshold(one: Matched, metric: int, settings: MetricSettings) -> float:
    noticed = Noticed.of(one, metric, settings)
    return noticed_difference(noticed.apart, noticed.agrees) if len(noticed.apart) else np.nan


def _consistency(one: Matched, metric: int, settings: MetricSettings) -> float:
    kinds = consistency.verdicts(one, metric)
    return float(consistency.tally_of(one, kinds, settings).values[-1])


def _spearman(one: Matched, metric: int, settings: MetricSettings) -> float:
    return float(spearman.tally_of(one, metric, settings).values[-1])


def _segments(coefficient: Coefficient) -> Value:
    def value(one: Matched, metric: int, settings: MetricSettings) -> float:
        grouping = usual(coefficient, settings)
        return _number(of_segments(one, metric, coefficient, grouping, settings))

    return value


def _kendall(one: Matched, metric: int, settings: MetricSettings) -> float:
    if one.people.means is None:
        return _number(of_decisions(one, metric, settings.kendall or "wmt14", settings))
    return _segments(kendall_of(settings.kendall or "b"))(one, metric, settings)


def _systems(coefficient: Coefficient) -> Value:
    def value(one: Matched, metric: int, settings: MetricSettings) -> float:
        return _number(of_whole_systems(one, metric, coefficient, settings))

    return value


def _accuracy(one: Matched, metric: int, settings: MetricSettings) -> float:
    grouping = settings.grouped("item")
    size = len(one.systems) * one.segments if grouping == "none" else one.segments
    if grouping != "item" and size > LONG:
        return float("nan")
    found = accuracy_of(one, metric, grouping)
    return float("nan") if isinstance(found, str) else found[0].accuracy


def _soft(one: Matched, metric: int, _: MetricSettings) -> float:
    if one.people.means is None:
        return float("nan")
    human, scores = both_sides(one, metric)
    return soft_accuracy(human, scores) if len(human) else float("nan")


def _number(estimate: Estimate) -> float:
    return float("nan") if estimate.value is None else estimate.value


STATISTICS: Mapping[str, Value] = {
    "threshold": _threshold,
    "consistency": _consistency,
    "spearman": _spearman,
    "pearson": _segments(PEARSON),
    "kendall": _kendall,
    "acceq": _accuracy,
    "system-pearson": _systems(PEARSON),
    "system-spearman": _systems(SPEARMAN),
    "system-kendall": _systems(kendall_of("b")),
    "spa": _soft,
}


def _headline(found: Sequence[Estimate]) -> str:
    """The metric and the system that Pearson's r of systems hangs on most."""
    told_of = [e for e in known(found) if e.by["statistic"] == "system-pearson"]
    if not told_of:
        return ""
    spans: dict[object, list[Estimate]] = {}
    for e in told_of:
        spans.setdefault((e.by["question"], e.by["metric"], *e.tags.items()), []).append(e)
    widest = max(spans.values(), key=_span)
    low, high = (f(widest, key=lambda e: e.value or 0.0) for f in (min, max))
    return (
        f"{place_of(low, found)}Pearson's r of systems with {low.by['metric']} lies between "
        f"{spoken(low.value)} (without {low.by['system']}) and {spoken(high.value)} (without "
        f"{high.by['system']})."
    )


def _span(own: Sequence[Estimate]) -> float:
    values = [e.value or 0.0 for e in own]
    return max(values) - min(values)


def _draw(found: Sequence[Estimate]) -> Figure:
    return figures.scatter(
        "Each number without one of the systems",
        figures.rows(found),
        x=figures.axis("value", "value", scale={"zero": False}),
        y=figures.axis("metric", "metric", "nominal"),
        colour=figures.axis("statistic", "statistic", "nominal"),
        tooltip=("metric", "system", "statistic", "value"),
    )
