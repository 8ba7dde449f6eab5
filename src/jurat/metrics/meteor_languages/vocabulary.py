"""The words of texts as numbers, and what METEOR has to know of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = "NDArray[np.int64]"
Texts: TypeAlias = "Sequence[Sequence[str]]"
"""The words of each text."""


def snowball(algorithm: str, words: list[str]) -> list[str]:
    """The stems that Snowball's algorithm has for words."""
    from Stemmer import Stemmer

    stemmer = Stemmer(algorithm, 0)  # not to be shared by threads
    try:
        stems: list[str] = stemmer.stemWords(words)
        return stems
    except UnicodeEncodeError:  # there are halves of signs, which cannot be written as UTF-8
        return [stemmer.stemWord(word) if _writable(word) else word for word in words]


def snowball_version() -> str:
    """The version of Snowball, whose stems change from time to time."""
    import Stemmer

    return str(Stemmer.version())


def _writable(word: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in word)


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Of a language: the stems of words, which are function words, which mean the same."""

    stems: Callable[[list[str]], list[str]]
    function: frozenset[str]
    synonyms: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Vocabulary:
    """Words by number; a greater vocabulary is another one, and leaves this as it is."""

    knowledge: Knowledge
    numbers: dict[str, int] = field(default_factory=dict)
    stems: dict[str, int] = field(default_factory=dict)
    sets: dict[str, int] = field(default_factory=dict)
    traits: Ints = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    """For each word its stem's number, 1 for a function word, and its part of `members`."""
    members: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """The numbers of synonym sets, word by word, in order."""

    def extended(self, texts: Texts) -> tuple[Vocabulary, Ints, Ints]:
        """With the words of texts, which are given as numbers, and where each text begins."""
        words = list(chain.from_iterable(texts))
        new = [word for word in dict.fromkeys(words) if word not in self.numbers]
        known = self.numbers | dict(zip(new, count(len(self.numbers)), strict=False))
        starts = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        ids = np.fromiter(map(known.__getitem__, words), np.int64, len(words))
        return self._with(known, new), ids, starts

    def _with(self, numbers: dict[str, int], new: list[str]) -> Vocabulary:
        stems, sets = self.stems.copy(), self.sets.copy()
        found = [sorted(_numbered(self._sets_of(word), sets)) for word in new]
        ends = np.cumsum([len(self.members), *map(len, found)], dtype=np.int64)
        traits = np.empty((len(new), 4), np.int64)
        traits[:, 0] = _numbered(self.knowledge.stems(new), stems)
        traits[:, 1] = [word.lower() in self.knowledge.function for word in new]
        traits[:, 2], traits[:, 3] = ends[:-1], ends[1:]
        members = np.fromiter(chain.from_iterable(found), np.int64)
        return Vocabulary(
            self.knowledge,
            numbers,
            stems,
            sets,
            np.concatenate([self.traits, traits]),
            np.concatenate([self.members, members]),
        )

    def _sets_of(self, word: str) -> Iterable[str]:
        return set(self.knowledge.synonyms.get(word, ()))


def _numbered(names: Iterable[str], numbers: dict[str, int]) -> list[int]:
    """The numbers of names, which unknown ones get now."""
    return [numbers.setdefault(name, len(numbers)) for name in names]
