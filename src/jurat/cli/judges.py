"""`jurat judges`: accounts by PIN and password, without anybody's name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jurat.cli._common import choice, file_option, json_option, setting
from jurat.cli._common.files import writable, write_file
from jurat.cli._common.printing import counted, print_json, print_table, tracked
from jurat.cli._common.stores import author, service, store_option
from jurat.errors import input_error

if TYPE_CHECKING:
    from jurat.campaigns.accounts import Slip
    from jurat.store.records import Role

PATH = click.Path(path_type=Path)


@click.group(name="judges", no_args_is_help=True)
def command() -> None:
    """Make, list and change judges' accounts.

    \b
    Examples:
      jurat judges add sample --count 12 --out slips.csv
      jurat judges list sample
    """


@command.command("add")
@click.argument("name")
@setting("--count", default=1, type=click.IntRange(1, 10_000), help="How many.")
@click.option("--group", default="", help="Their group, for reference groups.")
@click.option("--site", default="", help="Where they are from, for the rule on own sites.")
@click.option(
    "--tag", "tags", multiple=True, metavar="NAME=VALUE", help="A tag, such as native=yes."
)
@choice("--role", ["judge", "adjudicator", "coordinator"], "What they may do.")
@file_option("--out", help="Write the slips to a CSV file.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@store_option
def add(
    *,
    name: str,
    count: int,
    group: str,
    site: str,
    tags: tuple[str, ...],
    role: Role,
    out: Path | None,
    force: bool,
    url: str | None,
) -> None:
    """Make accounts for campaign NAME. PINs and passwords are shown this once and never again.

    \b
    Example:
      jurat judges add sample --count 12 --out slips.csv
    """
    if out is not None:
        writable(out, force=force)
    with service(url) as campaigns:
        slips = campaigns.accounts.add(
            name,
            count,
            author=author(),
            role=role,
            group=group,
            site=site,
            tags=dict(map(_tag, tags)),
            progress=lambda pins: tracked(pins, "accounts", count),
        )
    _hand_out(slips, out, force=force)
    if out is not None:
        click.echo(f"{out}: {counted(len(slips), 'account')}; keep it safe, it is the only copy")


@command.command("list")
@click.argument("name")
@store_option
@json_option
def list_judges(name: str, url: str | None, as_json: bool) -> None:
    """List the accounts of campaign NAME with what each has done.

    \b
    Example:
      jurat judges list sample
    """
    with service(url) as campaigns:
        accounts, progress = campaigns.store.judges(name), campaigns.progress(name)
    done = {a.id: [t for t in progress.judges if t.judge == a.id] for a in accounts}
    rows = [
        {
            "pin": a.pin,
            "role": a.role,
            "group": a.group,
            "site": a.site,
            "tags": dict(a.tags),
            "disabled": a.disabled,
            "pending": a.pending,
            "kits": sum(t.done for t in done[a.id]),
            "decisions": sum(t.decisions for t in done[a.id]),
        }
        for a in accounts
    ]
    if as_json:
        print_json(rows)
        return
    shown = [
        (
            *(row[key] for key in ("pin", "role", "group", "site")),
            ", ".join(f"{k}={v}" for k, v in a.tags.items()),
            row["kits"],
            row["decisions"],
            "disabled" if a.disabled else "waits" if a.pending else "",
        )
        for row, a in zip(rows, accounts, strict=True)
    ]
    names = ("PIN", "role", "group", "site", "tags", "kits done", "decisions", "")
    print_table(names, shown, numbers=("kits done", "decisions"))


@command.command("reset")
@click.argument("name")
@click.argument("pin")
@store_option
def reset(name: str, pin: str, url: str | None) -> None:
    """Give the account PIN of campaign NAME a new password; the old one no longer works.

    \b
    Example:
      jurat judges reset sample PIN
    """
    with service(url) as campaigns:
        slip = campaigns.accounts.reset(name, pin, author=author())
    _hand_out([slip], None, force=False)


@command.command("accept")
@click.argument("name")
@click.argument("pin")
@store_option
def accept(name: str, pin: str, url: str | None) -> None:
    """Let the volunteer PIN judge in campaign NAME, whose registrations wait to be accepted.

    \b
    Example:
      jurat judges accept sample PIN
    """
    with service(url) as campaigns:
        campaigns.accounts.accept(name, pin, author=author())
    click.echo(f"{pin}: accepted")


@command.command("disable")
@click.argument("name")
@click.argument("pin")
@click.option("--enable", is_flag=True, help="Let the judge in again.")
@store_option
def disable(name: str, pin: str, enable: bool, url: str | None) -> None:
    """Keep the account PIN out of campaign NAME; what was judged stays.

    \b
    Example:
      jurat judges disable sample PIN
    """
    with service(url) as campaigns:
        campaigns.accounts.disable(name, pin, author=author(), disabled=not enable)
    click.echo(f"{pin}: {'enabled' if enable else 'disabled'}")


def _hand_out(slips: list[Slip], out: Path | None, *, force: bool) -> None:
    from jurat.campaigns.accounts import slips_csv

    if out is not None:
        write_file(out, slips_csv(slips), force=force)
    else:
        print_table(("PIN", "password", "role"), [(s.pin, s.password, s.role) for s in slips])


def _tag(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise input_error(f"'{text}' is no tag: write NAME=VALUE", value=text)
    return name.strip(), value.strip()
