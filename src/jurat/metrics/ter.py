"""TER: the edits, shifts of words among them, that make a translation its reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from jurat.metrics.metric import Array, Metric, References, end_to_end
from jurat.metrics.nearest import Compared, Ints, Prepared, compared
from jurat.metrics.tokenizers import Words, find
from jurat.metrics.tokenizers.tercom import without_punctuation


class Ter(Metric, frozen=True, kw_only=True):
    """Translation edit rate: edits over the words of the reference, in percent.

    An edit is a word put in, taken out or replaced, or words that move together. Of several
    references the fewest edits count, over their mean length.
    """

    name: ClassVar[str] = "ter"
    title: ClassVar[str] = "TER"
    source: ClassVar[str] = (
        "Snover, Dorr, Schwartz, Micciulla & Makhoul 2006, A Study of Translation Edit Rate with "
        "Targeted Human Annotation; numbers: sacreBLEU 2.6 (Post 2018)"
    )
    higher_better: ClassVar[bool] = False
    perfect: ClassVar[float] = 0.0

    normalized: bool = False
    """Punctuation is parted from words."""
    no_punct: bool = False
    asian_support: bool = False
    """With `normalized` Chinese and Japanese characters are words; `no_punct` knows their signs."""
    case_sensitive: bool = False

    def prepare(self, references: References) -> Prepared:
        texts, firsts = end_to_end(references)
        return Prepared(self._words(texts), firsts)

    def tally(self, hypotheses: Sequence[str], prepared: Prepared) -> Array:
        """Edits, and the length of the reference."""
        from jurat.metrics.kernels.ter import edit_counts

        texts = compared(self._words(hypotheses), prepared)
        return self.gather(edit_counts(*texts), texts)

    def gather(self, edits: Ints, texts: Compared) -> Array:
        """The counts of each hypothesis from the edits against each of its references."""
        firsts = texts.firsts[:-1]
        fewest = np.minimum.reduceat(edits, firsts)
        lengths = np.add.reduceat(texts.reference_lengths, firsts)
        return np.column_stack([fewest, lengths / np.diff(texts.firsts)])

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """Edits over words; anything at all against nothing is wholly wrong."""
        edits, words = sums[..., 0], sums[..., 1]
        rate = np.divide(edits, words, out=np.where(edits > 0, 1.0, 0.0), where=words > 0)
        return np.asarray(100 * rate)

    def signature(self, references: References, *, single: bool = False) -> str:
        said = {True: "yes", False: "no"}
        return self.signed(
            references,
            case="mixed" if self.case_sensitive else "lc",
            tok="tercom",
            norm=said[self.normalized],
            punct=said[not self.no_punct],
            asian=said[self.asian_support],
        )

    def _words(self, texts: Sequence[str]) -> Words:
        asian = "tercom-asian" if self.asian_support else "tercom"
        found = find(texts, asian if self.normalized else "none", lowercase=not self.case_sensitive)
        return without_punctuation(found, asian=self.asian_support) if self.no_punct else found
