"""Commands run as a user runs them, but within the tests' own process: a start costs no second."""

import io
import os
import subprocess
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from jurat.cli import main


def jurat(
    *arguments: str,
    cwd: Path | None = None,
    store: Path | None = None,
    home: Path | None = None,
    merged: bool = False,
) -> subprocess.CompletedProcess[str]:
    """What the command prints, and its exit status; an error that escapes is the test's error.

    Its output and what it says of errors are apart, or `merged` as a terminal shows them.
    """
    out = io.StringIO()
    err = out if merged else io.StringIO()
    named = {"JURAT_STORE": store, "HOME": home, "XDG_DATA_HOME": home and home / "data"}
    own = {name: str(value) for name, value in named.items() if value}
    status: object = 0
    with (
        chdir(cwd or Path.cwd()),
        mock.patch.dict(os.environ, own),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main(arguments)
        except SystemExit as ended:
            status = ended.code
    code = status if isinstance(status, int) else 0
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())
