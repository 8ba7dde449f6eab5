"""JSON Lines, Jurat's own format, which can hold everything that a test set has.

The first line may describe the set, its systems and documents; each other line is a segment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import ClassVar, TypeVar, get_args

import msgspec

from jurat.deserialize import convert, struct_fields
from jurat.errors import InputError, Problem
from jurat.model import MEDIA, Document, ReadingQuestion, Segment, System, TestSet
from jurat.testsets import FACTS, Format
from jurat.testsets.base import (
    MOST_PROBLEMS,
    ONLY_DOCUMENT,
    DocumentFacts,
    Location,
    Row,
    SegmentFacts,
    SetFacts,
    SetFile,
    SystemFacts,
    TextEntry,
    lines,
)

# ids are often written as numbers
Id = str | int
Values = dict[str, str | int | float]


# These classes mirror the lines of the file; `assembly` checks whether what they say fits.
class AboutSystem(msgspec.Struct, omit_defaults=True):
    """A system, in the first line."""

    name: str
    kind: str = "machine"
    site: str = ""
    reference: str | None = None
    tags: Values = {}


class AboutDocument(msgspec.Struct, omit_defaults=True):
    """A document, in the first line."""

    id: Id
    source_language: str = ""
    tags: Values = {}
    comprehension: list[ReadingQuestion] = []


class AboutSet(msgspec.Struct, omit_defaults=True):
    """The first line, about the test set."""

    test_set: str = ""
    source_language: str = ""
    target_language: str = ""
    systems: list[AboutSystem] = []
    documents: list[AboutDocument] = []


class JsonTranslation(msgspec.Struct, omit_defaults=True):
    """A translation with tags."""

    text: str
    tags: Values = {}


class JsonLine(msgspec.Struct, omit_defaults=True):
    """A segment's line."""

    segment: Id
    document: Id = ONLY_DOCUMENT
    source: str | None = None
    references: dict[str, str] = {}
    translations: dict[str, str | JsonTranslation] = {}
    tags: Values = {}
    concepts: list[str] = []


Told = TypeVar("Told", bound=msgspec.Struct)

_WORDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "object": "names with values",
    "array": "a list",
    "null": "nothing",
}


class JsonLines(Format):
    """A JSON object per line."""

    name: ClassVar[str] = "jsonl"
    endings: ClassVar[tuple[str, ...]] = ("jsonl",)
    about: ClassVar[str] = "JSON Lines, one line per segment; holds everything"
    carries: ClassVar[tuple[str, ...]] = FACTS

    def recognises(self, file: SetFile) -> bool:
        return re.match(rb'\s*\{\s*"', file.data) is not None

    def read(self, file: SetFile) -> Iterator[Row]:
        first = True
        for number, text in lines(file):
            if not text.strip():
                continue
            location = Location(file.name, number)
            try:
                yield from _rows(_parsed(text, location), location, first=first)
            # reading goes on, so that the problems of all lines are reported
            except InputError as error:
                yield from error.problems
            first = False

    def write(self, test_set: TestSet) -> list[SetFile]:
        written = [_about(test_set), *(_line(*both) for both in test_set.segments())]
        data = b"".join(msgspec.json.encode(line) + b"\n" for line in written)
        return [SetFile("testset.jsonl", data)]


def _parsed(text: str, location: Location) -> dict[str, object]:
    # msgspec would silently drop a name that occurs twice in an object
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
        msgspec.json.encode(value)  # fails if an escape is half a surrogate pair
    except (ValueError, RecursionError) as error:
        raise InputError(location.problem(f"this is not JSON: {_reason(error)}")) from None
    if not isinstance(value, dict):
        raise InputError(location.problem("this line is not a JSON object"))
    return value


def _reason(error: ValueError | RecursionError) -> str:
    match error:
        case json.JSONDecodeError():
            return error.msg
        case RecursionError():
            return "it is nested too deeply"
        case UnicodeEncodeError():
            return "an escape is half a character (a surrogate)"
    return str(error)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"'{twice}' occurs twice")
    return found


def _refuse_constant(word: str) -> object:
    raise ValueError(f"{word} is not a value")


def _rows(raw: dict[str, object], location: Location, *, first: bool) -> Iterator[Row]:
    # the first line describes the set if it has no segment
    if first and "segment" not in raw:
        yield from _about_rows(_told(raw, AboutSet, location), location)
    else:
        yield from _segment_rows(_told(raw, JsonLine, location), location)


def _told(raw: dict[str, object], kind: type[Told], location: Location) -> Told:
    """The object of a line; or `InputError` with all unknown names or the first wrong value."""
    problems = [
        location.problem(f"unknown name '{name}'", value=name, allowed=holder.__struct_fields__)
        for name, holder in islice(_unknown_names(raw, kind), MOST_PROBLEMS)
    ]
    if problems:
        raise InputError(problems)
    try:
        return convert(raw, kind)
    except msgspec.ValidationError as error:
        # msgspec appends the path to its message: "Expected `str`, got `int` - at `$.source`"
        message, _, path = str(error).partition(" - at `$")
        field = path.rstrip("`").lstrip(".") or None
        raise InputError(location.problem(_plain(message), field=field)) from None


def _plain(message: str) -> str:
    """Msgspec's message about a wrong value, without the names of Python's types."""
    if absent := re.fullmatch(r"Object missing required field `(\w+)`", message):
        return f"'{absent[1]}' is missing"
    said = re.sub(r"`([^`]*)`", lambda m: " or ".join(map(_word, m[1].split(" | "))), message)
    return said[:1].lower() + said[1:]


def _word(kind: str) -> str:
    return _WORDS.get(kind, kind)


def _unknown_names(
    raw: object, kind: type[msgspec.Struct]
) -> Iterator[tuple[str, type[msgspec.Struct]]]:
    """The unknown names in an object and in the lists of objects in it."""
    if not isinstance(raw, dict):
        return
    fields = struct_fields(kind)
    for name, value in raw.items():
        if name not in fields:
            yield name, kind
        # only lists: the names in other objects are the user's own (systems, references, tags)
        elif isinstance(value, list) and (inner := _struct_in(fields[name].type)):
            for each in value:
                yield from _unknown_names(each, inner)


def _struct_in(kind: object) -> type[msgspec.Struct] | None:
    parts = [part for part in get_args(kind) if isinstance(part, type)]
    return next((part for part in parts if issubclass(part, msgspec.Struct)), None)


def _about_rows(about: AboutSet, location: Location) -> Iterator[Row]:
    yield SetFacts(
        location=location,
        name=about.test_set,
        source_language=about.source_language,
        target_language=about.target_language,
    )
    for system in about.systems:
        yield _system_row(system, location)
    for document in about.documents:
        yield DocumentFacts(
            location=location,
            document=str(document.id),
            source_language=document.source_language,
            tags=_texts(document.tags),
            comprehension=tuple(document.comprehension),
        )


def _system_row(system: AboutSystem, location: Location) -> SystemFacts | Problem:
    if system.kind not in ("machine", "human"):
        message = f"system {system.name} cannot be of the kind '{system.kind}'"
        return location.problem(message, value=system.kind, allowed=("machine", "human"))
    told = System(
        name=system.name,
        kind="human" if system.kind == "human" else "machine",
        site=system.site,
        reference=system.reference,
        tags=_texts(system.tags),
    )
    return SystemFacts(location=location, system=told)


def _segment_rows(line: JsonLine, location: Location) -> Iterator[Row]:
    document, segment = str(line.document), str(line.segment)
    entry = partial(TextEntry, document=document, segment=segment, location=location)
    yield SegmentFacts(
        location=location,
        document=document,
        segment=segment,
        tags=_texts(line.tags),
        concepts=tuple(line.concepts),
    )
    if line.source is not None:
        # which may be all that there is of a source
        media = {MEDIA: line.tags[MEDIA]} if MEDIA in line.tags else {}
        yield entry(kind="source", text=line.source, tags=_texts(media))
    for name, text in line.references.items():
        yield entry(kind="reference", name=name, text=text)
    for name, told in line.translations.items():
        made = told if isinstance(told, JsonTranslation) else JsonTranslation(told)
        yield entry(kind="system", name=name, text=made.text, tags=_texts(made.tags))


def _texts(tags: Mapping[str, str | int | float]) -> dict[str, str]:
    return {name: str(value) for name, value in tags.items()}


def _about(test_set: TestSet) -> AboutSet:
    return AboutSet(
        test_set=test_set.name,
        source_language=test_set.source_language,
        target_language=test_set.target_language,
        systems=[
            AboutSystem(s.name, s.kind, s.site, s.reference, dict(s.tags)) for s in test_set.systems
        ],
        documents=[
            AboutDocument(d.id, d.source_language, dict(d.tags), list(d.comprehension))
            for d in test_set.documents
            # other documents appear with their segments
            if d.source_language or d.tags or d.comprehension
        ],
    )


def _line(document: Document, segment: Segment) -> JsonLine:
    translations: dict[str, str | JsonTranslation] = {
        name: JsonTranslation(made.text, dict(made.tags)) if made.tags else made.text
        for name, made in segment.translations.items()
    }
    return JsonLine(
        document=document.id,
        segment=segment.id,
        source=segment.source,
        references=dict(segment.references),
        translations=translations,
        tags=dict(segment.tags),
        concepts=list(segment.concepts),
    )
