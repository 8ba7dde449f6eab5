"""Who may see all campaigns: coordinators are added, given a new password, or kept out."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.coordinators import Pass
from jurat.errors import InputError
from jurat.web.coordinator.judges import PasswordChanged, refuse_changed_password
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import sent_form
from jurat.web.sessions import stamp


@coordinators
async def show(visit: StaffVisit) -> Response:
    """The coordinators; what a new one gets is shown this once."""
    if visit.request.method == "GET":
        return await _page(visit)
    form = await sent_form(visit)
    action, name = str(form.get("action", "")), str(form.get("name", ""))
    try:
        handed = await visit.call(_act, visit, action, name, form)
    except PasswordChanged:
        words = visit.language.say("desk-renewed-already", pin=name)
        return await _page(visit, 409, problem=words)
    except InputError as error:
        return await _page(
            visit,
            422,
            problem=visit.problem_message(error.problems[0], placed=False).words,
            name=name,
        )
    return await _page(visit, handed=handed) if handed else visit.redirect_to("/desk/coordinators")


def _act(visit: StaffVisit, action: str, name: str, form: FormData) -> Pass | None:
    people, author = visit.service.coordinators, visit.person.name
    if action == "add":
        return people.add(name, author=author)
    if action == "reset":
        refuse_changed_password(people.by_name(name), form)
        return people.reset(name, author=author)
    if action in ("disable", "enable"):
        people.disable(name, author=author, disabled=action == "disable")
    return None


async def _page(
    visit: StaffVisit,
    status: int = 200,
    *,
    handed: Pass | None = None,
    problem: str = "",
    name: str = "",
) -> Response:
    every = await visit.call(visit.service.coordinators.all)
    return visit.render(
        "coordinator/coordinators.html",
        status,
        people=every,
        handed=handed,
        problem=problem,
        name=name,
        stamp=stamp,
    )


routes = [Route("/coordinators", show, methods=["GET", "POST"])]
