"""Packages of other people: as if they were installed, and really installed."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from installer import install as install_wheel
from installer.destinations import SchemeDictionaryDestination
from installer.sources import WheelFile


def install(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    files: dict[str, str],
    entry_points: dict[str, dict[str, str]],
) -> None:
    """Write a distribution's files and declare what it offers, by group and name."""
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    declared = place / "stranger-1.0.dist-info"
    declared.mkdir(parents=True)
    (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    lines = [
        line
        for group, offers in entry_points.items()
        for line in (f"[{group}]", *(f"{name} = {target}" for name, target in offers.items()))
    ]
    (declared / "entry_points.txt").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(place))
    # what an earlier test imported under these names is forgotten
    packages = {Path(file).parts[0].removesuffix(".py") for file in files}
    for name in list(sys.modules):
        if name.split(".")[0] in packages:
            monkeypatch.delitem(sys.modules, name)
    importlib.invalidate_caches()


def build_and_install(source: Path, site: Path) -> None:
    """Build a wheel of a project, and install it into a folder for other interpreters' path.

    As pip does it, but without looking for what the project depends on.
    """
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (wheel,) = (source / "dist").glob("*.whl")
    folders = dict.fromkeys(("purelib", "platlib", "headers", "scripts", "data"), str(site))
    destination = SchemeDictionaryDestination(folders, sys.executable, "posix")
    with WheelFile.open(wheel) as opened:
        install_wheel(opened, destination, additional_metadata={})
