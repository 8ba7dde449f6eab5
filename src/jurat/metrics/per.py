"""PER: the word error rate of a text whose words may stand anywhere."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from jurat.metrics.nearest import Compared, ErrorRate, Ints


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

    def errors(self, texts: Compared) -> Ints:
        from jurat.metrics.kernels.bags import shared_words

        longer: Ints = np.maximum(texts.lengths, texts.reference_lengths)
        return longer - shared_words(*texts)
