"""BLAS is held to one thread while statistics compute, and only then."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import jurat
from jurat.resampling.blas_threads import one_blas_thread
from jurat.resampling.engine import run
from jurat.stats.agreement.fleiss_kappa import FleissKappa


def blas_threads() -> list[int]:
    """The number of threads of every BLAS that is loaded."""
    return [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]


@pytest.fixture(autouse=True)
def two_threads():
    """Two threads to begin with, also on a machine with one processor."""
    with threadpool_limits(limits=2, user_api="blas"):
        yield


def test_resampling_holds_it():
    during = run(lambda *_: np.array(blas_threads()), (), rows=2, at_once=1, seed=1, jobs=1)
    assert set(during) == {1}
    assert set(blas_threads()) == {2}


def test_nested_blocks_reset_it_at_the_end_of_the_outer_one():
    with one_blas_thread():
        with one_blas_thread():
            assert set(blas_threads()) == {1}
        assert set(blas_threads()) == {1}
    assert set(blas_threads()) == {2}


def test_a_statistic_of_the_library_computes_with_one_thread(monkeypatch):
    seen: list[int] = []
    computed = FleissKappa.results

    def watched(self, evaluation, settings):
        seen.extend(blas_threads())
        return computed(self, evaluation, settings)

    monkeypatch.setattr(FleissKappa, "results", watched)
    frame = pl.DataFrame({"judge": ["a", "b"] * 3, "item": [1, 1, 2, 2, 3, 3], "value": [1, 2] * 3})
    jurat.agreement(frame, statistics="fleiss-kappa", bootstrap=0)
    assert set(seen) == {1}
    assert set(blas_threads()) == {2}
