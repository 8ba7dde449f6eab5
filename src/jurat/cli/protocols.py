"""`jurat protocols`: the ways of judging that Jurat knows, and checking new ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jurat.faults import FaultyInput

if TYPE_CHECKING:
    from jurat.model import File
    from jurat.protocols import Protocol


@click.group(name="protocols", no_args_is_help=True)
def command() -> None:
    """List, show and check the ways of judging.

    \b
    Examples:
      jurat protocols list
      jurat protocols show tapet-adequacy
      jurat protocols check my-protocol.yaml
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def list_protocols(as_json: bool) -> None:
    """List the protocols with what each of them asks.

    \b
    Example:
      jurat protocols list
    """
    from jurat import protocols
    from jurat.cli.shell.printing import print_json, print_table

    loaded = [protocols.load(name) for name in protocols.names()]
    if as_json:
        print_json(
            [
                {"name": p.name, "title": p.title, "version": p.version, "about": p.about}
                for p in loaded
            ]
        )
    else:
        print_table(("protocol", "title", "asks"), [(p.name, p.title, p.about) for p in loaded])


@command.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="The protocol as JSON.")
@click.option("--yaml", "as_yaml", is_flag=True, help="As a YAML file, to start your own from.")
def show_protocol(name: str, as_json: bool, as_yaml: bool) -> None:
    """Show a protocol as a judge meets it: guidelines, questions, examples.

    NAME is a shipped protocol or a file.

    \b
    Example:
      jurat protocols show tapet-adequacy
    """
    from jurat import protocols
    from jurat.cli.shell.files import read_file
    from jurat.cli.shell.printing import print_json
    from jurat.cli.shell.protocol import print_protocol

    protocol = _parse(read_file(name)) if Path(name).suffix else protocols.load(name)
    if as_json:
        print_json(protocol.plain())
    elif as_yaml:
        click.echo(protocols.dump(protocol), nl=False)
    else:
        print_protocol(protocol)


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def check_protocol(ctx: click.Context, file: Path) -> None:
    """Check a protocol FILE of your own; every fault is shown with its line.

    \b
    Example:
      jurat protocols check my-protocol.yaml
    """
    from jurat.cli.shell.files import read_file
    from jurat.cli.shell.printing import counted, report_faults

    given = read_file(file)
    try:
        protocol = _parse(given)
    except FaultyInput as error:
        ctx.exit(report_faults(error))
    asks = counted(len(protocol.questions), "question")
    click.echo(f"{file}: good. '{protocol.name}' asks {asks}; version {protocol.version}")


def _parse(file: File) -> Protocol:
    from jurat import protocols

    return protocols.read(file.data, file=file.name, folder=Path(file.name).parent)
