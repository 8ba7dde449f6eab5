"""Judgments with suggestions beside those without: agreement, scores and marked errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl

from jurat.results import Estimate, Result, spoken
from jurat.stats.agreement.agreement_difference import AgreementDifference
from jurat.stats.estimates import common_method, jackknife_estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import units_of, with_unit_note
from jurat.stats.phrases import interval, subject
from jurat.stats.ratings import Array, Ratings, summed
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.suggestions.fates import rows_of

SHOWN = "suggested"
ARMS = ("with", "without", "difference")
ONE_ARM = "judgments with and without suggestions are needed: suggested, in the plan of the kits"


@dataclass(frozen=True, kw_only=True)
class Arm(Evaluation):
    """The judgments of an evaluation with, or without, suggestions on the screen."""

    shown: bool = True

    @classmethod
    def of(cls, evaluation: Evaluation, *, shown: bool) -> Arm:
        """One of the two parts of an evaluation whose judgments have the column `suggested`."""
        same = {f.name: getattr(evaluation, f.name) for f in fields(Evaluation)}
        return cls(**same, shown=shown)

    @cached_property
    def valid(self) -> pl.DataFrame:
        """What judges said, with suggestions or without."""
        rows = super().valid
        return rows.filter(_is_shown(rows) == self.shown)


class SuggestionAgreement(AgreementDifference):
    """How much better judges agree with suggestions than without."""

    name = "suggestion-agreement"
    asks = "Do judges agree better where errors were marked beforehand?"
    formula = "agreement with suggestions − agreement without, of different items"
    order = 30

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Every coefficient of every question; none without both kinds of judgments."""
        both = Arm.of(evaluation, shown=True), Arm.of(evaluation, shown=False)
        if all(one.valid.height for one in both):
            # what these settings have beside those of every analysis cannot be a key of a cache
            shared = {name: getattr(settings, name) for name in Settings.__struct_fields__}
            yield from super().results(replace(both[0], against=both[1]), Settings(**shared))
        else:
            yield self.result(evaluation, settings, [Estimate.of(None, 0, reason=ONE_ARM)])

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Of the first coefficient, and whether chance explains it."""
        first = next((one for one in known if one.low is not None), known[0])
        return _told(first, str(first.by["statistic"]))


class SuggestionEffect(Statistic[Settings]):
    """What judgments are like with suggestions and without: scores, and numbers of errors."""

    name = "suggestion-score"
    formulas: ClassVar = {
        "suggestion-score": "mean score with suggestions, without, and their difference; n counts "
        "judgments",
        "suggestion-errors": "marked errors a judgment with suggestions, without, and their "
        "difference; n counts judgments",
    }
    asks = "Do scores and marked errors differ where errors were marked beforehand?"
    source = "delete-one jackknife of a difference of means (Arvesen 1969)"
    needs = ("judge", SHOWN)
    order = 20
    over = "suggestions"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The scores of every question, and the errors of those that mark some."""
        rated = [one for one in evaluation.ratings if not one.nominal and _both(one)]
        scores = [_means(one, one.values, settings) for one in rated]
        marked = [
            (one, numbers) for one in rated if (numbers := _errors(one, evaluation)) is not None
        ]
        errors = [_means(one, numbers, settings) for one, numbers in marked]
        for name, found in zip(self.gives, (scores, errors), strict=True):
            estimates = [one for _, own in found for one in own]
            yield self.result(
                evaluation,
                settings,
                estimates or [Estimate.of(None, 0, reason=ONE_ARM)],
                name=name,
                how=common_method(method for method, _ in found),
                unit=settings.unit,
            )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The first difference."""
        first = next((one for one in known if one.by["suggestions"] == "difference"), known[0])
        what = "score" if name == "suggestion-score" else "number of marked errors"
        return _told(first, f"the {what}")


def _told(first: Estimate, what: str) -> str:
    """A difference in words, and whether chance explains it."""
    value = f"{what} ({subject(first)}) differs by {spoken(first.value)}{interval(first)}"
    if first.low is None or first.high is None:
        return f"With suggestions {value}; how far that is chance cannot be told."
    if first.low <= 0 <= first.high:
        return f"Whether suggestions change {what} cannot be told: {value}."
    return f"With suggestions {value}: more than chance explains."


def _is_shown(rows: pl.DataFrame) -> pl.Series:
    """Whether suggestions were shown; null where the table does not say it."""
    if SHOWN not in rows.columns:
        return pl.Series(SHOWN, [None] * rows.height, dtype=pl.Boolean)
    words = rows[SHOWN].cast(pl.String).str.to_lowercase()
    told = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    return words.replace_strict(told, default=None, return_dtype=pl.Boolean)


def _both(ratings: Ratings) -> bool:
    known = _is_shown(ratings.frame).drop_nulls()
    return known.n_unique() == 2


def _means(ratings: Ratings, values: Array, settings: Settings) -> tuple[str, list[Estimate]]:
    """The means with and without suggestions and their difference, and how they were made."""
    shown, units = _is_shown(ratings.frame), units_of(ratings, settings)
    masks = [(shown == wanted).fill_null(value=False).to_numpy() for wanted in (True, False)]
    items = len(ratings.items)
    columns = [
        summed(ratings.item_codes[mask], part[mask], items)
        for mask in masks
        for part in (values, np.ones(len(values)))
    ]
    found = jackknife_estimates(
        np.column_stack(columns),
        _arm_means,
        settings=settings,
        clusters=units.of_item,
        scale="identity",
        words=units.words,
    )
    found = with_unit_note(found, units)
    counts = [int(mask.sum()) for mask in masks]
    numbers = dict(zip(ARMS, (*counts, sum(counts)), strict=True))
    return found.method, [
        found.estimate(at, n=numbers[arm], about=ratings, by={"suggestions": arm})
        for at, arm in enumerate(ARMS)
    ]


def _arm_means(totals: Array) -> Array:
    shown, number, hidden, others = totals.T
    first, second = shown / number, hidden / others
    return np.column_stack([first, second, first - second])


def _errors(ratings: Ratings, evaluation: Evaluation) -> Array | None:
    """The number of errors marked in each judgment; None for questions that mark none."""
    marked = rows_of(ratings, evaluation.spans)
    if marked is None or marked.is_empty():
        return None
    return np.bincount(marked["row"].to_numpy(), minlength=len(ratings)).astype(np.float64)
