"""Whether a finding depends on one system: every number again without each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import msgspec
import numpy as np

from jurat.results import Estimate, Figure, spoken
from jurat.stats import figures
from jurat.stats.estimates import method_line
from jurat.stats.metaeval.accuracy_with_ties import metric_accuracy
from jurat.stats.metaeval.correlation import (
    PEARSON,
    SPEARMAN,
    Coefficient,
    default_grouping,
    kendall_of,
    of_decisions,
    of_segments,
    of_systems,
)
from jurat.stats.metaeval.matched_scores import MatchedScores
from jurat.stats.metaeval.metric_statistic import MetricStatistic, highest, lowest, question_prefix
from jurat.stats.metaeval.segment_ranking import spearman_sums
from jurat.stats.metaeval.soft_accuracy import shared_scores, soft_accuracy
from jurat.stats.metaeval.without_each_system import AT_ONCE, LONG, LeftOut
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer

NAN = float("nan")
# A number of a metric; NaN where it is undefined.
Value = Callable[[MatchedScores, int, MetricSettings], float]
_STATISTICS = (
    "statistic: threshold (monotone), consistency and spearman (Sun's, mean of judges), pearson, "
    "kendall, acceq (segments), system-pearson, system-spearman, system-kendall, spa"
)


class MetricWithoutSystem(MetricStatistic):
    """Each of the main numbers without one of the systems."""

    name = "metric-left-out"
    gives = ("metric-left-out",)
    asks = "Does the finding depend on a single system?"
    formula = "the same number, computed without the system; n counts the systems that are left"
    source = "Mathur, Baldwin & Cohn 2020 (outlying systems)"
    order = 80

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """A number for each metric, system and statistic."""
        # Intervals of so many numbers would take minutes, and only the values are compared.
        plain = msgspec.structs.replace(settings, bootstrap=0)
        found = [e for data in parts for e in _without_each(data, plain)]
        method = method_line(self.formula, _STATISTICS, settings.metric_scores.direction)
        yield Answer(found, method, choices={"grouping": settings.grouping})

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The metric and the systems that Pearson's r of systems depends on most."""
        ranges: dict[object, list[Estimate]] = {}
        for e in known:
            if e.by["statistic"] == "system-pearson":
                ranges.setdefault((e.by["question"], e.by["metric"], *e.tags.items()), []).append(e)
        if not ranges:
            return ""
        ends = [(lowest(own), highest(own)) for own in ranges.values()]
        low, high = max(ends, key=lambda pair: (pair[1].value or 0.0) - (pair[0].value or 0.0))
        start = f"{question_prefix(low, known)}Pearson's r of systems with {low.by['metric']}"
        least = f"{spoken(low.value)} (without {low.by['system']})"
        most = f"{spoken(high.value)} (without {high.by['system']})"
        return f"{start} lies between {least} and {most}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point a number."""
        return figures.scatter(
            "Each number without one of the systems",
            figures.rows(estimates),
            x=figures.axis("value", "value", scale={"zero": False}),
            y=figures.axis("metric", "metric", "nominal"),
            colour=figures.axis("statistic", "statistic", "nominal"),
            tooltip=("metric", "system", "statistic", "value"),
        )


def _without_each(data: MatchedScores, settings: MetricSettings) -> list[Estimate]:
    """Every number that is defined with all systems, without each of them, by statistic."""
    if len(data.systems) < 3:
        reason = "there are fewer than three systems"
        return [Estimate(None, 0, by=data.by, tags=data.tags, reason=reason)]
    quick = _at_once(data, settings)
    asked = [
        (name, metric)
        for name in STATISTICS
        for metric in range(len(data.metrics))
        if not np.isnan(
            quick[name, metric].whole
            if (name, metric) in quick
            else ONE_BY_ONE[name](data, metric, settings)
        )
    ]
    slow = [key for key in asked if key not in quick]
    # System by system, so that one smaller table is held at a time; then sorted by statistic.
    found: dict[tuple[str, int], list[float]] = {key: [] for key in slow}
    for at in range(len(data.systems)) if slow else ():
        rest = data.without(at)
        for name, metric in slow:
            found[name, metric].append(ONE_BY_ONE[name](rest, metric, settings))
    return [
        estimate
        for key in asked
        for estimate in _estimates(data, key, quick[key].each if key in quick else found[key])
    ]


def _at_once(data: MatchedScores, settings: MetricSettings) -> dict[tuple[str, int], LeftOut]:
    """The numbers that need not be computed system by system, by statistic and metric."""
    return {
        (name, metric): found
        for name, at_once in AT_ONCE.items()
        for metric in range(len(data.metrics))
        if (found := at_once(data, metric, settings)) is not None
    }


def _estimates(
    data: MatchedScores, key: tuple[str, int], values: Iterable[float]
) -> Iterator[Estimate]:
    """A number without each of the systems."""
    name, metric = key
    left, reason = len(data.systems) - 1, "undefined without this system"
    for system, value in zip(data.systems, values, strict=True):
        by = {"system": system, "statistic": name}
        yield data.estimate(metric, float(value), left, reason=reason, **by)


def _number(estimate: Estimate) -> float:
    return NAN if estimate.value is None else estimate.value


def _mean_rho(data: MatchedScores, metric: int, settings: MetricSettings) -> float:
    return float(spearman_sums(data, metric, settings).values[-1])


def _segments(
    coefficient: Coefficient, data: MatchedScores, metric: int, settings: MetricSettings
) -> float:
    grouping = default_grouping(coefficient, settings)
    return _number(of_segments(data, metric, coefficient, grouping, settings))


def _kendall(data: MatchedScores, metric: int, settings: MetricSettings) -> float:
    if data.human.means is None:
        return _number(of_decisions(data, metric, settings.kendall or "wmt14", settings))
    return _segments(kendall_of(settings.kendall or "b"), data, metric, settings)


def _systems(
    coefficient: Coefficient, data: MatchedScores, metric: int, settings: MetricSettings
) -> float:
    return _number(of_systems(data, metric, coefficient, settings))


def _accuracy(data: MatchedScores, metric: int, settings: MetricSettings) -> float:
    grouping = settings.grouped("item")
    size = len(data.systems) * data.segments if grouping == "none" else data.segments
    # Pairs grow with the square of a group, and this is repeated for every system.
    if grouping != "item" and size > LONG:
        return NAN
    found = metric_accuracy(data, metric, grouping)
    return NAN if isinstance(found, str) else found[0].accuracy


def _soft_accuracy(data: MatchedScores, metric: int, _: MetricSettings) -> float:
    if data.human.means is None:
        return NAN
    human, scores = shared_scores(data, metric)
    return soft_accuracy(human, scores) if len(human) else NAN


# In the order of the output.
STATISTICS = (
    "threshold",
    "consistency",
    "spearman",
    "pearson",
    "kendall",
    "acceq",
    "system-pearson",
    "system-spearman",
    "system-kendall",
    "spa",
)
ONE_BY_ONE: Mapping[str, Value] = {
    "spearman": _mean_rho,
    "pearson": partial(_segments, PEARSON),
    "kendall": _kendall,
    "acceq": _accuracy,
    "system-pearson": partial(_systems, PEARSON),
    "system-spearman": partial(_systems, SPEARMAN),
    "system-kendall": partial(_systems, kendall_of("b")),
    "spa": _soft_accuracy,
}
