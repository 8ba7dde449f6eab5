"""How long a decision takes: mean, median, and mean without pauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.cluster_inference import below_median, woodruff_interval
from jurat.stats.estimates import Estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import headline_prefix, interval, percent
from jurat.stats.settings import TimeSettings
from jurat.stats.time.decision_times import (
    NO_TIMES,
    DecisionTimes,
    MeanSeconds,
    TimeStatistic,
    decision_times,
    infer_mean,
    mean_estimates,
    overall_mean,
    whose,
)

BARS = 40


class DecisionSeconds(TimeStatistic):
    """TAP-ET's time requirements: the average of decisions made in two minutes or less."""

    name = "seconds-mean"
    gives = ("seconds-mean", "seconds-median", "seconds-capped", "seconds-over")
    asks = "How long does a decision take?"
    formula = "mean seconds from shown to decided"
    source = "TAP-ET, tables 2 and 3"
    order = 10

    def results(self, evaluation: Evaluation, settings: TimeSettings) -> Iterator[Result]:
        """Mean, median, mean of the decisions within the cap, and how many are over it."""
        found = decision_times(evaluation)
        capped = [overall_mean(one.within(settings.cap), settings) for one in found]
        means = [overall_mean(one, settings) for one in found]
        medians = [_median(one, settings) for one in found]
        mean, middle, short = (_each(found, made) for made in (means, medians, capped))
        give = partial(self.time_result, evaluation, settings)
        cap = f"{settings.cap:g} s"
        yield give(
            mean,
            method=f"{self.formula}; n counts decisions{_untimed(found)}",
            made=[one.made for one in means],
            headline=_headline(found, settings, short, middle, mean),
            draw=lambda: _draw(found, settings),
        )
        yield give(
            middle,
            name="seconds-median",
            method="median seconds; n counts decisions",
            made=[one.made for one in medians],
        )
        yield give(
            short,
            name="seconds-capped",
            method=f"mean of the decisions of at most {cap}; n counts these",
            made=[one.made for one in capped],
            draw=lambda: figures.points_with_intervals(
                "Seconds a decision", figures.labelled(short), over="of", value="seconds"
            ),
            cap=settings.cap,
        )
        yield give(
            [_over(one, settings) for one in found],
            name="seconds-over",
            method=f"number of decisions of more than {cap}; n counts all",
            cap=settings.cap,
        )


def _each(found: Sequence[DecisionTimes], means: Sequence[MeanSeconds]) -> list[Estimate]:
    return [mean.estimate(one) for one, mean in zip(found, means, strict=True)]


def _median(one: DecisionTimes, settings: TimeSettings) -> MeanSeconds:
    n = np.array([len(one)])
    if not len(one):
        return MeanSeconds(Estimates.undefined(), n)
    # the share of decisions below the median is a mean, whose interval documents and judges give
    share = infer_mean(one, np.arange(len(one)), below_median(one.seconds), settings)
    low, high = woodruff_interval(one.seconds, share.high - share.value)
    made = mean_estimates(
        one,
        [share._replace(value=float(np.median(one.seconds)), low=low, high=high)],
        settings,
    )
    how = "; its ends are those of the share of decisions below the median, in seconds (Woodruff)"
    return MeanSeconds(replace(made, method=made.method and f"{made.method}{how}"), n)


def _over(one: DecisionTimes, settings: TimeSettings) -> Estimate:
    # without any time nothing is known; with times, none over the cap is a finding
    over = (one.seconds > settings.cap).sum() if len(one) else np.nan
    return Estimate.of(over, len(one), about=one, reason=NO_TIMES)


def _untimed(found: Sequence[DecisionTimes]) -> str:
    count = sum(one.untimed for one in found)
    return f" with a time, {count:,} have none" if count else ""


def _headline(
    found: Sequence[DecisionTimes],
    settings: TimeSettings,
    capped: list[Estimate],
    medians: list[Estimate],
    means: list[Estimate],
) -> str:
    for one, mean, median, whole in zip(found, capped, medians, means, strict=True):
        if mean.value is None or median.value is None:
            continue
        over = 1 - mean.n / len(one)
        with_all = f" ({whole.value:.1f} s with them)" if whole.value is not None else ""
        dropped = f"; {percent(over)} took longer and are left out{with_all}" if over else ""
        where = headline_prefix(one, found)
        return (
            f"{where}A decision takes {mean.value:.1f} s on average{interval(mean)}{whose(mean)}, "
            f"of {mean.n:,} made within {settings.cap:g} s{dropped}; the median is "
            f"{median.value:.1f} s.{_next(over)}"
        )
    return "No decision has a time."


def _next(over: float) -> str:
    """What to look at where many decisions took longer than the cap."""
    return " With so many, try another cap." if over > 0.1 else ""


def _draw(found: Sequence[DecisionTimes], settings: TimeSettings) -> Figure:
    """How many decisions took how long, up to the cap."""
    edges = np.linspace(0, settings.cap, BARS + 1)
    data = [
        {**one.by, **one.tags, "seconds": float(start), "decisions": int(count)}
        for one in found
        for start, count in zip(edges, np.histogram(one.seconds, edges)[0], strict=False)
    ]
    return figures.bars(
        f"Seconds a decision, up to {settings.cap:g}",
        data,
        x=figures.axis("seconds", "seconds"),
        y=figures.axis("decisions", "decisions"),
        colour=figures.axis("question", "question", "nominal"),
    )
