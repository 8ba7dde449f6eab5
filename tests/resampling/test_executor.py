"""A real cluster of two processes computes the same numbers, also if one of them dies."""

import os
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import jurat
from jurat.errors import InputError
from jurat.resampling import engine
from jurat.resampling.executor import executor
from tests.cli.run_command import jurat as command


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two workers."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as made:
        yield made.scheduler_address.replace("tcp://", "dask://")


def judged() -> pl.DataFrame:
    """Three systems on forty documents, by two judges."""
    chance = np.random.default_rng(1)
    rows = [
        {
            "judge": judge,
            "document": f"d{document}",
            "segment": "1",
            "system": system,
            "value": float(chance.normal(effect)),
        }
        for document in range(40)
        for effect, system in enumerate(("A", "B", "C"))
        for judge in ("one", "two")
    ]
    return pl.DataFrame(rows)


def draws(
    generator: np.random.Generator, rows: int, table: NDArray[np.float64]
) -> NDArray[np.float64]:
    means: NDArray[np.float64] = table[generator.integers(len(table), size=(rows, 50))].mean(axis=1)
    return means


def dies_once(
    sign: str, generator: np.random.Generator, rows: int, table: NDArray[np.float64]
) -> NDArray[np.float64]:
    try:
        Path(sign).touch(exist_ok=False)
    except FileExistsError:
        return draws(generator, rows, table)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("it is dead")


def test_the_numbers_are_the_same_bit_for_bit(cluster: str) -> None:
    table = np.arange(50.0)
    here = engine.run(draws, (table,), rows=64, at_once=8, seed=3, jobs=1)
    with executor(cluster):
        there = engine.run(draws, (table,), rows=64, at_once=8, seed=3, jobs=1)
    assert np.array_equal(here, there)


def test_a_worker_that_dies_midway_changes_nothing(cluster: str, tmp_path: Path) -> None:
    table, sign = np.arange(50.0), str(tmp_path / "died")
    with executor(cluster):
        found = engine.run(partial(dies_once, sign), (table,), rows=64, at_once=8, seed=3, jobs=1)
    assert Path(sign).exists()
    assert np.array_equal(found, engine.run(draws, (table,), rows=64, at_once=8, seed=3, jobs=1))


def test_an_analysis_in_the_library_and_as_a_command(cluster: str, tmp_path: Path) -> None:
    options = {"statistics": "system-score", "bootstrap": 3000}
    here = jurat.systems(judged(), **options)
    there = jurat.systems(judged(), executor=cluster, **options)
    assert there.frame().equals(here.frame())
    table = tmp_path / "judged.csv"
    judged().write_csv(table)
    asked = ("systems", str(table), "--statistic", "system-score", "--json")
    done = command(*asked, "--executor", cluster)
    assert done.returncode == 0, done.stderr
    assert done.stdout == command(*asked).stdout


@pytest.mark.parametrize(
    ("address", "told"),
    [("spark://here:1", "dask://HOST:PORT"), ("dask://127.0.0.1:1", "no Dask scheduler answers")],
)
def test_what_is_no_cluster_is_said(
    address: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jurat.resampling.executor.PATIENCE", 1)
    with pytest.raises(InputError, match=told), executor(address):
        pass
