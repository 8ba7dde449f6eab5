"""A folder in memory for what tests write: there a commit need not wait for a disk.

Nothing is tested less for it: what is killed in these tests are processes, and what a process
has written outlives it in memory as it does on a disk. PostgreSQL keeps to the disk.
"""

import os
from pathlib import Path

FOLDER = Path("/dev/shm")
ENOUGH = 4 * 2**30
"""Bytes: several times what the tests write."""


def find(folder: Path = FOLDER) -> Path | None:
    """The folder, if there is one in which there is room and programs may be started."""
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return None
    known = os.statvfs(folder)
    fits = known.f_bavail * known.f_frsize >= ENOUGH
    return folder if fits and not known.f_flag & os.ST_NOEXEC else None
