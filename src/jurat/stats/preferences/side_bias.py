"""Whether the side on which a translation stands makes it win."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.cluster_inference import Finding
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.pairwise import p_words
from jurat.stats.phrases import headline_prefix, percentage
from jurat.stats.preferences.comparisons import (
    A,
    B,
    Comparisons,
    PreferenceStatistic,
    comparisons,
    interval_words,
    share_estimate,
    share_finding,
)
from jurat.stats.preferences.outcomes import ALL_TIED
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
        "side-bias-p": (
            "two-sided cluster-robust score test of the same decisions, against one half, which "
            "Wilson's interval turns round; n counts decisions"
        ),
    }
    source = "the randomised sides of TAP-ET, section 2.2, put to the test"
    order = 60

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """The share for the first side, and its test against one half."""
        parts = comparisons(evaluation)
        found = [(part, *_found(part, settings)) for part in parts]
        shares = [_share(part, n, one, settings) for part, n, one in found]
        tests = [_test(part, n, one) for part, n, one in found]
        yield self.preference_result(
            evaluation,
            settings,
            shares,
            how=interval_words(parts, settings),
            headline=_headline(parts, shares, tests),
        )
        yield self.preference_result(
            evaluation,
            settings,
            tests,
            name="side-bias-p",
            how=parts[0].varying(settings.unit) if parts else "",
        )

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


def _found(part: Comparisons, settings: PreferenceSettings) -> tuple[int, Finding]:
    """How many decisions for a side count, and the share of the first, tested against one half."""
    decided = np.flatnonzero(_used(part) & (part.shown <= B))
    return len(decided), share_finding(
        part, decided, part.shown[decided] == A, settings, against=0.5
    )


def _used(part: Comparisons) -> NDArray[np.bool_]:
    # where a system always stood first, its quality would pass for a bias
    return shown_both_ways(part) if part.sided else np.zeros(len(part), dtype=bool)


def _share(part: Comparisons, n: int, found: Finding, settings: PreferenceSettings) -> Estimate:
    return share_estimate(found, n, part, settings, reason=_reason(part))


def _test(part: Comparisons, n: int, found: Finding) -> Estimate:
    reason = found.reason if n else _reason(part)
    return Estimate.of(found.p, n, about=part, reason=reason, note=found.scope)


def _reason(part: Comparisons) -> str:
    if not part.sided:
        return "the table does not tell sides: the better system always stands first"
    if not shown_both_ways(part).any():
        return "no two systems were shown both ways round: side and system cannot be told apart"
    return ALL_TIED


def _headline(parts: Sequence[Comparisons], shares: list[Estimate], tests: list[Estimate]) -> str:
    for part, share, test in zip(parts, shares, tests, strict=True):
        if share.value is None:
            continue
        where, won = headline_prefix(part, parts), percentage(share)
        return (
            f"{where}The translation shown first wins {won} of {share.n:,} decisions: "
            f"{_verdict(test)}."
        )
    return "These decisions do not show whether the side matters."


def _verdict(test: Estimate) -> str:
    if test.value is None:
        return f"whether there is a bias cannot be told ({test.reason})"
    finding = "a bias" if test.value < 0.05 else "no sign of a bias"
    return f"{finding} ({', '.join(filter(None, (p_words(test.value), test.note)))})"
