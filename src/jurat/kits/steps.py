"""The steps of a kit: which item at which stage is at which position.

A position, from 1, names a step for ever; items and stages are counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from jurat.faults import complain

Advance = Literal["item", "kit"]


class Step(NamedTuple):
    """One decision: an item at a stage."""

    item: int
    stage: int


class Steps(msgspec.Struct, frozen=True):
    """The steps of a kit of so many items, each with so many stages.

    `advance` says what comes first: all stages of an item, or one stage of the whole kit.
    """

    items: int
    stages: int
    advance: Advance

    def __len__(self) -> int:
        return self.items * self.stages

    def __iter__(self) -> Iterator[Step]:
        return (self.step(position) for position in range(1, len(self) + 1))

    def step(self, position: int) -> Step:
        """What is decided at a position."""
        if not 1 <= position <= len(self):
            message = f"there is no position {position}; this kit has 1 to {len(self)}"
            raise complain(message, field="position", value=position)
        if self.advance == "item":
            return Step(*divmod(position - 1, self.stages))
        stage, item = divmod(position - 1, self.items)
        return Step(item, stage)

    def position(self, item: int, stage: int = 0) -> int:
        """Where an item is decided at a stage."""
        if not (0 <= item < self.items and 0 <= stage < self.stages):
            message = f"there is no item {item} with a stage {stage} in this kit"
            raise complain(message, field="position")
        if self.advance == "item":
            return item * self.stages + stage + 1
        return stage * self.items + item + 1


def steps(kit_size: int, stages: int, advance: Advance) -> Steps:
    """The steps of a kit of this size, under a protocol with so many stages."""
    return Steps(kit_size, stages, advance)
