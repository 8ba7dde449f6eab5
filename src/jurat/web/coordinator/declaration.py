"""The campaign.yaml of a preparation: shown, taken away, written anew; and giving it up."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import Route

from jurat.declarations import LARGEST
from jurat.faults import Fault
from jurat.model import File
from jurat.web.coordinator.access import DESK
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.drafts import STEPS, NotReceived, draft, faults_of, key, onward, received
from jurat.web.coordinator.export import as_file
from jurat.web.forms import sent_form

NAME = "campaign.yaml"


@coordinators
async def download(desk: Desk) -> Response:
    """What is declared so far, as a file."""
    await draft(desk)
    text = await desk.call(desk.service.preparations.declaration, key(desk))
    return as_file(text.encode(), NAME, "application/yaml")


@coordinators
async def show(desk: Desk) -> Response:
    """The same to be read, and to be written over."""
    return await _page(desk)


@coordinators
async def adopt(desk: Desk) -> Response:
    """Declare what a text or a file says, in the place of all that was declared."""
    try:
        form, files = await received(desk, files=1, largest=4 * LARGEST)
    except NotReceived as error:
        return await _page(desk, error.status, faults=[Fault(message=error.words)])
    text = str(form.get("text", "")).replace("\r\n", "\n")
    file = files[0] if files else File(NAME, text.encode(errors="replace"))
    faults = await faults_of(desk, desk.service.preparations.adopt, key(desk), file)
    if faults:
        return await _page(desk, 422, faults=faults, text=None if files else text)
    return onward(desk, "declaration")


@coordinators
async def give_up(desk: Desk) -> Response:
    """Ask once more, then forget it with its files."""
    if desk.request.method != "POST":
        return desk.render("desk/draft-give-up.html", draft=await draft(desk), steps=STEPS, step="")
    await sent_form(desk)
    await draft(desk)
    await desk.call(desk.service.preparations.give_up, key(desk), author=desk.person.name)
    return desk.away(DESK)


async def _page(
    desk: Desk, status: int = 200, *, faults: Sequence[Fault] = (), text: str | None = None
) -> Response:
    found = await draft(desk)
    declared = await desk.call(desk.service.preparations.declaration, key(desk))
    return desk.render(
        "desk/draft-declaration.html",
        status,
        draft=found,
        steps=STEPS,
        step="declaration",
        text=declared if text is None else text,
        refused=faults,
        faults=found.outlook.faults,
    )


routes = [
    Route("/draft/{key}/campaign.yaml", download, methods=["GET"]),
    Route("/draft/{key}/declaration", show, methods=["GET"]),
    Route("/draft/{key}/declaration", adopt, methods=["POST"]),
    Route("/draft/{key}/give-up", give_up, methods=["GET", "POST"]),
]
