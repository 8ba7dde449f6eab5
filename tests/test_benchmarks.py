"""The page of benchmarks keeps what was not measured again."""

from pathlib import Path

import pytest

from benchmarks import page
from tests import ROOT


def test_every_benchmark_of_speed_is_on_the_page() -> None:
    others = {"__init__", "calibration", "machine", "page"}
    assert {file.stem for file in (ROOT / "benchmarks").glob("*.py")} - others == {*page.NAMES}


def test_sections_stay_until_they_are_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "PAGE", tmp_path / "benchmarks.md")
    page.write(
        {"serve": page.section("serve", "fast", 0.1), "peers": page.section("peers", "faster", 0.2)}
    )
    known = page.sections(page.PAGE.read_text())
    assert list(known) == ["peers", "serve"]
    page.write(known | {"serve": page.section("serve", "slower", 3)})
    text = page.PAGE.read_text()
    assert "faster" in text
    assert "slower" in text
    assert "fast\n" not in text
