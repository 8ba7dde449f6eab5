"""The steps of a kit: which item at which stage stands at which position.

This is the only place where positions are computed. A position, from 1, names a step for ever;
items and stages are counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from jurat.errors import input_error

Advance = Literal["item", "kit"]


class ItemStage(NamedTuple):
    """What is decided at a step: an item at a stage."""

    item: int
    stage: int


class KitSteps(msgspec.Struct, frozen=True):
    """The steps of a kit of so many items, each with so many stages.

    `advance` says what comes first: all stages of an item, or one stage of the whole kit.
    """

    items: int
    stages: int
    advance: Advance

    def __len__(self) -> int:
        return self.items * self.stages

    def __iter__(self) -> Iterator[ItemStage]:
        return (self.step(position) for position in range(1, len(self) + 1))

    def step(self, position: int) -> ItemStage:
        """What is decided at a position; raises `InputError` where the kit has none such."""
        if not 1 <= position <= self.items * self.stages:
            message = f"there is no position {position}; this kit has 1 to {len(self)}"
            raise input_error(message, field="position", value=position)
        if self.advance == "item":
            item, stage = divmod(position - 1, self.stages)
        else:
            stage, item = divmod(position - 1, self.items)
        return ItemStage(item, stage)

    def position(self, item: int, stage: int = 0) -> int:
        """Where an item is decided at a stage; raises `InputError` where it is not."""
        if not (0 <= item < self.items and 0 <= stage < self.stages):
            message = f"there is no item {item} with a stage {stage} in this kit"
            raise input_error(message, field="position")
        if self.advance == "item":
            return item * self.stages + stage + 1
        return stage * self.items + item + 1

    def earlier_stages(self, position: int) -> list[int]:
        """The positions at which the same item is decided at earlier stages, in order."""
        item, stage = self.step(position)
        return [self.position(item, earlier) for earlier in range(stage)]

    def steps_ahead(self, position: int) -> int:
        """How many of the steps right after this one may be shown before it is decided.

        A later stage of an item shows what its earlier one hides. So only steps of the same stage
        may, and they follow each other only where a stage goes through the whole kit.
        """
        if self.stages > 1 and self.advance == "item":
            return 0
        return self.items - self.step(position).item - 1

    def is_changeable(self, position: int, reached: int) -> bool:
        """Whether a decision may still change when the judge has come to the position `reached`.

        It may not once the item's next stage was shown: that reveals what this one hides.
        """
        item, stage = self.step(position)
        return stage + 1 == self.stages or self.position(item, stage + 1) > reached
