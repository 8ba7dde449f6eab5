"""Assignment policies: which of the kits that a judge may get is their next one.

A policy gives each kit a probability, which is recorded with the choice: an analysis can weight
judgments by its inverse. Outside packages add policies by entry points (`jurat.kits.policies`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

import msgspec

from jurat.kits.eligibility import AvailableKit, KitId
from jurat.model import Judge
from jurat.registry import Registry


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


POLICIES: Registry[Policy] = Registry(__name__, Policy, word="policy")
