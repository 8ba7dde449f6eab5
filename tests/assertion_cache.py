"""Compile the tests once for all processes that run them.

pytest rewrites the assertions of each file of tests, which takes longer than all else in collecting
them. In a new clone nothing is rewritten yet, and several processes that begin together would each
do all of it.
"""

from pathlib import Path

import pytest
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _read_pyc,
    _rewrite_test,
    _write_pyc,
    assertstate_key,
    get_cache_dir,
)


def fill(config: pytest.Config, folder: Path) -> int:
    """Rewrite the files of tests that have no rewritten form yet; how many there were."""
    state = config.stash[assertstate_key]
    written = 0
    for path in [*folder.rglob("test_*.py"), *folder.rglob("conftest.py")]:
        cached = get_cache_dir(path) / (path.stem + PYC_TAIL)
        if _read_pyc(path, cached) is None:
            cached.parent.mkdir(exist_ok=True)
            source, code = _rewrite_test(path, config)
            written += _write_pyc(state, code, source, cached)
    return written
