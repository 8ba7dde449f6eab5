"""How often judges of a comparison choose the same, and what the adjudicators settled on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.agreement.adjudicated import EVERYONE, MOST_CELLS, shares_by_judge
from jurat.stats.estimates import (
    Estimates,
    common_method,
    share_estimates,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import units_of_table, with_unit_note
from jurat.stats.phrases import headline_prefix, percentage
from jurat.stats.preferences.comparisons import (
    SIDES,
    TIE,
    Comparisons,
    PreferenceStatistic,
    by_question,
    comparisons,
    counts_by,
    of_these_judges,
)
from jurat.stats.ratings import Array, Codes, coded
from jurat.stats.settings import PreferenceSettings

TIES = ("with", "without")
# What can be settled: an item and two systems.
SETTLED_KEYS = ["item", "first", "second"]
REMOVED = {
    "items": 'without: comparisons on which nobody chose "no preference"',
    "decisions": 'without: "no preference" decisions left out, the others kept',
}


class PreferenceAgreement(PreferenceStatistic):
    """TAP-ET's k-way agreement on preferences."""

    name = "preference-agreement"
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
        estimates = [e for part, n, shares in found for e in _estimates(part, n, shares)]
        yield self.preference_result(
            evaluation,
            settings,
            estimates,
            method=f"{self.formula}; {REMOVED[settings.without_ties]}; kinds of tie are different "
            "answers; a judge's first decision; n counts comparisons",
            how=of_these_judges(common_method(one.method for _, _, one in found)),
            headline=_headline(parts, estimates),
            ties=settings.without_ties,
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Two points for each question: with ties and without."""
        return figures.points_with_intervals(
            "Comparisons on which all judges chose the same",
            figures.labelled(estimates),
            over="ties",
            value="share of comparisons",
            facet="of",
            sort=TIES,
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
    units = units_of_table(part, settings.unit)
    cases, hits = rows[:, ::2], rows[:, 1::2]
    found = share_estimates(
        hits, cases, settings=settings, clusters=units.of_item[items], words=units.words
    )
    return cases.sum(axis=0), with_unit_note(found, units)


def _estimates(part: Comparisons, n: Array, shares: Estimates) -> Iterator[Estimate]:
    reasons = (
        "no comparison was made by two judges",
        'no comparison was made by two judges without "no preference"',
    )
    for at, ties in enumerate(TIES):
        yield shares.estimate(at, n=int(n[at]), about=part, by={"ties": ties}, reason=reasons[at])


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
    return "No comparison was made by two judges, so their agreement is unknown."


def _share(estimate: Estimate) -> str:
    return f"{percentage(estimate)} of {estimate.n:,}"


class PreferenceAdjudicated(PreferenceStatistic):
    """How often each judge, and all of them together, preferred what was settled on."""

    name = "preference-adjudicated"
    asks = "How often was a preference what the adjudicators settled on?"
    formula = "share of decisions with the outcome that was settled on, by judge and for `all`"
    source = "TAP-ET, figure 4 (7-pt Czar), of preferences"
    needs = (*SIDES, "item", "judge")
    order = 35

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """One result with every judge; none where no preference was settled."""
        settled = _settled(evaluation)
        every = ((part, _with_settled(part, settled)) for part in comparisons(evaluation))
        found = [(part, _AdjudicatedShares.of(rows, settings)) for part, rows in every if len(rows)]
        if not found:
            return
        estimates = [e for part, one in found for e in one.estimates(part)]
        yield self.preference_result(
            evaluation,
            settings,
            estimates,
            method=f"{self.formula}; kinds of tie are different answers; a judge's first decision; "
            "n counts decisions",
            how=common_method(one.found.method for _, one in found),
            headline=_settled_headline(found),
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point for each judge."""
        return figures.points_with_intervals(
            "Preferences that were settled on",
            estimates,
            over="judge",
            value="share",
            facet="question",
        )


class _AdjudicatedShares(NamedTuple):
    """The decisions about what was settled, by judge."""

    judges: list[str]
    numbers: list[int]
    found: Estimates

    @classmethod
    def of(cls, rows: pl.DataFrame, settings: PreferenceSettings) -> _AdjudicatedShares:
        """From decisions with what was settled of the same in the column `settled`."""
        codes, judges = coded(rows["judge"])
        # of very many judges only the share of all is given: a column for each would not fit
        if 2 * len(judges) * len(rows) > MOST_CELLS:
            judges = []
        same = (rows["outcome"] == rows["settled"]).to_numpy().astype(np.float64)[:, None]
        found = shares_by_judge(same, codes, coded(rows["item"])[0], len(judges), settings)
        numbers = np.bincount(codes, minlength=len(judges))[: len(judges)]
        return cls(judges, [len(rows), *numbers.tolist()], found)

    def estimates(self, part: Comparisons) -> Iterator[Estimate]:
        for at, judge in enumerate([EVERYONE, *self.judges]):
            yield self.found.estimate(at, n=self.numbers[at], about=part, by={"judge": judge})


def _settled(evaluation: Evaluation) -> Mapping[str, pl.DataFrame]:
    """The last that was settled of every item and two systems, by question."""
    frame = evaluation.preferences.frame if evaluation.preferences else pl.DataFrame()
    if "status" not in frame.columns:
        return {}
    # a comparison that was settled twice is what was settled last
    rows = frame.filter(pl.col("status") == "adjudicated")
    return {
        question: _sided(part).unique(SETTLED_KEYS, keep="last", maintain_order=True)
        for question, part in by_question(rows)
    }


def _with_settled(part: Comparisons, settled: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """What judges first decided, with what was settled of the same."""
    if part.question not in settled:
        return pl.DataFrame()
    own = _sided(part.firsts.frame)
    known = settled[part.question].select(*SETTLED_KEYS, pl.col("outcome").alias("settled"))
    return own.join(known, on=SETTLED_KEYS)


def _sided(rows: pl.DataFrame) -> pl.DataFrame:
    """Outcomes as they speak of the two systems in one order, whichever stood first."""
    # an adjudicator may have seen the two systems on other sides than the judges did
    turned, outcome = pl.col("system_a") > pl.col("system_b"), pl.col("outcome")
    other = outcome.replace({"a": "b", "b": "a"})
    return rows.select(
        "judge",
        "item",
        pl.min_horizontal("system_a", "system_b").alias("first"),
        pl.max_horizontal("system_a", "system_b").alias("second"),
        pl.when(turned).then(other).otherwise(outcome).alias("outcome"),
    )


def _settled_headline(found: Sequence[tuple[Comparisons, _AdjudicatedShares]]) -> str:
    (part, one), parts = found[0], [part for part, _ in found]
    every = next(one.estimates(part))
    return (
        f"{headline_prefix(part, parts)}A preference is what was settled on in "
        f"{percentage(every)} of {every.n:,} decisions."
    )
