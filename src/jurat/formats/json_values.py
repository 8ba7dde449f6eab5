"""Decodes JSON into typed values; errors name the line and column."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from jurat.errors import InputError, Problem, input_error, raise_problems
from jurat.model import File
from jurat.tables.json_rows import decoded
from jurat.tables.schema import shortened

Value = TypeVar("Value")

_BYTE = re.compile(r" \((?:char|byte) (\d+)\)")
_TOO_DEEP = "the JSON is nested too deeply"
# Faulty lines after which no others are read with more patience.
MOST = 100
# Bytes that are decoded a second time at most, since that takes several times their memory.
_LARGEST_TWICE = 1 << 25


def decode_file(file: File, kind: type[Value]) -> Value:
    """The value of a file that holds one JSON value; raises `InputError` with line and column."""
    data = file.data.removeprefix(codecs.BOM_UTF8)
    return _decode(msgspec.json.Decoder(kind), data, file)


def decode_lines(file: File, kind: type[Value]) -> Iterator[tuple[int, Value]]:
    """The values of JSON Lines with their line numbers, one by one.

    A file that is one JSON list of such values is read, too; their numbers stand for lines. Raises
    `InputError` with the first lines that cannot be read, after all values that can.
    """
    if _is_list(file):
        yield from _fitting(file, enumerate(decode_file(file, list[msgspec.Raw]), 1), kind)
        return
    with file.open() as stream:
        lines = (
            (number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line)
            for number, line in enumerate(stream, 1)
        )
        yield from _fitting(file, (one for one in lines if not one[1].isspace()), kind)


def decode_lists(file: File, kind: type[Value]) -> Iterator[tuple[str, int, Value]]:
    """The values in a file that is an object of lists: name of the list, number, and value.

    They are decoded one by one, since a large file takes many times its size at once. Raises
    `InputError` as `decode_lines` does.
    """
    for name, parts in decode_file(file, dict[str, list[msgspec.Raw]]).items():
        for number, value in _fitting(file, enumerate(parts, 1), kind):
            yield name, number, value


def _fitting(
    file: File, parts: Iterable[tuple[int, bytes | msgspec.Raw]], kind: type[Value]
) -> Iterator[tuple[int, Value]]:
    """The values of numbered parts; raises `InputError` with the first that do not fit, at last."""
    decoder = msgspec.json.Decoder(kind)
    problems: list[Problem] = []
    for number, text in parts:
        try:
            # a file of which nothing fits is not read twice
            fitting = _value(decoder, text) if len(problems) < MOST else decoder.decode(text)
            yield number, fitting
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            problems.append(_problem(error, bytes(text), file, number))
    raise_problems(shortened(problems, len(problems)))


def decode_part(
    file: File, data: bytes | msgspec.Raw, kind: type[Value], line: int | None
) -> Value:
    """The value of JSON within a file; raises `InputError` with its line, where that is known."""
    try:
        return _value(msgspec.json.Decoder(kind), data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise InputError(_problem(error, bytes(data), file, line)) from None


def _decode(decoder: msgspec.json.Decoder[Value], data: bytes, file: File) -> Value:
    try:
        return _value(decoder, data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise InputError(_problem(error, data, file, None)) from None


def _is_list(file: File) -> bool:
    with file.open() as stream:
        first = next((line for line in stream if line.removeprefix(codecs.BOM_UTF8).strip()), b"")
    return first.removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"["


def _value(decoder: msgspec.json.Decoder[Value], data: bytes | msgspec.Raw) -> Value:
    """The value of JSON, whose fields may be null or NaN where they may be missing, numbers texts.

    Tools write what they do not know in either way. What still does not fit is the first error.
    """
    try:
        return decoder.decode(data)
    except msgspec.DecodeError as error:
        first = error
    if len(bytes(data)) > _LARGEST_TWICE:
        raise first
    try:
        told = msgspec.json.encode(_without_nulls(decoded(bytes(data), object)))
        return msgspec.json.decode(told, type=decoder.type, strict=False)
    except (msgspec.MsgspecError, RecursionError):
        raise first from None


def _without_nulls(value: object) -> object:
    if isinstance(value, dict):
        return {name: _without_nulls(own) for name, own in value.items() if own is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


def _problem(
    error: msgspec.MsgspecError | RecursionError | UnicodeDecodeError,
    data: bytes,
    file: File,
    line: int | None,
) -> Problem:
    if isinstance(error, RecursionError):
        return Problem(message=_TOO_DEEP, file=file.name, line=line)
    if isinstance(error, UnicodeDecodeError):
        return Problem(message="this is not UTF-8; save it as UTF-8", file=file.name, line=line)
    message = str(error)
    if found := _BYTE.search(message):
        before = data[: int(found[1])]
        line = (line or 1) + before.count(b"\n")
        column = len(before) - before.rfind(b"\n")
        message = f"{_BYTE.sub('', message)} at column {column}"
    return Problem(message=message, file=file.name, line=line)


def refuse_empty(file: File, count: int, what: str) -> None:
    """Raise `InputError` if a file has none of what it should hold."""
    if not count:
        raise input_error(f"the file has no {what}", file=file.name)
