"""Whether judges mark the same errors: their characters, their severity, their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np
import polars as pl

from jurat.resampling.wilson import wilson_by_unit
from jurat.results import Estimate, Result, spoken
from jurat.stats.agreement.answer_counts import UNPAIRED, AnswerCounts
from jurat.stats.agreement.new_judges import drawn, for_these_judges
from jurat.stats.estimates import (
    Estimates,
    common_method,
    jackknife_estimates,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import units_of, with_unit_note
from jurat.stats.judge_pairs import pairs_within
from jurat.stats.phrases import interval, percentage, subject
from jurat.stats.ratings import Array, Codes, Ratings, summed
from jurat.stats.statistic import Settings, Statistic
from jurat.tables.item_names import SHARED_ITEM, shared_items

UNMARKED = "nobody marked an error"
# The place of the share of equal severities among the values.
SEVERITY = 2


class SpanAgreement(Statistic[Settings]):
    """Agreement on marked errors."""

    name = "span-f1"
    formulas: ClassVar = {
        "span-f1": "2 · characters that both of two judges marked / (those of the one + of the "
        "other), over all pairs of judges of an item",
        "span-f1-partial": "the same with half the credit for characters to which both gave "
        "different severities; of overlapping spans the first counts",
        "span-severity-agreement": "share of the characters that two judges marked to which both "
        "gave the same severity",
        "span-count-distance": "mean difference of the numbers of spans that two judges marked in "
        "an item",
    }
    asks = "Do judges mark the same errors, as equally bad?"
    source = "Kocmi et al. 2024 (ESA); character F1 as in WMT's span tasks (2023 on: half credit)"
    needs = ("judge",)
    order = 82
    over = "question"
    counted = "pairs of judgments"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result a kind of agreement; none where there are no spans."""
        if evaluation.spans is None or evaluation.spans.is_empty():
            return
        questions = evaluation.spans["question"].unique().to_list()
        found = [
            _SpanOverlap.of(ratings.firsts, evaluation.spans, settings)
            for ratings in evaluation.ratings
            if ratings.question in questions
        ]
        for at, name in enumerate(self.gives):
            methods = [
                marked.severity if at == SEVERITY else marked.found.method for marked in found
            ]
            how = for_these_judges(common_method(methods), settings)
            estimates = [marked.estimate(at) for marked in found]
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                how=how,
                unit=settings.unit,
                drawn=drawn(settings),
            )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Of the first question and split."""
        first, of = known[0], subject(known[0])
        if name == "span-f1":
            return f"Two judges mark the same characters ({of}): F1 {percentage(first)}."
        if name == "span-f1-partial":
            return f"With half the credit for another severity ({of}): F1 {percentage(first)}."
        if name == "span-severity-agreement":
            return (
                f"Where two judges mark the same character ({of}), {percentage(first)} are as "
                "severe."
            )
        value = f"{spoken(first.value)}{interval(first)}"
        return f"Two judges differ by {value} errors an item ({of})."


class _SpanOverlap(NamedTuple):
    ratings: Ratings
    pairs: int
    found: Estimates
    severity: str
    """How the interval of the share of equal severities came about."""

    @classmethod
    def of(cls, ratings: Ratings, spans: pl.DataFrame, settings: Settings) -> _SpanOverlap:
        own = _spans_of(ratings, spans)
        rows, start, end = (own[name].to_numpy() for name in ("row", "start", "end"))
        counts = np.bincount(rows, minlength=len(ratings))
        given = AnswerCounts.from_codes(
            ratings.item_codes, counts, np.arange(counts.max(initial=0) + 1.0)
        )
        _, severity = np.unique(own["severity"].to_numpy().astype(str), return_inverse=True)
        marked = _Characters.of(rows, start, end, severity)
        shared, same = marked.shared(ratings.item_codes, given.items)
        sizes = np.bincount(marked.row, minlength=len(ratings)).astype(np.float64)
        # A judgment's characters count once for each other judgment of the item.
        others = given.size[ratings.item_codes] - 1
        either = summed(ratings.item_codes, sizes * others, given.items)
        columns = [given.pairs, given.apart(given.places), either, shared, same]
        units = units_of(ratings, settings)
        found = jackknife_estimates(
            np.column_stack(columns),
            _values,
            settings=settings,
            clusters=units.of_item,
            # F1 and the share of equal severities lie between 0 and 1, a distance does not.
            scale=["fisher", "fisher", "fisher", "identity"],
            contributing=[
                units.contributing(part) for part in (either, either, shared, given.pairs)
            ],
            words=units.words,
        )
        found = replace(found, low=np.maximum(found.low, 0.0))
        # With few errors the jackknife of this share held in 82 to 85 % of simulated campaigns.
        equal = wilson_by_unit(
            same,
            shared,
            clusters=units.of_item,
            confidence=settings.confidence,
            words=units.words,
        )
        if settings.intervals:
            found.low[SEVERITY], found.high[SEVERITY] = equal.low[0], equal.high[0]
        how = equal.method if settings.intervals else ""
        return cls(ratings, int(given.pairs.sum()), with_unit_note(found, units), how)

    def estimate(self, at: int) -> Estimate:
        reason = UNMARKED if self.pairs else UNPAIRED
        return self.found.estimate(at, n=self.pairs, about=self.ratings, reason=reason)


class _Characters(NamedTuple):
    """Every character that a judgment marked, with the severity of its first span."""

    row: Codes
    place: Codes
    severity: Codes

    @classmethod
    def of(cls, rows: Codes, start: Codes, end: Codes, severity: Codes) -> _Characters:
        length = np.maximum(end - start, 0)
        span = np.repeat(np.arange(len(rows)), length)
        place = np.arange(len(span)) - np.repeat(np.cumsum(length) - length, length) + start[span]
        # A number for each character of each judgment: rows first, then places.
        widest = int(place.max(initial=0)) + 1
        _, first = np.unique(rows[span] * widest + place, return_index=True)
        return cls(rows[span[first]], place[first], severity[span[first]])

    def shared(self, items: Codes, number: int) -> tuple[Array, Array]:
        """Characters of each item that two judgments marked, and those with the same severity."""
        widest = int(self.place.max(initial=0)) + 1
        item = items[self.row]
        where = item * widest + self.place
        order = np.argsort(where, kind="stable")
        first, second = pairs_within(where[order])
        severity = self.severity[order]
        same = (severity[first] == severity[second]).astype(np.float64)
        of = item[order][first]
        return summed(of, np.ones(len(of)), number), summed(of, same, number)


def _spans_of(ratings: Ratings, spans: pl.DataFrame) -> pl.DataFrame:
    """The spans of these judgments, each with the row of its judgment."""
    keys = ["judge", "item", "question"]
    # A judge may have met an item twice, or in two tasks: then the spans say in which.
    keys += [name for name in ("position", "task") if name in spans.columns and ratings.has(name)]
    # Where a screen shows several systems, the spans name the screen's item.
    keys += ["system"] if SHARED_ITEM in ratings.frame.columns else []
    judged = shared_items(ratings.frame).select(keys).with_row_index("row")
    # Files tell judges and items as words or as numbers; joins need the same kind.
    alike = spans.with_columns(pl.col(name).cast(judged.schema[name]) for name in keys)
    found = alike.join(judged, on=keys, nulls_equal=True).cast({"row": pl.Int64})
    if "missing" not in found.columns:
        return found
    # What is left out is an error without characters of its own.
    shown = pl.when(pl.col("missing").fill_null(value=False)).then("start").otherwise("end")
    return found.with_columns(end=shown)


def _values(totals: Array) -> Array:
    pairs, apart, either, shared, same = totals.T
    # 2 (same + ½ (shared − same)): a character with another severity is half right.
    half = (shared + same) / either
    return np.column_stack([2 * shared / either, half, same / shared, apart / pairs])
