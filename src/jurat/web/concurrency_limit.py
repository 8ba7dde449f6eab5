"""How many requests a process answers at the same time, and what it tells all further ones."""

from __future__ import annotations

from itertools import cycle

from starlette.responses import Response
from starlette.types import Scope

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


def too_many(under_way: int, scope: Scope) -> bool:
    """Whether a request has to be refused, as so many others are under way."""
    # a health check is always answered: a busy server is not to be restarted
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    return under_way >= MOST_UNDER_WAY and path not in HEALTH


def refusal() -> Response:
    """What a further request is told."""
    return next(_REFUSALS)
