"""From a declaration to a campaign: sets read, protocols found, kits built, all checked first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from jurat import protocols
from jurat.campaigns.config import CampaignPlan, Fetch, PlanFile, Sources, set_files
from jurat.errors import InputError, Problem, raise_problems
from jurat.kits.audit import TaskKits, audit
from jurat.kits.build import build
from jurat.kits.findings import Audit
from jurat.kits.plan import TaskPlan, keeps_apart
from jurat.kits.policies import POLICIES
from jurat.model import Judge, Kit, Phase, TestSet
from jurat.protocols import Protocol
from jurat.store import NewCampaign, NewPhase
from jurat.testsets import read_test_set
from jurat.testsets.selection import as_human_system


class CampaignDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign as planned, with all that its kits are made from."""

    plan: CampaignPlan
    protocols: Mapping[str, Protocol]
    """The protocol of each task, by task."""
    test_set: TestSet
    tutorial: TestSet | None = None

    def build(self) -> list[Kit]:
        """All kits, from the seed; an `InputError` lists all tasks for which none can be built."""
        kits, problems = self.try_to_build()
        raise_problems(problems)
        return kits

    def try_to_build(self) -> tuple[list[Kit], list[Problem]]:
        """The kits of every task for which they can be built, and what is wrong with the others."""
        kits: list[Kit] = []
        problems: list[Problem] = []
        for n, task in enumerate(self.plan.tasks, 1):
            try:
                kits += self._of_task(task)
            except InputError as error:
                problems += _inside(error, f"tasks.{n}", f"task {task.name}: ")
        return kits, problems

    def audit(
        self,
        kits: Iterable[Kit],
        judges: Sequence[Judge],
        *,
        seconds: Mapping[str, float] | None = None,
        joinable: bool | None = None,
    ) -> Audit:
        """What the campaign amounts to with these judges, and what would keep it from its end.

        `joinable`: whether more judges may come; else as it is declared.
        """
        return audit(
            self._tasks(kits),
            judges,
            systems=self.test_set.systems,
            own_site=self.plan.own_site,
            joinable=bool(self.plan.registration) if joinable is None else joinable,
            seconds=seconds,
            sitting=self.plan.sitting.items,
        )

    def new_campaign(self, kits: Sequence[Kit], declaration: object) -> NewCampaign:
        """What the store keeps of it."""
        return NewCampaign(
            name=self.plan.name,
            title=self.plan.title,
            declaration=declaration,
            protocols={name: protocol.plain() for name, protocol in self.protocols.items()},
            test_set=self.test_set,
            tutorial=self.tutorial,
            seed=self.plan.seed,
            phases=tuple(map(self._phase, dict.fromkeys((kit.task, kit.phase) for kit in kits))),
            kits=kits,
        )

    def _of_task(self, task: TaskPlan) -> list[Kit]:
        lessons = self._built(self.tutorial, task, "tutorial") if self.tutorial else ()
        return [*lessons, *self._built(self.test_set, task, "evaluation")]

    def _built(self, test_set: TestSet, task: TaskPlan, phase: Phase) -> tuple[Kit, ...]:
        return build(test_set, self.protocols[task.name], task, phase=phase, seed=self.plan.seed)

    def _tasks(self, kits: Iterable[Kit]) -> list[TaskKits]:
        """Kits as the audit looks at them: by task and phase."""
        sorted_out: defaultdict[tuple[str, Phase], list[Kit]] = defaultdict(list)
        for kit in kits:
            sorted_out[kit.task, kit.phase].append(kit)
        return [
            TaskKits(
                plan=task,
                protocol=self.protocols[task.name],
                kits=sorted_out[task.name, "evaluation"],
                tutorial=sorted_out[task.name, "tutorial"],
            )
            for task in self.plan.tasks
        ]

    def _phase(self, place: tuple[str, Phase]) -> NewPhase:
        task, phase = place
        protocol, plan = self.protocols[task], self.plan.task(task)
        return NewPhase(
            task=task,
            phase=phase,
            wanted=plan.wanted if phase == "evaluation" else None,
            stages=len(protocol.stages),
            advance=protocol.advance,
            apart=keeps_apart(protocol, plan),
        )


def new_campaign(declared: PlanFile, fetch: Fetch) -> NewCampaign:
    """All that a plan names, read and built; what is wrong with any of it is listed at once."""
    try:
        definition = _read(declared.plan, fetch)
        return definition.new_campaign(definition.build(), declared.declaration.content)
    except InputError as error:
        raise InputError(map(declared.placed, error.problems)) from None


# Gives the test set of the files that a declaration names.
ReadSet = Callable[[Sources], TestSet]


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan names, as far as it can be had, and what is wrong with the rest."""

    protocols: Mapping[str, Protocol]
    """By task."""
    sets: Mapping[str, TestSet]
    """`test_set` and `tutorial`."""
    problems: Sequence[Problem]


def _read(plan: CampaignPlan, fetch: Fetch) -> CampaignDefinition:
    found = gather(plan, fetch, lambda sources: read_test_set(set_files(sources, fetch)))
    raise_problems(found.problems)
    return CampaignDefinition(
        plan=plan,
        protocols=found.protocols,
        test_set=found.sets["test_set"],
        tutorial=found.sets.get("tutorial"),
    )


def gather(plan: CampaignPlan, fetch: Fetch, read_set: ReadSet) -> Gathered:
    """Read all that a plan names; no fault keeps the rest from being looked at."""
    problems: list[Problem] = []
    found: dict[str, Protocol] = {}
    for n, task in enumerate(plan.tasks, 1):
        with _noted(problems, f"tasks.{n}.protocol"):
            found[task.name] = _protocol(task.protocol, fetch)
        with _noted(problems, f"tasks.{n}.policy"):
            POLICIES[task.policy]
    sets: dict[str, TestSet] = {}
    for name, sources in (("test_set", plan.test_set), ("tutorial", plan.tutorial)):
        with _noted(problems, name):
            if sources is not None:
                sets[name] = read_set(sources)
    for n, reference in enumerate(plan.human_references, 1):
        for name, test_set in sets.items():
            # a tutorial may do without a reference that the test set has
            if name == "test_set" or reference in test_set.references:
                with _noted(problems, f"human_references.{n}"):
                    sets[name] = as_human_system(test_set, reference)
    return Gathered(protocols=found, sets=sets, problems=problems)


@contextmanager
def _noted(problems: list[Problem], field: str) -> Iterator[None]:
    """Note what goes wrong, at a field of the declaration, and go on with the next."""
    try:
        yield
    except InputError as error:
        problems += _inside(error, field)


def _inside(error: InputError, field: str, prefix: str = "") -> list[Problem]:
    """Faults of one part of the declaration; those of another file have their place already."""
    return [
        problem
        if problem.file is not None
        else problem.changed(
            message=f"{prefix}{problem.message}",
            field=".".join(part for part in (field, problem.field) if part),
        )
        for problem in error.problems
    ]


def _protocol(name: str, fetch: Fetch) -> Protocol:
    """A shipped protocol, or one from a file beside the declaration."""
    if not name.endswith((".yaml", ".yml", ".json")):
        return protocols.load(name)
    file = fetch(name)
    return protocols.read(file.data, file=file.name)
