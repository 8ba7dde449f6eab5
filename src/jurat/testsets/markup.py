"""Reads XML as a stream of tags and texts, with exact line numbers and in limited memory.

It uses expat directly: libxml2's line numbers stop at 65,535. Entity declarations are rejected,
because they can make a small file expand until the memory is full.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import TypeAlias
from xml.parsers import expat

import msgspec

from jurat.errors import input_error
from jurat.testsets.base import SetFile

# Levels of nesting.
DEEPEST = 100
# Bytes of a tag with its attributes or of a comment; characters of a text between tags.
LONGEST_PIECE = 1 << 20

_CHUNK = 1 << 18
# Bytes at the top of a file in which its first tag is looked for.
_TOP = 1 << 16
_OPENING = re.compile(rb"<!--|<([A-Za-z][\w.-]*)")
_DECLARATION = re.compile(rb"<\?xml\s[^>]*\?>")
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([^\"']*)")
# ASCII is a part of UTF-8.
_UTF8 = {b"utf-8", b"utf8", b"us-ascii", b"ascii"}


class StartTag(msgspec.Struct, frozen=True, gc=False):
    """A start tag."""

    tag: str
    line: int
    attributes: dict[str, str] = {}


class EndTag(msgspec.Struct, frozen=True, gc=False):
    """An end tag."""

    tag: str
    line: int


class TextEvent(msgspec.Struct, frozen=True, gc=False):
    """A piece of text between tags."""

    text: str


Event: TypeAlias = "StartTag | EndTag | TextEvent"


def xml_events(file: SetFile) -> Iterator[Event]:
    """The tags and texts of an XML file; raises `InputError` if it is malformed or unsafe."""
    listener = _Listener(file.name)
    for piece, last in _pieces(file):
        yield from listener.hear(piece, last=last)


def first_tag(data: bytes) -> str:
    """The name of the first element, in lower case; empty if there is none near the top."""
    top, at = data[:_TOP], 0
    while found := _OPENING.search(top, at):
        if found[1]:
            return found[1].decode().lower()
        at = top.find(b"-->", found.end())
        if at < 0:
            break
    return ""


def _pieces(file: SetFile) -> Iterator[tuple[bytes | memoryview, bool]]:
    """The file in pieces, with its XML declaration replaced; and whether a piece is the last.

    In a file with a DTD, expat silently drops unknown entities (`&nbsp;`); in a document that is
    declared standalone they are errors.
    """
    data = file.data.removeprefix(BOM_UTF8)
    declared = _DECLARATION.match(data)
    own = declared[0] if declared else b""
    encoding = _ENCODING.search(own)
    if encoding and encoding[1].lower() not in _UTF8:
        message = f"the file declares the encoding {encoding[1].decode()}; save it as UTF-8"
        raise input_error(message, file=file.name, line=1)
    # with the line ends of the replaced declaration, so that line numbers stay right
    yield b'<?xml version="1.0" standalone="yes"?>' + b"\n" * own.count(b"\n"), False
    for start in range(len(own), len(data), _CHUNK):
        yield memoryview(data)[start : start + _CHUNK], False
    # expat needs a final empty call to report unclosed tags
    yield b"", True


class _Listener:
    """Collects expat's events; rejects entities, deep nesting and very long texts."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.events: list[Event] = []
        self.depth = 0
        self.silent = 0
        self.length = 0
        self.parser = expat.ParserCreate("utf-8")
        # otherwise expat splits texts at line ends and entities
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._entity

    def hear(self, piece: bytes | memoryview, *, last: bool) -> list[Event]:
        """The events of the next piece of the file."""
        self.events = []
        try:
            self.parser.Parse(piece, last)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            message = f"this is not well-formed XML: {reason}"
            raise input_error(message, file=self.file, line=error.lineno) from None
        # expat scans an unfinished tag again with every piece, which would take quadratic time
        self.silent = 0 if self.events else self.silent + len(piece)
        if self.silent > LONGEST_PIECE:
            raise self._refusal(f"a tag or comment has more than {LONGEST_PIECE:,} bytes")
        return self.events

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._refusal(f"the tags are nested more than {DEEPEST} deep")
        self.length = 0
        self.events.append(StartTag(tag, self.parser.CurrentLineNumber, attributes))

    def _end(self, tag: str) -> None:
        self.depth -= 1
        self.length = 0
        self.events.append(EndTag(tag, self.parser.CurrentLineNumber))

    def _text(self, text: str) -> None:
        self.length += len(text)
        if self.length > LONGEST_PIECE:
            raise self._refusal(f"a text has more than {LONGEST_PIECE:,} characters")
        self.events.append(TextEvent(text))

    def _entity(self, name: str, *_: object) -> None:
        raise self._refusal(f"the file declares an entity ({name}); that is not allowed")

    def _refusal(self, message: str) -> ValueError:
        return input_error(message, file=self.file, line=self.parser.CurrentLineNumber)
