"""Parameters that change while a campaign runs, and what no longer can be changed, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from jurat.campaigns import field_paths
from jurat.campaigns.config import CampaignPlan, revived_plan
from jurat.campaigns.context import Running
from jurat.campaigns.draft_parser import FILE, in_order, readable
from jurat.errors import InputError, Problem, raise_problems
from jurat.kits.plan import TaskPlan
from jurat.model import Judge
from jurat.store import PhaseTally
from jurat.yamlfile import Declaration, dump

Reason = Literal["address", "kits", "given", "begun", "closed", "no-tutorial"]
WHY: Mapping[Reason, str] = {
    "address": "judges' links and slips carry it",
    "kits": "kits are made from it; copy the campaign to change it",
    "given": "kits were given to judges by it; copy the campaign to change it",
    "begun": "judges have begun; it holds for all of them alike",
    "closed": "the task is closed",
    "no-tutorial": "the campaign has no tutorial set",
}
FROM_THE_SET = ("seed", "test_set", "tutorial", "human_references")
# What of a task may still change.
OF_A_RUNNING_TASK = ("required", "revise")
WHO_IS_GIVEN_WHAT = ("judges", "policy")

# What is otherwise, by field: before and after.
Changed = dict[str, tuple[object, object]]


class Lock(msgspec.Struct, frozen=True):
    """Why something cannot be changed: a word for pages that say it in other languages."""

    code: Reason

    def __str__(self) -> str:
        return WHY[self.code]


class Changing(Running):
    """What coordinators change about a campaign that is there."""

    def locked(self, campaign: str) -> dict[str, Lock]:
        """The fields that can no longer be changed, such as `test_set` or `tasks.1.wanted`."""
        plan, progress = self.plan(campaign), self.store.progress(campaign)
        return {field: Lock(code) for field, code in _locked(plan, progress.phases)}

    def change(
        self, campaign: str, parameters: Mapping[str, object], *, author: str
    ) -> CampaignPlan:
        """Change parameters by their names, such as `guest` or `tasks.1.required.evaluation`.

        None takes one out, so that it is as if nothing were said. What is locked must stay as it
        is. All processes see the change within two seconds.
        """
        stored = self.store.campaign(campaign)
        before = revived_plan(stored.declaration)
        content = _declared(stored.declaration, parameters)
        after = _read(content)
        changed = dict(_differences(msgspec.to_builtins(before), msgspec.to_builtins(after)))
        if not changed:
            return before
        self._refuse(campaign, changed, after)
        self.store.redeclare(
            campaign,
            content,
            title=after.title,
            after=stored.edition,
            author=author,
            now=self._clock(),
            details=changed,
        )
        self.plan(campaign)  # at hand, if it was not
        self._look(campaign)
        return self.plan(campaign)

    def _refuse(self, campaign: str, changed: Changed, after: CampaignPlan) -> None:
        """Refuse what is locked, and what would break what is running."""
        locked, progress = self.locked(campaign), self.store.progress(campaign)
        problems = [*_about_locks(changed, locked), *_out_of_order(changed, after, progress.phases)]
        raise_problems(problems)
        running = any(phase.state == "started" for phase in progress.phases)
        if running and any(field.startswith(("tasks", "own_site")) for field in changed):
            self._refuse_unfinishable(campaign, after)

    def _refuse_unfinishable(self, campaign: str, after: CampaignPlan) -> None:
        """What cannot end is not started, nor made of what has been."""
        blueprint = self._blueprint(campaign)
        kits = list(self.store.kits(campaign))
        judges = self._judges(campaign)
        planned = msgspec.structs.replace(blueprint, plan=after)
        known = {finding.message for finding in blueprint.audit(kits, judges).errors}
        errors = planned.audit(kits, judges).errors
        raise_problems([Problem(message=str(one)) for one in errors if one.message not in known])

    def _judges(self, campaign: str) -> list[Judge]:
        """Those who can be given kits."""
        accounts = self.store.judges(campaign)
        return [
            one.judge
            for one in accounts
            if one.role == "judge" and not one.disabled and not one.pending
        ]


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


def _declared(declaration: object, parameters: Mapping[str, object]) -> dict[str, Any]:
    content: dict[str, Any] = dict(declaration) if isinstance(declaration, dict) else {}
    for field, value in parameters.items():
        path = field_paths.resolve(content, field)
        gone = value is None
        content = (
            field_paths.without(content, path) if gone else field_paths.put(content, path, value)
        )
    return in_order(readable(content))


def _read(content: Mapping[str, object]) -> CampaignPlan:
    try:
        return Declaration(dump(content).encode(), file=FILE).read(CampaignPlan)
    except InputError as error:
        # nobody has a file at hand
        raise InputError(
            problem.changed(file=None, line=None) for problem in error.problems
        ) from None


def _differences(
    old: object, new: object, field: str = ""
) -> Iterator[tuple[str, tuple[object, object]]]:
    """What is otherwise, field by field; lists other than that of the tasks are one field."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            inner = f"{field}.{name}" if field else name
            yield from _differences(old.get(name), new.get(name), inner)
    elif field == "tasks" and len(old) == len(new):  # type: ignore[arg-type]
        for n, (one, other) in enumerate(zip(old, new, strict=True), 1):  # type: ignore[call-overload]
            yield from _differences(one, other, f"tasks.{n}")
    elif old != new:
        yield field, (old, new)


def _about_locks(changed: Changed, locked: Mapping[str, Lock]) -> Iterator[Problem]:
    for field in changed:
        for name, lock in locked.items():
            inside = field == name or field.startswith(f"{name}.") or name.startswith(f"{field}.")
            if inside:
                message = f"this cannot be changed any more: {lock}"
                yield Problem(message=message, field=field, code="locked")
                break


def _out_of_order(
    changed: Changed, after: CampaignPlan, phases: Sequence[PhaseTally]
) -> Iterator[Problem]:
    """Complaints about more to be done in a task after which another has begun."""
    begun = {one.task for one in phases if _is_begun(one)}
    for n, task in enumerate(after.tasks, 1):
        field = f"tasks.{n}.required.evaluation"
        before, wanted = changed.get(field, (0, 0))
        later = [one.name for one in after.tasks[n:] if one.name in begun]
        if later and isinstance(wanted, int) and isinstance(before, int) and wanted > before:
            message = f"judges have begun '{later[0]}', which comes after '{task.name}'"
            message = f"{message}; they cannot be sent back"
            yield Problem(message=message, field=field, code="too-late")
