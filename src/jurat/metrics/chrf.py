"""chrF and chrF++: shared n-grams of characters, and of words, as an F measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.faults import complain
from jurat.metrics.bleu import ngram_counts
from jurat.metrics.kernels.kinds import BLANK
from jurat.metrics.metric import Array, Metric, References, end_to_end
from jurat.metrics.tokenizers import Words, find, number, tokenizer_named

if TYPE_CHECKING:
    from jurat.metrics.kernels.ngrams import Symbols

PUNCTUATION = np.zeros(128, bool)
PUNCTUATION[[ord(sign) for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]] = True
EPSILON = 1e-16


class Signs(NamedTuple):
    """Texts as characters, and as words where words count."""

    characters: Symbols
    words: Words | None


class Prepared(NamedTuple):
    """The references of segments."""

    signs: Signs
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
    """Whether blanks are signs as well."""
    lowercase: bool = False
    eps_smoothing: bool = False
    """Mean F of all orders, and next to nothing for a missing one, as in the original program."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        for field in ("char_order", "word_order"):
            if not 0 <= getattr(self, field) <= 99:
                raise complain("an order of n-grams is from 0 to 99", field=field)
        if not self._orders:
            raise complain("one of char_order and word_order is above 0", field="char_order")
        if not 0 <= self.beta < np.inf:
            raise complain("beta is a number from 0 on", field="beta")

    @property
    def _orders(self) -> int:
        return self.char_order + self.word_order

    def prepare(self, references: References) -> Prepared:
        texts, firsts = end_to_end(references)
        return Prepared(self._signs(texts), firsts)

    def _signs(self, texts: Sequence[str]) -> Signs:
        from jurat.metrics.kernels.code_points import code_points, without
        from jurat.metrics.kernels.ngrams import Symbols

        texts = [text.lower() for text in texts] if self.lowercase else texts
        kinds = tokenizer_named("none").kinds
        left_out = -1 if self.whitespace else BLANK
        characters = Symbols(*without(*code_points(texts), kinds, left_out))
        return Signs(characters, _parted(find(texts, "none")) if self.word_order else None)

    def tally(self, hypotheses: Sequence[str], prepared: Prepared) -> Array:
        """Of every order the n-grams of the hypothesis, of its best reference, and the shared."""
        theirs, firsts = prepared
        mine = self._signs(hypotheses)
        owners = np.repeat(np.arange(len(hypotheses)), firsts[1:] - firsts[:-1])
        rows = _compare(mine.characters, theirs.characters, owners, self.char_order)
        if mine.words is not None and theirs.words is not None:
            words = _compare(*_numbered(mine.words, theirs.words), owners, self.word_order)
            rows = np.concatenate([rows, words], axis=1)
        if len(rows) == len(hypotheses):
            return rows
        best = np.lexsort((-self.score(rows), owners))
        return rows[best[firsts[:-1]]]

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """F of the mean precision and recall of the orders that both texts are long enough for."""
        sums = np.asarray(sums, np.float64)
        hypothesis, reference, shared = (sums[..., n::3] for n in range(3))
        precision = _share(shared, hypothesis)
        recall = _share(shared, reference)
        if self.eps_smoothing:
            return 100 * _added(self._f(precision, recall)) / self._orders
        there = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(there.sum(axis=-1), 1)
        means = (_added(part * there) / orders for part in (precision, recall))
        return 100 * np.where(shared.any(axis=-1), self._f(*means), 0.0)

    def _f(self, precision: Array, recall: Array) -> Array:
        """The F measure, next to nothing where there is nothing to divide by."""
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
    from jurat.metrics.kernels.ngrams import shared_ngrams

    shared = shared_ngrams(mine, theirs, owners, np.arange(len(owners) + 1), order)
    reference = ngram_counts(np.diff(theirs.offsets), order)
    hypothesis = ngram_counts(np.diff(mine.offsets), order)[owners]
    # What no reference is long enough for cannot be missed.
    hypothesis[reference == 0] = 0
    rows = np.stack([hypothesis, reference, shared], axis=-1, dtype=np.float64)
    return rows.reshape(len(owners), 3 * order)


def _numbered(mine: Words, theirs: Words) -> tuple[Symbols, Symbols]:
    from jurat.metrics.kernels.ngrams import Symbols

    own, known = (ids.astype(np.uint32) for ids in number(mine, theirs))
    return Symbols(own, mine.offsets), Symbols(known, theirs.offsets)


def _share(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.full_like(part, EPSILON), where=whole > 0)


def _added(parts: Array) -> Array:
    """The sum over the last axis, in order: the best of nearly equal references depends on it."""
    return np.add.accumulate(parts, axis=-1)[..., -1]


def _parted(words: Words) -> Words:
    """Words without the punctuation at their ends or else at their beginnings, which is a word."""
    codes, starts, ends, offsets = words
    long = ends - starts > 1
    behind = long & _is_punctuation(codes[ends - 1])
    before = long & ~behind & _is_punctuation(codes[starts])
    parted = behind | before
    at = np.flatnonzero(parted)
    cuts = np.where(behind, ends - 1, starts + 1)[at]
    shift = np.concatenate([[0], np.cumsum(parted)])
    return Words(
        codes, np.insert(starts, at + 1, cuts), np.insert(ends, at, cuts), offsets + shift[offsets]
    )


def _is_punctuation(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = PUNCTUATION[np.minimum(codes, 127)]
    return found
