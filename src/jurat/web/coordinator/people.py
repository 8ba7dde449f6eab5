"""Who may see all campaigns: coordinators are added, given a new password, or kept out."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.coordinators import Pass
from jurat.faults import FaultyInput
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.judges import Renewed, refuse_renewed
from jurat.web.forms import sent_form
from jurat.web.sessions import stamp


@coordinators
async def show(desk: Desk) -> Response:
    """The coordinators; what a new one gets is shown this once."""
    if desk.request.method == "GET":
        return await _page(desk)
    form = await sent_form(desk)
    action, name = str(form.get("action", "")), str(form.get("name", ""))
    try:
        handed = await desk.call(_act, desk, action, name, form)
    except Renewed:
        words = desk.language.say("desk-renewed-already", pin=name)
        return await _page(desk, 409, problem=words)
    except FaultyInput as error:
        return await _page(
            desk, 422, problem=desk.told(error.faults[0], placed=False).words, name=name
        )
    return await _page(desk, handed=handed) if handed else desk.away("/desk/coordinators")


def _act(desk: Desk, action: str, name: str, form: FormData) -> Pass | None:
    people, author = desk.service.coordinators, desk.person.name
    if action == "add":
        return people.add(name, author=author)
    if action == "reset":
        refuse_renewed(people.by_name(name), form)
        return people.reset(name, author=author)
    if action in ("disable", "enable"):
        people.disable(name, author=author, disabled=action == "disable")
    return None


async def _page(
    desk: Desk, status: int = 200, *, handed: Pass | None = None, problem: str = "", name: str = ""
) -> Response:
    every = await desk.call(desk.service.coordinators.every)
    return desk.render(
        "desk/people.html",
        status,
        people=every,
        handed=handed,
        problem=problem,
        name=name,
        stamp=stamp,
    )


routes = [Route("/coordinators", show, methods=["GET", "POST"])]
