"""Whether a metric ranks the systems of a segment as a judge does (Sun 2010, Table 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.by_judge import Rows, Tally, averaged, estimates
from jurat.stats.metaeval.grouping import Grouped, spearman
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import MetricSettings, choices
from jurat.stats.metaeval.wording import NO_PAIRS, TIED, drawn_over, of_first, place_of
from jurat.stats.ratings import Array
from jurat.stats.spread import told
from jurat.stats.statistic import Settings
from jurat.stats.words import interval

UNDEFINED = {
    "zero": "a segment all of whose judgments or scores are tied counts as 0",
    "skip": "segments all of whose judgments or scores are tied are left out",
}


class MetricSpearman(AgainstPeople):
    """Spearman's ρ over the systems of each segment, averaged over segments."""

    name = "metric-spearman"
    gives = ("metric-spearman", "metric-spearman-undefined", "metric-spearman-p")
    asks = "Does the metric rank the systems of a segment as judges do?"
    formula = "Spearman's ρ (mid-ranks) over the systems of a segment, mean over segments"
    source = "Sun 2010, Table 1; Callison-Burch et al. 2008"
    place = 40

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """ρ of each metric and judge, how often it is undefined, and p."""
        asked = choices(settings)
        parts = matched(evaluation, asked)
        found = [
            (one, name, tally_of(one, at, asked), undefined_of(one, at))
            for one in parts
            for at, name in enumerate(one.metrics)
        ]
        spreads = [tally.spread(asked) for _, _, tally, _ in found]
        means = [
            e
            for (one, name, tally, _), spread in zip(found, spreads, strict=True)
            for e in estimates(one, name, tally, spread, reason=NO_PAIRS)
        ]
        common = (averaged(parts), asked.scored.direction)
        how = UNDEFINED[asked.undefined]
        yield self.answer(
            evaluation,
            asked,
            means,
            method=told(self.formula, how, "n counts segments", *common, drawn_over(spreads)),
            headline=_headline(means),
            draw=lambda: draw(means, "Rank correlation over the systems of a segment", "mean ρ"),
            undefined=asked.undefined,
        )
        undefined = [e for one, name, _, number in found for e in _counted(one, name, number)]
        yield self.answer(
            evaluation,
            asked,
            undefined,
            name="metric-spearman-undefined",
            method="segments all of whose judgments or scores are tied; n counts segments",
        )
        chances, method = _chances(found, asked)
        yield self.answer(
            evaluation,
            asked,
            chances,
            name="metric-spearman-p",
            method=told("two-sided p of a mean ρ of 0", *common, method, "not corrected"),
            seed=asked.seed,
        )


def sheets(one: Matched, metric: int) -> tuple[Grouped, Rows]:
    """A row for each judge and segment, judgments beside scores; and which segment and judge."""
    marks = one.people.marks
    judges = max(1, len(one.people.judges))
    groups, row = np.unique(marks.segment * judges + marks.judge, return_inverse=True)
    shape = (len(groups), len(one.systems))
    human = np.full(shape, np.nan)
    human[row, marks.system] = marks.value
    segment, judge = np.divmod(groups, judges)
    scores = one.oriented[metric][segment]
    missing = np.isnan(human) | np.isnan(scores)
    sides = (np.where(missing, np.nan, side) for side in (human, scores))
    return Grouped(*sides), Rows(segment, judge)


def tally_of(one: Matched, metric: int, settings: MetricSettings) -> Tally:
    """The sum of ρ and the number of segments, for each segment and judge."""
    groups, rows = sheets(one, metric)
    several = (~np.isnan(groups.human)).sum(axis=1) > 1
    rho = spearman(groups)
    counted = several if settings.undefined == "zero" else several & ~np.isnan(rho)
    values = np.nan_to_num(rho) * counted
    below = counted.astype(np.float64)
    return Tally.of(one, rows, above=values, below=below, turning=values)


def undefined_of(one: Matched, metric: int) -> Array:
    """How many segments of each judge, then of all, have two systems but no ρ."""
    groups, rows = sheets(one, metric)
    several = (~np.isnan(groups.human)).sum(axis=1) > 1
    tied = several & np.isnan(spearman(groups))
    number = max(1, len(one.people.judges))
    each = np.bincount(rows.judge, weights=tied, minlength=number)
    every = np.bincount(rows.judge, weights=several, minlength=number)
    return np.stack([np.append(each, each.sum()), np.append(every, every.sum())])


def _counted(one: Matched, metric: str, number: Array) -> Iterator[Estimate]:
    by = {**one.by, "metric": metric}
    keys = [*({**by, "judge": judge} for judge in one.people.judges), by]
    places = range(len(keys)) if one.people.judges else (number.shape[1] - 1,)
    for at, key in zip(places, keys, strict=True):
        yield Estimate(float(number[0, at]), int(number[1, at]), by=key, tags=one.tags)


Found = tuple[Matched, str, Tally, Array]


def _chances(found: Sequence[Found], settings: MetricSettings) -> tuple[list[Estimate], str]:
    chances, method = [], ""
    for one, name, tally, _ in found:
        p, how = tally.p_values(settings)
        method = method or how
        chances += list(p_estimates(one, name, tally, p, reason=TIED))
    return chances, method


def p_estimates(
    one: Matched, metric: str, tally: Tally, p: Array, *, reason: str
) -> Iterator[Estimate]:
    """The p-value of each judge's value and of the mean."""
    n = (tally.below > 0).sum(axis=0)
    by = {**one.by, "metric": metric}
    keys = [*({**by, "judge": judge} for judge in one.people.judges), by]
    numbers = [*n] if one.people.judges else []
    for key, value, count in zip(
        keys, p[-len(keys) :], [*numbers, int((tally.below > 0).any(axis=1).sum())], strict=True
    ):
        known = None if np.isnan(value) else float(value)
        why = "" if known is not None else reason
        yield Estimate(known, int(count), by=key, tags=one.tags, reason=why)


def _headline(means: Sequence[Estimate]) -> str:
    told_of = [e for e in of_first(means) if "judge" not in e.by]
    if not told_of:
        return ""
    best = max(told_of, key=lambda e: e.value or 0.0)
    words = f"{best.by['metric']} ranks the systems of a segment most as judges do"
    others = f", of {len(told_of)} metrics" if len(told_of) > 1 else ""
    start = place_of(best, means)
    return f"{start}{words}{others}: mean ρ {spoken(best.value)}{interval(best)}."


def draw(means: Sequence[Estimate], title: str, value: str) -> Figure:
    """A point a metric for each judge, and one for the mean."""
    named = [e._replace(by={**e.by, "judge": e.by.get("judge", "mean")}) for e in means]
    return figures.points_with_intervals(
        title, figures.labelled(named), over="metric", value=value, colour="judge", facet="of"
    )
