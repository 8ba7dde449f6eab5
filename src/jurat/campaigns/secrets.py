"""PINs, passwords and tokens: made at random, kept as hashes."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from jurat.errors import input_error

# Without signs that look alike on a printed slip: 0 and o, 1, i and l.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
PIN_LENGTH = 6
PASSWORD_LENGTH = 10
SHORTEST_PASSWORD = 8


def new_pins(number: int, taken: Collection[str]) -> list[str]:
    """PINs that nobody has."""
    pins: dict[str, None] = {}
    while len(pins) < number:
        pin = _random_text(PIN_LENGTH)
        if pin not in taken:
            pins[pin] = None
    return list(pins)


def new_password() -> str:
    """A password to be printed once: about 49 bits."""
    return _random_text(PASSWORD_LENGTH)


def new_token() -> str:
    """The secret part of a personal link."""
    return secrets.token_urlsafe(24)


def hash_password(password: str) -> str:
    """An argon2id hash; a password that is too short is refused."""
    if len(password) < SHORTEST_PASSWORD:
        raise input_error(
            f"a password has {SHORTEST_PASSWORD} characters or more", field="password"
        )
    return _hasher().hash(_bytes(password))


def is_password(password: str, password_hash: str) -> bool:
    """Whether it is the password; as slow for an account without one."""
    try:
        return _hasher().verify(password_hash or _nobodys(), _bytes(password)) and bool(
            password_hash
        )
    except (VerificationError, InvalidHashError):
        return False


def hash_token(token: str) -> str:
    """A token is long and random: a plain hash is enough."""
    return hashlib.sha256(_bytes(token)).hexdigest()


def _bytes(typed: str) -> bytes:
    """Whatever was typed, also what is no legal text."""
    return typed.encode(errors="surrogatepass")


def _random_text(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@cache
def _nobodys() -> str:
    """A hash that no password fits, so that a wrong PIN takes as long as a wrong password."""
    return _hasher().hash(secrets.token_hex())
