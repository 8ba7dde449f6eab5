"""The middleware: request ids, metrics, security headers, and pages about errors."""

from __future__ import annotations

import time
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jurat.campaigns.service_context import NotAccepted, NotOffered, WrongRole
from jurat.errors import InputError
from jurat.store import NoSuchCampaign, NotYours, StoreBusy, StoreFull
from jurat.web.concurrency_limit import RETRY_AFTER, refusal, too_many
from jurat.web.context import Visit
from jurat.web.judge.script_api import OUT_OF_ORDER
from jurat.web.logs import LOGGER, ErrorLog, request_id
from jurat.web.prometheus import Metrics
from jurat.web.security import secured

# Status and key of the text for each exception; an exception of a subclass uses that of its base.
# The exception's own message is not shown: it could name files or tables of the server.
TOLD: dict[type[Exception], tuple[int, str]] = {
    InputError: (422, "not-possible"),
    WrongRole: (403, "no-judge"),
    NotOffered: (403, "not-offered"),
    NotAccepted: (403, "not-accepted"),
    **dict.fromkeys((NoSuchCampaign, NotYours), (404, "not-found")),
    **dict.fromkeys(OUT_OF_ORDER, (503, "cannot-save")),
    StoreBusy: (503, "busy"),
    StoreFull: (503, "disk-full"),
    Exception: (500, "broken"),
}
# The path of sessions that belong to no campaign.
START_PATH = "/"
# Key of the text for HTTP errors by status.
TOLD_BY_STATUS = {
    403: "form-expired",
    404: "not-found",
    405: "not-found",
    413: "too-long",
    503: "busy",
}


class ErrorVisit(Visit):
    """A request that an error page answers; the page itself sets no cookie."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        if self._found is None:
            # a coordinator of the whole site, or a visitor of the start page
            self._found = self.site.keys.read(self.cookies, place=START_PATH)
            self.session = self._found.session if self._found else self.session

    @property
    def has_session(self) -> bool:
        """Whether the browser has a session, without which its forms would be refused."""
        return self._found is not None

    @property
    def back(self) -> str:
        """The page's address; the campaign's where a form was sent, which cannot be opened."""
        return super().back if self.request.method == "GET" else self.path


class ErrorResponses:
    """ASGI middleware: adds security headers to every response and turns exceptions into pages."""

    def __init__(self, app: ASGIApp, *, secure: bool, store_errors: ErrorLog) -> None:
        self._app = app
        self._secure = secure
        self._metrics = Metrics()
        self._store_errors = store_errors
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless too many are under way already."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        number, status, start = request_id(scope["headers"]), 0, time.perf_counter()

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = secured(message["headers"], secure=self._secure)
                message["headers"] = [*headers, (b"x-request-id", number)]
            await send(message)

        if too_many(self._under_way, scope):
            await refusal()(scope, receive, with_headers)
            return
        self._under_way += 1
        try:
            await self._app(scope, receive, with_headers)
        except ClientDisconnect:
            return  # the browser has closed the connection
        except Exception as error:
            response = await self._noted(scope, error, number)
            # once the status is sent, no other response can be
            if not status:
                await response(scope, receive, with_headers)
            if response.status_code == 500:
                raise  # for tests; the server's log has it already
        finally:
            self._under_way -= 1
            route = getattr(scope.get("route"), "path", "")
            seconds = time.perf_counter() - start
            self._metrics.count_request(route, status, seconds, self._under_way)

    async def _noted(self, scope: Scope, error: Exception, number: bytes) -> Response:
        """Log what is the server's fault; the response to the exception."""
        if isinstance(error, OUT_OF_ORDER):
            self._store_errors.note(error)
            self._metrics.count_store_error(type(error).__name__)
        # in a thread: the error page needs the campaign's plan, which may have to be read again
        response = await run_in_threadpool(_told, Request(scope), error)
        if response.status_code == 500:
            # the route and not the path, which may have the token of a personal link
            route = getattr(scope.get("route"), "path", "")
            known = {"request_id": number.decode(), "route": route, "method": scope["method"]}
            LOGGER.error("request_failed", extra=known, exc_info=error)
        return response


def wants_json(request: Request) -> bool:
    """Whether the request comes from a script, which gets JSON, and not from a person."""
    # a mount puts its own path behind that of the proxy, and keeps the latter under this name
    root = request.scope.get("app_root_path", request.scope.get("root_path", ""))
    path: str = request.scope["path"].removeprefix(root)
    # by its place in the path: a campaign may be called `api`
    return path.split("/")[3:4] == ["api"]


def is_api(request: Request) -> bool:
    """Whether the request is one of the HTTP API for coordinators."""
    root = request.scope.get("app_root_path", request.scope.get("root_path", ""))
    return bool(request.scope["path"].removeprefix(root).startswith("/api/"))


def _told(request: Request, error: Exception) -> Response:
    """The response to an exception, in the visitor's language; its own message is not shown."""
    if is_api(request):
        # imported here: judges need not wait for it when the server starts
        from jurat.web.api.errors import api_error

        return api_error(error)
    headers: Mapping[str, str] = {}
    if isinstance(error, HTTPException):
        status, key = error.status_code, TOLD_BY_STATUS.get(error.status_code, "error")
        headers = error.headers or {}
    else:
        status, key = next(TOLD[kind] for kind in type(error).__mro__ if kind in TOLD)
        if status == 503:
            headers = {"Retry-After": RETRY_AFTER}
    # made here and not taken from the handler: the error may have been raised before it had one
    visit = ErrorVisit(request)
    message = visit.language.say(key)
    response: Response
    if wants_json(request):
        response = JSONResponse({"error": key, "message": message}, status)
    else:
        response = visit.render("error.html", status, message=message)
    response.headers.update(headers)
    return response
