"""The cookbook's commands: fifteen questions, each answered on one screen."""

import re
from pathlib import Path

import pytest

from tests import ROOT
from tests.cli.run_command import jurat

PAGE = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\njurat (.+)\n```", PAGE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    own: Path = tmp_path_factory.mktemp("cookbook")
    assert jurat("sample", "try-out", cwd=own).returncode == 0
    return own


def test_every_question_has_a_command():
    assert len(COMMANDS) == len(re.findall(r"^\*\*\d+\. ", PAGE, flags=re.MULTILINE)) == 15


@pytest.mark.parametrize("command", COMMANDS)
def test_the_answer_fits_on_one_screen(command, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    done = jurat(*command.split(), cwd=folder)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 40
    # a signature is to be copied, and is not broken
    assert all(len(line) <= 80 for line in lines if "|jurat:" not in line)
