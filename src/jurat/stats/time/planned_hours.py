"""The hours that the judging took, and those that were planned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates
from jurat.stats.evaluation import Evaluation
from jurat.stats.phrases import headline_prefix, interval
from jurat.stats.settings import TimeSettings
from jurat.stats.time.decision_times import (
    NO_TIMES,
    DecisionTimes,
    MeanSeconds,
    TimeStatistic,
    decision_times,
    overall_mean,
)


class HoursWorked(TimeStatistic):
    """TAP-ET's estimated and actual times."""

    name = "hours-worked"
    gives = ("hours-worked", "hours-estimated", "seconds-ratio")
    asks = "How long did the judging take, and was that expected?"
    formula = "Σ seconds of the decisions within the cap / 3600"
    source = "TAP-ET, tables 2 and 3"
    order = 70

    def results(self, evaluation: Evaluation, settings: TimeSettings) -> Iterator[Result]:
        """Hours as they were, as they were planned, and the ratio of a decision's seconds."""
        found = list(decision_times(evaluation))
        short = [one.within(settings.cap) for one in found]
        means = [overall_mean(one, settings) for one in short]
        worked = [_hours(one) for one in short]
        ratios = [_ratio(one, m, settings) for one, m in zip(short, means, strict=True)]
        cap = f"{settings.cap:g} s"
        give = partial(self.time_result, evaluation, settings)
        yield give(
            worked,
            method=f"{self.formula} ({cap}); questions of one screen share its time; n counts "
            "decisions",
            headline=_worked(short, worked),
            cap=settings.cap,
        )
        yield give(
            [_planned(one, settings) for one in found],
            name="hours-estimated",
            method="estimated seconds × all decisions / 3600",
        )
        yield give(
            ratios,
            name="seconds-ratio",
            method=f"seconds-capped ({cap}) / estimated seconds; n counts decisions",
            made=[one.made for one in means],
            headline=_compared(short, ratios),
            draw=lambda: _draw(ratios),
            cap=settings.cap,
        )


def _expected(one: DecisionTimes, settings: TimeSettings) -> float | None:
    # an estimate without a question holds for all others
    return settings.estimated.get(one.question, settings.estimated.get(""))


def _unplanned(one: DecisionTimes) -> Estimate:
    reason = f"needs an estimate of the seconds for {one.question}"
    return Estimate(value=None, n=0, by=one.by, tags=one.tags, reason=reason)


def _hours(one: DecisionTimes) -> Estimate:
    if not len(one):
        return Estimate(value=None, n=0, by=one.by, tags=one.tags, reason=NO_TIMES)
    hours = float(one.seconds.sum() / 3600)
    return Estimate(value=hours, n=len(one), by=one.by, tags=one.tags)


def _planned(one: DecisionTimes, settings: TimeSettings) -> Estimate:
    if (expected := _expected(one, settings)) is None:
        return _unplanned(one)
    hours = expected * len(one) / 3600
    return Estimate(value=hours, n=len(one), by=one.by, tags=one.tags)


def _ratio(one: DecisionTimes, means: MeanSeconds, settings: TimeSettings) -> Estimate:
    if (expected := _expected(one, settings)) is None:
        return _unplanned(one)
    values, low, high = (
        np.asarray(end) / expected for end in (means.made.values, means.made.low, means.made.high)
    )
    return MeanSeconds(Estimates(values=values, low=low, high=high), means.counts).estimate(one)


def _worked(short: Sequence[DecisionTimes], worked: list[Estimate]) -> str:
    for one, hours in zip(short, worked, strict=True):
        if hours.value is not None:
            judges = len(np.unique(one.judge_codes)) if one.has("judge") else 0
            of_judges = f" by {judges:,} judges" if judges > 1 else ""
            long = hours.value >= 1
            spent = f"{hours.value:.1f} hours" if long else f"{60 * hours.value:.1f} minutes"
            return f"{headline_prefix(one, short)}{hours.n:,} decisions{of_judges} took {spent}."
    return ""


def _compared(short: Sequence[DecisionTimes], ratios: list[Estimate]) -> str:
    for one, ratio in zip(short, ratios, strict=True):
        if ratio.value is not None:
            times = f"{ratio.value:.2f} times{interval(ratio)}"
            where = headline_prefix(one, short)
            return f"{where}A decision takes {times} as long as estimated."
    return ""


def _draw(ratios: list[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Actual against estimated time",
        figures.labelled(ratios),
        over="of",
        value="actual / estimated",
    )
