"""Pearmut from PyPI, in an environment of its own, for the benchmarks beside it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACE = Path(__file__).resolve().parent.parent / "build" / "pearmut"
"""Where it is installed, once."""
NEWEST = 20
"""The last minor version of Python 3 that is looked for."""


def find_python() -> str | None:
    """A Python that Pearmut runs on, 3.12 or later; None if this machine has none."""
    found = (shutil.which(f"python3.{minor}") for minor in range(NEWEST, 11, -1))
    candidates = [path for path in found if path] + _of_pyenv()
    if sys.version_info >= (3, 12):
        candidates.insert(0, sys.executable)
    # pyenv's commands are there for versions that are not switched on, too
    return next((path for path in candidates if _runs(path)), None)


def _of_pyenv() -> list[str]:
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {int(path.name.split(".")[1]): path for path in versions.glob("3.[1-9][0-9].*")}
    return [str(found[minor] / "bin" / "python3") for minor in sorted(found) if minor >= 12]


def _runs(python: str) -> bool:
    return subprocess.run([python, "-c", ""], check=False, capture_output=True).returncode == 0


def install(python: str, place: Path = PLACE) -> Path:
    """Install Pearmut where it is not yet; the folder of its programs."""
    programs = place / "bin"
    if not (programs / "pearmut").exists():
        subprocess.run([python, "-m", "venv", "--clear", place], check=True)
        subprocess.run([programs / "pip", "install", "--quiet", "pearmut"], check=True)
    return programs


def version(programs: Path) -> str:
    """Which version is installed."""
    asked = [programs / "pip", "show", "pearmut"]
    told = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    found = re.search(r"^Version: (\S+)$", told, re.MULTILINE)
    return found[1] if found else "?"


@contextmanager
def serving(
    programs: Path, folder: Path, campaign: dict[str, object], port: int
) -> Iterator[subprocess.Popen[bytes]]:
    """A server with one campaign, which keeps its files in `folder`."""
    environment = {**os.environ, "PEARMUT_ROOT": str(folder)}
    (folder / "campaign.json").write_text(json.dumps(campaign))
    add = [programs / "pearmut", "add", folder / "campaign.json"]
    subprocess.run(add, check=True, capture_output=True, cwd=folder, env=environment)
    server = subprocess.Popen(
        [programs / "pearmut", "run", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
    )
    try:
        yield server
    finally:
        server.terminate()
        server.wait()
