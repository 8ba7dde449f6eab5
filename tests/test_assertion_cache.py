"""Tests that are rewritten beforehand are not rewritten again."""

from pathlib import Path

import pytest

from tests.assertion_cache import fill


def test_a_file_is_rewritten_once(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    (tmp_path / "test_new.py").write_text("def test_it():\n    assert 1 + 1 == 3\n")
    (tmp_path / "helper.py").write_text("assert True\n")
    assert fill(pytestconfig, tmp_path) == 1
    assert fill(pytestconfig, tmp_path) == 0


def test_a_changed_file_is_rewritten_again(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    path = tmp_path / "conftest.py"
    path.write_text("assert 1\n")
    fill(pytestconfig, tmp_path)
    path.write_text("assert 1 == 1\n")
    assert fill(pytestconfig, tmp_path) == 1
