"""The application: its routes and middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from jurat.campaigns import Service
from jurat.web.context import Site, stay
from jurat.web.error_responses import ErrorResponses
from jurat.web.judge import routes as judge_routes
from jurat.web.judge.script_api import decide
from jurat.web.site_pages import routes as site_routes

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.mail import MailServer


class Deferred:
    """Routes of a package that is imported when the first of its pages is asked for.

    Much of what a server imports is for coordinators; judges need not wait for that at its start.
    """

    def __init__(self, package: str, name: str = "routes") -> None:
        self._package = package
        self._name = name
        self._router: Router | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the routes."""
        if self._router is None:
            # in a thread: the import takes long, and would delay all requests on the event loop
            package = await run_in_threadpool(import_module, self._package)
            self._router = Router(getattr(package, self._name), redirect_slashes=False)
        await self._router(scope, receive, send)


COORDINATOR = "jurat.web.coordinator"
ADJUDICATOR = "jurat.web.adjudicator"
API = "jurat.web.api"

IN_A_CAMPAIGN = [
    # also here, so that other methods are answered with 405 and not with 404
    Route("/api/decide", decide, methods=["POST"]),
    *judge_routes,
    Mount("/desk", app=Deferred(COORDINATOR)),
    Mount("/cases", app=Deferred(ADJUDICATOR)),
]


class Application(Starlette):
    """Router and middleware; every request goes through both."""

    def __init__(self, site: Site, at_stop: Callable[[], None]) -> None:
        super().__init__(routes=ROUTES, lifespan=_lifespan)
        # a redirect of the router's own would name the host that the request named
        self.router.redirect_slashes = False
        self.state.site = site
        self.state.at_stop = at_stop

    def build_middleware_stack(self) -> ASGIApp:
        """One layer around the router.

        It stands for the three that Starlette has by default, which would cost a decision a tenth
        more of the processor's time.
        """
        site: Site = self.state.site
        return ErrorResponses(self.router, secure=site.secure, store_errors=site.store_errors)


def create_app(
    service: Service,
    *,
    secure: bool = False,
    mail_server: MailServer | None = None,
    settle: Callable[[], None] = stay,
    at_stop: Callable[[], None] = stay,
    root_path: str = "",
) -> Application:
    """The web application over a service; `secure` where it is reached by HTTPS.

    `at_stop` is called after the last request. `root_path` is the path under which a proxy serves
    it, such as `/jurat`, empty for the whole host.
    """
    site = Site(service, secure=secure, mail_server=mail_server, settle=settle, root_path=root_path)
    return Application(site, at_stop)


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Stop the worker process together with the server, and close the store in order."""
    yield
    await run_in_threadpool(app.state.site.service.close)
    await run_in_threadpool(app.state.at_stop)


class LoadsCampaign:
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
        # before the handler: handlers then read the plan on the event loop without a query
        await site.look_up(scope["path_params"]["campaign"])
        await self._app(scope, receive, send)


def _answer(handler: Callable[[Request], Awaitable[Response]]) -> ASGIApp:
    """A handler as an ASGI application, without the error handling that Starlette would add."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handler(Request(scope, receive))
        await response(scope, receive, send)

    return app


ROUTES = [
    # routes are tried one after the other, so the most frequent request comes first
    Route("/c/{campaign}/api/decide", LoadsCampaign(_answer(decide)), methods=["POST"]),
    Mount("/c/{campaign}", app=LoadsCampaign(Router(IN_A_CAMPAIGN, redirect_slashes=False))),
    Mount("/desk", app=Deferred(COORDINATOR, "site_routes")),
    Mount("/api", app=Deferred(API)),
    *site_routes,
]
