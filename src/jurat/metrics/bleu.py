"""BLEU: n-gram precision with a brevity penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from jurat.errors import input_error, unknown_name
from jurat.metrics.metric import Array, References, WordMetric, WordReferences
from jurat.metrics.tokenizers import word_numbers

# Ways of smoothing, and the value where one needs a value and is given none.
SMOOTHING = {"exp": None, "floor": 0.1, "add-k": 1.0, "none": None}
# The logarithm of a precision of 0, as sacreBLEU has it: small, but finite.
NEVER = -9999999999.0


class Bleu(WordMetric, frozen=True, kw_only=True):
    """The geometric mean of n-gram precisions, times the brevity penalty.

    The penalty is exp(min(0, 1 − r/c)) for c words of the hypothesis and r of the reference.

    A single segment is scored by the orders that it is long enough for ("effective order").
    """

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    source: ClassVar[str] = (
        "Papineni, Roukos, Ward & Zhu 2002, BLEU: a Method for Automatic Evaluation of Machine "
        "Translation; smoothing: Chen & Cherry 2014; numbers: sacreBLEU 2.6 (Post 2018)"
    )

    tokenize: str = "13a"
    smooth: str = "exp"
    smooth_value: float | None = None
    order: int = 4

    def __post_init__(self) -> None:
        """Raise `InputError` for options that are out of range."""
        super().__post_init__()
        if self.smooth not in SMOOTHING:
            raise unknown_name("smoothing", self.smooth, SMOOTHING, field="smooth")
        if self.smooth_value is not None and SMOOTHING[self.smooth] is None:
            raise input_error(f"smooth={self.smooth} takes no value", field="smooth_value")
        if self.smooth_value is not None and not 0 < self.smooth_value < np.inf:
            raise input_error("the value of smoothing is above 0", field="smooth_value")
        if not 1 <= self.order <= 99:
            raise input_error("the order of n-grams is from 1 to 99", field="order")

    def segment_counts(self, hypotheses: Sequence[str], prepared: WordReferences) -> Array:
        """The lengths of hypothesis and reference, shared n-grams and all n-grams by order."""
        from jurat.metrics._kernels.ngrams import Symbols, shared_ngrams

        theirs, firsts = prepared
        mine = self.words(hypotheses)
        words, known = (ids.astype(np.uint32) for ids in word_numbers(mine, theirs))
        shared = shared_ngrams(
            Symbols(words, mine.offsets),
            Symbols(known, theirs.offsets),
            np.arange(len(hypotheses)),
            firsts,
            self.order,
        )
        lengths = mine.lengths
        nearest = _nearest(lengths, theirs.lengths, firsts)
        counts = (lengths[:, None], nearest[:, None], shared, ngram_counts(lengths, self.order))
        return np.concatenate(counts, axis=1, dtype=np.float64)

    def score(self, sums: Array, *, single: bool = False) -> Array:
        sums = np.asarray(sums, np.float64)
        length, reference = sums[..., 0], sums[..., 1]
        shared, possible = sums[..., 2 : 2 + self.order], sums[..., 2 + self.order :]
        penalty = _brevity(length, reference)
        if shared.all() and self.smooth != "add-k":
            # nothing to smooth, as in whole texts and their resamples: a quarter of the time
            logs = np.log(100 * shared / possible)
            return np.asarray(penalty * np.exp(logs.sum(axis=-1) / self.order))
        precisions, orders = self._precisions(shared, possible)
        used = np.where(single & (orders > 0), orders, self.order)
        logs = np.log(precisions, out=np.full_like(precisions, NEVER), where=precisions > 0)
        logs *= np.arange(self.order) < used[..., None]
        score: Array = penalty * np.exp(logs.sum(axis=-1) / used)
        return np.where(shared.any(axis=-1), score, 0.0)

    def _precisions(self, shared: Array, possible: Array) -> tuple[Array, NDArray[np.int64]]:
        """Precisions in percent, smoothed, and how many orders there are n-grams of."""
        value = self._value or 0.0
        more = value * (np.arange(self.order) > 0) if self.smooth == "add-k" else 0.0
        hits, ngrams = shared + more, possible + more
        # a text too short for one order has none of the longer orders either
        there = np.logical_and.accumulate(ngrams > 0, axis=-1)
        missed = there & (hits == 0)
        if self.smooth == "exp":
            # 1/2, 1/4, … for each further order without a match (NIST's smoothing)
            hits = np.where(missed, 0.5 ** missed.cumsum(axis=-1), hits)
        elif self.smooth == "floor":
            hits = np.where(missed, value, hits)
        precisions = np.divide(100 * hits, ngrams, out=np.zeros_like(hits), where=there)
        return precisions, there.sum(axis=-1)

    @property
    def _value(self) -> float | None:
        return SMOOTHING[self.smooth] if self.smooth_value is None else self.smooth_value

    def signature(self, references: References, *, single: bool = False) -> str:
        value = "" if self._value is None else f"[{_spoken(self._value)}]"
        return self.signed(
            references,
            case=self.case,
            eff="yes" if single else "no",
            tok=self.tokenize,
            smooth=self.smooth + value,
            **({"order": str(self.order)} if self.order != 4 else {}),
        )


def _spoken(value: float) -> str:
    """With two digits, as sacreBLEU has it, unless more are needed."""
    return f"{value:.2f}" if value == round(value, 2) else f"{value:g}"


def ngram_counts(lengths: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """How many n-grams texts of these lengths have, of orders from 1 on."""
    counts: NDArray[np.int64] = np.maximum(lengths[:, None] - np.arange(order), 0)
    return counts


def _brevity(length: Array, reference: Array) -> Array:
    """The brevity penalty exp(1 − r/c) for texts shorter than their reference; 1 for others."""
    over = np.divide(reference, length, out=np.full_like(length, np.inf), where=length > 0)
    return np.asarray(np.exp(np.minimum(0.0, 1 - over)))


def _nearest(
    lengths: NDArray[np.int64], references: NDArray[np.int64], firsts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The length of the reference that is nearest in length, the shorter one of two as near."""
    apart = np.abs(references - np.repeat(lengths, firsts[1:] - firsts[:-1]))
    # distance in the high bits, length in the low ones: the minimum is the nearest, then shortest
    both = (apart << 32) | references
    nearest: NDArray[np.int64] = np.minimum.reduceat(both, firsts[:-1]) & 0xFFFFFFFF
    return nearest
