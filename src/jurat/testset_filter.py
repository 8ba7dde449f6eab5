"""Filters a test set by systems, documents, segments and conditions on tags."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from jurat.condition_language import Condition, check_names, holds, parse
from jurat.errors import Problem, did_you_mean, input_error, raise_problems
from jurat.model import Document, Segment, TestSet

# A document and a segment in it.
Key: TypeAlias = "tuple[str, str]"

# Known names that a message lists; if there are more, only the closest is suggested.
FEW = 20
# The code of ISO 639 for several languages.
SEVERAL_LANGUAGES = "mul"


def keep(
    test_set: TestSet,
    *,
    systems: Collection[str] | None = None,
    documents: Collection[str] | None = None,
    segments: Collection[Key] | None = None,
    first: int | None = None,
    where: str | None = None,
) -> TestSet:
    """The test set with these systems, and the segments that meet all conditions given.

    `first` keeps the first N segments of each document. `where` is a condition on tags (a segment
    also has those of its document), `document`, `segment` and `source_language`. Raises
    `InputError`, with the argument as its field, for unknown names or if nothing is left.
    """
    names = [system.name for system in test_set.systems]
    ids = [document.id for document in test_set.documents]
    raise_problems(
        [
            *unknown_names("system", systems or (), names, field="systems"),
            *unknown_names("document", documents or (), ids, field="documents"),
        ]
    )
    if first is not None and first < 1:
        message = "the number of first segments must be at least 1"
        raise input_error(message, field="first", value=first)
    # a slice up to None is the whole document
    opening = {(d.id, s.id) for d in test_set.documents for s in d.segments[:first]}
    condition = None if where is None else segment_condition(test_set, where)

    def stays(document: Document, segment: Segment) -> bool:
        return (
            (documents is None or document.id in documents)
            and (segments is None or (document.id, segment.id) in segments)
            and (document.id, segment.id) in opening
            and (condition is None or holds(condition, segment_values(test_set, document, segment)))
        )

    return _with_systems(with_segments(test_set, stays), systems)


def with_segments(test_set: TestSet, stays: Callable[[Document, Segment], bool]) -> TestSet:
    """The test set with the segments for which `stays` is true, without empty documents.

    Raises `InputError` if no segment is left.
    """
    documents = [
        replace(document, segments=tuple(s for s in document.segments if stays(document, s)))
        for document in test_set.documents
    ]
    left = tuple(document for document in documents if document.segments)
    if not left:
        raise input_error("no segment of the test set is left", field="where")
    # the documents that are left may have one language in common, even if all together had several
    return with_languages(replace(test_set, documents=left))


def map_segments(test_set: TestSet, change: Callable[[Document, Segment], Segment]) -> TestSet:
    """The test set with every segment replaced by `change(document, segment)`."""
    documents = (
        replace(document, segments=tuple(change(document, s) for s in document.segments))
        for document in test_set.documents
    )
    return replace(test_set, documents=tuple(documents))


def with_languages(test_set: TestSet) -> TestSet:
    """The test set with its common source language; documents have their own only if it differs."""
    spoken = [
        document.source_language or test_set.source_language for document in test_set.documents
    ]
    common = spoken[0] if len(set(spoken)) == 1 else SEVERAL_LANGUAGES
    documents = tuple(
        replace(document, source_language="" if language == common else language)
        for document, language in zip(test_set.documents, spoken, strict=True)
    )
    return replace(test_set, source_language=common, documents=documents)


def tags_of(test_set: TestSet) -> set[str]:
    """The names of all tags of documents and segments."""
    return {tag for pair in test_set.segments() for each in pair for tag in each.tags}


def unknown_names(
    word: str, names: Iterable[str], known: Sequence[str], *, field: str | None = None
) -> list[Problem]:
    """A problem for each name that is not known; `word` is what messages call it."""
    wrong = [name for name in names if name not in known]
    if len(known) <= FEW:
        allowed = tuple(known)
        return [
            Problem(message=f"unknown {word} '{n}'", value=n, allowed=allowed, field=field)
            for n in wrong
        ]
    # comparing many wrong names with many known ones would take minutes
    hints = [did_you_mean(name, known) if i < FEW else "" for i, name in enumerate(wrong)]
    pairs = zip(wrong, hints, strict=True)
    return [
        Problem(message="; ".join(filter(None, (f"unknown {word} '{n}'", h))), field=field)
        for n, h in pairs
    ]


def _with_systems(test_set: TestSet, names: Collection[str] | None) -> TestSet:
    if names is None:
        return test_set
    systems = tuple(system for system in test_set.systems if system.name in names)

    def fewer(_: Document, segment: Segment) -> Segment:
        made = {name: made for name, made in segment.translations.items() if name in names}
        return replace(segment, translations=made)

    return replace(map_segments(test_set, fewer), systems=systems)


def segment_condition(test_set: TestSet, where: str) -> Condition:
    """A condition on segments; raises `InputError` for names that the test set does not have."""
    condition = parse(where)
    known = ["document", "segment", "source_language", *sorted(tags_of(test_set))]
    check_names(condition, dict.fromkeys(known), word="tag")
    return condition


def segment_values(test_set: TestSet, document: Document, segment: Segment) -> dict[str, object]:
    """What conditions on segments are about: ids, language and tags, by name."""
    language = document.source_language or test_set.source_language
    ids = {"document": document.id, "segment": segment.id, "source_language": language}
    return {**ids, **document.tags, **segment.tags}
