"""The house rules: style, types, who imports whom, docstrings, and what the lock file holds."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import ROOT

BIN = Path(sys.executable).parent
TOOLS = ("ruff check", "ruff format --check", "mypy", "lint-imports")
MODULES = sorted((ROOT / "src" / "jurat").rglob("*.py"))
LOCK = (ROOT / "requirements.lock").read_text()

# In pieces, or this file would be the first to name them.
HOSTS = (
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "deb." + "debian.org",
    "security." + "debian.org",
)


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("tool", TOOLS)
def test_tool_is_content(tool: str) -> None:
    name, *options = tool.split()
    done = run(BIN / name, *options)
    if done.returncode:
        pytest.fail(f"{tool}\n{done.stdout}{done.stderr}", pytrace=False)


def test_every_module_says_what_it_is_for() -> None:
    silent = [path for path in MODULES if not ast.get_docstring(ast.parse(path.read_text()))]
    assert not silent


def project_files() -> list[Path]:
    """All files that are, or are about to be, in the repository."""
    # A checkout that belongs to somebody else is still the one that is being tested.
    git = ("git", "-c", "safe.directory=*")
    done = run(*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if done.returncode:
        pytest.skip("not a git checkout, so its files cannot be told from others")
    return [path for name in done.stdout.split("\0") if (path := ROOT / name).is_file()]


def test_no_file_names_a_registry() -> None:
    named = {
        f"{path.relative_to(ROOT)}: {host}"
        for path in project_files()
        for host in HOSTS
        if host.encode() in path.read_bytes()
    }
    assert not named


def test_the_lock_holds_no_addresses() -> None:
    addresses = re.findall(r".*://.*|.* @ .*|^\s*-(?!-hash).*", LOCK, flags=re.MULTILINE)
    assert not addresses


def locked() -> dict[str, list[str]]:
    """The locked versions of each package; more than one where machines differ."""
    versions: dict[str, list[str]] = defaultdict(list)
    for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, flags=re.MULTILINE):
        versions[canonicalize_name(name)].append(version)
    return versions


def declared() -> list[Requirement]:
    """What pyproject.toml asks for: to run, to build and for every extra."""
    file = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = file["project"]["optional-dependencies"].values()
    groups = [file["build-system"]["requires"], file["project"]["dependencies"], *extras]
    return [Requirement(text) for group in groups for text in group]


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_the_lock_satisfies(requirement: Requirement) -> None:
    versions = locked().get(canonicalize_name(requirement.name))
    assert versions, "run `make lock`"
    assert all(requirement.specifier.contains(version) for version in versions), "run `make lock`"
