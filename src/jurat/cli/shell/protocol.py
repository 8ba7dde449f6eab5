"""A protocol on the terminal, as a judge meets it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from jurat.cli.shell.printing import print_table, terminal
from jurat.protocols import Protocol
from jurat.protocols.protocol import Stage
from jurat.protocols.questions import NA, Example, Question


def print_protocol(protocol: Protocol) -> None:
    """Title, guidelines, questions with their answers and examples, score and source."""
    out = terminal()
    out.print(
        Text.assemble((protocol.title, "bold"), f"  ({protocol.name}, version {protocol.version})")
    )
    out.print(Text(protocol.about))
    out.print()
    out.print(Padding(Markdown(protocol.guidelines), (0, 0, 1, 2)))
    for n, stage in enumerate(protocol.stages, 1):
        _print_stage(stage, f"Stage {n}: shown" if len(protocol.stages) > 1 else "Shown")
    for line in _facts(protocol):
        out.print(Text(line))


def _print_stage(stage: Stage, heading: str) -> None:
    out = terminal()
    out.print(Text.assemble((heading, "bold"), f": {', '.join(stage.show)}"))
    for question in stage.questions:
        _print_question(question)


def _print_question(question: Question) -> None:
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
    texts = (example.translation,) if isinstance(example.translation, str) else example.translation
    told = ("context", "source", "reference")
    shown = [(name, str(getattr(example, name))) for name in told]
    shown += [
        ("translation" if len(texts) == 1 else f"translation {n}", t)
        for n, t in enumerate(texts, 1)
    ]
    reasons = (("answer", str(example.answer)), ("because", example.because))
    rows = [(name, text) for name, text in (*shown, *reasons) if text]
    terminal().print()
    print_table(("example", ""), rows)


def _facts(protocol: Protocol) -> Iterator[str]:
    yield ""
    if protocol.score:
        yield f"Score: {protocol.score.rule} of {', '.join(protocol.score.questions)}"
    if protocol.order:
        yield "Order: " + " > ".join("-".join(map(str, place.values())) for place in protocol.order)
    if any(getattr(question, "not_applicable", False) for question in protocol.questions.values()):
        yield f"Not applicable ('{NA}') is an answer of its own and takes no part in the score."
    yield f"Decisions are {'final' if protocol.final else 'open to revision'}."
    yield f"Source: {protocol.citation}"
