"""The adaptive policy: more judgments where the order of systems is still open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import erfc, exp, inf, sqrt
from typing import ClassVar

from jurat.kits.eligibility import AvailableKit, KitId
from jurat.kits.policies import InterimScore, Policy
from jurat.model import Judge

# The share of choices that the adaptive policy leaves to chance, so that no kit is out of reach.
FLOOR = 0.1
# How strongly the adaptive policy prefers useful kits: a tenth more useful is e times as likely.
KEENNESS = 10.0


class Adaptive(Policy):
    """Prefers kits with translations by systems whose order is uncertain.

    The usefulness of a kit is the mean, over its translations, of their systems' doubt (see
    `doubts`), from 0 to 1. Its probability is
    `(1 - FLOOR) * softmax(KEENNESS * usefulness) + FLOOR / number of kits`.
    """

    name: ClassVar[str] = "adaptive"
    compares: ClassVar[bool] = True
    uses_scores: ClassVar[bool] = True

    def weights(
        self, kits: Sequence[AvailableKit], judge: Judge, scores: Mapping[str, InterimScore]
    ) -> Mapping[KitId, float]:
        doubt = doubts({s: scores.get(s, InterimScore()) for kit in kits for s in kit.systems})
        useful = {kit.id: _usefulness(kit, doubt) for kit in kits}
        # subtracting the maximum keeps exp() from overflowing; the softmax stays the same
        top = max(useful.values())
        keen = {kit: exp(KEENNESS * (each - top)) for kit, each in useful.items()}
        total = sum(keen.values())
        return {kit: (1 - FLOOR) * each / total + FLOOR / len(keen) for kit, each in keen.items()}


def doubts(scores: Mapping[str, InterimScore]) -> dict[str, float]:
    """How uncertain each system's rank is, from 0 to 1, weighted by the rank.

    For two neighbours in the order of the means, doubt is the two-sided p-value of their
    difference (normal, from their standard errors), divided by the rank of the better one: first
    ranks count most. A system has the greater doubt of its two sides, and 1 with fewer than two
    judgments.
    """
    known = {name: each for name, each in scores.items() if each.n > 1}
    order = sorted(known, key=lambda name: (-known[name].mean, name))
    doubt = {name: 1.0 if name not in known else 0.0 for name in scores}
    for place, (better, worse) in enumerate(pairwise(order), 1):
        between = _p_value(known[better], known[worse]) / place
        for name in (better, worse):
            doubt[name] = max(doubt[name], between)
    return doubt


def _p_value(one: InterimScore, other: InterimScore) -> float:
    error = sqrt(one.sd**2 / one.n + other.sd**2 / other.n)
    difference = abs(one.mean - other.mean)
    # without any spread, different means certainly differ, and equal ones are certainly tied
    z = difference / error if error else (inf if difference else 0.0)
    return erfc(z / sqrt(2))


def _usefulness(kit: AvailableKit, doubt: Mapping[str, float]) -> float:
    total = sum(kit.systems.values())
    return sum(count * doubt[system] for system, count in kit.systems.items()) / max(total, 1)
