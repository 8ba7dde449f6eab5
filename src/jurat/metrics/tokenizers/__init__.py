"""Tokenizers, which split texts into words: the simplest ones here; a file in this folder adds one.

A tokenizer is a table of what every character does to words (continues one, separates, is a word by
itself, …), so that one compiled kernel can split texts for all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jurat.metrics._kernels import BLANK, LETTER, SINGLE
from jurat.registry import Registry
from jurat.word_boundaries import RUN, kind_of

Kinds: TypeAlias = "NDArray[np.uint8]"

# The code points at which `str.split` splits.
BLANKS = (
    *range(0x09, 0x0E),
    *range(0x1C, 0x21),
    *(0x85, 0xA0, 0x1680),
    *range(0x2000, 0x200B),
    *(0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
)

# The planes of Unicode that have characters; the others are unassigned or private.
LETTERED = (*range(0x40000), *range(0xE0000, 0xE1000))


class Tokenizer:
    """A way of splitting texts into words; the base class splits at white space."""

    name: ClassVar[str]
    about: ClassVar[str]
    padded: ClassVar[bool] = False
    """Whether a text is split as if there were blanks before and after it."""

    def clean(self, texts: Sequence[str]) -> Sequence[str]:
        """The texts after replacements that come before splitting; by default unchanged."""
        return texts

    def mark(self, kinds: Kinds) -> None:
        """Set what characters do, by code point; before, all are letters; blanks are set after."""

    @cached_property
    def kinds(self) -> Kinds:
        """What every code point of Unicode does to words."""
        table = np.zeros(sys.maxunicode + 1, np.uint8)
        self.mark(table)
        table[list(BLANKS)] = BLANK
        return table


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


class TokenizedTexts(NamedTuple):
    """The words of texts: word k is `codes[starts[k]:ends[k]]`.

    Those of text n are the words from `offsets[n]` to `offsets[n + 1]`.
    """

    codes: NDArray[np.uint32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many words each text has."""
        return self.offsets[1:] - self.offsets[:-1]

    def spelled(self) -> list[list[str]]:
        """The words of each text as strings."""
        whole = self.codes.tobytes().decode("utf-32-le", "surrogatepass")
        ends = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        words = [whole[a:b] for a, b in ends]
        return [words[a:b] for a, b in pairwise(self.offsets.tolist())]


@cache
def tokenizers() -> Registry[Tokenizer]:
    """All tokenizers by name."""
    return Registry("jurat.metrics.tokenizers", Tokenizer, word="tokenizer")


@cache
def tokenizer_named(name: str) -> Tokenizer:
    """The tokenizer of that name; its table of 1.1 million code points is made once."""
    return tokenizers()[name]()


def split(texts: Sequence[str], tokenizer: str, *, lowercase: bool = False) -> TokenizedTexts:
    """Split texts into words, by the tokenizer of that name; raises InputError if unknown."""
    from jurat.metrics._kernels.tokenization import code_points, find_words

    chosen = tokenizer_named(tokenizer)
    cleaned = chosen.clean([text.lower() for text in texts] if lowercase else texts)
    codes, offsets = code_points(cleaned)
    return TokenizedTexts(codes, *find_words(codes, offsets, chosen.kinds, chosen.padded))


def word_numbers(*parts: TokenizedTexts) -> list[NDArray[np.int64]]:
    """The words of each part as numbers from 0 without gaps, the same for the same word."""
    from jurat.metrics._kernels.tokenization import number_words

    codes = np.concatenate([part.codes for part in parts])
    before = [0, *accumulate(len(part.codes) for part in parts)]
    starts = np.concatenate([part.starts + n for part, n in zip(parts, before, strict=False)])
    ends = np.concatenate([part.ends + n for part, n in zip(parts, before, strict=False)])
    ids = number_words(codes, starts, ends)
    limits = [0, *accumulate(len(part.starts) for part in parts)]
    return [ids[first:last] for first, last in pairwise(limits)]


def word_ids(
    texts: Sequence[str], tokenizer: str, *, lowercase: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The words of texts as numbers from 0 without gaps, the same for the same word.

    The words of text n are `ids[offsets[n]:offsets[n + 1]]`.
    """
    words = split(texts, tokenizer, lowercase=lowercase)
    (ids,) = word_numbers(words)
    return ids, words.offsets


def tokenize(text: str, tokenizer: str, *, lowercase: bool = False) -> list[str]:
    """The words of a text."""
    (words,) = split([text], tokenizer, lowercase=lowercase).spelled()
    return words
