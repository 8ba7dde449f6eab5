"""Difference scales: pairs of translations by the size of a metric's difference (Sun 2010)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.bins import NONE, NUMBER, Bins, bins_of, told_steps
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import MetricSettings, choices
from jurat.stats.metaeval.wording import NO_PAIRS, NOTHING, drawn_over, of_first, place_of
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings
from jurat.stats.words import percent

VERDICTS = ("agree", "disagree", "tie")
AT_NOTHING = ("", "differ", "tie")
"""What people say where the metric says nothing."""


def shares(counts: Sequence[int] | Mapping[str, int]) -> list[float | None]:
    """The share of the pairs in each scale; of no pairs at all there are none.

    Pairs without any difference are in no scale, and so not in the total either: Sun's 61.02 % of
    pairs below 0.1 in GTM are 1,484 of 2,432, and not of the 3,420 pairs that were compared.
    """
    numbers = list(counts.values()) if isinstance(counts, Mapping) else list(counts)
    total = sum(numbers)
    return [number / total if total else None for number in numbers]


class MetricScale(AgainstPeople):
    """What people say of pairs that the metric sets so far apart."""

    name = "metric-scale"
    gives = ("metric-scale", "metric-pairs", "metric-pairs-share")
    asks = "Do people see the differences that the metric sees, and which of them?"
    formula = (
        "share of the pairs of a segment's systems, by the size of the metric's difference, where "
        "the judge agrees with it, disagrees, or calls it a tie"
    )
    source = "Sun 2010, section 4, Table 2 and Figures 2-4"
    place = 20

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Shares of verdicts in each step, and how many pairs are in it."""
        asked = choices(settings)
        parts = matched(evaluation, asked)
        found: list[Estimate] = []
        spreads: list[Spread] = []
        pairs: list[Estimate] = []
        relative: list[Estimate] = []
        for one in parts:
            for at, name in enumerate(one.metrics):
                bins = bins_of(one, at, asked)
                drawn, rows = _verdicts(one, at, bins, asked)
                spreads.append(drawn)
                found += rows
                numbers = _numbers(one, at, bins)
                pairs += _counted(one, name, bins, numbers)
                relative += _shared(one, name, bins, numbers)
        steps = (told_steps(parts, asked), "[lower, upper), 0 is no difference at all")
        common = ("n counts decisions; without judge: of all judges", asked.scored.direction)
        yield self.answer(
            evaluation,
            asked,
            found,
            method=told(self.formula, *steps, *common, drawn_over(spreads)),
            headline=_headline(found),
            draw=lambda: _draw(found),
            step=asked.step,
        )
        yield self.answer(
            evaluation,
            asked,
            pairs,
            name="metric-pairs",
            method=told("pairs of a segment's systems in each step; n counts all pairs", *steps),
            step=asked.step,
        )
        yield self.answer(
            evaluation,
            asked,
            relative,
            name="metric-pairs-share",
            method=told("share of the pairs that differ; n counts these", *steps),
            headline=_smallest(relative),
            draw=lambda: _draw_pairs(relative),
            step=asked.step,
        )


def _verdicts(
    one: Matched, metric: int, bins: Bins, settings: MetricSettings
) -> tuple[Spread, list[Estimate]]:
    """Shares of verdicts, of all judges with intervals over segments, and of each judge."""
    rows = one.people.decisions
    margin = one.margins(metric, rows)
    scored = ~np.isnan(margin)
    by: dict[str, Key] = {**one.by, "metric": one.metrics[metric]}
    if not scored.any():
        return NOTHING, [Estimate(None, 0, by=by, tags=one.tags, reason=NO_PAIRS)]
    rows, margin = rows.where(scored), margin[scored]
    same = np.sign(margin) * rows.outcome
    verdict = np.select([rows.outcome == 0, same > 0], [2, 0], default=1)
    cell, size = bins.of(margin) * 3 + verdict, 3 * len(bins.names)
    drawn = spread(_table(rows.segment, cell, one.segments, size), _in_threes, settings=settings)
    each = _table(rows.judge, cell, max(1, len(one.people.judges)), size)
    found = [*_shares(drawn, each.sum(axis=0), by, one, bins)]
    for at, judge in enumerate(one.people.judges):
        plain = Spread(values=_in_threes(each[at][None])[0], low=_NAN[:size], high=_NAN[:size])
        found += _shares(plain, each[at], {**by, "judge": judge}, one, bins)
    return drawn, found


_NAN = np.full(3 * (NUMBER + 1), np.nan)


def _table(rows: Codes, columns: Codes, height: int, width: int) -> Array:
    cells = np.bincount(rows * width + columns, minlength=height * width)
    return cells.reshape(height, width).astype(np.float64)


def _in_threes(totals: Array) -> Array:
    """Each count over the sum of its step's three."""
    steps = totals.reshape(len(totals), -1, 3)
    with np.errstate(invalid="ignore"):
        return np.asarray((steps / steps.sum(axis=2, keepdims=True)).reshape(totals.shape))


def _shares(
    found: Spread, counts: Array, by: Mapping[str, Key], one: Matched, bins: Bins
) -> Iterator[Estimate]:
    """A share for each verdict in each step that has pairs; at no difference none can agree."""
    totals = counts.reshape(-1, 3).sum(axis=1)
    for step, name in enumerate(bins.names):
        for at, verdict in enumerate(VERDICTS if name != NONE else AT_NOTHING):
            if totals[step] and verdict:
                key = {**by, "bin": name, "verdict": verdict}
                yield found.estimate(3 * step + at, n=int(totals[step]), by=key, tags=one.tags)


def _numbers(one: Matched, metric: int, bins: Bins) -> Codes:
    """How many pairs are in each step, whoever judged them."""
    margin = one.margins(metric)
    return np.bincount(bins.of(margin[~np.isnan(margin)]), minlength=len(bins.names))


def _counted(one: Matched, metric: str, bins: Bins, numbers: Codes) -> Iterator[Estimate]:
    if not numbers.sum():
        by: dict[str, Key] = {**one.by, "metric": metric}
        yield Estimate(None, 0, by=by, tags=one.tags, reason=NO_PAIRS)
        return
    for name, number in zip(bins.names, numbers, strict=True):
        by = {**one.by, "metric": metric, "bin": name}
        yield Estimate(float(number), int(numbers.sum()), by=by, tags=one.tags)


def _shared(one: Matched, metric: str, bins: Bins, numbers: Codes) -> Iterator[Estimate]:
    if not numbers[1:].sum():
        reason = "the metric sets no two translations apart" if numbers.sum() else NO_PAIRS
        none: dict[str, Key] = {**one.by, "metric": metric}
        yield Estimate(None, 0, by=none, tags=one.tags, reason=reason)
        return
    found = shares(numbers[1:].tolist())
    for name, share in zip(bins.names[1:], found, strict=True):
        by = {**one.by, "metric": metric, "bin": name}
        yield Estimate(share, int(numbers[1:].sum()), by=by, tags=one.tags)


def _headline(found: Sequence[Estimate]) -> str:
    """The largest and the smallest step of the first metric."""
    told_of = [e for e in of_first(found) if "judge" not in e.by and e.by.get("verdict") == "agree"]
    same = [e for e in told_of if e.by["metric"] == told_of[0].by["metric"]]
    if len(same) < 2:
        return ""
    low, high = same[0], same[-1]
    return (
        f"{place_of(low, found)}Where {low.by['metric']} differs by {low.by['bin']}, judges agree "
        f"with it in {percent(low.value or 0.0)} of their decisions; where it differs by "
        f"{high.by['bin']}, in {percent(high.value or 0.0)}."
    )


def _smallest(relative: Sequence[Estimate]) -> str:
    told_of = of_first(relative)
    first = list({e.by["metric"]: e for e in reversed(told_of)}.values())[::-1][:3]
    each = [f"{e.by['metric']} {percent(e.value or 0.0)} below {_upper(e)}" for e in first]
    return f"Of the pairs that a metric sets apart, in the lowest step: {'; '.join(each)}." * bool(
        each
    )


def _upper(estimate: Estimate) -> str:
    return str(estimate.by["bin"]).rpartition("-")[2]


def _draw(found: Sequence[Estimate]) -> Figure:
    """Stacked bars for every step: the counterpart of Figures 2-4, all judges together."""
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
