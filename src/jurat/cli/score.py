"""`jurat score`: automatic metrics of systems, and which of them differ by more than chance."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli.shell.results import output_options

if TYPE_CHECKING:
    from jurat.cli.shell.texts import Texts
    from jurat.metrics.metric import Metric
    from jurat.results import Result
    from jurat.stats.scores.counting import Against
    from jurat.stats.scores.scored import Scored

DEFAULT = "bleu,chrf"
OWN = ("seed", "bootstrap", "confidence", "test", "trials", "correction", "draw")


class Listing(click.Command):
    """A command whose help ends with the metrics that there are."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Name, title and purpose of every metric."""
        from jurat.metrics import metrics

        with formatter.section("Metrics"):
            formatter.write_dl([(kind.name, _purpose(kind)) for kind in metrics()])


@click.command(name="score", cls=Listing)
@click.argument("systems", nargs=-1, metavar="SYS...")
@click.option(
    "--metric",
    "metric",
    default=DEFAULT,
    show_default=True,
    metavar="NAMES",
    help="Metrics, each with options if need be: bleu:tokenize=13a,lowercase=true,ter.",
)
@click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="REF",
    help="What to score against, as SYS; several are used together. Default: the test set's own.",
)
@click.option("--each-reference", is_flag=True, help="Score against each reference apart.")
@click.option(
    "--level",
    type=click.Choice(["segment", "document", "corpus"]),
    default="corpus",
    show_default=True,
    help="What has a score of its own.",
)
@click.option(
    "--documents",
    metavar="FILE",
    help="A line a segment: its document and, after a tab, its id; or FILE:column,column.",
)
@click.option(
    "--bootstrap",
    default=1000,
    show_default=True,
    type=click.IntRange(0),
    help="Resamples for intervals and tests, which take more for many pairs; 0 for none.",
)
@click.option(
    "--confidence",
    default=0.95,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Of the intervals; what is told apart has p < 1 − this.",
)
@click.option(
    "--test",
    "--method",
    "test",
    type=click.Choice(["bootstrap", "randomisation", "sacrebleu-bootstrap"]),
    default="bootstrap",
    show_default=True,
    help="How two systems are told apart.",
)
@click.option(
    "--trials",
    default=10_000,
    show_default=True,
    type=click.IntRange(1),
    help="Of the test by randomisation.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "none"]),
    default="holm",
    show_default=True,
    help="For many pairs of systems.",
)
@click.option(
    "--draw",
    type=click.Choice(["segments", "documents"]),
    default="segments",
    show_default=True,
    help="What is drawn for intervals and tests.",
)
@click.option("--seed", default=1, show_default=True, help="The same seed, the same intervals.")
@click.option(
    "--jobs", type=click.IntRange(1), help="Threads (default: as many as there are processors)."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write a table of all segments' and systems' scores, as `jurat metaeval` reads it.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@output_options
def command(systems: tuple[str, ...], **options: Any) -> None:
    """Scores of automatic metrics, and which systems differ by more than chance.

    SYS and REF are text files (a line a segment), columns of tables or fields of JSON Lines
    (FILE.tsv:column,column), or whole test sets; NAME=FILE gives another name.

    \b
    Examples:
      jurat score --metric bleu,ter --reference ref.txt cedar.txt birch.txt
      jurat score try-out/testset.jsonl --level document
    """
    from jurat.cli.shell.files import read_file
    from jurat.cli.shell.results import print_results
    from jurat.cli.shell.texts import read_texts
    from jurat.metrics.options import parse_metrics

    if not systems:
        raise click.UsageError("Name at least one SYS: a file, a column of a table, or a test set.")
    if options["out"]:
        _check_out(options["out"], force=options["force"])
    metrics = parse_metrics(options["metric"], read_file)
    texts = read_texts(systems, options["references"], options["documents"])
    jobs = options["jobs"] or _processors()
    _check_documents(texts, options)
    against = list(_against(texts, each=options["each_reference"]))
    scored = _count(texts, metrics, against, jobs)
    print_results(list(_results(scored, options, jobs)), options["form"])
    if options["out"]:
        _write(scored, options["out"], force=options["force"], quiet=bool(options["form"]))


def _check_out(out: Path, *, force: bool) -> None:
    """Refuse before the work what could not be written after it."""
    from jurat.cli.shell.files import writable
    from jurat.faults import unknown
    from jurat.tables import ENDINGS

    writable(out, force=force)
    if _ending(out) not in ENDINGS:
        raise unknown("kind of table", _ending(out), ENDINGS, file=str(out))


def _ending(out: Path) -> str:
    return out.suffix.removeprefix(".").lower()


def _check_documents(texts: Texts, options: dict[str, Any]) -> None:
    asked = [
        f"--{name} {options[name]}"
        for name in ("level", "draw")
        if options[name].startswith("document")
    ]
    if asked and not texts.documents:
        raise click.UsageError(f"{asked[0]} needs documents: name them with --documents FILE.")


def _against(texts: Texts, *, each: bool) -> Iterator[Against]:
    """All references together, or each apart; a word on stderr where one is empty."""
    from jurat.cli.shell.texts import blank, together
    from jurat.stats.scores.counting import Against

    names = tuple(texts.references)
    for chosen in [(name,) for name in names] if each else [names]:
        rows = together([texts.references[name] for name in chosen])
        if words := blank(rows):
            click.echo(f"{'+'.join(chosen)}: {words}", err=True)
        yield Against(names=chosen, references=rows)


def _count(
    texts: Texts, metrics: Sequence[Metric], against: Sequence[Against], jobs: int
) -> list[Scored]:
    from jurat.cli.shell.printing import tracker
    from jurat.stats.scores.counting import count

    work = texts.size * len(texts.systems) * len(metrics) * len(against)
    with tracker("scoring", work) as advance:
        return count(
            texts.groups(),
            metrics,
            against,
            documents=texts.documents,
            segments=texts.segments,
            own=texts.own,
            jobs=jobs,
            progress=advance,
        )


def _results(scored: Sequence[Scored], options: dict[str, Any], jobs: int) -> Iterator[Result]:
    from jurat.stats.scores.choices import ScoreSettings
    from jurat.stats.scores.comparing import results

    settings = ScoreSettings(**{name: options[name] for name in OWN}, jobs=jobs)
    for one in scored:
        yield from results(one, settings, level=options["level"], apart=options["each_reference"])


def _write(scored: Sequence[Scored], out: Path, *, force: bool, quiet: bool) -> None:
    from jurat.cli.shell.files import write_file
    from jurat.cli.shell.printing import counted
    from jurat.stats.scores.table import score_table
    from jurat.tables import write_table

    table = score_table(scored)
    write_file(out, write_table(table, _ending(out)), force=force)
    click.echo(f"{out}: {counted(table.height, 'row')}", err=quiet)


def _purpose(kind: type[Metric]) -> str:
    """The first line of what a metric says of itself."""
    return (kind.__doc__ or kind.title).strip().splitlines()[0]


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
