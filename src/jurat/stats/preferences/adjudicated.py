"""Preferences against what the adjudicators settled on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.agreement.adjudicated_agreement import EVERYONE, MOST_CELLS, drawn, shares
from jurat.stats.evaluation import Evaluation
from jurat.stats.preferences.comparisons import (
    Comparing,
    Comparisons,
    about,
    by_question,
    comparisons,
    of_pairs,
)
from jurat.stats.ratings import coded
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Statistic
from jurat.stats.words import interval, percent

UNIT = ["item", "first", "second"]
"""What can be settled: an item and two systems."""


class PreferenceAdjudicated(Statistic[Comparing]):
    """How often each judge, and all of them together, preferred what was settled on."""

    name = "preference-adjudicated"
    gives = ("preference-adjudicated",)
    asks = "How often was a preference what the adjudicators settled on?"
    formula = "share of decisions with the outcome that was settled on, by judge and for `all`"
    source = "TAP-ET, figure 4 (7-pt Czar), of preferences"
    needs = ("system_a", "system_b", "outcome", "item", "judge")
    place = 35

    def results(self, evaluation: Evaluation, settings: Comparing) -> Iterator[Result]:
        """One result with every judge; none where no preference was settled."""
        settled = _settled(evaluation)
        every = ((part, _beside(part, settled)) for part in comparisons(evaluation))
        found = [(part, _Compared.of(rows, settings)) for part, rows in every if len(rows)]
        if not found:
            return
        estimates = [e for part, one in found for e in one.estimates(part)]
        yield self.result(
            of_pairs(evaluation),
            settings,
            estimates,
            method=told(
                f"{self.formula}; kinds of tie are different answers; a judge's first decision; "
                "n counts decisions",
                drawn([one.spread for _, one in found]),
            ),
            headline=_headline(found),
            draw=lambda: _draw(estimates),
        )


class _Compared(NamedTuple):
    """The decisions about what was settled, by judge."""

    judges: list[str]
    numbers: list[int]
    spread: Spread

    @classmethod
    def of(cls, rows: pl.DataFrame, settings: Comparing) -> _Compared:
        """From decisions beside what was settled."""
        codes, judges = coded(rows["judge"])
        if 2 * len(judges) * len(rows) > MOST_CELLS:
            judges = []
        same = (rows["outcome"] == rows["settled"]).to_numpy().astype(np.float64)[:, None]
        found = shares(same, codes, coded(rows["item"])[0], len(judges), settings)
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
    turned, outcome = pl.col("system_a") > pl.col("system_b"), pl.col("outcome")
    other = outcome.replace({"a": "b", "b": "a"})
    return rows.select(
        "judge",
        "item",
        pl.min_horizontal("system_a", "system_b").alias("first"),
        pl.max_horizontal("system_a", "system_b").alias("second"),
        pl.when(turned).then(other).otherwise(outcome).alias("outcome"),
    )


def _headline(found: Sequence[tuple[Comparisons, _Compared]]) -> str:
    (part, one), parts = found[0], [part for part, _ in found]
    every = next(one.estimates(part))
    return (
        f"{about(part, parts)}A preference is what was settled on in "
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
