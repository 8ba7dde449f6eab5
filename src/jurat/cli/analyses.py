"""The commands that compute the statistics of one folder of `jurat.stats` from judgments.

`agreement`, `bias`, `diagnose`, `fatigue`, `heval`, `preferences`, `systems` and `time` differ in
their options alone: each reads its tables, makes its settings, and calls `run`.
"""

from __future__ import annotations

from dataclasses import replace
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
    split_names,
    with_options,
)
from jurat.cli._common.analysis import (
    analysis_options,
    evaluation_of,
    method_option,
    run,
    settings_of,
)
from jurat.errors import input_error
from jurat.files import read_file

if TYPE_CHECKING:
    import polars as pl

    from jurat.protocols import Protocol
    from jurat.stats import Evaluation
    from jurat.stats.settings import BiasSettings

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
    from jurat.stats.settings import AgreementSettings
    from jurat.tables import SPANS, conform, read_table

    evaluation = evaluation_of(files, options, takes=("judgments", "spans"))
    if options["spans"]:
        # a campaign has its spans; with a file of ratings, they are in a second file
        spans = conform(read_table(read_file(options["spans"])), SPANS)
        remarks = (*evaluation.remarks, *_span_partners(evaluation, spans))
        evaluation = replace(evaluation, spans=spans, remarks=remarks)
    if options["against"]:
        other = evaluation_of((options["against"],), {**options, "campaign": None})
        chosen = {**evaluation.chosen, "against": options["against"].name}
        evaluation = replace(evaluation, against=other, chosen=chosen)
    run("agreement", evaluation, settings_of(AgreementSettings, options), options)


def _span_partners(evaluation: Evaluation, spans: pl.DataFrame) -> tuple[str, ...]:
    """How many judgments that spans name are in the table of judgments."""
    from jurat.tables.intake import shared_items
    from jurat.tables.notes import Partners

    judged = shared_items(evaluation.judged)
    keys = [name for name in ("judge", "item") if name in spans.columns and name in judged.columns]
    found = Partners.of(spans, judged, keys, what="judgments with spans", where="the table")
    return (found.note("--spans"),)


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
    from jurat.metrics import parse_metrics
    from jurat.stats.settings import BiasSettings
    from jurat.tables import read_table

    evaluation = evaluation_of(files, options)
    table = read_table(read_file(options["texts"])) if options["texts"] else None
    # parsed here, because a metric's options may name files, which only commands read
    similarity = tuple(parse_metrics(options["similarity"], read_file))
    settings = settings_of(BiasSettings, options, texts=table, similarity=similarity)
    if table is not None:
        remarks = (*evaluation.remarks, *_text_partners(evaluation, settings))
        evaluation = replace(evaluation, remarks=remarks)
    run("bias", evaluation, settings, options)


def _text_partners(evaluation: Evaluation, settings: BiasSettings) -> tuple[str, ...]:
    """How many of the judged segments have texts; nothing where no column is in both tables."""
    from jurat.stats.bias.reference_similarity import text_keys
    from jurat.tables.intake import shared_items
    from jurat.tables.notes import Partners

    assert settings.texts is not None
    judged = shared_items(evaluation.judged)
    keys = text_keys(settings.texts, judged, settings.references)
    if not keys:
        return ()
    what, where = "judged segments", f"the texts, by {', '.join(keys)}"
    return (Partners.of(judged, settings.texts, keys, what=what, where=where).note("--texts"),)


@click.command(name="diagnose")
@analysis_options
@method_option("mixed", "rasch")
@setting("--k", default=1.0, help="Standard deviations from the mean that make an outlier.")
@expression_option(
    "--easy",
    help="Items that deserve the top score (default: the column easy, or control == 'easy').",
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

    # the folder of statistics is `judges`, but that command manages accounts
    settings = settings_of(JudgeSettings, options)
    run("judges", evaluation_of(files, options), settings, options)


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
    run("fatigue", evaluation_of(files, options), settings, options)


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
    run("heval", evaluation_of(files, options), settings, options)


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
    from jurat.stats.settings import PreferenceSettings

    evaluation = _with_preferences(files, options)
    protocol = _ordered_protocol(options["protocol"])
    settings = settings_of(PreferenceSettings, options, protocol=protocol)
    run("preferences", evaluation, settings, options)


def _with_preferences(files: tuple[Path, ...], options: dict[str, Any]) -> Evaluation:
    evaluation = evaluation_of(files, options, takes=("preferences", "judgments"))
    if evaluation.preferences is None:
        forms = ("system_a, system_b, outcome", "better, worse", "output1…n, rank1…n")
        raise input_error("no columns say which of two systems is better", allowed=forms)
    if not options["judgments"]:
        return evaluation
    # the other file has columns of its own
    of_judgments = {**options, **NO_FILE, "columns": options["judgments_columns"]}
    judged = evaluation_of([options["judgments"]], of_judgments).judgments
    both = replace(evaluation, judgments=judged)
    return replace(both, remarks=(*both.remarks, *_judgment_partners(both)))


def _judgment_partners(both: Evaluation) -> tuple[str, ...]:
    """How many of the compared segments have scores; nothing where no column is in both tables."""
    from jurat.stats.preferences.score_preference_agreement import segment_keys
    from jurat.tables.intake import shared_items
    from jurat.tables.notes import Partners

    judged = shared_items(both.judged)
    keys = segment_keys(judged, both.compared)
    if not keys:
        return ()
    what, where = "compared segments", f"the judgments, by {', '.join(keys)}"
    return (Partners.of(both.compared, judged, keys, what=what, where=where).note("--judgments"),)


def _ordered_protocol(name: str | None) -> Protocol | None:
    """A protocol by its name or from a file; raises `InputError` if it has no order of answers."""
    from jurat import protocols

    if not name:
        return None
    path = Path(name)
    # names of protocols have no dot, so a suffix means a file
    found = (
        protocols.read(read_file(path).data, file=name, folder=path.parent)
        if path.suffix
        else protocols.load(name)
    )
    if not found.order:
        raise input_error(f"the protocol '{found.name}' has no order of answers")
    return found


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
    from jurat.stats.settings import SystemSettings

    settings = settings_of(SystemSettings, options)
    evaluation = evaluation_of(files, options, takes=("judgments", "preferences"))
    run("systems", evaluation, settings, options)


def expected_times(value: str) -> dict[str, float]:
    """Expected seconds per decision, by question: `30`, or `adequacy=40,preference=25`."""
    found: dict[str, float] = {}
    for part in split_names(value):
        # a number without a question has the empty key, which stands for all questions
        question, _, seconds = part.rpartition("=")
        try:
            found[question.strip()] = float(seconds)
        except ValueError:
            message = f"'{part}' is not an estimate: write seconds, or question=seconds"
            raise click.BadParameter(message) from None
    return found


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
    from jurat.stats.time.time_tables import decisions

    # preferences take time, too, and `decisions` accepts tables with times but no answers
    takes = ("judgments", "preferences")
    evaluation = evaluation_of(files, options, takes=takes, prepare=decisions)
    run("time", evaluation, settings_of(TimeSettings, options), options)
