"""How well a model judge agrees with people, how strict it is, and whether length sways it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np
import polars as pl

from jurat.results import Estimate, Result
from jurat.stats.correlation import moments, pearson_from_sums
from jurat.stats.estimates import Estimates, jackknife_estimates, ratio
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.model_judges.paired_scores import (
    ModelStatistic,
    PairedScores,
    paired,
    split_by_kind,
    without_models,
)
from jurat.stats.model_judges.settings import ModelSettings
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Ratings

# Items below which a correlation or a slope says nothing.
FEWEST = 3
FEW = "fewer than three items that people and the model judged"
UNVARIED = "one of the two does not vary"
NO_LENGTHS = "lengths are not known: a column characters or translation has them"

Estimated = Callable[[PairedScores, ModelSettings], Estimate]


def _all(evaluation: Evaluation, settings: ModelSettings, of: Estimated) -> list[Estimate]:
    made = [one.missing() or of(one, settings) for one in paired(evaluation, settings)]
    return made + without_models(evaluation)


class ModelCorrelation(ModelStatistic):
    """Pearson's r of a model's scores and people's, and of one person's and the others'."""

    name = "model-pearson"
    asks = "Does the model rate items as people do?"
    formulas: ClassVar = {
        "model-pearson": (
            "Pearson's r of the model's score and the mean of people's, over items; the interval "
            "leaves out each document; n counts items"
        ),
        "people-pearson": (
            "Pearson's r of a person's score and the mean of the other people's, over persons and "
            "items; the interval leaves out each document; n counts scores"
        ),
    }
    source = "the usual meta-evaluation of metrics, with a person in the model's place beside it"
    order = 10

    def results(self, evaluation: Evaluation, settings: ModelSettings) -> Iterator[Result]:
        """The model's correlation, and a person's for comparison."""
        yield self.result(evaluation, settings, _all(evaluation, settings, _correlation))
        people = [_people_correlation(one, settings) for one in evaluation.scored]
        yield self.result(evaluation, settings, people, name="people-pearson", draw=dict)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The first correlation in words."""
        first = known[0]
        assert first.value is not None
        correlated = f"correlate with r = {first.value:.2f}{interval(first)}."
        who = (
            f"{first.by['model']} and people"
            if "model" in first.by
            else "One person and the others"
        )
        return f"{who} {correlated}"


def _correlation(one: PairedScores, settings: ModelSettings) -> Estimate:
    at = one.both
    found = _jackknifed_r(one.scores[at], one.people[at], one.document[at], settings, one.unit)
    reason = FEW if len(at) < FEWEST else UNVARIED
    return found.estimate(n=len(at), about=one, reason=reason)


def _jackknifed_r(
    x: Array, y: Array, clusters: Array | np.ndarray, settings: ModelSettings, words: str
) -> Estimates:
    if len(x) < FEWEST:
        return Estimates.undefined()
    rows = moments(x - x.mean(), y - y.mean())
    return jackknife_estimates(
        rows, pearson_from_sums, settings=settings, clusters=clusters, words=words
    )


def _people_correlation(ratings: Ratings, settings: ModelSettings) -> Estimate:
    people, _ = split_by_kind(ratings)
    if people.nominal or "judge" not in people.frame.columns:
        return Estimate.of(None, 0, about=ratings, reason="needs scores of people")
    own = people.frame.group_by("item", "judge").agg(
        pl.col("value").mean(),
        *(pl.col(n).drop_nulls().first() for n in ("document",) if n in people.frame.columns),
    )
    others = own.with_columns(
        (pl.col("value").sum().over("item") - pl.col("value")).alias("others"),
        (pl.len().over("item") - 1).alias("number"),
    ).filter(pl.col("number") > 0)
    unit = "document" if "document" in others.columns and settings.unit != "segment" else "item"
    codes = others[unit].cast(pl.String).fill_null("").rank("dense").to_numpy().astype(np.int64)
    mean = (others["others"] / others["number"]).to_numpy()
    found = _jackknifed_r(others["value"].to_numpy(), mean, codes, settings, f"{unit}s")
    reason = "no item was judged by two people" if not others.height else UNVARIED
    return found.estimate(n=others.height, about=ratings, reason=reason)


class ModelSeverity(ModelStatistic):
    """How much stricter a model is than people, on the same items."""

    name = "model-severity"
    asks = "Is the model stricter than people?"
    formula = (
        "mean of people's score minus the model's, over items that both judged: above 0 the model "
        "is stricter; in points; the interval leaves out each document; n counts items"
    )
    source = "the severity of a judge, with people's means in the place of items' qualities"
    order = 20

    def results(self, evaluation: Evaluation, settings: ModelSettings) -> Iterator[Result]:
        """The difference for each model."""
        yield self.result(evaluation, settings, _all(evaluation, settings, _severity))

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Who is stricter, and by how much."""
        first = known[0]
        assert first.value is not None
        word = "stricter" if first.value > 0 else "more lenient"
        points = f"{first.value:+.2f} points{interval(first)}"
        who = f"{first.by['model']} is"
        if first.low is None or first.high is None or first.low <= 0 <= first.high:
            return f"Whether {who} stricter or more lenient than people cannot be told: {points}."
        return f"{who} {word} than people on the same items: {points}."


def _severity(one: PairedScores, settings: ModelSettings) -> Estimate:
    at = one.both
    rows = np.column_stack([one.people[at] - one.scores[at], np.ones(len(at))])
    found = jackknife_estimates(
        rows,
        ratio,
        settings=settings,
        clusters=one.document[at],
        scale="identity",
        words=one.unit,
    )
    return found.estimate(n=len(at), about=one)


class LengthBias(ModelStatistic):
    """Whether a model likes longer translations more than people do."""

    name = "model-length-bias"
    asks = "Does the model favour longer translations, compared with people?"
    formula = (
        "slope of the model's score minus the mean of people's on the logarithm of the "
        "translation's length, base 2: points more for a translation twice as long; least squares; "
        "the interval leaves out each document; n counts items"
    )
    source = "the length bias of language models as judges (Dubois et al. 2024), against people"
    order = 40

    def results(self, evaluation: Evaluation, settings: ModelSettings) -> Iterator[Result]:
        """The slope for each model."""
        yield self.result(evaluation, settings, _all(evaluation, settings, _slope))

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """What twice the length is worth to the model."""
        first = known[0]
        assert first.value is not None
        model, worth = first.by["model"], f"{first.value:+.2f} points{interval(first)}"
        if first.low is None or first.high is None or first.low <= 0 <= first.high:
            return f"Whether {model} likes length more than people do cannot be told: {worth}."
        return f"Twice the length is worth {worth} more to {model} than to people."


def _slope(one: PairedScores, settings: ModelSettings) -> Estimate:
    at = one.both
    at = at[one.characters[at] > 0]  # also drops lengths that are not known
    if len(at) < FEWEST:
        return Estimate.of(None, 0, about=one, reason=NO_LENGTHS)
    length, difference = np.log2(one.characters[at]), one.scores[at] - one.people[at]
    found = jackknife_estimates(
        moments(length - length.mean(), difference),
        _slope_from_sums,
        settings=settings,
        clusters=one.document[at],
        scale="identity",
        words=one.unit,
    )
    return found.estimate(n=len(at), about=one, reason="all translations have the same length")


def _slope_from_sums(totals: Array) -> Array:
    n, x, y, xx, _, xy = np.moveaxis(totals, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = n * xx - x * x
        return np.where(spread > 1e-12 * n * xx, (n * xy - x * y) / spread, np.nan)
