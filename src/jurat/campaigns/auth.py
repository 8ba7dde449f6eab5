"""Letting people in who know their password: wrong tries are counted, and lock for a while."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from jurat.campaigns import secrets
from jurat.errors import InputError, input_error
from jurat.store import Login

Person = TypeVar("Person", bound=Login)

# Wrong passwords after which an account is locked for a while.
FAILURES = 5
LOCK = timedelta(minutes=15)


class Refused(InputError):
    """Somebody may not come in; whether name or password is wrong is not said."""


class Locked(Refused):
    """There were too many wrong tries; `minutes` says how long to wait."""

    def __init__(self, minutes: int) -> None:
        self.minutes = minutes
        wait = "a minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__(input_error(f"too many wrong tries; try again in {wait}").problems)


class Closed(Refused):
    """The coordinator has closed the account."""

    def __init__(self) -> None:
        super().__init__(input_error("this account is closed; ask the coordinator").problems)


def proven(
    found: Person | None,
    password: str,
    *,
    now: datetime,
    failed: Callable[[Person], object],
    wrong: InputError,
) -> Person:
    """The one who was found, if it is his password; else `failed` counts it, and it was `wrong`.

    That takes as long for somebody who is not there.
    """
    if found and found.locked_until and found.locked_until > now:
        raise Locked(-(-(found.locked_until - now) // timedelta(minutes=1)))
    right = secrets.is_password(password, found.password_hash if found else "")
    if found and not right:
        failed(found)
    if found is None or not right:
        raise Refused(wrong.problems)
    return found


def old_password_wrong() -> InputError:
    """What is said to somebody who changes his password, and does not know the old one."""
    return input_error("the old password is not right", field="password")
