"""Run what a page of the documentation shows, and compare what it promises.

A page is Markdown. Its fenced blocks run in order, in one new directory:

- `console`: a line that starts with `$ ` is a command, the lines after it are its output. A line
  `…` stands for any lines, a `…` in a line for any characters; no output at all promises only that
  the command succeeds. `<!-- exit: 2 -->` above the block is the exit code of its last command.
- `python`: executed, all blocks of a page in one namespace.
- `pycon`: lines after `>>> ` are executed in the same namespace, the lines below are what they
  print, with `…` as above.
- any block with `title=NAME` after its language, or with `<!-- file: NAME -->` above it: written to
  that file.

`make`, `git clone` and `pip install` are not run, but the targets must exist. Only
`pip install ./FOLDER` installs a package that the page shows, for the commands after it. A call of
`jurat` that needs no shell runs within this process, unless every command is to have its own.
"""

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from doctest import DocTestParser
from pathlib import Path

from jurat.metrics._kernels import cache_folder
from tests import ROOT
from tests.cli.run_command import jurat
from tests.plugin_packages import build_and_install

BIN = Path(sys.executable).parent
TIMEOUT = 120
XDG = ("CACHE", "CONFIG", "DATA", "STATE")

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}) *(?P<language>[\w+-]*)(?P<rest>[^`]*)$")
REMARK = re.compile(r"<!-- *(?P<key>exit|file): *(?P<value>.+?) *-->")
TITLE = re.compile(r"title=[\"']?(?P<name>[^\"'\s]+)")
OWN_PACKAGE = re.compile(r"pip install \./(?P<folder>[\w-]+)")
SET_UP = re.compile(r"(?:make|git clone|pip install)\b")
QUOTED = re.compile(r"'[^']*'" + r'|"[^"$`\\!]*"')
NEEDS_NO_SHELL = re.compile(r"jurat(?: [^|&;<>()$`\\*?\[\]{}~#!\n]*)?")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int
    language: str
    text: str
    file: str | None = None
    exit_code: int = 0


@dataclass
class Command:
    """A command and the output that the page shows under it."""

    text: str
    output: list[str] = field(default_factory=list)
    exit_code: int = 0


class BrokenPromise(AssertionError):
    """A page shows something that does not happen."""


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    remark: dict[str, str] = {}
    lines = iter(enumerate(page.splitlines(), start=1))
    for number, line in lines:
        if opening := FENCE.match(line):
            yield _block(number, opening, _until(opening["ticks"], lines), remark)
            remark = {}
        elif match := REMARK.match(line.strip()):
            remark = {match["key"]: match["value"]}
        elif line.strip():
            remark = {}


def _until(ticks: str, lines: Iterator[tuple[int, str]]) -> list[str]:
    inside = []
    for _, line in lines:
        if line.strip() == ticks:
            break
        inside.append(line)
    return inside


def _block(number: int, opening: re.Match[str], lines: list[str], remark: dict[str, str]) -> Block:
    title = TITLE.search(opening["rest"])
    return Block(
        line=number,
        language=opening["language"],
        text="".join(line.removeprefix(opening["indent"]) + "\n" for line in lines),
        file=title["name"] if title else remark.get("file"),
        exit_code=int(remark.get("exit", 0)),
    )


def commands(block: Block) -> list[Command]:
    """The commands of a console block."""
    found: list[Command] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:]))
        elif found and not found[-1].output and found[-1].text.endswith("\\"):
            found[-1].text += "\n" + line.removeprefix("> ")
        elif found:
            found[-1].output.append(line)
    if found:
        found[-1].exit_code = block.exit_code
    return found


def agrees(promised: list[str], output: str) -> bool:
    """Whether the output is what the page shows."""
    patterns = [_pattern(line.rstrip()) for line in _trimmed(promised)]
    lines = [line.rstrip() + "\n" for line in _trimmed(output.splitlines())]
    return re.fullmatch("".join(patterns), "".join(lines)) is not None


def _trimmed(lines: list[str]) -> list[str]:
    return "\n".join(line.rstrip() for line in lines).strip("\n").splitlines()


def _pattern(line: str) -> str:
    if line.strip() == "…":
        return r"(?:.*\n)*"
    return ".*".join(re.escape(part) for part in line.split("…")) + r"\n"


class Stage:
    """The directory, environment and namespace in which one page is played."""

    def __init__(self, place: Path) -> None:
        self.directory = place / "page"
        self.home = place / "home"
        self.site = place / "site-packages"
        self.directory.mkdir()
        self.home.mkdir()
        self.namespace: dict[str, object] = {"__name__": "__main__"}
        self.apart = False
        """Whether every command has a process of its own, as a user's has."""

    @property
    def environment(self) -> dict[str, str]:
        """The variables that a page's commands see: a new user's, on a plain terminal."""
        folders = {
            f"XDG_{kind}_HOME": str(self.home) for kind in ("CACHE", "CONFIG", "DATA", "STATE")
        }
        path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
        terminal = {"NO_COLOR": "1", "COLUMNS": "100", "PATH": path}
        # a new home has no compiled kernels, and no page is about the seconds that they take
        kernels = {"NUMBA_CACHE_DIR": str(cache_folder())}
        own = {"PYTHONPATH": str(self.site)} if self.site.exists() else {}
        return {**os.environ, "HOME": str(self.home), **folders, **terminal, **kernels, **own}

    def play(self, name: str, page: str) -> None:
        """Run all blocks of a page; raises BrokenPromise, or whatever its Python raises."""
        for block in blocks(page):
            if block.file:
                self.write(block.file, block.text)
            elif block.language == "console":
                for command in commands(block):
                    self.run(command, f"{name}:{block.line}")
            elif block.language == "python":
                # Empty lines before it, so that a traceback shows the line of the page.
                code = "\n" * block.line + block.text
                exec(compile(code, name, "exec", dont_inherit=True), self.namespace)
            elif block.language == "pycon":
                self.converse(block, name)

    def converse(self, block: Block, name: str) -> None:
        """Run a dialogue with Python, and compare what it prints with what the page shows."""
        for example in DocTestParser().get_examples(block.text, name):
            said = io.StringIO()
            # as Python itself does, which prints the value of an expression
            code = compile(example.source, name, "single", dont_inherit=True)
            with redirect_stdout(said):
                exec(code, self.namespace)
            if not agrees(example.want.splitlines(), said.getvalue()):
                where = f"{name}:{block.line + 1 + example.lineno}\n>>> {example.source}"
                shown = f"the page shows\n{example.want}it printed\n{said.getvalue()}"
                raise BrokenPromise(f"{where}{shown}")

    def write(self, name: str, text: str) -> None:
        """Write a file that the page shows."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, command: Command, where: str) -> None:
        """Run a command and compare what it does with what the page shows."""
        if package := OWN_PACKAGE.fullmatch(command.text):
            self.install(self.directory / package["folder"])
            return
        if SET_UP.match(command.text):
            check_targets(command.text, where)
            return
        done = self._done(command.text)
        heading = f"{where}\n$ {command.text}"
        if done.returncode != command.exit_code:
            codes = f"exit code {done.returncode}, not {command.exit_code}"
            raise BrokenPromise(f"{heading}\n{codes}; it printed\n{done.stdout}")
        if any(map(str.strip, command.output)) and not agrees(command.output, done.stdout):
            shown = "\n".join(command.output)
            raise BrokenPromise(f"{heading}\nthe page shows\n{shown}\nit printed\n{done.stdout}")

    def install(self, package: Path) -> None:
        """Install a package for the commands that follow, which run in processes of their own."""
        build_and_install(package, self.site)
        self.apart = True

    def _done(self, command: str) -> subprocess.CompletedProcess[str]:
        """What a command prints, errors included, and its exit code."""
        line = command.replace("\\\n", " ")
        if not self.apart and NEEDS_NO_SHELL.fullmatch(QUOTED.sub("", line)):
            return jurat(*shlex.split(line)[1:], cwd=self.directory, merged=True)
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )


def check_targets(command: str, where: str) -> None:
    """Check that the Makefile has the targets that a `make` command names."""
    program, *words = shlex.split(command, comments=True)
    if program != "make":
        return
    known = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    asked = [word for word in words if "=" not in word and not word.startswith("-")]
    if unknown := set(asked) - set(known):
        raise BrokenPromise(f"{where}\n$ {command}\nthe Makefile has no target {unknown}")
