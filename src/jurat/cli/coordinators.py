"""`jurat coordinators`: accounts of those who run all campaigns of a store in the browser."""

from __future__ import annotations

import click

from jurat.cli._common import json_option
from jurat.cli._common.store_address import author, open_service, store_option
from jurat.cli._common.terminal_output import print_json, print_table


@click.group(name="coordinators", no_args_is_help=True)
def command() -> None:
    """Manage the accounts of coordinators.

    Coordinators run all campaigns of a store in the browser.

    \b
    Examples:
      jurat coordinators add "Alan T."
      jurat coordinators list
    """


@command.command("add")
@click.argument("name")
@store_option
def add(name: str, url: str | None) -> None:
    """Make NAME a coordinator of the store; the password is shown only this once.

    \b
    Example:
      jurat coordinators add "Alan T."
    """
    # a new installation may begin with this command, so the store is made if need be
    with open_service(url, create=True) as service:
        handed = service.coordinators.add(name, author=author())
    print_table(("coordinator", "password"), [(handed.name, handed.password)])


@command.command("list")
@store_option
@json_option
def list_coordinators(url: str | None, as_json: bool) -> None:
    """List the coordinators of the store.

    \b
    Example:
      jurat coordinators list
    """
    with open_service(url) as service:
        found = service.coordinators.all()
    if as_json:
        names = ("name", "created", "seen_at", "disabled")
        print_json([{name: getattr(one, name) for name in names} for one in found])
        return
    rows = [
        (
            one.name,
            f"{one.created:%Y-%m-%d %H:%M}",
            f"{one.seen_at:%Y-%m-%d %H:%M}" if one.seen_at else "never",
            "disabled" if one.disabled else "",
        )
        for one in found
    ]
    print_table(("coordinator", "added (UTC)", "last seen (UTC)", ""), rows)


@command.command("reset")
@click.argument("name")
@store_option
def reset(name: str, url: str | None) -> None:
    """Give NAME a new password; the old one no longer works.

    \b
    Example:
      jurat coordinators reset Ada
    """
    with open_service(url) as service:
        handed = service.coordinators.reset(name, author=author())
    print_table(("coordinator", "password"), [(handed.name, handed.password)])


@command.command("disable")
@click.argument("name")
@click.option("--enable", is_flag=True, help="Enable the account again.")
@store_option
def disable(name: str, enable: bool, url: str | None) -> None:
    """Disable the account of NAME; the last active coordinator cannot be disabled.

    \b
    Example:
      jurat coordinators disable Ada
    """
    with open_service(url) as service:
        service.coordinators.disable(name, author=author(), disabled=not enable)
    click.echo(f"{name}: {'enabled' if enable else 'disabled'}")
