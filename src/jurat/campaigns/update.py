"""Changes to the parameters of a campaign that exists: which are refused, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from jurat.campaigns import nested_values
from jurat.campaigns.config import CampaignPlan
from jurat.campaigns.create import CampaignDefinition
from jurat.campaigns.draft_parser import FILE, in_order, readable
from jurat.errors import InputError, Problem
from jurat.kits.task_plan import TaskPlan
from jurat.model import Judge, Kit
from jurat.store import PhaseTally
from jurat.yamlfile import Declaration, dump

Reason = Literal["address", "kits", "given", "begun", "closed", "no-tutorial"]
WHY: Mapping[Reason, str] = {
    "address": "judges' links and slips contain it",
    "kits": "kits are made from it; copy the campaign to change it",
    "given": "kits were assigned to judges by it; copy the campaign to change it",
    "begun": "judges have begun; it must be the same for all of them",
    "closed": "the task is closed",
    "no-tutorial": "the campaign has no tutorial set",
}
FROM_THE_SET = ("seed", "test_set", "tutorial", "suggestions", "media", "human_references")
# Fields of a task that may change at any time.
OF_A_RUNNING_TASK = ("required", "revise")
WHO_IS_GIVEN_WHAT = ("judges", "policy")

# The old and the new value by field.
Changes = dict[str, tuple[object, object]]


class Lock(msgspec.Struct, frozen=True):
    """Why a field cannot be changed; the code is for pages that say it in other languages."""

    code: Reason

    def __str__(self) -> str:
        return WHY[self.code]


def affects_running_tasks(changes: Changes, phases: Sequence[PhaseTally]) -> bool:
    """Whether the changes concern who does what, while a phase is started."""
    running = any(phase.state == "started" for phase in phases)
    return running and any(field.startswith(("tasks", "own_site")) for field in changes)


def new_audit_errors(
    definition: CampaignDefinition,
    after: CampaignPlan,
    kits: Sequence[Kit],
    judges: Sequence[Judge],
) -> list[Problem]:
    """What would keep a running campaign from its end under a new plan, but did not before."""
    planned = msgspec.structs.replace(definition, plan=after)
    # A campaign that already has a problem may still be changed in other respects.
    known = {finding.message for finding in definition.audit(kits, judges).errors}
    errors = planned.audit(kits, judges).errors
    return [Problem(message=str(one)) for one in errors if one.message not in known]


def refusals(
    changes: Changes,
    after: CampaignPlan,
    locked: Mapping[str, Lock],
    phases: Sequence[PhaseTally],
) -> list[Problem]:
    """The problems with these changes: fields that are locked, or tasks that are over."""
    return [*_about_locks(changes, locked), *_out_of_order(changes, after, phases)]


def locked_fields(plan: CampaignPlan, phases: Sequence[PhaseTally]) -> dict[str, Lock]:
    """The fields that can no longer be changed, each with the reason."""
    return {field: Lock(code) for field, code in _locked(plan, phases)}


def changed_fields(before: CampaignPlan, after: CampaignPlan) -> Changes:
    """The fields in which two plans differ, with the old and the new value."""
    return dict(_differences(msgspec.to_builtins(before), msgspec.to_builtins(after)))


def _locked(plan: CampaignPlan, phases: Sequence[PhaseTally]) -> Iterator[tuple[str, Reason]]:
    places = {(one.task, one.phase): one for one in phases}
    begun = {one.task for one in phases if one.phase == "evaluation" and _is_begun(one)}
    yield "name", "address"
    yield from ((field, "kits") for field in FROM_THE_SET)
    if begun:
        yield "own_site", "begun"
    for n, task in enumerate(plan.tasks, 1):
        for field in TaskPlan.__struct_fields__:
            if field in WHO_IS_GIVEN_WHAT:
                yield f"tasks.{n}.{field}", "given"
            elif field not in OF_A_RUNNING_TASK:
                yield f"tasks.{n}.{field}", "kits"
        if (task.name, "tutorial") not in places:
            yield f"tasks.{n}.required.tutorial", "no-tutorial"
        elif task.name in begun:
            yield f"tasks.{n}.required.tutorial", "begun"
        if places[task.name, "evaluation"].state == "closed":
            yield f"tasks.{n}.required.evaluation", "closed"


def _is_begun(phase: PhaseTally) -> bool:
    return bool(phase.open or phase.done or phase.decisions)


def redeclared(declaration: object, parameters: Mapping[str, object]) -> dict[str, Any]:
    """The declaration with other values in fields by their names; None removes a field."""
    content: dict[str, Any] = dict(declaration) if isinstance(declaration, dict) else {}
    return in_order(readable(nested_values.with_values(content, parameters)))


def read_plan(content: Mapping[str, object]) -> CampaignPlan:
    """The plan of a declaration; raises `InputError` with fields but without lines of a file."""
    try:
        return Declaration(dump(content).encode(), file=FILE).read(CampaignPlan)
    except InputError as error:
        # lines would be those of a file that nobody has seen
        raise InputError(
            problem.changed(file=None, line=None) for problem in error.problems
        ) from None


def _differences(
    old: object, new: object, field: str = ""
) -> Iterator[tuple[str, tuple[object, object]]]:
    """The fields that differ; a list is one field, except for the tasks."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            inner = f"{field}.{name}" if field else name
            yield from _differences(old.get(name), new.get(name), inner)
    elif field == "tasks" and len(old) == len(new):  # type: ignore[arg-type]
        for n, (one, other) in enumerate(zip(old, new, strict=True), 1):  # type: ignore[call-overload]
            yield from _differences(one, other, f"tasks.{n}")
    elif old != new:
        yield field, (old, new)


def _about_locks(changes: Changes, locked: Mapping[str, Lock]) -> Iterator[Problem]:
    for field in changes:
        for name, lock in locked.items():
            inside = field == name or field.startswith(f"{name}.") or name.startswith(f"{field}.")
            if inside:
                message = f"this can no longer be changed: {lock}"
                yield Problem(message=message, field=field, code="locked")
                break


def _out_of_order(
    changes: Changes, after: CampaignPlan, phases: Sequence[PhaseTally]
) -> Iterator[Problem]:
    """Problems with more kits in a task whose successor has begun."""
    begun = {one.task for one in phases if _is_begun(one)}
    for n, task in enumerate(after.tasks, 1):
        field = f"tasks.{n}.required.evaluation"
        before, wanted = changes.get(field, (0, 0))
        later = [one.name for one in after.tasks[n:] if one.name in begun]
        if later and isinstance(wanted, int) and isinstance(before, int) and wanted > before:
            message = f"judges have begun '{later[0]}', which comes after '{task.name}'"
            message = f"{message}; they cannot be sent back"
            yield Problem(message=message, field=field, code="too-late")
