"""The first step of a preparation: files of the test set, what is in them, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.preparing import PARTS
from jurat.campaigns.preparing import Part as SetPart
from jurat.campaigns.sources import KINDS, Roles, arranged, roles_in
from jurat.conversion import convert
from jurat.faults import Fault
from jurat.formats import Role, SetFile
from jurat.model import File
from jurat.web.coordinator.asking import WHOLE, tidy, written
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.drafts import NotReceived, draft, faults_of, key, onward, page, received

Files = Sequence[File]
Deed = Callable[[], object]
"""What is to be done beside the event loop."""


@coordinators
async def show(desk: Desk) -> Response:
    """The files, what they amount to, and everything that is wrong with them."""
    return await _page(desk)


@coordinators
async def change(desk: Desk) -> Response:
    """Do what a button says."""
    try:
        form, files = await received(desk)
    except NotReceived as error:
        return await _page(desk, error.status, problem=error.words)
    action = next((name for name in ACTIONS if name in form), None)
    if action is None:
        raise HTTPException(400)
    if action == "upload" and not files:
        return await _page(desk, 422, problem=desk.language.say("desk-no-file"))
    faults = await faults_of(desk, ACTIONS[action](desk, form, files))
    return await _page(desk, 422, faults=faults) if faults else onward(desk, "set")


def _upload(desk: Desk, form: FormData, files: Files) -> Deed:
    name = written(form, "role-name") if len(files) == 1 else ""
    role = _role(written(form, "role"), name)
    given = [SetFile(file.name, file.data, role) for file in files]
    return partial(desk.service.preparations.upload, key(desk), _part(form), given)


def _assign(desk: Desk, form: FormData, _: Files) -> Deed:
    """All files of a set at once: two may have changed their roles with each other."""
    part, kinds, names = _part(form), form.getlist("kind"), form.getlist("role-name")
    given = zip(form.getlist("file"), kinds, names, strict=False)
    roles = {str(file): _role(tidy(kind), tidy(name)) for file, kind, name in given}
    preparations = desk.service.preparations

    def assign() -> None:
        known = roles_in(preparations.one(key(desk)).declaration.get(part))
        kept: Roles = {file: roles.get(file, role) for file, role in known.items()}
        preparations.declare(key(desk), {part: arranged(kept)})

    return assign


def _remove(desk: Desk, form: FormData, _: Files) -> Deed:
    return partial(desk.service.preparations.remove, key(desk), str(form["remove"]))


def _narrow(desk: Desk, form: FormData, _: Files) -> Deed:
    first = written(form, "first")
    return partial(
        desk.service.preparations.narrow,
        key(desk),
        systems=_names(form, "systems") or None,
        documents=_names(form, "documents") or None,
        first=int(first) if WHOLE.fullmatch(first) else None,
        where=written(form, "where") or None,
    )


def _teach(desk: Desk, form: FormData, _: Files) -> Deed:
    return partial(desk.service.preparations.take_tutorial, key(desk), _names(form, "documents"))


def _humans(desk: Desk, form: FormData, _: Files) -> Deed:
    chosen = {"human_references": _names(form, "references") or None}
    return partial(desk.service.preparations.declare, key(desk), chosen)


ACTIONS: Mapping[str, Callable[[Desk, FormData, Files], Deed]] = {
    "upload": _upload,
    "assign": _assign,
    "remove": _remove,
    "narrow": _narrow,
    "teach": _teach,
    "humans": _humans,
}


async def _page(
    desk: Desk, status: int = 200, *, faults: Sequence[Fault] = (), problem: str = ""
) -> Response:
    found = await draft(desk)
    declared = found.preparation.declaration
    sizes = {file.name: file.size for file in found.preparation.files}
    return page(
        desk,
        found,
        "set",
        status,
        refused=faults,
        problem=problem,
        faults=found.faults("set", asked=False),
        sets={part: roles_in(declared.get(part)) for part in PARTS},
        sizes=sizes,
        kinds=KINDS,
        summaries=await desk.call(lambda: found.outlook.summaries),
        humans=found.outlook.plan.human_references,
    )


def _part(form: FormData) -> SetPart:
    part = written(form, "part")
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
    Route("/draft/{key}/set", show, methods=["GET"]),
    Route("/draft/{key}/set", change, methods=["POST"]),
]
