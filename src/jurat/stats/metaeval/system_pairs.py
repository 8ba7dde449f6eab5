"""Consistency of a metric with people for every two systems: which of them it misjudges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.consistency import TIES, verdicts
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import MetricSettings, choices
from jurat.stats.metaeval.wording import NO_PAIRS, NOTHING, drawn_over, known, place_of
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings
from jurat.stats.words import interval, percent

FEW = 10
"""Pairs of translations, below which a headline does not name two systems."""


class MetricConsistencyOfPair(AgainstPeople):
    """The share of decisions on two systems that a metric makes as people do."""

    name = "metric-consistency-pair"
    gives = ("metric-consistency-pair",)
    asks = "Between which systems can the metric not tell the better translation?"
    formula = (
        "share of the decisions on translations of two systems that the metric makes alike, "
        "decisions for a tie left out, all judges together"
    )
    source = "Sun 2010, section 5 (left open there)"
    place = 35

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A share for each metric and every two systems."""
        asked = choices(settings)
        found: list[Estimate] = []
        spreads: list[Spread] = []
        for one in matched(evaluation, asked):
            for at, name in enumerate(one.metrics):
                drawn, rows = _of_metric(one, at, name, asked)
                spreads.append(drawn)
                found += rows
        yield self.answer(
            evaluation,
            asked,
            found,
            method=told(
                self.formula,
                TIES[asked.metric_ties],
                "n counts decisions",
                asked.scored.direction,
                drawn_over(spreads),
            ),
            headline=_headline(found),
            draw=lambda: _draw(found),
            ties=asked.metric_ties,
        )


def _of_metric(
    one: Matched, metric: int, name: str, settings: MetricSettings
) -> tuple[Spread, list[Estimate]]:
    if len(one.systems) < 2:
        by = {**one.by, "metric": name}
        return NOTHING, [Estimate(None, 0, by=by, tags=one.tags, reason=NO_PAIRS)]
    rows, kinds = one.people.decisions, verdicts(one, metric)
    first, second = np.triu_indices(len(one.systems), 1)
    column = np.zeros((len(one.systems),) * 2, dtype=np.int64)
    column[first, second] = np.arange(len(first))
    size = one.segments * len(first)
    cells = rows.segment * len(first) + column[rows.first, rows.second]
    agree, tied = kinds == 0, kinds == 2
    counted = agree | (kinds == 1) | (tied & (settings.metric_ties != "skip"))
    right = agree + (0.5 if settings.metric_ties == "half" else 0.0) * tied
    above, below = (
        np.bincount(cells, weights=part, minlength=size).reshape(one.segments, len(first))
        for part in (right, counted.astype(np.float64))
    )
    nothing = np.full(len(first), np.nan)
    drawn = Spread(values=nothing, low=nothing, high=nothing)
    if size:
        drawn = spread(np.hstack([above, below]), _ratio, settings=settings)
    numbers = below.sum(axis=0)
    made = [
        drawn.estimate(
            at,
            n=int(numbers[at]),
            by={
                **one.by,
                "metric": name,
                "system_a": one.systems[first[at]],
                "system_b": one.systems[second[at]],
            },
            tags=one.tags,
            reason="people never preferred one of the two",
        )
        for at in range(len(first))
    ]
    return drawn, made


def _ratio(totals: Array) -> Array:
    above, below = np.hsplit(totals, 2)
    return np.asarray(above / below)


def _headline(found: Sequence[Estimate]) -> str:
    told_of = [e for e in known(found) if e.n >= FEW]
    if len(told_of) < 2:
        return ""
    worst = min(told_of, key=lambda e: e.value or 0.0)
    pair = f"{worst.by['system_a']} and {worst.by['system_b']}"
    return (
        f"{place_of(worst, found)}{worst.by['metric']} is least consistent with people between "
        f"{pair}: {percent(worst.value or 0.0)} of {worst.n} decisions{interval(worst)}."
    )


def _draw(found: Sequence[Estimate]) -> Figure:
    """A cell for every two systems, for the metric of the first estimate."""
    first = next(e for e in found if e.value is not None)
    same = [e for e in found if e.by["metric"] == first.by["metric"] and e.tags == first.tags]
    return figures.heat(
        f"{first.by['metric']}: decisions made as people do",
        figures.rows([e for e in same if e.by["question"] == first.by["question"]]),
        x=figures.axis("system_a", "system", "nominal"),
        y=figures.axis("system_b", "system", "nominal"),
        colour=figures.axis("value", "share"),
    )
