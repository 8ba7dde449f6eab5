"""Security headers of every response, and checks of requests against forgery and great size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

if TYPE_CHECKING:
    from jurat.web.context import Visit

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # what is not marked otherwise is never kept
    "Cache-Control": "no-store",
}
HTTPS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}
# Bytes of a request's body: no answer is longer.
LARGEST = 1 << 20


Raw = tuple[bytes, bytes]


def refuse_foreign(visit: Visit, key: str) -> None:
    """403 for a request without the session's form key, as another site would send it."""
    if not visit.site.keys.is_form_key(visit.session, key):
        raise HTTPException(403)


def refuse_large(visit: Visit, largest: int = LARGEST) -> None:
    """413 for a body that is too long, 411 if its length is not given."""
    said = visit.header(b"content-length")
    if not said.isdecimal():
        raise HTTPException(411)
    if len(said) > 12 or int(said) > largest:
        raise HTTPException(413)


def secured(headers: Iterable[Raw], *, secure: bool) -> list[Raw]:
    """Headers with what every response says, unless they say something of their own."""
    own = list(headers)
    return own + _missing(tuple([name for name, _ in own]), secure=secure)


@lru_cache(1024)
def _missing(said: tuple[bytes, ...], *, secure: bool) -> list[Raw]:
    names = {name.lower() for name in said}
    return [one for one in (_ALL if secure else _ALWAYS) if one[0] not in names]


def _raw(headers: Mapping[str, str]) -> list[Raw]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


_ALWAYS = _raw(HEADERS)
_ALL = _raw(HEADERS | HTTPS_ONLY)
