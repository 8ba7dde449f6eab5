"""Typed values of plain data and JSON, safely from several threads, and the fields of types.

msgspec inspects a type when it is first used. Two threads that do so at the same moment crash the
process, so the first use of every type happens under a lock.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")

_inspected: set[object] = set()
_lock = Lock()


@overload
def convert(raw: object, kind: type[T], *, strict: bool = True) -> T: ...


@overload
def convert(raw: object, kind: object, *, strict: bool = True) -> Any: ...


def convert(raw: object, kind: Any, *, strict: bool = True) -> Any:
    """Plain data as a value of type `kind`; raises `msgspec.ValidationError` if it does not fit."""
    _inspect(kind)
    return msgspec.convert(raw, kind, strict=strict)


def decode(json: bytes | str, kind: type[T]) -> T:
    """JSON as a value of type `kind`; raises `msgspec.DecodeError` if it does not fit."""
    _inspect(kind)
    try:
        return msgspec.json.decode(json, type=kind)
    except (RecursionError, UnicodeDecodeError) as error:
        raise msgspec.DecodeError(f"JSON is malformed: {error}") from error


@cache
def struct_fields(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """The fields of a type, by the names that they have in data; not to be changed."""
    # msgspec evaluates all annotations anew at each call, which takes longer than to read a line
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _inspect(kind: object) -> None:
    # without the lock: a set only grows, and a type that is in it has been inspected
    if kind in _inspected:
        return
    with _lock:
        # making a decoder inspects the type; the decoder itself is not needed
        msgspec.json.Decoder(kind)
        _inspected.add(kind)
