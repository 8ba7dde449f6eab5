"""The answers to one question as arrays: who gave which value to what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.cache import Memoized
from jurat.results import Key

Array = NDArray[np.float64]
Codes = NDArray[np.int64]

# Codes for which a table of marks fits into memory (32 MB), so that nothing need be sorted.
MARKS = 2**25
# Columns that tell which of two judgments was first; without any, the file's order does.
EARLIER = ("decided_at", "shown_at", "position")


@dataclass(frozen=True, kw_only=True, eq=False)
class Ratings(Memoized):
    """The answers to one question, in one split; each row of the frame is one answer."""

    question: str
    frame: pl.DataFrame = field(repr=False)
    tags: Mapping[str, Key] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.frame.height

    @property
    def by(self) -> dict[str, Key]:
        """The keys of every estimate about these answers."""
        return {"question": self.question}

    @cached_property
    def nominal(self) -> bool:
        """Whether the answers are words without a number: neither order nor distance."""
        return self.frame["value"].null_count() == self.frame.height

    @cached_property
    def values(self) -> Array:
        """The number of each answer; of a word, its index in `points`."""
        if self.nominal:
            return self._label_codes.astype(np.float64)
        return self.frame["value"].to_numpy().astype(np.float64)

    @cached_property
    def points(self) -> tuple[Key, ...]:
        """The points of the scale that were used, in order."""
        if self.nominal:
            return tuple(self._labels)
        return tuple(
            self.frame["value"].cast(pl.Float64).unique().sort(nulls_last=True).to_numpy().tolist()
        )

    @cached_property
    def codes(self) -> Codes:
        """The index of each answer in `points`."""
        if self.nominal:
            return self._label_codes
        # The points are sorted: each value is found where it lies.
        return np.searchsorted(self.places, self.values)

    @cached_property
    def places(self) -> Array:
        """The value of each of the `points`; words, which lie on no scale, are numbered."""
        if self.nominal:
            return np.arange(len(self.points), dtype=np.float64)
        return np.asarray(self.points, dtype=np.float64)

    @cached_property
    def item_codes(self) -> Codes:
        """The index in `items` of what each answer is about."""
        return self._coded_items[0]

    @cached_property
    def items(self) -> list[str]:
        """What was judged, sorted."""
        return self._coded_items[1]

    @cached_property
    def judge_codes(self) -> Codes:
        """The index in `judges` of who gave each answer."""
        return self._coded_judges[0]

    @cached_property
    def judges(self) -> list[str]:
        """Who judged, sorted."""
        return self._coded_judges[1]

    def has(self, column: str) -> bool:
        """Whether there is such a column, with at least one value in it."""
        return column in self.frame.columns and self.frame[column].null_count() < len(self)

    def coded(self, column: str) -> tuple[Codes, list[str]]:
        """A column as numbers from 0, and the sorted names that they stand for."""
        return coded(self.frame[column])

    def where(self, mask: NDArray[np.bool_] | pl.Series) -> Ratings:
        """The answers for which the mask is true."""
        chosen = mask if isinstance(mask, pl.Series) else pl.Series(mask)
        return replace(self, frame=self.frame.filter(chosen))

    @cached_property
    def chronological(self) -> Ratings:
        """The answers by time or position; in the order of the file where the table has neither."""
        order = [name for name in EARLIER if self.has(name)]
        return replace(self, frame=self.frame.sort(order, maintain_order=True)) if order else self

    @cached_property
    def firsts(self) -> Ratings:
        """The first answer of each judge to each item: repeats belong to self-agreement."""
        if "judge" not in self.frame.columns:
            return self
        # codes are needed anyway, and numbers are faster to compare than pairs of words
        asked = self.item_codes * len(self.judges) + self.judge_codes
        if _distinct(asked, len(self.items) * len(self.judges)):
            return self
        once = self.chronological.frame.unique(["judge", "item"], keep="first", maintain_order=True)
        return replace(self, frame=once)

    @cached_property
    def counts(self) -> Array:
        """How often each point was given to each item: items × points."""
        cells = self.item_codes * len(self.points) + self.codes
        size = len(self.items) * len(self.points)
        return np.bincount(cells, minlength=size).reshape(-1, len(self.points)).astype(np.float64)

    @cached_property
    def _coded_items(self) -> tuple[Codes, list[str]]:
        return self.coded("item")

    @cached_property
    def _coded_judges(self) -> tuple[Codes, list[str]]:
        return self.coded("judge")

    @cached_property
    def _label_codes(self) -> Codes:
        return self.coded("label")[0]

    @cached_property
    def _labels(self) -> Sequence[str]:
        return self.coded("label")[1]


def _distinct(codes: Codes, number: int) -> bool:
    """Whether no code, of those from 0 to `number` − 1, stands twice."""
    if number > 16 * len(codes):
        return pl.Series(codes).n_unique() == len(codes)
    # polars would load numpy's masked arrays, a tenth of the time of a first small analysis
    seen = np.zeros(number, dtype=np.bool_)
    seen[codes] = True
    return int(np.count_nonzero(seen)) == len(codes)


def scaled(values: Array) -> Array:
    """Values of a size that can be squared: divided by a power of two, which rounds nothing."""
    largest = np.abs(values).max(initial=0.0)
    return np.ldexp(values, -int(np.frexp(largest)[1])) if largest else values


# Significant digits of the largest value in which means must differ to be different.
ALIKE = 12


def alike(means: Array, largest: float) -> Array:
    """Means rounded so that equal ones of different numbers are equal, which rounding prevents."""
    digits = ALIKE - int(np.ceil(np.log10(largest))) if largest > 0 else ALIKE
    return np.asarray(np.round(means, digits))


def summed(
    codes: NDArray[np.integer[Any]], values: Array | Codes | NDArray[np.bool_], number: int = 0
) -> Array:
    """The sum of the values of each code from 0 to the largest, or to `number` − 1 if that is more.

    A code without any values has the sum 0.
    """
    return np.asarray(np.bincount(codes, weights=values, minlength=number), dtype=np.float64)


def divide_or_nan(parts: Array, wholes: Array | Codes) -> Array:
    """The one divided by the other; NaN where there is nothing to divide by."""
    wholes = np.asarray(wholes, dtype=np.float64)
    nothing = np.full(np.broadcast(parts, wholes).shape, np.nan)
    return np.asarray(np.divide(parts, wholes, out=nothing, where=wholes > 0))


def coded(values: pl.Series) -> tuple[Codes, list[str]]:
    """Words as numbers from 0, and the sorted words that they stand for; a missing one is ''."""
    # An enumeration numbers each word by its place among the sorted names.
    words = values.cast(pl.String).fill_null("")
    names = words.unique().sort()
    codes = words.cast(pl.Enum(names)).to_physical()
    return codes.to_numpy().astype(np.int64), names.to_list()


def numbered(codes: Codes, size: int) -> tuple[Codes, Codes]:
    """Which of the numbers below `size` occur, in order, and which of those each code is.

    The same as `numpy.unique` with its inverse, without sorting where there is room for a mark a
    number.
    """
    if size > MARKS:
        known, found = np.unique(codes, return_inverse=True)
        return known.astype(np.int64), found.astype(np.int64)
    there = np.zeros(size, dtype=bool)
    there[codes] = True
    known = np.flatnonzero(there)
    # only numbers that occur are written, and read: most of a large table stays untouched
    places = np.empty(size, dtype=np.int64)
    places[known] = np.arange(len(known))
    return known, places[codes]


def codes_of(columns: pl.DataFrame) -> Codes:
    """Rows as numbers from 0, the same number for equal rows."""
    if columns.is_empty():
        return np.zeros(0, dtype=np.int64)
    whole, size = np.zeros(columns.height, dtype=np.int64), 1
    for name in columns.columns:
        codes, names = coded(columns[name])
        # numbered anew after each column, so that the product of sizes stays small
        known, whole = numbered(whole * len(names) + codes, size * len(names))
        size = len(known)
    return whole
