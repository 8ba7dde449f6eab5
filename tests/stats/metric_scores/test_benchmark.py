"""The benchmark runs; its figures are for people to read."""

import subprocess
import sys

from tests import ROOT


def test_a_quick_run() -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/significance.py", "--quick"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("×") == 4
    assert done.stdout.count(" % |") == 9 + 1
