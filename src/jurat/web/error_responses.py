"""Turns exceptions of request handlers into a status and a page, or JSON for scripts."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jurat.campaigns.service_context import NotAccepted, NotOffered, WrongRole
from jurat.errors import InputError
from jurat.store import NoSuchCampaign, NotYours
from jurat.web.context import Visit
from jurat.web.judge.script_api import OUT_OF_ORDER
from jurat.web.security import secured

# Status and key of the text for each exception; an exception of a subclass uses that of its base.
# The exception's own message is not shown: it could name files or tables of the server.
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
TOLD_BY_STATUS = {
    403: "form-expired",
    404: "not-found",
    405: "not-found",
    413: "too-long",
    503: "busy",
}


class ErrorResponses:
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
            # in a thread: the error page needs the campaign's plan, which may have to be read again
            response = await run_in_threadpool(_told, Request(scope), error)
            await response(scope, receive, with_headers)
            if response.status_code == 500:
                raise


def wants_json(request: Request) -> bool:
    """Whether the request comes from a script, which gets JSON, and not from a person."""
    path: str = request.scope["path"]
    # by its place in the path: a campaign may be called `api`
    return path.split("/")[3:4] == ["api"]


def _told(request: Request, error: Exception) -> Response:
    """The response to an exception, in the visitor's language; its own message is not shown."""
    headers: Mapping[str, str] = {}
    if isinstance(error, HTTPException):
        status, key = error.status_code, TOLD_BY_STATUS.get(error.status_code, "error")
        headers = error.headers or {}
    else:
        status, key = next(TOLD[kind] for kind in type(error).__mro__ if kind in TOLD)
    # made here and not taken from the handler: the error may have been raised before it had one
    visit = Visit(request)
    message = visit.language.say(key)
    response: Response
    if wants_json(request):
        response = JSONResponse({"error": key, "message": message}, status)
    else:
        response = visit.render("error.html", status, message=message)
    response.headers.update(headers)
    return response
