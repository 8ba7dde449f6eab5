"""Messages to judges, who read them on their overview, and what judges wrote themselves."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.messages import LONGEST
from jurat.errors import InputError
from jurat.store import NoSuchMessage
from jurat.web.coordinator.form_fields import read_paragraphs
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import sent_form


@coordinators
async def send(visit: StaffVisit) -> Response:
    """Send a message to a judge or to all; what cannot be sent is shown again with the reason."""
    form = await sent_form(visit)
    to, text = str(form.get("to", "")), read_paragraphs(form, "text")
    author = visit.person.name
    try:
        await visit.call(visit.service.messages.send, visit.campaign, text, author=author, pin=to)
    except InputError as error:
        said = visit.problem_message(error.problems[0], placed=False).words
        return await _page(visit, 422, to=to, text=text, problem=said)
    return visit.redirect_to_page("messages")


@coordinators
async def withdraw(visit: StaffVisit) -> Response:
    """Show a message to nobody any more."""
    form = await sent_form(visit)
    message, author = str(form.get("message", "")), visit.person.name
    try:
        await visit.call(visit.service.messages.withdraw, visit.campaign, message, author=author)
    except NoSuchMessage as error:
        raise HTTPException(404) from error
    return visit.redirect_to_page("messages")


async def _page(
    visit: StaffVisit, status: int = 200, *, to: str = "", text: str = "", problem: str = ""
) -> Response:
    """The form for a message, and all that were sent in either direction."""
    accounts = await visit.call(visit.service.accounts.all, visit.campaign)
    return visit.render(
        "coordinator/messages.html",
        status,
        judges=[one for one in accounts if one.role == "judge" and not one.disabled],
        messages=await visit.call(visit.service.messages.all, visit.campaign),
        received=await visit.call(visit.service.messages.from_judges, visit.campaign),
        to=to or visit.request.query_params.get("to", ""),
        text=text,
        problem=problem,
        longest=LONGEST,
    )


routes = [
    Route("/messages", coordinators(_page), methods=["GET"]),
    Route("/messages", send, methods=["POST"]),
    Route("/messages/withdraw", withdraw, methods=["POST"]),
]
