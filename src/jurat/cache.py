"""Two caches: one of bounded size that threads share, and one inside an object."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from threading import Lock
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """A cache of at most so many values, for several threads; the oldest value is dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: dict[Hashable, Value] = {}
        self._making = Lock()
        self.find = self._made.get
        """`find(key)`: the value for a key, or None; a plain method would cost twice the time."""

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value for a key; where there is none, `make()`, which is kept."""
        try:
            return self._made[key]
        except KeyError:
            pass  # made below, outside `except`, or an error in it would show this one as well
        return self.keep(key, make())

    def keep(self, key: Hashable, made: Value) -> Value:
        """Keep a value for a key, and return it."""
        # reading needs no lock: a dict's get is atomic in CPython
        with self._making:
            self._made[key] = made
            if len(self._made) > self._most:
                del self._made[next(iter(self._made))]
        return made


Made = TypeVar("Made")


class Memoized:
    """A base for objects that keep what is computed from them, as long as they live."""

    def once(self, make: Callable[..., Made], *choices: Hashable) -> Made:
        """`make(self, *choices)`, computed at the first call with these choices and then kept."""
        key = (make, *choices)
        if key not in self._made:
            self._made[key] = make(self, *choices)
        made: Made = self._made[key]
        return made

    @cached_property
    def _made(self) -> dict[Hashable, Any]:
        return {}
