"""Metrics named in a text: `bleu:tokenize=13a,lowercase=true,ter,gtm`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Literal, TypeAlias, Union, get_args, get_origin

import msgspec

from jurat.deserialize import struct_fields
from jurat.errors import InputError, Problem, input_error, quoted, unknown_name
from jurat.metrics.metric import Metric, metrics
from jurat.model import File

# Opens a file by its name.
Read: TypeAlias = "Callable[[str], File]"
EXAMPLE = "bleu:tokenize=13a,lowercase=true,ter"
PART = re.compile(
    r"(?:(?P<metric>[^:=]+?)\s*:)?\s*(?P<option>[^:=]+?)\s*=\s*(?P<value>.*)|(?P<alone>[^:=]+)"
)
WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def parse_metrics(text: str, read: Read | None = None) -> list[Metric]:
    """The metrics that a text names; a part with `=` is an option of the metric before it.

    `read` opens the files that options name. Raises `InputError` for unknown metrics and options,
    and for values that do not fit.
    """
    found: list[Metric] = []
    for name, options in _asked(text):
        metric = metric_named(name, options, read)
        if metric in found:
            raise input_error(f"{quoted(name)} is asked for twice")
        found.append(metric)
    return found


def metric_named(name: str, options: Mapping[str, str], read: Read | None = None) -> Metric:
    """The metric of that name, in capitals or not, with options as texts."""
    kind = metrics()[name if name in metrics().kinds else name.lower()]
    types = {name: field.type for name, field in struct_fields(kind).items()}
    for option in options:
        if option not in types:
            raise unknown_name(f"option of {kind.name}", option, types)
    values = {
        option: kind.readers[option](_file(kind, option, word, read))
        if option in kind.readers
        else _value(kind.name, option, types[option], word)
        for option, word in options.items()
    }
    try:
        return kind(**values)
    except InputError as error:
        # A metric knows its fields, but not that they were given as options of its name.
        raise InputError(_named(problem, kind.name) for problem in error.problems) from None


def _asked(text: str) -> list[tuple[str, dict[str, str]]]:
    """The names of metrics, each with the options that follow it."""
    asked: list[tuple[str, dict[str, str]]] = []
    for part in map(str.strip, text.split(",")):
        if not (read := PART.fullmatch(part)):
            raise input_error(f"{quoted(part)} is no metric and no option; write {EXAMPLE}")
        if metric := read["metric"] or read["alone"]:
            asked.append((metric, {}))
        if not asked:
            raise input_error(
                f"the option {quoted(part)} stands before any metric; write {EXAMPLE}"
            )
        if option := read["option"]:
            name, options = asked[-1]
            if option in options:
                raise input_error(f"the option {quoted(option)} of {name} is given twice")
            options[option] = read["value"]
    return asked


def _file(kind: type[Metric], option: str, name: str, read: Read | None) -> File:
    if read is None:
        raise input_error(f"{kind.name}:{option} names a file, and no file is read here")
    return read(name)


def _value(metric: str, option: str, kind: object, word: str) -> object:
    """The value of an option; raises `InputError` where the text is no value of its type."""
    try:
        return msgspec.convert(word, kind, strict=False)
    except (msgspec.ValidationError, UnicodeEncodeError):
        kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        allowed = tuple(str(v) for k in kinds if get_origin(k) is Literal for v in get_args(k))
        wanted = " or ".join(WORDS[k] for k in kinds if k in WORDS and k is not NoneType)
        expected = f"expected {wanted}, got" if wanted else "not allowed:"
        message = f"{metric}:{option}: {expected} {quoted(word)}"
        raise input_error(message, value=word, allowed=allowed) from None


def _named(problem: Problem, metric: str) -> Problem:
    if problem.field is None:
        return problem.changed(message=f"{metric}: {problem.message}")
    message = f"{metric}:{problem.field}: {problem.message}"
    return problem.changed(field=None, message=message)
