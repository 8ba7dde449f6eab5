"""NIST's sets of documents, as SGML and XML have them alike: srcset, refset and tstset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

import msgspec

from jurat.faults import Fault
from jurat.formats.markup import End, Event, Start, Text
from jurat.formats.rows import DocumentFacts, Entry, Kind, Row, SetFacts, SetFile, Spot
from jurat.formats.text import unwrapped
from jurat.model import Document, TestSet

KINDS: dict[str, Kind] = {"srcset": "source", "refset": "reference", "tstset": "system"}
DOCUMENT_TAGS = ("genre", "origlang")
"""Attributes of a document that are its tags."""
ANY = "any"
"""How WMT's files say that a language is not stated."""


class Sets:
    """Follows the tags of a file and gives the rows they stand for."""

    def __init__(self, file: SetFile) -> None:
        self.file = file.name
        self.set: Start | None = None
        self.document: Start | None = None
        self.name = ""
        self.segment: Start | None = None
        self.pieces: list[str] = []

    def rows(self, events: Iterable[Event]) -> Iterator[Row]:
        """Every text, with what is said of set and documents, and what is wrong."""
        for event in events:
            match event:
                case Text(text):
                    self.pieces.append(text)
                case Start(tag="seg"):
                    yield from self._start_segment(event)
                case End(tag="seg"):
                    yield from self._end_segment()
                case Start(tag="doc"):
                    yield from self._start_document(event)
                case End(tag="doc"):
                    self.document = None
                case Start(tag=tag) if tag in KINDS:
                    self.set = event
                    yield self._set_facts(event)
                case End(tag=tag) if tag in KINDS:
                    self.set = self.document = None

    def _set_facts(self, event: Start) -> SetFacts:
        said = {key: _said(value) for key, value in event.attributes.items()}
        return SetFacts(
            spot=Spot(self.file, event.line),
            name=said.get("setid", ""),
            source_language=said.get("srclang", ""),
            target_language=said.get("trglang", ""),
        )

    def _start_document(self, event: Start) -> Iterator[Row]:
        self.document = event
        docid = event.attributes.get("docid", "").strip()
        if self.set is None:
            yield self._fault("this <doc> is in no srcset, refset or tstset", event)
        elif not docid:
            yield self._fault("this <doc> has no docid", event)
        else:
            self.name = _name(self.set, event)
            tags = {key: event.attributes[key] for key in DOCUMENT_TAGS if key in event.attributes}
            yield DocumentFacts(spot=Spot(self.file, event.line), document=docid, tags=tags)

    def _start_segment(self, event: Start) -> Iterator[Fault]:
        if self.segment is not None:
            yield self._fault("this <seg> is inside another", event)
        self.segment, self.pieces = event, []
        if self.document is None:
            yield self._fault("this <seg> is in no <doc>", event)
        elif not event.attributes.get("id", "").strip():
            document = self.document.attributes.get("docid")
            yield self._fault("this <seg> has no id", event, document=document)

    def _end_segment(self) -> Iterator[Entry]:
        segment, self.segment = self.segment, None
        if segment is None or self.document is None or self.set is None:
            return
        document = self.document.attributes.get("docid", "").strip()
        number = segment.attributes.get("id", "").strip()
        if document and number:
            yield Entry(
                kind=KINDS[self.set.tag],
                name=self.name,
                document=document,
                segment=number,
                text=unwrapped("".join(self.pieces)),
                spot=Spot(self.file, segment.line),
            )

    def _fault(self, message: str, event: Start, document: str | None = None) -> Fault:
        return Spot(self.file, event.line).fault(message, document=document)


def _name(whole: Start, document: Start) -> str:
    """The name of the system or translator, which stands at the document or at the set."""
    if whole.tag == "srcset":
        return ""
    places = (document.attributes, whole.attributes)
    keys = ("refid", "sysid") if whole.tag == "refset" else ("sysid",)
    named = (place[key] for place in places for key in keys if place.get(key, "").strip())
    return next(named, "ref" if whole.tag == "refset" else "")


class Writing(msgspec.Struct, frozen=True, kw_only=True):
    """One set to be written: the source, a reference or a system."""

    kind: Kind
    name: str = ""
    naming: str = "sysid"


def write_set(test_set: TestSet, writing: Writing) -> Iterator[str]:
    """The lines of one set."""
    tag = next(tag for tag, kind in KINDS.items() if kind == writing.kind)
    facts = {"setid": test_set.name, "srclang": test_set.source_language or ANY}
    if writing.kind != "source":
        facts["trglang"] = test_set.target_language or ANY
        facts[writing.naming] = writing.name
    yield f"<{tag}{attributes(facts)}>"
    for document in test_set.documents:
        yield from _document(document, writing)
    yield f"</{tag}>"


def _document(document: Document, writing: Writing) -> Iterator[str]:
    tags = {key: document.tags[key] for key in DOCUMENT_TAGS if key in document.tags}
    yield f"<doc{attributes({'docid': document.id, **tags})}>"
    for segment in document.segments:
        texts = {
            "source": segment.source or "",
            "reference": segment.references.get(writing.name, ""),
            "system": segment.translations[writing.name].text if writing.kind == "system" else "",
        }
        text = escape(unwrapped(texts[writing.kind]), quote=False)
        yield f"<seg{attributes({'id': segment.id})}>{text}</seg>"
    yield "</doc>"


def writings(test_set: TestSet, *, reference_id: str) -> Iterator[Writing]:
    """All sets of a test set; references are named by `refid` in XML and by `sysid` in SGML."""
    if any(segment.source is not None for _, segment in test_set.segments()):
        yield Writing(kind="source")
    for name in test_set.references:
        yield Writing(kind="reference", name=name, naming=reference_id)
    for system in test_set.systems:
        yield Writing(kind="system", name=system.name)


def attributes(values: dict[str, str]) -> str:
    """Attributes of a tag; those without a value are left out."""
    return "".join(f' {key}="{escape(value)}"' for key, value in values.items() if value)


def _said(value: str) -> str:
    return "" if value.strip().lower() == ANY else value.strip()
