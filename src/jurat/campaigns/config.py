"""What a coordinator declares of a campaign: the content of a `campaign.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from jurat.errors import InputError, Problem, quoted, raise_problems, unknown_name
from jurat.kits.plan import LARGEST_NUMBER, TaskPlan
from jurat.model import File
from jurat.protocols.questions import NAME_RULE, is_name
from jurat.protocols.translations import languages
from jurat.testsets import Role, SetFile
from jurat.yamlfile import Declaration, dump

# Minutes: no pause is longer, for sittings are looked for within a day.
DAY = 24 * 60
# Minutes: no lease is longer.
YEAR = 365 * DAY

# Gives the bytes of a file that a declaration names.
Fetch = Callable[[str], File]


class Contact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whom judges can ask."""

    name: str = ""
    address: str = ""


class SetFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The files of a test set that do not say themselves what they hold: parallel text."""

    source: str = ""
    references: dict[str, str] = {}
    systems: dict[str, str] = {}
    documents: str = ""
    files: tuple[str, ...] = ()
    """Others that belong to it, and do say what they hold."""


def _out_of_range(field: str, number: int | None, most: int) -> Iterator[Problem]:
    if number is not None and not 1 <= number <= most:
        message = f"expected a whole number from 1 to {most}, got {quoted(number)}"
        yield Problem(message=message, field=field, value=most, code="out-of-range")


class Sitting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much a judge may do before he rests; a pause of so many minutes ends a sitting."""

    items: int | None = None
    items_a_day: int | None = None
    pause_minutes: int = 30

    @property
    def limited(self) -> bool:
        """Whether there is anything to look at."""
        return self.items is not None or self.items_a_day is not None

    def __post_init__(self) -> None:
        problems = [
            *_out_of_range("items", self.items, LARGEST_NUMBER),
            *_out_of_range("items_a_day", self.items_a_day, LARGEST_NUMBER),
            *_out_of_range("pause_minutes", self.pause_minutes, DAY),
        ]
        raise_problems(problems)


# One file, several that belong together, or text files with their roles.
Sources = str | tuple[str, ...] | SetFiles


class CampaignPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One evaluation: what is judged, in which tasks, and under which rules."""

    name: str
    title: str = ""
    contact: Contact = Contact()
    seed: int = 1
    test_set: Sources
    tutorial: Sources | None = None
    human_references: tuple[str, ...] = ()
    """References that enter as human systems, too; never shown as their own reference."""
    tasks: tuple[TaskPlan, ...]
    own_site: Literal["include", "avoid"] = "include"
    """Whether judges may meet the systems of their own site, blindly, or are kept from them."""
    lease_minutes: int = 240
    """How long a kit waits for the judge who left it."""
    sitting: Sitting = Sitting()
    guest: bool = False
    """Whether anybody may try the tutorial; nothing of his is stored."""
    registration: bool | Literal["ask"] = False
    """Whether volunteers make themselves accounts; `ask`: a coordinator accepts each of them."""
    language: str = ""
    """In which judges meet the pages, unless they choose another; none: their browsers' own."""
    shading: bool = True
    """Whether words that stand in the reference, too, are shaded."""

    def __post_init__(self) -> None:
        raise_problems(list(self._faults()))

    def task(self, name: str) -> TaskPlan:
        """The plan of a task that is there."""
        return next(task for task in self.tasks if task.name == name)

    def _faults(self) -> Iterator[Problem]:
        if not is_name(self.name):
            message = f"{quoted(self.name)} is no name for a campaign: {NAME_RULE}"
            yield Problem(message=message, field="name", value=self.name, code="no-name")
        if not self.tasks:
            yield Problem(message="a campaign needs a task", field="tasks", code="no-task")
        if self.language and self.language not in languages():
            yield from unknown_name(
                "language", self.language, languages(), field="language"
            ).problems
        yield from _out_of_range("lease_minutes", self.lease_minutes, YEAR)
        names = [task.name for task in self.tasks]
        for n, name in enumerate(names, 1):
            if name in names[: n - 1]:
                message = f"two tasks are called {quoted(name)}"
                field = f"tasks.{n}.name"
                yield Problem(message=message, field=field, value=name, code="same-task")
        if self.tutorial is None:
            for n, task in enumerate(self.tasks, 1):
                if task.required.tutorial:
                    message = "a tutorial is required, and the campaign has no tutorial set"
                    field = f"tasks.{n}.required.tutorial"
                    yield Problem(message=message, field=field, code="no-tutorial")


class PlanFile(msgspec.Struct, frozen=True):
    """A plan, and the file that it is from."""

    plan: CampaignPlan
    declaration: Declaration

    def placed(self, problem: Problem) -> Problem:
        """A fault that was found later, with the line in the file where its field is declared."""
        if problem.file is not None:
            return problem
        parts = (problem.field or "").split(".")
        path = tuple(int(part) - 1 if part.isdecimal() else part for part in parts if part)
        found = self.declaration.problem(problem.message, path)
        return problem.changed(file=found.file, line=found.line)


def read_plan(file: File) -> PlanFile:
    """The plan that a `campaign.yaml` declares; an `InputError` lists all its faults with lines."""
    declaration = Declaration(file.data, file=file.name)
    return PlanFile(declaration.read(CampaignPlan), declaration)


def stored_plan(content: object) -> CampaignPlan:
    """The plan of a declaration that was kept as plain data."""
    return Declaration(dump(content).encode(), file="stored declaration").read(CampaignPlan)


def set_files(sources: Sources, fetch: Fetch) -> list[SetFile]:
    """The files of a test set with their roles; those that cannot be had are named all at once."""
    problems: list[Problem] = []
    files: list[SetFile] = []
    for name, role in roles_of(sources):
        try:
            file = fetch(name)
            files.append(SetFile(file.name, file.data, role))
        except InputError as error:
            problems.extend(error.problems)
    raise_problems(problems)
    return files


def roles_of(sources: Sources) -> Iterator[tuple[str, Role | None]]:
    """Every file of a test set, and what it holds where it does not say that itself."""
    if not isinstance(sources, SetFiles):
        yield from ((name, None) for name in ((sources,) if isinstance(sources, str) else sources))
        return
    if sources.source:
        yield sources.source, Role("source")
    yield from ((name, Role("reference", key)) for key, name in sources.references.items())
    yield from ((name, Role("system", key)) for key, name in sources.systems.items())
    if sources.documents:
        yield sources.documents, Role("documents")
    yield from ((name, None) for name in sources.files)
