"""Conger's kappa: agreement of any number of judges, each with their own use of the scale.

It is to Cohen's kappa what Fleiss' is to Scott's pi: chance comes from each judge's own shares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jurat.resampling.jackknife_t import MOST_UNITS, random_groups
from jurat.results import Estimate, Result
from jurat.stats.agreement.answer_counts import AnswerCounts, reason_undefined
from jurat.stats.agreement.new_judges import drawn, for_these_judges
from jurat.stats.agreement.rare_answer_intervals import rarity, widened
from jurat.stats.estimates import Estimates, common_method, jackknife_estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import Units, units_of, with_unit_note
from jurat.stats.kappa import chance_corrected
from jurat.stats.phrases import strength_headline
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Settings, Statistic

# Numbers in the table of units × judges × answers; units are put together where they are more.
MOST_CELLS = 2**25


class CongerKappa(Statistic[Settings]):
    """Kappa of all judges at once, with chance from each judge's own answers."""

    name = "conger-kappa"
    asks = "Do judges agree more than their own uses of the scale explain?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = mean over items of Σ n_ij(n_ij − 1) / n_i(n_i − 1), "
        "Pe = mean over pairs of judges of Σ (share of answer j of the one · of the other)"
    )
    source = "Conger 1980; Gwet 2014 (gaps)"
    needs = ("judge",)
    order = 22
    over = "question"
    counted = "items with two judgments or more"
    words = "Beyond chance, each judge's own, judges agree"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One kappa a question."""
        found = [_Conger.of(ratings.firsts, settings) for ratings in evaluation.ratings]
        how = for_these_judges(common_method(one.found.method for one in found), settings)
        yield self.result(
            evaluation,
            settings,
            [one.estimate() for one in found],
            how=how,
            unit=settings.unit,
            drawn=drawn(settings),
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """In Landis and Koch's words."""
        return strength_headline(self.words, known, banded=True)


def conger_kappa(ratings: Ratings) -> float:
    """Conger's kappa of the first answers; NaN where undefined."""
    return float(_Conger.of(ratings.firsts, Settings(bootstrap=0)).found.values[0])


class _Conger(NamedTuple):
    ratings: Ratings
    found: Estimates

    @classmethod
    def of(cls, ratings: Ratings, settings: Settings) -> _Conger:
        units, counts = units_of(ratings, settings), AnswerCounts.of(ratings)
        judges, points = len(ratings.judges), counts.points
        if not counts.paired.any():
            return cls(ratings, Estimates.undefined())

        def score(totals: Array) -> Array:
            given = totals[:, 2:].reshape(len(totals), judges, points)
            shares = given / given.sum(axis=2, keepdims=True)
            pairs = np.isfinite(shares).all(axis=2).sum(axis=1)
            own = np.nan_to_num(shares)
            both = (own.sum(axis=1) ** 2).sum(axis=1) - (own**2).sum(axis=(1, 2))
            expected = both / (pairs * (pairs - 1))
            return chance_corrected(totals[:, 1] / totals[:, 0], expected)

        rows = _rows(ratings, counts, units)
        found = jackknife_estimates(
            rows, score, settings=settings, sizes=rows[:, 0], words=units.words
        )
        rare = rarity(counts)
        if settings.intervals and rare.needs_pseudo_items and not np.isnan(found.values[0]):
            more = np.vstack([rows, _pseudo_items(counts, judges)])
            wide = jackknife_estimates(
                more, score, settings=settings, sizes=more[:, 0], pseudo=True, words=units.words
            )
            found = widened(found, wide, rare)
        elif settings.intervals:
            found = replace(found, notes=(found.notes[0] or rare.category_note,))
        return cls(ratings, with_unit_note(found, units))

    def estimate(self) -> Estimate:
        counts = AnswerCounts.of(self.ratings)
        reason = reason_undefined(counts, "every judgment is the same: chance would agree as well")
        return self.found.estimate(n=int(counts.paired.sum()), about=self.ratings, reason=reason)


def _rows(ratings: Ratings, counts: AnswerCounts, units: Units) -> Array:
    """By unit: items with two judgments, their agreement, and how often each judge gave what."""
    width = len(ratings.judges) * counts.points
    group = random_groups(units.number, max(20, min(MOST_UNITS, MOST_CELLS // width)))
    number = int(group.max()) + 1
    of_item: Codes = group[units.of_item]
    alike = counts.mean_per_pair(counts.equal)
    sums = [np.bincount(of_item, column, number) for column in (counts.paired, alike)]
    cell = ratings.judge_codes * counts.points + ratings.codes
    given = np.bincount(of_item[ratings.item_codes] * width + cell, minlength=number * width)
    return np.column_stack([*sums, given.reshape(number, width)]).astype(np.float64)


def _pseudo_items(counts: AnswerCounts, judges: int) -> Array:
    """Four items of all judges: two unanimous, and two split between the commonest answers."""
    total = counts.per_point(counts.count)
    a, b = np.argsort(-total, kind="stable")[:2]
    first = np.arange(judges) < judges - judges // 2
    answers = np.array(
        [np.full(judges, a), np.full(judges, b), np.where(first, a, b), np.where(first, b, a)]
    )
    given = (answers[:, :, None] == np.arange(counts.points)).astype(np.float64)
    number = given.sum(axis=1)
    alike = (number * (number - 1)).sum(axis=1) / (judges * (judges - 1))
    return np.column_stack([np.ones(4), alike, given.reshape(4, -1)])
