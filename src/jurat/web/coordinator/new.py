"""A new campaign: from a test set, from a campaign.yaml with its files, or as a copy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.preparing import PARTS, PROTOCOLS, Part, Preparations
from jurat.campaigns.sources import roles_in
from jurat.declarations import Declaration
from jurat.faults import Fault, FaultyInput
from jurat.formats import SetFile
from jurat.model import File
from jurat.store import Preparation
from jurat.web.coordinator.asking import written
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.drafts import NotReceived, faults_of, received


@coordinators
async def show(desk: Desk) -> Response:
    """The ways to begin."""
    return await _page(desk)


@coordinators
async def begin(desk: Desk) -> Response:
    """Begin with these files, or with nothing, or with what another campaign has."""
    try:
        form, files = await received(desk)
    except NotReceived as error:
        return await _page(desk, error.status, problem=error.words)
    campaign = written(form, "campaign")
    made: list[Preparation] = []

    def prepare() -> None:
        preparations, author = desk.service.preparations, desk.person.name
        if campaign:
            made.append(preparations.copy(campaign, author=author))
        else:
            made.append(begun(preparations, files, author=author))

    faults = await faults_of(desk, prepare)
    if faults:
        return await _page(desk, 422, faults=faults)
    return desk.away(f"/desk/draft/{made[0].id}/set")


def begun(preparations: Preparations, files: Sequence[File], *, author: str) -> Preparation:
    """A preparation with these files: a declaration among them says what the others are."""
    found = preparations.begin(author=author)
    try:
        return _filled(preparations, found, files)
    except FaultyInput:
        preparations.give_up(found.id, author=author)
        raise


def _filled(preparations: Preparations, found: Preparation, files: Sequence[File]) -> Preparation:
    declaring = next((file for file in files if _declares(file)), None)
    if declaring:
        found = preparations.adopt(found.id, declaring)
    others = [file for file in files if file is not declaring]
    named = {part: _names(roles_in(found.declaration.get(part))) for part in PARTS}
    sets: dict[Part, list[SetFile]] = {"test_set": [], "tutorial": []}
    for file in others:
        if file.name.endswith(PROTOCOLS) and not any(_name(file) in own for own in named.values()):
            preparations.upload_protocol(found.id, file)
        else:
            lesson = _name(file) in named["tutorial"] and _name(file) not in named["test_set"]
            sets["tutorial" if lesson else "test_set"].append(SetFile(file.name, file.data))
    for part, own in sets.items():
        if own:
            preparations.upload(found.id, part, own)
    return preparations.one(found.id)


def _declares(file: File) -> bool:
    """Whether a file declares a campaign: it is called so, or has tasks."""
    if _name(file) in ("campaign.yaml", "campaign.yml", "campaign.json"):
        return True
    if not file.name.endswith(PROTOCOLS):
        return False
    content = Declaration(file.data, file=file.name).content
    return isinstance(content, dict) and "tasks" in content


def _name(file: File) -> str:
    return PurePosixPath(file.name.replace("\\", "/")).name


def _names(roles: Iterable[str]) -> set[str]:
    return {PurePosixPath(name).name for name in roles}


async def _page(
    desk: Desk, status: int = 200, *, faults: Sequence[Fault] = (), problem: str = ""
) -> Response:
    campaigns = await desk.call(desk.service.store.campaigns)
    return desk.render("desk/new.html", status, campaigns=campaigns, faults=faults, problem=problem)


routes = [
    Route("/new", show, methods=["GET"]),
    Route("/new", begin, methods=["POST"]),
]
