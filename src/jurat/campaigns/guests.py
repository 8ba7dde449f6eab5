"""The tutorial as a guest does it: he sees and is corrected, and nothing of his is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jurat.campaigns.founding import Blueprint
from jurat.campaigns.screens import Screen, screen
from jurat.faults import complain, unknown
from jurat.kits.audit import TaskKits
from jurat.kits.steps import steps
from jurat.store import Turn


def tutorial(blueprint: Blueprint, task: str) -> list[Screen]:
    """The first tutorial kit of a task, step by step, without an assignment."""
    found = _admitting(blueprint, task)
    return [screen(turn, found.protocol) for turn in _turns(found)]


def checked(
    blueprint: Blueprint, task: str, position: int, answers: Mapping[str, object]
) -> dict[str, object]:
    """The answers to a step as they would be kept; those to its earlier stages come along."""
    found = _admitting(blueprint, task)
    turns = {turn.position: turn for turn in _turns(found)}
    if position not in turns:
        message = f"there is no position {position}; this kit has 1 to {len(turns)}"
        raise complain(message, field="position", value=position)
    turn = turns[position]
    return found.protocol.check(answers, turn.item, stage=turn.stage)


def _admitting(blueprint: Blueprint, task: str) -> TaskKits:
    if not blueprint.plan.guest:
        raise complain("guests are not admitted to this campaign")
    taught = {each.plan.name: each for each in blueprint.tasks if each.tutorial}
    if task not in taught:
        raise unknown("task with a tutorial", task, taught)
    return taught[task]


def _turns(task: TaskKits) -> Iterator[Turn]:
    kit, protocol = task.tutorial[0], task.protocol
    in_order = steps(len(kit.items), len(protocol.stages), protocol.advance)
    for position, step in enumerate(in_order, 1):
        yield Turn(
            assignment="",
            task=kit.task,
            phase="tutorial",
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
