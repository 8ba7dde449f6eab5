"""Whether the side on which a translation stands makes it win."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, bootstrap_estimates, first_method
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.hypothesis_tests import sign_test
from jurat.stats.pairwise import p_words
from jurat.stats.phrases import headline_prefix, interval, percent
from jurat.stats.preferences.comparisons import (
    A,
    B,
    Comparisons,
    PreferenceStatistic,
    comparisons,
)
from jurat.stats.preferences.outcomes import ALL_TIED
from jurat.stats.ratings import Array
from jurat.stats.settings import PreferenceSettings


class SideBias(PreferenceStatistic):
    """How often the translation that was shown first wins."""

    name = "side-bias"
    asks = "Does the translation that is shown first win more often?"
    formulas: ClassVar = {
        "side-bias": (
            "share of decisions with a preference that are for the side shown first, over pairs of "
            "systems that were shown both ways round; n counts decisions"
        ),
        "side-bias-p": "two-sided exact binomial p of the same decisions, against one half",
    }
    source = "the randomised sides of TAP-ET, section 2.2, put to the test"
    order = 60

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """The share for the first side, and the sign test against one half."""
        parts = comparisons(evaluation)
        found = [(part, *_found(part, settings)) for part in parts]
        shares = [_estimate(part, wins, drawn) for part, wins, drawn in found]
        tests = [_test(part, wins) for part, wins, _ in found]
        spreads = [drawn for _, _, drawn in found if drawn]
        yield self.preference_result(
            evaluation,
            settings,
            shares,
            how=first_method(spreads),
            headline=_headline(parts, shares, tests),
        )
        yield self.preference_result(evaluation, settings, tests, name="side-bias-p")

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point for each question; p-values have no figure."""
        if name == "side-bias-p":
            return {}
        return figures.points_with_intervals(
            "Wins of the translation shown first",
            figures.labelled(estimates),
            over="of",
            value="share of decisions",
        )


def shown_both_ways(part: Comparisons) -> NDArray[np.bool_]:
    """The comparisons of those pairs of systems of which each stood first at some time."""
    turned, straight = (np.unique(part.pair_codes[m]) for m in (part.turned, ~part.turned))
    return np.isin(part.pair_codes, np.intersect1d(turned, straight))


def _found(part: Comparisons, settings: PreferenceSettings) -> tuple[Array, Estimates | None]:
    """Wins of the first and the second side, and their shares with intervals."""
    # where a system always stood first, its quality would pass for a bias
    used = shown_both_ways(part) if part.sided else np.zeros(len(part), dtype=bool)
    sides = np.column_stack([part.shown == A, part.shown == B])[used].astype(np.float64)
    if not sides.any():
        return np.zeros(2), None
    items = part.item_codes[used]
    return sides.sum(axis=0), bootstrap_estimates(sides, _share, settings=settings, clusters=items)


def _share(totals: Array) -> Array:
    return np.asarray(totals[:, 0] / totals.sum(axis=1))


def _estimate(part: Comparisons, wins: Array, drawn: Estimates | None) -> Estimate:
    if drawn is None:
        return Estimate.of(None, 0, about=part, reason=_reason(part))
    return drawn.estimate(n=int(wins.sum()), about=part)


def _test(part: Comparisons, wins: Array) -> Estimate:
    return Estimate.of(float(sign_test(*wins)), wins.sum(), about=part, reason=_reason(part))


def _reason(part: Comparisons) -> str:
    if not part.sided:
        return "the table does not tell sides: the better system always stands first"
    if not shown_both_ways(part).any():
        return "no two systems were shown both ways round: side and system cannot be told apart"
    return ALL_TIED


def _headline(parts: Sequence[Comparisons], shares: list[Estimate], tests: list[Estimate]) -> str:
    for part, share, test in zip(parts, shares, tests, strict=True):
        if share.value is None or test.value is None:
            continue
        finding = "a bias" if test.value < 0.05 else "no sign of a bias"
        where, won = headline_prefix(part, parts), percent(share.value)
        return (
            f"{where}The translation shown first wins {won} of {share.n:,} decisions"
            f"{interval(share)}: {finding} ({p_words(test.value)})."
        )
    return "These decisions do not show whether the side matters."
