"""A kit as somebody does it who has no account: he is corrected, and nothing of his is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jurat.campaigns.screens import Screen, screen
from jurat.errors import input_error
from jurat.model import Kit, KitSteps
from jurat.protocols import Protocol
from jurat.store import Step


class Lesson(NamedTuple):
    """A kit, usually of a tutorial, and what is asked in it."""

    kit: Kit
    protocol: Protocol


def tutorial(lesson: Lesson) -> list[Screen]:
    """A kit step by step, without an assignment."""
    return [screen(step, lesson.protocol) for step in _steps(lesson)]


def checked(lesson: Lesson, position: int, answers: Mapping[str, object]) -> dict[str, object]:
    """The answers to a step as they would be kept; those to its earlier stages come along."""
    steps = {step.position: step for step in _steps(lesson)}
    if position not in steps:
        message = f"there is no position {position}; this kit has 1 to {len(steps)}"
        raise input_error(message, field="position", value=position)
    step = steps[position]
    return lesson.protocol.check(answers, step.item, stage=step.stage)


def _steps(lesson: Lesson) -> Iterator[Step]:
    kit, protocol = lesson
    in_order = KitSteps(len(kit.items), len(protocol.stages), protocol.advance)
    for position, (index, stage) in enumerate(in_order, 1):
        yield Step(
            assignment="",
            task=kit.task,
            phase=kit.phase,
            kit=kit.number,
            position=position,
            steps=len(in_order),
            index=index,
            stage=stage,
            item=kit.items[index],
            earlier={},
            draft=None,
            shown_at=None,
        )
