"""Campaigns in preparation as they are read: once, as long as nothing of them changes."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec

from jurat.campaigns.config import Fetch, Sources, roles_of
from jurat.campaigns.create import ReadSet
from jurat.campaigns.draft_parser import FILE, NO_SOURCES, in_order, sketch
from jurat.campaigns.draft_preview import DraftPreview, preview_draft
from jurat.errors import InputError, Problem, input_error, raise_problems
from jurat.model import File, TestSet
from jurat.store import NoSuchCampaign, Preparation, Store
from jurat.testsets import Role, SetFile, read_test_set

# Preparations that are looked at, and whose kits are at hand.
LOOKS = 4
# Test sets that are at hand: other fields may change, and they need not be read again.
SETS = 8


class UploadedFile(NamedTuple):
    """A file of a test set as it was uploaded."""

    name: str
    role: Role | None
    digest: str


class DraftReader:
    """What the files and the declaration of a preparation say."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._looks = lru_cache(LOOKS)(self._look)
        self._sets = lru_cache(SETS)(self._read_set)

    def test_set(self, found: Preparation) -> TestSet:
        """The test set as it was uploaded, or everything that is wrong with it."""
        sources = sketch(found.declaration).plan.test_set
        if sources == NO_SOURCES:
            raise input_error("there is no test set yet", field="test_set", code="no-test-set")
        return self._reader(found)(sources)

    def preview(self, found: Preparation) -> DraftPreview:
        """What it amounts to, and everything that is wrong with it."""
        preview = self._looks(found.id, found.edition)
        name = preview.plan.name
        if name != found.declaration.get("name") or not self._is_campaign(name):
            return preview
        message = f"there is a campaign '{name}' already"
        taken = Problem(message=message, file=FILE, field="name", value=name, code="name-taken")
        return msgspec.structs.replace(preview, problems=(*preview.problems, taken))

    def _is_campaign(self, name: str) -> bool:
        try:
            self._store.edition(name)
        except NoSuchCampaign:
            return False
        return True

    def _look(self, key: str, _: int) -> DraftPreview:
        found = self._store.preparation(key)
        return preview_draft(in_order(found.declaration), self._fetch(found), self._reader(found))

    def _fetch(self, found: Preparation) -> Fetch:
        known = {one.name for one in found.files}

        def fetch(name: str) -> File:
            if name not in known:
                raise InputError(_not_there(name))
            return File(name, self._store.prepared_file(found.id, name))

        return fetch

    def _reader(self, found: Preparation) -> ReadSet:
        digests = {one.name: one.digest for one in found.files}

        def read(sources: Sources) -> TestSet:
            roles = list(roles_of(sources))
            raise_problems([_not_there(name) for name, _ in roles if name not in digests])
            held = tuple(UploadedFile(name, role, digests[name]) for name, role in roles)
            test_set, problems = self._sets(found.id, held)
            raise_problems(problems)
            assert test_set is not None
            return test_set

        return read

    def _read_set(
        self, key: str, held: tuple[UploadedFile, ...]
    ) -> tuple[TestSet | None, tuple[Problem, ...]]:
        files = [
            SetFile(one.name, self._store.prepared_file(key, one.name), one.role) for one in held
        ]
        try:
            return read_test_set(files), ()
        except InputError as error:
            return None, error.problems


def _not_there(name: str) -> Problem:
    return Problem(message="this file has not been uploaded", file=name, code="not-uploaded")
