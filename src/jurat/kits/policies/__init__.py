"""Which of the kits that a judge may get is the next: one file for each way to choose.

A policy says how likely each kit is to be chosen; what was chosen is recorded with that
probability, so that whoever analyses the judgments can correct for the choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

import msgspec

from jurat.kits.kit_info import AvailableKit, KitId
from jurat.model import Judge
from jurat.registry import Registry


class SystemScore(msgspec.Struct, frozen=True, kw_only=True):
    """How a system has done so far; n is 0 while nothing is known."""

    mean: float = 0.0
    n: int = 0
    sd: float = 0.0


class KitChoice(msgspec.Struct, frozen=True):
    """The kit that was chosen, and how likely that was."""

    kit: KitId
    probability: float


class Policy:
    """What every policy has; a policy is a subclass with a `name`."""

    name: ClassVar[str]
    uses_scores: ClassVar[bool] = False
    """Whether the systems' results so far are worth computing for it."""
    compares: ClassVar[bool] = False
    """Whether it has to see all open kits to choose well; else the first ones are enough."""

    def weights(
        self, kits: Sequence[AvailableKit], judge: Judge, scores: Mapping[str, SystemScore]
    ) -> Mapping[KitId, float]:
        """The probability of each kit that may be chosen; they sum to one."""
        raise NotImplementedError

    def choose(
        self,
        open_kits: Sequence[AvailableKit],
        judge: Judge,
        scores: Mapping[str, SystemScore],
        random: Random,
    ) -> KitChoice | None:
        """One of the kits that this judge may get; None if there is none.

        `standing` holds the systems' results so far, for policies that look at them.
        """
        kits = sorted((kit for kit in open_kits if kit.remaining > 0), key=lambda kit: kit.number)
        if not kits:
            return None
        weights = {k: p for k, p in self.weights(kits, judge, scores).items() if p > 0}
        if not weights:
            return None
        # the probability is recorded with the choice, so that analyses can weight by its inverse
        (kit,) = random.choices(list(weights), list(weights.values()))
        return KitChoice(kit, weights[kit])


POLICIES: Registry[Policy] = Registry("jurat.kits.policies", Policy, word="policy")
