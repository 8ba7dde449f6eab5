"""Run a benchmark within the tests' process, which has imported most of what it measures."""

import importlib
import sys

import pytest


def printed(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *options: str
) -> str:
    """What `python benchmarks/NAME.py --quick OPTIONS` prints."""
    monkeypatch.setattr(sys, "argv", [name, "--quick", *options])
    importlib.import_module(f"benchmarks.{name}").main()
    return capsys.readouterr().out
