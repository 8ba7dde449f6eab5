"""Whether judges' scores vary less, or rise or fall, as they go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.bias.group_means import no_mean
from jurat.stats.bias.pairing import ratio
from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue.slices import Course, Sliced, Slicing, sliced
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Settings, Statistic

SEVERAL = 2
"""Answers of a judge in a slice from which a deviation says something."""


class SliceScores(Statistic[Slicing]):
    """Fomicheva and Specia's figure 3, and the means beside it."""

    name = "slice-sd"
    gives = ("slice-sd", "slice-mean")
    asks = "Do judges make less use of the scale, or give other scores, as they go on?"
    formula = "mean over judges of the SD (ddof 0) of a judge's scores in a slice of his sequence"
    source = "Fomicheva & Specia 2016, figure 3"
    needs = ("judge",)
    place = 30

    def results(self, evaluation: Evaluation, settings: Slicing) -> Iterator[Result]:
        """The deviation, then the mean, of each slice."""
        parts = evaluation.once(sliced, settings.group, settings.source, settings.slices)
        left = any(part.groups.source for part in parts)
        note = "judges who saw the source left out" if left else ""
        formulas = {"sd": self.formula, "mean": "mean over judges of a judge's mean in a slice"}
        for measure, formula in formulas.items():
            yield self._result(evaluation, settings, parts, measure, told(formula, note))

    def _result(
        self,
        evaluation: Evaluation,
        settings: Slicing,
        parts: Sequence[Sliced],
        measure: str,
        formula: str,
    ) -> Result:
        found = [
            (part, course, over_judges(course.values, settings))
            for part in parts
            for course in courses(part)
            if course.measure == measure
        ]
        estimates = tuple(e for item in found for e in slice_estimates(*item))
        drawn = first_method([drawn for _, _, drawn in found])
        return self.result(
            evaluation,
            settings,
            estimates,
            name=f"slice-{measure}",
            method=told(formula, "n counts judges", drawn),
            headline=_headline(estimates, measure),
            draw=lambda: draw_slices(_TITLES[measure], estimates, measure),
            slices=settings.slices,
            group=settings.group,
            source=settings.source,
        )


_TITLES = {
    "sd": "SD of judges' scores at different stages of their work",
    "mean": "Mean of judges' scores at different stages of their work",
}


def courses(part: Sliced) -> Iterator[Course]:
    """The SD and the mean of each judge in each slice."""
    part = part.monolingual
    ratings, shape = part.ratings, (len(part.ratings.judges), part.count)
    if ratings.nominal or not len(ratings):
        nothing = np.full(shape, np.nan)
        yield Course("sd", nothing)
        yield Course("mean", nothing)
        return
    mean, counts = means(ratings.judge_codes, part.of_row, ratings.values, shape)
    away = ratings.values - mean[ratings.judge_codes, part.of_row]
    variance, _ = means(ratings.judge_codes, part.of_row, away**2, shape)
    yield Course("sd", np.where(counts >= SEVERAL, np.sqrt(variance), np.nan))
    yield Course("mean", mean)


def means(
    judges: Codes, slices: Codes, values: Array, shape: tuple[int, int]
) -> tuple[Array, Codes]:
    """Means and numbers of values, judges × slices; NaN where there are none."""
    cells = judges * shape[1] + slices
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    sums = np.bincount(cells, weights=values, minlength=counts.size).reshape(shape)
    return np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0), counts


def over_judges(values: Array, settings: Settings) -> Spread:
    """The mean over judges of each slice, with an interval over judges."""
    if not len(values):
        nothing = np.full(values.shape[1], np.nan)
        return Spread(values=nothing, low=nothing, high=nothing)
    there = ~np.isnan(values)
    sums = np.hstack([np.where(there, values, 0), there.astype(np.float64)])
    found = spread(sums, ratio, settings=settings)
    method = found.method.replace("clusters", "judges")
    return Spread(values=found.values, low=found.low, high=found.high, method=method)


def slice_estimates(part: Sliced, course: Course, drawn: Spread) -> Iterator[Estimate]:
    """The values of a course as estimates, a slice each."""
    ratings = part.ratings
    counts = (~np.isnan(course.values)).sum(axis=0)
    of_scores = course.measure != "seconds" and no_mean(ratings)
    reason = of_scores or "no judge has enough answers in this slice"
    for at, name in enumerate(part.names):
        by = {**ratings.by, **course.keys, "slice": name}
        yield drawn.estimate(at, n=int(counts[at]), by=by, tags=ratings.tags, reason=reason)


def of_first(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The values of the first question and split that has any: what a headline speaks of."""
    there = [e for e in estimates if e.value is not None]
    return [
        e for e in there if (e.by["question"], e.tags) == (there[0].by["question"], there[0].tags)
    ]


def _headline(estimates: Sequence[Estimate], measure: str) -> str:
    first = of_first(estimates)
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
