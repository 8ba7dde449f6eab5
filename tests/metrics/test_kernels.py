"""Where compiled kernels are kept: in a place that is the user's own, anew for every state."""

import os
import stat
import tempfile
from pathlib import Path

import pytest

from jurat.metrics import _kernels


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's cache, and a machine's folder for temporary files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path


def folder() -> Path:
    return _kernels.cache_folder.__wrapped__()


def test_the_users_cache_is_the_place(home: Path) -> None:
    assert folder() == folder()
    assert folder().parent == home / "cache" / "jurat" / "kernels"
    assert stat.S_IMODE(folder().stat().st_mode) == 0o700


def test_without_a_cache_it_is_a_private_folder(home: Path) -> None:
    (home / "cache").write_text("in the way")
    assert folder().parent == home / "temporary" / f"jurat-kernels-{os.getuid()}"


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_what_others_can_write_to_is_not_trusted(home: Path, mode: int) -> None:
    """A cache holds code: whoever writes to it can run anything."""
    (home / "cache").write_text("in the way")
    trap = home / "temporary" / f"jurat-kernels-{os.getuid()}"
    trap.mkdir()
    trap.chmod(mode)
    found = folder()
    assert found.parent == home / "temporary"
    assert found != trap
    assert stat.S_IMODE(found.stat().st_mode) == 0o700


def test_a_change_in_any_file_needs_another_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = folder().name
    copy = home / "kernels"
    copy.mkdir()
    for file in Path(_kernels.__file__).parent.glob("*.py"):
        (copy / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(_kernels, "__file__", str(copy / "__init__.py"))
    assert folder().name == before
    (copy / "kinds.py").write_text("LETTER = 7")
    assert folder().name != before


def test_old_states_are_removed(home: Path) -> None:
    place = home / "cache" / "jurat" / "kernels"
    for n in range(20):
        (place / f"state{n}").mkdir(parents=True)
        os.utime(place / f"state{n}", (n, n))
    now = folder()
    kept = {path.name for path in place.iterdir()}
    assert kept == {now.name, *(f"state{n}" for n in range(13, 20))}
