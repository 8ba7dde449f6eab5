"""NIST's SGML and XML, as mteval reads them: files with a srcset, refsets and tstsets.

SGML is read leniently: tags may be in capitals, attributes unquoted, `&` and `<` unescaped, `</p>`
missing. Only the tags of sets, documents and segments count as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import ClassVar

import msgspec

from jurat.errors import Problem, input_error
from jurat.model import Document, TestSet
from jurat.testsets import Format, file_names
from jurat.testsets.base import (
    DocumentFacts,
    Kind,
    Location,
    Row,
    SetFacts,
    SetFile,
    TextEntry,
    unwrapped,
)
from jurat.testsets.markup import (
    LONGEST_PIECE,
    EndTag,
    Event,
    StartTag,
    TextEvent,
    first_tag,
    xml_events,
)

KINDS: dict[str, Kind] = {"srcset": "source", "refset": "reference", "tstset": "system"}
# Attributes of a document that are its tags.
DOCUMENT_TAGS = ("genre", "origlang")
# What WMT's files write for an unknown language.
ANY = "any"


class SetReader:
    """Turns the tags of a file into rows."""

    def __init__(self, file: SetFile) -> None:
        self.file = file.name
        self.set: StartTag | None = None
        self.document: StartTag | None = None
        self.name = ""
        self.segment: StartTag | None = None
        self.pieces: list[str] = []

    def rows(self, events: Iterable[Event]) -> Iterator[Row]:
        """All texts, facts about the set and its documents, and problems."""
        for event in events:
            match event:
                case TextEvent(text):
                    # text between segments is collected, too, and dropped when a segment starts
                    self.pieces.append(text)
                case StartTag(tag="seg"):
                    yield from self._start_segment(event)
                case EndTag(tag="seg"):
                    yield from self._end_segment()
                case StartTag(tag="doc"):
                    yield from self._start_document(event)
                case EndTag(tag="doc"):
                    self.document = None
                case StartTag(tag=tag) if tag in KINDS:
                    self.set = event
                    yield self._set_facts(event)
                case EndTag(tag=tag) if tag in KINDS:
                    self.set = self.document = None

    def _set_facts(self, event: StartTag) -> SetFacts:
        said = {key: _said(value) for key, value in event.attributes.items()}
        return SetFacts(
            location=Location(self.file, event.line),
            name=said.get("setid", ""),
            source_language=said.get("srclang", ""),
            target_language=said.get("trglang", ""),
        )

    def _start_document(self, event: StartTag) -> Iterator[Row]:
        self.document = event
        docid = event.attributes.get("docid", "").strip()
        if self.set is None:
            yield self._problem("this <doc> is in no srcset, refset or tstset", event)
        elif not docid:
            yield self._problem("this <doc> has no docid", event)
        else:
            # NIST names the system in the set, WMT in each document
            self.name = _name(self.set, event)
            tags = {key: event.attributes[key] for key in DOCUMENT_TAGS if key in event.attributes}
            yield DocumentFacts(location=Location(self.file, event.line), document=docid, tags=tags)

    def _start_segment(self, event: StartTag) -> Iterator[Problem]:
        if self.segment is not None:
            yield self._problem("this <seg> is inside another", event)
        self.segment, self.pieces = event, []
        if self.document is None:
            yield self._problem("this <seg> is in no <doc>", event)
        elif not event.attributes.get("id", "").strip():
            document = self.document.attributes.get("docid")
            yield self._problem("this <seg> has no id", event, document=document)

    def _end_segment(self) -> Iterator[TextEntry]:
        segment, self.segment = self.segment, None
        # what is missing was reported at its start tag; a stray </seg> is ignored
        if segment is None or self.document is None or self.set is None:
            return
        document = self.document.attributes.get("docid", "").strip()
        number = segment.attributes.get("id", "").strip()
        if document and number:
            yield TextEntry(
                kind=KINDS[self.set.tag],
                name=self.name,
                document=document,
                segment=number,
                text=unwrapped("".join(self.pieces)),
                location=Location(self.file, segment.line),
            )

    def _problem(self, message: str, event: StartTag, document: str | None = None) -> Problem:
        return Location(self.file, event.line).problem(message, document=document)


def _name(whole: StartTag, document: StartTag) -> str:
    """The name of the system or translator, from the document or the set."""
    if whole.tag == "srcset":
        return ""
    places = (document.attributes, whole.attributes)
    keys = ("refid", "sysid") if whole.tag == "refset" else ("sysid",)
    # the document's own name wins over that of its set
    named = (place[key] for place in places for key in keys if place.get(key, "").strip())
    return next(named, "ref" if whole.tag == "refset" else "")


class SetWriter(msgspec.Struct, frozen=True, kw_only=True):
    """One set to be written: the source, a reference or a system."""

    kind: Kind
    name: str = ""
    naming: str = "sysid"


def write_set(test_set: TestSet, writing: SetWriter) -> Iterator[str]:
    """The lines of one set: its tags, documents and segments."""
    tag = next(tag for tag, kind in KINDS.items() if kind == writing.kind)
    # an unknown language is written out, as in WMT's own files
    facts = {"setid": test_set.name, "srclang": test_set.source_language or ANY}
    if writing.kind != "source":
        facts["trglang"] = test_set.target_language or ANY
        facts[writing.naming] = writing.name
    yield f"<{tag}{attributes(facts)}>"
    for document in test_set.documents:
        yield from _document(document, writing)
    yield f"</{tag}>"


def _document(document: Document, writing: SetWriter) -> Iterator[str]:
    tags = {key: document.tags[key] for key in DOCUMENT_TAGS if key in document.tags}
    yield f"<doc{attributes({'docid': document.id, **tags})}>"
    for segment in document.segments:
        texts = {
            "source": segment.source or "",
            "reference": segment.references.get(writing.name, ""),
            "system": segment.translations[writing.name].text if writing.kind == "system" else "",
        }
        # quotes need no escapes outside attributes
        text = escape(unwrapped(texts[writing.kind]), quote=False)
        yield f"<seg{attributes({'id': segment.id})}>{text}</seg>"
    yield "</doc>"


def writings(test_set: TestSet, *, reference_id: str) -> Iterator[SetWriter]:
    """The sets to write; `reference_id` is the attribute with a reference's name."""
    if any(segment.source is not None for _, segment in test_set.segments()):
        yield SetWriter(kind="source")
    for name in test_set.references:
        yield SetWriter(kind="reference", name=name, naming=reference_id)
    for system in test_set.systems:
        yield SetWriter(kind="system", name=system.name)


def attributes(values: dict[str, str]) -> str:
    """The attributes of a tag as text; empty values are left out."""
    return "".join(f' {key}="{escape(value)}"' for key, value in values.items() if value)


def _said(value: str) -> str:
    return "" if value.strip().lower() == ANY else value.strip()


TOP = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE mteval SYSTEM "mteval-xml-v1.3.dtd">
<mteval>
"""


class NistXml(Format):
    """`<mteval>` around sets of documents."""

    name: ClassVar[str] = "nist-xml"
    endings: ClassVar[tuple[str, ...]] = ("xml",)
    about: ClassVar[str] = "NIST's XML for mteval: srcset, refset, tstset"
    carries: ClassVar[tuple[str, ...]] = ("set name", "languages", "genre and origlang")

    def recognises(self, file: SetFile) -> bool:
        return first_tag(file.data) == "mteval"

    def read(self, file: SetFile) -> Iterator[Row]:
        return SetReader(file).rows(xml_events(file))

    def write(self, test_set: TestSet) -> list[SetFile]:
        sets = (write_set(test_set, each) for each in writings(test_set, reference_id="refid"))
        body = "".join(f"{line}\n" for lines in sets for line in lines)
        return [SetFile("testset.xml", f"{TOP}{body}</mteval>\n".encode())]


# A limit, because the search for the end of a malformed tag would take too long.
MOST_ATTRIBUTES = 100

_TAG = re.compile(r"<(?:!--|(/?)(srcset|refset|tstset|doc|seg)(?=[\s>/]))", re.IGNORECASE)
# bounded repetitions, so that a tag without an end cannot make the search slow
_ATTRIBUTE = re.compile(
    r"\s{1,999}([^\s=<>\"'/]{1,200})"
    r"(?:\s{0,9}=\s{0,9}(?:\"([^\"]{0,9999})\"|'([^']{0,9999})'|([^\s<>\"']{0,9999})))?"
)
_TAG_END = re.compile(r"\s{0,999}/?>")
_REFERENCE = re.compile(r"&(lt|gt|amp|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": "\u00a0"}


class Sgml(Format):
    """Source, references and systems in SGML files."""

    name: ClassVar[str] = "sgml"
    endings: ClassVar[tuple[str, ...]] = ("sgm", "sgml")
    about: ClassVar[str] = "NIST's and WMT's SGML: srcset, refset, tstset"
    carries: ClassVar[tuple[str, ...]] = ("set name", "languages", "genre and origlang")

    def recognises(self, file: SetFile) -> bool:
        return first_tag(file.data) in KINDS

    def read(self, file: SetFile) -> Iterator[Row]:
        return SetReader(file).rows(_Scanner(file).events())

    def write(self, test_set: TestSet) -> list[SetFile]:
        sets = list(writings(test_set, reference_id="sysid"))
        names = file_names((_stem(each) for each in sets), "sgm")
        return [
            SetFile(name, "".join(f"{line}\n" for line in write_set(test_set, each)).encode())
            for name, each in zip(names, sets, strict=True)
        ]


def _stem(writing: SetWriter) -> str:
    return f"{writing.kind}.{writing.name}" if writing.name else writing.kind


class _Scanner:
    """Finds the tags of SGML by regular expressions, and counts lines."""

    def __init__(self, file: SetFile) -> None:
        self.file = file.name
        self.text = file.data.decode().replace("\r\n", "\n")
        self.at = 0
        self.line = 1

    def events(self) -> Iterator[Event]:
        """The tags of sets, documents and segments, and the segments' texts."""
        while found := _TAG.search(self.text, self.at):
            self._move(found.start())
            if found[0] == "<!--":
                self._skip_comment()
            elif found[1]:
                yield EndTag(found[2].lower(), self.line)
                self._move(found.end())
            else:
                start = self._start(found)
                yield start
                if start.tag == "seg":
                    yield TextEvent(self._segment_text(start))
                    # the text up to </seg> is read at once: `<` in it is not markup
                    yield EndTag("seg", self.line)

    def _start(self, found: re.Match[str]) -> StartTag:
        line = self.line
        attributes: dict[str, str] = {}
        end = found.end()
        for _ in range(MOST_ATTRIBUTES):
            if not (attribute := _ATTRIBUTE.match(self.text, end)):
                break
            # in double quotes, in single quotes, or without
            value = attribute[2] or attribute[3] or attribute[4] or ""
            attributes[attribute[1].lower()] = _decoded(value).strip()
            end = attribute.end()
        if not (close := _TAG_END.match(self.text, end)):
            raise input_error(f"this <{found[2]}> tag is never closed", file=self.file, line=line)
        self._move(close.end())
        return StartTag(found[2].lower(), line, attributes)

    def _segment_text(self, start: StartTag) -> str:
        """The text up to `</seg>`; raises `InputError` if another tag of a set comes before it."""
        found = _TAG.search(self.text, self.at)
        # within a segment this is no comment but text that somebody wrote
        while found and found[0] == "<!--":
            found = _TAG.search(self.text, found.end())
        if not found or not found[1] or found[2].lower() != "seg":
            raise input_error("this segment has no </seg>", file=self.file, line=start.line)
        if found.start() - self.at > LONGEST_PIECE:
            message = f"a text has more than {LONGEST_PIECE:,} characters"
            raise input_error(message, file=self.file, line=start.line)
        text = _decoded(self.text[self.at : found.start()])
        self._move(found.end())
        return text

    def _skip_comment(self) -> None:
        end = self.text.find("-->", self.at)
        if end < 0:
            raise input_error("this comment is never closed", file=self.file, line=self.line)
        self._move(end + 3)

    def _move(self, to: int) -> None:
        self.line += self.text.count("\n", self.at, to)
        self.at = to


def _decoded(text: str) -> str:
    # one pass, so that &amp;lt; becomes &lt; and not <
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    name = found[1]
    if not name.startswith("#"):
        return _CHARACTERS[name]
    number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    # what is no character stays as it is written
    return found[0] if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF else chr(number)
