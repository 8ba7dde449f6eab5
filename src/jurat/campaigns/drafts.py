"""Drafts: campaigns that coordinators prepare, from the first upload to the finished campaign.

Everything may be missing or wrong until the campaign is created; running campaigns are not touched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count
from pathlib import PurePosixPath
from typing import Any, Literal, TypeGuard

from jurat import testset_filter
from jurat.campaigns import nested_values
from jurat.campaigns.config import MEDIA_FOLDER, Roles, arranged, role_text, roles_in
from jurat.campaigns.create import FILES, campaign_files, free_name, name_from, written
from jurat.campaigns.declared_suggestions import declared_suggestions, redeclared_suggestions
from jurat.campaigns.draft_parser import in_order, readable
from jurat.campaigns.draft_preview import DraftPreview, DraftReader
from jurat.campaigns.file_guess import FileGuess, guess_files
from jurat.campaigns.media_files import in_folder, media_contents
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import Problem, input_error, raise_problems
from jurat.kits.media import media_type
from jurat.model import File
from jurat.store import Campaign, CampaignDraft
from jurat.testsets import Role, SetFile
from jurat.yamlfile import Declaration, dump

Part = Literal["test_set", "tutorial"]
PARTS: tuple[Part, ...] = ("test_set", "tutorial")
PROTOCOLS = (".yaml", ".yml", ".json")


class Drafts:
    """The part of the service with which coordinators prepare campaigns."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store
        self._reader = DraftReader(context.store)

    def all(self) -> tuple[CampaignDraft, ...]:
        """All drafts, the oldest first."""
        return self._store.campaign_drafts()

    def get(self, key: str) -> CampaignDraft:
        """A draft by its id; raises `NoSuchCampaignDraft`."""
        return self._store.campaign_draft(key)

    def new(self, *, author: str) -> CampaignDraft:
        """A new draft, in which nothing is declared."""
        return self._store.add_campaign_draft({}, author=author, now=self._context.now())

    def copy(self, campaign: str, *, author: str) -> CampaignDraft:
        """A draft from which the same campaign can be created again, under another name."""
        stored = self._store.campaign(campaign)
        made, files = campaign_files(stored.declaration, self._context.definition(campaign))
        made["name"] = free_name(campaign, self._taken_names())
        files |= media_contents(self._store, campaign, self._context.plan(campaign).media)
        return self._store.add_campaign_draft(
            made, author=author, now=self._context.now(), files=files
        )

    def name_by_title(self, key: str) -> CampaignDraft:
        """Give a draft that has a title but no name a free one; any other stays as it is."""
        found = self.get(key)
        title = found.declaration.get("title")
        if found.declaration.get("name") or not isinstance(title, str) or not title.strip():
            return found
        return self.set_fields(key, {"name": name_from(title, self._taken_names())})

    def _taken_names(self) -> set[str]:
        """The names of all campaigns and drafts."""
        drafts = {str(one.declaration.get("name")) for one in self.all()}
        return {one.name for one in self._store.campaigns()} | drafts

    def discard(self, key: str, *, author: str) -> None:
        """Delete a draft with its files."""
        self._store.drop_campaign_draft(key, author=author, now=self._context.now())

    # What is declared

    def set_fields(
        self, key: str, values: Mapping[str, object], *, after: int | None = None
    ) -> CampaignDraft:
        """Set fields by their names, such as `title` or `tasks.1.wanted`; None removes one.

        Values need not be right yet; raises `InputError` only for what YAML cannot hold. `after` is
        the edition that the values are meant for: `CampaignDraftChanged` if it is another by now.
        """

        def redeclare(content: dict[str, Any]) -> Mapping[str, Any]:
            return readable(nested_values.with_values(content, values))

        return self._change(key, redeclare, after=after)

    def load_yaml(self, key: str, file: File, *, after: int | None = None) -> CampaignDraft:
        """Replace all fields by those of a campaign.yaml; raises `InputError`.

        Uploaded files stay; those that it names can be uploaded before or afterwards. `after` is
        the edition to be replaced: `CampaignDraftChanged` if it is another by now.
        """
        declared = Declaration(file.data, file=file.name)
        raise_problems(declared.problems)
        content = declared.content
        if not isinstance(content, dict):
            raise input_error("this file declares nothing", file=file.name, code="declares-nothing")
        return self._change(key, lambda _: readable(content), after=after)

    def yaml(self, key: str) -> str:
        """The draft as a campaign.yaml."""
        return dump(in_order(self.get(key).declaration))

    # Files

    def upload(self, key: str, part: Part, files: Sequence[SetFile]) -> CampaignDraft:
        """Add files to a test set, each with its role where its format does not tell.

        A file with the name of another of the same set replaces it, and keeps its role. Roles that
        are not given are guessed from the files' names, and those of columns from their texts.
        Videos, recordings and images go to the folder of media, whichever set they are for.
        """
        found = self.get(key)
        own = roles_in(found.declaration.get(part))
        folder = media_folder(found.declaration)
        put = {
            in_folder(folder, _inside(folder, tidy_name(file.name))): file.data
            for file in files
            if media_type(file.name)
        }
        given: Roles = {}
        for file in files:
            if media_type(file.name):
                continue
            name = self._name(found, file.name, own)
            put[name], given[name] = file.data, file.role or own.get(name)
        new = [SetFile(name, put[name], role) for name, role in given.items() if name not in own]
        guess = guess_files(new, {**own, **given})
        given |= guess.roles
        return self._put(found, put, lambda content: _guessed(content, part, given, guess))

    def upload_suggestions(self, key: str, files: Sequence[File]) -> CampaignDraft:
        """Add files with errors that were marked beforehand."""
        found = self.get(key)
        own = declared_suggestions(found.declaration).files
        put = {self._name(found, file.name, own): file.data for file in files}

        def redeclare(content: dict[str, Any]) -> dict[str, Any]:
            said = declared_suggestions(content)
            names = dict.fromkeys((*said.files, *put))
            return redeclared_suggestions(content, [*names], said.judge)

        return self._put(found, put, redeclare)

    def set_suggestion_judge(self, key: str, judge: str, *, after: int | None = None) -> None:
        """Say whose errors of the files of suggestions are shown; empty: everybody's."""

        def redeclare(content: dict[str, Any]) -> dict[str, Any]:
            return redeclared_suggestions(content, declared_suggestions(content).files, judge)

        self._change(key, redeclare, after=after)

    def upload_protocol(self, key: str, file: File) -> str:
        """Add a protocol file; returns the name by which tasks refer to it."""
        found = self.get(key)
        if not file.name.endswith(PROTOCOLS):
            raise input_error(
                "a protocol is a YAML or JSON file", file=file.name, allowed=PROTOCOLS
            )
        sets = {name for part in PARTS for name in roles_in(found.declaration.get(part))}
        own = {one.name for one in found.files} - sets
        name = self._name(found, file.name, own)
        self._put(found, {name: file.data}, lambda content: content)
        return name

    def set_roles(
        self,
        key: str,
        part: Part,
        roles: Roles,
        *,
        columns: Mapping[str, Mapping[str, Role]] | None = None,
        languages: tuple[str, str] | None = None,
        after: int | None = None,
    ) -> CampaignDraft:
        """Set what files of a test set hold; None: the format tells. Raises `InputError`.

        All at once, since two files may swap their roles. Names of no file of the set are ignored.
        `columns` are roles of tables' columns by file and heading, `languages` those of source and
        translations; None leaves them as they are.
        """

        def redeclare(content: dict[str, Any]) -> dict[str, Any]:
            known = roles_in(content.get(part)).items()
            held = {file: roles.get(file, role) for file, role in known}
            said = _described(content, part, columns, languages)
            return _arranged(said, part, held)

        return self._change(key, redeclare, after=after)

    def remove_file(self, key: str, name: str) -> CampaignDraft:
        """Delete a file, also from the test sets that it belongs to."""

        def redeclare(content: dict[str, Any]) -> dict[str, Any]:
            for part in PARTS:
                roles = roles_in(content.get(part))
                if name in roles:
                    del roles[name]
                    content = _arranged(content, part, roles)
            said = declared_suggestions(content)
            left = [one for one in said.files if one != name]
            return redeclared_suggestions(content, left, said.judge) if said.files else content

        return self._change(key, redeclare, drop=[name])

    def file(self, key: str, name: str) -> File:
        """An uploaded file."""
        return File(name, self._store.campaign_draft_file(key, name))

    def make_tutorial(self, key: str, documents: Collection[str]) -> CampaignDraft:
        """Move documents of the test set to the tutorial."""
        found = self.get(key)
        whole = self._reader.test_set(found)
        left = [one.id for one in whole.documents if one.id not in documents]
        if not left:
            message = "no document would be left to judge"
            raise input_error(message, field="documents", code="no-document-left")
        put = {
            FILES["tutorial"]: written(testset_filter.keep(whole, documents=documents)),
            FILES["test_set"]: written(testset_filter.keep(whole, documents=left)),
        }
        old = {name for part in PARTS for name in roles_in(found.declaration.get(part))}
        return self._put(found, put, lambda content: {**content, **FILES}, drop=old - {*put})

    def select(
        self,
        key: str,
        *,
        systems: Collection[str] | None = None,
        documents: Collection[str] | None = None,
        first: int | None = None,
        where: str | None = None,
    ) -> CampaignDraft:
        """Reduce the test set to what meets all conditions; its files become one."""
        found = self.get(key)
        whole = self._reader.test_set(found)
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

    def preview(self, key: str) -> DraftPreview:
        """The campaign as far as it is declared, with everything that is wrong or missing."""
        return self._reader.preview(self.get(key))

    def create(self, key: str, *, author: str) -> Campaign:
        """Create the campaign and delete the draft; raises `InputError` with all problems."""
        found = self.get(key)
        preview = self._reader.preview(found)
        raise_problems(preview.problems)
        assert preview.definition is not None
        new = preview.definition.new_campaign(
            preview.kits, in_order(found.declaration), lambda name: self.file(key, name)
        )
        self._store.create(new, author=author, now=self._context.now(), draft=found)
        return self._store.campaign(new.name)

    def _change(
        self,
        key: str,
        redeclare: Callable[[dict[str, Any]], Mapping[str, Any]],
        *,
        put: Mapping[str, bytes] | None = None,
        drop: Collection[str] = (),
        after: int | None = None,
    ) -> CampaignDraft:
        return self._store.change_campaign_draft(
            key, redeclare, now=self._context.now(), put=put, drop=drop, after=after
        )

    def _put(
        self,
        found: CampaignDraft,
        put: Mapping[str, bytes],
        redeclare: Callable[[dict[str, Any]], Mapping[str, Any]],
        *,
        drop: Collection[str] = (),
    ) -> CampaignDraft:
        sizes = {one.name: one.size for one in found.files if one.name not in drop}
        check_sizes(sizes | {name: len(data) for name, data in put.items()}, put)
        return self._change(found.id, redeclare, put=put, drop=drop)

    def _name(self, found: CampaignDraft, name: str, own: Collection[str]) -> str:
        stored = {one.name for one in found.files}
        declared = {one for part in PARTS for one in roles_in(found.declaration.get(part))}
        declared |= {*declared_suggestions(found.declaration).files}
        missing = [one for one in own if one not in stored]
        return stored_name(name, own=own, missing=missing, taken=stored | declared)


def media_folder(declaration: Mapping[str, Any]) -> str:
    """The folder of media that a draft declares, or the default."""
    said = declaration.get("media")
    return said if isinstance(said, str) else MEDIA_FOLDER


def _inside(folder: str, name: str) -> str:
    """The name of a file within the folder of media, also where it was packed with that folder."""
    _, found, rest = f"/{name}".rpartition(f"/{folder.strip('/')}/")
    return rest if found else name


# What is declared of a test set besides its files.
DESCRIBED = ("columns", "source_language", "target_language")


def _guessed(content: dict[str, Any], part: Part, given: Roles, guess: FileGuess) -> dict[str, Any]:
    """The declaration with new files, and with what was guessed of them where nothing was said."""
    old = content.get(part)
    said = old if isinstance(old, Mapping) else {}
    languages = (
        str(said.get("source_language") or guess.source_language),
        str(said.get("target_language") or guess.target_language),
    )
    described = _described(content, part, guess.columns, languages)
    return _arranged(described, part, {**roles_in(content.get(part)), **given})


def _described(
    content: dict[str, Any],
    part: Part,
    columns: Mapping[str, Mapping[str, Role]] | None,
    languages: tuple[str, str] | None,
) -> dict[str, Any]:
    """The declaration with other columns and languages of a test set; None leaves them."""
    declared = arranged(roles_in(content.get(part)))
    old = content.get(part)
    said: dict[str, Any] = dict(old) if _is_map(old) else {"files": _listed(declared)}
    if columns is not None:
        told = {f: {h: role_text(role) for h, role in own.items()} for f, own in columns.items()}
        said["columns"] = {**(said.get("columns") or {}), **told}
    if languages is not None:
        said["source_language"], said["target_language"] = languages
    return {**content, part: {name: value for name, value in said.items() if value}}


def _arranged(content: dict[str, Any], part: Part, roles: Roles) -> dict[str, Any]:
    declared = arranged(roles)
    if declared is None:
        return {name: value for name, value in content.items() if name != part}
    old = content.get(part)
    described = {name: old[name] for name in DESCRIBED if old.get(name)} if _is_map(old) else {}
    if columns := {f: own for f, own in described.get("columns", {}).items() if f in roles and own}:
        described["columns"] = columns
    else:
        described.pop("columns", None)
    if described:
        files = declared if isinstance(declared, Mapping) else {"files": _listed(declared)}
        return {**content, part: {**files, **described}}
    return {**content, part: declared}


def _is_map(declared: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(declared, Mapping)


def _listed(declared: object) -> list[str]:
    """The files of a test set that is declared without roles."""
    if isinstance(declared, str):
        return [declared]
    return list(declared) if isinstance(declared, list | tuple) else []


# Bytes of a file, at most.
MAX_FILE_BYTES = 64 << 20
# Files of a draft, at most.
MAX_FILES = 500
# Bytes of all files of a draft, at most.
MAX_BYTES = 256 << 20
# Characters of a file's name, at most.
MAX_NAME = 200


def tidy_name(name: str) -> str:
    """A file name without parts that lead out of a folder; raises `InputError`."""
    steps = [step for step in name.replace("\\", "/").split("/") if step not in ("", ".", "..")]
    tidy = "/".join(steps)
    if not tidy or len(tidy) > MAX_NAME or not tidy.isprintable():
        raise input_error("this cannot be the name of a file", value=name, code="no-file-name")
    return tidy


def stored_name(
    name: str, *, own: Collection[str], missing: Collection[str], taken: Collection[str]
) -> str:
    """The name to store a file under: its own, or the one by which the declaration names it.

    A file replaces one of the same name in its own set (`own`), never one of another set.
    """
    tidy = tidy_name(name)
    if tidy in own:
        return tidy
    # A browser sends only the last part of a path that the declaration names in full.
    asked = [one for one in missing if one.endswith(f"/{tidy}") or tidy.endswith(f"/{one}")]
    if len(asked) == 1:
        return asked[0]
    return tidy if tidy not in taken else _another(tidy, taken)


def _another(name: str, taken: Collection[str]) -> str:
    path = PurePosixPath(name)
    numbered = (str(path.with_stem(f"{path.stem}-{n}")) for n in count(2))
    return next(one for one in numbered if one not in taken)


def check_sizes(sizes: Mapping[str, int], new: Collection[str]) -> None:
    """Raise `InputError` where new files are too large or too many; `sizes` are of all files."""
    problems = [
        Problem(
            message=f"the file has {sizes[name]:,} bytes; at most {MAX_FILE_BYTES:,} are allowed",
            file=name,
            value=MAX_FILE_BYTES,
            code="file-too-large",
        )
        for name in new
        if sizes[name] > MAX_FILE_BYTES
    ]
    if len(sizes) > MAX_FILES:
        message = f"there are {len(sizes)} files; at most {MAX_FILES} are allowed"
        problems.append(Problem(message=message, value=MAX_FILES, code="too-many-files"))
    if sum(sizes.values()) > MAX_BYTES:
        message = f"all files together have more than {MAX_BYTES:,} bytes"
        problems.append(Problem(message=message, value=MAX_BYTES, code="files-too-large"))
    raise_problems(problems)
