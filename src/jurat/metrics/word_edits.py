"""WER, PER and word F1: metrics that compare words and take the nearest of several references."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.metric import Array, References, WordMetric, WordReferences
from jurat.metrics.tokenizers import TokenizedTexts, word_numbers

Ints = NDArray[np.int64]


class NumberedTexts(NamedTuple):
    """The words of hypotheses and references as numbers, in the arrays that kernels take."""

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
        # lexsort's last key is the first: by hypothesis, distance, then the longer reference
        order = np.lexsort((-self.reference_lengths, distances, owners))
        return order[self.firsts[:-1]]


def number_texts(mine: TokenizedTexts, theirs: WordReferences) -> NumberedTexts:
    """Hypotheses and references with numbers for words."""
    words, references = word_numbers(mine, theirs.words)
    return NumberedTexts(words, mine.offsets, references, theirs.words.offsets, theirs.firsts)


class NearestReference(WordMetric, frozen=True, kw_only=True):
    """A metric that compares a hypothesis with each of its references and takes the nearest."""

    def segment_counts(self, hypotheses: Sequence[str], prepared: WordReferences) -> Array:
        texts = number_texts(self.words(hypotheses), prepared)
        return self.compare(texts).astype(np.float64)

    def compare(self, texts: NumberedTexts) -> NDArray[np.int64]:
        """A row of counts for each hypothesis."""
        raise NotImplementedError

    def signature(self, references: References, *, single: bool = False) -> str:
        return self.signed(references, case=self.case, tok=self.tokenize)


class ErrorRate(NearestReference, frozen=True, kw_only=True):
    """Errors of words over the words of the reference that needs fewest of them."""

    higher_better: ClassVar[bool] = False
    perfect: ClassVar[float] = 0.0

    def compare(self, texts: NumberedTexts) -> NDArray[np.int64]:
        """Errors against the nearest reference, and its words."""
        errors = self.errors(texts)
        nearest = texts.nearest(errors)
        return np.column_stack([errors[nearest], texts.reference_lengths[nearest]])

    def errors(self, texts: NumberedTexts) -> Ints:
        """The errors against each of the references."""
        raise NotImplementedError

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """Errors over words; where the reference has none, every word is a whole error."""
        return np.asarray(sums[..., 0] / np.maximum(sums[..., 1], 1.0))


class Wer(ErrorRate, frozen=True, kw_only=True):
    """Word error rate: the edit distance over the length of the reference.

    Of several references the one with the fewest errors counts, with its own length.
    """

    name: ClassVar[str] = "wer"
    title: ClassVar[str] = "WER"
    source: ClassVar[str] = (
        "Levenshtein 1966; Nießen, Och, Leusch & Ney 2000, An Evaluation Tool for Machine "
        "Translation (for several references); numbers: jiwer"
    )

    def errors(self, texts: NumberedTexts) -> Ints:
        from jurat.metrics._kernels.edit_distance import distances

        return distances(*texts)


class Per(ErrorRate, frozen=True, kw_only=True):
    """Position-independent error rate: (max(hypothesis, reference) − shared words) / reference.

    Words that both texts have are right wherever they are; of the others each pair is one
    substitution, and what is left over in the longer text is inserted or missing. Of several
    references the one with the fewest errors counts, with its own length.
    """

    name: ClassVar[str] = "per"
    title: ClassVar[str] = "PER"
    source: ClassVar[str] = (
        "Tillmann, Vogel, Ney, Zubiaga & Sawaf 1997, Accelerated DP Based Search for Statistical "
        "Translation; the formula as in Leusch, Ueffing & Ney 2003"
    )

    def errors(self, texts: NumberedTexts) -> Ints:
        from jurat.metrics._kernels.ngrams import shared_words

        # Words that are not shared are substituted pairwise, so that the longer text decides.
        longer: Ints = np.maximum(texts.lengths, texts.reference_lengths)
        return longer - shared_words(*texts)


class WordF1(NearestReference, frozen=True, kw_only=True):
    """2 · shared words / all words of both texts: 1 for the same words in any order, 0 for none.

    It is the same in both directions. Signs are words, and capitals do not count, unless options
    say otherwise. Of several references the one with the highest value counts.
    """

    name: ClassVar[str] = "word-f1"
    title: ClassVar[str] = "word F1"
    source: ClassVar[str] = "van Rijsbergen 1979, Information Retrieval, of bags of words"
    perfect: ClassVar[float] = 1.0

    tokenize: str = "words"
    lowercase: bool = True

    def compare(self, texts: NumberedTexts) -> Ints:
        """Shared words, and the words of hypothesis and reference."""
        from jurat.metrics._kernels.ngrams import shared_words

        counts = np.column_stack([shared_words(*texts), texts.lengths, texts.reference_lengths])
        # nearest takes the smallest, and here the highest is best
        return counts[texts.nearest(-self.score(counts))]

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """Two texts without any word are the same."""
        words = np.asarray(sums[..., 1] + sums[..., 2], np.float64)
        return np.divide(2 * sums[..., 0], words, out=np.ones_like(words), where=words > 0)
