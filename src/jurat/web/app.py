"""The application: routes, and one place where errors become words."""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from jurat.campaigns import Service
from jurat.campaigns.running import NotAccepted, NotOffered, WrongRole
from jurat.campaigns.watching.mail import Post
from jurat.faults import FaultyInput
from jurat.store import NoSuchCampaign, NotYours
from jurat.web.adjudicator import routes as adjudicator_routes
from jurat.web.application import Application
from jurat.web.coordinator import routes as coordinator_routes
from jurat.web.coordinator import site_routes
from jurat.web.judge import routes as judge_routes
from jurat.web.judge.api import OUT_OF_ORDER
from jurat.web.security import SecureHeaders, secured
from jurat.web.site import Site, Visit, edition, static_files, stay
from jurat.web.start import routes as start_routes

FOR_EVER = "public, max-age=31536000, immutable"
SAID = {403: "form-expired", 404: "not-found", 405: "not-found", 413: "too-long"}
"""What a person reads when a request is refused, by status."""

IN_A_CAMPAIGN = [
    *judge_routes,
    Mount("/desk", app=Router(coordinator_routes, redirect_slashes=False)),
    Mount("/cases", app=Router(adjudicator_routes, redirect_slashes=False)),
]
Handler = Callable[[Request, Exception], Response]


def create_app(
    service: Service,
    *,
    secure: bool = False,
    post: Post | None = None,
    settle: Callable[[], None] = stay,
) -> Starlette:
    """The web application over a service; `secure` where it is reached by HTTPS."""
    app = Application(
        routes=[
            Route("/c/{campaign}", enter),
            Mount("/c/{campaign}", app=Known(Router(IN_A_CAMPAIGN, redirect_slashes=False))),
            Mount("/desk", app=Router(site_routes, redirect_slashes=False)),
            *start_routes,
            Route("/static/{edition}/{name:path}", static),
            Route("/healthy", healthy),
        ],
        middleware=[Middleware(SecureHeaders, secure=secure)],
        exception_handlers={
            HTTPException: _http_error,
            FaultyInput: _telling(422, "not-possible"),
            WrongRole: _telling(403, "no-judge"),
            NotOffered: _telling(403, "not-offered"),
            NotAccepted: _telling(403, "not-accepted"),
            **dict.fromkeys((NoSuchCampaign, NotYours), _telling(404, "not-found")),
            **dict.fromkeys(OUT_OF_ORDER, _telling(503, "busy")),
            Exception: _broken,
        },
        lifespan=_lifespan,
    )
    # a redirect of the router's own would name the host that the request named
    app.router.redirect_slashes = False
    app.state.site = Site(service, secure=secure, post=post, settle=settle)
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Leave no process behind."""
    yield
    await run_in_threadpool(app.state.site.live.close)


class Known:
    """Looks a campaign up before anything is asked of it, beside the event loop.

    That is done once, and from then on every second or so, to see whether it has changed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on that is about a campaign that there is."""
        # not every sign can be asked of a database
        if not scope["path"].isprintable():
            raise HTTPException(404)
        site: Site = scope["app"].state.site
        await site.look_up(scope["path_params"]["campaign"])
        await self._app(scope, receive, send)


async def enter(request: Request) -> Response:
    """A campaign's address as people write it down, without the last stroke."""
    return RedirectResponse(f"/c/{quote(request.path_params['campaign'])}/", status_code=303)


async def static(request: Request) -> Response:
    """A script or a style; under the address of this edition it never changes."""
    name = request.path_params["name"]
    content = static_files().get(name)
    if content is None:
        raise HTTPException(404)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    current = request.path_params["edition"] == edition()
    headers = {"Cache-Control": FOR_EVER if current else "no-cache"}
    if name == "offline.js":
        headers["Service-Worker-Allowed"] = "/"
    return Response(content, media_type=kind, headers=headers)


async def healthy(request: Request) -> Response:
    """Whether the server can reach its store; for whoever watches over it."""
    visit = Visit(request)
    await visit.call(visit.service.store.campaigns)
    return PlainTextResponse("ok")


def wants_json(request: Request) -> bool:
    """Whether a script asks; people get pages."""
    return "/api/" in request.scope["path"]


def _error(request: Request, status: int, key: str) -> Response:
    """What went wrong, in the visitor's language; what the core said of it stays here."""
    visit = Visit(request)
    message = visit.language.say(key)
    if wants_json(request):
        return JSONResponse({"error": key, "message": message}, status)
    return visit.render("error.html", status, message=message)


def _telling(status: int, key: str) -> Handler:
    return lambda request, _: _error(request, status, key)


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = _error(request, error.status_code, SAID.get(error.status_code, "error"))
    response.headers.update(error.headers or {})
    return response


def _broken(request: Request, _: Exception) -> Response:
    """A mistake of ours: the log has it, the reader is spared it."""
    response = _error(request, 500, "broken")
    # this answer is given outside of everything else, also of what adds the headers
    secure = request.app.state.site.secure
    response.raw_headers = secured(response.raw_headers, secure=secure)
    return response
