"""The benchmark of the metrics runs, and knows them all."""

import pytest

from jurat.metrics import metrics
from tests.benchmark_runner import printed


@pytest.mark.filterwarnings("default")
def test_a_small_round(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told = printed("metrics", capsys, monkeypatch)
    for kind in metrics():
        assert f"\n| {kind.title} | " in told
    for peer in ("sacrebleu", "jiwer"):
        assert f"| {peer} | " in told
