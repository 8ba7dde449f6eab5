"""The application: its routes, and the one place where errors become responses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jurat.campaigns import Service
from jurat.campaigns.context import NotAccepted, NotOffered, WrongRole
from jurat.errors import InputError
from jurat.store import NoSuchCampaign, NotYours
from jurat.web.context import Site, Visit, stay
from jurat.web.judge import routes as judge_routes
from jurat.web.judge.script_api import OUT_OF_ORDER, decide
from jurat.web.security import secured
from jurat.web.site_pages import routes as site_routes

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.mail import MailServer

# Status and key of the text for each exception; an exception of a subclass uses that of its base.
TOLD: dict[type[Exception], tuple[int, str]] = {
    InputError: (422, "not-possible"),
    WrongRole: (403, "no-judge"),
    NotOffered: (403, "not-offered"),
    NotAccepted: (403, "not-accepted"),
    **dict.fromkeys((NoSuchCampaign, NotYours), (404, "not-found")),
    **dict.fromkeys(OUT_OF_ORDER, (503, "busy")),
    Exception: (500, "broken"),
}
# Key of the text for HTTP errors by status.
TOLD_BY_STATUS = {403: "form-expired", 404: "not-found", 405: "not-found", 413: "too-long"}


class Deferred:
    """Routes of a package that is imported when the first of its pages is asked for.

    Most of what a server imports is for coordinators; judges need not wait for that at its start.
    """

    def __init__(self, package: str, name: str = "routes") -> None:
        self._package = package
        self._name = name
        self._router: Router | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the routes."""
        if self._router is None:
            package = await run_in_threadpool(import_module, self._package)
            self._router = Router(getattr(package, self._name), redirect_slashes=False)
        await self._router(scope, receive, send)


IN_A_CAMPAIGN = [
    # also here, so that other methods are answered with 405 and not with 404
    Route("/api/decide", decide, methods=["POST"]),
    *judge_routes,
    Mount("/desk", app=Deferred("jurat.web.coordinator")),
    Mount("/cases", app=Deferred("jurat.web.adjudicator")),
]


class Application(Starlette):
    """Router and middleware; every request goes through both."""

    def __init__(self, site: Site) -> None:
        super().__init__(routes=ROUTES, lifespan=_lifespan)
        # a redirect of the router's own would name the host that the request named
        self.router.redirect_slashes = False
        self.state.site = site

    def build_middleware_stack(self) -> ASGIApp:
        """One layer around the router.

        It stands for the three that Starlette has by default, which would cost a decision a tenth
        more of the processor's time.
        """
        return Responses(self.router, secure=self.state.site.secure)


def create_app(
    service: Service,
    *,
    secure: bool = False,
    mail_server: MailServer | None = None,
    settle: Callable[[], None] = stay,
) -> Application:
    """The web application over a service; `secure` where it is reached by HTTPS."""
    return Application(Site(service, secure=secure, mail_server=mail_server, settle=settle))


class Responses:
    """ASGI middleware: adds security headers to every response and turns exceptions into pages."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; unexpected exceptions are answered with 500 and raised for the log."""
        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = secured(message["headers"], secure=self._secure)
            await send(message)

        try:
            await self._app(scope, receive, with_headers)
        except ClientDisconnect:
            return  # the browser has closed the connection
        except Exception as error:
            # once the status is sent, no other response can be; a lifespan event has none at all
            if started or scope["type"] != "http":
                raise
            response = await run_in_threadpool(_told, Request(scope), error)
            await response(scope, receive, with_headers)
            if response.status_code == 500:
                raise


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Stop the worker process together with the server."""
    yield
    await run_in_threadpool(app.state.site.service.monitoring.close)


class Known:
    """ASGI middleware: loads a campaign before its pages are served; 404 if there is none.

    It is loaded in a thread, once, and again every second or so in case it has changed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests about existing campaigns."""
        # PostgreSQL raises an error for zero bytes and lone surrogates in a query
        if not scope["path"].isprintable():
            raise HTTPException(404)
        site: Site = scope["app"].state.site
        await site.look_up(scope["path_params"]["campaign"])
        await self._app(scope, receive, send)


def _answer(handler: Callable[[Request], Awaitable[Response]]) -> ASGIApp:
    """A handler as an ASGI application, without the error handling that Starlette would add."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handler(Request(scope, receive))
        await response(scope, receive, send)

    return app


def wants_json(request: Request) -> bool:
    """Whether the request comes from a script, which gets JSON, and not from a person."""
    return "/api/" in request.scope["path"]


def _told(request: Request, error: Exception) -> Response:
    """The response to an exception, in the visitor's language; its own message is not shown."""
    headers: Mapping[str, str] = {}
    if isinstance(error, HTTPException):
        status, key = error.status_code, TOLD_BY_STATUS.get(error.status_code, "error")
        headers = error.headers or {}
    else:
        status, key = next(TOLD[kind] for kind in type(error).__mro__ if kind in TOLD)
    visit = Visit(request)
    message = visit.language.say(key)
    response: Response
    if wants_json(request):
        response = JSONResponse({"error": key, "message": message}, status)
    else:
        response = visit.render("error.html", status, message=message)
    response.headers.update(headers)
    return response


ROUTES = [
    # routes are tried one after the other, so the most frequent request comes first
    Route("/c/{campaign}/api/decide", Known(_answer(decide)), methods=["POST"]),
    Mount("/c/{campaign}", app=Known(Router(IN_A_CAMPAIGN, redirect_slashes=False))),
    Mount("/desk", app=Deferred("jurat.web.coordinator", "site_routes")),
    *site_routes,
]
