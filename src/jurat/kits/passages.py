"""What is judged at once: a segment with its context, or a document as one text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil
from typing import Literal, TypeVar

import msgspec

from jurat.model import Control, Document, Segment, Tags, TestSet, Translation

Thing = TypeVar("Thing")

# Earlier segments that a judge is shown where a protocol shows context.
CONTEXT = 3
# The tag of a segment whose right answers are known; its value holds them.
GOLD = "gold"


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A segment of a document, or a whole document as if it were one (its id is empty)."""

    document: Document
    segment: Segment
    earlier: tuple[Segment, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Document and segment."""
        return self.document.id, self.segment.id

    @property
    def gold(self) -> str | None:
        """The right answers, as written in the test set."""
        return self.segment.tags.get(GOLD)

    @property
    def tags(self) -> Tags:
        """The document's and the segment's own."""
        both = {**self.document.tags, **self.segment.tags}
        return {name: value for name, value in both.items() if name != GOLD}


class PlannedItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item before it is rendered: a passage, and the systems whose translations are shown."""

    passage: Passage
    systems: tuple[str, ...]
    control: Control = ""
    degraded_texts: dict[str, str] = {}
    """Texts that are shown instead of systems' translations, in degraded controls."""
    expected: dict[str, object] = {}

    @property
    def keys(self) -> list[tuple[str, str, str]]:
        """Document, segment and system of every translation on the screen."""
        return [(*self.passage.key, system) for system in self.systems]


def passages(test_set: TestSet, unit: Literal["segment", "document"]) -> list[Passage]:
    """Everything that can be judged, in order."""
    if unit == "document":
        return [Passage(document=d, segment=joined(d)) for d in test_set.documents]
    return [
        Passage(document=d, segment=segment, earlier=d.segments[max(0, n - CONTEXT) : n])
        for d in test_set.documents
        for n, segment in enumerate(d.segments)
    ]


def joined(document: Document) -> Segment:
    """A document as one segment, a line for each of its own."""
    parts = document.segments
    sources = [part.source for part in parts if part.source is not None]
    return Segment(
        id="",
        source="\n".join(sources) if len(sources) == len(parts) else None,
        references={
            name: "\n".join(part.references[name] for part in parts)
            for name in _shared(part.references for part in parts)
        },
        translations={
            name: _joined([part.translations[name] for part in parts])
            for name in _shared(part.translations for part in parts)
        },
        tags=document.tags,
        concepts=tuple(concept for part in parts for concept in part.concepts),
    )


def _joined(translations: Sequence[Translation]) -> Translation:
    """One translation, with the tags that all of them have: easy when every part is."""
    tags = set.intersection(*(set(each.tags.items()) for each in translations))
    return Translation("\n".join(each.text for each in translations), dict(sorted(tags)))


def _shared(names: Iterable[Iterable[str]]) -> list[str]:
    """The names that all have, in the order of the first."""
    first, *others = [list(each) for each in names]
    return [name for name in first if all(name in other for other in others)]


def even_runs(things: Sequence[Thing], most: int, *, least: int = 1) -> list[Sequence[Thing]]:
    """The things in as few runs of at most so many as can be, all about equally long.

    Where some would be shorter than `least`, all are longer instead.
    """
    runs = max(1, min(ceil(len(things) / most), len(things) // least))
    cuts = [len(things) * n // runs for n in range(runs + 1)]
    return [things[start:end] for start, end in pairwise(cuts)]
