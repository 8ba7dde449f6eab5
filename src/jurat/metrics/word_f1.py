"""Word F1: the words that two texts share, in any order."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from jurat.metrics.metric import Array
from jurat.metrics.nearest import Compared, Ints, NearestReference


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

    def compare(self, texts: Compared) -> Ints:
        """Shared words, and the words of hypothesis and reference."""
        from jurat.metrics.kernels.bags import shared_words

        counts = np.column_stack([shared_words(*texts), texts.lengths, texts.reference_lengths])
        return counts[texts.nearest(-self.score(counts))]

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """Two texts without any word are the same."""
        words = np.asarray(sums[..., 1] + sums[..., 2], np.float64)
        return np.divide(2 * sums[..., 0], words, out=np.ones_like(words), where=words > 0)
