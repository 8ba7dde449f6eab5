"""Commands that serve until they are stopped."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import HTTPCookieProcessor, build_opener


@contextmanager
def served(
    *arguments: str,
    cwd: Path,
    store: Path | None = None,
    program: Sequence[str] = (sys.executable, "-m", "jurat"),
    pids: list[int] | None = None,
) -> Iterator[list[str]]:
    """Lines that the command prints, up to the one that says how to stop it; then it is stopped.

    The id of its process is appended to `pids`.
    """
    command = [*program, *arguments]
    own = {"JURAT_STORE": str(store)} if store else {}
    server = subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **own, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert server.stderr is not None
    lines: list[str] = []
    if pids is not None:
        pids.append(server.pid)
    try:
        for line in server.stdout:
            lines.append(line)
            if "Ctrl+C" in line:
                break
        yield lines
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()
        server.stderr.close()


def fetched(address: str) -> str:
    """A page as a browser gets it, cookies kept, as soon as the server is up."""
    browser = build_opener(HTTPCookieProcessor())
    for _ in range(100):
        try:
            with browser.open(address, timeout=10) as page:
                return str(page.read().decode())
        except URLError:
            time.sleep(0.1)
    raise AssertionError(f"nothing at {address}")
