"""GTM: words matched in runs, the longer the better, as an F measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.faults import complain
from jurat.metrics.metric import Array, Metric, References, end_to_end
from jurat.metrics.tokenizers import Words, find, number, tokenizers


class Prepared(NamedTuple):
    """The references of segments, cut into words."""

    words: Words
    firsts: NDArray[np.int64]
    """Which reference is the first of each segment."""


class Gtm(Metric, frozen=True, kw_only=True):
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

    exponent: float = 1.0
    tokenize: str = "13a"
    lowercase: bool = False

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        _ = tokenizers()[self.tokenize]
        if not 1 <= self.exponent < np.inf:
            raise complain("the exponent is a number from 1 on", field="exponent")

    def prepare(self, references: References) -> Prepared:
        texts, firsts = end_to_end(references)
        return Prepared(find(texts, self.tokenize, lowercase=self.lowercase), firsts)

    def tally(self, hypotheses: Sequence[str], prepared: Prepared) -> Array:
        """For each hypothesis its match, its length and the mean length of its references."""
        from jurat.metrics.kernels.gtm import match_texts

        theirs, firsts = prepared
        mine = find(hypotheses, self.tokenize, lowercase=self.lowercase)
        words = np.concatenate(number(mine, theirs))
        starts = np.concatenate([mine.offsets, mine.offsets[-1] + theirs.offsets[1:]])
        known = int(words.max(initial=-1)) + 1
        return match_texts(words, starts, len(hypotheses) + firsts, known, self.exponent)

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """2PR / (P + R), which is twice the match over both lengths; 0 for no words at all."""
        match, lengths = sums[..., 0], sums[..., 1] + sums[..., 2]
        return np.divide(2 * match, lengths, out=np.zeros_like(match), where=lengths > 0)

    def signature(self, references: References, *, single: bool = False) -> str:
        return self.signed(
            references,
            case="lc" if self.lowercase else "mixed",
            tok=self.tokenize,
            exp=f"{self.exponent:g}",
        )
