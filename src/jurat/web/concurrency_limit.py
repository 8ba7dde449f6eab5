"""How many requests a process answers at the same time, and what it tells all further ones."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import Any

from starlette.responses import Response

from jurat.web.logs import request_id
from jurat.web.security import secured

# Requests of one process at the same time: those of a thousand judges who decide without reading,
# of whom the last one waits a second. With 2,000 on PostgreSQL, beside other work, all waited for
# five. A further request is better off somewhere else, or a moment later.
MOST_UNDER_WAY = 1200
# Seconds after which a browser or proxy may try again.
RETRY_AFTER = "2"
# The same for those who are refused in one moment: they are not to come again in one moment.
SPREAD = ("1", "2", "3", "4")
HEALTH = ("/healthy", "/ready")
_BUSY = "The server is busy. Please try again in a moment."
# made once: a refusal should cost the server as little as possible
_REFUSALS = cycle([Response(_BUSY, 503, {"Retry-After": one}, "text/plain") for one in SPREAD])


def too_many(under_way: int, scope: Mapping[str, Any]) -> bool:
    """Whether a request has to be refused, as so many others are under way."""
    if under_way < MOST_UNDER_WAY:
        return False
    # a health check is always answered: a busy server is not to be restarted
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")) not in HEALTH


def refusal() -> Response:
    """What a further request is told."""
    return next(_REFUSALS)


def raw_refusal(scope: Mapping[str, Any], *, keep_alive: bool) -> bytes:
    """The same as bytes, for a server that has no time for the application."""
    told = refusal()
    own = (b"x-request-id", request_id(scope["headers"]))
    headers = [*secured(told.raw_headers, secure=scope["scheme"] == "https"), own]
    if not keep_alive:
        headers.append((b"connection", b"close"))
    lines = b"".join(b"%b: %b\r\n" % header for header in headers)
    body = b"" if scope["method"] == "HEAD" else bytes(told.body)
    return b"HTTP/1.1 503 Service Unavailable\r\n%b\r\n%b" % (lines, body)
