"""Metrics that compare words and, of several references, take the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.metric import Array, Metric, References, end_to_end
from jurat.metrics.tokenizers import Words, find, number, tokenizers

Ints = NDArray[np.int64]


class Prepared(NamedTuple):
    """The references of segments, cut into words."""

    words: Words
    firsts: Ints
    """Which reference is the first of each segment."""


class Compared(NamedTuple):
    """The words of hypotheses and references as numbers, as kernels take them."""

    words: Ints
    starts: Ints
    references: Ints
    reference_starts: Ints
    firsts: Ints

    @property
    def lengths(self) -> Ints:
        """Words of the hypothesis of each reference."""
        return np.repeat(np.diff(self.starts), np.diff(self.firsts))

    @property
    def reference_lengths(self) -> Ints:
        """Words of each reference."""
        return np.diff(self.reference_starts)

    def nearest(self, distances: NDArray[np.int64] | Array) -> Ints:
        """The reference of each hypothesis that is least far away, the longest of several."""
        owners = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.firsts))
        order = np.lexsort((-self.reference_lengths, distances, owners))
        return order[self.firsts[:-1]]


def compared(mine: Words, theirs: Prepared) -> Compared:
    """Hypotheses beside their references."""
    words, references = number(mine, theirs.words)
    return Compared(words, mine.offsets, references, theirs.words.offsets, theirs.firsts)


class NearestReference(Metric, frozen=True, kw_only=True):
    """A metric of words as a tokenizer cuts them, blanks if none is named."""

    tokenize: str = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        """Refuse a tokenizer that there is not."""
        _ = tokenizers()[self.tokenize]

    def prepare(self, references: References) -> Prepared:
        texts, firsts = end_to_end(references)
        return Prepared(find(texts, self.tokenize, lowercase=self.lowercase), firsts)

    def tally(self, hypotheses: Sequence[str], prepared: Prepared) -> Array:
        mine = find(hypotheses, self.tokenize, lowercase=self.lowercase)
        return self.compare(compared(mine, prepared)).astype(np.float64)

    def compare(self, texts: Compared) -> NDArray[np.int64]:
        """A row of counts for each hypothesis."""
        raise NotImplementedError

    def signature(self, references: References, *, single: bool = False) -> str:
        case = "lc" if self.lowercase else "mixed"
        return self.signed(references, case=case, tok=self.tokenize)


class ErrorRate(NearestReference, frozen=True, kw_only=True):
    """Errors of words over the words of the reference that needs fewest of them."""

    higher_better: ClassVar[bool] = False
    perfect: ClassVar[float] = 0.0

    def compare(self, texts: Compared) -> NDArray[np.int64]:
        """Errors against the nearest reference, and its words."""
        errors = self.errors(texts)
        nearest = texts.nearest(errors)
        return np.column_stack([errors[nearest], texts.reference_lengths[nearest]])

    def errors(self, texts: Compared) -> Ints:
        """The errors against each of the references."""
        raise NotImplementedError

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """Errors over words; where the reference has none, every word is a whole error."""
        return np.asarray(sums[..., 0] / np.maximum(sums[..., 1], 1.0))
