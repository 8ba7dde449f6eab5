"""What every response says to the browser: what a page may load, and who may show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

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
