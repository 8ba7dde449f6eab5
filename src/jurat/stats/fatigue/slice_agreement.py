"""Whether judges agree more or less as they go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure
from jurat.stats import figures
from jurat.stats.bias.pair_kappas import KindKappas, kappas_by_kind, kappas_of_pairs, mean_kappas
from jurat.stats.estimates import Estimates, first_method, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue.slices import SlicedRatings, SliceStatistic, SliceValues, slice_ratings
from jurat.stats.kappa import WEIGHTS
from jurat.stats.settings import FatigueSettings
from jurat.stats.statistic import Answer

# Linear weights first: the paper's figure.
ORDER = ("linear", *(name for name in WEIGHTS if name != "linear"))


class SliceAgreement(SliceStatistic):
    """Fomicheva and Specia's figure 2."""

    name = "slice-agreement"
    gives = ("slice-agreement",)
    asks = "Do judges agree more or less as they go on?"
    formula = (
        "mean over pairs of judges of Cohen's kappa in each slice of a judge's own sequence; an "
        "item counts where both judges have it in that slice"
    )
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
            for e in sorted(_estimates(part, drawn), key=_weights_order)
        )
        # Slices have the same judges, so that one method speaks for all.
        drawn = first_method([mean for of_part in means for mean in of_part])
        yield Answer(
            estimates,
            method_line(self.formula, "n counts pairs with a kappa", drawn),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
            choices={"way": settings.method or "exact"},
        )


class SliceKappas(NamedTuple):
    """The kappas of judges' pairs in each slice."""

    sliced: SlicedRatings
    kinds: list[list[KindKappas]]
    """Of each slice, by kind of pairs and weighting."""

    def values(self) -> Iterator[SliceValues]:
        """Judges' shares in the mean kappa over the slices, for every kind and weighting."""
        person = self.sliced.groups.person
        # The slices have the same kinds in the same order.
        for same in zip(*self.kinds, strict=True):
            keys = {"weights": same[0].weights, "pairs": same[0].pairs}
            each = np.column_stack([kind.pseudo_values(person) for kind in same])
            yield SliceValues("agreement", each, dict(keys))


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


def _estimates(part: SliceKappas, drawn: Sequence[Estimates]) -> Iterator[Estimate]:
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
    return ORDER.index(str(estimate.by["weights"]))


def _headline(estimates: Sequence[Estimate]) -> str:
    there = [e for e in estimates if e.value is not None]
    if not there:
        return "No two judges share items in a slice: how their agreement goes on cannot be told."
    same = {key: there[0].by[key] for key in ("question", "weights")}
    # Pairs who saw the same are the paper's figure; without groups all pairs are alike.
    kind = "within" if any(e.by["pairs"] == "within" for e in there) else "all"
    first = [e for e in there if e.by == {**e.by, **same, "pairs": kind}]
    if not first:
        return ""
    ranked = sorted(first, key=lambda e: e.value or 0.0)
    pairs = {"within": "judges who saw the same", "all": "any two judges"}[kind]
    kappa = "kappa" if same["weights"] == "none" else f"{same['weights']} kappa"
    return (
        f"The {kappa} of {pairs} is highest in the slice {ranked[-1].by['slice']} % of their work "
        f"({ranked[-1].value:.3f}) and lowest in {ranked[0].by['slice']} % ({ranked[0].value:.3f})."
    )


def _draw(estimates: Sequence[Estimate]) -> Figure:
    first = next((e.by["weights"] for e in estimates if e.value is not None), "none")
    rows = figures.rows([e for e in estimates if e.by["weights"] == first])
    return figures.lines(
        "Agreement of judges at different stages of their work",
        rows,
        x=figures.axis("slice", "percent of a judge's work", "ordinal", sort=None),
        y=figures.axis("value", f"mean kappa ({first} weights)", scale={"zero": False}),
        colour=figures.axis("pairs", "pairs", "nominal"),
    )
