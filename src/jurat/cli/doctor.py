"""`jurat doctor`: what is installed, reachable and wrong."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import NamedTuple

import click

OPTIONAL = {
    "psycopg": "campaigns on PostgreSQL: pip install 'jurat[postgres]'",
    "dask": "work spread over several machines: pip install 'jurat[dask]'",
}
PROGRAMS = {
    ("chromium", "chromium-browser", "google-chrome"): "browser tests",
    ("postgres", "pg_ctl"): "a PostgreSQL server on this machine",
}


class Finding(NamedTuple):
    """One thing looked at: good, absent (an option) or wrong (Jurat does not work)."""

    state: str
    what: str
    detail: str


@click.command(name="doctor")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Say what is installed, what is missing, and what that means.

    \b
    Example:
      jurat doctor
    """
    from jurat.cli.shell.printing import print_json, print_table

    findings = [*_python(), *_required(), *_optional(), *_programs(), *_offered()]
    if as_json:
        print_json([finding._asdict() for finding in findings])
    else:
        print_table(("state", "what", "detail"), findings)
    ctx.exit(1 if any(finding.state == "wrong" for finding in findings) else 0)


def _python() -> Iterator[Finding]:
    state = "good" if sys.version_info >= (3, 11) else "wrong"
    yield Finding(state, "python", f"{platform.python_version()} (3.11 or later is needed)")


def _required() -> Iterator[Finding]:
    for requirement in metadata.requires("jurat") or ():
        if "extra ==" not in requirement:
            name = requirement.split(">")[0].split("[")[0].strip()
            yield _package(name, "wrong", "needed, and not installed")


def _optional() -> Iterator[Finding]:
    for name, use in OPTIONAL.items():
        yield _package(name, "absent", use)


def _package(name: str, state: str, detail: str) -> Finding:
    try:
        return Finding("good", name, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(state, name, detail)


def _programs() -> Iterator[Finding]:
    for names, use in PROGRAMS.items():
        found = next(filter(None, map(shutil.which, names)), None)
        yield Finding("good" if found else "absent", names[0], found or f"only for {use}")


def _offered() -> Iterator[Finding]:
    """Every protocol and format loads, those of outside packages too."""
    from jurat import protocols
    from jurat.formats import FORMATS

    broken = dict(_broken_protocols())
    for name, reason in broken.items():
        yield Finding("wrong", f"protocol {name}", reason)
    yield Finding("good", "protocols", f"{len(protocols.names()) - len(broken)} load")
    yield Finding("good", "formats", ", ".join(FORMATS.kinds))


def _broken_protocols() -> Iterator[tuple[str, str]]:
    from jurat import protocols

    for name in protocols.names():
        try:
            protocols.load(name)
        except ValueError as error:
            yield name, str(error).splitlines()[0]
