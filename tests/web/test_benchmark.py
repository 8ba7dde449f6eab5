"""The benchmark runs, on both databases; its figures are for people to read."""

import subprocess
import sys

from tests import ROOT


def test_a_quick_run(postgres: str) -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/serve.py", "--quick", "--postgres", postgres],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for words in ("fsync/s", "| SQLite, 1 process |", "| PostgreSQL, 1 process |", "| 4 judges |"):
        assert words in done.stdout
