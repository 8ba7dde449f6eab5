"""WMT's XML since 2021: `<dataset>` of documents, each with its source, references and outputs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import ClassVar

from jurat.faults import Fault
from jurat.formats import Format
from jurat.formats.markup import End, Start, Text, first_tag, xml_events
from jurat.formats.nist import attributes
from jurat.formats.rows import DocumentFacts, Entry, Kind, Row, SetFacts, SetFile, Spot
from jurat.formats.text import unwrapped
from jurat.model import Document, TestSet

VERSIONS: dict[str, Kind] = {"src": "source", "ref": "reference", "hyp": "system"}
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
    """Follows the tags of a file and gives the rows they stand for."""

    def __init__(self, file: SetFile) -> None:
        self.file = file
        self.collection = ""
        self.document = ""
        self.version: Start | None = None
        self.segment: Start | None = None
        self.pieces: list[str] = []

    def rows(self) -> Iterator[Row]:
        """Every text, with what is said of set and documents, and what is wrong."""
        for event in xml_events(self.file):
            if isinstance(event, Text):
                self.pieces.append(event.text)
            elif isinstance(event, Start):
                yield from self._start(event)
            else:
                yield from self._end(event)

    def _start(self, event: Start) -> Iterator[Row]:
        if event.tag == "dataset":
            name = event.attributes.get("id", "").strip()
            yield SetFacts(spot=self._spot(event), name=name)
        elif event.tag == "collection":
            self.collection = event.attributes.get("id", "")
        elif event.tag == "doc":
            yield from self._start_document(event)
        elif event.tag in VERSIONS:
            yield from self._start_version(event)
        elif event.tag == "seg":
            yield from self._start_segment(event)

    def _end(self, event: End) -> Iterator[Row]:
        if event.tag == "collection":
            self.collection = ""
        elif event.tag == "doc":
            self.document = ""
        elif event.tag in VERSIONS:
            self.version = None
        elif event.tag == "seg":
            yield from self._end_segment()

    def _start_document(self, event: Start) -> Iterator[Row]:
        self.document = event.attributes.get("id", "").strip()
        if not self.document:
            yield self._fault("this <doc> has no id", event)
            return
        tags = {key: value for key, value in event.attributes.items() if key != "id"}
        if self.collection:
            tags = {"collection": self.collection, **tags}
        yield DocumentFacts(spot=self._spot(event), document=self.document, tags=tags)

    def _start_version(self, event: Start) -> Iterator[Row]:
        self.version = event
        language = event.attributes.get("lang") or event.attributes.get("language") or ""
        spot = self._spot(event)
        if event.tag != "src":
            yield SetFacts(spot=spot, target_language=language)
        elif language and self.document:
            yield DocumentFacts(spot=spot, document=self.document, source_language=language)
        if event.tag == "hyp" and not event.attributes.get("system", "").strip():
            yield self._fault("this <hyp> names no system", event)

    def _start_segment(self, event: Start) -> Iterator[Row]:
        if self.segment is not None:
            yield self._fault("this <seg> is inside another", event)
        elif not self.version:
            yield self._fault("this <seg> is in no <src>, <ref> or <hyp>", event)
        elif not event.attributes.get("id", "").strip():
            yield self._fault("this <seg> has no id", event)
        self.segment, self.pieces = event, []

    def _end_segment(self) -> Iterator[Row]:
        segment, self.segment = self.segment, None
        if segment is None or self.version is None:
            return
        number = segment.attributes.get("id", "").strip()
        name = self._name(self.version)
        if self.document and number and name is not None:
            yield Entry(
                kind=VERSIONS[self.version.tag],
                name=name,
                document=self.document,
                segment=number,
                text=unwrapped("".join(self.pieces)),
                spot=self._spot(segment),
            )

    @staticmethod
    def _name(version: Start) -> str | None:
        """The system or translator; None where a system's output has no name."""
        if version.tag == "src":
            return ""
        if version.tag == "ref":
            return version.attributes.get("translator", "").strip() or "ref"
        return version.attributes.get("system", "").strip() or None

    def _spot(self, event: Start) -> Spot:
        return Spot(self.file.name, event.line)

    def _fault(self, message: str, event: Start) -> Fault:
        return self._spot(event).fault(message, document=self.document or None)


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
