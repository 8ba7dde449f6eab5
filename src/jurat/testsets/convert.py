"""What is lost when a test set is converted: the facts that only the first of two sets has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from jurat.model import TestSet

# The word that the report names, then the place and the value.
Fact: TypeAlias = "tuple[object, ...]"
Facet: TypeAlias = "Callable[[TestSet], Iterator[Fact]]"


def losses(before: TestSet, after: TestSet) -> list[str]:
    """What the second set lacks, in words: `segment tags: construct, input`."""
    return [said for name, facet in FACETS.items() if (said := _said(name, facet, before, after))]


def _said(name: str, facet: Facet, before: TestSet, after: TestSet) -> str:
    # compared as facts, not as objects: order does not matter
    kept = set(facet(after))
    gone = [fact for fact in facet(before) if fact not in kept]
    words = sorted({str(fact[0]) for fact in gone if fact[0]})
    return (f"{name}: {', '.join(words)}" if words else name) if gone else ""


def _name(test_set: TestSet) -> Iterator[Fact]:
    if test_set.name:
        yield test_set.name, ""


def _languages(test_set: TestSet) -> Iterator[Fact]:
    yield from ((word,) for word in (test_set.source_language, test_set.target_language) if word)


def _document_languages(test_set: TestSet) -> Iterator[Fact]:
    for document in test_set.documents:
        if document.source_language:
            yield document.source_language, document.id


def _document_tags(test_set: TestSet) -> Iterator[Fact]:
    for document in test_set.documents:
        yield from ((tag, document.id, value) for tag, value in document.tags.items())


def _segment_tags(test_set: TestSet) -> Iterator[Fact]:
    for document, segment in test_set.segments():
        yield from ((tag, document.id, segment.id, value) for tag, value in segment.tags.items())


def _translation_tags(test_set: TestSet) -> Iterator[Fact]:
    for document, segment in test_set.segments():
        for system, made in segment.translations.items():
            place = (document.id, segment.id, system)
            yield from ((tag, *place, value) for tag, value in made.tags.items())


def _systems(test_set: TestSet) -> Iterator[Fact]:
    for system in test_set.systems:
        facts = {"kind": system.kind, "site": system.site, "reference": system.reference or ""}
        for word, value in {**facts, **system.tags}.items():
            if value and value != "machine":
                yield word, system.name, value


def _concepts(test_set: TestSet) -> Iterator[Fact]:
    for document, segment in test_set.segments():
        if segment.concepts:
            yield "", document.id, segment.id, segment.concepts


def _comprehension(test_set: TestSet) -> Iterator[Fact]:
    for document in test_set.documents:
        if document.comprehension:
            yield "", document.id, document.comprehension


def _texts(test_set: TestSet) -> Iterator[Fact]:
    for document, segment in test_set.segments():
        place = ("", document.id, segment.id)
        yield *place, "", segment.source
        yield from ((*place, name, text) for name, text in segment.references.items())
        yield from ((*place, name, made.text) for name, made in segment.translations.items())


FACETS: dict[str, Facet] = {
    "set name": _name,
    "languages": _languages,
    "document languages": _document_languages,
    "document tags": _document_tags,
    "segment tags": _segment_tags,
    "translation tags": _translation_tags,
    "facts about systems": _systems,
    "concepts": _concepts,
    "comprehension questions": _comprehension,
    "line ends and tabs in texts": _texts,
}
