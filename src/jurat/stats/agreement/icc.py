"""Intraclass correlations: how much of the variance of the scores is that of the items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats.agreement.answer_counts import CompleteTable, judges_of_all_items
from jurat.stats.agreement.presentation import coefficient_figure, strength_headline
from jurat.stats.estimates import Estimates, bootstrap_estimates, first_method, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings, scaled
from jurat.stats.statistic import Settings, Statistic

FORMS = ("1,1", "A,1", "C,1", "1,k", "A,k", "C,k")


class ICC(Statistic[Settings]):
    """Six intraclass correlations of the judges who judged all the items."""

    name = "icc"
    gives = ("icc",)
    asks = "How much do scores tell of the items, rather than of who judged them?"
    formula = (
        "from the mean squares of items (R), judges (C), rest (E) and within items (W): "
        "1,1 = (R − W)/(R + (k − 1)W), A,1 = (R − E)/(R + (k − 1)E + k(C − E)/n), "
        "C,1 = (R − E)/(R + (k − 1)E), 1,k = (R − W)/R, A,k = (R − E)/(R + (C − E)/n), "
        "C,k = (R − E)/R"
    )
    source = "Shrout & Fleiss 1979; McGraw & Wong 1996"
    needs = ("judge",)
    order = 45

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The six forms of every question."""
        found = [_CompleteIcc(ratings.firsts, settings) for ratings in evaluation.ratings]
        estimates = tuple(e for forms in found for e in forms.estimates())
        judges = ", ".join(dict.fromkeys(forms.complete.described() for forms in found))
        who = f"judges who judged all the items ({judges}); n counts items"
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=method_line(self.formula, who, first_method([f.found for f in found])),
            headline=_headline(estimates, judges_of_all_items(forms.complete for forms in found)),
            draw=lambda: coefficient_figure(self.name, estimates, over="form"),
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
        by, tags = self.ratings.by, self.ratings.tags
        for at, form in enumerate(FORMS):
            yield self.found.estimate(
                at, n=len(self.complete.codes), by={**by, "form": form}, tags=tags, reason=reason
            )


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


def _headline(estimates: Sequence[Estimate], who: str) -> str:
    chosen = [e for e in estimates if e.by["form"] == "A,1"]
    return strength_headline(f"One judge's scores tell the items apart ({who}), ICC(A,1)", chosen)
