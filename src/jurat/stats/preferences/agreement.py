"""How often all judges of a comparison choose the same, with and without "no preference"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, bootstrap_estimates, first_method, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.phrases import headline_prefix, interval, percent
from jurat.stats.preferences.comparisons import (
    SIDES,
    TIE,
    Comparisons,
    PreferenceStatistic,
    comparisons,
    counts_by,
)
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import PreferenceSettings

TIES = ("with", "without")
REMOVED = {
    "items": 'without: comparisons on which nobody chose "no preference"',
    "decisions": 'without: "no preference" decisions left out, the others kept',
}


class PreferenceAgreement(PreferenceStatistic):
    """TAP-ET's k-way agreement on preferences."""

    name = "preference-agreement"
    gives = ("preference-agreement",)
    asks = "How often do all judges of a comparison choose the same?"
    formula = (
        "share of comparisons (item and two systems) with two or more judges who all chose the same"
    )
    source = "TAP-ET, section 5.1.2"
    needs = (*SIDES, "item")
    order = 30

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """With "no preference" as an answer like others, and without it."""
        parts = comparisons(evaluation)
        found = [(part, *_found(part.firsts, settings)) for part in parts]
        estimates = [e for part, n, drawn in found for e in _estimates(part, n, drawn)]
        yield self.preference_result(
            evaluation,
            settings,
            estimates,
            method=method_line(
                f"{self.formula}; {REMOVED[settings.without_ties]}; kinds of tie are different "
                "answers; a judge's first decision; n counts comparisons",
                first_method([drawn for _, _, drawn in found]),
            ),
            headline=_headline(parts, estimates),
            draw=lambda: _draw(estimates),
            ties=settings.without_ties,
        )


def unanimous(part: Comparisons, *, without: str) -> tuple[Array, Codes]:
    """For every item and two systems: whether several judged, and all the same.

    Columns: comparable and unanimous with ties, comparable and unanimous without. The second array
    is the item of each row. `without` says what a tie takes with it: `items` or `decisions`.
    """
    first, counts = counts_by(part.unit_codes, part.outcomes)
    decided = counts[:, :TIE]
    # TAP-ET leaves out every comparison on which somebody had no preference
    if without == "items":
        decided = decided * (counts[:, TIE:].sum(axis=1) == 0)[:, None]
    columns = [column for kept in (counts, decided) for column in _unanimous(kept)]
    return np.column_stack(columns), part.item_codes[first]


def _unanimous(counts: Array) -> tuple[Array, Array]:
    # repeats are left out before: a count is a judge
    judges = counts.sum(axis=1)
    several = judges >= 2
    return several.astype(np.float64), (several & (counts.max(axis=1) == judges)).astype(np.float64)


def _found(part: Comparisons, settings: PreferenceSettings) -> tuple[Array, Estimates]:
    rows, items = unanimous(part, without=settings.without_ties)
    drawn = bootstrap_estimates(
        rows, lambda t: t[:, [1, 3]] / t[:, [0, 2]], settings=settings, clusters=items
    )
    return rows.sum(axis=0)[[0, 2]], drawn


def _estimates(part: Comparisons, n: Array, drawn: Estimates) -> Iterator[Estimate]:
    reasons = (
        "no comparison was made by two judges",
        'no comparison was made by two judges without "no preference"',
    )
    for at, ties in enumerate(TIES):
        by = {**part.by, "ties": ties}
        yield drawn.estimate(at, n=int(n[at]), by=by, tags=part.tags, reason=reasons[at])


def _headline(parts: Sequence[Comparisons], estimates: list[Estimate]) -> str:
    for part, (all_of_them, decided) in zip(
        parts, zip(estimates[::2], estimates[1::2], strict=True), strict=True
    ):
        if all_of_them.value is None:
            continue
        without = ""
        if decided.value is not None:
            without = f"; without “no preference” in {_share(decided)}"
        return (
            f"{headline_prefix(part, parts)}All judges of a comparison choose the same in "
            f"{_share(all_of_them)}{without}."
        )
    return "No comparison was made by two judges: their agreement cannot be told."


def _share(estimate: Estimate) -> str:
    return f"{percent(estimate.value or 0.0)} of {estimate.n:,}{interval(estimate)}"


def _draw(estimates: list[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Comparisons on which all judges chose the same",
        figures.labelled(estimates),
        over="ties",
        value="share of comparisons",
        facet="of",
        sort=TIES,
    )
