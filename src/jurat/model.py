"""The data types of an evaluation: test sets, systems, items, kits and judges; all immutable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

# Names and values by which documents, segments, systems, translations and judges are described.
Tags = Mapping[str, str]

Phase = Literal["tutorial", "evaluation"]
# What an item is for: empty where it is to be judged, else the kind of control it is.
Control = Literal["", "repeat", "easy", "degraded", "gold"]

# The tag of a translation for which the top score is expected.
EASY: Tags = {"easy": "yes"}


class ReadingQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A multiple-choice question about a passage; `answer` counts the options from 1."""

    ask: str
    options: tuple[str, ...]
    answer: int

    def __post_init__(self) -> None:
        if not 1 <= self.answer <= len(self.options):
            raise ValueError(f"the answer is one of the options 1 to {len(self.options)}")


class Translation(msgspec.Struct, frozen=True):
    """What one system made of one segment."""

    text: str
    tags: Tags = {}


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence or so of a document, with its references and translations by name."""

    id: str
    source: str | None = None
    references: Mapping[str, str] = {}
    translations: Mapping[str, Translation] = {}
    tags: Tags = {}
    concepts: tuple[str, ...] = ()


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """Segments that belong together, in reading order."""

    id: str
    segments: tuple[Segment, ...]
    source_language: str = ""
    tags: Tags = {}
    comprehension: tuple[ReadingQuestion, ...] = ()


class System(msgspec.Struct, frozen=True, kw_only=True):
    """Whoever translated: a machine, or a person whose `reference` entered as a system."""

    name: str
    kind: Literal["machine", "human"] = "machine"
    site: str = ""
    reference: str | None = None
    tags: Tags = {}


class TestSet(msgspec.Struct, frozen=True, kw_only=True):
    """Documents with their references and every system's translation of them."""

    __test__ = False  # pytest would take the name for a test class

    name: str = ""
    source_language: str = ""
    target_language: str = ""
    documents: tuple[Document, ...]
    systems: tuple[System, ...]
    references: tuple[str, ...]

    def segments(self) -> Iterator[tuple[Document, Segment]]:
        """Every segment with its document, in order."""
        for document in self.documents:
            for segment in document.segments:
                yield document, segment

    def references_for(self, segment: Segment, system: System) -> Mapping[str, str]:
        """The references that may be shown beside a system: never the one that is its own text."""
        return {n: text for n, text in segment.references.items() if n != system.reference}


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One translation on the screen; a judge sees its text, never its system."""

    system: str
    text: str


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """What is on the screen for one decision, and what is known only to the server."""

    id: str
    document: str
    segment: str
    translations: tuple[Shown, ...]
    source: str | None = None
    source_language: str = ""
    """The document's own; empty where it is that of the test set."""
    references: Mapping[str, str] = {}
    concepts: tuple[str, ...] = ()
    comprehension: tuple[ReadingQuestion, ...] = ()
    context: tuple[str, ...] = ()
    """Earlier segments of the document, as this judge sees them."""
    # judges never learn of it
    control: Control = ""
    expected: Mapping[str, object] = {}
    """The right answers of a gold item, by question."""
    tags: Tags = {}


class Judge(msgspec.Struct, frozen=True, kw_only=True):
    """A judge; their tags (native, bilingual, expertise) decide which tasks they are given."""

    id: str
    group: str = ""
    site: str = ""
    tags: Tags = {}


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """A packet of items that one judge does in one sitting.

    Kits of one block share segments. A kit with a group is only for judges of that group.
    """

    task: str
    phase: Phase
    number: int
    block: str
    group: str = ""
    items: tuple[Item, ...]

    @property
    def systems(self) -> frozenset[str]:
        """Every system whose translations are in the kit."""
        return frozenset(shown.system for item in self.items for shown in item.translations)


class File(msgspec.Struct, frozen=True):
    """A file's name and content; nothing below the command line and the web opens files."""

    name: str
    data: bytes

    @property
    def ending(self) -> str:
        """The extension of the name, in lower case and without the dot: `csv`; empty if none."""
        stem, dot, ending = self.name.rpartition(".")
        return ending.lower() if dot and stem and "/" not in ending else ""
