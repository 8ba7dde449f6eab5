"""A declaration that is not finished: what of it is sound already, and everything that is not.

What is wrong is taken out, or something harmless put in its place, until the rest can be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import msgspec

from jurat.campaigns import field_paths
from jurat.campaigns.config import CampaignPlan
from jurat.campaigns.field_paths import Path
from jurat.errors import InputError, Problem, input_error, raise_problems
from jurat.kits.plan import TaskPlan
from jurat.yamlfile import MISSING, Declaration, dump

# As which a declaration is shown, and its lines are counted.
FILE = "campaign.yaml"
# What stands for a test set where none is declared.
NO_SOURCES = ""

_TASK = {"name": "task", "protocol": "da"}
# For what a campaign cannot be without.
_STAND_INS: Mapping[str, object] = {"name": "campaign", "test_set": NO_SOURCES, "tasks": [_TASK]}

Content = dict[str, Any]


class Sketch(msgspec.Struct, frozen=True, kw_only=True):
    """What a declaration amounts to so far."""

    plan: CampaignPlan
    """The sound part of it; stand-ins have the place of what is missing."""
    numbers: tuple[int, ...]
    """Of the plan's tasks in the declaration, from 1; 0: a stand-in, where no task is sound."""
    problems: tuple[Problem, ...]
    """Everything that is wrong, with its field, and its line in the file that is shown."""
    declared: Declaration

    @property
    def tasks(self) -> dict[int, str]:
        """The names of the sound tasks by their numbers."""
        pairs = zip(self.numbers, self.plan.tasks, strict=True)
        return {number: task.name for number, task in pairs if number}

    def placed(self, problem: Problem, tasks: Sequence[TaskPlan]) -> Problem:
        """A fault that was found later, in these tasks, at its place in the declaration."""
        if problem.file is not None:
            return problem
        numbers = {name: number for number, name in self.tasks.items()}
        return _told(problem, [numbers.get(task.name, 0) for task in tasks], self.declared)


def sketch(content: Mapping[str, object]) -> Sketch:
    """Read what can be read of a declaration."""
    declared = Declaration(dump(content).encode(), file=FILE)
    sound: Content = dict(content)
    tasks = sound.get("tasks")
    numbers = list(range(1, len(tasks) + 1)) if isinstance(tasks, list) else []
    problems: dict[tuple[str | None, str], Problem] = {}
    while True:
        try:
            plan = Declaration(dump(sound).encode(), file=FILE).read(CampaignPlan)
        except InputError as error:
            for problem in error.problems:
                told = _told(problem, numbers, declared)
                problems.setdefault((told.field, told.message), told)
            sound, numbers = _mended(sound, numbers, error.problems)
            continue
        ordered = sorted(problems.values(), key=lambda problem: problem.line or 0)
        return Sketch(plan=plan, numbers=tuple(numbers), problems=tuple(ordered), declared=declared)


def _told(problem: Problem, numbers: Sequence[int], declared: Declaration) -> Problem:
    """A fault as it is told: at the field that is wrong or missing, and its line."""
    field = _renumbered(_field(problem), numbers)
    found = declared.problem(problem.message, field_paths.resolve(declared.content, field))
    return problem.changed(file=FILE, line=found.line, field=field or None)


def _field(problem: Problem) -> str:
    parts = [problem.field, str(problem.value) if problem.code == MISSING else ""]
    return ".".join(part for part in parts if part)


def _renumbered(field: str, numbers: Sequence[int]) -> str:
    head, _, rest = field.partition(".")
    number, dot, rest = rest.partition(".")
    if head != "tasks" or not number.isdecimal():
        return field
    return f"tasks.{numbers[int(number) - 1]}{dot}{rest}"


def _mended(
    sound: Content, numbers: Sequence[int], problems: Sequence[Problem]
) -> tuple[Content, list[int]]:
    """The declaration without what these faults complain of, and the numbers of its tasks."""
    places = [field_paths.resolve(sound, _field(problem)) for problem in problems]
    units = [_unit(sound, place) for place in places]
    if () in units:  # it cannot be told what is meant
        return dict(_STAND_INS), [0]
    for unit in units:
        sound = _replaced(sound, unit)
    lost = [n for n in range(len(numbers)) if ("tasks", n) in units]
    if ("tasks",) in units or (lost and len(lost) == len(numbers)):
        return {**sound, "tasks": [_TASK]}, [0]
    if not lost:
        return sound, list(numbers)
    kept = [n for n in range(len(numbers)) if n not in lost]
    return {**sound, "tasks": [sound["tasks"][n] for n in kept]}, [numbers[n] for n in kept]


def _unit(sound: Content, place: Path) -> Path:
    """What has to go so that a fault at this place goes: a task, or what is under a name."""
    match place:
        case (("name" | "test_set") as name, *_):
            return (name,)
        case ("tasks",):
            return ("tasks",)
        case ("tasks", int() as n):
            return ("tasks", n)
        case ("tasks", int() as n, "protocol", *_):
            return ("tasks", n)
        case ("tasks", int() as n, "name", *_):
            return ("tasks", n, "name")
    there = field_paths.existing(sound, place)
    while there and not isinstance(there[-1], str):
        there = there[:-1]
    return there


def _replaced(sound: Content, unit: Path) -> Content:
    """A stand-in for what cannot be missing; anything else is left out."""
    match unit:
        case ("name" | "test_set" as name,):
            return {**sound, name: _STAND_INS[name]}
        case ("tasks", int() as n, "name"):
            taken = [task.get("name") for task in sound["tasks"] if isinstance(task, Mapping)]
            free = (f"task-{k}" for k in count(n + 1))
            stand_in = next(one for one in free if one not in taken)
            return field_paths.put(sound, unit, stand_in)  # type: ignore[no-any-return]
        case ("tasks",) | ("tasks", int()):
            return sound
    return field_paths.without(sound, unit)  # type: ignore[no-any-return]


def readable(content: Content) -> Content:
    """A declaration that can be written into a file and read again, whatever it says."""
    try:
        plain: Content = msgspec.to_builtins(content)
        declared = Declaration(dump(plain).encode(), file=FILE)
    except (RecursionError, TypeError) as error:
        raise input_error(f"this cannot be written into a file: {error}") from error
    raise_problems(declared.problems)
    return plain


def in_order(content: Mapping[str, Any]) -> Content:
    """The fields in the order in which the documentation tells of them."""
    ordered = _in_order(content, CampaignPlan)
    tasks = ordered.get("tasks")
    if isinstance(tasks, list):
        ordered["tasks"] = [
            _in_order(task, TaskPlan) if isinstance(task, Mapping) else task for task in tasks
        ]
    return ordered


def _in_order(content: Mapping[str, Any], kind: type[msgspec.Struct]) -> Content:
    known = [name for name in kind.__struct_fields__ if name in content]
    return {name: content[name] for name in dict.fromkeys((*known, *content))}
