"""TER and HTER: the share of edits that turn a translation into its reference or post-edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from jurat.metrics.metric import Array, Metric, References, WordReferences, flatten_references
from jurat.metrics.tokenizers import TokenizedTexts, split
from jurat.metrics.tokenizers.tercom import without_punctuation
from jurat.metrics.word_edits import Ints, NumberedTexts, number_texts


class Ter(Metric, frozen=True, kw_only=True):
    """Translation edit rate: edits over the words of the reference, in percent.

    An edit inserts, deletes or replaces a word, or moves adjacent words. Of several references the
    fewest edits count, over the mean length of all.
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
    """Punctuation is split from words."""
    no_punct: bool = False
    asian_support: bool = False
    """With `normalized` Chinese and Japanese characters are words; `no_punct` knows their signs."""
    case_sensitive: bool = False

    def prepare(self, references: References) -> WordReferences:
        texts, firsts = flatten_references(references)
        return WordReferences(self._words(texts), firsts)

    def segment_counts(self, hypotheses: Sequence[str], prepared: WordReferences) -> Array:
        """Edits, and the length of the reference."""
        from jurat.metrics._kernels.ter import edit_counts

        texts = number_texts(self._words(hypotheses), prepared)
        return self.gather(edit_counts(*texts), texts)

    def gather(self, edits: Ints, texts: NumberedTexts) -> Array:
        """The counts of each hypothesis from the edits against each of its references."""
        firsts = texts.firsts[:-1]
        # as in Tercom: the fewest edits, but over the mean length of all references
        fewest = np.minimum.reduceat(edits, firsts)
        lengths = np.add.reduceat(texts.reference_lengths, firsts)
        return np.column_stack([fewest, lengths / np.diff(texts.firsts)])

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """100 · edits / words; without reference words 100 if there are edits, else 0."""
        edits, words = sums[..., 0], sums[..., 1]
        # As in sacreBLEU, edits without any reference word are one whole error.
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

    def _words(self, texts: Sequence[str]) -> TokenizedTexts:
        asian = "tercom-asian" if self.asian_support else "tercom"
        found = split(
            texts, asian if self.normalized else "none", lowercase=not self.case_sensitive
        )
        return without_punctuation(found, asian=self.asian_support) if self.no_punct else found


class Hter(Ter, frozen=True, kw_only=True):
    """Human-targeted TER: the references are what judges made of the translation by post-editing.

    Of several post-edits the one with the fewest edits counts, with its own length.
    """

    name: ClassVar[str] = "hter"
    title: ClassVar[str] = "HTER"

    def gather(self, edits: Ints, texts: NumberedTexts) -> Array:
        """The counts against the nearest of a segment's post-edits."""
        nearest = texts.nearest(edits)
        return np.column_stack([edits[nearest], texts.reference_lengths[nearest]]).astype(float)
