"""The benchmark runs; its figures are for people to read."""

import pytest

from tests.benchmark_runner import printed


@pytest.mark.filterwarnings("default")
def test_a_quick_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed("metaeval", capsys, monkeypatch).count("×") >= 8
