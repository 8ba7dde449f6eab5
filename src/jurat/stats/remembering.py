"""What several statistics start from is made a single time, and goes with what it was made of."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

Made = TypeVar("Made")


class Remembering:
    """Something from which others are made, and which keeps them."""

    def once(self, make: Callable[..., Made], *choices: Hashable) -> Made:
        """`make(self, *choices)`, made a single time."""
        key = (make, *choices)
        if key not in self._made:
            self._made[key] = make(self, *choices)
        made: Made = self._made[key]
        return made

    @cached_property
    def _made(self) -> dict[Hashable, Any]:
        return {}
