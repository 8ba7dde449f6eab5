"""Weighted sums that no order of adding can change."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jurat.resampling.parallel import exact_parts, join_parts

numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
tables = arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 3)), elements=numbers)


@given(tables, st.integers(0, 2**32))
def test_product_is_that_of_exact_arithmetic(rows, seed):
    weights = np.random.default_rng(seed).integers(0, 4, len(rows))
    sums = join_parts(weights @ exact_parts(rows, 4 * len(rows)), rows.shape[1])
    for column, value in zip(rows.T, sums, strict=True):
        products: list[Fraction] = [
            Fraction(float(x)) * int(w) for x, w in zip(column, weights, strict=True)
        ]
        total = sum(products, Fraction(0))
        error = abs(Fraction(float(value)) - total)
        largest = Fraction(float(np.abs(column).max()))
        assert error <= abs(total) / 2**52 + 4 * len(rows) * largest / 2**60


@given(tables, st.randoms(use_true_random=False))
def test_order_of_rows_changes_nothing(rows, random):
    order = random.sample(range(len(rows)), len(rows))
    one, other = (exact_parts(table, len(rows)).sum(axis=0) for table in (rows, rows[order]))
    assert np.array_equal(one, other)


def test_order_of_rows_changes_a_million_plain_sums():
    """The same with plain sums fails, so the property above is worth having."""
    rows = np.random.default_rng(1).normal(size=(10**6, 1))
    plain = {float(np.cumsum(table)[-1]) for table in (rows, rows[::-1])}
    exact = {float(np.cumsum(exact_parts(table, 10**6)[:, 0])[-1]) for table in (rows, rows[::-1])}
    assert (len(plain), len(exact)) == (2, 1)


@pytest.mark.parametrize(
    ("values", "parts"),
    [([1, 2, 7], 1), ([0.5, 3.25], 1), ([0, 0], 1), ([0.1, 2], 2), ([5e-324], 1)],
)
def test_only_fractions_need_a_second_part(values, parts):
    rows = np.array(values, dtype=float)[:, None]
    split = exact_parts(rows, 10**6)
    assert split.shape[1] == parts
    assert np.array_equal(join_parts(split, 1), rows)
