"""The start page: which evaluations there are."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from jurat.web.looks import look
from jurat.web.site import Visit


async def start(request: Request) -> Response:
    """The open evaluations; a single one opens by itself."""
    visit = Visit(request)
    names = [one.name for one in await visit.call(visit.service.store.campaigns)]
    if len(names) == 1:
        return RedirectResponse(f"/c/{quote(names[0])}/", status_code=303)
    plans = [await visit.call(visit.service.plan, name) for name in names]
    return visit.render("start.html", plans=plans)


routes = [Route("/", start), Route("/look", look, methods=["POST"])]
