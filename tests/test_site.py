"""The documentation site: every page is reachable, every link resolves, the API is complete."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs import api
from tests import ROOT

DOCS = ROOT / "docs"
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)")


def test_the_pages_build_without_warnings(tmp_path: Path) -> None:
    """All written pages, with the API of a small package: that of Jurat takes half a minute."""
    for name in ("pyproject.toml", "CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("api", "__pycache__"))
    package(tmp_path / "src" / "jurat")
    strict = ("-W", "--keep-going", "-q", "-b", "dummy", "-d", "trees")
    command = [sys.executable, "-m", "sphinx", *strict, "docs", "built"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(done.stderr, pytrace=False)


def package(folder: Path) -> None:
    """A package with one of everything that has an entry in the API."""
    (folder / "parts").mkdir(parents=True)
    (folder / "_own").mkdir()
    (folder / "__init__.py").write_text('"""The whole."""\n')
    (folder / "_own" / "__init__.py").write_text('"""Not for callers."""\n')
    (folder / "parts" / "__init__.py").write_text(
        '"""Parts."""\nfrom jurat.parts.wheel import Wheel\n__all__ = ["Wheel"]\n'
    )
    (folder / "parts" / "wheel.py").write_text(
        '''\
"""Wheels, which `turn`: |x| *y_ `z`."""


class Wheel(Round):
    """Something round.

        area = π r²
    """

    radius: float = 1
    """In metres."""

    @property
    def area(self) -> float:
        """In square metres."""

    @classmethod
    def of(cls, area: float) -> "Wheel":
        """The wheel of that area."""

    def turn(self, times: int = 1, *, by: Wheel | None = None) -> None:
        """Turn it.

        Args:
            times: How often.
                More than once is quick.
            by: What turns it.

        Raises:
            ValueError: It is stuck.
        """

    def _stop(self) -> None:
        """Not for callers."""


async def mend(wheel: Wheel, /, *tools: str, **more: object) -> list[Wheel]:
    """Mend a wheel."""


def unexplained() -> None: ...
'''
    )


def test_the_api_has_what_has_a_docstring(tmp_path: Path) -> None:
    package(tmp_path / "jurat")
    folder = tmp_path / "api"
    api.write(tmp_path / "jurat", folder)
    assert {path.name for path in folder.iterdir()} == {"index.md", "jurat.md", "jurat.parts.md"}
    assert "- [jurat.parts](jurat.parts.md): Parts." in (folder / "index.md").read_text()
    page = (folder / "jurat.parts.md").read_text()
    for words in (
        "## jurat.parts.wheel",
        "- {py:obj}`~jurat.parts.wheel.Wheel`",
        "Bases: `Round`",
        "{py:attribute} radius\n:type: float\n\nIn metres.",
        "{py:property} area\n:type: float\n",
        "{py:method} of(area: float) -> 'Wheel'\n:classmethod:\n",
        "{py:method} turn(times: int=1, *, by: Wheel | None=None) -> None\n",
        "**Args**\n\n- `times`: How often.\n  More than once is quick.\n- `by`: What turns it.\n",
        "**Raises**\n\n- `ValueError`: It is stuck.\n",
        "{py:function} mend(wheel: Wheel, /, *tools: str, **more: object) -> list[Wheel]\n:async:",
    ):
        assert words in page
    assert "Not for callers" not in page
    assert "unexplained" not in page


def test_pages_of_modules_that_are_gone_go_too(tmp_path: Path) -> None:
    package(tmp_path / "jurat")
    folder = tmp_path / "api"
    api.write(tmp_path / "jurat", folder)
    shutil.rmtree(tmp_path / "jurat" / "parts")
    api.write(tmp_path / "jurat", folder)
    assert {path.name for path in folder.iterdir()} == {"index.md", "jurat.md"}


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")), ids=lambda path: path.name)
def test_links_of_the_first_pages_lead_somewhere(path: Path) -> None:
    links = LINK.findall(path.read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []
