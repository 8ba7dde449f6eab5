"""Reads and writes test sets: one module per format.

A format turns a file into flat rows; `assembly` checks the rows of all files together and makes the
`TestSet`, or raises an `InputError` with all problems. To add a format, put a module with a
subclass of `Format` into this folder, or declare an entry point in the group `jurat.testsets`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, TypeAlias

from jurat.errors import InputError, Problem, input_error
from jurat.model import Document, File, Segment, TestSet
from jurat.registry import Registry
from jurat.testsets.base import Role, Row, SetFile, clean, in_role

__all__ = [
    "FORMATS",
    "Format",
    "Role",
    "SetFile",
    "file_names",
    "format_for",
    "lost",
    "read_test_set",
    "recognise",
    "write_test_set",
]

# The kinds of fact that a format may not be able to hold, as `lost` reports them.
FACTS = (
    "set name",
    "languages",
    "document languages",
    "document tags",
    "segment tags",
    "translation tags",
    "facts about systems",
    "concepts",
    "comprehension questions",
    "line ends and tabs in texts",
)

# Problems in one file after which the rest of it is not read.
MOST_PROBLEMS = 1000
# Rows of one file: texts, and facts about documents and segments.
MOST_ROWS = 1_000_000


class Format:
    """The base of all formats; a subclass with a `name` is a format."""

    name: ClassVar[str]
    endings: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[str] = ""
    carries: ClassVar[tuple[str, ...]] = ()
    """The kinds of fact (`FACTS`) that it can hold besides texts and names."""
    has_columns: ClassVar[bool] = False

    def recognises(self, file: SetFile) -> bool:
        """Whether a file looks like this format, by its content, its ending or its role."""
        return False

    def read(self, file: SetFile) -> Iterator[Row]:
        """The rows of a file, which is valid UTF-8 without control characters.

        A problem in one line is a row, too, so that reading goes on. Raises `InputError` where the
        rest of the file cannot be read.
        """
        raise NotImplementedError

    def write(self, test_set: TestSet) -> list[SetFile]:
        """The test set as one or several files, with roles where the files do not state them."""
        raise NotImplementedError


FORMATS: Registry[Format] = Registry("jurat.testsets", Format, word="format")


def read_test_set(files: Sequence[SetFile], *, format: str | None = None) -> TestSet:  # noqa: A002
    """The test set that the files make together; raises `InputError` with all problems.

    `format` is the format of all files; by default each is recognised by its content.
    """
    from jurat.testsets.assembly import assemble  # it imports formats, which import this module

    kind = FORMATS[format] if format else None
    rows: list[Row] = []
    unreadable = False
    for file in files:
        try:
            rows.extend(_read(file, kind))
        except InputError as error:
            rows.extend(error.problems)
            unreadable = True
    return assemble(rows, unreadable=unreadable)


def write_test_set(test_set: TestSet, format: str) -> list[SetFile]:  # noqa: A002
    """The test set as files of a format; raises `InputError` for an unknown format."""
    return FORMATS[format]().write(test_set)


def lost(test_set: TestSet, format: str) -> list[str]:  # noqa: A002
    """What a format would not keep of a test set, in words: `segment tags: construct, input`.

    The test set is written, read again and compared, fact by fact.
    """
    # tried rather than declared: `carries` cannot say which tags a format can name
    kept = set(_facts(read_test_set(write_test_set(test_set, format), format=format)))
    gone: dict[str, set[str]] = {}
    for kind, word, *rest in _facts(test_set):
        if (kind, word, *rest) not in kept:
            gone.setdefault(kind, set()).add(word)
    words = {kind: ", ".join(sorted(filter(None, found))) for kind, found in gone.items()}
    return [f"{kind}: {words[kind]}" if words[kind] else kind for kind in FACTS if kind in gone]


def recognise(file: SetFile) -> type[Format]:
    """The format of a file, by its content; if several fit, by the ending of its name.

    Raises `InputError` if that leaves none or several.
    """
    candidates = [kind for kind in FORMATS if kind().recognises(file)]
    # content first: people name files .txt whatever they hold
    found = [kind for kind in candidates if file.ending in kind.endings] or candidates
    if len(found) == 1:
        return found[0]
    names = tuple(kind.name for kind in found)
    if names:
        message = "this file could be of several formats; name one of them"
        raise input_error(message, file=file.name, allowed=names)
    message = "the format of this file is not recognised; name it, or what the file holds"
    raise input_error(message, file=file.name, allowed=tuple(FORMATS.kinds))


def format_for(name: str) -> str:
    """The format to write to a file of that name, by its ending; raises `InputError` if unclear."""
    ending = File(name, b"").ending
    found = [kind.name for kind in FORMATS if ending in kind.endings]
    if len(found) == 1:
        return found[0]
    reason = "does not show its format" if not found else "fits several formats"
    names = tuple(found or FORMATS.kinds)
    raise input_error(f"the ending of the file {reason}; name one", file=name, allowed=names)


def file_names(stems: Iterable[str], ending: str) -> list[str]:
    """File names for these stems: all different, of letters, digits, `_`, `.` and `-`."""
    names: list[str] = []
    for stem in stems:
        plain = re.sub(r"[^\w.-]+", "_", stem)[:100]
        # as many candidates as there are names, and one more, so that one of them is free
        numbered = (f"{plain}{f'-{n}' * (n > 0)}.{ending}" for n in range(len(names) + 1))
        # some file systems do not distinguish capitals from small letters
        taken = {name.lower() for name in names}
        names.append(next(name for name in numbered if name.lower() not in taken))
    return names


def _read(file: SetFile, kind: type[Format] | None) -> list[Row]:
    file = clean(file)
    kind = kind or recognise(file)
    if file.columns and not kind.has_columns:
        named = ", ".join(file.columns)
        message = f"this file is {kind.name} and has no columns; roles were given to {named}"
        raise input_error(message, file=file.name)
    return in_role(list(_bounded(kind().read(file), file)), file)


def _bounded(rows: Iterable[Row], file: File) -> Iterator[Row]:
    """The rows; raises `InputError` when there are too many of them, or too many problems."""
    problems: list[Problem] = []
    # counted while reading, so that a huge file stops before it fills the memory
    for number, row in enumerate(rows):
        if isinstance(row, Problem):
            problems.append(row)
        if len(problems) > MOST_PROBLEMS:
            gave_up = Problem(message="the rest of the file was not read", file=file.name)
            raise InputError([*problems[:MOST_PROBLEMS], gave_up])
        if number > MOST_ROWS:
            raise input_error(f"the file holds more than {MOST_ROWS:,} texts", file=file.name)
        yield row


# The kind of a fact, the word by which it is reported, its place and its value.
Fact: TypeAlias = "tuple[str, str, *tuple[object, ...]]"


def _facts(test_set: TestSet) -> Iterator[Fact]:
    if test_set.name:
        yield "set name", test_set.name
    for language in filter(None, (test_set.source_language, test_set.target_language)):
        yield "languages", language
    for system in test_set.systems:
        facts = {"kind": system.kind, "site": system.site, "reference": system.reference or ""}
        for word, value in {**facts, **system.tags}.items():
            # the default kind is no fact that could be lost
            if value and value != "machine":
                yield "facts about systems", word, system.name, value
    for document in test_set.documents:
        if document.source_language:
            yield "document languages", document.source_language, document.id
        for tag, value in document.tags.items():
            yield "document tags", tag, document.id, value
        if document.comprehension:
            yield "comprehension questions", "", document.id, document.comprehension
        for segment in document.segments:
            yield from _segment_facts(document, segment)


def _segment_facts(document: Document, segment: Segment) -> Iterator[Fact]:
    place = (document.id, segment.id)
    for tag, value in segment.tags.items():
        yield "segment tags", tag, *place, value
    if segment.concepts:
        yield "concepts", "", *place, segment.concepts
    texts = {"source": segment.source}
    texts |= {f"reference {name}": text for name, text in segment.references.items()}
    for system, made in segment.translations.items():
        texts[f"system {system}"] = made.text
        for tag, value in made.tags.items():
            yield "translation tags", tag, *place, system, value
    # texts as a whole: formats change nothing in them but line ends and tabs
    for version, text in texts.items():
        yield "line ends and tabs in texts", "", *place, version, text
