"""chrF and chrF++: the F measure of character n-grams, and of word n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.errors import input_error
from jurat.metrics._kernels import BLANK
from jurat.metrics.bleu import ngram_counts
from jurat.metrics.metric import Array, Metric, References, flatten_references
from jurat.metrics.tokenizers import TokenizedTexts, split, tokenizer_named, word_numbers

if TYPE_CHECKING:
    from jurat.metrics._kernels.ngrams import Symbols

PUNCTUATION = np.zeros(128, bool)
PUNCTUATION[[ord(sign) for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]] = True
# What replaces a precision, recall or F that would be 0/0, as in sacreBLEU.
EPSILON = 1e-16


class ChrfTexts(NamedTuple):
    """Texts as characters, and as words where words count."""

    characters: Symbols
    words: TokenizedTexts | None


class ChrfReferences(NamedTuple):
    """The references of segments."""

    texts: ChrfTexts
    firsts: NDArray[np.int64]
    """Which reference is the first of each segment."""


class Chrf(Metric, frozen=True, kw_only=True):
    """The F measure of character n-grams: the mean precision and recall of orders 1 to 6.

    With several references, the best counts.
    """

    name: ClassVar[str] = "chrf"
    title: ClassVar[str] = "chrF"
    source: ClassVar[str] = (
        "Popović 2015, chrF: character n-gram F-score for automatic MT evaluation; "
        "numbers: sacreBLEU 2.6 (Post 2018)"
    )

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    """How many times as important recall is as precision."""
    whitespace: bool = False
    """Whether white space counts as characters."""
    lowercase: bool = False
    eps_smoothing: bool = False
    """The mean F of all orders, with `EPSILON` for a missing one, as in the original program."""

    def __post_init__(self) -> None:
        """Raise `InputError` for options that are out of range."""
        for field in ("char_order", "word_order"):
            if not 0 <= getattr(self, field) <= 99:
                raise input_error("an order of n-grams is from 0 to 99", field=field)
        if not self._orders:
            raise input_error("one of char_order and word_order is above 0", field="char_order")
        if not 0 <= self.beta < np.inf:
            raise input_error("beta is a number from 0 on", field="beta")

    @property
    def _orders(self) -> int:
        return self.char_order + self.word_order

    def prepare(self, references: References) -> ChrfReferences:
        texts, firsts = flatten_references(references)
        return ChrfReferences(self._texts(texts), firsts)

    def _texts(self, texts: Sequence[str]) -> ChrfTexts:
        from jurat.metrics._kernels.ngrams import Symbols
        from jurat.metrics._kernels.tokenization import code_points, without

        texts = [text.lower() for text in texts] if self.lowercase else texts
        kinds = tokenizer_named("none").kinds
        left_out = -1 if self.whitespace else BLANK
        characters = Symbols(*without(*code_points(texts), kinds, left_out))
        return ChrfTexts(
            characters, _split_punctuation(split(texts, "none")) if self.word_order else None
        )

    def segment_counts(self, hypotheses: Sequence[str], prepared: ChrfReferences) -> Array:
        """For each order, the n-grams of the hypothesis, of its best reference, and shared ones."""
        theirs, firsts = prepared
        mine = self._texts(hypotheses)
        owners = np.repeat(np.arange(len(hypotheses)), firsts[1:] - firsts[:-1])
        rows = _compare(mine.characters, theirs.characters, owners, self.char_order)
        if mine.words is not None and theirs.words is not None:
            words = _compare(*_numbered(mine.words, theirs.words), owners, self.word_order)
            rows = np.concatenate([rows, words], axis=1)
        if len(rows) == len(hypotheses):
            return rows
        # After sorting, the first of each hypothesis is its best reference.
        best = np.lexsort((-self.score(rows), owners))
        return rows[best[firsts[:-1]]]

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """F of the mean precision and recall of the orders that both texts are long enough for."""
        sums = np.asarray(sums, np.float64)
        hypothesis, reference, shared = (sums[..., n::3] for n in range(3))
        precision = _share(shared, hypothesis)
        recall = _share(shared, reference)
        # The original program averages F over orders; sacreBLEU's default averages P and R first.
        if self.eps_smoothing:
            return 100 * _added(self._f(precision, recall)) / self._orders
        there = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(there.sum(axis=-1), 1)
        means = (_added(part * there) / orders for part in (precision, recall))
        return 100 * np.where(shared.any(axis=-1), self._f(*means), 0.0)

    def _f(self, precision: Array, recall: Array) -> Array:
        """(1 + β²) · P · R / (β² · P + R); `EPSILON` where the denominator is 0."""
        factor = self.beta**2
        below = factor * precision + recall
        above = (1 + factor) * precision * recall
        return np.divide(above, below, out=np.full_like(below, EPSILON), where=below > 0)

    def signature(self, references: References, *, single: bool = False) -> str:
        return self.signed(
            references,
            case="lc" if self.lowercase else "mixed",
            eff="no" if self.eps_smoothing else "yes",
            nc=str(self.char_order),
            nw=str(self.word_order),
            space="yes" if self.whitespace else "no",
            **({"beta": f"{self.beta:g}"} if self.beta != 2 else {}),
        )


class ChrfPlusPlus(Chrf, frozen=True, kw_only=True):
    """chrF with single words and pairs of words as well."""

    name: ClassVar[str] = "chrf++"
    title: ClassVar[str] = "chrF++"
    source: ClassVar[str] = (
        "Popović 2017, chrF++: words helping character n-grams; numbers: sacreBLEU 2.6 (Post 2018)"
    )

    word_order: int = 2


def _compare(mine: Symbols, theirs: Symbols, owners: NDArray[np.int64], order: int) -> Array:
    """A row for every reference: n-grams of its hypothesis, its own, and those they share."""
    from jurat.metrics._kernels.ngrams import shared_ngrams

    shared = shared_ngrams(mine, theirs, owners, np.arange(len(owners) + 1), order)
    reference = ngram_counts(np.diff(theirs.offsets), order)
    hypothesis = ngram_counts(np.diff(mine.offsets), order)[owners]
    # As in sacreBLEU: orders for which the reference is too short do not lower precision
    hypothesis[reference == 0] = 0
    rows = np.stack([hypothesis, reference, shared], axis=-1, dtype=np.float64)
    return rows.reshape(len(owners), 3 * order)


def _numbered(mine: TokenizedTexts, theirs: TokenizedTexts) -> tuple[Symbols, Symbols]:
    from jurat.metrics._kernels.ngrams import Symbols

    own, known = (ids.astype(np.uint32) for ids in word_numbers(mine, theirs))
    return Symbols(own, mine.offsets), Symbols(known, theirs.offsets)


def _share(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.full_like(part, EPSILON), where=whole > 0)


def _added(parts: Array) -> Array:
    """The sum over the last axis, one after the other.

    numpy's own sum adds in pairs; the last bit decides which of two equal references is best.
    """
    return np.add.accumulate(parts, axis=-1)[..., -1]


def _split_punctuation(words: TokenizedTexts) -> TokenizedTexts:
    """Words with punctuation at their end, or else at their beginning, split off as a word."""
    codes, starts, ends, offsets = words
    long = ends - starts > 1
    behind = long & _is_punctuation(codes[ends - 1])
    before = long & ~behind & _is_punctuation(codes[starts])
    parted = behind | before
    at = np.flatnonzero(parted)
    cuts = np.where(behind, ends - 1, starts + 1)[at]
    shift = np.concatenate([[0], np.cumsum(parted)])
    return TokenizedTexts(
        codes, np.insert(starts, at + 1, cuts), np.insert(ends, at, cuts), offsets + shift[offsets]
    )


def _is_punctuation(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = PUNCTUATION[np.minimum(codes, 127)]
    return found
