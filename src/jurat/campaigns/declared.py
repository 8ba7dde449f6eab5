"""What a coordinator declares of a campaign: the content of a `campaign.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from jurat.declarations import Declaration, dump
from jurat.faults import Fault, FaultyInput, quoted, refuse, unknown
from jurat.formats import Role, SetFile
from jurat.kits.plan import MOST, TaskPlan
from jurat.model import File
from jurat.protocols.questions import NAME_RULE, is_name
from jurat.protocols.translating import languages

DAY = 24 * 60
"""Minutes: no pause is longer, for sittings are looked for within a day."""
YEAR = 365 * DAY
"""Minutes: no lease is longer."""

Fetch = Callable[[str], File]
"""Gives the bytes of a file that a declaration names."""


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


def _out_of_range(field: str, number: int | None, most: int) -> Iterator[Fault]:
    if number is not None and not 1 <= number <= most:
        message = f"expected a whole number from 1 to {most}, got {quoted(number)}"
        yield Fault(message=message, field=field, value=most, code="out-of-range")


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
        faults = [
            *_out_of_range("items", self.items, MOST),
            *_out_of_range("items_a_day", self.items_a_day, MOST),
            *_out_of_range("pause_minutes", self.pause_minutes, DAY),
        ]
        refuse(faults)


Sources = str | tuple[str, ...] | SetFiles
"""One file, several that belong together, or text files with their roles."""


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
        refuse(list(self._faults()))

    def task(self, name: str) -> TaskPlan:
        """The plan of a task that is there."""
        return next(task for task in self.tasks if task.name == name)

    def _faults(self) -> Iterator[Fault]:
        if not is_name(self.name):
            message = f"{quoted(self.name)} is no name for a campaign: {NAME_RULE}"
            yield Fault(message=message, field="name", value=self.name, code="no-name")
        if not self.tasks:
            yield Fault(message="a campaign needs a task", field="tasks", code="no-task")
        if self.language and self.language not in languages():
            yield from unknown("language", self.language, languages(), field="language").faults
        yield from _out_of_range("lease_minutes", self.lease_minutes, YEAR)
        names = [task.name for task in self.tasks]
        for n, name in enumerate(names, 1):
            if name in names[: n - 1]:
                message = f"two tasks are called {quoted(name)}"
                field = f"tasks.{n}.name"
                yield Fault(message=message, field=field, value=name, code="same-task")
        if self.tutorial is None:
            for n, task in enumerate(self.tasks, 1):
                if task.required.tutorial:
                    message = "a tutorial is required, and the campaign has no tutorial set"
                    field = f"tasks.{n}.required.tutorial"
                    yield Fault(message=message, field=field, code="no-tutorial")


class Declared(msgspec.Struct, frozen=True):
    """A plan, and the file that it is from."""

    plan: CampaignPlan
    declaration: Declaration

    def placed(self, fault: Fault) -> Fault:
        """A fault that was found later, with the line in the file where its field is declared."""
        if fault.file is not None:
            return fault
        parts = (fault.field or "").split(".")
        path = tuple(int(part) - 1 if part.isdecimal() else part for part in parts if part)
        found = self.declaration.fault(fault.message, path)
        return msgspec.structs.replace(fault, file=found.file, line=found.line)


def read_plan(file: File) -> Declared:
    """The plan that a `campaign.yaml` declares; a `FaultyInput` lists all its faults with lines."""
    declaration = Declaration(file.data, file=file.name)
    return Declared(declaration.read(CampaignPlan), declaration)


def revived_plan(content: object) -> CampaignPlan:
    """The plan of a declaration that was kept as plain data."""
    return Declaration(dump(content).encode(), file="stored declaration").read(CampaignPlan)


def set_files(sources: Sources, fetch: Fetch) -> list[SetFile]:
    """The files of a test set with their roles; those that cannot be had are named all at once."""
    faults: list[Fault] = []
    files: list[SetFile] = []
    for name, role in roles_of(sources):
        try:
            file = fetch(name)
            files.append(SetFile(file.name, file.data, role))
        except FaultyInput as error:
            faults.extend(error.faults)
    refuse(faults)
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
