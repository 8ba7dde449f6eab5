"""Campaigns in preparation: from an upload to a campaign, step by step, in any order.

Everything may be missing or wrong until the campaign is made; what is running is never touched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

from jurat import testset_filter
from jurat.campaigns import field_paths, uploads
from jurat.campaigns.clone import FILES, copied, whole, written
from jurat.campaigns.config_files import Roles, arranged, roles_in
from jurat.campaigns.context import Clock
from jurat.campaigns.create import Blueprint
from jurat.campaigns.draft_cache import Readings
from jurat.campaigns.draft_parser import in_order, readable
from jurat.campaigns.draft_preview import Outlook
from jurat.errors import input_error, raise_problems
from jurat.model import File
from jurat.store import Campaign, Preparation, Store
from jurat.testsets import Role, SetFile
from jurat.yamlfile import Declaration, dump

Part = Literal["test_set", "tutorial"]
PARTS: tuple[Part, ...] = ("test_set", "tutorial")
PROTOCOLS = (".yaml", ".yml", ".json")


class Preparations:
    """The campaigns in preparation of a store."""

    def __init__(self, store: Store, clock: Clock, blueprint: Callable[[str], Blueprint]) -> None:
        """`blueprint` gives what a campaign that is there was made from."""
        self._store = store
        self._clock = clock
        self._blueprint = blueprint
        self._readings = Readings(store)

    def begin(self, *, author: str) -> Preparation:
        """A new one, in which nothing is declared."""
        return self._store.prepare({}, author=author, now=self._clock())

    def copy(self, campaign: str, *, author: str) -> Preparation:
        """One from which the same campaign could be made again, under another name."""
        stored = self._store.campaign(campaign)
        assert isinstance(stored.declaration, dict)
        taken = {one.name for one in self._store.campaigns()}
        taken |= {str(one.declaration.get("name")) for one in self.every()}
        made, files = copied(stored.declaration, self._blueprint(campaign), taken=taken)
        return self._store.prepare(made, author=author, now=self._clock(), files=files)

    def files(self, campaign: str) -> dict[str, bytes]:
        """A campaign's declaration with everything that it names, to begin with elsewhere."""
        stored = self._store.campaign(campaign)
        assert isinstance(stored.declaration, dict)
        made, files = whole(stored.declaration, self._blueprint(campaign))
        return {"campaign.yaml": dump(made).encode(), **files}

    def every(self) -> tuple[Preparation, ...]:
        """All of them, the oldest first."""
        return self._store.preparations()

    def one(self, key: str) -> Preparation:
        """One of them as it stands."""
        return self._store.preparation(key)

    def give_up(self, key: str, *, author: str) -> None:
        """Forget it, with its files."""
        self._store.give_up(key, author=author, now=self._clock())

    # What is declared

    def declare(self, key: str, changes: Mapping[str, object]) -> Preparation:
        """Change fields by their names, such as `title` or `tasks.1.wanted`; None takes one out.

        What is said need not be right yet, only such that it can be written into a file.
        """

        def redeclare(content: dict[str, Any]) -> dict[str, Any]:
            for field, value in changes.items():
                path = field_paths.resolve(content, field)
                gone = value is None
                content = (
                    field_paths.without(content, path)
                    if gone
                    else field_paths.put(content, path, value)
                )
            return readable(content)

        return self._change(key, redeclare)

    def adopt(self, key: str, file: File) -> Preparation:
        """Declare what a campaign.yaml says, in the place of all that was declared.

        Files stay; those that it names can be uploaded before or afterwards.
        """
        declared = Declaration(file.data, file=file.name)
        raise_problems(declared.problems)
        content = declared.content
        if not isinstance(content, dict):
            raise input_error("this declares nothing", file=file.name, code="declares-nothing")
        return self._change(key, lambda _: readable(content))

    def declaration(self, key: str) -> str:
        """The campaign.yaml that is declared so far."""
        return dump(in_order(self.one(key).declaration))

    # Files

    def upload(self, key: str, part: Part, files: Sequence[SetFile]) -> Preparation:
        """Keep files of a test set, with what each of them holds where it does not say so itself.

        One that is called like another of the same set takes its place, and its role.
        """
        found = self.one(key)
        own = roles_in(found.declaration.get(part))
        put: dict[str, bytes] = {}
        given: Roles = {}
        for file in files:
            name = self._name(found, file.name, own)
            put[name], given[name] = file.data, file.role or own.get(name)
        return self._put(found, put, lambda content: _with_roles(content, part, given))

    def upload_protocol(self, key: str, file: File) -> str:
        """Keep a protocol of one's own; the name by which tasks can ask for it."""
        found = self.one(key)
        if not file.name.endswith(PROTOCOLS):
            raise input_error(
                "a protocol is a YAML or JSON file", file=file.name, allowed=PROTOCOLS
            )
        sets = {name for part in PARTS for name in roles_in(found.declaration.get(part))}
        own = {one.name for one in found.files} - sets
        name = self._name(found, file.name, own)
        self._put(found, {name: file.data}, lambda content: content)
        return name

    def assign(self, key: str, part: Part, name: str, role: Role | None) -> Preparation:
        """Say what a file of a test set holds; None: it says so itself."""
        return self._change(key, lambda content: _with_roles(content, part, {name: role}))

    def remove(self, key: str, name: str) -> Preparation:
        """Take a file away, and out of the sets that it belongs to."""

        def redeclare(content: dict[str, Any]) -> dict[str, Any]:
            for part in PARTS:
                roles = roles_in(content.get(part))
                if name in roles:
                    del roles[name]
                    content = _arranged(content, part, roles)
            return content

        return self._change(key, redeclare, drop=[name])

    def file(self, key: str, name: str) -> File:
        """An uploaded file."""
        return File(name, self._store.prepared_file(key, name))

    def take_tutorial(self, key: str, documents: Collection[str]) -> Preparation:
        """Let documents of the test set be the tutorial; the test set does without them."""
        found = self.one(key)
        whole = self._readings.test_set(found)
        left = [one.id for one in whole.documents if one.id not in documents]
        if not left:
            message = "no document would be left to be judged"
            raise input_error(message, field="documents", code="no-document-left")
        put = {
            FILES["tutorial"]: written(testset_filter.keep(whole, documents=documents)),
            FILES["test_set"]: written(testset_filter.keep(whole, documents=left)),
        }
        old = {name for part in PARTS for name in roles_in(found.declaration.get(part))}
        return self._put(found, put, lambda content: {**content, **FILES}, drop=old - {*put})

    def narrow(
        self,
        key: str,
        *,
        systems: Collection[str] | None = None,
        documents: Collection[str] | None = None,
        first: int | None = None,
        where: str | None = None,
    ) -> Preparation:
        """Keep the part of the test set that meets all of this; its files become one."""
        found = self.one(key)
        whole = self._readings.test_set(found)
        kept = testset_filter.keep(
            whole, systems=systems, documents=documents, first=first, where=where
        )
        old = roles_in(found.declaration.get("test_set"))
        name = self._name(found, FILES["test_set"], old)
        put = {name: written(kept)}
        return self._put(
            found, put, lambda content: {**content, "test_set": name}, drop={*old} - {*put}
        )

    # The whole

    def look_over(self, key: str) -> Outlook:
        """What it amounts to so far, and everything that is wrong or missing."""
        return self._readings.outlook(self.one(key))

    def create(self, key: str, *, author: str) -> Campaign:
        """Make the campaign, whole or not at all; the preparation is gone when it is there."""
        found = self.one(key)
        outlook = self._readings.outlook(found)
        raise_problems(outlook.problems)
        assert outlook.blueprint is not None
        new = outlook.blueprint.new_campaign(outlook.kits, in_order(found.declaration))
        self._store.create(new, author=author, now=self._clock(), preparation=found)
        return self._store.campaign(new.name)

    def _change(
        self,
        key: str,
        redeclare: Callable[[dict[str, Any]], Mapping[str, Any]],
        *,
        put: Mapping[str, bytes] | None = None,
        drop: Collection[str] = (),
    ) -> Preparation:
        return self._store.change_preparation(key, redeclare, now=self._clock(), put=put, drop=drop)

    def _put(
        self,
        found: Preparation,
        put: Mapping[str, bytes],
        redeclare: Callable[[dict[str, Any]], Mapping[str, Any]],
        *,
        drop: Collection[str] = (),
    ) -> Preparation:
        sizes = {one.name: one.size for one in found.files if one.name not in drop}
        uploads.check_sizes(sizes | {name: len(data) for name, data in put.items()}, put)
        return self._change(found.id, redeclare, put=put, drop=drop)

    def _name(self, found: Preparation, name: str, own: Collection[str]) -> str:
        stored = {one.name for one in found.files}
        declared = {one for part in PARTS for one in roles_in(found.declaration.get(part))}
        missing = [one for one in own if one not in stored]
        return uploads.kept_as(name, own=own, missing=missing, taken=stored | declared)


def _with_roles(content: dict[str, Any], part: Part, given: Roles) -> dict[str, Any]:
    return _arranged(content, part, {**roles_in(content.get(part)), **given})


def _arranged(content: dict[str, Any], part: Part, roles: Roles) -> dict[str, Any]:
    declared = arranged(roles)
    if declared is None:
        return {name: value for name, value in content.items() if name != part}
    return {**content, part: declared}
