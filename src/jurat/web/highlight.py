"""Words of a translation that stand in a reference, too: shaded to help the eye, not to judge."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from jurat.word_boundaries import words

# A word that stands in more than this share of all texts is a function word: every language has
# its own, and a test set shows which.
COMMON_SHARE = 0.05
# Texts below which nothing is common: a handful of sentences repeats its topic, too.
MIN_TEXTS = 20

# Texts that tell which words are common, taken from all over the set: more tell the same.
MAX_TEXTS = 1000


class Piece(NamedTuple):
    """A piece of a text and how strongly it is shaded: content, function or not at all."""

    text: str
    shade: str = ""


class Highlighter:
    """Shades translations of one test set."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._common = common_words(texts)

    def shade(self, text: str, references: Iterable[str]) -> list[Piece]:
        """The text in pieces; together they are the text, to the last blank."""
        known = {word for reference in references for word in _distinct(reference)}
        # signs of a script without blanks stand close together: they are shaded as one piece
        runs = groupby(self._pieces(text, known), key=lambda piece: piece.shade)
        joined = [Piece("".join(piece.text for piece in run), shade) for shade, run in runs]
        return joined or [Piece(text)]

    def _pieces(self, text: str, known: set[str]) -> Iterator[Piece]:
        at = 0
        for start, end in words(text):
            word = _folded(text[start:end])
            if start > at:
                yield Piece(text[at:start])
            yield Piece(text[start:end], self._shade(word) if word in known else "")
            at = end
        if at < len(text):
            yield Piece(text[at:])

    def _shade(self, word: str) -> str:
        return "function" if word in self._common else "content"


def common_words(texts: Sequence[str]) -> frozenset[str]:
    """Words that stand in so many of the texts that they say little about any."""
    if len(texts) < MIN_TEXTS:
        return frozenset()
    texts = texts[:: -(-len(texts) // MAX_TEXTS)]
    counts = Counter(word for text in texts for word in _distinct(text))
    return frozenset(word for word, count in counts.items() if count > COMMON_SHARE * len(texts))


def _distinct(text: str) -> set[str]:
    return {_folded(text[start:end]) for start, end in words(text)}


def _folded(word: str) -> str:
    """A word as it is compared: capitals and the way of writing accents make no difference."""
    return unicodedata.normalize("NFC", word.casefold())
