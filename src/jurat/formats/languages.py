"""The language of a test set, and those of its documents where they differ."""

from __future__ import annotations

from msgspec.structs import replace

from jurat.model import TestSet

SEVERAL_LANGUAGES = "mul"
"""ISO 639's word for a set whose documents are in several languages."""


def with_languages(test_set: TestSet) -> TestSet:
    """A document has a language of its own only where the documents differ."""
    spoken = [
        document.source_language or test_set.source_language for document in test_set.documents
    ]
    common = spoken[0] if len(set(spoken)) == 1 else SEVERAL_LANGUAGES
    documents = tuple(
        replace(document, source_language="" if language == common else language)
        for document, language in zip(test_set.documents, spoken, strict=True)
    )
    return replace(test_set, source_language=common, documents=documents)
