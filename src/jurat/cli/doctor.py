"""`jurat doctor`: what is installed, reachable and wrong."""

from __future__ import annotations

import platform
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import NamedTuple

import click

from jurat.cli._common import json_option
from jurat.cli._common.printing import print_json, print_table

PROGRAMS = {
    ("chromium", "chromium-browser", "google-chrome"): "browser tests",
    ("postgres", "pg_ctl"): "a PostgreSQL server on this machine",
}


class HealthCheck(NamedTuple):
    """One thing looked at: good, absent (an option) or wrong (Jurat does not work)."""

    state: str
    what: str
    detail: str


@click.command(name="doctor")
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Say what is installed, what is missing, and what that means.

    \b
    Example:
      jurat doctor
    """
    findings = [*_python(), *_required(), *_optional(), *_programs(), *_offered()]
    if as_json:
        print_json([finding._asdict() for finding in findings])
    else:
        print_table(("state", "what", "detail"), findings)
    ctx.exit(1 if any(finding.state == "wrong" for finding in findings) else 0)


def _python() -> Iterator[HealthCheck]:
    state = "good" if sys.version_info >= (3, 11) else "wrong"
    yield HealthCheck(state, "python", f"{platform.python_version()} (3.11 or later is needed)")


def _required() -> Iterator[HealthCheck]:
    for name in _packages(extra=""):
        yield _package(name, "wrong", "needed, and not installed")


def _optional() -> Iterator[HealthCheck]:
    from jurat.cli._common.extras import PURPOSES, install

    seen: set[str] = set()
    for extra, purpose in PURPOSES.items():
        for name in _packages(extra):
            # an extra lists the packages of those that it includes, too
            if name not in seen:
                seen.add(name)
                yield _package(name, "absent", f"{purpose}: {install(extra)}")


def _packages(extra: str) -> Iterator[str]:
    """The packages that an extra asks for; those that Jurat always needs if it is empty."""
    for requirement in metadata.requires("jurat") or ():
        name = re.match(r"[\w.-]+", requirement)
        asking = re.search(r"extra == ['\"](\w+)", requirement)
        if name and (asking[1] if asking else "") == extra:
            yield name[0]


def _package(name: str, state: str, detail: str) -> HealthCheck:
    try:
        return HealthCheck("good", name, metadata.version(name))
    except metadata.PackageNotFoundError:
        return HealthCheck(state, name, detail)


def _programs() -> Iterator[HealthCheck]:
    for names, use in PROGRAMS.items():
        found = next(filter(None, map(shutil.which, names)), None)
        yield HealthCheck("good" if found else "absent", names[0], found or f"only for {use}")


def _offered() -> Iterator[HealthCheck]:
    """Every protocol and format loads, those of outside packages too."""
    from jurat import protocols
    from jurat.testsets import FORMATS

    broken = dict(_broken_protocols())
    for name, reason in broken.items():
        yield HealthCheck("wrong", f"protocol {name}", reason)
    yield HealthCheck("good", "protocols", f"{len(protocols.names()) - len(broken)} load")
    yield HealthCheck("good", "formats", ", ".join(FORMATS.kinds))


def _broken_protocols() -> Iterator[tuple[str, str]]:
    from jurat import protocols

    for name in protocols.names():
        try:
            protocols.load(name)
        except ValueError as error:
            yield name, str(error).splitlines()[0]
