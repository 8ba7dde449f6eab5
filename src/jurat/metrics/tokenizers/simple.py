"""Words as blanks part them.

Every sign a word.

Words of every script, as people who mark words in a text see them.
"""

from __future__ import annotations

from typing import ClassVar

from jurat.metrics._kernels import LETTER, SINGLE
from jurat.metrics.tokenizers import LETTERED, Kinds, Tokenizer
from jurat.word_boundaries import RUN, kind_of


class Whitespace(Tokenizer):
    """For texts that are tokenized already."""

    name: ClassVar[str] = "none"
    about: ClassVar[str] = "words as blanks part them, for texts that are tokenized already"


class Characters(Tokenizer):
    """For scripts without blanks, where no tokenizer of their own is at hand."""

    name: ClassVar[str] = "char"
    about: ClassVar[str] = "every sign but blanks is a word"

    def mark(self, kinds: Kinds) -> None:
        kinds[:] = SINGLE


class WordTokenizer(Tokenizer):
    """Runs of letters, marks and digits; any other sign alone."""

    name: ClassVar[str] = "words"
    about: ClassVar[str] = "letters, marks and digits; signs of scripts without blanks are words"

    def mark(self, kinds: Kinds) -> None:
        kinds[:] = SINGLE
        kinds[[code for code in LETTERED if kind_of(chr(code)) == RUN]] = LETTER
