"""The table of distances, row by row and cell by cell, beside sacreBLEU's and its best path."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import BeamEditDistance

from jurat.metrics._kernels.edit_distance import (
    CHANGED,
    EXTRA,
    KEPT,
    MISSING,
    fill,
    free_seats,
    is_wide,
    last_step,
    last_table_step,
    masks_of,
    ones,
    rows_of,
    table_of,
    take_seats,
    total,
)

SIGNS = {KEPT: " ", CHANGED: "s", EXTRA: "d", MISSING: "i"}


def numbers(kinds: int, *, least: int = 1, most: int = 20) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, kinds), min_size=least, max_size=most)


def path(words: int, size: int, same, last) -> str:
    """The best path as sacreBLEU writes it, followed back from the end."""
    found, i, j = "", words, size
    while i or j:
        step = last(i, j, bool(i and j and same(i - 1, j - 1)))
        found = SIGNS[step] + found
        i -= step != MISSING
        j -= step != EXTRA
    return found


def check(hypothesis: list[int], reference: list[int]) -> None:
    h, r, taken = take_seats(
        np.array(hypothesis), np.array(reference), free_seats(np.array(reference))
    )
    expected = BeamEditDistance([str(w) for w in reference])([str(w) for w in hypothesis])
    sizes = len(h), len(r)
    if is_wide(*sizes):
        cells = table_of(h, r)
        found = cells[sizes]
        last = lambda i, j, same: last_table_step(cells, i, j, same)  # noqa: E731
    else:
        rows = rows_of(*sizes)
        fill(rows, h, masks_of(r, taken))
        end = rows[-1]
        found = total(rows, len(r), end["rise"], end["fall"], end["base"])
        last = lambda i, j, same: last_step(rows, i, j, same)  # noqa: E731
    assert (found, path(*sizes, lambda i, j: h[i] == r[j], last)) == expected


@settings(deadline=None)
@given(numbers(3), numbers(3))
def test_all_of_a_short_table(hypothesis, reference):
    check(hypothesis, reference)


@settings(deadline=None)
@given(numbers(200, least=20, most=90), numbers(200, least=20, most=90), st.integers(0, 40))
def test_rows_that_the_beam_cuts_off(hypothesis, reference, moved):
    check(hypothesis, reference)
    check(reference[moved:] or [0], reference)
    check(reference, reference[moved:] or [0])


@pytest.mark.parametrize("words", [1, 2, 3, 5])
@pytest.mark.parametrize("ratio", [24, 25, 49, 50, 51, 60, 101])
def test_hypotheses_much_shorter_than_their_references(words, ratio):
    random = np.random.default_rng(words * ratio)
    for size in (words * ratio - 1, words * ratio, words * ratio + 1):
        reference = random.integers(0, 30, size).tolist()
        check(random.integers(0, 30, words).tolist(), reference)
        check(reference, random.integers(0, 30, words).tolist())


@given(st.integers(0, 2**64 - 1))
def test_bits_are_counted(bits):
    assert ones(np.uint64(bits)) == bits.bit_count()
