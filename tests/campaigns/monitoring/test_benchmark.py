"""The benchmark runs, so that it can be run when it is needed."""

import subprocess
import sys

from tests import ROOT


def test_a_quick_run() -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/dashboard.py", "--quick", "--only", "SQLite"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for words in (
        "| progress page |",
        "| results, data |",
        "| nobody looks |",
        "load of the machine",
    ):
        assert words in done.stdout
