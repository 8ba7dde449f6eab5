"""Pearmut itself, from the package registry, which the tests let load what Jurat writes for it.

Its wheel asks for Python 3.12, although its code and all that it imports run on 3.11: so it goes
into a folder of its own, without what it depends on, which the tests' requirements have.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests import ROOT
from tests.machine import Missing

VERSION = "1.1.6"
FOLDER = ROOT / ".tools" / f"pearmut-{VERSION}"
COMMAND = (sys.executable, "-c", "from pearmut.cli import main; main()")
"""What `pearmut` is after an installation."""


def find() -> Path:
    """The folder from which Pearmut is imported; raises Missing if it is not there."""
    if (FOLDER / "pearmut" / "cli.py").exists():
        return FOLDER
    raise Missing("no Pearmut: make test installs it from the package registry")


def install() -> None:
    """Install it, if need be; where that fails, uv says why."""
    own = ROOT / ".tools" / "bin" / "uv"
    program = str(own) if own.exists() else shutil.which("uv")
    if program is None or FOLDER.exists():
        return
    print(f"Installing pearmut {VERSION}", flush=True)
    words = ("pip", "install", "--quiet", "--no-deps", "--target", str(FOLDER))
    version = ("--python", sys.executable, "--python-version", "3.12", f"pearmut=={VERSION}")
    subprocess.run([program, *words, *version], check=False)


def environment(folder: Path) -> Mapping[str, str]:
    """The variables of a process that runs it with its files in `folder`."""
    return {**os.environ, "PEARMUT_ROOT": str(folder), "PYTHONPATH": str(find())}


@contextmanager
def serving(folder: Path, campaign: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Its server with one campaign, from a campaign file; it may not answer at once."""
    own = environment(folder)
    add = [*COMMAND, "add", str(campaign)]
    subprocess.run(add, check=True, capture_output=True, cwd=folder, env=own)
    quiet = subprocess.DEVNULL
    run = [*COMMAND, "run", "--port", str(port)]
    with subprocess.Popen(run, stdout=quiet, stderr=quiet, cwd=folder, env=own) as server:
        try:
            yield server
        finally:
            server.terminate()
