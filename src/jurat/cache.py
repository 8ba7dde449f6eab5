"""Caches: `BoundedCache` and `MadeOnce` for several threads, `Memoized` for values of an object."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from threading import Lock
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """A cache of at most `most` values, for several threads; the oldest is dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: dict[Hashable, Value] = {}
        self._making = Lock()
        self.find = self._made.get
        """`find(key)`: the value of a key, or None. As a method it would take twice the time."""

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key; if there is none, `make()`, which is then stored."""
        try:
            return self._made[key]
        except KeyError:
            pass  # `make` runs outside `except`, or its errors would show this one as context
        return self.keep(key, make())

    def keep(self, key: Hashable, made: Value) -> Value:
        """Store a value for a key, and return it."""
        # only writing needs the lock: reading a dict is atomic in CPython
        with self._making:
            self._made[key] = made
            if len(self._made) > self._most:
                del self._made[next(iter(self._made))]
        return made


class MadeOnce(Generic[Value]):
    """A value that is made when it is first asked for, once, however many threads ask."""

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._making = Lock()
        self._value: Value | None = None

    def get(self) -> Value:
        """The value; `make()` at the first call."""
        with self._making:
            if self._value is None:
                self._value = self._make()
            return self._value

    def peek(self) -> Value | None:
        """The value if it has been made."""
        return self._value


Made = TypeVar("Made")


class Memoized:
    """A base for objects that store what is computed from them."""

    def once(self, make: Callable[..., Made], *choices: Hashable) -> Made:
        """`make(self, *choices)`, computed at the first call with these choices and then stored."""
        key = (make, *choices)
        if key not in self._made:
            self._made[key] = make(self, *choices)
        made: Made = self._made[key]
        return made

    @cached_property
    def _made(self) -> dict[Hashable, Any]:
        return {}
