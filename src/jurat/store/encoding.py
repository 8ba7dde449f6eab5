"""Conversion of times and plain data to columns and back, and random keys."""

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
# Bytes of a key: 120 random bits, which give 20 characters of Base64 without padding.
KEY = 15


def to_time(moment: datetime) -> int:
    """A moment as microseconds since 1970."""
    # In integers: `timestamp()` is a float, which loses microseconds.
    return (moment - _START) // _MICROSECOND


def to_microseconds(span: timedelta) -> int:
    """A length of time in microseconds."""
    return span // _MICROSECOND


@overload
def from_time(stored: int) -> datetime: ...
@overload
def from_time(stored: int | None) -> datetime | None: ...
def from_time(stored: int | None) -> datetime | None:
    """The moment so many microseconds after 1970; None for None."""
    return None if stored is None else _START + timedelta(microseconds=stored)


def to_json(data: object) -> str:
    """Plain data as JSON. Raises `StoreFault` for text or numbers that JSON cannot hold."""
    try:
        return msgspec.json.encode(data).decode()
    except (UnicodeEncodeError, OverflowError, RecursionError, TypeError) as error:
        raise StoreFault(f"this cannot be stored: {error}") from error


def from_json(stored: str) -> Any:
    """Plain data from JSON."""
    return msgspec.json.decode(stored)


def to_blob(data: object) -> bytes:
    """Large data as compressed JSON."""
    return zlib.compress(to_json(data).encode())


def from_blob(stored: bytes, kind: type[T]) -> T:
    """Data of this type from compressed JSON."""
    return decode(zlib.decompress(stored), kind)


def new_key() -> str:
    """A random key, which cannot be guessed."""
    return secrets.token_urlsafe(KEY)


def key_of(word: str) -> str:
    """The key that belongs to a word; it cannot be guessed without the word."""
    digest = hashlib.sha256(word.encode(errors="surrogatepass")).digest()
    return urlsafe_b64encode(digest[:KEY]).decode()
