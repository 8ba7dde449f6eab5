"""Who a browser is: a signed cookie, one for each campaign, and nothing kept on the server."""

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

COOKIE = "jurat"
# The cookie of the start page goes to every address below it: it needs a name of its own, or it
# would stand beside a campaign's, and nobody knows which of the two a server reads.
START = "jurat-start"
# How long a login lasts on a device that is not used.
LASTING = timedelta(days=14)
# Cookies whose signature, and whose forms' keys, are not computed again at every request.
COOKIES = 4096
NO_COOKIES: Mapping[str, str] = MappingProxyType({})
# After how long a login that is used begins anew.
RENEWED = timedelta(days=1)


class Session(msgspec.Struct, frozen=True, array_like=True):
    """What the cookie says; `id` is random and ties forms to the browser that they were sent to."""

    id: str
    place: str
    """The path that it is for: what was signed for one campaign is worth nothing in another."""
    account: str = ""
    stamp: str = ""
    """Of the account's secrets: a new password or link ends all sessions with the old ones."""
    role: Literal["", "judge", "guest", "adjudicator", "coordinator"] = ""

    @classmethod
    def new(cls, place: str) -> Session:
        """A visitor who is not logged in."""
        return cls(secrets.token_urlsafe(12), place)

    @classmethod
    def of(cls, account: Account, place: str) -> Session:
        """A fresh session for an account: whoever knew the old id knows nothing of this one."""
        return cls(secrets.token_urlsafe(12), place, account.id, stamp(account), account.role)

    @classmethod
    def at_all(cls, coordinator: Login) -> Session:
        """A fresh session for a coordinator of the whole site: it holds at every address."""
        return cls(
            secrets.token_urlsafe(12), "/", coordinator.id, stamp(coordinator), "coordinator"
        )

    @classmethod
    def guest(cls, place: str) -> Session:
        """Somebody who tries the tutorial."""
        return cls(secrets.token_urlsafe(12), place, role="guest")


class Found(NamedTuple):
    """A session as a browser sent it."""

    session: Session
    old: bool
    """Whether it is time to hand out a new cookie."""


@lru_cache(COOKIES)
def cookies_in(header: str) -> Mapping[str, str]:
    """Cookies by name; a browser at work sends the same again and again."""
    return MappingProxyType(cookie_parser(header)) if header else NO_COOKIES


def stamp(account: Login) -> str:
    """Changes with the account's secrets, and tells nothing of them."""
    return _stamp(account.password_hash, account.token_hash)


@lru_cache(COOKIES)
def _stamp(password_hash: str, token_hash: str) -> str:
    return hashlib.sha256(f"{password_hash}\0{token_hash}".encode()).hexdigest()[:16]


class Keys:
    """Signs cookies and forms with the store's own secret, which all its servers share."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._signer = TimestampSigner(secret, salt="jurat.session")
        self._form_keys: BoundedCache[str] = BoundedCache(COOKIES)
        self._read: BoundedCache[tuple[Session, float] | None] = BoundedCache(COOKIES)

    def read(self, cookies: Mapping[str, str], *, place: str) -> Found | None:
        """The session that a browser sent; None where there is none, or none that is ours."""
        sent = cookies.get(_cookie(place))
        if not sent:
            return None
        signed = self._read.get(sent, lambda: self._signed(sent))
        if signed is None or signed[0].place != place:
            return None
        session, made = signed
        age = time() - made
        if not 0 <= age <= LASTING.total_seconds():
            return None
        return Found(session, age > RENEWED.total_seconds())

    def _signed(self, sent: str) -> tuple[Session, float] | None:
        """The session of a cookie that we signed, and when that was."""
        try:
            content, made = self._signer.unsign(sent, return_timestamp=True)
            return decode(base64_decode(content), Session), made.timestamp()
        except (BadData, msgspec.DecodeError):
            return None

    def write(self, response: Response, session: Session, *, secure: bool) -> None:
        """Hand the session to the browser, for the pages that it is for only."""
        signed = self._signer.sign(base64_encode(msgspec.json.encode(session))).decode()
        response.set_cookie(
            _cookie(session.place),
            signed,
            max_age=int(LASTING.total_seconds()),
            path=session.place,
            secure=secure,
            httponly=True,
            samesite="lax",
        )

    def forget(self, response: Response, *, place: str, secure: bool) -> None:
        """Log out on this device."""
        response.delete_cookie(
            _cookie(place), path=place, secure=secure, httponly=True, samesite="lax"
        )

    def form_key(self, session: Session) -> str:
        """What a form carries, so that no other page can send one in this browser's name.

        It stays the same when the same person logs in again, so that their open pages keep working.
        """
        said = f"form\0{session.place}\0{session.account or session.id}"
        return self._form_keys.get(said, lambda: self._made(said))

    def _made(self, said: str) -> str:
        return hmac.new(self._secret, said.encode(), "sha256").hexdigest()[:32]

    def is_form_key(self, session: Session, sent: str) -> bool:
        """Whether a form came from a page that this browser was given."""
        return hmac.compare_digest(self.form_key(session).encode(), sent.encode(errors="replace"))


def _cookie(place: str) -> str:
    return START if place == "/" else COOKIE
