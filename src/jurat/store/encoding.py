"""Times, plain data and keys, as the tables hold them."""

from __future__ import annotations

import hashlib
import secrets
import zlib
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, overload

import msgspec

from jurat.deserialize import decode
from jurat.store.errors import StoreFault

T = TypeVar("T")

_START = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Bytes of a key.
KEY = 15


def to_time(moment: datetime) -> int:
    """Microseconds since 1970."""
    return (moment - _START) // _MICROSECOND


def to_microseconds(span: timedelta) -> int:
    """A length of time as it is added to stored times."""
    return span // _MICROSECOND


@overload
def from_time(stored: int) -> datetime: ...
@overload
def from_time(stored: int | None) -> datetime | None: ...
def from_time(stored: int | None) -> datetime | None:
    """The moment that was stored."""
    return None if stored is None else _START + timedelta(microseconds=stored)


def to_json(data: object) -> str:
    """Plain data as JSON."""
    try:
        return msgspec.json.encode(data).decode()
    except (UnicodeEncodeError, OverflowError, RecursionError, TypeError) as error:
        raise StoreFault(f"this cannot be stored: {error}") from error


def from_json(stored: str) -> Any:
    """The data that were stored."""
    return msgspec.json.decode(stored)


def to_blob(data: object) -> bytes:
    """Large data as compressed JSON."""
    return zlib.compress(to_json(data).encode())


def from_blob(stored: bytes, kind: type[T]) -> T:
    """The large data that were stored."""
    return decode(zlib.decompress(stored), kind)


def new_key() -> str:
    """A name that tells nothing and cannot be guessed."""
    return secrets.token_urlsafe(KEY)


def key_of(word: str) -> str:
    """The same name for the same word; whoever does not know the word cannot guess it."""
    digest = hashlib.sha256(word.encode(errors="surrogatepass")).digest()
    return urlsafe_b64encode(digest[:KEY]).decode()
