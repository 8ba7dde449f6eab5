"""WMT's XML since 2021: `<dataset>` of documents, each with its source, references and outputs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import ClassVar

from jurat.errors import Problem
from jurat.model import Document, TestSet
from jurat.testsets import Format
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
from jurat.testsets.markup import EndTag, StartTag, TextEvent, first_tag, xml_events
from jurat.testsets.nist import attributes

VERSIONS: dict[str, Kind] = {"src": "source", "ref": "reference", "hyp": "system"}
# Valid names of XML attributes; tags with other names cannot be written.
_NAME = re.compile(r"(?!xml)[A-Za-z_][A-Za-z0-9_.-]*", re.IGNORECASE)


class WmtXml(Format):
    """`<dataset><doc><src>…<ref>…<hyp>…`."""

    name: ClassVar[str] = "wmt-xml"
    endings: ClassVar[tuple[str, ...]] = ("xml",)
    about: ClassVar[str] = "WMT's XML since 2021: dataset, doc, src, ref, hyp"
    carries: ClassVar[tuple[str, ...]] = (
        "set name",
        "languages",
        "document languages",
        "document tags",
    )

    def recognises(self, file: SetFile) -> bool:
        return first_tag(file.data) in ("dataset", "collection")

    def read(self, file: SetFile) -> Iterator[Row]:
        return _Dataset(file).rows()

    def write(self, test_set: TestSet) -> list[SetFile]:
        lines = ["<?xml version='1.0' encoding='utf-8'?>", f"<dataset{_id(test_set.name)}>"]
        for document in test_set.documents:
            lines += _document(test_set, document)
        lines += ["</dataset>", ""]
        return [SetFile("testset.xml", "\n".join(lines).encode())]


class _Dataset:
    """Turns the tags of a file into rows."""

    def __init__(self, file: SetFile) -> None:
        self.file = file
        self.collection = ""
        self.document = ""
        self.version: StartTag | None = None
        self.segment: StartTag | None = None
        self.pieces: list[str] = []

    def rows(self) -> Iterator[Row]:
        """All texts, facts about the set and its documents, and problems."""
        for event in xml_events(self.file):
            if isinstance(event, TextEvent):
                self.pieces.append(event.text)
            elif isinstance(event, StartTag):
                yield from self._start(event)
            else:
                yield from self._end(event)

    def _start(self, event: StartTag) -> Iterator[Row]:
        if event.tag == "dataset":
            name = event.attributes.get("id", "").strip()
            yield SetFacts(location=self._location(event), name=name)
        elif event.tag == "collection":
            self.collection = event.attributes.get("id", "")
        elif event.tag == "doc":
            yield from self._start_document(event)
        elif event.tag in VERSIONS:
            yield from self._start_version(event)
        elif event.tag == "seg":
            yield from self._start_segment(event)

    def _end(self, event: EndTag) -> Iterator[Row]:
        if event.tag == "collection":
            self.collection = ""
        elif event.tag == "doc":
            self.document = ""
        elif event.tag in VERSIONS:
            self.version = None
        elif event.tag == "seg":
            yield from self._end_segment()

    def _start_document(self, event: StartTag) -> Iterator[Row]:
        self.document = event.attributes.get("id", "").strip()
        if not self.document:
            yield self._problem("this <doc> has no id", event)
            return
        tags = {key: value for key, value in event.attributes.items() if key != "id"}
        # the id of a collection is kept as a tag of its documents
        if self.collection:
            tags = {"collection": self.collection, **tags}
        yield DocumentFacts(location=self._location(event), document=self.document, tags=tags)

    def _start_version(self, event: StartTag) -> Iterator[Row]:
        self.version = event
        language = event.attributes.get("lang") or event.attributes.get("language") or ""
        location = self._location(event)
        if event.tag != "src":
            yield SetFacts(location=location, target_language=language)
        elif language and self.document:
            # per document: the sources of one set may be in several languages
            yield DocumentFacts(location=location, document=self.document, source_language=language)
        if event.tag == "hyp" and not event.attributes.get("system", "").strip():
            yield self._problem("this <hyp> names no system", event)

    def _start_segment(self, event: StartTag) -> Iterator[Row]:
        if self.segment is not None:
            yield self._problem("this <seg> is inside another", event)
        elif not self.version:
            yield self._problem("this <seg> is in no <src>, <ref> or <hyp>", event)
        elif not event.attributes.get("id", "").strip():
            yield self._problem("this <seg> has no id", event)
        self.segment, self.pieces = event, []

    def _end_segment(self) -> Iterator[Row]:
        segment, self.segment = self.segment, None
        if segment is None or self.version is None:
            return
        number = segment.attributes.get("id", "").strip()
        name = self._name(self.version)
        if self.document and number and name is not None:
            yield TextEntry(
                kind=VERSIONS[self.version.tag],
                name=name,
                document=self.document,
                segment=number,
                text=unwrapped("".join(self.pieces)),
                location=self._location(segment),
            )

    @staticmethod
    def _name(version: StartTag) -> str | None:
        """The name of the system or translator; None if an output has none."""
        if version.tag == "src":
            return ""
        if version.tag == "ref":
            # files with a single reference often do not name its translator
            return version.attributes.get("translator", "").strip() or "ref"
        return version.attributes.get("system", "").strip() or None

    def _location(self, event: StartTag) -> Location:
        return Location(self.file.name, event.line)

    def _problem(self, message: str, event: StartTag) -> Problem:
        return self._location(event).problem(message, document=self.document or None)


def _document(test_set: TestSet, document: Document) -> Iterator[str]:
    tags = {key: value for key, value in document.tags.items() if _is_attribute(key)}
    yield f"<doc{attributes({'id': document.id, **tags})}>"
    segments = document.segments
    if any(segment.source is not None for segment in segments):
        lang = document.source_language or test_set.source_language
        yield from _version("src", {"lang": lang}, [(s.id, s.source or "") for s in segments])
    lang = test_set.target_language
    for name in test_set.references:
        texts = [(s.id, s.references[name]) for s in segments]
        yield from _version("ref", {"lang": lang, "translator": name}, texts)
    for system in test_set.systems:
        texts = [(s.id, s.translations[system.name].text) for s in segments]
        yield from _version("hyp", {"lang": lang, "system": system.name}, texts)
    yield "</doc>"


def _version(tag: str, facts: dict[str, str], texts: list[tuple[str, str]]) -> Iterator[str]:
    yield f"<{tag}{attributes(facts)}>"
    yield "<p>"
    for number, text in texts:
        yield f"<seg{_id(number)}>{escape(unwrapped(text), quote=False)}</seg>"
    yield f"</p></{tag}>"


def _id(name: str) -> str:
    return attributes({"id": name})


def _is_attribute(tag: str) -> bool:
    return tag != "id" and _NAME.fullmatch(tag) is not None
