"""The start page: the list of campaigns."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from jurat.web.context import Visit
from jurat.web.display_preferences import save_preferences


async def start(request: Request) -> Response:
    """All campaigns; where there is only one, a redirect to it."""
    visit = Visit(request)
    names = [one.name for one in await visit.call(visit.service.campaigns.all)]
    if len(names) == 1:
        return RedirectResponse(f"/c/{quote(names[0])}/", status_code=303)
    plans = [await visit.call(visit.service.campaigns.plan, name) for name in names]
    return visit.render("start.html", plans=plans)


routes = [Route("/", start), Route("/look", save_preferences, methods=["POST"])]
