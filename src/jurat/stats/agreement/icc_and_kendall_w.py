"""Intraclass correlations and Kendall's W, of the judges who judged all the items.

Both need a table without gaps: items × judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np

from jurat.resampling.jackknife_t import MOST_UNITS
from jurat.results import Estimate, Result
from jurat.stats.agreement.answer_counts import WORDS, AnswerCounts
from jurat.stats.agreement.new_judges import (
    drawn,
    draws_judges,
    for_these_judges,
    left_out_of_sums,
    with_new_judges,
)
from jurat.stats.agreement.rare_answer_intervals import Rarity, rarity, with_few_cases
from jurat.stats.answer_distances import commonest_and_other
from jurat.stats.correlation import mid_ranks_from_counts
from jurat.stats.estimates import (
    Estimates,
    common_method,
    jackknife_estimates,
    left_out_by_group,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import Units, units_of, with_pseudo_items, with_unit_note
from jurat.stats.phrases import strength_headline
from jurat.stats.ratings import Array, Codes, Ratings, scaled
from jurat.stats.statistic import Settings, Statistic

# Answers that are ranked in all for an interval of W, and the groups of units that are enough.
MOST_RANKED = 2**23
FEWEST_GROUPS = 20


class CompleteTable(NamedTuple):
    """Answers (items × judges) as codes of points and as values, and how many judges there were."""

    codes: Codes
    places: Array
    of: int

    @classmethod
    def of_ratings(cls, ratings: Ratings) -> CompleteTable:
        """The judges who gave an answer to every item."""
        judges, items = len(ratings.judges), int(ratings.item_codes.max(initial=-1)) + 1
        judged = np.bincount(ratings.judge_codes, minlength=judges)
        # First answers only: who has as many answers as there are items has judged them all.
        whole = np.flatnonzero(judged == items)
        column = np.full(judges, -1)
        column[whole] = np.arange(len(whole))
        kept = column[ratings.judge_codes] >= 0
        codes = np.zeros((items, len(whole)), dtype=np.int64)
        codes[ratings.item_codes[kept], column[ratings.judge_codes[kept]]] = ratings.codes[kept]
        return cls(codes, ratings.places, judges)

    @property
    def values(self) -> Array:
        """The answers as values."""
        return np.asarray(self.places[self.codes])

    @property
    def judges(self) -> int:
        """How many judged everything."""
        return int(self.codes.shape[1])

    def reason(self, ratings: Ratings, otherwise: str) -> str:
        """Why nothing can be said of these judges."""
        if ratings.nominal:
            return WORDS
        if self.judges < 2:
            return f"fewer than two of {self.of} judges judged all the items"
        return "there is only one item" if len(self.codes) < 2 else otherwise

    def rarity(self) -> Rarity:
        """What is few among the answers of these judges."""
        item = np.repeat(np.arange(len(self.codes)), self.judges)
        return rarity(AnswerCounts.from_codes(item, self.codes.ravel(), self.places))

    def with_pseudo_items(self) -> CompleteTable:
        """With four items more: two answers, each unanimous, and two split of them.

        The answers are the commonest and the one that adds most to the squared distance from it.
        """
        given = np.bincount(self.codes.ravel(), minlength=len(self.places))
        a, b = commonest_and_other(given, self.places, "quadratic")
        first = np.arange(self.judges) < self.judges - self.judges // 2
        unanimous = [np.full(self.judges, one) for one in (a, b)]
        split = [np.where(first, a, b), np.where(first, b, a)]
        return self._replace(codes=np.vstack([self.codes, *unanimous, *split]))

    def described(self) -> str:
        """`26 of 27 judges`."""
        return f"{self.judges} of {self.of} judges"


class CompleteStatistic(Statistic[Settings]):
    """A coefficient of the judges who judged everything; its method and headline say how many."""

    needs = ("judge",)
    resampled = False
    words: ClassVar[str]
    """How the headline begins; {who} stands for how many judges there are."""

    def complete_result(
        self,
        evaluation: Evaluation,
        settings: Settings,
        estimates: Sequence[Estimate],
        tables: Sequence[CompleteTable],
        *,
        how: str,
        told: Sequence[Estimate],
    ) -> Result:
        """The result of the estimates; `told` are those that the headline names."""
        judges = ", ".join(dict.fromkeys(table.described() for table in tables))
        several = dict.fromkeys(table.described() for table in tables if table.judges > 1)
        who = f"{', '.join(several)} judged them all"
        return self.result(
            evaluation,
            settings,
            estimates,
            method=f"{self.formula}; judges who judged all the items ({judges}); n counts items",
            how=how,
            headline=strength_headline(self.words.format(who=who), told),
            unit=settings.unit,
            drawn=drawn(settings),
        )


FORMS = ("1,1", "A,1", "C,1", "1,k", "A,k", "C,k")


class ICC(CompleteStatistic):
    """Six intraclass correlations of the judges who judged all the items."""

    name = "icc"
    asks = "How much do scores tell of the items, rather than of who judged them?"
    formula = (
        "from the mean squares of items (R), judges (C), rest (E) and within items (W): "
        "1,1 = (R − W)/(R + (k − 1)W), A,1 = (R − E)/(R + (k − 1)E + k(C − E)/n), "
        "C,1 = (R − E)/(R + (k − 1)E), 1,k = (R − W)/R, A,k = (R − E)/(R + (C − E)/n), "
        "C,k = (R − E)/R"
    )
    source = "Shrout & Fleiss 1979; McGraw & Wong 1996"
    order = 45
    over = "form"
    words = "One judge's scores tell the items apart ({who}), ICC(A,1)"

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The six forms of every question."""
        found = [_CompleteIcc(ratings.firsts, settings) for ratings in evaluation.ratings]
        estimates = [e for forms in found for e in forms.estimates()]
        yield self.complete_result(
            evaluation,
            settings,
            estimates,
            [forms.complete for forms in found],
            how=common_method(forms.found.method for forms in found),
            told=[e for e in estimates if e.by["form"] == "A,1"],
        )


class _CompleteIcc:
    def __init__(self, ratings: Ratings, settings: Settings) -> None:
        self.ratings, self.complete = ratings, CompleteTable.of_ratings(ratings)
        self.found = Estimates.undefined(len(FORMS))
        # A table with gaps has no mean squares; the reason is given with the estimates.
        if not self.complete.reason(ratings, ""):
            self.found = _with_interval(self.complete, units_of(ratings, settings), settings)

    def estimates(self) -> Iterator[Estimate]:
        reason = self.complete.reason(self.ratings, "the scores do not vary")
        n = len(self.complete.codes)
        for at, form in enumerate(FORMS):
            by = {"form": form}
            yield self.found.estimate(at, n=n, about=self.ratings, by=by, reason=reason)


def icc(values: Array) -> dict[str, float]:
    """The six forms for scores (items × judges) without gaps; NaN where undefined."""
    scores = np.asarray(values, dtype=np.float64)
    found = jackknife_estimates(_columns(scores), _forms, settings=Settings(bootstrap=0)).values
    return dict(zip(FORMS, found.tolist(), strict=True))


def _with_interval(complete: CompleteTable, units: Units, settings: Settings) -> Estimates:
    """The six forms; intervals of those of k judges are those of one, stepped up.

    ICC(·, k) = k ρ / (1 + (k − 1) ρ) for ρ = ICC(·, 1), Spearman and Brown's formula, rises with ρ:
    what covers the one covers the other.
    """
    values = complete.values
    found = _jackknifed(values, units, settings)
    singles, k = len(FORMS) // 2, values.shape[1]
    if draws_judges(settings):
        found = _for_new_judges(found, values, units, settings)
    elif settings.intervals:
        found = with_few_cases(
            found,
            complete.rarity(),
            lambda: _jackknifed(
                complete.with_pseudo_items().values, with_pseudo_items(units), settings, pseudo=True
            ),
            squares=True,
        )

    def stepped_up(ends: Array) -> Array:
        one = ends[:singles]
        with np.errstate(all="ignore"):
            return np.concatenate([one, k * one / (1 + (k - 1) * one)])

    # An interval that reaches below −1/(k − 1), which no ICC of one judge can be, has no other end.
    low = np.where(stepped_up(found.low) > 1, np.nan, stepped_up(found.low))
    least = -1 / (k - 1)
    low = np.where(np.tile(found.low[:singles], 2) <= least, np.nan, low)
    low[:singles] = found.low[:singles]
    return with_unit_note(replace(found, low=low, high=stepped_up(found.high)), units)


def _jackknifed(
    values: Array, units: Units, settings: Settings, *, pseudo: bool = False
) -> Estimates:
    return jackknife_estimates(
        _columns(values),
        _forms,
        settings=settings,
        clusters=units.of_item,
        pseudo=pseudo,
        words=units.words,
    )


def _for_new_judges(found: Estimates, values: Array, units: Units, settings: Settings) -> Estimates:
    k = values.shape[1]
    fewer = ((_columns(np.delete(values, judge, axis=1)), _forms) for judge in range(k))
    # Without one of two judges there is no agreement; the note then says that they are too few.
    left_out = left_out_of_sums(units, (_columns(values), _forms), fewer)
    fisher = np.ones(len(FORMS), dtype=np.bool_)
    return with_new_judges(found, left_out, settings, judges=k, sizes=units.sizes, fisher=fisher)


def _columns(values: Array) -> Array:
    """Per item: 1, the square of its sum, its sum of squares, and each judge's score."""
    # Around the mean: sums of squares of large scores have few digits left for differences.
    centred = scaled(values) - scaled(values).mean()
    sums = centred.sum(axis=1)
    return np.column_stack([np.ones(len(values)), sums**2, (centred**2).sum(axis=1), centred])


def _forms(totals: Array) -> Array:
    n, squared_sums, squares, judges = totals[:, 0], totals[:, 1], totals[:, 2], totals[:, 3:]
    k = judges.shape[1]
    middle = judges.sum(axis=1) ** 2 / (n * k)
    # The classical analysis of variance, from totals that can be resampled.
    of_items = squared_sums / k - middle
    of_judges = (judges**2).sum(axis=1) / n - middle
    every = squares - middle
    # What rounding leaves of scores that do not vary is no variance.
    every = np.where(every > 1e-12 * (squares + 1e-300), every, np.nan)
    r = of_items / (n - 1)
    c = of_judges / (k - 1)
    e = (every - of_items - of_judges) / ((n - 1) * (k - 1))
    w = (every - of_items) / (n * (k - 1))
    return np.column_stack(
        [
            (r - w) / (r + (k - 1) * w),
            (r - e) / (r + (k - 1) * e + k * (c - e) / n),
            (r - e) / (r + (k - 1) * e),
            (r - w) / r,
            (r - e) / (r + (c - e) / n),
            (r - e) / r,
        ]
    )


class KendallW(CompleteStatistic):
    """The coefficient of concordance, corrected for ties."""

    name = "kendall-w"
    asks = "Do all judges put the items in the same order?"
    formula = (
        "12 S / (m²(n³ − n) − m Σ(t³ − t)); S = squared deviations of the items' rank sums, "
        "t = tied items of a judge"
    )
    source = "Kendall & Babington Smith 1939; Siegel & Castellan 1988 (ties)"
    order = 47
    over = "question"
    words = "Judges order the items alike ({who}), Kendall's W"

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One W a question."""
        found = [(r.firsts, CompleteTable.of_ratings(r.firsts)) for r in evaluation.ratings]
        sure = [_concordance(*one, settings) for one in found]
        estimates = [
            values.estimate(
                n=len(table.codes),
                about=ratings,
                reason=table.reason(ratings, "every judge gave all items the same answer"),
            )
            for values, (ratings, table) in zip(sure, found, strict=True)
        ]
        yield self.complete_result(
            evaluation,
            settings,
            estimates,
            [table for _, table in found],
            how=for_these_judges(common_method(values.method for values in sure), settings),
            told=estimates,
        )


def kendall_w(codes: Codes) -> float:
    """W of answers (items × judges) given as whole numbers from 0; NaN where undefined."""
    n, m = codes.shape
    ranks, ties = _ranks_and_ties(codes)
    sums = ranks.sum(axis=1)
    # What W could at most be, less what ties make impossible.
    most = m**2 * (n**3 - n) - m * ties
    return float(12 * ((sums - sums.mean()) ** 2).sum() / most) if most > 0 else float("nan")


def _ranks_and_ties(codes: Codes) -> tuple[Array, float]:
    """The ranks of the items for each judge, and Σ(t³ − t) over all ties."""
    m = codes.shape[1]
    # Ranks come from counts of each point: no judge's answers need to be sorted.
    points = int(codes.max(initial=0)) + 1
    cells = np.arange(m) * points + codes
    counts = np.bincount(cells.ravel(), minlength=m * points).reshape(m, points)
    ranks = mid_ranks_from_counts(counts)
    tied = counts.astype(np.float64)
    return np.asarray(ranks.reshape(-1)[cells]), float((tied**3 - tied).sum())


def _concordance(ratings: Ratings, complete: CompleteTable, settings: Settings) -> Estimates:
    if complete.reason(ratings, ""):
        return Estimates.undefined()
    units = units_of(ratings, settings)
    found = _ranked_without(complete.codes, units, settings)
    if settings.intervals:
        found = with_few_cases(
            found,
            complete.rarity(),
            lambda: _ranked_without(
                complete.with_pseudo_items().codes, with_pseudo_items(units), settings, pseudo=True
            ),
        )
    return with_unit_note(replace(found, low=np.maximum(found.low, 0.0)), units)


def _ranked_without(
    codes: Codes, units: Units, settings: Settings, *, pseudo: bool = False
) -> Estimates:
    # A resample would tie every repeated item with itself: items are left out instead.
    return left_out_by_group(
        lambda kept: [kendall_w(codes[kept])],
        units.of_item,
        most=max(FEWEST_GROUPS, min(MOST_UNITS, MOST_RANKED // codes.size)),
        pseudo=pseudo,
        settings=settings,
        words=units.words,
    )
