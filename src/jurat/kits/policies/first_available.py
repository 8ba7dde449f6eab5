"""The first kit with fewer judgments than wanted, as in TAP-ET."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from jurat.kits.cards import KitId, OpenKit
from jurat.kits.policies import Policy, Standing
from jurat.model import Judge


class FirstAvailable(Policy):
    """The lowest number: what was begun is finished first."""

    name: ClassVar[str] = "first-available"

    def weights(
        self, kits: Sequence[OpenKit], judge: Judge, standing: Mapping[str, Standing]
    ) -> Mapping[KitId, float]:
        return {min(kits, key=lambda kit: kit.number).id: 1.0}
