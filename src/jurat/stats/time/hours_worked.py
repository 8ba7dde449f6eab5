"""The hours that all decisions took, beside those that were estimated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import headline_prefix, interval
from jurat.stats.settings import TimeSettings
from jurat.stats.time.decision_times import (
    NO_TIMES,
    DecisionTimes,
    MeanSeconds,
    TimeStatistic,
    decision_times,
    overall_mean,
    whose,
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
        found = decision_times(evaluation)
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
            headline=_worked(short, worked, found, cap),
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
            draw=lambda: figures.points_with_intervals(
                "Actual against estimated time",
                figures.labelled(ratios),
                over="of",
                value="actual / estimated",
            ),
            cap=settings.cap,
        )


def _expected(one: DecisionTimes, settings: TimeSettings) -> float | None:
    # an estimate without a question holds for all others
    return settings.estimated.get(one.question, settings.estimated.get(""))


def _hours(one: DecisionTimes) -> Estimate:
    hours = one.seconds.sum() / 3600 if len(one) else None
    return Estimate.of(hours, len(one), about=one, reason=NO_TIMES)


def _no_estimate(one: DecisionTimes) -> Estimate:
    reason = f"needs an estimate of the seconds for {one.question}"
    return Estimate.of(None, 0, about=one, reason=reason)


def _planned(one: DecisionTimes, settings: TimeSettings) -> Estimate:
    if (expected := _expected(one, settings)) is None:
        return _no_estimate(one)
    return Estimate.of(expected * len(one) / 3600, len(one), about=one)


def _ratio(one: DecisionTimes, means: MeanSeconds, settings: TimeSettings) -> Estimate:
    if (expected := _expected(one, settings)) is None:
        return _no_estimate(one)
    made = means.made
    values, low, high = (end / expected for end in (made.values, made.low, made.high))
    made = Estimates(values=values, low=low, high=high, notes=made.notes)
    return MeanSeconds(made, means.counts).estimate(one)


def _worked(
    short: Sequence[DecisionTimes],
    worked: list[Estimate],
    found: Sequence[DecisionTimes],
    cap: str,
) -> str:
    for one, hours, whole in zip(short, worked, found, strict=True):
        if hours.value is not None:
            judges = len(np.unique(one.judge_codes)) if one.has("judge") else 0
            of_judges = f" by {judges:,} judges" if judges > 1 else ""
            long = hours.value >= 1
            spent = f"{hours.value:.1f} hours" if long else f"{60 * hours.value:.1f} minutes"
            within = f" of at most {cap}" if len(one) < len(whole) else ""
            decisions = f"{hours.n:,} decisions{within}{of_judges}"
            return f"{headline_prefix(one, short)}{decisions} took {spent}."
    return ""


def _compared(short: Sequence[DecisionTimes], ratios: list[Estimate]) -> str:
    for one, ratio in zip(short, ratios, strict=True):
        if ratio.value is not None:
            times = f"{ratio.value:.2f} times{interval(ratio)}{whose(ratio)}"
            where = headline_prefix(one, short)
            return f"{where}A decision takes {times} as long as estimated."
    return ""
