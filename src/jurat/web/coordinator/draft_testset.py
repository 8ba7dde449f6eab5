"""The first step of a draft: the files of the test set, their content and their problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.config import KINDS, roles_in
from jurat.campaigns.draft_preview import tag_values
from jurat.campaigns.drafts import PARTS
from jurat.campaigns.drafts import Part as SetPart
from jurat.deserialize import convert
from jurat.errors import Problem
from jurat.model import File
from jurat.testsets import Role, SetFile
from jurat.web.coordinator.draft import (
    UploadRefused,
    collect_faults,
    draft_id,
    draft_page,
    load_draft,
    receive_upload,
    redirect_to_draft,
)
from jurat.web.coordinator.form_fields import INTEGER, clean_line, read_line
from jurat.web.coordinator.page_context import StaffVisit, coordinators

Files = Sequence[File]
# A change of the draft, to be called in a thread. The form is read before, on the event loop,
# where a forged value is answered with 400.
Deed = Callable[[], object]


@coordinators
async def change(visit: StaffVisit) -> Response:
    """Handle the page's buttons: upload, remove, roles, selection."""
    try:
        form, files = await receive_upload(visit)
    except UploadRefused as error:
        return await _page(visit, error.status, problem=error.words)
    # all forms of the page are sent here; browsers include the name of the button pressed
    action = next((name for name in ACTIONS if name in form), None)
    if action is None:
        raise HTTPException(400)
    if action == "upload" and not files:
        return await _page(visit, 422, problem=visit.language.say("desk-no-file"))
    faults = await collect_faults(visit, ACTIONS[action](visit, form, files))
    return await _page(visit, 422, faults=faults) if faults else redirect_to_draft(visit, "set")


def _upload(visit: StaffVisit, form: FormData, files: Files) -> Deed:
    # one name cannot be that of several systems or references
    name = read_line(form, "role-name") if len(files) == 1 else ""
    role = _role(read_line(form, "role"), name)
    given = [SetFile(file.name, file.data, role) for file in files]
    return partial(visit.service.drafts.upload, draft_id(visit), _part(form), given)


def _assign(visit: StaffVisit, form: FormData, _: Files) -> Deed:
    """Set the roles of all files at once, since two of them may have been swapped."""
    part, kinds, names = _part(form), form.getlist("kind"), form.getlist("role-name")
    # the page sends the three for every file; a forged form may not
    given = zip(form.getlist("file"), kinds, names, strict=False)
    roles = {str(file): _role(clean_line(kind), clean_line(name)) for file, kind, name in given}
    return partial(visit.service.drafts.set_roles, draft_id(visit), part, roles)


def _remove(visit: StaffVisit, form: FormData, _: Files) -> Deed:
    return partial(visit.service.drafts.remove_file, draft_id(visit), str(form["remove"]))


def _narrow(visit: StaffVisit, form: FormData, _: Files) -> Deed:
    first = read_line(form, "first")
    return partial(
        visit.service.drafts.select,
        draft_id(visit),
        systems=_names(form, "systems") or None,
        documents=_names(form, "documents") or None,
        first=int(first) if INTEGER.fullmatch(first) else None,
        where=read_line(form, "where") or None,
    )


def _teach(visit: StaffVisit, form: FormData, _: Files) -> Deed:
    return partial(visit.service.drafts.make_tutorial, draft_id(visit), _names(form, "documents"))


def _humans(visit: StaffVisit, form: FormData, _: Files) -> Deed:
    chosen = {"human_references": _names(form, "references") or None}
    return partial(visit.service.drafts.set_fields, draft_id(visit), chosen)


ACTIONS: Mapping[str, Callable[[StaffVisit, FormData, Files], Deed]] = {
    "upload": _upload,
    "assign": _assign,
    "remove": _remove,
    "narrow": _narrow,
    "teach": _teach,
    "humans": _humans,
}


async def _page(
    visit: StaffVisit, status: int = 200, *, faults: Sequence[Problem] = (), problem: str = ""
) -> Response:
    """The files, a summary of the test set, and all problems."""
    found = await load_draft(visit)
    declared = found.stored.declaration
    sizes = {file.name: file.size for file in found.stored.files}
    test_sets = found.preview.sets
    return draft_page(
        visit,
        found,
        "set",
        status,
        refused=faults,
        problem=problem,
        faults=found.problems("set", asked=False),
        sets={part: roles_in(declared.get(part)) for part in PARTS},
        sizes=sizes,
        kinds=KINDS,
        test_sets=test_sets,
        # in a thread: it goes through all segments
        tags={name: await visit.call(tag_values, one) for name, one in test_sets.items()},
        humans=found.preview.plan.human_references,
    )


def _part(form: FormData) -> SetPart:
    part = read_line(form, "part")
    if part not in PARTS:
        raise HTTPException(400)
    return part


def _role(kind: str, name: str) -> Role | None:
    if kind not in ("", *KINDS):
        raise HTTPException(400)
    named = name if kind in ("reference", "system") else ""
    return convert({"kind": kind, "name": named}, Role) if kind else None


def _names(form: FormData, name: str) -> list[str]:
    return [str(one) for one in form.getlist(name)]


routes = [
    Route("/draft/{key}/set", coordinators(_page), methods=["GET"]),
    Route("/draft/{key}/set", change, methods=["POST"]),
]
