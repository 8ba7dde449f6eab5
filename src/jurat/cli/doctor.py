"""`jurat doctor`: what is installed and what is missing, and whether a store is in order."""

from __future__ import annotations

import platform
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import click

from jurat.cli._common import PATH, json_option
from jurat.cli._common.extras import PURPOSES, install
from jurat.cli._common.store_address import store_address
from jurat.cli._common.terminal_output import print_json, print_table
from jurat.errors import input_error

# The names that a program may have, and what it is needed for.
PROGRAMS = {
    ("chromium", "chromium-browser", "google-chrome"): "browser tests",
    ("postgres", "pg_ctl"): "a PostgreSQL server on this machine",
}


class HealthCheck(NamedTuple):
    """One thing that was checked: good, absent (optional) or wrong (Jurat does not work)."""

    state: str
    what: str
    detail: str


@click.command(name="doctor")
@click.option(
    "--store",
    "url",
    metavar="URL",
    help="Check this store instead: integrity, space, permissions, log, clock.",
)
@click.option(
    "--recover",
    "new",
    metavar="NEW",
    type=PATH,
    help="Recover what can be read of a damaged store into the new file NEW.",
)
@click.option(
    "--prepare",
    is_flag=True,
    help="Compile the metrics now, so that the first score need not wait for it.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context, url: str | None, new: Path | None, prepare: bool, as_json: bool
) -> None:
    """Check the installation, or a store.

    Lists what is there, what is missing, and what that is needed for.

    \b
    Example:
      jurat doctor
    """
    if prepare:
        _prepare()
        return
    if new is not None:
        _recover(url, new)
        return
    findings = (
        [*_python(), *_required(), *_optional(), *_programs(), *_offered()]
        if url is None
        else list(_store(url))
    )
    if as_json:
        print_json([finding._asdict() for finding in findings])
    else:
        print_table(("state", "what", "detail"), findings)
    ctx.exit(1 if any(finding.state == "wrong" for finding in findings) else 0)


def _store(url: str) -> Iterator[HealthCheck]:
    from jurat.campaigns.service_context import utc_now
    from jurat.store.store_check import check_store

    yield from (HealthCheck(*one) for one in check_store(store_address(url), utc_now()))


def _prepare() -> None:
    """Compile the kernels of all metrics, by scoring a sentence with each."""
    from jurat.cli._common.terminal_output import tracker
    from jurat.metrics import metrics

    kinds = list(metrics())
    with tracker("compiling metrics", len(kinds)) as advance:
        for kind in kinds:
            kind().sentence("the cat sat on the mat", ["a cat sat on a mat"])
            advance()
    click.echo(f"{len(kinds)} metrics are compiled")


def _recover(url: str | None, new: Path) -> None:
    from jurat.store.recovery import recover

    if url is None:
        raise input_error("--recover needs the damaged store: --store FILE")
    print_table(("table", "kept", "lost"), recover(Path(store_address(url)), new))
    click.echo(f"{new}: check it with jurat doctor --store {new}")


def _python() -> Iterator[HealthCheck]:
    state = "good" if sys.version_info >= (3, 11) else "wrong"
    yield HealthCheck(state, "python", f"{platform.python_version()} (3.11 or later is required)")


def _required() -> Iterator[HealthCheck]:
    for name in _packages(extra=""):
        yield _package(name, "wrong", "required, but not installed")


def _optional() -> Iterator[HealthCheck]:
    seen: set[str] = set()
    for extra, purpose in PURPOSES.items():
        for name in _packages(extra):
            # an extra that includes another lists its packages, too
            if name not in seen:
                seen.add(name)
                yield _package(name, "absent", f"{purpose}: {install(extra)}")


def _packages(extra: str) -> Iterator[str]:
    """The packages that an extra requires; with an empty name, those that Jurat always does."""
    for requirement in metadata.requires("jurat") or ():
        # `numba>=0.60; extra == 'metrics'`, as the package's metadata has it
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
        yield HealthCheck(
            "good" if found else "absent", names[0], found or f"needed only for {use}"
        )


def _offered() -> Iterator[HealthCheck]:
    """Whether every protocol and format can be loaded, also those of outside packages."""
    from jurat import protocols
    from jurat.testsets import FORMATS

    # an outside package's protocol may be faulty; the others are still usable
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
        # InputError is a ValueError; the first line is enough for a table
        except ValueError as error:
            yield name, str(error).splitlines()[0]
