"""Lists of words that Jurat brings for METEOR, and those that users bring."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from jurat.faults import complain
from jurat.model import File
from jurat.texts import decode, lines

SMALL, DIGITS = frozenset(string.ascii_lowercase), frozenset(string.digits)


class Abbreviations(NamedTuple):
    """What keeps its dot: always, or before a number."""

    always: frozenset[str]
    before_numbers: frozenset[str]

    def keep_dot(self, word: str, following: str) -> bool:
        """Whether the dot belongs to the word, by the sign with which the next word begins.

        Before a small letter it does in any case: it ends no sentence there.
        """
        if following in SMALL or word in self.always:
            return True
        return following in DIGITS and word in self.before_numbers


@cache
def abbreviations(language: str) -> Abbreviations:
    """Jurat's abbreviations of a language, and single capital letters."""
    always, numbers = (_own("abbreviations", f"{language}{end}.txt") for end in ("", ".numbers"))
    return Abbreviations(always | set(string.ascii_uppercase), numbers)


@cache
def function_words(language: str) -> frozenset[str]:
    """Jurat's function words of a language, with punctuation; empty where it has no list."""
    words = _own("function_words", f"{language}.txt")
    return words and words | _own("function_words", "punctuation.txt")


def _own(folder: str, name: str) -> frozenset[str]:
    file = files("jurat.metrics.meteor_languages") / folder / name
    return frozenset(file.read_text("utf-8").split() if file.is_file() else ())


def read_words(file: File) -> frozenset[str]:
    """A list of words, as many in a line as one likes."""
    return frozenset(decode(file).split())


def read_stems(file: File) -> dict[str, str]:
    """A word and its stem in each line, with blanks between them."""
    return {word: stem for word, stem, *_ in _rows(file, "a word and its stem")}


def read_synonyms(file: File) -> dict[str, tuple[str, ...]]:
    """A word and the names of synonym sets it is in, in each line, with blanks between them.

    A word may have several lines.
    """
    found: dict[str, tuple[str, ...]] = {}
    for word, *sets in _rows(file, "a word and its synonym sets"):
        found[word] = (*found.get(word, ()), *sets)
    return found


def _rows(file: File, what: str) -> Iterator[list[str]]:
    """What stands in each line that is not empty, which has to be two things or more."""
    for number, line in enumerate(lines(decode(file)), start=1):
        if len(row := line.split()) == 1:
            raise complain(f"a line has {what}, not '{row[0]}' alone", file=file.name, line=number)
        if row:
            yield row


def digest(words: Iterable[object]) -> str:
    """A few signs by which to tell lists of users' words apart."""
    return sha256(repr(sorted(words, key=repr)).encode("utf-8", "surrogatepass")).hexdigest()[:8]
