"""Preferences compared with the adjudicators' decisions, and preferences after adjudication."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.agreement.adjudicated import EVERYONE, MOST_CELLS, interval_method, shares_by_judge
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.phrases import headline_prefix, interval, percent
from jurat.stats.preferences.comparisons import (
    SIDES,
    Comparisons,
    PreferenceStatistic,
    by_question,
    comparisons,
    preferences_only,
)
from jurat.stats.ratings import coded
from jurat.stats.settings import PreferenceSettings

# What can be settled: an item and two systems.
UNIT = ["item", "first", "second"]


class PreferenceAdjudicated(PreferenceStatistic):
    """How often each judge, and all of them together, preferred what was settled on."""

    name = "preference-adjudicated"
    gives = ("preference-adjudicated",)
    asks = "How often was a preference what the adjudicators settled on?"
    formula = "share of decisions with the outcome that was settled on, by judge and for `all`"
    source = "TAP-ET, figure 4 (7-pt Czar), of preferences"
    needs = (*SIDES, "item", "judge")
    order = 35

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """One result with every judge; none where no preference was settled."""
        settled = _settled(evaluation)
        every = ((part, _beside(part, settled)) for part in comparisons(evaluation))
        found = [(part, _AdjudicatedShares.of(rows, settings)) for part, rows in every if len(rows)]
        if not found:
            return
        estimates = [e for part, one in found for e in one.estimates(part)]
        yield self.preference_result(
            evaluation,
            settings,
            estimates,
            method=method_line(
                f"{self.formula}; kinds of tie are different answers; a judge's first decision; "
                "n counts decisions",
                interval_method([one.spread for _, one in found]),
            ),
            headline=_headline(found),
            draw=lambda: _draw(estimates),
        )


class _AdjudicatedShares(NamedTuple):
    """The decisions about what was settled, by judge."""

    judges: list[str]
    numbers: list[int]
    spread: Estimates

    @classmethod
    def of(cls, rows: pl.DataFrame, settings: PreferenceSettings) -> _AdjudicatedShares:
        """From decisions beside what was settled."""
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
            by = {**part.by, "judge": judge}
            yield self.spread.estimate(at, n=self.numbers[at], by=by, tags=part.tags)


def _settled(evaluation: Evaluation) -> Mapping[str, pl.DataFrame]:
    """The last that was settled of every item and two systems, by question."""
    frame = evaluation.preferences.frame if evaluation.preferences else pl.DataFrame()
    if "status" not in frame.columns:
        return {}
    rows = frame.filter(pl.col("status") == "adjudicated")
    return {
        question: _sided(part).unique(UNIT, keep="last", maintain_order=True)
        for question, part in by_question(rows)
    }


def _beside(part: Comparisons, settled: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """What judges first decided, with what was settled of the same."""
    if part.question not in settled:
        return pl.DataFrame()
    own = _sided(part.firsts.frame)
    known = settled[part.question].select(*UNIT, pl.col("outcome").alias("settled"))
    return own.join(known, on=UNIT)


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


def _headline(found: Sequence[tuple[Comparisons, _AdjudicatedShares]]) -> str:
    (part, one), parts = found[0], [part for part, _ in found]
    every = next(one.estimates(part))
    return (
        f"{headline_prefix(part, parts)}A preference is what was settled on in "
        f"{percent(every.value or 0.0)} of {every.n:,} decisions{interval(every)}."
    )


def _draw(estimates: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Preferences that were settled on",
        estimates,
        over="judge",
        value="share",
        facet="question",
    )


def settled_preferences(
    evaluation: Evaluation,
) -> Iterator[tuple[str, dict[str, Key], pl.DataFrame]]:
    """Adjudicated preferences where there are any for a comparison, else each judge's."""
    if evaluation.preferences is None:
        return
    for question, part in by_question(_adjudicated_first(evaluation)):
        for tags, frame in preferences_only(evaluation).split(part):
            yield question, dict(tags), frame


def _adjudicated_first(evaluation: Evaluation) -> pl.DataFrame:
    judged = evaluation.compared
    if evaluation.preferences is None or "status" not in judged.columns:
        return judged
    settled = evaluation.preferences.frame.filter(pl.col("status") == "adjudicated")
    names = ("question", "item", "document", "segment")
    key = [name for name in names if name in judged.columns]
    pair = [pl.min_horizontal("system_a", "system_b"), pl.max_horizontal("system_a", "system_b")]
    # names that no column of a table can have
    both = [one.alias(f"\0{n}") for n, one in enumerate(pair)]
    known = settled.select(*key, *both).unique()
    # nulls are equal: without documents all are null, and still the same
    open_ones = judged.with_columns(*both).join(
        known, on=known.columns, how="anti", nulls_equal=True, maintain_order="left"
    )
    return pl.concat([settled, open_ones.select(judged.columns)], how="diagonal_relaxed")
