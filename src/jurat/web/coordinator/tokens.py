"""Tokens of the HTTP API: a coordinator makes them here, sees each once, and revokes them."""

from __future__ import annotations

from contextlib import suppress

from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.api_tokens import DAYS, MOST_DAYS, SCOPES, NewToken
from jurat.errors import InputError
from jurat.store import NoSuchToken
from jurat.web.coordinator.form_fields import read_line
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import sent_form


@coordinators
async def show(visit: StaffVisit) -> Response:
    """The list of tokens, with a form for a new one."""
    return await _page(visit)


@coordinators
async def change(visit: StaffVisit) -> Response:
    """Make a token, whose secret is in this response only, or revoke one."""
    form = await sent_form(visit)
    tokens, person = visit.service.api_tokens, visit.person.name
    if form.get("action") == "revoke":
        # one that does not exist needs not be revoked
        with suppress(NoSuchToken):
            await visit.call(tokens.revoke, read_line(form, "token"), author=person)
        return visit.redirect_to(f"{visit.site.desk}tokens")
    said = read_line(form, "days")
    days = int(said) if said.isdecimal() and len(said) < 5 else 0
    name, scopes = read_line(form, "name"), [str(one) for one in form.getlist("scope")]
    try:
        made = await visit.call(tokens.add, person, name, scopes, author=person, days=days)
    except InputError as error:
        told = visit.problem_message(error.problems[0], placed=False).words
        return await _page(visit, 422, problem=told, name=name)
    # no redirect, since the secret exists only in this response
    return await _page(visit, made=made)


async def _page(
    visit: StaffVisit,
    status: int = 200,
    *,
    made: NewToken | None = None,
    problem: str = "",
    name: str = "",
) -> Response:
    every = await visit.call(visit.service.api_tokens.all)
    return visit.render(
        "coordinator/tokens.html",
        status,
        tokens=[(one, visit.service.api_tokens.works(one)) for one in every],
        made=made,
        problem=problem,
        name=name,
        scopes=SCOPES,
        days=DAYS,
        most=MOST_DAYS,
    )


routes = [
    Route("/tokens", show, methods=["GET"]),
    Route("/tokens", change, methods=["POST"]),
]
