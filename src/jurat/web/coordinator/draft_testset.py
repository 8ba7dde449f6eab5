"""The first step of a draft: the files of the test set, their content and their problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.config import COLUMN_KINDS, KINDS, role_of, roles_in
from jurat.campaigns.declared_suggestions import declared_suggestions
from jurat.campaigns.draft_preview import tag_values
from jurat.campaigns.drafts import PARTS
from jurat.campaigns.drafts import Part as SetPart
from jurat.campaigns.file_guess import CODES
from jurat.errors import InputError, Problem
from jurat.kits.media import media_type
from jurat.kits.suggestions import suggestion_counts
from jurat.model import File, TestSet
from jurat.store import CampaignDraftChanged, CampaignDraftFile, MediaFile
from jurat.testsets import Role, SetFile
from jurat.testsets.delimited import ColumnSample, sample_columns
from jurat.web.coordinator.draft import (
    Draft,
    UploadRefused,
    collect_faults,
    draft_id,
    draft_page,
    load_draft,
    next_page,
    receive_upload,
    redirect_to_draft,
)
from jurat.web.coordinator.form_fields import INTEGER, read_line
from jurat.web.coordinator.form_merge import Conflict
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.coordinator.set_form import before, save_set_changes, set_changes, set_values
from jurat.web.coordinator.uploaded_zip import unpacked
from jurat.web.media import media_response

# The inputs for files, and the test set that they are for.
INPUTS: Mapping[str, SetPart] = {"files": "test_set", "tutorial-files": "tutorial"}
# The input for files with errors that were marked beforehand.
SUGGESTIONS = "suggestion-files"
# Bytes of a table that are looked at for its columns.
TOP = 1 << 16
# A change of the draft, to be called in a thread. The form is read before, on the event loop,
# where a forged value is answered with 400.
Deed = Callable[[], object]


@coordinators
async def change(visit: StaffVisit) -> Response:
    """Save the form, and do what its button says: upload, remove, select, or go to a page.

    Every button saves what was entered; where somebody else has changed the same meanwhile, the
    page shows both with status 409.
    """
    try:
        form, files, inputs = await receive_upload(visit)
    except UploadRefused as error:
        return await _page(visit, error.status, problem=error.words)
    to = next_page(form, "set")
    loaded = await load_draft(visit)
    refusal = await _save(visit, form)
    if refusal:
        return refusal
    action = next((name for name in ACTIONS if name in form), None)
    if "upload" in form and not files:
        return await _page(visit, 422, problem=visit.language.say("desk-no-file"))
    # a selection is made from what the page showed
    edition = read_line(form, "edition")
    if action and edition and edition != str(loaded.stored.edition):
        problem = visit.language.say("desk-conflict-set")
        return await _page(visit, 409, problem=problem, chosen=form)
    faults = await collect_faults(visit, _uploaded(visit, files, inputs)) if files else ()
    if not faults and action:
        faults = await collect_faults(visit, ACTIONS[action](visit, form))
    if faults:
        return await _page(visit, 422, faults=faults, chosen=form)
    return redirect_to_draft(visit, to)


async def _save(visit: StaffVisit, form: FormData) -> Response | None:
    """Save what the form says about files and languages; else the page that says why not."""
    while True:
        found = await load_draft(visit)
        try:
            changes = set_changes(form, found.stored)
        except InputError as error:
            raise HTTPException(400) from error
        if changes.conflicts:
            return await _page(
                visit, 409, entered=changes.entered, conflicts=changes.conflicts, chosen=form
            )
        if not changes.values:
            return None
        save = partial(save_set_changes, visit.service.drafts, found.stored, changes.values)
        try:
            faults = await collect_faults(visit, save)
        # somebody else was quicker: their change is looked at before ours is made
        except CampaignDraftChanged:
            continue
        if faults:
            return await _page(visit, 422, faults=faults, entered=changes.entered, chosen=form)
        return None


def _uploaded(visit: StaffVisit, files: Sequence[File], inputs: Sequence[str]) -> Deed:
    def upload() -> None:
        for name, part in INPUTS.items():
            own = [file for file, given in zip(files, inputs, strict=True) if given == name]
            sent = [SetFile(file.name, file.data) for file in unpacked(own)]
            if sent:
                visit.service.drafts.upload(draft_id(visit), part, sent)
        marked = [file for file, given in zip(files, inputs, strict=True) if given == SUGGESTIONS]
        if marked:
            visit.service.drafts.upload_suggestions(draft_id(visit), marked)

    return upload


def _remove(visit: StaffVisit, form: FormData) -> Deed:
    return partial(visit.service.drafts.remove_file, draft_id(visit), str(form["remove"]))


def _narrow(visit: StaffVisit, form: FormData) -> Deed:
    first = read_line(form, "first")
    return partial(
        visit.service.drafts.select,
        draft_id(visit),
        systems=_names(form, "systems") or None,
        documents=_names(form, "documents") or None,
        first=int(first) if INTEGER.fullmatch(first) else None,
        where=read_line(form, "where") or None,
    )


def _teach(visit: StaffVisit, form: FormData) -> Deed:
    return partial(visit.service.drafts.make_tutorial, draft_id(visit), _names(form, "documents"))


ACTIONS: Mapping[str, Callable[[StaffVisit, FormData], Deed]] = {
    "remove": _remove,
    "narrow": _narrow,
    "teach": _teach,
}


class FileRow(NamedTuple):
    """A file of a test set as the page shows it."""

    name: str
    field: str
    """The name of the input for its role."""
    role: Role | None
    size: int | None
    """Bytes; None if the file was not uploaded yet."""
    columns: list[tuple[str, ColumnSample, Role | None]]
    """The columns of a table that need a role: the name of the input, the column, and the role."""


async def _page(
    visit: StaffVisit,
    status: int = 200,
    *,
    faults: Sequence[Problem] = (),
    problem: str = "",
    entered: Mapping[str, str] | None = None,
    conflicts: Sequence[Conflict] = (),
    chosen: FormData | None = None,
) -> Response:
    """The files, a summary of the test set, and all problems.

    `entered` and `chosen` are what was entered and not saved, which the page shows again.
    """
    found = await load_draft(visit)
    values = set_values(found.stored)
    shown = {**values, **(entered or {})}
    test_sets = found.preview.sets
    rows = {part: await visit.call(_rows, visit, found, part, shown) for part in PARTS}
    return draft_page(
        visit,
        found,
        "set",
        status,
        refused=faults,
        conflicts=conflicts,
        problem=problem,
        faults=found.problems("set", asked=False),
        sets=rows,
        shown=shown,
        # columns that nobody has given a role yet are part of the form as well
        before=before({**_column_fields(rows), **values}),
        chosen=chosen or FormData(),
        kinds=[*KINDS],
        column_kinds=[*COLUMN_KINDS],
        test_sets=test_sets,
        one_document=_is_one_document(found, test_sets.get("test_set")),
        spoken=_languages(visit, shown),
        # in a thread: it goes through all segments
        tags={name: await visit.call(tag_values, one) for name, one in test_sets.items()},
        humans=found.preview.plan.human_references,
        media=_media(found),
        suggestions=_suggestions(found),
        suggested={name: await visit.call(suggestion_counts, s) for name, s in test_sets.items()},
    )


def _is_one_document(found: Draft, test_set: TestSet | None) -> bool:
    """Whether text files by the line are taken for one document, for want of a file that says."""
    roles = roles_in(found.stored.declaration.get("test_set"))
    kinds = {role and role.kind for role in roles.values()}
    by_line = None not in kinds and "documents" not in kinds
    return by_line and test_set is not None and len(test_set.documents) == 1


def _suggestions(found: Draft) -> list[tuple[str, int | None]]:
    """The declared files of suggestions with their sizes; None where one is not uploaded yet."""
    sizes = {file.name: file.size for file in found.stored.files}
    names = declared_suggestions(found.stored.declaration).files
    return [(name, sizes.get(name)) for name in names]


def _media(found: Draft) -> list[CampaignDraftFile]:
    """The uploaded videos, recordings and images."""
    return [one for one in found.stored.files if media_type(one.name)]


@coordinators
async def show_media(visit: StaffVisit) -> Response:
    """An uploaded video, recording or image, for the preview of a task."""
    found = await load_draft(visit)
    digest = visit.request.path_params["digest"]
    file = next((one for one in _media(found) if one.digest == digest), None)
    if file is None:
        raise HTTPException(404)
    content: File = await visit.call(visit.service.drafts.file, found.stored.id, file.name)

    async def read(start: int, end: int) -> bytes:
        return content.data[start:end]

    kind = media_type(file.name)
    described = MediaFile(name=file.name, digest=digest, type=kind, size=file.size)
    return media_response(visit, described, read)


def _rows(
    visit: StaffVisit, found: Draft, part: SetPart, shown: Mapping[str, str]
) -> list[FileRow]:
    sizes = {file.name: file.size for file in found.stored.files}
    rows = []
    for name in roles_in(found.stored.declaration.get(part)):
        field = f"role:{part}:{name}"
        said = shown.get(field, "")
        columns = _columns(visit, part, name, shown) if name in sizes and not said else []
        role = role_of(said) if said else None
        rows.append(FileRow(name, field, role, sizes.get(name), columns))
    return rows


def _columns(
    visit: StaffVisit, part: SetPart, name: str, shown: Mapping[str, str]
) -> list[tuple[str, ColumnSample, Role | None]]:
    data = visit.service.drafts.file(draft_id(visit), name).data[:TOP]
    found = []
    for column in sample_columns(SetFile(name, data)):
        field = f"column:{part}:{name}:{column.heading}"
        said = shown.get(field, "")
        # most tables say by their headings what they hold: nothing is asked about these
        if column.holds is None or said:
            found.append((field, column, role_of(said) if said else None))
    return found


def _column_fields(rows: Mapping[SetPart, Sequence[FileRow]]) -> dict[str, str]:
    return {field: "" for own in rows.values() for row in own for field, _, _ in row.columns}


def _languages(visit: StaffVisit, shown: Mapping[str, str]) -> dict[str, str]:
    """Languages to choose from, by code, in the order of their names."""
    names = visit.language.locale.languages
    said = {text for field, text in shown.items() if "_language:" in field and text}
    # a code that nobody knows by name helps nobody, unless a file states it
    known = {code: str(names.get(code, code)) for code in (CODES & names.keys()) | said}
    return dict(sorted(known.items(), key=lambda one: one[1].casefold()))


def _names(form: FormData, name: str) -> list[str]:
    return [str(one) for one in form.getlist(name)]


routes = [
    Route("/draft/{key}/set", coordinators(_page), methods=["GET"]),
    Route("/draft/{key}/set", change, methods=["POST"]),
    Route("/draft/{key}/media/{digest}", show_media, methods=["GET"]),
]
