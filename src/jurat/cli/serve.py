"""`jurat serve`: campaigns in the browser."""

from __future__ import annotations

import click

from jurat.cli.shell.store import default_store, store_option


@click.command(name="serve")
@store_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0: a free one."
)
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Processes; several are for PostgreSQL.",
)
@click.option("--secure", is_flag=True, help="Behind HTTPS: cookies are never sent without it.")
def command(url: str | None, host: str, port: int, workers: int, secure: bool) -> None:
    """Let judges work in the browser.

    \b
    Example:
      jurat serve --port 8080
    """
    from jurat.store import Store
    from jurat.web.serving import serve

    address = url or str(default_store())
    # what is wrong with the store is said here, in one line, and not by each process
    with Store.open(address, create=False):
        pass
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0") else host  # noqa: S104
    click.echo(f"Jurat is at http://{shown}:{port}/ (stop with Ctrl+C)")
    serve(address, host=host, port=port, workers=workers, secure=secure, quiet=True)
