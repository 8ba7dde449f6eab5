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


@command.group("token", no_args_is_help=True)
def token() -> None:
    """Manage tokens for scripts, which use the HTTP API in a coordinator's name.

    \b
    Example:
      jurat coordinators token add Ada nightly --scope read
    """


@token.command("add")
@click.argument("coordinator")
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    default=("read",),
    show_default=True,
    metavar="SCOPE",
    help="read, judges or manage; may be repeated.",
)
@click.option("--days", default=90, show_default=True, help="Days for which it is valid.")
@store_option
@json_option
def add_token(
    coordinator: str,
    name: str,
    url: str | None,
    *,
    scopes: tuple[str, ...],
    days: int,
    as_json: bool,
) -> None:
    """Make a token for COORDINATOR; NAME says what it is for. It is shown only this once.

    \b
    Example:
      jurat coordinators token add Ada nightly --scope read --scope judges --days 30
    """
    with open_service(url) as service:
        made = service.api_tokens.add(coordinator, name, scopes, author=author(), days=days)
    if as_json:
        print_json({"token": made.secret, "id": made.stored.id, "expires": made.stored.expires})
        return
    row = (made.secret, ", ".join(made.stored.scopes), f"{made.stored.expires:%Y-%m-%d}")
    print_table(("token", "scopes", "valid until"), [row])


@token.command("list")
@store_option
@json_option
def list_tokens(url: str | None, as_json: bool) -> None:
    """List all tokens; the tokens themselves are not stored.

    \b
    Example:
      jurat coordinators token list
    """
    with open_service(url) as service:
        found = [(one, service.api_tokens.works(one)) for one in service.api_tokens.all()]
    if as_json:
        print_json([one for one, _ in found])
        return
    rows = [
        (
            one.id,
            one.name,
            one.coordinator,
            ", ".join(one.scopes),
            f"{one.expires:%Y-%m-%d}",
            f"{one.used:%Y-%m-%d}" if one.used else "never",
            "" if works else "no longer valid",
        )
        for one, works in found
    ]
    print_table(("id", "name", "coordinator", "scopes", "valid until", "used", ""), rows)


@token.command("revoke")
@click.argument("token_id", metavar="ID")
@store_option
def revoke_token(token_id: str, url: str | None) -> None:
    """End the token with this ID at once; `jurat coordinators token list` shows the IDs.

    \b
    Example:
      jurat coordinators token revoke ID
    """
    with open_service(url) as service:
        ended = service.api_tokens.revoke(token_id, author=author())
    click.echo(f"{ended.name}: revoked")
