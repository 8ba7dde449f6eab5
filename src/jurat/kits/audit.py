"""The audit of a campaign before it starts: its work, and what would prevent its completion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from jurat.condition_language import check_names, parse
from jurat.errors import InputError
from jurat.kits import capacity, connectivity, expected_time
from jurat.kits.audit_findings import (
    SEVERITIES,
    Audit,
    CodedMessage,
    Coverage,
    Finding,
    Severity,
    counted,
    error,
    kit_names,
    note,
    number_range,
    warning,
)
from jurat.kits.eligibility import (
    KitId,
    KitSummary,
    OwnSite,
    Rules,
    admits,
    rules,
    summarize_kit,
    traits,
    unaided,
)
from jurat.kits.policies import POLICIES
from jurat.kits.task_plan import TaskPlan
from jurat.model import Judge, Kit, Phase, System
from jurat.protocols import Protocol

# The longest kit that can be done in one sitting.
SITTING_MINUTES = 60
# With fewer judges, their severity cannot be separated from the systems' quality.
FEW_JUDGES = 3
# By how much the counts of two systems may differ, relative to the mean.
UNEVEN = 0.1


class TaskKits(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A task's plan and protocol, and the kits built for it."""

    plan: TaskPlan
    protocol: Protocol
    kits: Sequence[Kit]
    tutorial: Sequence[Kit] = ()

    @cached_property
    def summaries(self) -> list[KitSummary]:
        """The summaries of the evaluation's kits."""
        return [summarize_kit(kit) for kit in self.kits]


class TaskAudit(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The audit of one task, for these judges and rules."""

    task: TaskKits
    judges: Sequence[Judge]
    rules: Rules
    joinable: bool
    seconds: float | None
    """Seconds per item, if known; else they are estimated from the protocol."""
    sitting: int | None
    """The limit of items in one sitting, if there is one."""

    @cached_property
    def admitted(self) -> list[Judge]:
        """The judges who may do the task and for whose group it has kits."""
        groups = {kit.group for kit in self.task.kits}
        return [
            judge
            for judge in self.judges
            if admits(self.rules, judge) and groups & {"", judge.group}
        ]

    @cached_property
    def needed(self) -> dict[str, int]:
        """The smallest number of judges of each group."""
        wanted = self.task.plan.wanted
        return capacity.judges_needed(self.task.summaries, self.rules, wanted=wanted)

    def coverage(self) -> Iterator[Coverage]:
        """The coverage of the tutorial, if there is one, and of the evaluation."""
        plan = self.task.plan
        if self.task.tutorial or plan.required.tutorial:
            yield self._coverage("tutorial", self.task.tutorial, plan.required.tutorial)
        yield self._coverage("evaluation", self.task.kits, plan.required.evaluation)

    def _coverage(self, phase: Phase, kits: Sequence[Kit], required: int) -> Coverage:
        """The coverage of a phase: every judge does the tutorial, other kits are done as wanted."""
        total = sum(len(kit.items) for kit in kits)
        items = sum(not item.control for kit in kits for item in kit.items)
        times = expected_time.kit_seconds(self.task.protocol, kits, self.seconds)
        # which kits a judge will get is not known yet: kits of average length are assumed
        each = required * sum(times) / max(len(kits), 1) / 3600
        size = required * total / max(len(kits), 1)
        tutorial = phase == "tutorial"
        wanted = 1 if tutorial else self.task.plan.wanted
        everybody = len(self.admitted)
        return Coverage(
            task=self.task.plan.name,
            phase=phase,
            kits=len(kits),
            blocks=len({kit.block for kit in kits}),
            items=items,
            extra=total - items,
            wanted=wanted,
            judgments=round(everybody * size) if tutorial else total * wanted,
            required=required,
            judges=everybody,
            judges_needed=sum(self.needed.values()),
            hours=everybody * each if tutorial else wanted * sum(times) / 3600,
            hours_each=each,
        )

    def findings(self) -> Iterator[Finding]:
        """The findings about this task, without regard to the campaign's other tasks."""
        yield from self._names()
        yield from self._tutorial()
        if not self.task.kits:
            yield error("there are no kits", "no-kits")
            return
        yield from self._capacity()
        yield from self._references()
        yield from self._sizes()
        yield from self._balance()
        yield from self._empty()
        yield from self._identical()

    def _names(self) -> Iterator[Finding]:
        plan = self.task.plan
        try:
            _ = POLICIES[plan.policy]
            # without judges there are no tags, and every name would be reported as unknown
            if plan.judges.strip() and self.judges:
                known = {name for judge in self.judges for name in traits(judge)}
                check_names(parse(plan.judges), dict.fromkeys(sorted(known)), word="tag of judges")
        except InputError as wrong:
            yield from (error(str(problem)) for problem in wrong.problems)

    def _tutorial(self) -> Iterator[Finding]:
        required = self.task.plan.required.tutorial
        summaries = [summarize_kit(kit) for kit in self.task.tutorial]
        if required and not summaries:
            told = f"{counted(required, 'tutorial kit')} must be done, but there are none"
            yield error(told, "no-tutorial", count=required)
            return
        for judge in self.admitted:
            most = capacity.max_kits(summaries, judge, self.rules)
            # the first such judge is enough: the others usually fail for the same reason
            if most < required:
                yield error(
                    f"{counted(required, 'tutorial kit')} must be done before the evaluation, but"
                    f" {judge.id} can get {most}: the others are not for them or hold the same"
                    " segments",
                    "few-tutorials",
                    count=required,
                    judge=judge.id,
                    most=most,
                )
                return

    def _empty(self) -> Iterator[Finding]:
        """Systems without output for some segments: that is judged, and may be a mistake."""
        empty = {
            (system, item.document, item.segment)
            for kit in self.task.kits
            for item in kit.items
            for shown in item.translations
            if not shown.text
            for system in shown.systems
        }
        for system, count in sorted(Counter(system for system, *_ in empty).items()):
            told = f"{counted(count, 'translation')} of '{system}' without text, shown as “(empty)”"
            yield warning(told, "empty-texts", count=count, system=system)

    def _identical(self) -> Iterator[Finding]:
        """How many translations need no judgment of their own."""
        credited = {
            (kit.group, item.document, item.segment, system)
            for kit in self.task.kits
            for item in kit.items
            if not item.control
            for shown in item.translations
            for system in shown.also
        }
        if credited:
            translations = counted(len(credited), "translation")
            told = f"{translations} judged with another system's, whose output is the same"
            yield note(told, "identical", count=len(credited))

    def _capacity(self) -> Iterator[Finding]:
        plan, summaries = self.task.plan, self.task.summaries
        # an exact answer first; only if the task can be finished, the likely course of judging
        short = capacity.shortages(summaries, self.judges, self.rules, wanted=plan.wanted)
        if short:
            yield from self._cannot(short)
            return
        assigned = capacity.assign_in_turns(summaries, self.judges, self.rules, wanted=plan.wanted)
        if left := capacity.unassigned(summaries, assigned, wanted=plan.wanted):
            yield warning(
                f"if judges simply take turns, {left} of {plan.wanted * len(summaries)} kits find"
                " no judge in the end, though a better order exists: have more judges",
                "turns",
                count=left,
                total=plan.wanted * len(summaries),
            )
        yield from self._effort(assigned)
        yield from self._connected(assigned)

    def _cannot(self, short: Sequence[capacity.KitShortage]) -> Iterator[Finding]:
        least = sum(self.needed.values())
        needs, needed = self._needs(least)
        if not self.judges and self.joinable:
            yield note(needs, needed.code, **needed.values)
            return
        severity: Severity = "warning" if self.joinable else "error"
        missing = sum(each.missing for each in short)
        total = self.task.plan.wanted * len(self.task.kits)
        few = len(self.admitted) < least
        # one example is enough: blocks usually lack judges for the same reason
        worst = max(short, key=lambda each: each.missing)
        # each sentence with its code, so that message and translated message say the same
        told = {
            f"{missing} of {total} kits would find no judge": CodedMessage(
                "undealt", {"count": missing, "total": total}
            ),
        }
        if not self.judges:
            told = {"there are no judges": CodedMessage("no-judges", {})}
        elif not few or worst.group or worst.wanted == least or self.judges != self.admitted:
            # two numbers of judges that are needed would only confuse
            told = {_too_few(worst): _in_short(worst), **told}
        if few:
            told[needs] = needed
        yield Finding(
            severity=severity,
            message=f"it cannot be finished: {'; '.join(told)}",
            said=(CodedMessage("unfinished", {}), *told.values()),
        )

    def _needs(self, least: int) -> tuple[str, CodedMessage]:
        """How many judges the task needs at least, and why."""
        summaries, wanted = self.task.summaries, self.task.plan.wanted
        exclusive = self.rules.apart and len({kit.block for kit in summaries}) < len(summaries)
        why = "gets one translation of each segment only" if exclusive else "does a kit only once"
        message = f"have at least {counted(least, 'judge')}: each {why}"
        values = {"count": least, "wanted": wanted}
        return f"{message} (judgments per item: {wanted})", CodedMessage(
            "have" if exclusive else "have-once", values
        )

    def _effort(self, assigned: Mapping[str, Sequence[KitSummary]]) -> Iterator[Finding]:
        plan, total = self.task.plan, self.task.plan.wanted * len(self.task.kits)
        most = [
            capacity.max_kits(self.task.summaries, judge, self.rules) for judge in self.admitted
        ]
        pledged = sum(min(plan.required.evaluation, each) for each in most)
        # judges may stop after the required kits
        if pledged < total:
            yield warning(
                f"the kits that must be done make {pledged} of the {total} wanted: judges have to"
                f" go on after theirs, up to {max(map(len, assigned.values()))} kits each",
                "go-on",
                count=max(map(len, assigned.values())),
                pledged=pledged,
                total=total,
            )
        if most and plan.required.evaluation > min(most):
            yield warning(
                f"{plan.required.evaluation} kits must be done, but a judge can get only"
                f" {min(most)}: they will have done what there is",
                "few-kits",
                count=plan.required.evaluation,
                most=min(most),
            )
        idle = sum(not assigned.get(judge.id) for judge in self.admitted)
        if idle:
            yield warning(
                f"{counted(idle, 'judge')} would get nothing to do, because there are not enough"
                f" kits ({total}); make smaller kits, or want more judgments of each item",
                "idle-judges",
                count=idle,
                total=total,
            )
        if len(self.admitted) < FEW_JUDGES:
            yield warning(
                f"{counted(len(self.admitted), 'judge')}: their severity can hardly be told from"
                " the systems' quality; have more",
                "few-judges",
                count=len(self.admitted),
            )

    def _connected(self, assigned: Mapping[str, Sequence[KitSummary]]) -> Iterator[Finding]:
        by_system = connectivity.components_by_system(assigned)
        if len(by_system) > 1:
            sizes = ", ".join(str(len(part)) for part in by_system)
            yield warning(
                f"judges fall into parts of {sizes} that have no system in common: scores of"
                " systems in different parts cannot be compared; mix more systems in a kit",
                "apart-by-system",
                sizes=sizes,
            )
            return
        kits: dict[KitId, Kit] = {kit.number: kit for kit in self.task.kits}
        by_translation = connectivity.components_by_translation(assigned, kits)
        if self.task.plan.wanted == 1:
            told = "every item is judged once: judges' agreement will not be known"
            yield note(told, "judged-once")
        elif len(by_translation) > 1:
            yield warning(
                f"judges fall into {len(by_translation)} parts that judge no translation in common:"
                " their severity cannot be compared directly; make smaller kits, so that they meet",
                "apart-by-item",
                count=len(by_translation),
            )

    def _references(self) -> Iterator[Finding]:
        items = [item for kit in self.task.kits for item in kit.items]
        names = {name for item in items for name in item.references}
        if len(names) == 1 and not any(item.source is not None for item in items):
            only = names.pop()
            yield warning(
                f"all judges see the one reference '{only}': translations that happen to be"
                " worded like it are favoured; show the source to bilingual judges, or several"
                " references, or a different one to each group",
                "one-reference",
                reference=only,
            )

    def _sizes(self) -> Iterator[Finding]:
        longest = (
            max(expected_time.kit_seconds(self.task.protocol, self.task.kits, self.seconds)) / 60
        )
        size = max(len(kit.items) for kit in self.task.kits)
        if self.sitting is not None and size > self.sitting:
            told = f"a kit has {size} items; judges may do {self.sitting} in a sitting"
            yield warning(told, "long-for-sitting", count=size, most=self.sitting)
        elif longest > SITTING_MINUTES:
            yield warning(
                f"a kit takes about {longest:.0f} minutes, which is more than a sitting"
                f" ({SITTING_MINUTES}): make kits smaller",
                "long-kit",
                count=round(longest),
                most=SITTING_MINUTES,
            )

    def _balance(self) -> Iterator[Finding]:
        shown = Counter(
            system
            for kit in self.task.kits
            for item in kit.items
            # controls are chosen by tags and by chance, so the design does not balance them
            if not item.control
            for each in item.translations
            for system in each.systems
        )
        mean = sum(shown.values()) / max(len(shown), 1)
        (most, many), (least, few) = shown.most_common()[0], shown.most_common()[-1]
        # a difference of one cannot be avoided if the numbers do not divide evenly
        if many - few > max(UNEVEN * mean, 1):
            told = f"'{most}' is shown {many} times, '{least}' only {few} times"
            yield warning(told, "uneven", most=most, many=many, least=least, few=few)


def _too_few(worst: capacity.KitShortage) -> str:
    """A sentence about kits that need more judges than may get them."""
    able = worst.judges or "none"
    of_group = f" of the group '{worst.group}'" if worst.group else ""
    if len(worst.kits) == 1:
        who = "a judge" if worst.wanted == 1 else f"{worst.wanted} different judges"
        return f"{kit_names(worst.kits)} needs {who}{of_group}, and {able} may do it"
    return (
        f"{kit_names(worst.kits)} need {worst.wanted} different judges{of_group}, since none of"
        f" them may do two of these kits, and {able} may do them"
    )


def _in_short(worst: capacity.KitShortage) -> CodedMessage:
    """What `_too_few` says, as a code with values."""
    code = "few-of-group" if worst.group else "too-few"
    told = {"count": worst.wanted, "able": worst.judges}
    return CodedMessage(code, {"kits": number_range(worst.kits), "group": worst.group, **told})


def references_shown_earlier(task: TaskKits, earlier: Sequence[TaskKits]) -> Iterator[Finding]:
    """A warning if a task without references follows one that shows them."""
    if not unaided(task.protocol):
        return
    documents = {document for each in task.summaries for document in each.documents}
    for other in earlier:
        if any(c.references and not documents.isdisjoint(c.documents) for c in other.summaries):
            yield warning(
                f"translations are to be read without help, but '{other.plan.name}' before it shows"
                " their references: judges get no kit of documents they know; put it first",
                "spoiled",
                other=other.plan.name,
            )


def audit(
    tasks: Sequence[TaskKits],
    judges: Sequence[Judge],
    *,
    systems: Sequence[System] = (),
    own_site: OwnSite = "include",
    joinable: bool = False,
    seconds: Mapping[str, float] | None = None,
    sitting: int | None = None,
    guests: bool = False,
) -> Audit:
    """The audit of a campaign.

    Args:
        tasks: the tasks with their kits, in order.
        judges: the judges' accounts.
        systems: the systems, with their sites.
        own_site: whether judges get systems of their own site.
        joinable: more judges may join, so that too few judges are only a warning.
        seconds: the seconds per item by task, if known; else they are estimated.
        sitting: the limit of items in one sitting, if there is one.
        guests: whether guests may try the tutorial.
    """
    given = seconds or {}
    coverage: list[Coverage] = []
    findings: list[Finding] = []
    for n, task in enumerate(tasks):
        task_rules = rules(task.plan, task.protocol, systems, own_site=own_site)
        one = TaskAudit(
            task=task,
            judges=judges,
            rules=task_rules,
            joinable=joinable,
            seconds=given.get(task.plan.name),
            sitting=sitting,
        )
        coverage += one.coverage()
        found = [*one.findings(), *references_shown_earlier(task, tasks[:n])]
        findings += [msgspec.structs.replace(each, task=task.plan.name) for each in found]
    findings += _overall(tasks, coverage)
    if guests and not any(task.tutorial for task in tasks):
        told = "guests may try the tutorial, but there is none: they are not let in"
        findings.append(warning(told, "no-guest-tutorial"))
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
