"""Kendall's W: how far all judges put the items in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats.agreement.answer_counts import CompleteTable, judges_of_all_items
from jurat.stats.agreement.presentation import coefficient_figure, strength_headline
from jurat.stats.correlation import mid_ranks_from_counts
from jurat.stats.estimates import JACKKNIFED, jackknife_errors, method_line, with_normal_interval
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Settings, Statistic


class KendallW(Statistic[Settings]):
    """The coefficient of concordance, corrected for ties."""

    name = "kendall-w"
    gives = ("kendall-w",)
    asks = "Do all judges put the items in the same order?"
    formula = (
        "12 S / (m²(n³ − n) − m Σ(t³ − t)); S = squared deviations of the items' rank sums, "
        "t = tied items of a judge"
    )
    source = "Kendall & Babington Smith 1939; Siegel & Castellan 1988 (ties)"
    needs = ("judge",)
    order = 47

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One W a question."""
        found = [(r.firsts, CompleteTable.of_ratings(r.firsts)) for r in evaluation.ratings]
        estimates = tuple(_estimate(*one, settings) for one in found)
        judges = ", ".join(dict.fromkeys(complete.described() for _, complete in found))
        who = f"judges who judged all the items ({judges}); n counts items"
        sure = any(e.low is not None for e in estimates)
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=method_line(self.formula, who, JACKKNIFED if sure else ""),
            headline=_headline(estimates, judges_of_all_items(complete for _, complete in found)),
            draw=lambda: coefficient_figure(self.name, estimates),
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
    known = not np.isnan(value)
    estimate = Estimate(
        value=value if known else None,
        n=len(complete.codes),
        by=ratings.by,
        tags=ratings.tags,
        reason="" if known else reason or "every judge gave all items the same answer",
    )
    if not (known and settings.bootstrap):
        return estimate
    # A resample would tie every repeated item with itself: items are left out instead.
    (error,) = jackknife_errors(
        lambda kept: [kendall_w(complete.codes[kept])], len(complete.codes), seed=settings.seed
    )
    return with_normal_interval(estimate, error, settings)


def _headline(estimates: Sequence[Estimate], who: str) -> str:
    return strength_headline(f"Judges order the items alike ({who}), Kendall's W", estimates)
