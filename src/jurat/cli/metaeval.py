"""`jurat metaeval`: how far automatic metrics say what people say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from jurat.cli.shell.analysis import evaluation_of, run, settings_of
from jurat.cli.shell.intake import analysing_options, names
from jurat.cli.shell.results import output_options
from jurat.cli.shell.store import store_option

if TYPE_CHECKING:
    import polars as pl

    from jurat.stats import Evaluation
    from jurat.stats.metaeval.scores import Scores
    from jurat.stats.metaeval.settings import MetricSettings
    from jurat.stats.metaeval.texts import Texts
    from jurat.tables import Intake

Command = TypeVar("Command", bound=Callable[..., Any])
CHOICES = (
    "lower_better",
    "undefined",
    "metric_ties",
    "step",
    "grouping",
    "kendall",
    "compared",
    "permutations",
)
"""Options that are passed on as they are."""


def _scores_options(command: Command) -> Command:
    """Give a command the options about the metrics and their scores."""
    for option in (
        click.option(
            "--metrics", type=names, default="", help="Columns of scores (default: all numbers)."
        ),
        click.option(
            "--scores-columns",
            default="",
            metavar="MAP",
            help="As --columns, for SCORES (default: what --columns says of place and system).",
        ),
        click.option(
            "--lower-better-metrics",
            "lower_metrics",
            type=names,
            default="",
            help="Metrics of which low scores are good (TER, WER and the like are known).",
        ),
        click.option(
            "--step",
            default="",
            metavar="NUMBER",
            help="Width of the steps of differences: 0.05, or BLEU=5,TER=0.1 "
            "(default: 0.1 on scales to 1, 10 on scales to 100).",
        ),
        click.option(
            "--metric-ties",
            type=click.Choice(["inconsistent", "half", "skip"]),
            default="inconsistent",
            show_default=True,
            help="Pairs that the metric scores alike, in the consistency.",
        ),
        click.option(
            "--undefined",
            type=click.Choice(["zero", "skip"]),
            default="zero",
            show_default=True,
            help="Segments without a rank correlation, because all is tied.",
        ),
    ):
        command = option(command)
    return command


def _wmt_options(command: Command) -> Command:
    """Give a command the options of WMT's statistics."""
    for option in (
        click.option(
            "--grouping",
            type=click.Choice(["none", "item", "system"]),
            help="Correlate all segments at once, a segment's systems, or a system's segments "
            "(default: none; item where pairs are counted).",
        ),
        click.option(
            "--kendall",
            type=click.Choice(["b", "c", "23", "wmt12", "wmt13", "wmt14", "wmt20"]),
            help="The variant of Kendall's tau (default: b; wmt14 of preferences).",
        ),
        click.option(
            "--compare",
            "compared",
            type=click.Choice(
                [
                    "pearson",
                    "acceq",
                    "consistency",
                    "spa",
                    "system-pearson",
                    "system-spearman",
                    "system-kendall",
                ]
            ),
            help="By what metrics are told apart (default: pearson; consistency of preferences, "
            "system-pearson where only systems have scores).",
        ),
        click.option(
            "--permutations",
            default=1000,
            show_default=True,
            type=click.IntRange(1),
            help="Of the tests that tell metrics apart.",
        ),
    ):
        command = option(command)
    return command


@click.command(name="metaeval")
@click.argument("judgments", nargs=-1, metavar="JUDGMENTS", type=click.Path(path_type=Path))
@click.argument("scores", metavar="SCORES", type=click.Path(path_type=Path))
@analysing_options
@click.option("--campaign", metavar="NAME", help="A campaign's judgments instead of a file.")
@click.option(
    "--judges",
    type=names,
    default="",
    help="Columns that each hold the answers of one judge, or of a model that judges.",
)
@click.option("--lower-better", is_flag=True, help="Low judgments are good ones: ranks, errors.")
@_scores_options
@_wmt_options
@click.option(
    "--texts",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The translations: a column each system, or columns segment, system, text.",
)
@click.option("--texts-columns", default="", metavar="MAP", help="As --columns, for that file.")
@click.option(
    "--discordant",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the pairs on which most judges contradict a metric to this table.",
)
@click.option("--force", is_flag=True, help="Write over that file if it exists.")
@store_option
@output_options
def command(judgments: tuple[Path, ...], scores: Path, **options: Any) -> None:
    """Metrics against people: from which difference on a metric means something to them.

    JUDGMENTS are ratings, ranks or preferences, SCORES the metrics' of the same segments; both may
    be the same wide file.

    \b
    Example:
      jurat metaeval ratings.csv scores.tsv --columns segment=seg,system=mt,value=rating
    """
    evaluation = _evaluation(judgments, options)
    settings = _settings(scores, evaluation, options)
    if options["discordant"]:
        _list_discordant(evaluation, settings, options)
    run("metaeval", evaluation, settings, options["form"])


def _evaluation(judgments: tuple[Path, ...], options: dict[str, Any]) -> Evaluation:
    """The judgments and preferences; systems with the same output are scored each for itself."""
    prepare = partial(_with_judges, judges=options["judges"]) if options["judges"] else None
    asked = {**options, "joined": "split"}
    return evaluation_of(judgments, asked, takes=("judgments", "preferences"), prepare=prepare)


def _with_judges(table: pl.DataFrame, intake: Intake, *, judges: tuple[str, ...]) -> pl.DataFrame:
    """Columns of judges as rows."""
    from jurat.faults import complain
    from jurat.tables.columns import JUDGMENTS
    from jurat.tables.intake import columns_named
    from jurat.tables.mapping import parse_columns
    from jurat.tables.shapes import lengthen

    told = {*parse_columns(intake.columns, JUDGMENTS.schema)}
    for name in ("judge", "value"):
        if name in told:
            raise complain(f"--judges and {name}=… in --columns cannot be used together")
    if intake.questions or intake.systems:
        raise complain("--judges cannot be used together with --questions or --systems")
    return lengthen(table, columns_named(judges, table), "judge")


def _settings(path: Path, evaluation: Evaluation, options: dict[str, Any]) -> MetricSettings:
    from jurat.stats.metaeval.settings import MetricSettings

    chosen = {name: options[name] for name in CHOICES if options[name] is not None}
    return MetricSettings(
        **settings_of(options),
        **chosen,
        scores=_scores(path, options),
        texts=_texts(evaluation, options),
    )


def _scores(path: Path, options: dict[str, Any]) -> Scores:
    from jurat.cli.shell.files import read_file
    from jurat.cli.shell.intake import intake_of
    from jurat.stats.metaeval.reading import read_scores
    from jurat.tables import read_table

    return read_scores(
        read_table(read_file(path)),
        columns=options["scores_columns"],
        metrics=options["metrics"],
        lower=options["lower_metrics"],
        intake=intake_of(options),
        judged_columns=options["judges"],
    )


def _texts(evaluation: Evaluation, options: dict[str, Any]) -> Texts | None:
    """The translations, from their own file or from beside the judgments."""
    from jurat.cli.shell.files import read_file
    from jurat.stats.metaeval.texts import read_texts, texts_among
    from jurat.tables import read_table

    if options["texts"] is None:
        return texts_among(evaluation.judged)
    named = [n for n in ("system", "system_a", "system_b") if n in evaluation.columns]
    tables = (evaluation.judged, evaluation.compared)
    systems = {
        str(system)
        for table in tables
        for name in named
        if name in table.columns
        for system in table[name].unique().drop_nulls()
    }
    table = read_table(read_file(options["texts"]))
    return read_texts(table, sorted(systems), columns=options["texts_columns"])


def _list_discordant(
    evaluation: Evaluation, settings: MetricSettings, options: dict[str, Any]
) -> None:
    """Write the pairs on which people and metrics part."""
    from jurat.cli.shell.files import writable, write_file
    from jurat.cli.shell.printing import counted
    from jurat.stats.metaeval.discordant import discordant_pairs
    from jurat.tables import write_table

    path: Path = options["discordant"]
    writable(path, force=options["force"])
    found = discordant_pairs(evaluation, settings)
    data = write_table(found, path.suffix.removeprefix(".").lower())
    write_file(path, data, force=options["force"])
    click.echo(f"{path}: {counted(found.height, 'pair')}", err=True)
