"""Tokenizers by simple rules: white space, single characters, and runs of letters."""

from __future__ import annotations

from typing import ClassVar

from jurat.metrics._kernels import LETTER, SINGLE
from jurat.metrics.tokenizers import LETTERED, Kinds, Tokenizer
from jurat.word_boundaries import RUN, kind_of


class Whitespace(Tokenizer):
    """Splits at white space, for texts that are tokenized already."""

    name: ClassVar[str] = "none"
    about: ClassVar[str] = "words as blanks part them, for texts that are tokenized already"


class Characters(Tokenizer):
    """Every character is a word, for scripts without white space."""

    name: ClassVar[str] = "char"
    about: ClassVar[str] = "every sign but blanks is a word"

    def mark(self, kinds: Kinds) -> None:
        kinds[:] = SINGLE


class WordTokenizer(Tokenizer):
    """Runs of letters, marks and digits are words, and every other character is one.

    These are the words that people can mark in a text on the page.
    """

    name: ClassVar[str] = "words"
    about: ClassVar[str] = "letters, marks and digits; signs of scripts without blanks are words"

    def mark(self, kinds: Kinds) -> None:
        kinds[:] = SINGLE
        kinds[[code for code in LETTERED if kind_of(chr(code)) == RUN]] = LETTER
