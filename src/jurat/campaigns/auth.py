"""Authentication: PINs, passwords and link tokens, stored as hashes; locks after failures."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import cache
from threading import BoundedSemaphore
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from jurat.errors import InputError, input_error
from jurat.store import Login
from jurat.store.account_records import EndedSessions

Person = TypeVar("Person", bound=Login)

# Wrong passwords in a row after which an account is locked for a while.
FAILURES = 5
LOCK = timedelta(minutes=15)

# Without characters that look alike on a printed slip: 0 and o, 1, i and l.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
PIN_LENGTH = 6
PASSWORD_LENGTH = 10
SHORTEST_PASSWORD = 8
# The lowest cost that OWASP recommends, the memory in KiB: judges of a class log in at the same
# minute.
HASH_PASSES, HASH_MEMORY = 2, 19 * 1024
# Passwords that one process hashes at the same time: the other half of the processors is left for
# judging, and a hundred logins at once take no more memory than these.
HASHES_AT_ONCE = max(1, (os.cpu_count() or 1) // 2)
_HASHING = BoundedSemaphore(HASHES_AT_ONCE)


class Refused(InputError):
    """The login was refused; whether the name or the password is wrong is not said."""


class Locked(Refused):
    """There were too many wrong passwords; `minutes` says how long to wait."""

    def __init__(self, minutes: int) -> None:
        self.minutes = minutes
        wait = "a minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__(input_error(f"too many attempts; try again in {wait}").problems)


class Closed(Refused):
    """The coordinator has closed the account."""

    def __init__(self) -> None:
        super().__init__(input_error("this account is closed; ask the coordinator").problems)


def verify_login(
    found: Person | None,
    password: str,
    *,
    now: datetime,
    attempt: Callable[[Person], bool],
    wrong: InputError,
) -> Person:
    """The account that was found, if the password is right.

    `attempt` counts the attempt, and is false where the account is locked: then `Locked` is
    raised. For a wrong password `Refused` is raised with the problems of `wrong`.
    """
    # Counted before the password is checked: of attempts at the same moment, only as many are
    # checked as of attempts one after the other.
    if found and not attempt(found):
        raise Locked(_minutes_left(found, now))
    # also hashed where there is no account: the time must not tell which names exist
    right = is_password(password, found.password_hash if found else "")
    if found is None or not right:
        raise Refused(wrong.problems)
    return found


def _minutes_left(found: Login, now: datetime) -> int:
    """The rest of a lock, rounded up; that of a lock set a moment ago is its whole length."""
    locked = found.is_locked(LOCK, now) and found.locked_until
    return -(-((locked or now + LOCK) - now) // timedelta(minutes=1))


def wrong_old_password() -> InputError:
    """The error for a change of password with a wrong old one."""
    return input_error("the old password is wrong", field="password")


def new_pins(number: int, taken: Collection[str]) -> list[str]:
    """Random PINs, none of which is taken."""
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
    token = secrets.token_urlsafe(24)
    # not with a dash in front, which spreadsheets take for the beginning of a formula
    return token if token[0].isalnum() else new_token()


def hash_password(password: str) -> str:
    """An argon2id hash; raises `InputError` for a password that is too short."""
    if len(password) < SHORTEST_PASSWORD:
        raise input_error(
            f"a password needs {SHORTEST_PASSWORD} characters or more", field="password"
        )
    with _HASHING:
        return _hasher().hash(_bytes(password))


def is_password(password: str, password_hash: str) -> bool:
    """Whether the password is right; takes as long for an account without a hash."""
    known = EndedSessions.of(password_hash).password_hash
    compared = known or _unusable_hash()
    try:
        with _HASHING:
            return _hasher().verify(compared, _bytes(password)) and bool(known)
    except (VerificationError, InvalidHashError):
        return False


def hash_token(token: str) -> str:
    """A hash of a link token."""
    # a token is long and random, so that a quick hash without salt is enough
    return hashlib.sha256(_bytes(token)).hexdigest()


def _bytes(typed: str) -> bytes:
    """What was typed as bytes, also where it is not valid Unicode."""
    return typed.encode(errors="surrogatepass")


def _random_text(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher(time_cost=HASH_PASSES, memory_cost=HASH_MEMORY, parallelism=1)


@cache
def _unusable_hash() -> str:
    """A hash that no password fits, so that a wrong PIN takes as long as a wrong password."""
    return _hasher().hash(secrets.token_hex())
