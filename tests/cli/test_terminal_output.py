"""Progress bars: only for people, and only where they would wait."""

import io
from contextlib import redirect_stderr
from time import sleep

import pytest

from jurat.cli._common import terminal_output
from jurat.cli._common.terminal_output import tracked, tracker


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(terminal_output, "PATIENCE", 0.2)
    monkeypatch.setenv("TERM", "xterm")


def test_quick_work_shows_none():
    with redirect_stderr(Terminal()) as screen, tracker("working", 3) as advance:
        advance()
        advance(2)
    assert "working" not in screen.getvalue()


def test_long_work_shows_one_that_goes_on():
    with redirect_stderr(Terminal()) as screen, tracker("working", 4) as advance:
        advance(3)
        sleep(0.8)
    assert "working" in screen.getvalue()
    assert "75%" in screen.getvalue()


def test_a_pipe_sees_nothing():
    with redirect_stderr(io.StringIO()) as pipe:
        for _ in tracked(range(2), "working", 2):
            sleep(0.2)
    assert pipe.getvalue() == ""
