"""Easy translations, for which the top score is expected: what to suggest, and how to mark them.

After Hamon et al.: easy sentences have few words, or occur often in the data; a low score draws
attention to the judge where the system got the sentence right. So "easy" belongs to a translation,
and a coordinator confirms what is suggested here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from jurat.formats.selection import tag_translations
from jurat.model import EASY, Segment, TestSet

Reason = Literal["identical", "short", "frequent"]
REASONS: tuple[Reason, ...] = ("identical", "short", "frequent")

FEW_WORDS = 5
FEW_CHARACTERS = 10
"""For scripts that put no blanks between words."""

_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_MARKS = re.compile(r"[^\w\s]|_")


class Candidate(msgspec.Struct, frozen=True):
    """A translation that may be easy to judge, and why."""

    document: str
    segment: str
    system: str
    text: str
    reasons: tuple[Reason, ...]


def easy_candidates(
    test_set: TestSet, *, reasons: Sequence[Reason] = REASONS, words: int = FEW_WORDS
) -> list[Candidate]:
    """Translations to suggest as easy.

    Identical to a reference (but for capitals, marks and blanks), short, or of a sentence that
    occurs more than once in the set.
    """
    often = Counter(_plain(_original(segment)) for _, segment in test_set.segments())
    found: list[Candidate] = []
    for document, segment in test_set.segments():
        for system in test_set.systems:
            text = segment.translations[system.name].text
            right = test_set.references_for(segment, system).values()
            frequent = often[_plain(_original(segment))] > 1
            why = tuple(_reasons(text, right, frequent=frequent, words=words))
            if set(why) & set(reasons):
                place = (document.id, segment.id, system.name)
                found.append(Candidate(*place, text, why))
    return found


def mark_easy(test_set: TestSet, candidates: Iterable[Candidate]) -> TestSet:
    """Give the tag `easy` to these translations."""
    return tag_translations(
        test_set, {(each.document, each.segment, each.system): EASY for each in candidates}
    )


def _reasons(
    text: str, references: Iterable[str], *, frequent: bool, words: int
) -> Iterator[Reason]:
    if _plain(text) in map(_plain, references):
        yield "identical"
    if _is_short(text, words):
        yield "short"
    if frequent:
        yield "frequent"


def _original(segment: Segment) -> str:
    return segment.source or next(iter(segment.references.values()), "")


def _is_short(text: str, words: int) -> bool:
    if _UNSPACED.search(text):
        return len(_plain(text).replace(" ", "")) <= FEW_CHARACTERS * words / FEW_WORDS
    return len(text.split()) <= words


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text.casefold()).split())
