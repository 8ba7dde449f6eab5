"""The package as users get it: what wheel and sdist hold, and how it works when installed.

Nothing is downloaded: an environment is made empty, the packages that Jurat asks for are linked
into it from the environment of the tests, and the wheel is installed beside them.
"""

import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import pytest
from installer import install
from installer.destinations import SchemeDictionaryDestination
from installer.sources import WheelFile
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import ROOT
from tests.cli.server import fetched, served

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SOURCE = ROOT / "src" / "jurat"
PANEL = """\
judge,segment,system,adequacy
anna,1,cedar,6
anna,2,cedar,7
ben,1,cedar,6
ben,2,cedar,5
"""


@dataclass(frozen=True)
class Environment:
    """A virtual environment in which Jurat is installed."""

    folder: Path

    @property
    def program(self) -> str:
        """The installed command."""
        return str(self.folder / "bin" / "jurat")

    def jurat(self, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.program, *arguments], cwd=cwd, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist alone, as a packager builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return built("wheel", folder / sdist.name.removesuffix(".tar.gz"), folder)


def built(target: str, source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (path,) = folder.glob("jurat-*.tar.gz" if target == "sdist" else "jurat-*.whl")
    return path


@pytest.fixture(autouse=True)
def empty_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No code comes from elsewhere, and nothing is left in the user's own folders."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))


@pytest.fixture(scope="module")
def base(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Jurat without extras."""
    return environment(tmp_path_factory.mktemp("base") / "venv", wheel)


@pytest.fixture(scope="module")
def complete(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Jurat with the extra `all`."""
    return environment(tmp_path_factory.mktemp("all") / "venv", wheel, extra="all")


def environment(folder: Path, wheel: Path, extra: str = "") -> Environment:
    venv.create(folder, symlinks=True)
    paths = sysconfig.get_paths("venv", vars={"base": str(folder), "platbase": str(folder)})
    with WheelFile.open(wheel) as source:
        asked = re.findall(r"^Requires-Dist: (.+)$", source.read_dist_info("METADATA"), re.M)
        # headers of C code have no place in an environment; Jurat has none
        scheme = {**paths, "headers": paths["include"]}
        python = str(folder / "bin" / "python")
        destination = SchemeDictionaryDestination(scheme, python, script_kind="posix")
        install(source, destination, additional_metadata={})
    for name in needed(map(Requirement, asked), extra):
        link(name, Path(paths["purelib"]))
    return Environment(folder)


def needed(requirements: Iterable[Requirement], *extras: str) -> set[str]:
    """The packages that are asked for, and those that these ask for in turn."""
    found: set[str] = set()
    waiting = list(wanted(requirements, extras))
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while waiting:
        name, its_extras = waiting.pop()
        if (name, its_extras) not in seen:
            seen.add((name, its_extras))
            found.add(name)
            asked = map(Requirement, distribution(name).requires or ())
            waiting += wanted(asked, its_extras)
    return found


def wanted(
    requirements: Iterable[Requirement], extras: Iterable[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for each in requirements:
        markers = [{"extra": extra} for extra in ("", *extras)]
        if each.marker is None or any(map(each.marker.evaluate, markers)):
            yield canonicalize_name(each.name), tuple(sorted(each.extras))


def link(name: str, folder: Path) -> None:
    """Make one package of the tests' environment importable in another."""
    files = distribution(name)
    for top in {file.parts[0] for file in files.files or () if file.parts[0] != ".."}:
        if not (folder / top).exists() and top != "__pycache__":
            (folder / top).symlink_to(str(files.locate_file(top)))


def test_the_sdist_holds_source_licence_and_readme(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "PKG-INFO"} <= names
    tops = {name.partition("/")[0] for name in names}
    assert not tops & {"tests", "benchmarks", "docs", "requirements.lock"}


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        licences = [name for name in archive.namelist() if name.endswith("licenses/LICENSE")]
    files = {path for path in SOURCE.rglob("*") if path.is_file()}
    own = {path.relative_to(SOURCE.parent).as_posix() for path in files if path.suffix != ".pyc"}
    assert names == own
    assert {".py", ".yaml", ".jsonl", ".html", ".css", ".js", ".svg"} <= {
        Path(name).suffix for name in names
    }
    assert licences


def test_the_base_holds_no_package_of_an_extra(base: Environment) -> None:
    (site,) = base.folder.glob("lib/python*/site-packages")
    linked = {path.name for path in site.iterdir()}
    assert "polars" in linked
    assert not linked & {"numba", "sqlalchemy", "starlette", "psycopg"}


def test_the_base_analyses(base: Environment, tmp_path: Path) -> None:
    (tmp_path / "panel.csv").write_text(PANEL)
    asked = {
        "--help": "Evaluate machine translation",
        "--version": f"version {PROJECT['version']}",
        "agreement panel.csv --columns value=adequacy": "are equal in 50.0 %",
        "sample try-out": "try-out/testset.jsonl",
        "protocols show esa": "esa",
    }
    for command, words in asked.items():
        done = base.jurat(*command.split(), cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert words in done.stdout


@pytest.mark.parametrize(
    ("command", "extra"),
    [("serve", "web"), ("campaign list", "web"), ("score --reference a.txt a.txt", "metrics")],
)
def test_the_base_says_which_extra_is_missing(
    command: str, extra: str, base: Environment, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("a text\n")
    name, *arguments = command.split()
    done = base.jurat(name, *arguments, cwd=tmp_path)
    line = f"jurat: {name} needs the extra '{extra}': pip install 'jurat[{extra}]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)


def test_with_all_extras_it_scores_and_serves(
    complete: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # compiling the kernels for one number would take longer than all the rest
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    (tmp_path / "a.txt").write_text("a text\n")
    for command in (
        "score --metric per --reference a.txt a.txt",
        "sample try-out",
        "campaign create try-out/campaign.yaml --store try.db",
    ):
        done = complete.jurat(*command.split(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    serve = ("serve", "--port", "0", "--store", "try.db")
    with served(*serve, cwd=tmp_path, program=(complete.program,)) as lines:
        address = re.search(r"http://localhost:\d+/", "".join(lines))
        assert address, lines
        assert "<html" in fetched(address[0])


def test_doctor_finds_all_that_is_installed(complete: Environment, tmp_path: Path) -> None:
    told = complete.jurat("doctor", cwd=tmp_path).stdout.splitlines()
    packages = [line.split()[:2] for line in told if not line.startswith(("state", "absent"))]
    assert ["good", "numba"] in packages
    assert ["good", "starlette"] in packages
    assert len({name for _, name in packages}) == len(packages)


def test_doctor_says_what_an_extra_is_for(base: Environment, tmp_path: Path) -> None:
    told = base.jurat("doctor", cwd=tmp_path)
    assert told.returncode == 0
    assert re.search(
        r"absent +numba +automatic metrics: pip install 'jurat\[metrics\]'", told.stdout
    )
