"""Security headers of every response, and checks of requests against forgery and great size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

if TYPE_CHECKING:
    from jurat.web.context import Visit

# Neither inline scripts nor inline styles, nor anything from other sites: should a test set's HTML
# ever get into a page unescaped, it still cannot run.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "media-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        # an injected form cannot send what is typed, such as a password, to another site
        "form-action 'self'",
        "frame-ancestors 'none'",
        # an injected <base> would make relative addresses of scripts lead elsewhere
        "base-uri 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    # an uploaded text that looks like a script is not run as one
    "X-Content-Type-Options": "nosniff",
    # the same as `frame-ancestors`, for browsers that do not know that
    "X-Frame-Options": "DENY",
    # addresses may contain the token of a personal link, which other sites must not see
    "Referrer-Policy": "same-origin",
    # a site that opens one of our pages in a window gets no handle of it
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
    # Without a length the body would have to be read to know whether it is too long. With one, the
    # server reads no more than that.
    said = visit.header(b"content-length")
    # not `isdigit`, which accepts the superscripts of Latin-1, such as ², that `int` does not
    if not said.isdecimal():
        raise HTTPException(411)
    # the number of digits comes first, since `int` raises an error for thousands of them
    if len(said) > 12 or int(said) > largest:
        raise HTTPException(413)


def secured(headers: Iterable[Raw], *, secure: bool) -> list[Raw]:
    """The headers of a response, with those of `HEADERS` added that it does not set itself."""
    own = list(headers)
    # the names alone decide what is missing, and there are only a few combinations of them
    return own + _missing(tuple([name for name, _ in own]), secure=secure)


@lru_cache(1024)
def _missing(said: tuple[bytes, ...], *, secure: bool) -> list[Raw]:
    names = {name.lower() for name in said}
    return [one for one in (_ALL if secure else _ALWAYS) if one[0] not in names]


def _raw(headers: Mapping[str, str]) -> list[Raw]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


_ALWAYS = _raw(HEADERS)
_ALL = _raw(HEADERS | HTTPS_ONLY)
