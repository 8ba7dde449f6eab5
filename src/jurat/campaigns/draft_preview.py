"""What a campaign in preparation amounts to so far: sets read, kits built, everything checked.

The checks are those with which a campaign is made, but nothing keeps the rest from being looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import msgspec

from jurat.campaigns.config import CampaignPlan, Fetch, Sources
from jurat.campaigns.config_files import roles_in
from jurat.campaigns.create import CampaignDefinition, Gathered, ReadSet, gather
from jurat.campaigns.draft_parser import FILE, NO_SOURCES, Sketch, sketch
from jurat.campaigns.screens import Screen, kit_screens
from jurat.campaigns.testset_summary import Summary, summary
from jurat.errors import InputError, Problem, unknown_name
from jurat.kits.findings import Audit
from jurat.model import Judge, Kit, Phase, TestSet
from jurat.protocols import Protocol

# Of the preparation: what is judged, what is asked, and under which rules.
Step = Literal["set", "tasks", "rules"]
OF_THE_SET = ("test_set", "tutorial", "human_references")


class DraftPreview(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign in preparation, as far as it is sound."""

    plan: CampaignPlan
    """Where something is missing or wrong it has a stand-in, or what holds when nothing is said."""
    problems: tuple[Problem, ...]
    """All that is wrong or missing: with its field, or with its place in an uploaded file."""
    tasks: Mapping[int, str]
    """The names of the sound tasks by their numbers in the declaration, from 1."""
    protocols: Mapping[str, Protocol]
    """By task, as far as they can be read."""
    test_set: TestSet | None
    tutorial: TestSet | None
    definition: CampaignDefinition | None
    """Of the tasks for which kits can be built; None where there is none."""
    kits: Sequence[Kit]
    files: frozenset[str]
    """Of the sets; other files are protocols."""

    @property
    def summaries(self) -> dict[str, Summary]:
        """What is in `test_set` and `tutorial`, where these can be read."""
        sets = {"test_set": self.test_set, "tutorial": self.tutorial}
        return {name: summary(found) for name, found in sets.items() if found is not None}

    def faults_of(self, step: Step) -> list[Problem]:
        """What is wrong in one of the three steps."""
        return [problem for problem in self.problems if self._step(problem) == step]

    def audit(self, judges: Sequence[Judge] = ()) -> Audit | None:
        """Coverage, hours and findings for these judges; None while there are no kits.

        While there are no judges, that there are too few is no error.
        """
        if self.definition is None:
            return None
        joinable = bool(self.plan.registration) or not judges
        return self.definition.audit(self.kits, judges, joinable=joinable)

    def screens(self, task: int, *, phase: Phase = "evaluation", most: int = 3) -> list[Screen]:
        """The first steps of a task's first kit as a judge will see them; none without kits."""
        if task not in self.tasks:
            raise unknown_name("task", task, map(str, self.tasks))
        name = self.tasks[task]
        kit = next((k for k in self.kits if (k.task, k.phase) == (name, phase)), None)
        return [] if kit is None else kit_screens(kit, self.protocols[name])[:most]

    def _step(self, problem: Problem) -> Step:
        if problem.file not in (None, FILE):
            return "set" if problem.file in self.files else "tasks"
        head = (problem.field or "").partition(".")[0]
        return "set" if head in OF_THE_SET else "tasks" if head == "tasks" else "rules"


def preview_draft(content: Mapping[str, object], fetch: Fetch, read_set: ReadSet) -> DraftPreview:
    """All that can be said of a declaration and its files."""
    drawn = sketch(content)
    found = gather(drawn.plan, fetch, lambda sources: _read(sources, read_set))
    definition = _definition(drawn, found)
    kits, unbuilt = definition.try_to_build() if definition else ([], [])
    problems = [drawn.placed(problem, drawn.plan.tasks) for problem in found.problems]
    if definition:
        problems += [drawn.placed(problem, definition.plan.tasks) for problem in unbuilt]
        definition = _only(definition, {kit.task for kit in kits})
    return DraftPreview(
        plan=drawn.plan,
        problems=(*drawn.problems, *problems),
        tasks=drawn.tasks,
        protocols=found.protocols,
        test_set=found.sets.get("test_set"),
        tutorial=found.sets.get("tutorial"),
        definition=definition,
        kits=kits,
        files=_files(content),
    )


def _read(sources: Sources, read_set: ReadSet) -> TestSet:
    if sources == NO_SOURCES:
        raise InputError(())  # that nothing is declared has been told
    return read_set(sources)


def _definition(drawn: Sketch, found: Gathered) -> CampaignDefinition | None:
    """Of the tasks that are sound, if there is something to be judged."""
    if "test_set" not in found.sets:
        return None
    whole = CampaignDefinition(
        plan=drawn.plan,
        protocols=found.protocols,
        test_set=found.sets["test_set"],
        tutorial=found.sets.get("tutorial"),
    )
    return _only(whole, {*drawn.tasks.values()} & {*found.protocols})


def _only(definition: CampaignDefinition, names: Collection[str]) -> CampaignDefinition | None:
    """The same with these tasks alone; None where there are none."""
    tasks = tuple(task for task in definition.plan.tasks if task.name in names)
    if not tasks:
        return None
    plan = msgspec.structs.replace(definition.plan, tasks=tasks)
    return msgspec.structs.replace(definition, plan=plan)


def _files(content: Mapping[str, object]) -> frozenset[str]:
    """The files of the test set and of the tutorial."""
    parts = (roles_in(content.get(name)) for name in ("test_set", "tutorial"))
    return frozenset(name for part in parts for name in part)
