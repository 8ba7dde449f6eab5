"""How many requests a process answers at the same time, and what it tells all further ones."""

from __future__ import annotations

from starlette.responses import Response
from starlette.types import Scope

# Requests of one process at the same time: those of a thousand judges who decide without reading,
# of whom the last one waits a second. With 2,000 on PostgreSQL, beside other work, all waited for
# five. A further request is better off somewhere else, or a moment later.
MOST_UNDER_WAY = 1200
# Seconds after which a browser or proxy may try again.
RETRY_AFTER = "2"
HEALTH = ("/healthy", "/ready")
TOO_BUSY = Response(
    "The server is busy. Please try again in a moment.",
    503,
    {"Retry-After": RETRY_AFTER},
    "text/plain",
)


def too_many(under_way: int, scope: Scope) -> bool:
    """Whether a request has to be refused, as so many others are under way."""
    # a health check is always answered: a busy server is not to be restarted
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    return under_way >= MOST_UNDER_WAY and path not in HEALTH
