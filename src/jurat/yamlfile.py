"""Reads YAML and JSON files into typed objects, and reports all problems with their lines.

Files from strangers are safe: tags and aliases are not allowed, and size and depth are limited.
Only `true` and `false` are truth values, so that `label: No` is a text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, TypeGuard, TypeVar, Union, get_args, get_origin

import msgspec
import yaml

from jurat.decoding import decode
from jurat.deserialize import convert, struct_fields
from jurat.errors import (
    UNKNOWN,
    InputError,
    Problem,
    input_error,
    quoted,
    raise_problems,
    shortened,
)
from jurat.model import File

Path: TypeAlias = "tuple[str | int, ...]"
Chooser: TypeAlias = "Callable[[Mapping[str, object]], type[msgspec.Struct]]"
Declared = TypeVar("Declared", bound=msgspec.Struct)

# Bytes of a file at most.
LARGEST = 200_000
# Levels of nesting at most.
DEEPEST = 30
# `Problem.code` of a missing field, whose name is the value.
MISSING = "missing"

_WORDS: dict[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    tuple: "a list",
    list: "a list",
    dict: "names with values",
}
# `Problem.code` of values that people mistype in forms; pages have their own message for these.
_CODES: dict[object, str] = {int: "whole-number", float: "number"}
# The values of unquoted words: those of YAML 1.2's core schema. PyYAML's own rules are those of
# YAML 1.1, in which `no` and `12:30` are no texts.
_SCALARS: dict[str, Callable[[str], object]] = {
    r"true|True|false|False": lambda text: text.lower() == "true",
    r"~|null|Null|": lambda _: None,
    r"[-+]?[0-9]+": lambda text: _bounded(int(text)),
    r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+)": (
        lambda text: _bounded(float(text))
    ),
}

# Characters that YAML does not allow.
_STRANGE = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# How JSON writes one character beyond U+FFFF.
_SURROGATES = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})", re.IGNORECASE)

_Parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Declaration:
    """The content of a YAML or JSON file, with the line of each value."""

    def __init__(self, data: bytes, *, file: str, largest: int = LARGEST) -> None:
        """`largest`: the bytes that it may have."""
        self.file = file
        composer = _Composer(file, largest)
        self.content = composer.compose(data)
        self.lines = composer.lines
        self.problems = composer.problems
        self._texts = composer.texts

    def read(
        self, kind: type[Declared], *, choose: Mapping[type, Chooser] | None = None
    ) -> Declared:
        """The content as an object of this type; raises `InputError` with all problems.

        `choose` has, for a base class, the function that returns the subclass for an object.
        """
        self._choose = choose or {}
        declared = self._value(kind, self.content, ())
        raise_problems(self.problems)
        assert isinstance(declared, kind)
        return declared

    def problem(self, message: str, path: Path, **more: Any) -> Problem:
        """A problem at the line of this path (keys and indices from the top of the file)."""
        line = next(
            (self.lines[path[:n]] for n in range(len(path), -1, -1) if path[:n] in self.lines), 1
        )
        named = ".".join(str(part + 1 if isinstance(part, int) else part) for part in path)
        where: dict[str, Any] = {"file": self.file, "line": line, "field": shortened(named) or None}
        return Problem(message=message, **where, **more)

    def _value(self, kind: object, raw: object, path: Path) -> object:
        """The value as this type; if it does not fit, a problem is added."""
        for option in _alternatives(kind):
            shape = get_origin(option) or option
            if _is_struct(option) and isinstance(raw, dict):
                return self._struct(option, raw, path)
            if shape in (tuple, list) and isinstance(raw, list):
                part = get_args(option)[0]
                return shape(self._value(part, v, (*path, n)) for n, v in enumerate(raw))
            if shape in (dict, Mapping) and isinstance(raw, dict):
                name, part = get_args(option)
                return self._names(name, part, raw, path)
        return self._scalar(kind, raw, path)

    def _names(
        self, name: object, part: object, raw: dict[str, object], path: Path
    ) -> dict[str, object]:
        """A mapping from names to values; if its type lists the names, others are problems."""
        if get_origin(name) is Literal:
            self._check_fields(raw, tuple(map(str, get_args(name))), path)
        return {key: self._value(part, value, (*path, key)) for key, value in raw.items()}

    def _struct(
        self, kind: type[msgspec.Struct], raw: dict[str, object], path: Path
    ) -> msgspec.Struct | None:
        before = len(self.problems)
        try:
            if kind in self._choose:
                kind = self._choose[kind](raw)
                raw = {key: value for key, value in raw.items() if key != "kind"}
            values = self._fields(kind, raw, path)
            # with a faulty field the object's own checks would report what follows from it
            return kind(**values) if len(self.problems) == before else None
        except ValueError as error:
            found = (
                error.problems if isinstance(error, InputError) else [Problem(message=str(error))]
            )
            self.problems.extend(self._placed(problem, path) for problem in found)
            return None

    def _placed(self, problem: Problem, path: Path) -> Problem:
        """A problem that an object's own check has raised, with its line in the file."""
        inside = (problem.field or "").split(".")
        # checks name list entries from 1, as users count; paths count from 0
        inner = tuple(int(p) - 1 if p.isdecimal() else p for p in inside if p)
        same = {"value": problem.value, "allowed": problem.allowed, "code": problem.code}
        return self.problem(problem.message, (*path, *inner), **same)

    def _fields(
        self, kind: type[msgspec.Struct], raw: dict[str, object], path: Path
    ) -> dict[str, object]:
        fields = struct_fields(kind)
        self._check_fields(raw, tuple(fields), path)
        for key, field in fields.items():
            if field.required and key not in raw:
                missing = self.problem(f"'{key}' is missing", path, value=key, code=MISSING)
                self.problems.append(missing)
        return {
            field.name: self._value(field.type, raw[key], (*path, key))
            for key, field in fields.items()
            if key in raw
        }

    def _check_fields(self, raw: dict[str, object], known: tuple[str, ...], path: Path) -> None:
        for key in raw:
            if key not in known:
                message = f"unknown field {quoted(key)}"
                known_here = {"value": key, "allowed": known, "code": UNKNOWN}
                self.problems.append(self.problem(message, (*path, key), **known_here))

    def _scalar(self, kind: object, raw: object, path: Path) -> object:
        try:
            return convert(raw, kind)
        except msgspec.ValidationError as error:
            # YAML reads `label: 5` as a number, but where a text is expected, it means "5"
            if str in _alternatives(kind) and path in self._texts and raw is not None:
                return self._texts[path]
            self.problems.append(self._misfit(kind, raw, path, str(error)))
            return None

    def _misfit(self, kind: object, raw: object, path: Path, detail: str) -> Problem:
        options = _alternatives(kind)
        allowed = tuple(str(v) for o in options if get_origin(o) is Literal for v in get_args(o))
        if allowed:
            allowed += ("true", "false") if bool in options else ()
            message = f"{quoted(raw)} is not allowed here"
            told = {"value": self._texts.get(path), "allowed": allowed, "code": "not-allowed"}
            return self.problem(message, path, **told)
        shapes = [dict if _is_struct(o) else get_origin(o) or o for o in options]
        words = " or ".join(_WORDS[shape] for shape in shapes if shape in _WORDS)
        wanted = f"expected {words}, got {quoted(raw)}" if words else detail
        code = _CODES.get(next((s for s in shapes if s is not NoneType), None), "")
        return self.problem(wanted, path, value=self._texts.get(path), code=code)


class _Composer:
    """Parses YAML into plain values, and records the line and the original text of each.

    Aliases and tags are rejected: they can make a small file expand without limit, or run code.
    """

    def __init__(self, file: str, largest: int) -> None:
        self.file = file
        self.largest = largest
        self.lines: dict[Path, int] = {}
        self.texts: dict[Path, str] = {}
        self.problems: list[Problem] = []

    def compose(self, data: bytes) -> object:
        """The content of the file; raises `InputError` if it is not YAML."""
        if len(data) > self.largest:
            message = f"the file has {len(data)} bytes; at most {self.largest} are allowed"
            raise self._error(message)
        text = decode(File(self.file, data))
        if strange := _STRANGE.search(text):
            raise self._strange(strange[0], text.count("\n", 0, strange.start()) + 1)
        if text.lstrip().startswith(("{", "[")):
            text = _json_as_yaml(text)
        try:
            return self._document(yaml.parse(text, Loader=_Parser))
        except yaml.MarkedYAMLError as error:
            raise self._unreadable(error, text) from None

    def _document(self, events: Iterator[yaml.Event]) -> object:
        documents: list[object] = []
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if documents:
                    raise self._error("a second document begins here", _line(event))
                documents.append(self._value(next(events), events, ()))
        return documents[0] if documents else None

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], path: Path) -> object:
        line = self.lines[path] = _line(event)
        if len(path) > DEEPEST:
            raise self._error("this is nested too deeply", line)
        if isinstance(event, yaml.AliasEvent):
            raise self._error("aliases (*) are not allowed", line)
        if tag := getattr(event, "tag", None):
            raise self._error(f"the tag {quoted(tag)} is not allowed", line)
        if isinstance(event, yaml.SequenceStartEvent):
            parts = enumerate(_until(yaml.SequenceEndEvent, events))
            return [self._value(part, events, (*path, n)) for n, part in parts]
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(events, path)
        assert isinstance(event, yaml.ScalarEvent)
        return self._scalar(event, path)

    def _mapping(self, events: Iterator[yaml.Event], path: Path) -> dict[str, object]:
        values: dict[str, object] = {}
        for event in _until(yaml.MappingEndEvent, events):
            line = _line(event)
            if not isinstance(event, yaml.ScalarEvent):
                raise self._error("a name is expected here", line)
            key = self._text(event)
            if key in values:
                self._note(f"{quoted(key)} occurs twice", line)
            # recorded after the value, which would otherwise set its own line, perhaps far below
            values[key] = self._value(next(events), events, (*path, key))
            self.lines[(*path, key)] = line
        return values

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> object:
        text = self.texts[path] = self._text(event)
        if not event.implicit[0]:  # quoted
            return text
        try:
            kinds = (read for shape, read in _SCALARS.items() if re.fullmatch(shape, text))
            return next(kinds, str)(text)
        except (OverflowError, ValueError):
            self._note(f"the number '{shortened(text)}' is too large", self.lines[path])
            return 0

    def _text(self, event: yaml.ScalarEvent) -> str:
        """The text of a scalar; raises `InputError` for forbidden characters from escapes (\\0)."""
        if strange := _STRANGE.search(event.value):
            raise self._strange(strange[0], _line(event))
        return str(event.value)

    def _strange(self, character: str, line: int) -> InputError:
        return self._error(f"the character U+{ord(character):04X} is not allowed", line)

    def _unreadable(self, error: yaml.MarkedYAMLError, text: str) -> InputError:
        mark = error.problem_mark or error.context_mark
        line = mark.line if mark else 0
        reason = str(error.problem)
        if reason.startswith("mapping values"):
            reason = "put a text that contains ': ' in quotes"
        elif re.match(r"[ \t]*\t", "".join(text.splitlines()[line : line + 1])):
            reason = "there is a tab; indent with spaces"
        elif error.context_mark and error.context_mark.line < line:
            reason += f", {error.context} from line {error.context_mark.line + 1}"
        return self._error(f"cannot read this: {reason}", line + 1)

    def _note(self, message: str, line: int) -> None:
        self.problems.append(Problem(message=message, file=self.file, line=line))

    def _error(self, message: str, line: int | None = None) -> InputError:
        return input_error(message, file=self.file, line=line)


def dump(content: object) -> str:
    """Plain data as YAML that `Declaration` reads back unchanged."""
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


class _Dumper(yaml.SafeDumper):
    """Quotes every text that would be read as something else."""

    def represent_str(self, text: str) -> yaml.ScalarNode:
        """A text, with unusual line ends escaped: YAML would read them as plain ones."""
        style = '"' if re.search("[\x85\u2028\u2029]", text) else None
        return self.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(str, _Dumper.represent_str)
# A text that matches one of these would be read as another type, so it has to be quoted.
for _shape in _SCALARS:
    _Dumper.add_implicit_resolver("tag:jurat", re.compile(f"^(?:{_shape})$"), None)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _until(end: type[yaml.Event], events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    while not isinstance(event := next(events), end):
        yield event


def _bounded(number: float) -> float:
    """The number; raises `OverflowError` if it does not fit into 64 bits."""
    if abs(number) >= 2**63 and not (isinstance(number, float) and math.isfinite(number)):
        raise OverflowError
    return number


def _json_as_yaml(text: str) -> str:
    """JSON without tabs and escaped surrogate pairs, which YAML parsers cannot read."""
    text = text.replace("\t", " ")
    return _SURROGATES.sub(lambda m: bytes.fromhex(m[1] + m[2]).decode("utf-16-be"), text)


def _alternatives(kind: object) -> tuple[object, ...]:
    """The members of a union without None; or the type alone."""
    if get_origin(kind) in (Union, UnionType):
        return tuple(option for option in get_args(kind) if option is not NoneType)
    return (kind,)


def _is_struct(kind: object) -> TypeGuard[type[msgspec.Struct]]:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)
