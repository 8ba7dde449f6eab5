"""What the judging took, against what was planned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.spread import Spread, first_method, told
from jurat.stats.statistic import Statistic
from jurat.stats.time.timing import NO_TIMES, Means, Times, Timing, about, overall, times
from jurat.stats.words import interval


class HoursWorked(Statistic[Timing]):
    """TAP-ET's estimated and actual times."""

    name = "hours-worked"
    gives = ("hours-worked", "hours-estimated", "seconds-ratio")
    asks = "How long did the judging take, and was that expected?"
    formula = "Σ seconds of the decisions within the cap / 3600"
    source = "TAP-ET, tables 2 and 3"
    place = 70

    def results(self, evaluation: Evaluation, settings: Timing) -> Iterator[Result]:
        """Hours as they were, as they were planned, and the ratio of a decision's seconds."""
        found = list(times(evaluation))
        short = [one.within(settings.cap) for one in found]
        means = [overall(one, settings) for one in short]
        worked = [_hours(one) for one in short]
        ratios = [_ratio(one, m, settings) for one, m in zip(short, means, strict=True)]
        cap = f"{settings.cap:g} s"
        drawn = first_method([m.spread for m in means]).replace("clusters", "judges")
        nothing = Estimate(value=None, n=0, reason=NO_TIMES)
        yield self.result(
            evaluation,
            settings,
            worked or [nothing],
            method=f"{self.formula} ({cap}); questions of one screen share its time; n counts "
            "decisions",
            headline=_worked(short, worked),
            cap=settings.cap,
        )
        yield self.result(
            evaluation,
            settings,
            [_planned(one, settings) for one in found] or [nothing],
            name="hours-estimated",
            method="estimated seconds × all decisions / 3600",
        )
        yield self.result(
            evaluation,
            settings,
            ratios or [nothing],
            name="seconds-ratio",
            method=told(f"seconds-capped ({cap}) / estimated seconds; n counts decisions", drawn),
            headline=_compared(short, ratios),
            draw=(lambda: _draw(ratios)) if settings.estimated else None,
            cap=settings.cap,
        )


def _expected(one: Times, settings: Timing) -> float | None:
    return settings.estimated.get(one.question, settings.estimated.get(""))


def _unplanned(one: Times) -> Estimate:
    reason = f"needs an estimate of the seconds for {one.question}"
    return Estimate(value=None, n=0, by=one.by, tags=one.tags, reason=reason)


def _hours(one: Times) -> Estimate:
    if not len(one):
        return Estimate(value=None, n=0, by=one.by, tags=one.tags, reason=NO_TIMES)
    hours = float(one.seconds.sum() / 3600)
    return Estimate(value=hours, n=len(one), by=one.by, tags=one.tags)


def _planned(one: Times, settings: Timing) -> Estimate:
    if (expected := _expected(one, settings)) is None:
        return _unplanned(one)
    hours = expected * len(one) / 3600
    return Estimate(value=hours, n=len(one), by=one.by, tags=one.tags)


def _ratio(one: Times, means: Means, settings: Timing) -> Estimate:
    if (expected := _expected(one, settings)) is None:
        return _unplanned(one)
    values, low, high = (
        np.asarray(end) / expected
        for end in (means.spread.values, means.spread.low, means.spread.high)
    )
    return Means(Spread(values=values, low=low, high=high), means.counts).estimate(one)


def _worked(short: Sequence[Times], worked: list[Estimate]) -> str:
    for one, hours in zip(short, worked, strict=True):
        if hours.value is not None:
            judges = len(np.unique(one.judge_codes)) if one.has("judge") else 0
            of_judges = f" by {judges:,} judges" if judges > 1 else ""
            long = hours.value >= 1
            spent = f"{hours.value:.1f} hours" if long else f"{60 * hours.value:.1f} minutes"
            return f"{about(one, short)}{hours.n:,} decisions{of_judges} took {spent}."
    return ""


def _compared(short: Sequence[Times], ratios: list[Estimate]) -> str:
    for one, ratio in zip(short, ratios, strict=True):
        if ratio.value is not None:
            return (
                f"{about(one, short)}A decision takes {ratio.value:.2f} times{interval(ratio)} as "
                "long as estimated."
            )
    return ""


def _draw(ratios: list[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Actual against estimated time",
        figures.labelled(ratios),
        over="of",
        value="actual / estimated",
    )
