"""Runs the benchmarks of speed and writes what they print to docs/benchmarks.md.

`make bench` runs all of them, which takes two hours of a machine that does nothing else;
`make bench ARGS="peers serve"` runs some, and keeps what the page says of the others.
"""

from __future__ import annotations

import argparse
import ast
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.machine import busy_cores

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
PAGE = ROOT / "docs" / "benchmarks.md"
NAMES = (
    "peers",
    "startup",
    "serve",
    "crowds",
    "servers",
    "store",
    "dashboard",
    "growth",
    "soak",
    "formats",
    "library",
    "stats",
    "resampling",
    "significance",
    "metrics",
    "metaeval",
)
"""In the order of the page."""
LIBRARIES = ("numpy", "polars", "scipy", "numba", "starlette", "uvicorn", "psycopg")
INTRODUCTION = """# Benchmarks

Speed is a ratio: Jurat beside the program that people use otherwise, taking turns in one run on one
machine. `make bench` runs every benchmark and writes this page; `make bench ARGS="peers serve"`
runs some. Ratios hold on other machines; absolute figures do not. Each section says when and on
what it was measured, and what else the machine had to do.
"""


def section(name: str, output: str, busy: float) -> str:
    """What a benchmark measures, by its docstring, and what it printed.

    `busy` is how many processors other work took just before it began.
    """
    told = ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text())) or ""
    title, _, rest = told.partition("\n")
    when = f"{datetime.now(UTC):%Y-%m-%d}"
    return "\n".join(
        [
            f"## {name}",
            "",
            f"{title}\n{rest}".strip(),
            "",
            f"Measured on {when} with {machine()}; "
            f"other work took {busy:.1f} cores before it began.",
            "",
            "```text",
            output.rstrip(),
            "```",
            "",
        ]
    )


def machine() -> str:
    """Processor, memory and versions, in one line."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    cores = f"{os.cpu_count()} cores ({_processor()}), {memory:.0f} GiB"
    return f"{cores}, Python {platform.python_version()}, {versions}"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def sections(page: str) -> dict[str, str]:
    """The sections of an earlier page, by the benchmark's name."""
    parts = page.split("\n## ")[1:]
    return {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in parts}


def write(known: dict[str, str]) -> None:
    """Write the page, sections in their order."""
    ordered = [known[name] for name in NAMES if name in known]
    PAGE.write_text("\n".join([INTRODUCTION, *ordered]))


def main() -> int:
    """Run the benchmarks that are asked for; 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *NAMES], metavar="NAME")
    chosen = parser.parse_args().names or NAMES
    known = sections(PAGE.read_text()) if PAGE.exists() else {}
    failed = []
    for name in chosen:
        print(f"== {name}", flush=True)
        busy = busy_cores()
        command = [sys.executable, str(FOLDER / f"{name}.py")]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        print(done.stdout, flush=True)
        if done.returncode:
            failed.append(name)
            continue
        known[name] = section(name, done.stdout, busy)
        # after each, so that an hour is not lost with the last of them
        write(known)
    print(f"failed: {', '.join(failed)}" if failed else PAGE.relative_to(ROOT))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
