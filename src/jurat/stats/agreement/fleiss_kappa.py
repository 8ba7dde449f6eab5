"""Fleiss' kappa: agreement beyond what the use of the scale alone would bring about."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats.agreement.over_items import OverItems, Part, corrected, estimated, form_of
from jurat.stats.agreement.pictures import coefficients
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.agreement.wording import strength
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Settings
from jurat.stats.words import percent


class FleissKappa(OverItems):
    """Kappa for any number of judges an item, who need not be the same ones."""

    name = "fleiss-kappa"
    gives = ("fleiss-kappa", "fleiss-observed", "fleiss-expected")
    asks = "Do judges agree more than chance would have it?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = mean over items of Σ n_ij(n_ij − 1) / n_i(n_i − 1), "
        "Pe = Σ (share of answer j)²; items with one judgment leave both"
    )
    source = "Fleiss 1971; Hamon et al., section 4.2"
    place = 20

    def part(self, tallies: Tallies) -> Part:
        """Observed agreement an item, and the shares of the answers."""
        form = form_of(tallies, tallies.paired)
        columns = [tallies.paired, tallies.mean_per_pair(tallies.equal)]

        def score(totals: Array) -> Array:
            observed, expected = totals[:, 1] / totals[:, 0], form.of(totals[:, 2:])
            return np.column_stack([corrected(observed, expected), observed, expected])

        return Part(np.column_stack([*columns, form.columns]), score)

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Kappa, and its two parts."""
        found = list(self.spreads(evaluation, settings))
        how = told(f"{self.formula}; n counts items", *(s.method for _, s in found[:1]))
        for at, name in enumerate(self.gives):
            estimates = tuple(self._estimate(*one, at) for one in found)
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                method=how,
                headline=_headline(name, estimates),
                draw=partial(coefficients, name, estimates),
            )

    def _estimate(self, ratings: Ratings, spread: Spread, at: int) -> Estimate:
        tallies = Tallies.of(ratings)
        n, reason = self.n(tallies, {}), self.reason(tallies, {})
        return spread.estimate(at, n=n, by=ratings.by, tags=ratings.tags, reason=reason)


def fleiss_kappa(ratings: Ratings) -> tuple[float, float, float]:
    """Kappa, observed and expected agreement of the first answers; NaN where undefined."""
    kappa, observed, expected = estimated(FleissKappa(), ratings)
    return float(kappa), float(observed), float(expected)


def kappa_from_parts(observed: float, expected: float) -> float | None:
    """Kappa where only its two parts were published; None where chance explains everything."""
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _headline(name: str, estimates: tuple[Estimate, ...]) -> str:
    if name == "fleiss-kappa":
        return strength("Beyond chance, judges agree", estimates)
    share = next((e.value for e in estimates if e.value is not None), None)
    if share is None:
        return ""
    which = "agree" if name == "fleiss-observed" else "would agree by chance"
    return f"Two judgments of an item {which} in {percent(share)} of cases."
