"""The first kit with fewer judgments than wanted, as in TAP-ET."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from jurat.kits.kit_info import AvailableKit, KitId
from jurat.kits.policies import Policy, SystemScore
from jurat.model import Judge


class FirstAvailable(Policy):
    """The lowest number: what was begun is finished first."""

    name: ClassVar[str] = "first-available"

    def weights(
        self, kits: Sequence[AvailableKit], judge: Judge, scores: Mapping[str, SystemScore]
    ) -> Mapping[KitId, float]:
        return {min(kits, key=lambda kit: kit.number).id: 1.0}
