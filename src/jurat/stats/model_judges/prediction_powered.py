"""Systems' scores from people's judgments of a part and a model's of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.student_t import t_quantile
from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.identical_outputs import credited
from jurat.stats.model_judges.paired_scores import (
    ModelStatistic,
    PairedScores,
    paired,
    without_models,
)
from jurat.stats.model_judges.settings import ModelSettings
from jurat.stats.phrases import NOT_NUMBERS, interval
from jurat.stats.ratings import Array, Codes, numbered, summed

# Documents that people judged below which no interval is given.
FEWEST = 3
FEW = "people have judged fewer than three documents of this system"
NO_REST = "the model has judged nothing of this system that people have not judged"


class Mean(NamedTuple):
    """A mean with its interval (NaN where there is none) and the weight of the model."""

    value: float
    low: float
    high: float
    weight: float


def prediction_powered_mean(
    people: Array, model: Array, cluster: Codes, *, confidence: float = 0.95, tuned: bool = True
) -> Mean:
    """The mean of people's scores over all items, of which people judged a part.

    θ = mean(y − w f) over the items that people judged + w · mean(f) over the others, with people's
    score y and the model's f. Whatever the model says, θ is right on average; the weight w makes
    its variance smallest: w = Σ a b / Σ b² over clusters, where a and b are what a cluster adds to
    the two means, cut off at 0 and 1. For clusters of one item this is w = cov(y, f) / ((1 + n/N)
    var(f)). The variance is that of a jackknife that leaves out each cluster and computes w anew.

    Args:
        people: people's score of each item; NaN where nobody judged it.
        model: the model's score of each item; items without one are left out.
        cluster: the document of each item.
        confidence: of the interval, by Student's t.
        tuned: whether the model is used at all; else the mean is people's alone.
    """
    there = ~np.isnan(people) if not tuned else ~np.isnan(model)
    y, f, codes = people[there], np.nan_to_num(model[there]), cluster[there]
    judged = ~np.isnan(y)
    if not judged.any():
        return Mean(np.nan, np.nan, np.nan, 0.0)
    # centred, so that no digits are lost in the squares
    shift, centre = y[judged].mean(), f.mean()
    sums = _cluster_sums(np.where(judged, y - shift, 0.0), f - centre, judged, codes)
    (value,), (weight,) = _estimates(sums.sum(axis=0)[None], (sums.T @ sums)[None], tuned=tuned)
    of_people = int((sums[:, 0] > 0).sum())
    if of_people < FEWEST:
        return Mean(value + shift, np.nan, np.nan, weight)
    squares = sums.T @ sums - sums[:, :, None] * sums[:, None, :]
    left, _ = _estimates(sums.sum(axis=0) - sums, squares, tuned=tuned)
    number = len(sums)
    error = np.sqrt((number - 1) / number * ((left - left.mean()) ** 2).sum())
    # only documents that people judged tell how far they and the model differ
    far = float(error * t_quantile(of_people - 1.0, (1 + confidence) / 2))
    mean = float(value + shift)
    return Mean(mean, mean - far, mean + far, float(weight))


def _cluster_sums(y: Array, f: Array, judged: NDArray[np.bool_], codes: Codes) -> Array:
    """By cluster: items that people judged, their y and f; items of the model alone, their f."""
    clusters, at = numbered(codes, int(codes.max(initial=0)) + 1)
    columns = (judged, y, np.where(judged, f, 0.0), ~judged, np.where(judged, 0.0, f))
    return np.column_stack([summed(at, one, len(clusters)) for one in columns])


def _estimates(totals: Array, squares: Array, *, tuned: bool) -> tuple[Array, Array]:
    """Means and weights from the totals of clusters, and from the sums of their products.

    Rows are samples. What a cluster with the sums v adds to the means is linear in v, a = α·v and
    b = β·v, so that Σ a b = αᵀ (Σ v vᵀ) β: no sample is added up again.
    """
    n, y, f, rest, rest_f = totals.T
    with np.errstate(invalid="ignore", divide="ignore"):
        y, f, rest_f = y / n, f / n, rest_f / rest
        none = np.zeros_like(n)
        alpha = np.column_stack([-y / n, 1 / n, none, none, none])
        beta = np.column_stack([-f / n, none, 1 / n, rest_f / rest, -1 / rest])
        products = np.einsum("ri,rij,rj->r", alpha, squares, beta)
        spread = np.einsum("ri,rij,rj->r", beta, squares, beta)
        usable = (rest > 0) & (spread > 0) & tuned
        weight = np.where(usable, np.clip(products / spread, 0.0, 1.0), 0.0)
        value = y - np.where(usable, weight * (f - rest_f), 0.0)
    return value, weight


class PredictionPowered(ModelStatistic):
    """Prediction-powered scores of systems, with people's alone beside them."""

    name = "ppi-score"
    asks = "How good are systems, by people's judgments of a part and the model's of all?"
    formulas: ClassVar = {
        "ppi-score": (
            "mean(y − w f) over the items that people judged + w mean(f) over the others; y is the "
            "mean of people, f the model, w the weight with the smallest variance; jackknife over "
            "documents with t; for these judges; n counts items that people judged"
        ),
        "ppi-people-score": (
            "mean of people's scores over the items that they judged, with the same interval; n "
            "counts these items"
        ),
        "ppi-weight": "the weight w of the model, 0 to 1; n counts items that only it judged",
    }
    source = "Angelopoulos, Duchi & Zrnic 2023, PPI++, with documents as clusters"
    needs = ("judge", "item", "system")
    over = "system"
    order = 60

    def results(self, evaluation: Evaluation, settings: ModelSettings) -> Iterator[Result]:
        """The scores with and without the model, and its weight."""
        made: list[list[Estimate]] = [[], [], []]
        # a judgment of an output that several systems share counts for each of them
        for one in paired(credited(evaluation), settings):
            for system in sorted({*one.system}):
                own = _of_system(one, system, settings)
                for into, estimate in zip(made, own, strict=True):
                    into.append(estimate)
        none = without_models(evaluation)
        for name, estimates in zip(self.gives, made, strict=True):
            yield self.result(evaluation, settings, estimates + none, name=name)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The best system by people and the model together."""
        if name != "ppi-score":
            return ""
        best = max(known, key=lambda e: e.value or 0.0)
        assert best.value is not None
        return f"{best.by['system']} scores highest: {best.value:.2f}{interval(best)}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point for each system."""
        return figures.coefficient_figure(name, estimates, over="system")


def _of_system(
    one: PairedScores, system: str, settings: ModelSettings
) -> tuple[Estimate, Estimate, Estimate]:
    at = np.flatnonzero(np.array(one.system) == system)
    y, f, document = one.people[at], one.scores[at], one.document[at]
    judged, rest = int((~np.isnan(y)).sum()), int((np.isnan(y) & ~np.isnan(f)).sum())
    by = {"system": system}
    if one.ratings.nominal:
        none = Estimate.of(None, 0, about=one, by=by, reason=NOT_NUMBERS)
        return none, none, none
    both = prediction_powered_mean(y, f, document, confidence=settings.confidence)
    alone = prediction_powered_mean(y, f, document, confidence=settings.confidence, tuned=False)
    note = "" if rest else NO_REST
    return (
        Estimate.of(
            both.value, judged, about=one, by=by, low=both.low, high=both.high, reason=FEW,
            note=note or (FEW if np.isnan(both.low) else ""),
        ),
        Estimate.of(
            alone.value, judged, about=one, by=by, low=alone.low, high=alone.high, reason=FEW
        ),
        Estimate.of(both.weight, rest, about=one, by=by),
    )  # fmt: skip
