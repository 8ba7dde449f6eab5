"""Whether judges' scores vary less, rise or fall, or come faster, as judges go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, spoken
from jurat.stats import figures
from jurat.stats.bias.group_means import no_mean
from jurat.stats.estimates import Estimates, bootstrap_means, first_method, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue.slices import SlicedRatings, SliceStatistic, SliceValues, sliced_ratings
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import FatigueSettings
from jurat.stats.statistic import Answer, Settings

# Answers of a judge in a slice from which a deviation says something.
SEVERAL = 2


class SliceScores(SliceStatistic):
    """Fomicheva and Specia's figure 3, and the means beside it."""

    name = "slice-sd"
    gives = ("slice-sd", "slice-mean")
    asks = "Do judges make less use of the scale, or give other scores, as they go on?"
    formula = "mean over judges of the SD (ddof 0) of a judge's scores in a slice of his sequence"
    source = "Fomicheva & Specia 2016, figure 3"
    needs = ("judge",)
    order = 30

    def answers(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Answer]:
        """The deviation, then the mean, of each slice."""
        parts = sliced_ratings(evaluation, settings)
        left = any(part.groups.source for part in parts)
        note = "judges who saw the source left out" if left else ""
        formulas = {"sd": self.formula, "mean": "mean over judges of a judge's mean in a slice"}
        for measure, formula in formulas.items():
            estimates, drawn = _means(parts, partial(_one_of, measure), settings)
            yield Answer(
                estimates,
                method_line(formula, note, "n counts judges", drawn),
                f"slice-{measure}",
                _headline(estimates, measure),
                partial(draw_slices, _TITLES[measure], estimates, measure),
            )


def _one_of(measure: str, part: SlicedRatings) -> Iterator[SliceValues]:
    return (values for values in score_values(part) if values.measure == measure)


def _means(
    parts: Sequence[SlicedRatings],
    values_of: Callable[[SlicedRatings], Iterator[SliceValues]],
    settings: Settings,
) -> tuple[tuple[Estimate, ...], str]:
    """The mean over judges of what is measured in each slice, and how intervals were made."""
    found = [
        (part, values, bootstrap_means(values.values, settings=settings))
        for part in parts
        for values in values_of(part)
    ]
    drawn = first_method([means for *_, means in found]).replace("clusters", "judges")
    return tuple(e for item in found for e in slice_estimates(*item)), drawn


_TITLES = {
    "sd": "SD of judges' scores at different stages of their work",
    "mean": "Mean of judges' scores at different stages of their work",
}


def score_values(part: SlicedRatings) -> Iterator[SliceValues]:
    """The SD and the mean of each judge in each slice."""
    # Judges who saw the source had another task.
    part = part.monolingual
    ratings, shape = part.ratings, (len(part.ratings.judges), part.count)
    if ratings.nominal or not len(ratings):
        nothing = np.full(shape, np.nan)
        yield SliceValues("sd", nothing)
        yield SliceValues("mean", nothing)
        return
    mean, counts = means(ratings.judge_codes, part.row_slice, ratings.values, shape)
    # Two passes: squares of large scores would swallow their differences.
    away = ratings.values - mean[ratings.judge_codes, part.row_slice]
    variance, _ = means(ratings.judge_codes, part.row_slice, away**2, shape)
    yield SliceValues("sd", np.where(counts >= SEVERAL, np.sqrt(variance), np.nan))
    yield SliceValues("mean", mean)


def means(
    judges: Codes, slices: Codes, values: Array, shape: tuple[int, int]
) -> tuple[Array, Codes]:
    """Means and numbers of values, judges × slices; NaN where there are none."""
    cells = judges * shape[1] + slices
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    sums = np.bincount(cells, weights=values, minlength=counts.size).reshape(shape)
    return np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0), counts


def slice_estimates(
    part: SlicedRatings, measured: SliceValues, drawn: Estimates
) -> Iterator[Estimate]:
    """The values of a course as estimates, a slice each."""
    ratings = part.ratings
    counts = (~np.isnan(measured.values)).sum(axis=0)
    of_scores = measured.measure != "seconds" and no_mean(ratings)
    reason = of_scores or "no judge has enough answers in this slice"
    for at, name in enumerate(part.names):
        by = {**ratings.by, **measured.keys, "slice": name}
        yield drawn.estimate(at, n=int(counts[at]), by=by, tags=ratings.tags, reason=reason)


def first_question(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The values of the first question and split that has any: what a headline speaks of."""
    there = [e for e in estimates if e.value is not None]
    return [
        e for e in there if (e.by["question"], e.tags) == (there[0].by["question"], there[0].tags)
    ]


def _headline(estimates: Sequence[Estimate], measure: str) -> str:
    first = first_question(estimates)
    if len(first) < 2:
        return ""
    ranked = sorted(first, key=lambda e: e.value or 0.0)
    high, low = ranked[-1], ranked[0]
    what = {"sd": "Judges' scores vary", "mean": "Judges' scores are"}[measure]
    most, least = {"sd": ("most", "least"), "mean": ("highest", "lowest")}[measure]
    unit = {"sd": "SD ", "mean": ""}[measure]
    return (
        f"{what} {most} in the slice {high.by['slice']} % of their work "
        f"({unit}{spoken(high.value)}) and {least} in {low.by['slice']} % "
        f"({unit}{spoken(low.value)})."
    )


def draw_slices(title: str, estimates: Sequence[Estimate], value: str) -> Figure:
    """A line over the slices for each question."""
    return figures.lines(
        title,
        figures.rows(estimates),
        x=figures.axis("slice", "percent of a judge's work", "ordinal", sort=None),
        y=figures.axis("value", value, scale={"zero": False}),
        colour=figures.axis("question", "question", "nominal"),
    )


class SliceSeconds(SliceStatistic):
    """Seconds per decision over the session."""

    name = "slice-seconds"
    gives = ("slice-seconds",)
    asks = "Do judges become faster as they go on?"
    formula = "mean over judges of the median seconds of a judge's decisions in a slice"
    source = "analysis of time; the median, because a break is no slow decision"
    needs = ("judge", "seconds")
    order = 40

    def answers(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Answer]:
        """The seconds of each slice."""
        parts = sliced_ratings(evaluation, settings)
        estimates, drawn = _means(parts, seconds_values, settings)
        yield Answer(
            estimates,
            method_line(self.formula, "n counts judges", drawn),
            headline=_seconds_headline(estimates),
            draw=lambda: draw_slices("Seconds per decision over the session", estimates, "seconds"),
        )


def _seconds_headline(estimates: Sequence[Estimate]) -> str:
    first = first_question(estimates)
    if len(first) < 2:
        return ""
    start, end = first[0], first[-1]
    return (
        f"A decision takes {spoken(start.value)} s in the slice {start.by['slice']} % of a judge's "
        f"work and {spoken(end.value)} s in {end.by['slice']} %."
    )


def seconds_values(part: SlicedRatings) -> Iterator[SliceValues]:
    """The median seconds of each judge in each slice."""
    ratings = part.ratings
    values = np.full((len(ratings.judges), part.count), np.nan)
    if ratings.has("seconds"):
        table = pl.DataFrame(
            {
                "judge": ratings.judge_codes,
                "slice": part.row_slice,
                "seconds": ratings.frame["seconds"],
            }
        )
        # The median, since a break is no slow decision.
        medians = table.drop_nulls().group_by("judge", "slice").agg(pl.col("seconds").median())
        judge, at, seconds = (medians[name].to_numpy() for name in table.columns)
        values[judge, at] = seconds
    yield SliceValues("seconds", values)
