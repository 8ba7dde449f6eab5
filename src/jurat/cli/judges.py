"""`jurat judges`: anonymous accounts, with a PIN and a password."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jurat.cli._common import choice, file_option, force_option, json_option, setting
from jurat.cli._common.store_address import author, open_service, store_option
from jurat.cli._common.terminal_output import print_json, print_table, tracked
from jurat.errors import counted, input_error
from jurat.files import writable, write_file

if TYPE_CHECKING:
    from jurat.campaigns.accounts import Slip
    from jurat.store.account_records import Role


@click.group(name="judges", no_args_is_help=True)
def command() -> None:
    """Manage the accounts of a campaign's judges.

    \b
    Examples:
      jurat judges add sample --count 12 --out slips.csv
      jurat judges list sample
    """


@command.command("add")
@click.argument("name")
@setting("--count", default=1, type=click.IntRange(1, 10_000), help="Number of accounts.")
@click.option("--group", default="", help="Group of judges, where groups see different references.")
@click.option(
    "--site", default="", help="Site of the judges, to keep them from judging its own systems."
)
@click.option(
    "--tag",
    "tags",
    multiple=True,
    metavar="NAME=VALUE",
    help="Tag of the judges, such as native=yes.",
)
@choice("--role", ["judge", "adjudicator", "coordinator"], "Role of the accounts.")
@file_option("--out", help="Write PINs and passwords to a CSV file.")
@force_option
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
    """Create accounts for campaign NAME; PINs and passwords are shown only this once.

    \b
    Example:
      jurat judges add sample --count 12 --out slips.csv
    """
    # checked first: the passwords of accounts cannot be shown a second time
    if out is not None:
        writable(out, force=force)
    with open_service(url) as service:
        slips = service.accounts.add(
            name,
            count,
            author=author(),
            role=role,
            group=group,
            site=site,
            tags=dict(map(_tag, tags)),
            # hashing a password takes long on purpose, so many accounts need a progress bar
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
    """List the accounts of campaign NAME and their progress.

    \b
    Example:
      jurat judges list sample
    """
    with open_service(url) as service:
        accounts, progress = service.accounts.all(name), service.monitoring.progress(name)
    # progress has a row per judge, task and phase
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
            "skipped": sum(t.skipped for t in done[a.id]),
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
            sum(t.decisions - t.skipped for t in done[a.id]),
            row["skipped"],
            "disabled" if a.disabled else "pending" if a.pending else "",
        )
        for row, a in zip(rows, accounts, strict=True)
    ]
    names = ("PIN", "role", "group", "site", "tags", "kits done", "judgments", "skipped", "")
    print_table(names, shown, numbers=names[5:8])


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
    with open_service(url) as service:
        slip = service.accounts.reset(name, pin, author=author())
    _hand_out([slip], None, force=False)


@command.command("accept")
@click.argument("name")
@click.argument("pin")
@store_option
def accept(name: str, pin: str, url: str | None) -> None:
    """Accept the volunteer PIN, who has registered for campaign NAME.

    \b
    Example:
      jurat judges accept sample PIN
    """
    with open_service(url) as service:
        service.accounts.accept(name, pin, author=author())
    click.echo(f"{pin}: accepted")


@command.command("disable")
@click.argument("name")
@click.argument("pin")
@click.option("--enable", is_flag=True, help="Enable the account again.")
@store_option
def disable(name: str, pin: str, enable: bool, url: str | None) -> None:
    """Disable the account PIN in campaign NAME; its judgments stay.

    \b
    Example:
      jurat judges disable sample PIN
    """
    with open_service(url) as service:
        service.accounts.disable(name, pin, author=author(), disabled=not enable)
    click.echo(f"{pin}: {'enabled' if enable else 'disabled'}")


@command.command("delete-data")
@click.argument("name")
@click.argument("pin")
@click.option("--yes", is_flag=True, help="Do not ask; there is no way back.")
@store_option
def delete_data(name: str, pin: str, yes: bool, url: str | None) -> None:
    """Delete everything stored about the judge PIN of campaign NAME, for good.

    Answers, times, questionnaires, messages and the login are deleted, and the judge's kits are
    given to others. A closed account without a name remains. Exports, archives and backups that
    were made before still have the data.

    \b
    Example:
      jurat judges delete-data sample PIN --yes
    """
    if not yes:
        click.confirm(f"Delete all data of {pin}? This cannot be undone", abort=True, err=True)
    with open_service(url) as service:
        found = service.accounts.delete_data(name, pin, author=author())
    answers, kits = counted(found["answers"], "answer"), counted(found["kits"], "kit")
    asked = counted(found["questionnaires"], "questionnaire")
    click.echo(f"{pin}: {answers}, {asked} and the account deleted; {kits} returned")


@command.command("message")
@click.argument("name")
@click.argument("text", required=False)
@click.option("--to", "pin", default="", metavar="PIN", help="Only to this judge (default: all).")
@store_option
@json_option
def message(name: str, text: str | None, pin: str, url: str | None, as_json: bool) -> None:
    """Send TEXT to the judges of campaign NAME; without TEXT, list the messages sent so far.

    Judges see it on their overview and between kits until they mark it as read.

    \b
    Examples:
      jurat judges message sample "The office is closed on Friday."
      jurat judges message sample
    """
    with open_service(url) as service:
        if text is not None:
            service.messages.send(name, text, author=author(), pin=pin)
        sent = service.messages.all(name)
    if as_json:
        print_json(sent)
        return
    if text is not None:
        click.echo(f"{name}: sent to {pin or 'all judges'}")
        return
    rows = [
        (
            f"{one.sent_at:%Y-%m-%d %H:%M}",
            one.judge or "all",
            one.author,
            len(one.dismissed),
            one.text + (" (withdrawn)" if one.withdrawn_at else ""),
        )
        for one in sent
    ]
    print_table(("sent (UTC)", "to", "author", "read by", "message"), rows, numbers=("read by",))


def _hand_out(slips: list[Slip], out: Path | None, *, force: bool) -> None:
    from jurat.campaigns.accounts import slips_csv

    if out is not None:
        write_file(out, slips_csv(slips), force=force, private=True)
    else:
        print_table(("PIN", "password", "role"), [(s.pin, s.password, s.role) for s in slips])


def _tag(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise input_error(f"'{text}' is not a tag: write NAME=VALUE", value=text)
    return name.strip(), value.strip()
