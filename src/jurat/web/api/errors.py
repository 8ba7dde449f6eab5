"""Errors of the HTTP API: one shape, whatever went wrong."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from jurat.api_types import Error, ErrorDetails, ProblemItem
from jurat.campaigns.auth import Locked
from jurat.errors import InputError, Problem
from jurat.store import (
    AccountsMade,
    CampaignChanged,
    CampaignDraftChanged,
    CampaignExists,
    NoSuchCampaign,
    NoSuchCampaignDraft,
    NoSuchJudge,
    NoSuchMessage,
    StoreBusy,
    StoreFull,
)
from jurat.web.judge.script_api import OUT_OF_ORDER

RETRY_AFTER = "2"


class PreconditionMissing(Exception):
    """A campaign is to be deleted whose archive was not downloaded."""


class PreconditionFailed(Exception):
    """The campaign has changed since its archive was downloaded."""


class NoScope(Exception):
    """The token does not have the scope that the operation needs."""

    def __init__(self, scope: str) -> None:
        super().__init__(scope)
        self.scope = scope


# Statuses of exceptions, the special ones before their bases.
STATUSES: dict[type[Exception], tuple[int, str, str]] = {
    **dict.fromkeys(
        (NoSuchCampaign, NoSuchCampaignDraft, NoSuchMessage, NoSuchJudge),
        (404, "not-found", "there is nothing here"),
    ),
    CampaignExists: (409, "exists", ""),
    AccountsMade: (409, "made-already", "this request was carried out before"),
    CampaignChanged: (409, "changed", ""),
    CampaignDraftChanged: (409, "changed", ""),
    Locked: (429, "too-many-attempts", ""),
    StoreBusy: (503, "busy", "the server is busy; try again in a moment"),
    StoreFull: (503, "disk-full", "the server's disk is full"),
    **dict.fromkeys(OUT_OF_ORDER, (503, "store", "the server cannot store anything at present")),
    PreconditionMissing: (
        428,
        "archive-first",
        "download the archive first, and send its ETag in the header If-Match",
    ),
    PreconditionFailed: (
        412,
        "changed",
        "the campaign has changed since; download its archive again",
    ),
    InputError: (422, "invalid", ""),
}
# What is said about HTTP errors.
SAID = {
    400: ("malformed", "the request cannot be read"),
    401: ("token", "a valid token is needed: Authorization: Bearer jurat_…"),
    404: ("not-found", "there is nothing here"),
    405: ("method", "this method is not allowed here"),
    411: ("length", "the length of the body has to be sent"),
    413: ("too-large", "the body is too large"),
    415: ("media-type", "files are sent as multipart/form-data or application/zip"),
    503: ("busy", "the server is busy; try again in a moment"),
}


def api_error(error: Exception) -> Response:
    """The response to an exception; the server's own faults are not described."""
    if isinstance(error, HTTPException):
        code, message = SAID.get(error.status_code, ("error", "the request was refused"))
        headers = dict(error.headers or {})
        if error.status_code == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return _response(error.status_code, code, message, headers=headers)
    if isinstance(error, NoScope):
        return _response(403, "scope", f"this token lacks the scope '{error.scope}'")
    for kind in type(error).__mro__:
        if kind in STATUSES:
            status, code, message = STATUSES[kind]
            told = message or str(error)
            headers = {"Retry-After": RETRY_AFTER} if status in (429, 503) else {}
            # what the store says about itself could name files of the server
            problems = error.problems if status == 422 and isinstance(error, InputError) else ()
            return _response(status, code, told, problems, headers)
    return _response(500, "broken", "something went wrong on the server")


def _response(
    status: int,
    code: str,
    message: str,
    problems: Iterable[Problem] = (),
    headers: dict[str, str] | None = None,
) -> Response:
    details = ErrorDetails(code=code, message=message, problems=tuple(map(problem_item, problems)))
    body = msgspec.json.encode(Error(error=details))
    return Response(body, status, headers, "application/json")


def problem_item(problem: Problem) -> ProblemItem:
    """A problem with its place, in English."""
    names = ("code", "file", "line", "document", "segment", "field")
    told = {name: getattr(problem, name) for name in names}
    return ProblemItem(message=str(problem.changed(**dict.fromkeys(names[1:]))), **told)
