"""Permutation tests: signs of paired differences, labels of groups, and swaps between samples.

The last is approximate randomisation (Noreen 1989).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from jurat.errors import input_error
from jurat.resampling.cluster_sums import distinct_rows, one_way_sums
from jurat.resampling.engine import (
    CELLS,
    Array,
    Score,
    at_least,
    checked_jobs,
    cluster_codes,
    evaluate,
    one_of,
    run,
    statistics_rows,
)
from jurat.resampling.exact_sum import exact_parts, join_parts

if TYPE_CHECKING:
    from numpy.random import Generator

Hits = NDArray[np.int64]
Test = Callable[[Array], Hits]
# Clusters whose signs are held at once.
BLOCK = 2**13
# Whole numbers below it are float32's too, with which products take half the time.
SINGLE = 2**24

# Sums that are equal on paper differ by rounding, and must count as equal. So near to the observed
# one lies no other by chance: what is wrongly counted changes no digit of a p-value.
TIE = 1e-10

ALTERNATIVES: Mapping[str, Callable[[Array, Array, Array], NDArray[np.bool_]]] = {
    "two-sided": lambda sums, observed, tie: np.abs(sums) >= np.abs(observed) - tie,
    "greater": lambda sums, observed, tie: sums >= observed - tie,
    "less": lambda sums, observed, tie: sums <= observed + tie,
}


@dataclass(frozen=True, kw_only=True)
class SignFlip:
    """Mean differences and how often random signs give as much; (m,) for m columns, else none."""

    estimate: Array
    p_value: Array
    hits: Hits
    permutations: int
    n_clusters: int
    alternative: str
    method: str
    seed: int


def permute_signs(
    differences: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    permutations: int = 10_000,
    seed: int,
    alternative: str = "two-sided",
    jobs: int = 1,
) -> SignFlip:
    """Test paired differences (units × m) by flipping the signs of whole clusters (Fisher 1935).

    Every column is tested for itself, all under the same signs. With n clusters that are not all
    zero and 2ⁿ ≤ permutations all patterns are tried, and p = hits / 2ⁿ; else p = (1 + hits) /
    (1 + permutations), which is never too small (Phipson & Smyth 2010).
    """
    one_of(ALTERNATIVES, alternative, field="alternative")
    permutations = at_least(1, permutations, field="permutations")
    seed = at_least(0, seed, field="seed")
    given = statistics_rows(differences, field="differences")
    rows = one_way_sums(given, clusters).rows
    observed, tie = rows.sum(axis=0), TIE * np.abs(rows).sum(axis=0)
    moving = rows[rows.any(axis=1)]
    patterns = 2 ** len(moving)
    test = partial(_sign_hits, alternative=alternative, observed=observed, tie=tie)
    if exact := patterns <= permutations:
        hits = _all_patterns(moving, test)
    else:
        hits = _random_patterns(moving, test, permutations, seed=seed, jobs=checked_jobs(jobs))
    tried = patterns if exact else permutations
    shape = np.shape(differences)[1:]
    return SignFlip(
        estimate=(observed / len(given)).reshape(shape),
        p_value=(hits / patterns if exact else (1 + hits) / (1 + permutations)).reshape(shape),
        hits=hits.reshape(shape),
        permutations=tried,
        n_clusters=len(rows),
        alternative=alternative,
        method=_sign_method(alternative, tried, len(rows), exact=exact),
        seed=seed,
    )


def _sign_hits(sums: Array, *, alternative: str, observed: Array, tie: Array) -> Hits:
    hits: Hits = ALTERNATIVES[alternative](sums, observed, tie).sum(axis=0)
    return hits


def _all_patterns(rows: Array, test: Test) -> Hits:
    """Hits among all patterns of signs: those of the first ten clusters with each of the rest."""
    start = _all_signed_sums(rows[:10])
    hits: Hits = np.sum([test(start + rest) for rest in _all_signed_sums(rows[10:])], axis=0)
    return hits


def _all_signed_sums(rows: Array) -> Array:
    sums = np.zeros((1, rows.shape[1]))
    for row in rows:
        sums = np.concatenate([sums + row, sums - row])
    return sums


def _random_patterns(rows: Array, test: Test, permutations: int, *, seed: int, jobs: int) -> Hits:
    first = rows[np.arange(len(rows)), (rows != 0).argmax(axis=1)]
    kinds = distinct_rows(
        rows * np.sign(first)[:, None]
    )  # what differs in sign alone is of one kind
    work = _flip_kinds if kinds else _flip
    arrays = (kinds.rows, kinds.numbers) if kinds else (rows,)
    hits: Hits = run(
        partial(work, test=test),
        arrays,
        rows=permutations,
        at_once=max(16, CELLS // max(arrays[0].shape)),
        seed=seed,
        jobs=jobs,
    ).sum(axis=0)
    return hits


def _flip(rng: Generator, rows: int, table: Array, *, test: Test) -> Hits:
    """Hits under random signs; Σ ±d = 2 Σ b d - Σ d with fair bits b."""
    return test(2 * half_sums(rng, rows, table) - table.sum(axis=0))[None]


def half_sums(rng: Generator, rows: int, table: Array) -> Array:
    """Sums of the table's rows that fair bits choose, for so many rows of bits."""
    sums = np.zeros((rows, table.shape[1]))
    for start in range(0, len(table), BLOCK):
        block = _compact(table[start : start + BLOCK])
        sums += fair_bits(rng, rows, len(block), block.dtype) @ block
    return sums


def fair_bits(
    rng: Generator, rows: int, width: int, dtype: DTypeLike = np.float64
) -> NDArray[np.floating[Any]]:
    """Random zeros and ones, rows × width: the generator's raw bits, in one order of bytes."""
    words = -(-width // 64)
    raw = rng.bit_generator.random_raw(rows * words).astype("<u8", copy=False)
    bits = np.unpackbits(raw.view(np.uint8).reshape(rows, -1), axis=1, count=width)
    return bits.astype(dtype)


def _compact(block: Array) -> NDArray[np.floating[Any]]:
    """The same numbers in half the room where no sum of some of them is rounded there."""
    exact = np.abs(block).sum(axis=0).max() < SINGLE and (block == np.rint(block)).all()
    return block.astype(np.float32) if exact else block


def _flip_kinds(rng: Generator, rows: int, table: Array, numbers: Hits, *, test: Test) -> Hits:
    """The same where so many clusters are of each kind: how many get a plus is binomial."""
    plus = rng.binomial(numbers, 0.5, size=(rows, len(table))).astype(np.float64)
    return test(2 * plus @ table - numbers @ table)[None]


def _sign_method(alternative: str, patterns: int, clusters: int, *, exact: bool) -> str:
    how = f"exact, all {patterns}" if exact else f"{patterns} random"
    return f"{alternative} sign-flip test, {how} patterns of signs over {clusters} clusters"


@dataclass(frozen=True, kw_only=True)
class LabelPermutation:
    """A score of groups, and the same under random labels; NaN where it is undefined.

    `estimate` and `undefined` have the shape of the score of one relabelling; `replicates` has a
    row for each.
    """

    estimate: Array
    replicates: Array = field(repr=False)
    groups: tuple[object, ...]
    undefined: NDArray[np.int64]
    n_units: int
    method: str
    seed: int

    def p_value(self, alternative: str = "greater") -> Array:
        """(1 + hits) / (1 + permutations that are defined); two-sided is twice the smaller side."""
        one_of(ALTERNATIVES, alternative, field="alternative")
        if alternative == "two-sided":
            both = np.minimum(self.p_value("greater"), self.p_value("less"))
            return np.asarray(np.minimum(1, 2 * both))
        tie = TIE * np.abs(self.estimate)
        hits = ALTERNATIVES[alternative](self.replicates, self.estimate, tie).sum(axis=0)
        p = (1 + hits) / (1 + len(self.replicates) - self.undefined)
        return np.where(np.isnan(self.estimate), np.nan, p)

    def adjusted_p_value(self) -> Array:
        """`p_value` of several values, adjusted for their number (Westfall & Young 1993, min p).

        A value's p is the share of relabellings, the observed one among them, of which some value
        has a p as small. Values that vary together cost little, unlike with Holm's correction.
        """
        values = np.vstack([self.estimate, self.replicates])
        p = np.column_stack([_share_above(column) for column in values.T])
        smallest = np.nanmin(np.where(np.isnan(p), 1.0, p), axis=1)
        adjusted = (smallest[:, None] <= p[0]).mean(axis=0)
        return np.where(np.isnan(self.estimate), np.nan, adjusted)


def _share_above(values: Array) -> Array:
    """The share of the values that are at least as large as each; NaN where it is undefined."""
    known = np.sort(values[~np.isnan(values)])
    below = np.searchsorted(known, values - TIE * np.abs(values))
    return np.where(np.isnan(values), np.nan, 1 - below / max(len(known), 1))


def permute_labels(
    statistics: ArrayLike,
    groups: ArrayLike,
    score: Score,
    *,
    permutations: int = 10_000,
    seed: int,
    jobs: int = 1,
) -> LabelPermutation:
    """Give the units' group labels to other units, and score the groups' totals each time.

    `score` receives totals (permutations × groups × k), the groups in the order of the result's
    `groups`, and gives values (permutations, or permutations × m).
    """
    permutations = at_least(1, permutations, field="permutations")
    seed = at_least(0, seed, field="seed")
    rows = statistics_rows(statistics)
    labels = cluster_codes(groups, len(rows), field="groups")
    count = int(labels.max()) + 1
    if count < 2:
        raise input_error("groups must be at least two", field="groups", value=count)
    table = exact_parts(rows, len(rows))
    at_once = max(1, CELLS // len(rows))
    arrays = (table, labels)
    sums = run(
        _shuffled, arrays, rows=permutations, at_once=at_once, seed=seed, jobs=checked_jobs(jobs)
    )
    observed = _by_group(labels[None], table, count)
    values = evaluate(score, join_parts(sums, rows.shape[1]))
    estimate = evaluate(score, join_parts(observed, rows.shape[1]))[0]
    names = dict(zip(labels.tolist(), np.asarray(groups).tolist(), strict=True))
    return LabelPermutation(
        estimate=np.asarray(estimate),
        replicates=values,
        groups=tuple(names[code] for code in range(count)),
        undefined=np.asarray(np.isnan(values).sum(axis=0)),
        n_units=len(rows),
        method=f"{permutations} random relabellings of {len(rows)} units in {count} groups",
        seed=seed,
    )


def _shuffled(rng: Generator, rows: int, table: Array, labels: NDArray[np.intp]) -> Array:
    shuffled = rng.permuted(np.broadcast_to(labels, (rows, len(labels))), axis=1)
    return _by_group(shuffled, table, int(labels.max()) + 1)


def _by_group(labels: NDArray[np.intp], table: Array, count: int) -> Array:
    """Totals (rows of labels × groups × columns)."""
    return np.stack([(labels == code).astype(np.float64) @ table for code in range(count)], axis=1)


@dataclass(frozen=True, kw_only=True)
class PairSwaps:
    """Scores of paired samples (m,), and of every two of them (m × m) p and hits.

    The diagonal of `p_value` is NaN: nothing is tested against itself.
    """

    estimate: Array
    p_value: Array
    hits: Hits
    permutations: int
    n_clusters: int
    method: str
    seed: int


def permute_pairs(
    statistics: ArrayLike,
    score: Score,
    *,
    clusters: ArrayLike | None = None,
    permutations: int = 10_000,
    seed: int,
    jobs: int = 1,
) -> PairSwaps:
    """Test whether samples (units × samples × k) differ in a score of their totals (Noreen 1989).

    Units are swapped between two samples at random, and a trial is a hit where that sets their
    scores at least as far apart, on either side, as they are. All pairs share the same choice of
    units, so that one matrix product serves them all. With n clusters and 2ⁿ ≤ permutations every
    choice is tried, and p = hits / 2ⁿ; else p = (1 + hits) / (1 + permutations).
    """
    permutations = at_least(1, permutations, field="permutations")
    seed, jobs = at_least(0, seed, field="seed"), checked_jobs(jobs)
    units, samples, columns = _paired_shape(statistics)
    flat = np.asarray(statistics).reshape(units, -1)
    rows = one_way_sums(flat, clusters).rows
    parts = exact_parts(rows, len(rows))
    total = join_parts(parts.sum(axis=0), rows.shape[1]).reshape(samples, columns)
    estimate = evaluate(score, total)
    test = partial(_swap_hits, score=score, total=total, observed=estimate)
    tried = min(permutations, 2 ** len(rows))
    if exact := tried == 2 ** len(rows):
        hits = test(_all_halves(parts))
    else:
        at_once = max(16, CELLS // max(parts.shape))
        work = partial(_random_halves, test=test)
        found = run(work, (parts,), rows=permutations, at_once=at_once, seed=seed, jobs=jobs)
        hits = np.asarray(found.sum(axis=0))
    p = hits / tried if exact else (1 + hits) / (1 + tried)
    np.fill_diagonal(p, np.nan)
    return PairSwaps(
        estimate=estimate,
        p_value=np.where(np.isnan(estimate[:, None] - estimate), np.nan, p),
        hits=hits,
        permutations=tried,
        n_clusters=len(rows),
        method=_swap_method(tried, len(rows), exact=exact),
        seed=seed,
    )


def _paired_shape(statistics: ArrayLike) -> tuple[int, int, int]:
    shape = np.shape(statistics)
    if len(shape) != 3 or shape[1] < 2:
        message = "statistics must be units × samples × columns, of at least two samples"
        raise input_error(message, field="statistics")
    return shape[0], shape[1], shape[2]


def _random_halves(rng: np.random.Generator, rows: int, table: Array, *, test: Test) -> Hits:
    return test(half_sums(rng, rows, table))[None]


def _all_halves(table: Array) -> Array:
    sums = np.zeros((1, table.shape[1]))
    for row in table:
        sums = np.concatenate([sums, sums + row])
    return sums


def _swap_hits(sums: Array, *, score: Score, total: Array, observed: Array) -> Hits:
    """How often two samples lie as far apart as observed.

    With h the sums over the chosen units, the two that swap all others have the totals
    h(a) + T(b) − h(b) and h(b) + T(a) − h(a).
    """
    samples, columns = total.shape
    halves = join_parts(sums, total.size).reshape(len(sums), samples, columns)
    # column by column: a score reads whole columns, in half the time where they are in one piece
    halves, totals = np.ascontiguousarray(halves.transpose(2, 0, 1)), total.T[:, None]
    hits = np.zeros((samples, samples), dtype=np.int64)
    for a in range(samples - 1):
        moved = halves[..., a, None] - halves[..., a + 1 :]
        both = np.empty((columns, 2, *moved.shape[1:]))
        np.add(totals[..., a + 1 :], moved, out=both[:, 0])
        np.subtract(totals[..., a, None], moved, out=both[:, 1])
        scores = evaluate(score, both.reshape(columns, -1).T)
        first, second = scores.reshape(2, len(sums), -1)
        apart = np.abs(observed[a] - observed[a + 1 :])
        tie = TIE * (np.abs(observed[a]) + np.abs(observed[a + 1 :]))
        # a trial without a score tells nothing against chance
        near = np.abs(first - second) < apart - tie
        hits[a, a + 1 :] = hits[a + 1 :, a] = len(sums) - near.sum(axis=0)
    return hits


def _swap_method(trials: int, clusters: int, *, exact: bool) -> str:
    how = f"exact, all {trials}" if exact else f"{trials} random"
    return f"two-sided approximate randomisation, {how} swaps of {clusters} clusters"
