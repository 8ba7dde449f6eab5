"""A campaign in numbers: how many kits and judges it takes, and who judges what."""

from __future__ import annotations

from math import ceil

import msgspec
import numpy as np

from jurat.stats.ratings import Codes


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """So many systems' translations of so many segments, judged so often by so many judges.

    Kits are cut as `jurat.kits` cuts them with shuffled segments. Where systems are kept `apart` (a
    judge gets each segment from one system only), a block of segments makes as many kits as there
    are systems, which take turns from segment to segment, and a judge gets one kit of a block.
    """

    systems: int
    segments: int
    judgments: int
    judges: int
    kit_size: int = 20
    apart: bool = True

    @property
    def block_size(self) -> int:
        """Segments of a block: an item each, or an item of every system's."""
        return self.kit_size if self.apart else max(1, self.kit_size // self.systems)

    @property
    def blocks(self) -> int:
        """Runs of segments that are judged together."""
        return ceil(self.segments / self.block_size)

    @property
    def kits(self) -> int:
        """Different kits, each of which is judged as often as `judgments` says."""
        return self.blocks * (self.systems if self.apart else 1)

    @property
    def decisions(self) -> int:
        """Judgments in all."""
        return self.segments * self.systems * self.judgments

    @property
    def judges_needed(self) -> int:
        """The fewest with whom it can be finished."""
        return self.judgments * (self.systems if self.apart else 1)

    def hours(self, seconds: float) -> float:
        """Of all judges together."""
        return self.decisions * seconds / 3600

    def judge_of(self) -> Codes:
        """Who gives each judgment: segments × systems × judgments.

        Judges take turns over the kits; within a block nobody comes twice.
        """
        segment, system = np.arange(self.segments)[:, None], np.arange(self.systems)[None]
        block, place = np.divmod(segment, self.block_size)
        kit = (system - place - block) % self.systems if self.apart else np.zeros_like(system)
        turn = block * self.judges_needed + kit * self.judgments
        order = turn[..., None] + np.arange(self.judgments)
        return np.asarray(order % self.judges, dtype=np.int64)
