"""The same numbers whatever runs the chunks, and little memory."""

import os
import subprocess
import sys
import tracemalloc
from fractions import Fraction

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jurat.resampling import bootstrap, cluster_sums, permute_labels, permute_signs
from jurat.resampling.engine import _chunk
from jurat.resampling.exact_sum import exact_parts, join_parts
from tests.resampling.classics import mean, with_ones

SKEWED = with_ones(np.random.default_rng(1).lognormal(size=20_000))


def replicates(**options):
    return bootstrap(SKEWED, mean, replicates=100, **options).replicates


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_jobs_change_nothing(backend):
    with joblib.parallel_config(backend=backend):
        assert np.array_equal(replicates(seed=1, jobs=2), replicates(seed=1))
        one, two = (
            permute_signs(SKEWED[:, 0] - 1.6, seed=1, permutations=500, jobs=jobs)
            for jobs in (1, 2)
        )
        assert one == two
        ids = (np.arange(20_000) // 10, np.arange(20_000) % 10)
        assert np.array_equal(
            replicates(seed=1, jobs=2, clusters=ids), replicates(seed=1, clusters=ids)
        )


@settings(max_examples=10)
@given(st.integers(0, 2**64), st.integers(0, 2**64))
def test_seed_decides(seed, other):
    rows = SKEWED[:50]
    one, again, another = (bootstrap(rows, mean, seed=s).replicates for s in (seed, seed, other))
    assert np.array_equal(one, again)
    assert np.array_equal(one, another) is (seed == other)


def test_chunks_are_independent():
    assert len(np.unique(replicates(seed=1))) == 100


MACHINE = """
import numpy as np
from tests.resampling.test_engine import SKEWED, replicates
weights = np.random.default_rng(1).poisson(1, (40, len(SKEWED))).astype(float)
print(replicates(seed=1).tobytes().hex(), (weights @ SKEWED).tobytes().hex())
"""


def test_other_processors_give_the_same_bits():
    """OpenBLAS is made to use the code for another processor, which changes plain products."""
    outcomes = []
    for core in ({}, {"OPENBLAS_CORETYPE": "Prescott"}):
        environment = {**os.environ, **core}
        command = [sys.executable, "-c", MACHINE]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        outcomes.append(done.stdout.split())
    (ours, plain), (ours_elsewhere, plain_elsewhere) = outcomes
    assert ours == ours_elsewhere
    if plain == plain_elsewhere:
        pytest.skip("this BLAS has no other processor's code, so nothing was put to the test")


def test_arrays_are_aligned_before_they_are_used():
    crooked = np.frombuffer(b"x" + np.arange(4.0).tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert not crooked.flags.aligned

    def work(_rng, _rows, array):
        assert array.flags.aligned
        return array

    assert np.array_equal(_chunk(work, np.random.SeedSequence(1), 1, crooked), np.arange(4))


@pytest.mark.parametrize("ways", [1, 2])
def test_memory_of_a_chunk_is_bounded(ways):
    table = np.ones((10**6, 1))
    codes = np.arange(10**6)
    crossed = (codes, codes % 100)
    work = cluster_sums.draw_clusters if ways == 1 else cluster_sums.draw_crossed
    tracemalloc.start()
    work(np.random.Generator(np.random.SFC64(1)), 16, table, *(crossed if ways == 2 else ()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6


@pytest.mark.parametrize(
    "resample",
    [
        lambda x: bootstrap(np.floor(x), lambda t: t[:, 0], seed=1, replicates=50),
        lambda x: bootstrap(x[:20_000], lambda t: t[:, 0], seed=1),
        lambda x: permute_signs(x, seed=1, permutations=50),
        lambda x: permute_labels(x, x > 0, lambda t: t[:, 0, 0], seed=1, permutations=3),
    ],
    ids=["kinds", "clusters", "signs", "labels"],
)
def test_memory_is_bounded_beside_the_data(resample):
    x = np.random.default_rng(1).normal(0, 5, 300_000)
    tracemalloc.start()
    resample(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6 + 4 * x.nbytes


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
