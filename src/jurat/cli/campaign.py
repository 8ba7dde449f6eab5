"""`jurat campaign`: create, audit, start, stop, close and archive campaigns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from jurat.cli._common import PATH, Decorator, force_option, json_option, with_options
from jurat.cli._common.store_address import author, open_service, store_option
from jurat.cli._common.terminal_output import print_json, print_table
from jurat.cli._common.testsets import size
from jurat.errors import counted
from jurat.files import read_file, read_sources, reading, writable, write_file, writing

if TYPE_CHECKING:
    from jurat.campaigns.lifecycle import Action
    from jurat.kits.audit_findings import Audit
    from jurat.model import File
    from jurat.store import PhaseRecord


@click.group(name="campaign", no_args_is_help=True)
def command() -> None:
    """Create, audit, start and close campaigns.

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
    """Create the campaign that FILE declares; nothing is stored unless all of it is valid.

    \b
    Example:
      jurat campaign create try-out/campaign.yaml
    """
    declaration = read_file(file)

    # files that the declaration names are relative to it
    def fetch(name: str) -> File:
        return read_file(file.parent / name)

    with open_service(url, create=True) as service:
        made = service.campaigns.create(declaration, fetch, author=author(), tell=_note)
    if as_json:
        print_json(made)
        return
    kits, items = sum(p.kits for p in made.phases), sum(p.items for p in made.phases)
    click.echo(f"{made.name}: {counted(kits, 'kit')} with {counted(items, 'item')}")
    click.echo(f"next: jurat judges add {made.name} --count 12; jurat campaign audit {made.name}")


def _note(note: str) -> None:
    """Say something about files that were read, beside the output."""
    click.echo(f"note: {note}", err=True)


@command.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PATH)
@click.option("--out", type=PATH, required=True, help="Folder for campaign.yaml and its test set.")
@force_option
def import_campaign(files: tuple[Path, ...], out: Path, force: bool) -> None:
    """Make a campaign.yaml and a test set from a campaign of another tool.

    FILE... is a campaign of Pearmut, or the manifest of an Appraise campaign with its batches. What
    cannot be carried over is listed.

    \b
    Example:
      jurat campaign import manifest.json batches.json --out imported
    """
    from jurat.campaigns.imported_campaign import campaign_protocol
    from jurat.formats import read_campaign
    from jurat.formats.imported_protocol import unweighted
    from jurat.testsets import write_test_set
    from jurat.yamlfile import dump

    found = read_campaign(read_sources(files)).complete()
    texts = write_test_set(found.test_set, "jsonl")[0]
    made = {
        "testset.jsonl": texts.data,
        "campaign.yaml": dump(found.declaration("testset.jsonl")).encode(),
    }
    if found.protocol_file:
        made[found.protocol_file.name] = found.protocol_file.data
    for name in made:
        writable(out / name, force=force)
    for name, data in made.items():
        write_file(out / name, data, force=force)
    kits = "who judges what is decided by Jurat's kits"
    weights = unweighted(campaign_protocol(found))
    for note in (f"{found.assignment}: {kits}", *found.notes, *weights):
        click.echo(f"not carried over: {note}", err=True)
    click.echo(f"{out}: {found.name}, protocol {found.protocol}, {size(found.test_set)}")
    judges = f"jurat judges add {found.name} --count {max(found.judges, 1)}"
    click.echo(f"next: jurat campaign create {out}/campaign.yaml; {judges}")


@command.command("move")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PATH)
@click.option("--out", type=PATH, help="CSV file for the judges' passwords and links.")
@click.option("--link", default="", metavar="URL", help="Address of the server, for the links.")
@click.option("--no-start", is_flag=True, help="Do not start judging yet.")
@force_option
@store_option
def move(
    files: tuple[Path, ...],
    url: str | None,
    *,
    out: Path | None,
    link: str,
    no_start: bool,
    force: bool,
) -> None:
    """Move a campaign that is running in another tool to Jurat, with what was judged there.

    FILE... are the campaign, annotations and progress of Pearmut, or the manifest, batches and
    results of Appraise. Judges go on after the last translation that they have judged; their new
    passwords and links are printed, or written to --out, this once. What cannot be carried over is
    listed.

    \b
    Example:
      jurat campaign move pearmut-campaign.json log.jsonl --out slips.csv
    """
    from jurat.campaigns.accounts import slips_csv
    from jurat.campaigns.imported_campaign import slips_of
    from jurat.formats import read_campaign, read_judgments

    sources = read_sources(files)
    found, judged = read_campaign(sources), read_judgments(sources)
    if out is not None:
        writable(out, force=force)
    with open_service(url, create=True) as service:
        made = service.campaigns.move(found, judged.tables, author=author())
        if not no_start:
            why = "moved while it was running"
            service.campaigns.change_phases(made.new.name, "start", author=author(), anyway=why)
    for note in judged.notes:
        _note(note)
    for note in made.notes:
        click.echo(f"not carried over: {note}", err=True)
    rows = list(slips_of(made))
    decisions = sum(len(kit.decisions) for kit in made.past)
    people = len({kit.pin for kit in made.past})
    done = f"{counted(decisions, 'decision')} by {counted(people, 'judge')}"
    click.echo(f"{made.new.name}: {counted(len(made.new.kits), 'kit')}, {done}")
    address = f"{link.rstrip('/')}/c/{made.new.name}/" if link else ""
    if out is not None:
        write_file(out, slips_csv([slip for _, slip, _ in rows], address=address), force=force)
        click.echo(out)
        return
    names = ("user", "PIN", "password", "link", "kits done")
    shown = [
        (user, slip.pin, slip.password, f"{address}link/{slip.token}", kits)
        for user, slip, kits in rows
    ]
    print_table(names, shown, numbers=("kits done",))


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

    found: list[Campaign] = []
    try:
        with open_service(url) as service:
            found = service.campaigns.all()
    except NoSuchStore:
        if url:  # the user's own store may not exist yet; one that was named must
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
@click.option("--yaml", "as_yaml", is_flag=True, help="Print the declaration as a YAML file.")
def show(name: str, url: str | None, as_json: bool, as_yaml: bool) -> None:
    """Show the progress of a campaign, or its declaration.

    \b
    Example:
      jurat campaign show sample
    """
    from jurat.yamlfile import dump

    with open_service(url) as service:
        found, progress = service.campaigns.get(name), service.monitoring.progress(name)
    if as_yaml:
        click.echo(dump(found.declaration), nl=False)
    elif as_json:
        print_json({"campaign": found, "progress": progress})
    else:
        click.echo(f"{found.name}: {found.title}" if found.title else found.name)
        rows = [
            # 0: the kits of a tutorial may be done by any number of judges
            (
                p.task,
                p.phase,
                p.state,
                p.kits,
                p.open,
                p.done,
                p.wanted or "any",
                p.judged,
                p.skipped,
            )
            for p in progress.phases
        ]
        names = ("task", "phase", "state", "kits", "open", "done", "wanted", "judgments", "skipped")
        print_table(names, rows, numbers=names[3:])


@command.command("audit")
@click.argument("name")
@store_option
@json_option
@click.pass_context
def show_audit(ctx: click.Context, name: str, url: str | None, as_json: bool) -> None:
    """Check a campaign before it starts: coverage, hours, and what would prevent its completion.

    The exit status is 1 if the campaign cannot be completed as it is.

    \b
    Example:
      jurat campaign audit sample
    """
    with open_service(url) as service:
        found = service.campaigns.audit(name)
    if as_json:
        print_json(found)
    else:
        _print_audit(found)
    # 1, so that scripts can test for it; 2 is for mistakes in the call
    ctx.exit(1 if found.errors else 0)


def _print_audit(found: Audit) -> None:
    rows = [
        (f"{c.task}, {c.phase}", c.kits, c.items, c.wanted, c.judgments, c.judges_needed, hours)
        for c in found.tasks
        for hours in (f"{c.hours:.1f}",)
    ]
    numbers = ("kits", "items", "wanted", "judgments", "judges needed", "hours")
    print_table(("task", *numbers), rows, numbers=numbers)
    for finding in found.findings:
        click.echo(str(finding))


def phase_command(name: str) -> Decorator[Any]:
    """A command on the phases of a campaign: NAME, TASK, `--phase` and `--store`."""
    phases = click.Choice(["tutorial", "evaluation"])
    options = (
        command.command(name),
        click.argument("name"),
        click.argument("task", required=False),
        click.option("--phase", type=phases, help="Only this phase (default: both)."),
        store_option,
    )
    # the list begins with `command.command`, which is applied last and makes it a command
    return lambda function: with_options(function, options)


@phase_command("start")
def start(name: str, url: str | None, **chosen: Any) -> None:
    """Open a campaign, or one TASK of it, for judging, unless it could not be finished.

    \b
    Example:
      jurat campaign start sample
    """
    _act("start", name, url, **chosen)


@phase_command("stop")
@click.option("--reason", default="", help="Message that judges read meanwhile.")
def stop(name: str, url: str | None, **chosen: Any) -> None:
    """Pause judging; judges read the reason.

    \b
    Example:
      jurat campaign stop sample --reason "We are back on Monday."
    """
    _act("stop", name, url, **chosen)


@phase_command("close")
@click.option("--reason", default="", help="Message that judges read afterwards.")
def close(name: str, url: str | None, **chosen: Any) -> None:
    """End judging for good.

    \b
    Example:
      jurat campaign close sample
    """
    _act("close", name, url, **chosen)


def _act(action: Action, name: str, url: str | None, **chosen: Any) -> None:
    with open_service(url) as service:
        changed = service.campaigns.change_phases(name, action, author=author(), **chosen)
    done = {"start": "started", "stop": "stopped", "close": "closed"}[action]
    for task, phase in changed:
        click.echo(f"{name}: {task}, {phase}: {done}")


@command.command("freeze")
@click.argument("name")
@click.option("--exclusions", default="none", metavar="TEXT", help="Who or what will be left out.")
@click.option("--analysis", default="", metavar="TEXT", help="How judgments will be analysed.")
@click.option("--stopping", default="", metavar="TEXT", help="When judging will end.")
@click.option("--again", is_flag=True, help="Record another plan; the earlier one stays.")
@store_option
@json_option
def freeze(name: str, url: str | None, *, as_json: bool, **planned: Any) -> None:
    """Record what is planned, with a hash to publish before judging.

    The record has the test set, protocols, rules of campaign.yaml, exclusions, analysis and the
    stopping rule [default: the judgments that the tasks want]. Reports show it beside what was
    done, and jurat verify checks it in an archive.

    \b
    Example:
      jurat campaign freeze sample --exclusions "judges who fail half of the controls"
    """
    with open_service(url) as service:
        made = service.campaigns.freeze(name, author=author(), **planned)
    if as_json:
        print_json({**msgspec.to_builtins(made), "hash": made.hash})
        return
    click.echo(f"{name}: {made}")
    if made.decisions:
        click.echo("note: judging had begun, so that this is no plan made beforehand")


@command.command("archive")
@click.argument("name")
@click.argument("out", type=PATH)
@force_option
@store_option
def archive(name: str, out: Path, force: bool, url: str | None) -> None:
    """Write a campaign with its accounts and judgments to the file OUT, for another store.

    \b
    Example:
      jurat campaign archive sample sample.zip
    """
    # streamed into a temporary file, which replaces OUT only if all went well
    with open_service(url) as service, writing(out, force=force, private=True) as file:
        service.campaigns.archive(name, file)
    click.echo(out)


@command.command("open")
@click.argument("file", type=PATH)
@store_option
def open_archive(file: Path, url: str | None) -> None:
    """Add the campaign in the archive FILE to the store, after checking all of it.

    \b
    Example:
      jurat campaign open sample.zip --store elsewhere.db
    """
    with open_service(url, create=True) as service, reading(file) as data:
        restored = service.campaigns.open_archive(data)
    judgments = counted(restored.rows.get("decisions", 0), "judgment")
    click.echo(f"{', '.join(restored.campaigns)}: {judgments}")


def _states(phases: tuple[PhaseRecord, ...]) -> str:
    """The state of each task's evaluation: `adequacy started, preference ready`."""
    return ", ".join(f"{p.task} {p.state}" for p in phases if p.phase == "evaluation")
