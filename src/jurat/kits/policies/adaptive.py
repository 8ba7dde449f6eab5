"""The kits that help most to order the leading systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import erfc, exp, inf, sqrt
from typing import ClassVar

from jurat.kits.kit_info import AvailableKit, KitId
from jurat.kits.policies import Policy, SystemScore
from jurat.model import Judge

# The part of all choices that is left to pure chance, so that no kit is ever out of reach.
FLOOR = 0.1
# How much likelier a useful kit is: one more tenth of usefulness, e times as likely.
KEENNESS = 10.0


class Adaptive(Policy):
    """Kits are the likelier, the more of their items are of systems whose order is uncertain.

    The usefulness of a kit is the mean, over the translations in it, of their systems' doubt (see
    `doubts`), from 0 to 1. The probability of a kit is
    `(1 - FLOOR) * softmax(KEENNESS * usefulness) + FLOOR / number of kits`.
    """

    name: ClassVar[str] = "adaptive"
    compares: ClassVar[bool] = True
    uses_scores: ClassVar[bool] = True

    def weights(
        self, kits: Sequence[AvailableKit], judge: Judge, scores: Mapping[str, SystemScore]
    ) -> Mapping[KitId, float]:
        doubt = doubts({s: scores.get(s, SystemScore()) for kit in kits for s in kit.systems})
        useful = {kit.id: _usefulness(kit, doubt) for kit in kits}
        # subtracting the maximum keeps exp() from overflowing; the softmax stays the same
        top = max(useful.values())
        keen = {kit: exp(KEENNESS * (each - top)) for kit, each in useful.items()}
        total = sum(keen.values())
        return {kit: (1 - FLOOR) * each / total + FLOOR / len(keen) for kit, each in keen.items()}


def doubts(scores: Mapping[str, SystemScore]) -> dict[str, float]:
    """How uncertain each system's place is, from 0 to 1, and how much that matters.

    For two neighbours in the order of the means, doubt is the two-sided p-value of their
    difference (normal, from their standard errors), divided by the place of the better one: first
    places count most. A system has the greater doubt of its two sides; one of which fewer than two
    judgments are known has 1.
    """
    known = {name: each for name, each in scores.items() if each.n > 1}
    order = sorted(known, key=lambda name: (-known[name].mean, name))
    doubt = {name: 1.0 if name not in known else 0.0 for name in scores}
    for place, (better, worse) in enumerate(pairwise(order), 1):
        between = _p_value(known[better], known[worse]) / place
        for name in (better, worse):
            doubt[name] = max(doubt[name], between)
    return doubt


def _p_value(one: SystemScore, other: SystemScore) -> float:
    error = sqrt(one.sd**2 / one.n + other.sd**2 / other.n)
    difference = abs(one.mean - other.mean)
    z = difference / error if error else (inf if difference else 0.0)
    return erfc(z / sqrt(2))


def _usefulness(kit: AvailableKit, doubt: Mapping[str, float]) -> float:
    total = sum(kit.systems.values())
    return sum(count * doubt[system] for system, count in kit.systems.items()) / max(total, 1)
