"""`jurat metaeval`: how well automatic metrics agree with human judgments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import (
    Command,
    choice,
    file_option,
    names_option,
    setting,
    with_options,
)
from jurat.cli._common.analysis import (
    analysing_options,
    campaign_option,
    evaluation_of,
    intake_of,
    method_option,
    other_table,
    print_analysis,
    settings_of,
)
from jurat.cli._common.result_output import result_options
from jurat.cli._common.store_address import store_option
from jurat.errors import counted
from jurat.files import read_sources, writable, write_file

if TYPE_CHECKING:
    from jurat.stats import Evaluation
    from jurat.stats.metaeval.input_tables import MetricScores, TranslationTexts
    from jurat.stats.settings import MetricSettings


def _scores_options(command: Command) -> Command:
    """The command with the options about metrics and their scores."""
    options = (
        names_option("--metrics", help="Columns of metric scores (default: all numeric columns)."),
        click.option(
            "--scores-columns",
            default="",
            metavar="MAP",
            help="--columns for SCORES (default: the document, segment and system of --columns).",
        ),
        click.option(
            "--allow-unmatched",
            is_flag=True,
            help="Go on where many judgments and scores (or texts) find no partner.",
        ),
        names_option(
            "--lower-better-metrics",
            "lower_metrics",
            help="Metrics whose low scores are better (TER, WER and the like are known).",
        ),
        click.option(
            "--step",
            default="",
            metavar="NUMBER",
            help="Bin width for score differences: 0.05, or BLEU=5,TER=0.1 "
            "(default: 0.1 on scales to 1, 10 on scales to 100).",
        ),
        choice(
            "--metric-ties",
            ["inconsistent", "half", "skip"],
            "How consistency counts pairs that the metric ties.",
        ),
        choice(
            "--undefined",
            ["zero", "skip"],
            "How to count segments without a rank correlation (all tied).",
        ),
    )
    return with_options(command, options)


def _wmt_options(command: Command) -> Command:
    """The command with the options of WMT's statistics."""
    options = (
        click.option(
            "--grouping",
            type=click.Choice(["none", "item", "system"]),
            help="Correlate over all segments, within segments, or within systems "
            "(default: none; item where pairs are counted).",
        ),
        click.option(
            "--kendall",
            type=click.Choice(["b", "c", "23", "wmt12", "wmt13", "wmt14", "wmt20"]),
            help="Variant of Kendall's tau (default: b; wmt14 for preferences).",
        ),
        click.option(
            "--compare",
            type=click.Choice(
                [
                    "pearson",
                    "pdp",
                    "acceq",
                    "consistency",
                    "spa",
                    "system-pearson",
                    "system-spearman",
                    "system-kendall",
                ]
            ),
            help="Statistic to compare metrics by (default: pearson; consistency for preferences, "
            "system-pearson where only systems have scores).",
        ),
        setting(
            "--permutations",
            default=1000,
            type=click.IntRange(1),
            help="Permutations of --method perm-both, mt-metrics-eval's test of two metrics.",
        ),
    )
    return with_options(command, options)


@click.command(name="metaeval")
@click.argument("judgments", nargs=-1, metavar="JUDGMENTS", type=click.Path(path_type=Path))
@click.argument("scores", metavar="SCORES", type=click.Path(path_type=Path))
@analysing_options
@campaign_option
@click.option(
    "--lower-better", is_flag=True, help="Low judgments are better, as for ranks or errors."
)
@_scores_options
@_wmt_options
@method_option("perm-both")
@file_option(
    "--texts", help="Table of translations: a column per system, or columns segment, system, text."
)
@click.option("--texts-columns", default="", metavar="MAP", help="--columns for that table.")
@file_option(
    "--discordant", help="Write the pairs on which most judges contradict a metric to this file."
)
@store_option
@result_options
def command(judgments: tuple[Path, ...], scores: Path, **options: Any) -> None:
    """Measure how well metrics agree with human judgments.

    JUDGMENTS are ratings, ranks or preferences; SCORES are metric scores of the same segments. Both
    may be the same wide file.

    \b
    Example:
      jurat metaeval ratings.csv scores.tsv --columns segment=seg,system=mt,value=rating
    """
    evaluation = _evaluation(judgments, options)
    settings = _settings(scores, evaluation, options)
    if options["discordant"]:
        _list_discordant(evaluation, settings, options)
    print_analysis("metaeval", evaluation, settings, options)


def _evaluation(judgments: tuple[Path, ...], options: dict[str, Any]) -> Evaluation:
    """The judgments and preferences of JUDGMENTS or of the campaign."""
    # metrics score each system, also where judges saw one text that several systems produced
    if not judgments and not options["campaign"]:
        message = "Give JUDGMENTS and SCORES (a file that has both is given twice), or --campaign."
        raise click.UsageError(message)
    asked = {**options, "joined": "split"}
    takes = ("judgments", "preferences")
    return evaluation_of(judgments, asked, takes=takes, with_texts=True)


def _settings(path: Path, evaluation: Evaluation, options: dict[str, Any]) -> MetricSettings:
    from jurat.library.metric_scores import check_numbering
    from jurat.stats.settings import MetricSettings

    scores = _scores(path, options)
    if not options["allow_unmatched"]:
        check_numbering(evaluation, scores)
    tables = {"scores": scores, "texts": _texts(evaluation, options)}
    return settings_of(MetricSettings, options, **tables)


def _scores(path: Path, options: dict[str, Any]) -> MetricScores:
    from jurat.formats import read_scores_table
    from jurat.library.metric_scores import metric_scores

    return metric_scores(
        read_scores_table(read_sources([path])),
        intake_of(options),
        columns=options["scores_columns"],
        metrics=options["metrics"],
        lower=options["lower_metrics"],
    )


def _texts(evaluation: Evaluation, options: dict[str, Any]) -> TranslationTexts | None:
    """The translations, from the file of `--texts` or from columns of the judgments."""
    from jurat.stats.metaeval.input_tables import read_system_texts, texts_from_judgments

    if options["texts"] is None:
        return texts_from_judgments(evaluation.judged)
    table = other_table(options["texts"])
    tables = (evaluation.judged, evaluation.compared)
    return read_system_texts(table, tables, columns=options["texts_columns"])


def _list_discordant(
    evaluation: Evaluation, settings: MetricSettings, options: dict[str, Any]
) -> None:
    """Write the pairs on which most judges contradict a metric."""
    from jurat.stats.metaeval.disagreements import discordant_pairs
    from jurat.tables import write_table

    path: Path = options["discordant"]
    # checked before the computation, which may take minutes
    writable(path, force=options["force"])
    found = discordant_pairs(evaluation, settings)
    data = write_table(found, path.suffix.removeprefix(".").lower())
    write_file(path, data, force=options["force"])
    click.echo(f"{path}: {counted(found.height, 'pair')}", err=True)
