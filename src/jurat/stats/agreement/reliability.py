"""Intraclass correlations and Kendall's W, of the judges who judged all the items.

Both need a table without gaps: items × judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats.agreement.answer_counts import WORDS
from jurat.stats.correlation import mid_ranks_from_counts
from jurat.stats.estimates import (
    JACKKNIFED,
    Estimates,
    bootstrap_estimates,
    first_method,
    jackknife_errors,
    with_normal_interval,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import strength_headline
from jurat.stats.ratings import Array, Codes, Ratings, scaled
from jurat.stats.statistic import Settings, Statistic


class CompleteTable(NamedTuple):
    """Answers (items × judges) as codes of points and as values, and how many judges there were."""

    codes: Codes
    values: Array
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
        return cls(codes, ratings.places[codes], judges)

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

    def described(self) -> str:
        """`26 of 27 judges`."""
        return f"{self.judges} of {self.of} judges"


class CompleteStatistic(Statistic[Settings]):
    """A coefficient of the judges who judged everything; its method and headline say how many."""

    needs = ("judge",)
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
            how=first_method([forms.found for forms in found]),
            told=[e for e in estimates if e.by["form"] == "A,1"],
        )


class _CompleteIcc:
    def __init__(self, ratings: Ratings, settings: Settings) -> None:
        self.ratings, self.complete = ratings, CompleteTable.of_ratings(ratings)
        self.found = Estimates.undefined(len(FORMS))
        # A table with gaps has no mean squares; the reason is given with the estimates.
        if not self.complete.reason(ratings, ""):
            self.found = _spread(self.complete.values, settings)

    def estimates(self) -> Iterator[Estimate]:
        reason = self.complete.reason(self.ratings, "the scores do not vary")
        n = len(self.complete.codes)
        for at, form in enumerate(FORMS):
            by = {"form": form}
            yield self.found.estimate(at, n=n, about=self.ratings, by=by, reason=reason)


def icc(values: Array) -> dict[str, float]:
    """The six forms for scores (items × judges) without gaps; NaN where undefined."""
    found = _spread(np.asarray(values, dtype=np.float64), Settings(bootstrap=0)).values
    return dict(zip(FORMS, found.tolist(), strict=True))


def _spread(values: Array, settings: Settings) -> Estimates:
    """Per item: 1, the square of its sum, its sum of squares, and each judge's score."""
    # Around the mean: sums of squares of large scores have few digits left for differences.
    centred = scaled(values) - scaled(values).mean()
    sums = centred.sum(axis=1)
    columns = np.column_stack([np.ones(len(values)), sums**2, (centred**2).sum(axis=1), centred])
    return bootstrap_estimates(columns, _forms, settings=settings)


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
        estimates = [_estimate(*one, settings) for one in found]
        yield self.complete_result(
            evaluation,
            settings,
            estimates,
            [table for _, table in found],
            how=JACKKNIFED if any(e.low is not None for e in estimates) else "",
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


def _estimate(ratings: Ratings, complete: CompleteTable, settings: Settings) -> Estimate:
    reason = complete.reason(ratings, "")
    value = float("nan") if reason else kendall_w(complete.codes)
    reason = reason or "every judge gave all items the same answer"
    estimate = Estimate.of(value, len(complete.codes), about=ratings, reason=reason)
    if np.isnan(value) or not settings.bootstrap:
        return estimate
    # A resample would tie every repeated item with itself: items are left out instead.
    (error,) = jackknife_errors(
        lambda kept: [kendall_w(complete.codes[kept])], len(complete.codes), seed=settings.seed
    )
    return with_normal_interval(estimate, error, settings)
