"""The benchmark runs, so that it can be run when it is needed."""

import subprocess
import sys

from tests import ROOT


def test_a_quick_run(postgres: str) -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/store.py", "--quick", "--postgres", postgres],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for words in ("fsync/s", "| SQLite | 0 stored |", "| PostgreSQL | 0 stored |", "4 threads"):
        assert words in done.stdout
