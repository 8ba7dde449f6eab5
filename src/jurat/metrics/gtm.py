"""GTM: words matched in runs, the longer the better, as an F measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from jurat.errors import input_error
from jurat.metrics.metric import Array, References, WordMetric, WordReferences
from jurat.metrics.tokenizers import word_numbers


class Gtm(WordMetric, frozen=True, kw_only=True):
    """General Text Matcher: F measure of the matched words, which count for more in long runs.

    Runs are matched longest first, and their sizes added up as (Σ sizeᵉ)^(1/e). With exponent 1
    order does not matter: against one reference that is the F measure of two bags of words.
    """

    name: ClassVar[str] = "gtm"
    title: ClassVar[str] = "GTM"
    source: ClassVar[str] = (
        "Melamed, Green & Turian 2003, Precision and Recall of Machine Translation; "
        "Turian, Shen & Melamed 2003, Evaluation of Machine Translation and its Evaluation"
    )
    perfect: ClassVar[float] = 1.0

    tokenize: str = "13a"
    exponent: float = 1.0

    def __post_init__(self) -> None:
        """Raise `InputError` for an exponent below 1, or an unknown tokenizer."""
        super().__post_init__()
        if not 1 <= self.exponent < np.inf:
            raise input_error("the exponent is a number from 1 on", field="exponent")

    def segment_counts(self, hypotheses: Sequence[str], prepared: WordReferences) -> Array:
        """For each hypothesis its match, its length and the mean length of its references."""
        from jurat.metrics._kernels.gtm import match_texts

        theirs, firsts = prepared
        mine = self.words(hypotheses)
        # one array for both: the kernel numbers texts through, hypotheses first
        words = np.concatenate(word_numbers(mine, theirs))
        starts = np.concatenate([mine.offsets, mine.offsets[-1] + theirs.offsets[1:]])
        known = int(words.max(initial=-1)) + 1
        return match_texts(words, starts, len(hypotheses) + firsts, known, self.exponent)

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """2PR / (P + R), which is twice the match over both lengths; 0 for no words at all."""
        match, lengths = sums[..., 0], sums[..., 1] + sums[..., 2]
        return np.divide(2 * match, lengths, out=np.zeros_like(match), where=lengths > 0)

    def signature(self, references: References, *, single: bool = False) -> str:
        exponent = f"{self.exponent:g}"
        return self.signed(references, case=self.case, tok=self.tokenize, exp=exponent)
