"""Whether judges agree more or less as they go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.bias.pairing import Cell, cells, kappas_of, mean_kappas
from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue.slices import Course, Sliced, Slicing, sliced
from jurat.stats.kappa import WEIGHTS
from jurat.stats.spread import Spread, first_method, told
from jurat.stats.statistic import Statistic

ORDER = ("linear", *(name for name in WEIGHTS if name != "linear"))
"""Linear weights first: the paper's figure."""


class SliceAgreement(Statistic[Slicing]):
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
    place = 20

    def results(self, evaluation: Evaluation, settings: Slicing) -> Iterator[Result]:
        """The mean kappa of each slice, weighting and kind of pairs."""
        parts = evaluation.once(agreements, settings.group, settings.source, settings.slices)
        spreads = [[_mean(part, found, settings) for found in part.cells] for part in parts]
        estimates = tuple(
            e
            for part, drawn in zip(parts, spreads, strict=True)
            for e in sorted(_estimates(part, drawn), key=_place)
        )
        how = first_method([s for drawn in spreads for s in drawn])
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(self.formula, "n counts pairs with a kappa", how),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
            slices=settings.slices,
            group=settings.group,
            source=settings.source,
            way=settings.method or "exact",
        )


class Agreement(NamedTuple):
    """The kappas of each slice."""

    sliced: Sliced
    cells: list[list[Cell]]

    def courses(self) -> Iterator[Course]:
        """Judges' shares in the mean kappa over the slices, for every kind and weighting."""
        person = self.sliced.groups.person
        for same in zip(*self.cells, strict=True):
            keys = {"weights": same[0].weights, "pairs": same[0].pairs}
            values = np.column_stack([cell.by_judge(person) for cell in same])
            yield Course("agreement", values, dict(keys))


def agreements(
    evaluation: Evaluation, group: str, source: str | None, count: int
) -> tuple[Agreement, ...]:
    """The kappas of every slice of every question and split."""
    return tuple(
        Agreement(part, [_cells(part, at) for at in range(part.count)])
        for part in evaluation.once(sliced, group, source, count)
    )


def _cells(part: Sliced, at: int) -> list[Cell]:
    return cells(part.groups, kappas_of(part.ratings, part.within(at)))


def _mean(part: Agreement, found: list[Cell], settings: Slicing) -> Spread:
    return mean_kappas(found, part.sliced.groups.person, settings)


def _estimates(part: Agreement, drawn: Sequence[Spread]) -> Iterator[Estimate]:
    ratings = part.sliced.ratings
    for name, found, spread in zip(part.sliced.names, part.cells, drawn, strict=True):
        for at, cell in enumerate(found):
            by = {"slice": name, "weights": cell.weights, "pairs": cell.pairs}
            yield spread.estimate(
                at,
                n=len(cell.kappas),
                by={**ratings.by, **by},
                tags=ratings.tags,
                reason=cell.reason and f"{cell.reason} in this slice",
            )


def _place(estimate: Estimate) -> int:
    return ORDER.index(str(estimate.by["weights"]))


def _headline(estimates: Sequence[Estimate]) -> str:
    there = [e for e in estimates if e.value is not None]
    if not there:
        return "No two judges share items in a slice: how their agreement goes on cannot be told."
    same = {key: there[0].by[key] for key in ("question", "weights")}
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
