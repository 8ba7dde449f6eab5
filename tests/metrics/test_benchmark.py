"""The benchmark of the metrics runs, and knows them all."""

import subprocess
import sys

from jurat.metrics import metrics
from tests import ROOT


def test_a_small_round() -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/metrics.py", "--quick"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for kind in metrics():
        assert f"\n| {kind.title} | " in done.stdout
    for peer in ("sacrebleu", "jiwer"):
        assert f"| {peer} | " in done.stdout
