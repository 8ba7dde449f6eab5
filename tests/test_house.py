"""The house rules: style, types, who imports whom, docstrings, and what the lock file holds."""

import ast
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from configparser import ConfigParser
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from jurat import __version__
from tests import ROOT

BIN = Path(sys.executable).parent
TOOLS = ("ruff check", "ruff format --check", "lint-imports")
"""Those of `make lint` but mypy, which takes a minute of a processor and which `.ci/run` runs."""
MODULES = sorted((ROOT / "src" / "jurat").rglob("*.py"))
LOCK = (ROOT / "requirements.lock").read_text()
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

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


def test_every_package_is_in_a_layer() -> None:
    rules = ConfigParser()
    rules.read(ROOT / ".importlinter")
    layers = set(re.findall(r"jurat\.(\w+)", rules["importlinter:contract:layers"]["layers"]))
    packages = {module.name for module in pkgutil.iter_modules([str(ROOT / "src" / "jurat")])}
    assert packages - {"__main__"} <= layers


def test_every_module_says_what_it_is_for() -> None:
    silent = [path for path in MODULES if not ast.get_docstring(ast.parse(path.read_text()))]
    assert not silent


@pytest.mark.parametrize("package", ["cli", "web"])
def test_pages_and_commands_do_not_reach_past_the_service(package: str) -> None:
    """The store is the service's: nothing reads an attribute `store` or `_store` of another."""
    reaching = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "src" / "jurat" / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("store", "_store")
    ]
    assert not reaching


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
    """What pyproject.toml asks of others: to run, to build and for every extra."""
    project = PYPROJECT["project"]
    extras = project["optional-dependencies"].values()
    groups = [PYPROJECT["build-system"]["requires"], project["dependencies"], *extras]
    requirements = [Requirement(text) for group in groups for text in group]
    return [each for each in requirements if each.name != project["name"]]


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_the_lock_satisfies(requirement: Requirement) -> None:
    versions = locked().get(canonicalize_name(requirement.name))
    assert versions, "run `make lock`"
    assert all(requirement.specifier.contains(version) for version in versions), "run `make lock`"


def test_one_version_everywhere() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"]
    assert cited == PYPROJECT["project"]["version"] == __version__


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda p: p.name)
def test_what_the_host_reads_is_yaml(path: Path) -> None:
    assert yaml.safe_load(path.read_text())


def test_the_hooks_before_a_commit_are_those_of_lint() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    named = {hook["name"] for hook in hooks}
    assert named == {tool.removesuffix(" --check") for tool in TOOLS} | {"mypy"}
