"""Sessions: one signed cookie for each campaign; the server stores nothing."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from time import time
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec
from itsdangerous import BadData, TimestampSigner
from itsdangerous.encoding import base64_decode, base64_encode
from starlette.requests import cookie_parser
from starlette.responses import Response

from jurat.cache import BoundedCache
from jurat.deserialize import decode
from jurat.store import Account, Login
from jurat.store.account_records import EndedSessions

COOKIE = "jurat"
# Browsers send the cookie of the start page to campaigns as well. With the same name, it would be
# undefined which of the two the server reads.
START = "jurat-start"
# A login ends after so long without a request.
LASTING = timedelta(days=14)
# Entries of the caches of parsed cookies and form keys, which every request needs.
COOKIES = 4096
# Characters of a header that is kept in a cache: strangers may send thousands of long ones.
CACHED_LENGTH = 2048
NO_COOKIES: Mapping[str, str] = MappingProxyType({})
# A cookie older than this is replaced, so that a login in use does not end.
RENEWED = timedelta(days=1)


# As an array, without names of fields: browsers send the cookie with every request.
class Session(msgspec.Struct, frozen=True, array_like=True):
    """The content of the cookie; `id` is random and ties forms to this browser."""

    id: str
    place: str
    """The path it is for: a cookie of one campaign is not accepted in another."""
    account: str = ""
    stamp: str = ""
    """A hash of password and link: changing either ends all earlier sessions."""
    role: Literal["", "judge", "guest", "adjudicator", "coordinator"] = ""

    @classmethod
    def new(cls, place: str) -> Session:
        """A visitor who is not logged in."""
        return cls(secrets.token_urlsafe(12), place)

    @classmethod
    def of(cls, account: Account, place: str) -> Session:
        """A new session for an account, with a new id against session fixation."""
        return cls(secrets.token_urlsafe(12), place, account.id, stamp(account), account.role)

    @classmethod
    def at_all(cls, coordinator: Login) -> Session:
        """A new session for a site coordinator, valid at every address."""
        return cls(
            secrets.token_urlsafe(12), "/", coordinator.id, stamp(coordinator), "coordinator"
        )

    @classmethod
    def guest(cls, place: str) -> Session:
        """A new session for a guest."""
        return cls(secrets.token_urlsafe(12), place, role="guest")


class Found(NamedTuple):
    """A session as a browser sent it."""

    session: Session
    old: bool
    """Whether the cookie should be replaced by a new one."""


def cookies_in(header: str) -> Mapping[str, str]:
    """Cookies by name; cached, since a browser sends the same header again and again."""
    return _cookies_in(header) if len(header) <= CACHED_LENGTH else _parsed(header)


def _parsed(header: str) -> Mapping[str, str]:
    return MappingProxyType(cookie_parser(header)) if header else NO_COOKIES


_cookies_in = lru_cache(COOKIES)(_parsed)


def is_current(session: Session, account: Login) -> bool:
    """Whether nothing has ended the session since its login, such as a changed password."""
    ended = EndedSessions.of(account.password_hash).ids
    valid = session.stamp == stamp(account) and session.id not in ended
    return valid and not account.disabled


def stamp(account: Login) -> str:
    """A hash that changes with the account's password and link, and reveals neither."""
    known = EndedSessions.of(account.password_hash)
    generation = f" {known.generation}" if known.generation else ""
    return _stamp(f"{known.password_hash}{generation}", account.token_hash)


@lru_cache(COOKIES)
def _stamp(password_hash: str, token_hash: str) -> str:
    return hashlib.sha256(f"{password_hash}\0{token_hash}".encode()).hexdigest()[:16]


class Keys:
    """Signs cookies and forms with the store's secret, which all its servers share."""

    def __init__(self, secret: bytes, root_path: str = "") -> None:
        self._secret = secret
        self._root_path = root_path
        self._signer = TimestampSigner(secret, salt="jurat.session")
        self._form_keys: BoundedCache[str] = BoundedCache(COOKIES)
        self._read: BoundedCache[tuple[Session, float] | None] = BoundedCache(COOKIES)

    def read(self, cookies: Mapping[str, str], *, place: str) -> Found | None:
        """The session in the cookies; None if missing, forged, expired or of another path."""
        sent = cookies.get(_cookie(place))
        # a longer one is none of ours, and would be kept in the cache
        if not sent or len(sent) > CACHED_LENGTH:
            return None
        # the signature, right or wrong, is checked once for each cookie; only the age changes
        signed = self._read.get(sent, lambda: self._signed(sent))
        if signed is None or signed[0].place != place:
            return None
        session, made = signed
        age = time() - made
        if age > LASTING.total_seconds():
            return None
        # Signed in the future: the clock was put back since. The cookie is valid, and is replaced
        # by one that will end in time.
        return Found(session, not 0 <= age <= RENEWED.total_seconds())

    def _signed(self, sent: str) -> tuple[Session, float] | None:
        """The content of a cookie and when it was signed; None if the signature is wrong."""
        try:
            content, made = self._signer.unsign(sent, return_timestamp=True)
            return decode(base64_decode(content), Session), made.timestamp()
        except (BadData, msgspec.DecodeError):
            return None

    def write(self, response: Response, session: Session, *, secure: bool) -> None:
        """Set the cookie, for the session's path only."""
        signed = self._signer.sign(base64_encode(msgspec.json.encode(session))).decode()
        response.set_cookie(
            _cookie(session.place),
            signed,
            max_age=int(LASTING.total_seconds()),
            path=f"{self._root_path}{session.place}",
            secure=secure,
            httponly=True,
            # not `strict`: whoever followed a link in an email would seem to be logged out
            samesite="lax",
        )

    def forget(self, response: Response, *, place: str, secure: bool) -> None:
        """Delete the cookie."""
        # with the attributes it was set with: browsers tell cookies apart by name and path, and do
        # not let an insecure one replace a secure one
        response.delete_cookie(
            _cookie(place),
            path=f"{self._root_path}{place}",
            secure=secure,
            httponly=True,
            samesite="lax",
        )

    def form_key(self, session: Session) -> str:
        """The key that forms contain, against cross-site request forgery.

        It stays the same when the same person logs in again, so that their open pages keep working.
        """
        # zero bytes occur in none of the parts, so that different sessions never give the same text
        said = f"form\0{session.place}\0{session.account or session.id}"
        return self._form_keys.get(said, lambda: self._made(said))

    def _made(self, said: str) -> str:
        return hmac.new(self._secret, said.encode(), "sha256").hexdigest()[:32]

    def is_form_key(self, session: Session, sent: str) -> bool:
        """Whether the key of a form is that of this session, compared in constant time."""
        # bytes, since the function refuses texts with characters beyond ASCII
        return hmac.compare_digest(self.form_key(session).encode(), sent.encode(errors="replace"))


def _cookie(place: str) -> str:
    return START if place == "/" else COOKIE
