"""The sign test: would two equally good systems be preferred as unequally as this?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from jurat.resampling import adjust
from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.preferences.comparisons import (
    TIE,
    Comparing,
    Comparisons,
    about,
    comparisons,
    of_pairs,
    or_nothing,
)
from jurat.stats.ratings import Array
from jurat.stats.statistic import Statistic


class SignTest(Statistic[Comparing]):
    """The two-sided exact binomial test of every two systems, ties left out."""

    name = "sign-test"
    gives = ("sign-test", "sign-test-adjusted")
    asks = "Could two systems be equally good, and the difference in preferences chance?"
    formula = "two-sided exact binomial p of the decisions with a preference, against one half"
    source = "Dixon and Mood 1946; as in Läubli, Sennrich and Volk 2018"
    needs = ("system_a", "system_b", "outcome")
    place = 20

    def results(self, evaluation: Evaluation, settings: Comparing) -> Iterator[Result]:
        """The p-value of each pair of systems, as it is and corrected for their number."""
        parts = comparisons(evaluation)
        found = [_tested(part) for part in parts]
        plain = [e for part, tests in zip(parts, found, strict=True) for e in _each(part, *tests)]
        holm = [
            e
            for part, (pairs, wins, p) in zip(parts, found, strict=True)
            for e in _each(part, pairs, wins, adjust(p, "holm"))
        ]
        method = f"{self.formula}; each decision counts for itself; n counts them"
        yield self.result(
            of_pairs(evaluation),
            settings,
            or_nothing(plain),
            method=method,
            headline=_headline(parts, holm),
            draw=lambda: _draw(holm),
        )
        if any(len(pairs) > 1 for pairs, _, _ in found):
            yield self.result(
                of_pairs(evaluation),
                settings,
                or_nothing(holm),
                name="sign-test-adjusted",
                method=f"{method}; Holm's correction for the number of pairs of systems",
                draw=lambda: _draw(holm),
                adjusted="holm",
            )


def sign_test(wins: ArrayLike, losses: ArrayLike) -> Array:
    """Two-sided exact p-values of so many wins against so many losses; NaN where there are none.

    p = min(1, 2 P(X ≤ min(wins, losses))) with X ~ Binomial(wins + losses, ½).
    """
    from scipy.special import bdtr

    won, lost = np.broadcast_arrays(np.asarray(wins, np.float64), np.asarray(losses, np.float64))
    n = won + lost
    p = np.minimum(1.0, 2 * bdtr(np.minimum(won, lost), n.astype(np.int64), 0.5))
    return np.asarray(np.where(n > 0, p, np.nan))


def p_value(p: float) -> str:
    """`p = 0.003`, or `p < .001`."""
    return "p < .001" if p < 0.001 else f"p = {p:.3f}"


def _tested(part: Comparisons) -> tuple[list[int], Array, Array]:
    """The pairs of systems, the most compared first, wins of both, and p-values."""
    codes, of_row, numbers = np.unique(part.pair_codes, return_inverse=True, return_counts=True)
    cells = of_row * 2 + part.outcomes
    wins = np.bincount(cells[part.outcomes < TIE], minlength=2 * len(codes)).reshape(-1, 2)
    order = np.argsort(-numbers, kind="stable")
    won = wins[order].astype(np.float64)
    return codes[order].tolist(), won, sign_test(won[:, 0], won[:, 1])


def _each(part: Comparisons, pairs: list[int], wins: Array, p: Array) -> Iterator[Estimate]:
    for code, (a, b), value in zip(pairs, wins.tolist(), p.tolist(), strict=True):
        first, second = part.pair(code)
        by: dict[str, Key] = {**part.by, "system_a": first, "system_b": second}
        yield Estimate(
            value=None if np.isnan(value) else value,
            n=int(a + b),
            by=by,
            tags=part.tags,
            side="" if a == b else first if a > b else second,
            reason="every decision is a tie" if np.isnan(value) else "",
        )


def _headline(parts: Sequence[Comparisons], tests: list[Estimate]) -> str:
    known = [e for e in tests if e.value is not None]
    if not known:
        return "No decision has a preference: nothing can be tested."
    if len(known) > 1:
        told = sum(e.value < 0.05 for e in known if e.value is not None)
        return f"{told:,} of {len(known):,} pairs of systems are told apart (p < .05, Holm)."
    test, value = known[0], known[0].value or 0.0
    verdict = f"{test.side} is preferred" if value < 0.05 else "the two are not told apart"
    return (
        f"{about(parts[0], parts)}Sign test of {test.n:,} decisions: {p_value(value)}; {verdict}."
    )


def _draw(tests: list[Estimate]) -> Figure:
    return figures.heat(
        "p of the sign test",
        figures.rows(tests)[:1000],
        x=figures.axis("system_b", "system", "nominal"),
        y=figures.axis("system_a", "system", "nominal"),
        colour=figures.axis("value", "p (Holm)", scale={"domain": [0, 0.1], "clamp": True}),
    )
