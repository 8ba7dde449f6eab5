"""`jurat campaign`: make campaigns, look them over, open and close them, carry them elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import json_option
from jurat.cli._common.files import read_file, reading, writing
from jurat.cli._common.printing import counted, print_json, print_table
from jurat.cli._common.stores import author, service, store_option

if TYPE_CHECKING:
    from jurat.campaigns.service import Action
    from jurat.kits.audit import Audit
    from jurat.model import File, Phase
    from jurat.store import PhaseRecord

PATH = click.Path(path_type=Path)


@click.group(name="campaign", no_args_is_help=True)
def command() -> None:
    """Make campaigns, look them over, open and close them.

    \b
    Examples:
      jurat campaign create try-out/campaign.yaml
      jurat campaign audit sample
      jurat campaign start sample
    """


@command.command("create")
@click.argument("file", type=PATH)
@store_option
@json_option
def create(file: Path, url: str | None, as_json: bool) -> None:
    """Make the campaign that FILE declares; everything is checked before anything is kept.

    \b
    Example:
      jurat campaign create try-out/campaign.yaml
    """
    declaration = read_file(file)

    def fetch(name: str) -> File:
        return read_file(file.parent / name)

    with service(url, create=True) as campaigns:
        made = campaigns.create(declaration, fetch, author=author())
    if as_json:
        print_json(made)
        return
    kits, items = sum(p.kits for p in made.phases), sum(p.items for p in made.phases)
    click.echo(f"{made.name}: {counted(kits, 'kit')} with {counted(items, 'item')}")
    click.echo(f"next: jurat judges add {made.name} --count 12; jurat campaign audit {made.name}")


@command.command("list")
@store_option
@json_option
def list_campaigns(url: str | None, as_json: bool) -> None:
    """List the campaigns of the store.

    \b
    Example:
      jurat campaign list
    """
    from jurat.store import Campaign, NoSuchStore

    found: tuple[Campaign, ...] = ()
    try:
        with service(url) as campaigns:
            found = campaigns.store.campaigns()
    except NoSuchStore:
        if url:  # a store of one's own that nobody has made yet is empty; one that is named, wrong
            raise
    if as_json:
        print_json([{"name": c.name, "title": c.title, "created": c.created} for c in found])
        return
    rows = [(c.name, c.title, f"{c.created:%Y-%m-%d %H:%M}", _states(c.phases)) for c in found]
    print_table(("campaign", "title", "created (UTC)", "phases"), rows)


@command.command("show")
@click.argument("name")
@store_option
@json_option
@click.option(
    "--yaml", "as_yaml", is_flag=True, help="The declaration, as it would stand in a file."
)
def show(name: str, url: str | None, as_json: bool, as_yaml: bool) -> None:
    """Show how far a campaign is, or what was declared.

    \b
    Example:
      jurat campaign show sample
    """
    from jurat.yamlfile import dump

    with service(url) as campaigns:
        found, progress = campaigns.store.campaign(name), campaigns.progress(name)
    if as_yaml:
        click.echo(dump(found.declaration), nl=False)
    elif as_json:
        print_json({"campaign": found, "progress": progress})
    else:
        click.echo(f"{found.name}: {found.title}" if found.title else found.name)
        rows = [
            (p.task, p.phase, p.state, p.kits, p.open, p.done, p.wanted or "any", p.decisions)
            for p in progress.phases
        ]
        names = ("task", "phase", "state", "kits", "open", "done", "wanted", "decisions")
        print_table(names, rows, numbers=names[3:])


@command.command("audit")
@click.argument("name")
@store_option
@json_option
@click.pass_context
def show_audit(ctx: click.Context, name: str, url: str | None, as_json: bool) -> None:
    """Look a campaign over before it starts: coverage, hours, and what would keep it from its end.

    The exit status is 1 if it cannot be finished as it is.

    \b
    Example:
      jurat campaign audit sample
    """
    with service(url) as campaigns:
        found = campaigns.audit(name)
    if as_json:
        print_json(found)
    else:
        _print_audit(found)
    ctx.exit(1 if found.errors else 0)


def _print_audit(found: Audit) -> None:
    rows = [
        (f"{c.task}, {c.phase}", c.kits, c.items, c.wanted, c.judgments, c.judges_needed, hours)
        for c in found.tasks
        for hours in (f"{c.hours:.1f}",)
    ]
    numbers = ("kits", "items", "wanted", "decisions", "judges needed", "hours")
    print_table(("task", *numbers), rows, numbers=numbers)
    for finding in found.findings:
        click.echo(str(finding))


@command.command("start")
@click.argument("name")
@click.argument("task", required=False)
@click.option("--phase", type=click.Choice(["tutorial", "evaluation"]), help="Only this phase.")
@store_option
def start(name: str, task: str | None, phase: Phase | None, url: str | None) -> None:
    """Open a campaign, or one TASK of it, for judging; what cannot be finished is not started.

    \b
    Example:
      jurat campaign start sample
    """
    _act("start", name, url, task=task, phase=phase)


@command.command("stop")
@click.argument("name")
@click.argument("task", required=False)
@click.option("--phase", type=click.Choice(["tutorial", "evaluation"]), help="Only this phase.")
@click.option("--reason", default="", help="What judges read meanwhile.")
@store_option
def stop(name: str, task: str | None, phase: Phase | None, reason: str, url: str | None) -> None:
    """Stop judging for a while; judges read the reason.

    \b
    Example:
      jurat campaign stop sample --reason "We are back on Monday."
    """
    _act("stop", name, url, task=task, phase=phase, reason=reason)


@command.command("close")
@click.argument("name")
@click.argument("task", required=False)
@click.option("--phase", type=click.Choice(["tutorial", "evaluation"]), help="Only this phase.")
@click.option("--reason", default="", help="What judges read afterwards.")
@store_option
def close(name: str, task: str | None, phase: Phase | None, reason: str, url: str | None) -> None:
    """End judging for good.

    \b
    Example:
      jurat campaign close sample
    """
    _act("close", name, url, task=task, phase=phase, reason=reason)


def _act(action: Action, name: str, url: str | None, **chosen: Any) -> None:
    with service(url) as campaigns:
        changed = campaigns.act(name, action, author=author(), **chosen)
    done = {"start": "started", "stop": "stopped", "close": "closed"}[action]
    for task, phase in changed:
        click.echo(f"{name}: {task}, {phase}: {done}")


@command.command("archive")
@click.argument("name")
@click.argument("out", type=PATH)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@store_option
def archive(name: str, out: Path, force: bool, url: str | None) -> None:
    """Write a campaign with its accounts and judgments to one file, OUT, for another store.

    \b
    Example:
      jurat campaign archive sample sample.zip
    """
    from jurat.campaigns.context import utc_now

    with service(url) as campaigns, writing(out, force=force) as file:
        campaigns.store.archive(name, file, now=utc_now())
    click.echo(out)


@command.command("open")
@click.argument("file", type=PATH)
@store_option
def open_archive(file: Path, url: str | None) -> None:
    """Take the campaign of an archive FILE into the store; all of it is checked first.

    \b
    Example:
      jurat campaign open sample.zip --store elsewhere.db
    """
    with service(url, create=True) as campaigns, reading(file) as data:
        restored = campaigns.store.restore(data)
    decisions = counted(restored.rows.get("decisions", 0), "decision")
    click.echo(f"{', '.join(restored.campaigns)}: {decisions}")


def _states(phases: tuple[PhaseRecord, ...]) -> str:
    """`adequacy started, preference ready`: the evaluations, which is what matters."""
    return ", ".join(f"{p.task} {p.state}" for p in phases if p.phase == "evaluation")
