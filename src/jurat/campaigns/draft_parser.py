"""Reading an unfinished declaration: the part that is valid, and all problems of the rest.

What is invalid is removed, or replaced by a placeholder, until the rest can be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import msgspec

from jurat.campaigns import nested_values
from jurat.campaigns.config import CampaignPlan
from jurat.campaigns.nested_values import Path
from jurat.errors import InputError, Problem, input_error, raise_problems
from jurat.kits.task_plan import TaskPlan
from jurat.yamlfile import MISSING, Declaration, dump

# The file as which a draft is shown; problems have its lines.
FILE = "campaign.yaml"
# The placeholder for a test set where none is declared.
NO_SOURCES = ""

_TASK = {"name": "task", "protocol": "da"}
# Placeholders for what a campaign cannot do without.
_PLACEHOLDERS: Mapping[str, object] = {"name": "campaign", "test_set": NO_SOURCES, "tasks": [_TASK]}

Content = dict[str, Any]


class ParsedDraft(msgspec.Struct, frozen=True, kw_only=True):
    """The valid part of a declaration, and the problems of the rest."""

    plan: CampaignPlan
    """The valid part, with placeholders for what is missing."""
    numbers: tuple[int, ...]
    """The numbers of the plan's tasks in the declaration, from 1; 0 for a placeholder."""
    problems: tuple[Problem, ...]
    """All problems, with their fields and lines."""
    declared: Declaration

    @property
    def tasks(self) -> dict[int, str]:
        """The names of the valid tasks by their numbers."""
        pairs = zip(self.numbers, self.plan.tasks, strict=True)
        return {number: task.name for number, task in pairs if number}

    def placed(self, problem: Problem, tasks: Sequence[TaskPlan]) -> Problem:
        """A problem that was found later, in these tasks, at its place in the declaration."""
        if problem.file is not None:
            return problem
        numbers = {name: number for number, name in self.tasks.items()}
        return _told(problem, [numbers.get(task.name, 0) for task in tasks], self.declared)


def parse_draft(content: Mapping[str, object]) -> ParsedDraft:
    """Read the valid part of a declaration; never raises for invalid content."""
    declared = Declaration(dump(content).encode(), file=FILE)
    valid: Content = dict(content)
    tasks = valid.get("tasks")
    numbers = list(range(1, len(tasks) + 1)) if isinstance(tasks, list) else []
    problems: dict[tuple[str | None, str], Problem] = {}
    # Each round removes at least one problem, so that it ends.
    while True:
        try:
            plan = Declaration(dump(valid).encode(), file=FILE).read(CampaignPlan)
        except InputError as error:
            for problem in error.problems:
                told = _told(problem, numbers, declared)
                # what an earlier round has removed is wrong, not missing
                if told.code == MISSING and any(told.field == field for field, _ in problems):
                    continue
                problems.setdefault((told.field, told.message), told)
            valid, numbers = _repaired(valid, numbers, error.problems)
            continue
        ordered = sorted(problems.values(), key=lambda problem: problem.line or 0)
        return ParsedDraft(
            plan=plan, numbers=tuple(numbers), problems=tuple(ordered), declared=declared
        )


def _told(problem: Problem, numbers: Sequence[int], declared: Declaration) -> Problem:
    """A problem at the field of the whole declaration that is wrong or missing, with its line."""
    field = _renumbered(_field(problem), numbers)
    found = declared.problem(problem.message, nested_values.resolve(declared.content, field))
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


def _repaired(
    valid: Content, numbers: Sequence[int], problems: Sequence[Problem]
) -> tuple[Content, list[int]]:
    """The declaration without what these problems are about, and the numbers of its tasks."""
    places = [nested_values.resolve(valid, _field(problem)) for problem in problems]
    units = [_unit(valid, place) for place in places]
    if () in units:  # the problem has no field that could be removed
        return dict(_PLACEHOLDERS), [0]
    for unit in units:
        valid = _replaced(valid, unit)
    lost = [n for n in range(len(numbers)) if ("tasks", n) in units]
    if ("tasks",) in units or (lost and len(lost) == len(numbers)):
        return {**valid, "tasks": [_TASK]}, [0]
    if not lost:
        return valid, list(numbers)
    kept = [n for n in range(len(numbers)) if n not in lost]
    return {**valid, "tasks": [valid["tasks"][n] for n in kept]}, [numbers[n] for n in kept]


def _unit(valid: Content, place: Path) -> Path:
    """The path to remove so that a problem at `place` goes: a task, or a named field."""
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
    there = nested_values.existing(valid, place)
    while there and not isinstance(there[-1], str):
        there = there[:-1]
    return there


def _replaced(valid: Content, unit: Path) -> Content:
    """The declaration with a placeholder at a path that is required, or without that path."""
    match unit:
        case ("name" | "test_set" as name,):
            return {**valid, name: _PLACEHOLDERS[name]}
        case ("tasks", int() as n, "name"):
            taken = [task.get("name") for task in valid["tasks"] if isinstance(task, Mapping)]
            free = (f"task-{k}" for k in count(n + 1))
            stand_in = next(one for one in free if one not in taken)
            return nested_values.put(valid, unit, stand_in)  # type: ignore[no-any-return]
        case ("tasks",) | ("tasks", int()):
            return valid
    return nested_values.without(valid, unit)  # type: ignore[no-any-return]


def readable(content: Content) -> Content:
    """The declaration as plain data that YAML can hold; raises `InputError` where it cannot."""
    try:
        plain: Content = msgspec.to_builtins(content)
        declared = Declaration(dump(plain).encode(), file=FILE)
    except (RecursionError, TypeError) as error:
        raise input_error(f"this cannot be written into a file: {error}") from error
    raise_problems(declared.problems)
    return plain


def in_order(content: Mapping[str, Any]) -> Content:
    """The fields in the order of the documentation."""
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
