"""What is measured in the slices: scores, their spread, seconds, and the agreement of judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, spoken
from jurat.stats import figures
from jurat.stats.answer_distances import WEIGHTS
from jurat.stats.bias.group_means import no_mean
from jurat.stats.bias.pair_kappas import KindKappas, kappas_by_kind, kappas_of_pairs, mean_kappas
from jurat.stats.estimates import Estimates, first_method, method_line, t_means
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.fatigue.slices import (
    SlicedRatings,
    SliceStatistic,
    SliceValues,
    slice_ratings,
    sliced_ratings,
)
from jurat.stats.judges.peer_tests import excess_over_others
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import FatigueSettings, Settings
from jurat.stats.statistic import Answer

# Answers of a judge in a slice from which a deviation says something.
SEVERAL = 2
# Linear weights first: the paper's figure.
WEIGHTS_IN_ORDER = ("linear", *(name for name in WEIGHTS if name != "linear"))

SliceMeasures = tuple[SlicedRatings, tuple[SliceValues, ...]]


def slice_measures(evaluation: Evaluation, settings: FatigueSettings) -> tuple[SliceMeasures, ...]:
    """What is measured in the slices of every question and split; computed once."""
    return evaluation.once(_measured, settings.group, settings.source, settings.slices)


def _measured(
    evaluation: Evaluation, group: str, source: str | None, count: int
) -> tuple[SliceMeasures, ...]:
    parts = evaluation.once(slice_kappas, group, source, count)
    return tuple((part.sliced, tuple(_measures(part))) for part in parts)


def _measures(part: SliceKappas) -> Iterator[SliceValues]:
    yield from score_values(part.sliced)
    yield from distance_values(part.sliced)
    # Linear weights, as in the paper's figure; words have none, and keep what they have.
    linear = [
        measured for measured in part.values() if measured.keys["weights"] == WEIGHTS_IN_ORDER[0]
    ]
    yield from linear or part.values()
    if part.sliced.ratings.has("seconds"):
        yield from seconds_values(part.sliced)


class SliceScores(SliceStatistic):
    """Fomicheva and Specia's figure 3, and the mean scores."""

    name = "slice-sd"
    gives = ("slice-sd", "slice-mean")
    asks = "Do judges make less use of the scale, or give other scores, as they go on?"
    formula = "mean over judges of the SD (ddof 0) of a judge's scores in a slice of their sequence"
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
            method = method_line(formula, note, "n counts judges")
            yield Answer(estimates, method, f"slice-{measure}", how=drawn)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The slices with the highest and the lowest value of the first question."""
        first = first_question(known)
        if len(first) < 2:
            return ""
        low, *_, high = sorted(first, key=lambda e: e.value or 0.0)
        what, most, least, unit = {
            "slice-sd": ("Judges' scores vary", "most", "least", "SD "),
            "slice-mean": ("Judges' scores are", "highest", "lowest", ""),
        }[name]
        return (
            f"{what} {most} in the slice {high.by['slice']} % of their work "
            f"({unit}{spoken(high.value)}) and {least} in {low.by['slice']} % "
            f"({unit}{spoken(low.value)})."
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A line over the slices."""
        measure = name.removeprefix("slice-")
        what = {"sd": "SD", "mean": "Mean"}[measure]
        title = f"{what} of judges' scores at different stages of their work"
        axis = {"sd": "standard deviation of scores", "mean": "mean score"}[measure]
        return draw_slices(title, estimates, axis)


def _one_of(measure: str, part: SlicedRatings) -> Iterator[SliceValues]:
    return (values for values in score_values(part) if values.measure == measure)


def _means(
    parts: Sequence[SlicedRatings],
    values_of: Callable[[SlicedRatings], Iterator[SliceValues]],
    settings: Settings,
) -> tuple[tuple[Estimate, ...], str]:
    """The mean over judges of what is measured in each slice, and how intervals were made."""
    found = [
        (part, values, t_means(values.values, settings=settings, of="judges"))
        for part in parts
        for values in values_of(part)
    ]
    drawn = first_method([means for *_, means in found])
    return tuple(e for item in found for e in slice_estimates(*item)), drawn


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
    orders = part.order_codes
    mean, counts = means(ratings.judge_codes, part.row_slice, ratings.values, shape)
    # Two passes: squares of large scores would swallow their differences.
    away = ratings.values - mean[ratings.judge_codes, part.row_slice]
    variance, _ = means(ratings.judge_codes, part.row_slice, away**2, shape)
    deviation = np.where(counts >= SEVERAL, np.sqrt(variance), np.nan)
    yield SliceValues("sd", deviation, orders=orders)
    yield SliceValues("mean", mean, orders=orders)


def distance_values(part: SlicedRatings) -> Iterator[SliceValues]:
    """The mean distance of each judge's scores in each slice from the others' of the items.

    Unlike kappa it needs nobody else in the same slice: the others may have judged it at any time.
    """
    part = part.monolingual
    ratings = part.ratings
    apart = np.zeros(0) if ratings.nominal else np.abs(excess_over_others(ratings.values, ratings))
    known = ~np.isnan(apart)
    if not known.any():
        return
    shape = (len(ratings.judges), part.count)
    judge, at = ratings.judge_codes[known], part.row_slice[known]
    found, _ = means(judge, at, apart[known], shape)
    yield SliceValues("distance", found, orders=part.order_codes)


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


def first_question(known: Sequence[Estimate]) -> list[Estimate]:
    """The values of the first question and split: what a headline speaks of."""
    return [
        e for e in known if (e.by["question"], e.tags) == (known[0].by["question"], known[0].tags)
    ]


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
    asks = "Do judges become faster as they go on?"
    formula = "mean over judges of the median seconds of a judge's decisions in a slice"
    counted = "judges"
    source = "analysis of time; the median, because a break is no slow decision"
    needs = ("judge", "seconds")
    order = 40

    def answers(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Answer]:
        """The seconds of each slice."""
        parts = sliced_ratings(evaluation, settings)
        estimates, drawn = _means(parts, seconds_values, settings)
        yield Answer(estimates, how=drawn)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The first and the last slice of the first question."""
        first = first_question(known)
        if len(first) < 2:
            return ""
        start, end = first[0], first[-1]
        return (
            f"A decision takes {spoken(start.value)} s in the slice {start.by['slice']} % of a "
            f"judge's work and {spoken(end.value)} s in {end.by['slice']} %."
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A line over the slices."""
        return draw_slices("Seconds per decision over the session", estimates, "seconds")


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
    yield SliceValues("seconds", values, orders=part.order_codes)


class SliceAgreement(SliceStatistic):
    """Fomicheva and Specia's figure 2."""

    name = "slice-agreement"
    asks = "Do judges agree more or less as they go on?"
    formula = (
        "mean over pairs of judges of Cohen's kappa in each slice of a judge's own sequence; an "
        "item counts where both judges have it in that slice"
    )
    counted = "pairs with a kappa"
    source = "Fomicheva & Specia 2016, figure 2"
    needs = ("judge",)
    order = 20

    def answers(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Answer]:
        """The mean kappa of each slice, weighting and kind of pairs."""
        parts = evaluation.once(slice_kappas, settings.group, settings.source, settings.slices)
        means = [
            [mean_kappas(found, part.sliced.groups.person, settings) for found in part.kinds]
            for part in parts
        ]
        estimates = tuple(
            e
            for part, drawn in zip(parts, means, strict=True)
            for e in sorted(_kappa_estimates(part, drawn), key=_weights_order)
        )
        # Slices have the same judges, so that one method speaks for all.
        drawn = first_method([mean for of_part in means for mean in of_part])
        yield Answer(estimates, how=drawn, choices={"way": settings.method or "exact"})

    def undefined_headline(self, name: str, estimates: Sequence[Estimate]) -> str:
        """That no slice has a value."""
        return "No two judges share items in a slice, so their agreement over time is unknown."

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The slices with the highest and the lowest kappa of the first question."""
        same = {key: known[0].by[key] for key in ("question", "weights")}
        # Pairs who saw the same are the paper's figure; without groups all pairs are alike.
        kind = "within" if any(e.by["pairs"] == "within" for e in known) else "all"
        first = [e for e in known if e.by == {**e.by, **same, "pairs": kind}]
        if not first:
            return ""
        ranked = sorted(first, key=lambda e: e.value or 0.0)
        low, high = ranked[0], ranked[-1]
        pairs = {"within": "judges who saw the same", "all": "any two judges"}[kind]
        kappa = "kappa" if same["weights"] == "none" else f"{same['weights']} kappa"
        return (
            f"The {kappa} of {pairs} is highest in the slice {high.by['slice']} % of their work "
            f"({high.value:.3f}) and lowest in {low.by['slice']} % ({low.value:.3f})."
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A line over the slices for each kind of pairs, by the first weighting."""
        first = next((e.by["weights"] for e in estimates if e.value is not None), "none")
        return figures.lines(
            "Agreement of judges at different stages of their work",
            figures.rows([e for e in estimates if e.by["weights"] == first]),
            x=figures.axis("slice", "percent of a judge's work", "ordinal", sort=None),
            y=figures.axis("value", f"mean kappa ({first} weights)", scale={"zero": False}),
            colour=figures.axis("pairs", "pairs", "nominal"),
        )


class SliceKappas(NamedTuple):
    """The kappas of judges' pairs in each slice."""

    sliced: SlicedRatings
    kinds: list[list[KindKappas]]
    """Of each slice, by kind of pairs and weighting."""

    def values(self) -> Iterator[SliceValues]:
        """Judges' shares in the mean kappa over the slices, for every kind and weighting."""
        person = self.sliced.groups.person
        orders = np.zeros(int(person.max(initial=-1)) + 1, dtype=np.int64)
        orders[person] = self.sliced.order_codes
        # The slices have the same kinds in the same order.
        for same in zip(*self.kinds, strict=True):
            keys = {"weights": same[0].weights, "pairs": same[0].pairs}
            each = np.column_stack([kind.pseudo_values(person) for kind in same])
            yield SliceValues("agreement", each, dict(keys), orders)


def slice_kappas(
    evaluation: Evaluation, group: str, source: str | None, count: int
) -> tuple[SliceKappas, ...]:
    """The kappas of every slice of every question and split."""
    return tuple(
        SliceKappas(part, [_cells(part, at) for at in range(part.count)])
        for part in evaluation.once(slice_ratings, group, source, count)
    )


def _cells(part: SlicedRatings, at: int) -> list[KindKappas]:
    return kappas_by_kind(part.groups, kappas_of_pairs(part.ratings, part.within(at)))


def _kappa_estimates(part: SliceKappas, drawn: Sequence[Estimates]) -> Iterator[Estimate]:
    ratings = part.sliced.ratings
    for name, found, spread in zip(part.sliced.names, part.kinds, drawn, strict=True):
        for at, kind in enumerate(found):
            by = {"slice": name, "weights": kind.weights, "pairs": kind.pairs}
            yield spread.estimate(
                at,
                n=len(kind.kappas),
                by={**ratings.by, **by},
                tags=ratings.tags,
                reason=kind.reason and f"{kind.reason} in this slice",
            )


def _weights_order(estimate: Estimate) -> int:
    return WEIGHTS_IN_ORDER.index(str(estimate.by["weights"]))
