"""Pages of the whole site: start page, display preferences, static files, health check."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from jurat.campaigns import Service
from jurat.campaigns.config import CampaignPlan
from jurat.i18n import languages
from jurat.store import StoreFault
from jurat.web.context import LANGUAGE, SHADING, TEXT_SIZE, TEXT_SIZES, Visit, edition, static_files
from jurat.web.forms import sent_form

YEAR = 31_536_000
FOR_EVER = f"public, max-age={YEAR}, immutable"


async def start(request: Request) -> Response:
    """Campaigns that anybody may join; where there is only one campaign, a redirect to it.

    Others are found by the address on a login slip, so that strangers do not learn of them.
    """
    visit = Visit(request)
    names = [one.name for one in await visit.call(visit.service.campaigns.all)]
    if len(names) == 1:
        return RedirectResponse(visit.site.campaign_path(names[0]), status_code=303)
    open_ = await visit.call(_open_plans, visit.service, names)
    return visit.render("start.html", plans=open_, others=len(names) > len(open_))


def _open_plans(service: Service, names: Sequence[str]) -> list[CampaignPlan]:
    """The campaigns with registration, or with a tutorial for guests."""
    plans = map(service.campaigns.plan, names)
    return [plan for plan in plans if plan.registration or service.guests.tasks(plan.name)]


async def save_preferences(request: Request) -> Response:
    """Store preferences in cookies, for all campaigns in this browser, and go back."""
    visit = Visit(request)
    form = await sent_form(visit)
    back = str(form.get("back", ""))
    # Only our own pages: a crafted form must not redirect to another site. Browsers read // as the
    # start of a host and a backslash as a slash; tabs and line breaks, which they would drop, are
    # quoted by RedirectResponse.
    own = back.startswith(visit.path) and not back.startswith("//") and "\\" not in back
    response = RedirectResponse(back if own else visit.path, status_code=303)
    known = {LANGUAGE: languages(), SHADING: ("on", "off"), TEXT_SIZE: TEXT_SIZES}
    for name, allowed in known.items():
        if form.get(name) in allowed:
            response.set_cookie(
                name,
                str(form[name]),
                max_age=YEAR,
                path=f"{visit.site.root_path}/",
                secure=visit.site.secure,
                httponly=True,
                samesite="lax",
            )
    return response


async def enter(request: Request) -> Response:
    """Redirect an address without the trailing slash, as people write it down."""
    site = Visit(request).site
    return RedirectResponse(site.campaign_path(request.path_params["campaign"]), status_code=303)


async def static(request: Request) -> Response:
    """A static file; browsers may cache it for ever if the address has the current edition."""
    name = request.path_params["name"]
    # a lookup in a dict, not in the file system: no name leads out of the folder
    content = static_files().get(name)
    if content is None:
        raise HTTPException(404)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    current = request.path_params["edition"] == edition()
    # A page loaded before an update still names the former edition and gets the present file; kept
    # for ever at that address, it would be wrong if the update were undone.
    headers = {"Cache-Control": FOR_EVER if current else "no-cache"}
    if name == "service_worker.js":
        # by default, a service worker only serves pages below its own folder
        headers["Service-Worker-Allowed"] = "/"
    return Response(content, media_type=kind, headers=headers)


async def healthy(request: Request) -> Response:
    """The health check: `ok` if the store can be written, otherwise 503 with the reason."""
    visit = Visit(request)
    return await _checked(visit, visit.site.health.check_writable)


async def ready(request: Request) -> Response:
    """Whether a proxy may send requests here: `ok` if the store can be read, otherwise 503."""
    visit = Visit(request)
    return await _checked(visit, visit.service.check_readable)


async def _checked(visit: Visit, check: Callable[[], None]) -> Response:
    try:
        await visit.call(check)
    except StoreFault as fault:
        visit.site.store_errors.note(fault)
        # the kind alone: the message may name the server's files
        return PlainTextResponse(type(fault).__name__, 503)
    return PlainTextResponse("ok")


routes = [
    Route("/", start),
    Route("/look", save_preferences, methods=["POST"]),
    Route("/c/{campaign}", enter),
    Route("/static/{edition}/{name:path}", static),
    Route("/healthy", healthy),
    Route("/ready", ready),
]
