"""Plain data as values of known kinds, whichever thread asks.

msgspec learns what a kind looks like when it makes the first value of it. Two threads that do so at
the same moment bring down the whole program, so every kind is learnt under a lock.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")

_learnt: set[object] = set()
_learning = Lock()


@overload
def convert(raw: object, kind: type[T], *, strict: bool = True) -> T: ...


@overload
def convert(raw: object, kind: object, *, strict: bool = True) -> Any: ...


def convert(raw: object, kind: Any, *, strict: bool = True) -> Any:
    """Plain data as a value of this kind; `msgspec.ValidationError` where they are none."""
    _learn(kind)
    return msgspec.convert(raw, kind, strict=strict)


def decode(json: bytes | str, kind: type[T]) -> T:
    """JSON as a value of this kind; `msgspec.DecodeError` where it is none."""
    _learn(kind)
    return msgspec.json.decode(json, type=kind)


def _learn(kind: object) -> None:
    if kind in _learnt:
        return
    with _learning:
        msgspec.json.Decoder(kind)
        _learnt.add(kind)
