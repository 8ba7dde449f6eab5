"""What was made or read a moment ago, at hand for whoever asks for the same again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """The last so many things that were made; the oldest make room."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: dict[Hashable, Value] = {}
        self._making = Lock()
        self.find = self._made.get
        """What there is for a key, or None."""

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """What was made for this key, or what is made of it now."""
        try:
            return self._made[key]
        except KeyError:
            pass  # it is made below, so that an error in the making speaks of nothing else
        return self.keep(key, make())

    def keep(self, key: Hashable, made: Value) -> Value:
        """Have this at hand from now on."""
        with self._making:
            self._made[key] = made
            if len(self._made) > self._most:
                del self._made[next(iter(self._made))]
        return made
