"""WER: word insertions, deletions and substitutions over the words of the reference."""

from __future__ import annotations

from typing import ClassVar

from jurat.metrics.nearest import Compared, ErrorRate, Ints


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

    def errors(self, texts: Compared) -> Ints:
        from jurat.metrics.kernels.edits import distances

        return distances(*texts)
