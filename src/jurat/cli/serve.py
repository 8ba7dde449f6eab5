"""`jurat serve`: campaigns in the browser."""

from __future__ import annotations

import gc
import re

import click

from jurat.cli._common import setting
from jurat.cli._common.store_address import open_service, shown_address, store_address, store_option


@click.command(name="serve")
@store_option
@setting("--host", default="127.0.0.1", help="Address to listen on.")
@setting("--port", default=8000, type=click.IntRange(0, 65535), help="Port; 0 for any free one.")
@setting("--workers", default=1, type=click.IntRange(1, 64), help="Processes that share the work.")
@click.option(
    "--root-path",
    default="",
    envvar="JURAT_ROOT_PATH",
    metavar="PATH",
    callback=lambda _context, _option, given: _root_path(given),
    help="Behind a proxy that serves it under PATH, as /jurat, and removes that from requests.",
)
@click.option("--secure", is_flag=True, help="Behind HTTPS: cookies are never sent without it.")
@click.option(
    "--smtp",
    default="",
    envvar="JURAT_SMTP",
    metavar="URL",
    help="Mail reminders: smtp://user:password@host:587/?from=desk@example.org",
)
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Warnings and errors on standard error: for people, or one JSON object a line.",
)
@click.option(
    "--metrics-port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="PORT",
    help="Serve metrics for Prometheus at 127.0.0.1:PORT/metrics; none by default.",
)
def command(
    *,
    url: str | None,
    host: str,
    port: int,
    workers: int,
    root_path: str,
    secure: bool,
    smtp: str,
    log_format: str,
    metrics_port: int,
) -> None:
    """Run campaigns in the browser: judges work there, and coordinators prepare and watch.

    A store that does not exist yet is created, and a link for the first coordinator is printed.

    \b
    Example:
      jurat serve --port 8080
    """
    # Nothing that is imported now becomes garbage, and looking for it takes a tenth of the start.
    gc.disable()
    from jurat.web.server import free_port, serve

    if smtp:
        from jurat.campaigns.monitoring.mail import read_mail_server

        read_mail_server(smtp)  # what is wrong with it is said at once

    # chosen before the server starts, so that the address can be printed
    port = port or free_port(0)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0") else host  # noqa: S104
    # behind a proxy the host is not known, and without it the path leads nowhere
    address = root_path or f"http://{shown}:{port}"
    begin = _ready(url)
    if begin:
        click.echo(f"It has no coordinator yet. Open {address}/desk/begin/{begin}")
    click.echo(f"Jurat is at {address}/ (stop with Ctrl+C)")
    serve(
        store_address(url),
        host=host,
        port=port,
        workers=workers,
        secure=secure,
        smtp=smtp,
        log_format=log_format,
        metrics_port=metrics_port,
        root_path=root_path,
    )


def _root_path(given: str) -> str:
    """The path with one slash before it and none behind; empty for the whole host."""
    parts = [part for part in given.split("/") if part]
    # such a part would need quoting in some places and not in others
    if not all(re.fullmatch(r"[\w.~-]+", part, re.ASCII) for part in parts):
        raise click.BadParameter(f"{given!r} is no path of letters, digits and . _ ~ -")
    return "".join(f"/{part}" for part in parts)


def _ready(url: str | None) -> str | None:
    """Open the store once, and make it if need be; a token for the first coordinator, if any.

    What is wrong with the store is said here, in one line, and not by each process.
    """
    from jurat.store import NoSuchStore

    try:
        with open_service(url) as service:
            return service.coordinators.set_up()
    except NoSuchStore:
        # announced, because a mistyped address makes a new store, too
        with open_service(url, create=True) as service:
            click.echo(f"A new store: {shown_address(url)}")
            return service.coordinators.set_up()
