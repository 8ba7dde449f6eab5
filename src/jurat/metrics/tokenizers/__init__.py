"""Tokenizers: texts in, words out, as text or as numbers. One file of this folder adds one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.tokenizers.tokenizer import Tokenizer
from jurat.registry import Registry


class Words(NamedTuple):
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


@cache
def tokenizers() -> Registry[Tokenizer]:
    """Every tokenizer there is, by name."""
    return Registry("jurat.metrics.tokenizers", Tokenizer, word="tokenizer")


@cache
def tokenizer_named(name: str) -> Tokenizer:
    """The tokenizer of that name, whose table is made once."""
    return tokenizers()[name]()


def find(texts: Sequence[str], tokenizer: str, *, lowercase: bool = False) -> Words:
    """Where the words of texts are."""
    from jurat.metrics.kernels.code_points import code_points
    from jurat.metrics.kernels.words import find_words

    way = tokenizer_named(tokenizer)
    cleaned = way.clean([text.lower() for text in texts] if lowercase else texts)
    codes, offsets = code_points(cleaned)
    return Words(codes, *find_words(codes, offsets, way.kinds, way.padded))


def number(*parts: Words) -> list[NDArray[np.int64]]:
    """The words of each part as numbers, the same for the same word: from 0, without gaps."""
    from jurat.metrics.kernels.words import number_words

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
    """The words of texts as numbers, the same for the same word: from 0, without gaps.

    The words of text n are `ids[offsets[n]:offsets[n + 1]]`.
    """
    words = find(texts, tokenizer, lowercase=lowercase)
    (ids,) = number(words)
    return ids, words.offsets


def tokenize(text: str, tokenizer: str, *, lowercase: bool = False) -> list[str]:
    """The words of a text."""
    words = find([text], tokenizer, lowercase=lowercase)
    spelled = words.codes.tobytes().decode("utf-32-le", "surrogatepass")
    return [spelled[a:b] for a, b in zip(words.starts.tolist(), words.ends.tolist(), strict=True)]
