"""The same numbers whatever runs the chunks, and little memory."""

import os
import subprocess
import sys
import tracemalloc

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from jurat.resampling import bootstrap, clusters, permute_labels, permute_signs
from jurat.resampling.parallel import _chunk, run
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
from tests.resampling.test_parallel import SKEWED, replicates
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


def test_blas_is_held_to_one_thread_and_let_go():
    def threads():
        return [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]

    before = threads()
    during = run(lambda _rng, _rows: np.array(threads()), (), rows=2, at_once=1, seed=1, jobs=1)
    assert set(during) == {1}
    assert threads() == before


@pytest.mark.parametrize("ways", [1, 2])
def test_memory_of_a_chunk_is_bounded(ways):
    table = np.ones((10**6, 1))
    codes = np.arange(10**6)
    crossed = (codes, codes % 100)
    work = clusters.draw_clusters if ways == 1 else clusters.draw_crossed
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
