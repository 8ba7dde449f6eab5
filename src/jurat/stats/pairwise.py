"""Every two systems, or metrics, compared: pairs in order, corrected p-values, who is told apart.

Each command tests its pairs in its own way (`hypothesis_tests`, `metaeval.permutation_tests`). What
is done with the p-values of all pairs is the same everywhere, and is here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from jurat.resampling import adjust
from jurat.resampling.engine import Array, Codes
from jurat.results import Estimate, Figure, Key
from jurat.stats import figures
from jurat.stats.phrases import listed

Pair = tuple[int, int]


class PValues(NamedTuple):
    """p-values of every two systems (S × S, the row's against the column's), and their n."""

    p: Array
    n: Codes
    reason: str = ""
    """Why a pair has no p-value."""
    method: str = ""
    trials: int = 0
    """Resamples or trials that they come from, where that is told."""
    reasons: Mapping[Pair, str] = {}
    """Why single pairs have no p-value, where that differs; the first is the lower number."""
    notes: Mapping[Pair, str] = {}
    """What to beware of with single pairs."""

    @classmethod
    def none(cls, systems: int, reason: str = "", method: str = "") -> PValues:
        """No p-value of any pair."""
        shape = (systems, systems)
        return cls(np.full(shape, np.nan), np.zeros(shape, dtype=np.int64), reason, method)

    def corrected(self, correction: str) -> PValues:
        """Corrected for the number of tests: one for each two systems if p is symmetric."""
        if not np.array_equal(self.p, self.p.T, equal_nan=True):
            return self._replace(p=adjust(self.p, correction))
        upper = np.triu_indices(len(self.p), 1)
        p = np.full(self.p.shape, np.nan)
        p[upper] = adjust(self.p[upper], correction)
        return self._replace(p=np.where(np.isnan(p), p.T, p))

    def estimates(
        self,
        pairs: Iterable[Pair],
        names: Sequence[str],
        *,
        by: Mapping[str, Key],
        tags: Mapping[str, Key],
        kind: str = "system",
    ) -> Iterator[Estimate]:
        """The p-values of these pairs, under `by` and the names of the two."""
        for a, b in pairs:
            keys = {**by, **pair_keys(names[a], names[b], kind)}
            once = (min(a, b), max(a, b))
            yield Estimate.of(
                self.p[a, b],
                self.n[a, b],
                by=keys,
                tags=tags,
                reason=self.reasons.get(once) or self.reason,
                note=self.notes.get(once, ""),
            )


def correction_words(correction: str) -> str:
    """How p-values were corrected, as a method says it."""
    names = {"holm": "corrected by Holm's method", "bh": "corrected by Benjamini and Hochberg's"}
    return names.get(correction, "not corrected for many tests")


def better_first(scores: Array) -> list[Pair]:
    """Every two, the one with the higher score first, in the order of the first and the second."""
    return list(combinations(np.argsort(-scores, kind="stable").tolist(), 2))


def both_orders(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, then the same ones the other way round: found whichever is looked up first."""
    return [*pairs, *((b, a) for a, b in pairs)]


def pair_keys(first: str, second: str, kind: str = "system") -> dict[str, Key]:
    """`{"system_a": first, "system_b": second}`."""
    return {f"{kind}_a": first, f"{kind}_b": second}


def told_apart(
    estimates: Iterable[Estimate], level: float, *, kind: str = "system", inclusive: bool = False
) -> tuple[int, str]:
    """How many pairs have a p below the level (`inclusive`: or at it), and that in words.

    A pair may stand in both orders; of one-sided tests the smaller p counts.
    """
    smaller: dict[object, float] = {}
    keys = (f"{kind}_a", f"{kind}_b")
    for e in estimates:
        pair = frozenset(e.by[key] for key in keys)
        rest = (*(v for k, v in e.by.items() if k not in keys), *e.tags.values())
        p = np.inf if e.value is None else e.value
        smaller[pair, rest] = min(p, smaller.get((pair, rest), np.inf))
    apart = sum(p < level or (inclusive and p == level) for p in smaller.values())
    return apart, f"{apart:,} of {len(smaller):,} pairs of {kind}s are told apart"


def p_words(p: float) -> str:
    """`p = 0.003`, or `p < 0.001`."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def cluster_words(clusters: Mapping[str, float], kind: str = "system") -> str:
    """`5 systems fall into 3 clusters; A and B are in the first`, from the cluster of each."""
    first = [name for name, cluster in clusters.items() if cluster == 1]
    verb = "is" if len(first) == 1 else "are"
    count = f"{len(clusters)} {kind}s fall into {int(max(clusters.values()))} clusters"
    return f"{count}; {listed(first)} {verb} in the first"


def matrix(
    title: str, estimates: Sequence[Estimate], value: str, *, kind: str = "system", **scale: object
) -> Figure:
    """A cell for each pair, the first in the row and the second in the column."""
    sides = (f"{kind}_a", f"{kind}_b")
    # the order of the estimates on both axes, so that the diagonal is one
    order = list(dict.fromkeys(e.by[side] for side in sides for e in estimates))
    return figures.heat(
        title,
        figures.rows(estimates),
        x=figures.axis(f"{kind}_b", "against", "nominal", sort=order),
        y=figures.axis(f"{kind}_a", kind, "nominal", sort=order),
        colour=figures.axis("value", value, scale=scale),
    )


def p_matrix(estimates: Sequence[Estimate], *, kind: str = "system") -> Figure:
    """The p-values of all pairs, darker for the smaller ones."""
    title = f"p-values of pairs of {kind}s"
    return matrix(title, estimates, "p", kind=kind, domain=[0, 1], reverse=True)


def differences_figure(title: str, estimates: Sequence[Estimate], facet: str = "") -> Figure:
    """The differences of pairs of systems with their intervals."""
    named = [
        e._replace(by={**e.by, "pair": f"{e.by['system_a']} − {e.by['system_b']}"})
        for e in estimates
    ]
    return figures.points_with_intervals(title, named, over="pair", value="difference", facet=facet)
