"""Inner loops compiled by numba, cached on disk so that the second start is quick.

Kernels release the GIL and run on Jurat's own threads: numba's would abort the process when two
threads of a server called a parallel kernel at once. numba is imported with the first.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

Kernel = TypeVar("Kernel", bound=Callable[..., object])

# States of this folder whose compiled kernels are kept: several versions may be in use at once.
KEPT = 8


def kernel(function: Kernel) -> Kernel:
    """Decorator: compile a function at its first call, or load it from an earlier run's cache."""
    import numba

    config: Any = numba.config
    # numba reads the folder when a function is decorated; other packages keep their own.
    before, config.CACHE_DIR = config.CACHE_DIR, config.CACHE_DIR or str(cache_folder())
    compile_later: Any = numba.njit(cache=True, nogil=True)
    compiled: Kernel = compile_later(function)
    config.CACHE_DIR = before
    return compiled


def are_compiled() -> bool:
    """Whether an earlier run has compiled any kernel: otherwise the first score takes seconds."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder())
    return next(folder.rglob("*.nbi"), None) is not None


@cache
def cache_folder() -> Path:
    """A folder of the user's own, outside any checkout, for the kernels as they are now.

    numba looks only at the file of a kernel to see whether it has changed, not at the files that
    this one imports; so every state of all of them has a folder of its own.
    """
    state = sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        state.update(file.read_bytes())
    name = state.hexdigest()[:16]
    for home in _homes():
        if _is_own(home) and _is_own(home / name):
            _tidy(home)
            return home / name
    return Path(tempfile.mkdtemp(prefix="jurat-kernels-"))


def _homes() -> Iterator[Path]:
    """Where a cache may be, the best place first."""
    try:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        yield Path(home) / "jurat" / "kernels"
    except RuntimeError:
        pass  # not every account has a home
    yield Path(tempfile.gettempdir()) / f"jurat-kernels-{getattr(os, 'getuid', str)()}"


def _is_own(folder: Path) -> bool:
    """Whether the folder is the user's own and writable: nobody else can put code there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            status = folder.stat()
    except OSError:
        return False
    return not hasattr(os, "getuid") or (
        status.st_uid == os.getuid() and not status.st_mode & 0o022
    )


def _tidy(home: Path) -> None:
    """Remove the caches of all but the latest versions."""
    states = sorted(home.iterdir(), key=lambda folder: folder.lstat().st_mtime)
    for old in states[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


# It goes on with the word, parts words, is a word by itself, is a number (beside which stops and
# dashes behave differently), is a word unless it stands within a number (3.14), is a word where it
# follows a number (2010-2014).
LETTER, BLANK, SINGLE, NUMBER, STOP, DASH = range(6)
