"""Preview of a draft: its test sets, kits, screens and audit, with everything that is wrong.

The checks are those of creating a campaign, but all problems are collected.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from jurat.campaigns.config import (
    CampaignPlan,
    Fetch,
    Sources,
    columns_of,
    roles_in,
    roles_of,
    with_languages,
)
from jurat.campaigns.create import CampaignDefinition, Gathered, ReadSet, gather
from jurat.campaigns.declared_suggestions import declared_suggestions
from jurat.campaigns.draft_parser import FILE, NO_SOURCES, ParsedDraft, in_order, parse_draft
from jurat.campaigns.media_files import Describe
from jurat.campaigns.screens import Screen, kit_screens
from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.kits.audit_findings import Audit
from jurat.kits.media import MEDIA_TAGS
from jurat.model import File, Judge, Kit, Phase, TestSet
from jurat.protocols import Protocol
from jurat.store import CampaignDraft, NoSuchCampaign, Store
from jurat.testsets import Role, SetFile, read_test_set


def tag_values(test_set: TestSet) -> dict[str, list[str]]:
    """The values of each tag of documents and segments, all sorted; not those that name media."""
    values: defaultdict[str, set[str]] = defaultdict(set)
    for pair in test_set.segments():
        for tag, value in (item for each in pair for item in each.tags.items()):
            if tag not in MEDIA_TAGS:
                values[tag].add(value)
    return {tag: sorted(found) for tag, found in sorted(values.items())}


# The steps of a draft: what is judged, what is asked, and under which rules.
DraftStep = Literal["set", "tasks", "rules"]
OF_THE_SET = ("test_set", "tutorial", "suggestions", "media", "human_references")


class DraftPreview(msgspec.Struct, frozen=True, kw_only=True):
    """A draft, as far as it is valid."""

    plan: CampaignPlan
    """The configuration, with placeholders and defaults for what is missing or wrong."""
    problems: tuple[Problem, ...]
    """All that is wrong or missing, with its field or its place in an uploaded file."""
    tasks: Mapping[int, str]
    """The names of the valid tasks by their numbers in the declaration, from 1."""
    protocols: Mapping[str, Protocol]
    """By task, as far as they can be read."""
    test_set: TestSet | None
    tutorial: TestSet | None
    definition: CampaignDefinition | None
    """With the tasks for which kits can be built; None where there are none."""
    kits: Sequence[Kit]
    files: frozenset[str]
    """The files of test sets and of suggestions; other files are protocols."""

    @property
    def sets(self) -> dict[str, TestSet]:
        """`test_set` and `tutorial`, where these can be read."""
        sets = {"test_set": self.test_set, "tutorial": self.tutorial}
        return {name: found for name, found in sets.items() if found is not None}

    def faults_of(self, step: DraftStep) -> list[Problem]:
        """The problems in one of the three steps of the draft."""
        return [problem for problem in self.problems if self._step(problem) == step]

    def audit(self, judges: Sequence[Judge] = ()) -> Audit | None:
        """Coverage, hours and findings for these judges; None while there are no kits.

        Without judges, too few judges are not an error.
        """
        if self.definition is None:
            return None
        joinable = self.plan.joinable or not judges
        return self.definition.audit(self.kits, judges, joinable=joinable)

    def screens(self, task: int, *, phase: Phase = "evaluation", most: int = 3) -> list[Screen]:
        """The first screens of a task's first kit; none without kits. Raises `InputError`."""
        if task not in self.tasks:
            raise unknown_name("task", task, map(str, self.tasks))
        name = self.tasks[task]
        kit = next((k for k in self.kits if (k.task, k.phase) == (name, phase)), None)
        return [] if kit is None else kit_screens(kit, self.protocols[name])[:most]

    def _step(self, problem: Problem) -> DraftStep:
        if problem.file not in (None, FILE):
            return "set" if problem.file in self.files else "tasks"
        head = (problem.field or "").partition(".")[0]
        return "set" if head in OF_THE_SET else "tasks" if head == "tasks" else "rules"


def preview_draft(
    content: Mapping[str, object], fetch: Fetch, read_set: ReadSet, describe: Describe
) -> DraftPreview:
    """The preview of a declaration and its files."""
    parsed = parse_draft(content)
    found = gather(parsed.plan, fetch, lambda sources: _read(sources, read_set), describe)
    definition = _definition(parsed, found)
    kits, unbuilt = definition.try_to_build() if definition else ([], [])
    problems = [parsed.placed(problem, parsed.plan.tasks) for problem in found.problems]
    if definition:
        problems += [parsed.placed(problem, definition.plan.tasks) for problem in unbuilt]
        definition = _only(definition, {kit.task for kit in kits})
    return DraftPreview(
        plan=parsed.plan,
        problems=(*parsed.problems, *problems),
        tasks=parsed.tasks,
        protocols=found.protocols,
        test_set=found.sets.get("test_set"),
        tutorial=found.sets.get("tutorial"),
        definition=definition,
        kits=kits,
        files=_files(content) | {*declared_suggestions(content).files},
    )


def _read(sources: Sources, read_set: ReadSet) -> TestSet:
    if sources == NO_SOURCES:
        raise InputError(())  # the parser has reported that nothing is declared
    return read_set(sources)


def _definition(parsed: ParsedDraft, found: Gathered) -> CampaignDefinition | None:
    """The definition with the valid tasks, if there is a test set."""
    if "test_set" not in found.sets:
        return None
    return _only(found.definition(parsed.plan), {*parsed.tasks.values()} & {*found.protocols})


def _only(definition: CampaignDefinition, names: Collection[str]) -> CampaignDefinition | None:
    """The definition with these tasks only; None where there are none."""
    tasks = tuple(task for task in definition.plan.tasks if task.name in names)
    if not tasks:
        return None
    plan = msgspec.structs.replace(definition.plan, tasks=tasks)
    return msgspec.structs.replace(definition, plan=plan)


def _files(content: Mapping[str, object]) -> frozenset[str]:
    """The files of the test set and of the tutorial."""
    parts = (roles_in(content.get(name)) for name in ("test_set", "tutorial"))
    return frozenset(name for part in parts for name in part)


# Previews that stay in memory, with their kits.
LOOKS = 4
# Test sets that stay in memory: most changes of a draft do not concern them.
SETS = 8


class UploadedFile(NamedTuple):
    """An uploaded file of a test set; the digest tells whether it has changed."""

    name: str
    role: Role | None
    columns: tuple[tuple[str, Role], ...]
    digest: str


class DraftReader:
    """Reads the test sets and previews of drafts, and caches both until the draft changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._looks = lru_cache(LOOKS)(self._look)
        self._sets = lru_cache(SETS)(self._read_set)

    def test_set(self, found: CampaignDraft) -> TestSet:
        """The uploaded test set; raises `InputError` with all its problems."""
        sources = parse_draft(found.declaration).plan.test_set
        if sources == NO_SOURCES:
            raise input_error("there is no test set yet", field="test_set", code="no-test-set")
        return self._reader(found)(sources)

    def preview(self, found: CampaignDraft) -> DraftPreview:
        """The preview of a draft, with all its problems."""
        preview = self._looks(found.id, found.edition)
        name = preview.plan.name
        # Not in the cache: another campaign may take the name while the draft stays as it is.
        if name != found.declaration.get("name") or not self._is_campaign(name):
            return preview
        message = f"there is a campaign '{name}' already"
        taken = Problem(message=message, file=FILE, field="name", value=name, code="name-taken")
        return msgspec.structs.replace(preview, problems=(*preview.problems, taken))

    def _is_campaign(self, name: str) -> bool:
        try:
            self._store.version(name)
        except NoSuchCampaign:
            return False
        return True

    def _look(self, key: str, _: int) -> DraftPreview:
        found = self._store.campaign_draft(key)
        return preview_draft(
            in_order(found.declaration),
            self._fetch(found),
            self._reader(found),
            _media_of(found),
        )

    def _fetch(self, found: CampaignDraft) -> Fetch:
        known = {one.name for one in found.files}

        def fetch(name: str) -> File:
            if name not in known:
                raise InputError(_not_there(name))
            return File(name, self._store.campaign_draft_file(found.id, name))

        return fetch

    def _reader(self, found: CampaignDraft) -> ReadSet:
        digests = {one.name: one.digest for one in found.files}

        def read(sources: Sources) -> TestSet:
            roles = list(roles_of(sources))
            raise_problems([_not_there(name) for name, _ in roles if name not in digests])
            held = tuple(
                UploadedFile(name, role, tuple(columns_of(sources, name).items()), digests[name])
                for name, role in roles
            )
            test_set, problems = self._sets(found.id, held)
            raise_problems(problems)
            assert test_set is not None
            return with_languages(test_set, sources)

        return read

    def _read_set(
        self, key: str, held: tuple[UploadedFile, ...]
    ) -> tuple[TestSet | None, tuple[Problem, ...]]:
        files = [
            SetFile(
                one.name,
                self._store.campaign_draft_file(key, one.name),
                one.role,
                dict(one.columns),
            )
            for one in held
        ]
        try:
            return read_test_set(files), ()
        except InputError as error:
            return None, error.problems


def _media_of(found: CampaignDraft) -> Describe:
    """Digests and sizes of uploaded media, without reading them."""
    known = {one.name: (one.digest, one.size) for one in found.files}

    def describe(name: str) -> tuple[str, int]:
        if name not in known:
            message = f"'{name}' has not been uploaded"
            raise input_error(message, field="media", value=name, code="media-not-uploaded")
        return known[name]

    return describe


def _not_there(name: str) -> Problem:
    return Problem(message="this file has not been uploaded", file=name, code="not-uploaded")
