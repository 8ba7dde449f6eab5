"""Highlighted words: those of a translation that also occur in a reference, to help the eye.

They say nothing about whether a word is right.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from jurat.web.html_text import exact
from jurat.word_boundaries import words

# A word that occurs in more than this share of the texts is taken for a function word, in any
# language.
COMMON_SHARE = 0.05
# With fewer texts no word is common: a handful of sentences repeats its topic as well.
MIN_TEXTS = 20
# Texts that are counted, evenly spread over the set; more give the same words.
MAX_TEXTS = 1000


class Piece(NamedTuple):
    """A piece of a text, and how it is highlighted: `content`, `function` or not at all."""

    text: str
    shade: str = ""


class Highlighter:
    """Highlights words in translations of one test set."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._common = common_words(texts)

    def shade(self, text: str, references: Iterable[str]) -> list[Piece]:
        """The text in pieces that join to the text; words of the references are highlighted."""
        known = {word for reference in references for word in _distinct(reference)}
        # in scripts without spaces, neighbouring characters are highlighted as one piece
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
    """Function words: those that occur in more than `COMMON_SHARE` of the texts."""
    if len(texts) < MIN_TEXTS:
        return frozenset()
    # the quotient is rounded up: rounded down, nearly twice as many texts could be left
    texts = texts[:: -(-len(texts) // MAX_TEXTS)]
    counts = Counter(word for text in texts for word in _distinct(text))
    return frozenset(word for word, count in counts.items() if count > COMMON_SHARE * len(texts))


def _distinct(text: str) -> set[str]:
    return {_folded(text[start:end]) for start, end in words(text)}


def _folded(word: str) -> str:
    """A word for comparison: without case, accents composed."""
    # in this order, since folding may decompose a character, such as ΐ
    return unicodedata.normalize("NFC", word.casefold())


def marked(pieces: Iterable[Piece]) -> Markup:
    """Pieces of a text as HTML, highlighted ones in `<mark>`."""
    parts = [
        f'<mark class="{piece.shade}">{exact(piece.text)}</mark>'
        if piece.shade
        else exact(piece.text)
        for piece in pieces
    ]
    return Markup("".join(parts))  # noqa: S704
