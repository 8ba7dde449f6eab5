"""From a declaration to a campaign, and back to the files from which it can be created again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from unicodedata import category

import msgspec

from jurat import protocols, testset_filter
from jurat.campaigns.config import CampaignPlan, Fetch, PlanFile, Sources, set_files, with_languages
from jurat.campaigns.declared_suggestions import suggestion_files
from jurat.campaigns.media_files import Describe, described, find_media, in_folder
from jurat.errors import InputError, Problem, raise_problems
from jurat.kits.audit_findings import Audit
from jurat.kits.policies import POLICIES
from jurat.kits.task_plan import TaskPlan, keeps_apart
from jurat.model import Judge, Kit, Phase, TestSet
from jurat.protocols import Protocol
from jurat.store import MediaFile, NewCampaign, NewPhase
from jurat.testsets import file_names, read_test_set, write_test_set

if TYPE_CHECKING:
    from jurat.kits.audit import TaskKits

# What builds and audits kits is imported where that is done: a server loads campaigns without it,
# and its start is not delayed.


class CampaignDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of a campaign with everything it names: protocols and test sets."""

    plan: CampaignPlan
    protocols: Mapping[str, Protocol]
    """The protocol of each task, by task."""
    test_set: TestSet
    tutorial: TestSet | None = None
    media: tuple[MediaFile, ...] = ()
    """What the test sets name; known only until the campaign is created."""
    notes: tuple[str, ...] = ()
    """What the coordinator should know of files that were read, such as suggestions."""

    def build(self) -> list[Kit]:
        """All kits; raises `InputError` with the problems of every task that has none."""
        kits, problems = self.try_to_build()
        raise_problems(problems)
        return kits

    def try_to_build(self) -> tuple[list[Kit], list[Problem]]:
        """The kits of every task for which they can be built, and the problems of the others."""
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
        """Coverage, hours and findings with these judges.

        `seconds` are measured times per decision by task. `joinable` says whether more judges may
        come; the default is whether they can register, or come from a platform.
        """
        from jurat.kits.audit import audit

        return audit(
            self._tasks(kits),
            judges,
            systems=self.test_set.systems,
            own_site=self.plan.own_site,
            joinable=self.plan.joinable if joinable is None else joinable,
            seconds=seconds,
            sitting=self.plan.sitting.items,
            guests=self.plan.guest,
        )

    def new_campaign(
        self, kits: Sequence[Kit], declaration: object, fetch: Fetch | None = None
    ) -> NewCampaign:
        """The campaign as the store takes it; `fetch` gives its media, if it has any."""
        folder = self.plan.media

        def read_media(name: str) -> bytes:
            assert fetch is not None
            return fetch(in_folder(folder, name)).data

        return NewCampaign(
            name=self.plan.name,
            title=self.plan.title,
            declaration=declaration,
            protocols={name: protocol.plain() for name, protocol in self.protocols.items()},
            test_set=self.test_set,
            tutorial=self.tutorial,
            seed=self.plan.seed,
            # A phase exists where there are kits for it.
            phases=tuple(map(self._phase, dict.fromkeys((kit.task, kit.phase) for kit in kits))),
            kits=kits,
            media=self.media,
            read_media=read_media,
        )

    def _of_task(self, task: TaskPlan) -> list[Kit]:
        lessons = self._built(self.tutorial, task, "tutorial") if self.tutorial else ()
        return [*lessons, *self._built(self.test_set, task, "evaluation")]

    def _built(self, test_set: TestSet, task: TaskPlan, phase: Phase) -> tuple[Kit, ...]:
        from jurat.kits.build import build

        return build(
            test_set,
            self.protocols[task.name],
            task,
            phase=phase,
            seed=self.plan.seed,
            media={file.name: file.digest for file in self.media},
        )

    def _tasks(self, kits: Iterable[Kit]) -> list[TaskKits]:
        """Kits by task and phase, for the audit."""
        from jurat.kits.audit import TaskKits

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


def new_campaign(
    declared: PlanFile, fetch: Fetch, tell: Callable[[str], object] = lambda _: None
) -> NewCampaign:
    """The campaign that a plan declares; raises `InputError` with all problems.

    `tell` is called with what the coordinator should know of files that were read.
    """
    try:
        definition = definition_of(declared, fetch)
        for note in definition.notes:
            tell(note)
        return definition.new_campaign(definition.build(), declared.declaration.content, fetch)
    except InputError as error:
        raise InputError(map(declared.placed, error.problems)) from None


def definition_of(declared: PlanFile, fetch: Fetch) -> CampaignDefinition:
    """A plan with the protocols and test sets that it names; raises `InputError`."""
    return _read(declared.plan, fetch)


# Reads a test set from the files that a declaration names.
ReadSet = Callable[[Sources], TestSet]


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan names, as far as it can be read, and the problems of the rest."""

    protocols: Mapping[str, Protocol]
    """By task."""
    sets: Mapping[str, TestSet]
    """`test_set` and `tutorial`."""
    problems: Sequence[Problem]
    media: tuple[MediaFile, ...] = ()
    notes: tuple[str, ...] = ()
    """What reading suggestions has to say."""

    def definition(self, plan: CampaignPlan) -> CampaignDefinition:
        """The plan with what it names; there must be a test set."""
        return CampaignDefinition(
            plan=plan,
            protocols=self.protocols,
            media=self.media,
            notes=self.notes,
            **self.sets,
        )


def _read(plan: CampaignPlan, fetch: Fetch) -> CampaignDefinition:
    def read_set(sources: Sources) -> TestSet:
        return with_languages(read_test_set(set_files(sources, fetch)), sources)

    found = gather(plan, fetch, read_set, described(fetch))
    raise_problems(found.problems)
    return found.definition(plan)


def gather(plan: CampaignPlan, fetch: Fetch, read_set: ReadSet, describe: Describe) -> Gathered:
    """Read everything that a plan names; problems are collected, so that all are reported.

    Of media only digests and sizes are needed, which `describe` gives.
    """
    from jurat.testsets.selection import as_human_system

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
            # the tutorial need not have every reference of the test set
            if name == "test_set" or reference in test_set.references:
                with _noted(problems, f"human_references.{n}"):
                    sets[name] = as_human_system(test_set, reference)
    notes: tuple[str, ...] = ()
    if plan.suggestions is not None and sets:
        # imported here: servers start without the libraries of tables
        from jurat.campaigns.attached_suggestions import with_suggestions

        with _noted(problems, "suggestions"):
            said = suggestion_files(plan.suggestions)
            sets, notes = with_suggestions(sets, list(map(fetch, said.files)), judge=said.judge)
    media, missing = find_media(sets.values(), plan.media, describe)
    return Gathered(
        protocols=found,
        sets=sets,
        problems=[*problems, *missing],
        media=tuple(media),
        notes=notes,
    )


@contextmanager
def _noted(problems: list[Problem], field: str) -> Iterator[None]:
    """Add an `InputError` in this block to the problems, at a field of the declaration."""
    try:
        yield
    except InputError as error:
        problems += _inside(error, field)


def _inside(error: InputError, field: str, prefix: str = "") -> list[Problem]:
    """The problems of a part of the declaration, at its field; those of other files unchanged."""
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
    """A shipped protocol by its name, or one from a file that the declaration names."""
    if not name.endswith((".yaml", ".yml", ".json")):
        return protocols.load(name)
    file = fetch(name)
    return protocols.read(file.data, file=file.name)


# The format that holds everything a test set can have.
FORMAT = "jsonl"
# Characters of a name that is made from a title, and the name where that says nothing.
LONGEST_NAME = 40
PLAIN_NAME = "campaign"
FILES = {"test_set": "testset.jsonl", "tutorial": "tutorial.jsonl"}


def campaign_files(
    declaration: Any, definition: CampaignDefinition
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The declaration of a campaign and the files that it names, by name.

    Human references, which became systems when the campaign was created, are references again.
    Suggestions are in the test set. Protocols that are not shipped, or were different then, become
    files.
    """
    sets = {"test_set": definition.test_set, "tutorial": definition.tutorial}
    humans = {f"human-{name}" for name in definition.plan.human_references}
    files = {
        FILES[name]: written(_without(test_set, humans))
        for name, test_set in sets.items()
        if test_set is not None
    }
    named = _protocol_files(definition)
    # Tasks with the same protocol share its file.
    used = [definition.protocols[task.name] for task in definition.plan.tasks]
    files |= {
        named[one.version]: protocols.dump(one).encode() for one in used if one.version in named
    }
    tasks = [
        {**task, "protocol": named.get(protocol.version, task["protocol"])}
        for task, protocol in zip(declaration["tasks"], used, strict=True)
    ]
    places = {name: file for name, file in FILES.items() if file in files}
    # suggestions are in the test set by now
    made = {name: value for name, value in declaration.items() if name != "suggestions"}
    return {**made, **places, "tasks": tasks}, files


def written(test_set: TestSet) -> bytes:
    """A test set as a JSONL file."""
    (file,) = write_test_set(test_set, FORMAT)
    return file.data


def _without(test_set: TestSet, humans: Collection[str]) -> TestSet:
    others = [system.name for system in test_set.systems if system.name not in humans]
    return (
        testset_filter.keep(test_set, systems=others)
        if len(others) < len(test_set.systems)
        else test_set
    )


def _protocol_files(definition: CampaignDefinition) -> dict[str, str]:
    """File names for the protocols that are not shipped, by version."""
    stems: dict[str, str] = {}
    for task in definition.plan.tasks:
        protocol = definition.protocols[task.name]
        if not _is_shipped(protocol, task.protocol):
            stems[protocol.version] = PurePosixPath(task.protocol).stem
    return dict(zip(stems, file_names(stems.values(), "yaml"), strict=True))


def _is_shipped(protocol: Protocol, name: str) -> bool:
    """Whether a protocol is the shipped one of this name, unchanged."""
    return name in protocols.names() and protocols.load(name).version == protocol.version


def name_from(title: str, taken: Collection[str]) -> str:
    """A free name for a campaign of this title: `four-systems` for `Four systems!`."""
    # a name begins with a letter, in any script
    words = re.sub(r"^[\W\d_]+", "", re.sub(r"\W+", "-", title.lower()))
    name = words[:LONGEST_NAME].rstrip("-_")
    # names have no vowel signs, without which words of Indic scripts cannot be read
    if not name or any(category(sign).startswith("M") for sign in title):
        name = PLAIN_NAME
    return free_name(name, taken) if name in taken else name


def free_name(name: str, taken: Collection[str]) -> str:
    """`spring-2` for `spring`, or the first number after it that is not taken."""
    stem, _, number = name.rpartition("-")
    # A year like 2026 at the end is part of the name, not a counter.
    again = bool(stem) and number.isdecimal() and len(number) < 4
    base, first = (stem, int(number) + 1) if again else (name, 2)
    return next(one for n in count(first) if (one := f"{base}-{n}") not in taken)
