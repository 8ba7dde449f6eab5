"""What the soak says of memory that it has measured."""

import pytest

from benchmarks.soak import QUICK, Sample, report

SCALE = QUICK._replace(minutes=4.0)


@pytest.mark.parametrize(("last", "level"), [(300, True), (325, True), (340, False)])
def test_memory_must_level_off(
    last: float, level: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    worker = (0, 200, 250, last - 100)
    samples = [Sample(n + 0.5, 100, more) for n, more in enumerate(worker)]
    assert report(samples, {"first": 60.0}, SCALE) is level
    assert f"most {max(350, last):,.0f} MB" in capsys.readouterr().out
