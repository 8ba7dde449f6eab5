"""Looking a campaign over before it starts: what it costs, and what would keep it from its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from jurat.faults import Fault, FaultyInput
from jurat.kits.eligibility import OwnSite, rules
from jurat.kits.examining import Coverage, Examination, TaskKits, spoiled
from jurat.kits.findings import SEVERITIES, Finding, error, note
from jurat.model import Judge, System

__all__ = ["Audit", "Coverage", "Finding", "NotReady", "TaskKits", "audit"]


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What a campaign amounts to, and what is to be said about it."""

    tasks: tuple[Coverage, ...]
    findings: tuple[Finding, ...]

    @property
    def hours(self) -> float:
        """Of all judges together, in all tasks."""
        return sum(each.hours for each in self.tasks)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What must be mended before the start."""
        return tuple(each for each in self.findings if each.severity == "error")

    def refuse(self) -> None:
        """Raise what must be mended, if anything must."""
        if self.errors:
            raise NotReady(self.errors)


class NotReady(FaultyInput):
    """A campaign cannot start: something must be mended first."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__([Fault(message=str(one).removeprefix("error: ")) for one in findings])
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
    """Look over the tasks of a campaign in their order.

    `joinable`: more judges may come, so that too few are no error. `seconds`: how long an item
    takes, by task, where that is known better. `sitting`: items that a judge may do in one go.
    """
    given = seconds or {}
    coverage: list[Coverage] = []
    findings: list[Finding] = []
    for n, task in enumerate(tasks):
        held = rules(task.plan, task.protocol, systems, own_site=own_site)
        look = Examination(
            task=task,
            judges=judges,
            rules=held,
            joinable=joinable,
            seconds=given.get(task.plan.name),
            sitting=sitting,
        )
        coverage += look.coverage()
        found = [*look.findings(), *spoiled(task, tasks[:n])]
        findings += [msgspec.structs.replace(each, task=task.plan.name) for each in found]
    findings += _overall(tasks, coverage)
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
