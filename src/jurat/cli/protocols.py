"""`jurat protocols`: lists and shows protocols, and checks new ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jurat.cli._common import PATH, json_option
from jurat.cli._common.terminal_output import print_json, print_table, report_problems, terminal
from jurat.errors import InputError, counted
from jurat.files import read_file

if TYPE_CHECKING:
    from jurat.model import File
    from jurat.protocols import Protocol
    from jurat.protocols.protocol import Stage
    from jurat.protocols.questions import Example, Question


@click.group(name="protocols", no_args_is_help=True)
def command() -> None:
    """List, show and check protocols.

    A protocol says what judges see and are asked.

    \b
    Examples:
      jurat protocols list
      jurat protocols show tapet-adequacy
      jurat protocols check my-protocol.yaml
    """


@command.command("list")
@json_option
def list_protocols(as_json: bool) -> None:
    """List the protocols and what each asks.

    \b
    Example:
      jurat protocols list
    """
    from jurat import protocols

    loaded = [protocols.load(name) for name in protocols.names()]
    if as_json:
        keys = ("name", "title", "version", "about")
        print_json([{key: getattr(protocol, key) for key in keys} for protocol in loaded])
    else:
        print_table(("protocol", "title", "asks"), [(p.name, p.title, p.about) for p in loaded])


@command.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--yaml", "as_yaml", is_flag=True, help="Print YAML, to start your own protocol from."
)
def show_protocol(name: str, as_json: bool, as_yaml: bool) -> None:
    """Show a protocol as judges see it: guidelines, questions, examples.

    NAME is a protocol of the list or a file.

    \b
    Example:
      jurat protocols show tapet-adequacy
    """
    from jurat import protocols

    # names of protocols have no dot, so a suffix means a file
    protocol = _parse(read_file(name)) if Path(name).suffix else protocols.load(name)
    if as_json:
        print_json(protocol.plain())
    elif as_yaml:
        click.echo(protocols.dump(protocol), nl=False)
    else:
        print_protocol(protocol)


@command.command("check")
@click.argument("file", type=PATH)
@click.pass_context
def check_protocol(ctx: click.Context, file: Path) -> None:
    """Check the protocol in FILE; every problem is shown with its line.

    \b
    Example:
      jurat protocols check my-protocol.yaml
    """
    # outside `try`: a missing file is a mistake in the call, not a finding of the check
    given = read_file(file)
    try:
        protocol = _parse(given)
    except InputError as error:
        ctx.exit(report_problems(error))
    asks = counted(len(protocol.questions), "question")
    click.echo(f"{file}: good. '{protocol.name}' asks {asks}; version {protocol.version}")


def _parse(file: File) -> Protocol:
    from jurat import protocols

    return protocols.read(file.data, file=file.name, folder=Path(file.name).parent)


def print_protocol(protocol: Protocol) -> None:
    """Print title, guidelines, questions with answers and examples, score and source."""
    from rich.markdown import Markdown
    from rich.padding import Padding
    from rich.text import Text

    out = terminal()
    out.print(
        Text.assemble((protocol.title, "bold"), f"  ({protocol.name}, version {protocol.version})")
    )
    # as Text, because rich would read brackets in a protocol's words as markup
    out.print(Text(protocol.about))
    out.print()
    out.print(Padding(Markdown(protocol.guidelines), (0, 0, 1, 2)))
    for n, stage in enumerate(protocol.stages, 1):
        _print_stage(stage, f"Stage {n}: shown" if len(protocol.stages) > 1 else "Shown")
    for line in _facts(protocol):
        out.print(Text(line))


def _print_stage(stage: Stage, heading: str) -> None:
    from rich.text import Text

    out = terminal()
    out.print(Text.assemble((heading, "bold"), f": {', '.join(stage.show)}"))
    for question in stage.questions:
        for one in (question, *question.nested):
            _print_question(one)


def _print_question(question: Question) -> None:
    from rich.text import Text

    out = terminal()
    words = question.ask if isinstance(question.ask, str) else " / ".join(question.ask.values())
    out.print()
    out.print(Text.assemble((words, "bold"), f"  [{question.id}: {question.name}]"))
    if question.when:
        out.print(Text(f"  asked when {question.when}"))
    if legend := list(question.legend()):
        print_table(("answer", "label", "meaning"), legend)
    for example in question.examples:
        _print_example(example)


def _print_example(example: Example) -> None:
    texts = example.translations
    rows = [(name, str(getattr(example, name))) for name in ("context", "source", "reference")]
    rows += [
        ("translation" if len(texts) == 1 else f"translation {n}", text)
        for n, text in enumerate(texts, 1)
    ]
    rows += [("answer", str(example.answer)), ("because", example.because)]
    rows = [(name, text) for name, text in rows if text]
    terminal().print()
    print_table(("example", ""), rows)


def _facts(protocol: Protocol) -> Iterator[str]:
    from jurat.protocols.questions import NA

    yield ""
    if protocol.score:
        yield f"Score: {protocol.score.rule} of {', '.join(protocol.score.questions)}"
    if protocol.order:
        yield "Order: " + " > ".join("-".join(map(str, place.values())) for place in protocol.order)
    # only kinds of rating have this field
    if any(getattr(question, "not_applicable", False) for question in protocol.questions.values()):
        yield f"Not applicable ('{NA}') is a separate answer and does not count in the score."
    yield f"Decisions are {'final' if protocol.final else 'open to revision'}."
    yield f"Source: {protocol.citation}"
