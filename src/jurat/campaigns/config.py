"""The configuration of a campaign: the content of a `campaign.yaml`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Literal

import msgspec

from jurat.campaigns.declared_suggestions import SuggestionSources
from jurat.campaigns.participation_config import Platform, Questionnaires
from jurat.deserialize import convert
from jurat.errors import InputError, Problem, input_error, quoted, raise_problems, unknown_name
from jurat.kits.task_plan import LARGEST_NUMBER, TaskPlan
from jurat.model import File, TestSet
from jurat.protocols.localization import languages
from jurat.protocols.questions import NAME_RULE, is_name
from jurat.report.study_details import StudyDetails
from jurat.testsets import Role, SetFile
from jurat.yamlfile import Declaration, dump

# Minutes: no pause is longer, for sittings are looked for within a day.
DAY = 24 * 60
# Minutes: no lease is longer.
YEAR = 365 * DAY

# An address to which webhooks are sent; without a name and password in it.
WEBHOOK = re.compile(r"https?://[^\s/@?#\x00-\x20]+(/[^\s\x00-\x20]{0,500})?")
# Characters of the welcome text, which should leave judges in sight of their tasks.
LONGEST_WELCOME = 5000

# Where media are, unless the declaration says otherwise.
MEDIA_FOLDER = "media"

DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

# Gives the bytes of a file that a declaration names.
Fetch = Callable[[str], File]


class Contact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The person whom judges can ask."""

    name: str = ""
    address: str = ""


class SetFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The files of a test set whose formats do not tell what they hold: plain parallel text."""

    source: str = ""
    references: dict[str, str] = {}
    systems: dict[str, str] = {}
    documents: str = ""
    files: tuple[str, ...] = ()
    """Other files of the set, whose formats tell."""
    columns: dict[str, dict[str, str]] = {}
    """What columns of tables hold whose headings do not say it, by file and heading.

    Such as `system:alder`, `reference:A`, `source`, `document`, `segment` or `ignore`.
    """
    source_language: str = ""
    target_language: str = ""
    """The languages, where no file says them."""

    def __post_init__(self) -> None:
        raise_problems(list(self._faulty_columns()))

    def column_roles(self, file: str) -> dict[str, Role]:
        """The roles of a file's columns by their headings."""
        return {heading: role_of(said) for heading, said in self.columns.get(file, {}).items()}

    def _faulty_columns(self) -> Iterator[Problem]:
        for file, said in self.columns.items():
            for heading, role in said.items():
                if role.partition(":")[0] not in COLUMN_KINDS:
                    message = f"a column cannot hold {quoted(role)}"
                    field = f"columns.{file}.{heading}"
                    yield Problem(message=message, field=field, value=role, allowed=COLUMN_KINDS)


# What a column of a table can hold.
COLUMN_KINDS = ("source", "reference", "system", "document", "segment", "ignore")


def role_of(said: str) -> Role:
    """A role as it is declared: `system:alder` or `source`."""
    kind, _, name = said.partition(":")
    return convert({"kind": kind, "name": name}, Role)


def role_text(role: Role) -> str:
    """The declaration of a role, the reverse of `role_of`."""
    return f"{role.kind}:{role.name}" if role.name else role.kind


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    # newer Pythons read other forms as well, which older ones and browsers do not
    return DATE.fullmatch(text) is not None


def _out_of_range(field: str, number: int | None, most: int) -> Iterator[Problem]:
    if number is not None and not 1 <= number <= most:
        message = f"expected a whole number from 1 to {most}, got {quoted(number)}"
        yield Problem(message=message, field=field, value=most, code="out-of-range")


class Sitting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many items a judge may do before a pause; a pause of so many minutes ends a sitting."""

    items: int | None = None
    items_a_day: int | None = None
    pause_minutes: int = 30

    @property
    def limited(self) -> bool:
        """Whether any limit is set."""
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
    suggestions: SuggestionSources | None = None
    """Errors marked beforehand, for protocols that show them."""
    media: str = MEDIA_FOLDER
    """The folder of the videos, recordings and images that the test sets name."""
    human_references: tuple[str, ...] = ()
    """References that also take part as systems; never shown as their own reference."""
    tasks: tuple[TaskPlan, ...]
    own_site: Literal["include", "avoid"] = "include"
    """Whether judges may be given translations by systems of their own site."""
    lease_minutes: int = 240
    """How long a kit waits for the judge who left it."""
    no_free_kit: Literal["wait", "next-task"] = "wait"
    """What judges do while all kits of a task are with others: wait, or begin the next task."""
    sitting: Sitting = Sitting()
    guest: bool = False
    """Whether people without an account may try the tutorial; nothing is stored."""
    registration: bool | Literal["ask"] = False
    """Whether volunteers can register; with `ask` a coordinator accepts each of them."""
    language: str = ""
    """The language of the judges' pages, unless they choose another; empty: the browser's."""
    shading: bool = True
    """Whether words that are also in the reference are shaded."""
    skip: bool = False
    """Whether judges may skip an item; they have to say why."""
    report: StudyDetails = StudyDetails()
    """What reports and checklists ask of the people who run the campaign."""
    welcome: str = ""
    """What judges read first on their overview: plain text, with line breaks as they are."""
    questionnaires: Questionnaires = Questionnaires()
    """What judges are asked about themselves, before and after."""
    platform: Platform | None = None
    """The crowd platform from which judges come; None: they have accounts."""
    webhook: str = ""
    """An address that is told when the campaign is finished or stuck; empty: none."""
    deadline: str = ""
    """The day on which judging should be complete, such as `2026-11-27`; empty: none."""

    def __post_init__(self) -> None:
        raise_problems(list(self._faults()))

    @property
    def joinable(self) -> bool:
        """Whether judges come by themselves: they register, or a crowd platform sends them."""
        return bool(self.registration) or self.platform is not None

    @property
    def last_day(self) -> date | None:
        """The deadline as a date; None without one."""
        return date.fromisoformat(self.deadline) if self.deadline else None

    def task(self, name: str) -> TaskPlan:
        """The plan of a task that is there."""
        return next(task for task in self.tasks if task.name == name)

    def _faults(self) -> Iterator[Problem]:
        if not is_name(self.name):
            message = f"{quoted(self.name)} is not a valid name for a campaign: {NAME_RULE}"
            yield Problem(message=message, field="name", value=self.name, code="no-name")
        if not self.tasks:
            yield Problem(
                message="a campaign needs at least one task", field="tasks", code="no-task"
            )
        if self.language and self.language not in languages():
            yield from unknown_name(
                "language", self.language, languages(), field="language"
            ).problems
        if self.webhook and not WEBHOOK.fullmatch(self.webhook):
            message = (
                f"expected an address such as https://example.org/, got {quoted(self.webhook)}"
            )
            yield Problem(message=message, field="webhook", value=self.webhook, code="no-webhook")
        if self.deadline and not _is_date(self.deadline):
            message = f"expected a date such as 2026-11-27, got {quoted(self.deadline)}"
            yield Problem(message=message, field="deadline", value=self.deadline, code="no-date")
        if len(self.welcome) > LONGEST_WELCOME:
            message = f"expected at most {LONGEST_WELCOME} characters, got {len(self.welcome)}"
            most = str(LONGEST_WELCOME)
            yield Problem(message=message, field="welcome", value=most, code="too-long")
        yield from _out_of_range("lease_minutes", self.lease_minutes, YEAR)
        names = [task.name for task in self.tasks]
        for n, name in enumerate(names, 1):
            if name in names[: n - 1]:
                message = f"two tasks are called {quoted(name)}"
                field = f"tasks.{n}.name"
                yield Problem(message=message, field=field, value=name, code="same-task")
        # Judges could never finish a tutorial that does not exist.
        if self.tutorial is None:
            for n, task in enumerate(self.tasks, 1):
                if task.required.tutorial:
                    message = "a tutorial is required, but the campaign has no tutorial set"
                    field = f"tasks.{n}.required.tutorial"
                    yield Problem(message=message, field=field, code="no-tutorial")


class PlanFile(msgspec.Struct, frozen=True):
    """A plan and the file that it was read from."""

    plan: CampaignPlan
    declaration: Declaration

    def placed(self, problem: Problem) -> Problem:
        """A problem that was found later, with the line of the file where its field is declared."""
        if problem.file is not None:
            return problem
        parts = (problem.field or "").split(".")
        path = tuple(int(part) - 1 if part.isdecimal() else part for part in parts if part)
        found = self.declaration.problem(problem.message, path)
        return problem.changed(file=found.file, line=found.line)


def read_plan(file: File) -> PlanFile:
    """The plan in a `campaign.yaml`; raises `InputError` with all problems and their lines."""
    declaration = Declaration(file.data, file=file.name)
    return PlanFile(declaration.read(CampaignPlan), declaration)


def stored_plan(content: object) -> CampaignPlan:
    """The plan of a declaration that is stored as plain data."""
    return Declaration(dump(content).encode(), file="stored declaration").read(CampaignPlan)


def set_files(sources: Sources, fetch: Fetch) -> list[SetFile]:
    """The files of a test set with their roles; raises `InputError` with all that are missing."""
    problems: list[Problem] = []
    files: list[SetFile] = []
    for name, role in roles_of(sources):
        try:
            file = fetch(name)
            files.append(SetFile(file.name, file.data, role, columns_of(sources, name)))
        except InputError as error:
            problems.extend(error.problems)
    raise_problems(problems)
    return files


def roles_of(sources: Sources) -> Iterator[tuple[str, Role | None]]:
    """Every file of a test set with its role; None where its format tells."""
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


def columns_of(sources: Sources | None, file: str) -> dict[str, Role]:
    """The roles of a file's columns that are declared."""
    return sources.column_roles(file) if isinstance(sources, SetFiles) else {}


def with_languages(test_set: TestSet, sources: Sources) -> TestSet:
    """The test set with the languages that are declared for it; others as its files say."""
    if not isinstance(sources, SetFiles):
        return test_set
    return msgspec.structs.replace(
        test_set,
        source_language=sources.source_language or test_set.source_language,
        target_language=sources.target_language or test_set.target_language,
    )


# The role of each file by its name; None where the file's format tells.
Roles = dict[str, Role | None]

KINDS = ("source", "reference", "system", "documents")


def sources_in(declared: object) -> Sources | None:
    """A declared test set; None where there is none, or the declaration is invalid."""
    try:
        sources: Sources | None = convert(declared, Sources | None)
    except (msgspec.ValidationError, InputError):
        return None
    return sources


def roles_in(declared: object) -> Roles:
    """The files of a declared test set with their roles; none where the declaration is invalid."""
    sources = sources_in(declared)
    return dict(roles_of(sources)) if sources else {}


def arranged(roles: Mapping[str, Role | None]) -> object:
    """Files with their roles as a declaration has them; None without files. Raises `InputError`."""
    if not any(roles.values()):
        names = list(roles)
        return names[0] if len(names) == 1 else names or None
    named: dict[str, dict[str, str]] = {
        "reference": {},
        "system": {},
        "source": {},
        "documents": {},
    }
    for file, role in roles.items():
        if role is None:
            continue
        if role.kind not in KINDS:
            raise input_error(f"a file cannot be a {role.kind}", value=role.kind, allowed=KINDS)
        name = _name(file, role)
        if name in named[role.kind]:
            said = f"{role.kind} '{name}'" if name else role.kind
            message = f"two files cannot both be the {said}"
            raise input_error(message, file=file, value=name, code="same-role")
        named[role.kind][name] = file
    declared = {
        "source": named["source"].get(""),
        "references": named["reference"],
        "systems": named["system"],
        "documents": named["documents"].get(""),
        "files": [file for file, role in roles.items() if role is None],
    }
    return {name: value for name, value in declared.items() if value}


def _name(file: str, role: Role) -> str:
    """The name of a reference or a system: as given, or that of its file."""
    if role.kind in ("source", "documents"):
        return ""
    return role.name or PurePosixPath(file).stem
