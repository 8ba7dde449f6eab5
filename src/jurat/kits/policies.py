"""Assignment policies: which of the kits that a judge may get is their next one.

A policy gives each kit a probability, which is recorded with the choice: an analysis can weight
judgments by its inverse. Outside packages add policies by entry points (`jurat.kits.policies`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import erfc, exp, inf, sqrt
from random import Random
from typing import ClassVar

import msgspec

from jurat.kits.eligibility import AvailableKit, KitId
from jurat.model import Judge
from jurat.registry import Registry

# The share of choices that the adaptive policy leaves to chance, so that no kit is out of reach.
FLOOR = 0.1
# How strongly the adaptive policy prefers useful kits: a tenth more useful is e times as likely.
KEENNESS = 10.0


class InterimScore(msgspec.Struct, frozen=True, kw_only=True):
    """A system's score so far, from n judgments (0: nothing is known)."""

    mean: float = 0.0
    n: int = 0
    sd: float = 0.0


class KitChoice(msgspec.Struct, frozen=True):
    """The kit that was chosen, and the probability of that choice."""

    kit: KitId
    probability: float


class Policy:
    """The base of all policies; a subclass with a `name` is a policy."""

    name: ClassVar[str]
    uses_scores: ClassVar[bool] = False
    """Whether it uses the systems' scores so far; else they are not computed."""
    compares: ClassVar[bool] = False
    """Whether it compares all open kits; else it is given the first ones only."""

    def weights(
        self, kits: Sequence[AvailableKit], judge: Judge, scores: Mapping[str, InterimScore]
    ) -> Mapping[KitId, float]:
        """The probability of each kit that may be chosen; they sum to one."""
        raise NotImplementedError

    def choose(
        self,
        open_kits: Sequence[AvailableKit],
        judge: Judge,
        scores: Mapping[str, InterimScore],
        random: Random,
    ) -> KitChoice | None:
        """A kit drawn by the policy's probabilities; None if there is none to choose.

        Args:
            open_kits: the kits that this judge may get.
            judge: the judge.
            scores: the systems' scores so far, where the policy uses them.
            random: the source of randomness.
        """
        kits = sorted((kit for kit in open_kits if kit.remaining > 0), key=lambda kit: kit.number)
        if not kits:
            return None
        weights = {k: p for k, p in self.weights(kits, judge, scores).items() if p > 0}
        if not weights:
            return None
        # kits were sorted by number, so the draw does not depend on the order they came in
        (kit,) = random.choices(list(weights), list(weights.values()))
        return KitChoice(kit, weights[kit])


class FirstAvailable(Policy):
    """The kit of the lowest number, so that what was begun is finished first, as in TAP-ET."""

    name: ClassVar[str] = "first-available"

    def weights(
        self, kits: Sequence[AvailableKit], judge: Judge, scores: Mapping[str, InterimScore]
    ) -> Mapping[KitId, float]:
        return {min(kits, key=lambda kit: kit.number).id: 1.0}


class ByGroup(Policy):
    """Kits of the judge's group before those for everybody, those that lack most judgments first.

    All kits of a group progress together, so that groups are comparable at any moment. Kits of
    other groups are never chosen.
    """

    name: ClassVar[str] = "by-group"
    compares: ClassVar[bool] = True

    def weights(
        self, kits: Sequence[AvailableKit], judge: Judge, scores: Mapping[str, InterimScore]
    ) -> Mapping[KitId, float]:
        # dict.fromkeys, since a judge without a group would otherwise have "" twice
        for group in dict.fromkeys((judge.group, "")):
            if own := [kit for kit in kits if kit.group == group]:
                return {min(own, key=lambda kit: (-kit.remaining, kit.number)).id: 1.0}
        return {}


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


POLICIES: Registry[Policy] = Registry(__name__, Policy, word="policy")
