"""A kit as somebody does it who has no account: he is corrected, and nothing of his is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jurat.campaigns.screens import Screen, screen
from jurat.faults import complain
from jurat.kits.steps import steps
from jurat.model import Kit
from jurat.protocols import Protocol
from jurat.store import Turn


class Lesson(NamedTuple):
    """A kit, usually of a tutorial, and what is asked in it."""

    kit: Kit
    protocol: Protocol


def tutorial(lesson: Lesson) -> list[Screen]:
    """A kit step by step, without an assignment."""
    return [screen(turn, lesson.protocol) for turn in _turns(lesson)]


def checked(lesson: Lesson, position: int, answers: Mapping[str, object]) -> dict[str, object]:
    """The answers to a step as they would be kept; those to its earlier stages come along."""
    turns = {turn.position: turn for turn in _turns(lesson)}
    if position not in turns:
        message = f"there is no position {position}; this kit has 1 to {len(turns)}"
        raise complain(message, field="position", value=position)
    turn = turns[position]
    return lesson.protocol.check(answers, turn.item, stage=turn.stage)


def _turns(lesson: Lesson) -> Iterator[Turn]:
    kit, protocol = lesson
    in_order = steps(len(kit.items), len(protocol.stages), protocol.advance)
    for position, step in enumerate(in_order, 1):
        yield Turn(
            assignment="",
            task=kit.task,
            phase=kit.phase,
            kit=kit.number,
            position=position,
            steps=len(in_order),
            index=step.item,
            stage=step.stage,
            item=kit.items[step.item],
            earlier={},
            draft=None,
            shown_at=None,
        )
