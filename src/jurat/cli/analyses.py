"""The commands that compute the statistics of one folder of `jurat.stats` from judgments.

`agreement`, `bias`, `diagnose`, `fatigue`, `heval`, `model-agreement`, `preferences`,
`suggestions`, `systems` and `time` differ in their options alone: each reads its tables, makes its
settings, and calls `print_analysis`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import (
    POSITIVE,
    Command,
    choice,
    column_option,
    expression_option,
    file_option,
    names_option,
    setting,
    with_options,
)
from jurat.cli._common.analysis import (
    analysis_options,
    evaluation_of,
    method_option,
    other_table,
    print_analysis,
    settings_of,
    tables_of,
)
from jurat.errors import InputError
from jurat.files import read_file

if TYPE_CHECKING:
    import polars as pl

    from jurat.stats import Evaluation

# Options about FILE that do not apply to the second file, `--judgments`.
NO_FILE: dict[str, Any] = {"campaign": None, "items": None, "by": (), "where": "", "exclude": ()}

source_option = click.option(
    "--source", metavar="NAME", help="Group that saw the source [default: source]."
)


def rank_options(command: Command) -> Command:
    """Give a command `--ties` and `--ranks`: what happens where systems are equally good."""
    ties = "Who is best when k systems tie: each gets 1/k, all, the first by name, or none."
    options = (
        choice("--ties", ["share", "all", "first", "none"], ties),
        choice("--ranks", ["minimum", "dense"], "Ranks after a tie: 1, 1, 3 or 1, 1, 2."),
    )
    return with_options(command, options)


@click.command(name="agreement")
@analysis_options
@method_option("exact", "sampled", "irrcac", "fleiss-cohen-everitt")
@file_option("--spans", help="Marked errors of the same judgments (judgments.spans.csv).")
@click.option(
    "--draw",
    type=click.Choice(["judges"]),
    help="Give intervals that hold for new judges, too; needs 3 judges.",
)
@file_option("--against", help="Compare agreement with that of this table, read the same way.")
def agreement(files: tuple[Path, ...], **options: Any) -> None:
    """Measure how well judges agree, also with themselves.

    \b
    Example:
      jurat agreement ratings.csv --columns judge=judge_id,item=doc+seg+mt,value=rating
    """
    from jurat.library.evaluation_from_tables import with_other, with_spans
    from jurat.stats.settings import AgreementSettings

    evaluation = evaluation_of(files, options, takes=("judgments", "spans"))
    if options["spans"]:
        # a campaign has its spans; with a file of ratings, they are in a second file
        evaluation = with_spans(evaluation, other_table(options["spans"]))
    if options["against"]:
        other = evaluation_of((options["against"],), {**options, "campaign": None})
        evaluation = with_other(evaluation, other, options["against"].name)
    print_analysis("agreement", evaluation, settings_of(AgreementSettings, options), options)


@click.command(name="bias")
@click.option("--group", required=True, metavar="COLUMN", help="Column that says what judges saw.")
@source_option
@file_option(
    "--texts", help="Table of the segments' texts; a reference's column is named like its group."
)
@names_option("--references", help="Columns of --texts that are references.")
@column_option("--metric", help="Column of metric scores to compare with the group means.")
@setting(
    "--similarity",
    default="word-f1",
    metavar="NAMES",
    help="Metrics that measure how similar references are, as in `jurat score`.",
)
@analysis_options
@method_option("exact", "sampled")
def bias(files: tuple[Path, ...], **options: Any) -> None:
    """Test whether the reference shown changes judges' scores.

    With --method sampled, agreement comes from pairs of judges drawn at random, as in the paper.

    \b
    Example:
      jurat bias --campaign sample --group reference
    """
    from jurat.library.evaluation_from_tables import with_texts
    from jurat.metrics import parse_metrics
    from jurat.stats.settings import BiasSettings

    table = other_table(options["texts"]) if options["texts"] else None
    # parsed here, because a metric's options may name files, which only commands read
    similarity = tuple(parse_metrics(options["similarity"], read_file))
    settings = settings_of(BiasSettings, options, texts=table, similarity=similarity)
    evaluation = with_texts(evaluation_of(files, options), settings)
    print_analysis("bias", evaluation, settings, options)


@click.command(name="diagnose")
@analysis_options
@method_option("mixed", "rasch")
@setting("--k", default=1.0, help="Standard deviations from the mean that make an outlier.")
@click.option(
    "--easy",
    default="",
    metavar="RULE",
    help="Items that deserve the top score: length=5 (words at most), frequency=3 (segments with "
    "the same sentence), genre=weather (a tag), list=FILE, or a condition "
    "(default: the column easy, or control == 'easy').",
)
@click.option("--top", type=float, help="The top score (default: the highest score given).")
@expression_option("--controls", help="Degraded items (default: control == 'degraded').")
def diagnose(files: tuple[Path, ...], **options: Any) -> None:
    """Find judges who stand out.

    Shows in which ways they differ, and what leaving them out would change.

    \b
    Example:
      jurat diagnose ratings.csv --columns judge=judge_id,item=doc+seg+mt,value=rating
    """
    from jurat.stats.settings import JudgeSettings

    rule, mark = _easy_rule(options["easy"])
    # texts, since their words may tell which items are easy
    evaluation = evaluation_of(files, options, with_texts=bool(rule), mark=mark)
    # the folder of statistics is `judges`, but that command manages accounts
    print_analysis("judges", evaluation, settings_of(JudgeSettings, options, easy=rule), options)


def _easy_rule(text: str) -> tuple[str, Callable[[pl.DataFrame], pl.DataFrame] | None]:
    """The rule of `--easy`; where it names a list, also what marks the items of that list."""
    from jurat.stats.judges.easy_items import IS_LISTED, list_file, with_listed

    path = list_file(text)
    return (IS_LISTED, partial(with_listed, listed=other_table(path))) if path else (text, None)


@click.command(name="fatigue")
@column_option("--group", help="Column that says what judges saw.")
@source_option
@setting(
    "--slices",
    default=5,
    type=click.IntRange(2, 50),
    help="Number of slices that each judge's work is cut into.",
)
@analysis_options
@method_option("exact", "sampled")
def fatigue(files: tuple[Path, ...], **options: Any) -> None:
    """Test whether judges change as they go on.

    Compares agreement and spread between slices of each judge's work.

    \b
    Example:
      jurat fatigue --campaign sample --slices 4
    """
    from jurat.stats.settings import FatigueSettings

    settings = settings_of(FatigueSettings, options)
    print_analysis("fatigue", evaluation_of(files, options), settings, options)


@click.command(name="heval")
@analysis_options
@method_option("features", "scores")
@choice("--level", ["system", "document", "segment"], "What gets a score.")
@choice("--average", ["sentences", "documents"], "What counts equally in a system's score.")
@names_option("--features", help="Questions that are features (default: all).")
@names_option("--with", "compared", help="Questions to correlate the scores with.")
@names_option("--only", help="Compare only these systems.")
@rank_options
@setting(
    "--construct",
    default="construct",
    metavar="COLUMN",
    help="Column with the grammatical construction of each sentence.",
)
@setting("--top", default=4.0, help="The best value of a feature.")
def heval(files: tuple[Path, ...], **options: Any) -> None:
    """Score systems by HEval's eleven features.

    Also shows what each system gets wrong.

    \b
    Example:
      jurat heval features.csv --questions tense,voice,order
    """
    from jurat.stats.settings import HEvalSettings

    settings = settings_of(HEvalSettings, options)
    print_analysis("heval", evaluation_of(files, options), settings, options)


@click.command(name="model-agreement")
@analysis_options
@method_option()
@setting(
    "--epsilon",
    default=0.1,
    type=click.FloatRange(0, 1),
    help="Alternative annotator test: how much more often a person may be closer to the others.",
)
def model_agreement(files: tuple[Path, ...], **options: Any) -> None:
    """Compare model judges with people, and score systems by both.

    Models are the judges with "model" in the column judge_kind, or those of --model-judges.

    \b
    Example:
      jurat model-agreement --campaign sample
    """
    from jurat.stats.model_judges.settings import ModelSettings

    settings = settings_of(ModelSettings, options)
    settings.refuse_method()
    told = {**options, "include_models": True}
    evaluation = evaluation_of(files, told, takes=("judgments", "preferences"), with_texts=True)
    print_analysis("model_judges", evaluation, settings, options)


@click.command(name="preferences")
@choice(
    "--joined",
    ["keep", "split"],
    "Systems with the same output, joined by +: one competitor, or one each.",
)
@choice(
    "--without-ties",
    ["items", "decisions"],
    "What to remove where ties are left out: whole items, or single decisions.",
)
@file_option("--judgments", help="Scores of the same segments, to compare with the preferences.")
@click.option("--judgments-columns", default="", metavar="MAP", help="--columns for that file.")
@click.option(
    "--protocol",
    metavar="NAME|FILE",
    help="Protocol whose order of answers counts (default: one that fits, else the numbers).",
)
@analysis_options
@method_option()
def preferences(files: tuple[Path, ...], **options: Any) -> None:
    """Show which system judges prefer, and how well they agree.

    \b
    Example:
      jurat preferences --campaign sample
    """
    from jurat.library.evaluation_from_tables import ordered_protocol
    from jurat.stats.settings import PreferenceSettings

    evaluation = _with_preferences(files, options)
    protocol = ordered_protocol(options["protocol"])
    settings = settings_of(PreferenceSettings, options, protocol=protocol)
    print_analysis("preferences", evaluation, settings, options)


def _with_preferences(files: tuple[Path, ...], options: dict[str, Any]) -> Evaluation:
    from jurat.library.evaluation_from_tables import check_preferences, with_judgments

    evaluation = evaluation_of(files, options, takes=("preferences", "judgments"))
    check_preferences(evaluation)
    if not options["judgments"]:
        return evaluation
    # the other file has columns of its own
    of_judgments = {**options, **NO_FILE, "columns": options["judgments_columns"]}
    return with_judgments(evaluation, evaluation_of([options["judgments"]], of_judgments).judgments)


@click.command(name="suggestions")
@analysis_options
@method_option()
def suggestions(files: tuple[Path, ...], **options: Any) -> None:
    """Tell what judges made of errors that were marked beforehand.

    FILE... are the tables judgments, spans and suggestions of a campaign.

    \b
    Example:
      jurat suggestions --campaign sample
    """
    from jurat.stats.suggestions.settings import SuggestionSettings

    read = tables_of(files, options)
    settings = settings_of(SuggestionSettings, options, table=read.tables.get("suggestions"))
    settings.refuse_method()
    evaluation = evaluation_of(files, options, takes=("judgments", "spans"), read=read)
    print_analysis("suggestions", evaluation, settings, options)


@click.command(name="systems")
@analysis_options
@method_option(
    *("mean", "segment-means", "cluster-robust", "permutation", "wilcoxon", "wmt-rank-sum"),
    *("wmt-signed-rank", "trueskill", "trueskill-sequential"),
    several=True,
)
@names_option("--only", help="Compare only these systems.")
@click.option("--lower-better", is_flag=True, help="Low values are better, as for errors or ranks.")
@rank_options
@choice(
    "--tied",
    ["skip", "half"],
    "Ties in the share of wins: leave them out, or count half a win for each.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "none"]),
    default=None,
    help="Correction for multiple tests (default: holm; none with WMT's methods).",
)
@click.option(
    "--macro",
    metavar="COLUMN",
    default="",
    help="Column over whose values scores are macro-averaged (default: domain).",
)
def systems(files: tuple[Path, ...], **options: Any) -> None:
    """Rank systems, with intervals and significance tests.

    Methods, at most one from each line, separated by commas:

    \b
      mean | segment-means                  a system's score
      cluster-robust | permutation | wilcoxon | wmt-rank-sum | wmt-signed-rank
                                            tests of two systems
      trueskill | trueskill-sequential      ratings

    The default test holds for new documents and new judges; permutation flips the signs of whole
    documents and holds for these judges; the others take sentences as independent.

    \b
    Example:
      jurat systems ratings.csv --columns judge=judge_id,item=doc+seg,system=mt,value=rating
    """
    from jurat.library.evaluation_from_tables import with_direction
    from jurat.stats.settings import SystemSettings

    settings = settings_of(SystemSettings, options)
    evaluation = evaluation_of(files, options, takes=("judgments", "preferences"))
    told = with_direction(evaluation, lower_better=options["lower_better"])
    print_analysis("systems", told, settings, options)


def expected_times(value: str) -> dict[str, float]:
    """Expected seconds per decision, by question: `30`, or `adequacy=40,preference=25`."""
    from jurat.library.options import expected_seconds

    try:
        return expected_seconds(value)
    except InputError as error:
        # click would drop the message of any other error
        raise click.BadParameter(str(error)) from None


@click.command(name="time")
@setting(
    "--cap",
    type=POSITIVE,
    default=120.0,
    help="Seconds; longer decisions are counted, and left out of seconds-capped.",
)
@column_option(
    "--length",
    help="Length of an item: a number, a name, or a text whose words are counted "
    "(default: length or words).",
)
@names_option("--parts", help="Columns with the seconds spent on parts of the screen.")
@click.option(
    "--estimated",
    type=expected_times,
    default="",
    metavar="SECONDS",
    help="Expected seconds per decision: 30, or adequacy=40,preference=25.",
)
@analysis_options
@method_option()
def time(files: tuple[Path, ...], **options: Any) -> None:
    """Show how long decisions take.

    By question, system, length, judge and document.

    \b
    Example:
      jurat time --campaign sample --estimated adequacy=40,preference=25
    """
    from jurat.stats.settings import TimeSettings
    from jurat.stats.time.decision_times import decisions

    # preferences take time, too, and `decisions` accepts tables with times but no answers
    takes = ("judgments", "preferences")
    evaluation = evaluation_of(files, options, takes=takes, prepare=decisions)
    print_analysis("time", evaluation, settings_of(TimeSettings, options), options)
