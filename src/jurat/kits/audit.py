"""The audit of a campaign before it starts: how much work it is, and what would prevent its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from jurat.errors import InputError, Problem
from jurat.kits.eligibility import OwnSite, rules
from jurat.kits.findings import SEVERITIES, Finding, error, note
from jurat.kits.task_audit import Coverage, TaskAudit, TaskKits, references_shown_earlier
from jurat.model import Judge, System

__all__ = ["Audit", "Coverage", "Finding", "NotReady", "TaskKits", "audit"]


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """How much work a campaign is, and all findings, errors first."""

    tasks: tuple[Coverage, ...]
    findings: tuple[Finding, ...]

    @property
    def hours(self) -> float:
        """Hours of judging, of all judges together in all tasks."""
        return sum(each.hours for each in self.tasks)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that must be corrected before the start."""
        return tuple(each for each in self.findings if each.severity == "error")

    def raise_errors(self) -> None:
        """Raise `NotReady` if there are errors."""
        if self.errors:
            raise NotReady(self.errors)


class NotReady(InputError):
    """A campaign cannot start: its audit found errors."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__([Problem(message=str(one).removeprefix("error: ")) for one in findings])
        self.findings = findings


def audit(
    tasks: Sequence[TaskKits],
    judges: Sequence[Judge],
    *,
    systems: Sequence[System] = (),
    own_site: OwnSite = "include",
    joinable: bool = False,
    seconds: Mapping[str, float] | None = None,
    sitting: int | None = None,
) -> Audit:
    """Audit the tasks of a campaign, which are given in their order.

    `joinable`: more judges may come, so that too few are no error. `seconds`: how long an item
    takes, by task, where that is known better. `sitting`: items that a judge may do in one go.
    """
    given = seconds or {}
    coverage: list[Coverage] = []
    findings: list[Finding] = []
    for n, task in enumerate(tasks):
        held = rules(task.plan, task.protocol, systems, own_site=own_site)
        look = TaskAudit(
            task=task,
            judges=judges,
            rules=held,
            joinable=joinable,
            seconds=given.get(task.plan.name),
            sitting=sitting,
        )
        coverage += look.coverage()
        found = [*look.findings(), *references_shown_earlier(task, tasks[:n])]
        findings += [msgspec.structs.replace(each, task=task.plan.name) for each in found]
    findings += _overall(tasks, coverage)
    # stable: within a severity, findings stay in the order of the tasks
    ordered = sorted(findings, key=lambda each: SEVERITIES.index(each.severity))
    return Audit(tasks=tuple(coverage), findings=tuple(ordered))


def _overall(tasks: Sequence[TaskKits], coverage: Sequence[Coverage]) -> Iterator[Finding]:
    if not tasks:
        yield error("the campaign has no task", "no-task")
    for name, count in Counter(task.plan.name for task in tasks).items():
        if count > 1:
            yield error(f"{count} tasks are called '{name}'", "same-name", count=count, name=name)
    hours = sum(each.hours for each in coverage)
    if hours:
        told = f"about {hours:.1f} hours of judging in all"
        yield note(told, "hours", count=round(hours, 1))
