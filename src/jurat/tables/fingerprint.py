"""Fingerprints of tables: the same rows have the same number, in every version and on any machine.

A row's hash is a 64-bit mixture of its values; a table's fingerprint comes from the sum of its
rows' hashes, so that the order of rows and columns does not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from hashlib import blake2b

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.tables.schema import hidden, plain, words

Hashes = NDArray[np.uint64]

# SplitMix64 (Steele, Lea & Flood 2014), whose output depends on every bit of its state.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
# Bytes of a fingerprint, and of a number.
SIZE = WORD = 8
# Columns that tell in which order a judge answered, and those that tell what was answered.
TIMES = ("decided_at", "shown_at", "position")
ANSWERED = ("judge", "item", "question", "system", "system_a", "system_b")


class TableHashes:
    """The hashes of a table's rows, for its fingerprints and for finding copies."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    @cached_property
    def _columns(self) -> dict[str, Hashes]:
        names = [name for name in self._frame.columns if not hidden(name)]
        return {name: _column(self._frame[name], _of_text(name)) for name in names}

    @cached_property
    def rows(self) -> Hashes:
        """A hash of each row, from the names and values of all its columns."""
        return self._sum(self._columns)

    @cached_property
    def fingerprint(self) -> str:
        """The table's fingerprint. The order of rows counts only where it tells the first answer.

        That is where a judge answers again about an item, and the table has no times.
        """
        rows = self.rows if self.timed else self.rows + self._turns
        # the sum alone could not tell no rows from rows whose sum is 0
        return digest((str(int(rows.sum(dtype=np.uint64))), str(len(rows))))

    @cached_property
    def order(self) -> str:
        """A fingerprint of the rows in their order."""
        return blake2b(self.rows.astype("<u8").tobytes(), digest_size=SIZE).hexdigest()

    @property
    def timed(self) -> bool:
        """Whether a column tells the order of answers, so that the order of rows does not."""
        there = (self._frame[name] for name in TIMES if name in self._frame.columns)
        return any(times.null_count() < len(times) for times in there)

    @property
    def _turns(self) -> Hashes:
        """For each row, a hash of how often its judge has answered about its item before."""
        keys = self._sum([name for name in ANSWERED if name in self._columns])
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        first = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(keys)]
        start = np.flatnonzero(first)
        turn = np.arange(len(keys)) - np.repeat(start, np.diff(np.append(start, len(keys))))
        turns = np.zeros(len(keys), dtype=np.uint64)
        # combined with the row, or two rows that change places would give the same sum
        turns[order] = split_mix(self.rows[order] ^ turn.astype(np.uint64)) * (turn > 0)
        return turns

    def _sum(self, names: Collection[str]) -> Hashes:
        total = np.zeros(self._frame.height, dtype=np.uint64)
        for name in names:
            total += self._columns[name]
        return split_mix(total)


def table_fingerprint(frame: pl.DataFrame) -> str:
    """The fingerprint of a table; the order of its rows and columns does not matter."""
    rows = TableHashes(frame).rows
    return digest((str(int(rows.sum(dtype=np.uint64))), str(len(rows))))


def digest(parts: Iterable[str]) -> str:
    """The fingerprint of several texts."""
    return blake2b("\0".join(parts).encode(), digest_size=SIZE).hexdigest()


def _column(values: pl.Series, name: np.uint64) -> Hashes:
    """The hashes of a column's values, mixed with its name; 0 where a value is missing."""
    known = plain(values)
    if known.dtype.is_float():
        # + 0.0 turns -0.0 into 0.0, which is the same number with other bits
        bits = (known.fill_null(0.0).to_numpy().astype(np.float64) + 0.0).view(np.uint64)
    elif known.dtype == pl.Datetime:
        bits = known.cast(pl.Int64).fill_null(0).to_numpy().view(np.uint64)
    else:
        bits = _of_words(words(known))
    return np.where(known.is_null().to_numpy(), np.uint64(0), split_mix(bits + name))


def _of_words(values: pl.Series) -> Hashes:
    """The hashes of texts: their length and their bytes, eight at a time, mixed one by one.

    This takes a fifth of the time of a hash from the standard library for each text.
    """
    texts = values.fill_null("")
    sizes = texts.str.len_bytes().to_numpy().astype(np.int64)
    # eight bytes from any place on are one number; the last text needs bytes after its end
    data = np.frombuffer("".join(texts.to_list()).encode() + bytes(WORD), dtype=np.uint8)
    eights = np.lib.stride_tricks.sliding_window_view(data, WORD)
    starts, hashes = np.cumsum(sizes) - sizes, sizes.astype(np.uint64)
    for done in range(0, int(sizes.max(initial=0)), WORD):
        (longer,) = np.nonzero(sizes > done)
        numbers = np.ascontiguousarray(eights[starts[longer] + done]).view("<u8").ravel()
        # bytes of the next text are shifted out
        beyond = ((done + WORD - sizes[longer]).clip(0) * 8).astype(np.uint64)
        hashes[longer] = split_mix(hashes[longer] ^ ((numbers << beyond) >> beyond))
    return hashes


def _of_text(text: str) -> np.uint64:
    hashed = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.uint64(int.from_bytes(hashed, "little"))


def split_mix(bits: Hashes) -> Hashes:
    """SplitMix64's output for each state; sums and products are modulo 2^64."""
    z = bits + _STEP
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    return np.asarray(z ^ (z >> np.uint64(31)), dtype=np.uint64)
