"""Kits of the judge's own group first, then those that are for anybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from jurat.kits.kit_info import AvailableKit, KitId
from jurat.kits.policies import Policy, SystemScore
from jurat.model import Judge


class ByGroup(Policy):
    """The judge's own group's kits, then anybody's; in each, those that lack most judgments.

    So all kits of a group come forward together, and the groups stay comparable at any moment.
    Kits of other groups are never chosen.
    """

    name: ClassVar[str] = "by-group"
    compares: ClassVar[bool] = True

    def weights(
        self, kits: Sequence[AvailableKit], judge: Judge, scores: Mapping[str, SystemScore]
    ) -> Mapping[KitId, float]:
        for group in dict.fromkeys((judge.group, "")):
            if own := [kit for kit in kits if kit.group == group]:
                return {min(own, key=lambda kit: (-kit.remaining, kit.number)).id: 1.0}
        return {}
