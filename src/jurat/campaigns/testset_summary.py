"""What is in a test set, in numbers and names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import msgspec

from jurat.model import System, Tags, TestSet


class DocumentSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A document without its texts."""

    id: str
    segments: int
    source_language: str
    tags: Tags


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A test set without its texts."""

    name: str
    source_language: str
    target_language: str
    documents: tuple[DocumentSummary, ...]
    segments: int
    systems: tuple[System, ...]
    references: tuple[str, ...]
    tags: Mapping[str, tuple[str, ...]]
    """Of documents and segments: the values of each, in order."""


def summary(test_set: TestSet) -> Summary:
    """What is in a test set."""
    values: defaultdict[str, set[str]] = defaultdict(set)
    for pair in test_set.segments():
        for tag, value in (item for each in pair for item in each.tags.items()):
            values[tag].add(value)
    documents = tuple(
        DocumentSummary(
            id=document.id,
            segments=len(document.segments),
            source_language=document.source_language or test_set.source_language,
            tags=document.tags,
        )
        for document in test_set.documents
    )
    return Summary(
        name=test_set.name,
        source_language=test_set.source_language,
        target_language=test_set.target_language,
        documents=documents,
        segments=sum(document.segments for document in documents),
        systems=test_set.systems,
        references=test_set.references,
        tags={tag: tuple(sorted(found)) for tag, found in sorted(values.items())},
    )
