"""`jurat score`: scores of automatic metrics, and tests between systems."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import (
    bootstrap_option,
    choice,
    confidence_option,
    file_option,
    force_option,
    setting,
)
from jurat.cli._common.analysis_record import analysis_record
from jurat.cli._common.result_file_options import (
    TABLES,
    check_ending,
    check_files,
    figure_option,
    write_figure,
    write_results,
)
from jurat.cli._common.result_output import Form, output_options, print_results, print_summary
from jurat.cli._common.statistic_choice import statistic_options
from jurat.cli._common.terminal_output import tracker
from jurat.errors import counted
from jurat.files import read_file, writable, write_file

if TYPE_CHECKING:
    from jurat.library.scoring_texts import ScoringTexts
    from jurat.metrics.metric import Metric
    from jurat.results import Result
    from jurat.stats.metric_scores.counts import MetricCounts, ReferenceSet

DEFAULT = "bleu,chrf"
# Endings of files with the scores; the other endings of --out are of files with the results.
OF_TABLES = ("csv", "tsv", "jsonl", "parquet")
SCORE = "metric-score"
# Options that are fields of `ScoreSettings`.
SETTINGS = ("seed", "bootstrap", "confidence", "test", "trials", "correction", "draw")


class MetricsCommand(click.Command):
    """A command whose help lists the metrics."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the name and purpose of every metric."""
        from jurat.metrics import metrics

        with formatter.section("Metrics"):
            formatter.write_dl([(kind.name, _purpose(kind)) for kind in metrics()])


@click.command(name="score", cls=MetricsCommand)
@click.argument("systems", nargs=-1, metavar="SYS...")
@setting(
    "--metric",
    "metric",
    default=DEFAULT,
    metavar="NAMES",
    help="Metrics, with options where needed: bleu:tokenize=13a,lowercase=true,ter.",
)
@click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="REF",
    help="Reference, in the same forms as SYS; repeatable (default: the test set's own).",
)
@click.option("--each-reference", is_flag=True, help="Score against each reference separately.")
@setting(
    "--level",
    type=click.Choice(["segment", "document", "corpus"]),
    default="corpus",
    help="What gets a score.",
)
@click.option(
    "--documents",
    metavar="FILE",
    help="Document (and, after a tab, id) of each segment, line by line; or FILE:column,column.",
)
@bootstrap_option("Resamples for intervals and tests (more for many pairs); 0 for none.")
@confidence_option("Confidence level; significant means p < 1 − this.")
@setting(
    "--test",
    "--method",
    "test",
    type=click.Choice(["bootstrap", "randomisation", "sacrebleu-bootstrap"]),
    default="bootstrap",
    help="Significance test between two systems.",
)
@setting(
    "--trials", default=10_000, type=click.IntRange(1), help="Trials of the randomisation test."
)
@choice("--correction", ["holm", "bh", "none"], "Correction for many pairs of systems.")
@click.option(
    "--unit",
    type=click.Choice(["document", "segment"]),
    help="What tests and intervals take as independent [default: documents where known].",
)
@click.option(
    "--draw",
    type=click.Choice(["segments", "documents"]),
    help="The same as --unit, in the plural.",
)
@setting("--seed", default=1, help="Random seed; the same seed gives the same intervals.")
@click.option(
    "--jobs", type=click.IntRange(1), help="Number of threads (default: one per processor)."
)
@file_option(
    "--out",
    help="Also write all segments' and systems' scores to a table for `jurat metaeval`: .csv, "
    ".tsv, .jsonl or .parquet; or what is printed: .json, .xlsx, .tex, .html or .md.",
)
@figure_option
@force_option
@statistic_options
@output_options
def command(systems: tuple[str, ...], **options: Any) -> None:
    """Score systems with automatic metrics.

    Differences between systems are tested.

    SYS and REF are text files (a line per segment), columns of tables or fields of JSON Lines
    (FILE.tsv:column,column), or test sets. NAME=FILE gives a file another name.

    \b
    Examples:
      jurat score --metric bleu,ter --reference ref.txt cedar.txt birch.txt
      jurat score try-out/testset.jsonl --level document
    """
    from jurat.library.scoring_texts import check_segment_ids, read_texts
    from jurat.metrics import parse_metrics

    if not systems:
        raise click.UsageError("Give at least one SYS: a file, a column of a table, or a test set.")
    _check_files(options)
    # parsed before texts are read, so that a wrong option is reported at once
    metrics = parse_metrics(options["metric"], read_file)
    texts = read_texts(systems, options["references"], options["documents"])
    if options["out"] or options["level"] == "segment":
        check_segment_ids(texts)
    jobs = options["jobs"] or _processors()
    _check_documents(texts, options)
    # a list, so that warnings about empty references come before the progress bar
    against = list(_against(texts, each=options["each_reference"]))
    scored = _count(texts, metrics, against, jobs)
    found = list(_results(scored, options, jobs))
    write_figure([result for result in found if result.name == SCORE], options)
    if options["out"] and _ending(options["out"]) not in OF_TABLES:
        write_results(found, options, analysis=partial(analysis_record, {}))
    elif options["out"]:
        _write(scored, options["out"], force=options["force"])
    _print(found, options)


def _print(results: Sequence[Result], options: dict[str, Any]) -> None:
    """Print a summary of whole systems; all results where more or less was asked for."""
    from jurat.cli._common.shown_by_default import of_scores

    chosen = options["statistic"]
    if options["form"] or options["full"] or chosen or options["level"] != "corpus":
        told = [result for result in results if not chosen or result.name in chosen]
        form = Form(options["form"], record=partial(analysis_record, {}))
        print_results(told, form, every_row=bool(chosen and options["full"]))
    else:
        print_summary([of_scores(results)], results)


def _check_files(options: dict[str, Any]) -> None:
    """Raise `InputError` if a file to be written exists, or its ending is not known."""
    if options["out"]:
        check_ending(options["out"], (*OF_TABLES, *TABLES))
        writable(options["out"], force=options["force"])
    check_files({**options, "out": None})


def _ending(out: Path) -> str:
    return out.suffix.removeprefix(".").lower()


def _check_documents(texts: ScoringTexts, options: dict[str, Any]) -> None:
    asked = [
        f"--{name} {options[name]}"
        for name in ("level", "unit", "draw")
        if (options[name] or "").startswith("document")
    ]
    if asked and not texts.documents:
        raise click.UsageError(f"{asked[0]} needs documents: give --documents FILE.")


def _drawn(options: dict[str, Any]) -> str:
    """What is resampled, from `--unit` or `--draw`; empty where neither is given."""
    by_unit = f"{options['unit']}s" if options["unit"] else ""
    if by_unit and options["draw"] and by_unit != options["draw"]:
        raise click.UsageError("--unit and --draw say different things: give one of them.")
    return by_unit or options["draw"] or ""


def _against(texts: ScoringTexts, *, each: bool) -> Iterator[ReferenceSet]:
    """All references together, or each separately; warns on stderr of empty ones."""
    from jurat.library.scoring_texts import reference_sets

    for one, warning in reference_sets(texts, each=each):
        if warning:
            click.echo(warning, err=True)
        yield one


def _count(
    texts: ScoringTexts, metrics: Sequence[Metric], against: Sequence[ReferenceSet], jobs: int
) -> list[MetricCounts]:
    from jurat.metrics._kernels import are_compiled
    from jurat.stats.metric_scores.counts import count_metrics

    work = texts.size * len(texts.systems) * len(metrics) * len(against)
    what = "scoring" if are_compiled() else "compiling metrics, the first time only; then scoring"
    with tracker(what, work) as advance:
        return count_metrics(
            texts.groups(),
            metrics,
            against,
            documents=texts.documents,
            segments=texts.segments,
            about=texts.about,
            own=texts.own,
            jobs=jobs,
            progress=advance,
        )


def _results(
    scored: Sequence[MetricCounts], options: dict[str, Any], jobs: int
) -> Iterator[Result]:
    from jurat.stats.metric_scores.results import results
    from jurat.stats.settings import ScoreSettings

    given = {name: options[name] for name in SETTINGS}
    settings = ScoreSettings(**{**given, "draw": _drawn(options)}, jobs=jobs)
    for one in scored:
        yield from results(one, settings, level=options["level"], apart=options["each_reference"])


def _write(scored: Sequence[MetricCounts], out: Path, *, force: bool) -> None:
    from jurat.stats.metric_scores.counts import score_table
    from jurat.tables import write_table

    table = score_table(scored)
    write_file(out, write_table(table, _ending(out)), force=force)
    # stdout has to stay readable for programs
    click.echo(f"{out}: {counted(table.height, 'row')}", err=True)


def _purpose(kind: type[Metric]) -> str:
    """The first line of a metric's docstring."""
    return (kind.__doc__ or kind.title).strip().splitlines()[0]


def _processors() -> int:
    # in a container, fewer processors may be available than the machine has
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
