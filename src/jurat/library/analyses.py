"""The analyses of judgments and preferences, with the names and options of the commands.

Every function takes what `jurat.read` returns, or anything that `jurat.read` takes, and returns
`Results`. All share the options of `jurat.read`, and

- `seed`, `bootstrap`, `confidence`, `unit`: how intervals are computed;
- `method`: another way to compute, where a statistic has several;
- `executor`: `dask://HOST:PORT`, a cluster that resamples; the numbers are the same;
- `statistics`: the names of results to compute; nothing else is computed then.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Unpack

from jurat.library import evaluation_from_tables as joined_tables
from jurat.library.computation import compute, settings_of
from jurat.library.data import TAKES, Data, data_of, table_of
from jurat.library.options import (
    AnalysisOptions,
    Columns,
    CorrectionName,
    Names,
    NumberByName,
    Positive,
    Range,
    Ranks,
    Source,
    Ties,
    checked,
    expected_seconds,
    names,
    number_map,
)
from jurat.library.results import Results
from jurat.stats.settings import (
    AgreementSettings,
    BiasSettings,
    FatigueSettings,
    HEvalSettings,
    JudgeSettings,
    PreferenceSettings,
    SystemSettings,
    TimeSettings,
)

if TYPE_CHECKING:
    import polars as pl


@checked
def agreement(
    data: Source = None,
    *,
    spans: Source = None,
    draw: Literal["judges"] | None = None,
    against: Source = None,
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Measure how well judges agree, also with themselves.

    Args:
        data: judgments; anything that `jurat.read` takes.
        spans: marked errors of the same judgments, a table.
        draw: "judges" gives intervals that hold for new judges, too; needs 3 judges.
        against: other judgments, read the same way, whose agreement is compared with this one.
        options: those of `jurat.read`, and how to compute what; `help(jurat.agreement)` has a
            line for each.
    """
    read = data_of(data, options)
    evaluation = read.evaluation(("judgments", "spans"))
    if spans is not None:
        evaluation = joined_tables.with_spans(evaluation, table_of(spans, what="spans"))
    if against is not None:
        other = _like(against, read).evaluation()
        evaluation = joined_tables.with_other(evaluation, other, _name(against))
    return compute(
        "agreement", evaluation, settings_of(AgreementSettings, options, draw=draw), options
    )


@checked
def bias(
    data: Source = None,
    *,
    group: str,
    source: str | None = None,
    texts: Source = None,
    references: Names = (),
    metric: str = "",
    similarity: str = "word-f1",
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Test whether the reference shown changes judges' scores.

    Args:
        data: judgments; anything that `jurat.read` takes.
        group: the column that says what judges saw.
        source: the group that saw the source; "source" by default.
        texts: a table of the segments' texts; a reference's column is named like its group.
        references: the columns of `texts` that are references.
        metric: a column of metric scores to compare with the group means.
        similarity: metrics that measure how similar references are, as in `jurat.score`.
        options: as for `jurat.agreement`.
    """
    from jurat.files import read_file
    from jurat.metrics import parse_metrics

    settings = settings_of(
        BiasSettings,
        options,
        group=group,
        source=source,
        texts=None if texts is None else table_of(texts, what="texts"),
        references=names(references),
        metric=metric,
        similarity=tuple(parse_metrics(similarity, read_file)),
    )
    evaluation = joined_tables.with_texts(data_of(data, options).evaluation(), settings)
    return compute("bias", evaluation, settings, options)


@checked
def diagnose(
    data: Source = None,
    *,
    k: Positive = 1.0,
    easy: Source = "",
    top: float | None = None,
    controls: str = "",
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Find judges who stand out, in which ways, and what leaving them out would change.

    Args:
        data: judgments; anything that `jurat.read` takes.
        k: standard deviations from the mean that make an outlier.
        easy: items that deserve the top score: a rule as on the command line ("length=5",
            "frequency=3", "genre=weather", "list=FILE"), a condition, or a table of items; else
            the column `easy`, or `control == 'easy'`.
        top: the top score; else the highest score given.
        controls: a condition for degraded items; else `control == 'degraded'`.
        options: as for `jurat.agreement`.
    """
    rule, mark = _easy_rule(easy)
    settings = settings_of(JudgeSettings, options, k=k, easy=rule, top=top, controls=controls)
    # texts, since their words may tell which items are easy
    evaluation = data_of(data, options).evaluation(with_texts=bool(rule), mark=mark)
    return compute("judges", evaluation, settings, options)


@checked
def fatigue(
    data: Source = None,
    *,
    group: str = "",
    source: str | None = None,
    slices: Annotated[int, Range(least=2, most=50)] = 5,
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Test whether judges change as they go on.

    Args:
        data: judgments; anything that `jurat.read` takes.
        group: the column that says what judges saw.
        source: the group that saw the source; "source" by default.
        slices: the number of slices that each judge's work is cut into.
        options: as for `jurat.agreement`.
    """
    settings = settings_of(FatigueSettings, options, group=group, source=source, slices=slices)
    return compute("fatigue", data_of(data, options).evaluation(), settings, options)


@checked
def heval(
    data: Source = None,
    *,
    level: Literal["system", "document", "segment"] = "system",
    average: Literal["sentences", "documents"] = "sentences",
    features: Names = (),
    with_: Names = (),
    only: Names = (),
    ties: Ties = "share",
    ranks: Ranks = "minimum",
    construct: str = "construct",
    top: float = 4.0,
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Score systems by HEval's eleven features, and show what each gets wrong.

    Args:
        data: answers about features; anything that `jurat.read` takes.
        level: what gets a score.
        average: what counts equally in a system's score.
        features: the questions that are features; all by default.
        with_: questions to correlate the scores with (`--with`).
        only: the systems to compare; all by default.
        ties: who is best when k systems tie: each gets 1/k, all, the first by name, or none.
        ranks: ranks after a tie: 1, 1, 3 or 1, 1, 2.
        construct: the column with the grammatical construction of each sentence.
        top: the best value of a feature.
        options: as for `jurat.agreement`.
    """
    settings = settings_of(
        HEvalSettings,
        options,
        level=level,
        average=average,
        features=names(features),
        compared=names(with_),
        only=names(only),
        ties=ties,
        ranks=ranks,
        construct=construct,
        top=top,
    )
    return compute("heval", data_of(data, options).evaluation(), settings, options)


@checked
def model_agreement(
    data: Source = None,
    *,
    epsilon: Annotated[float, Range(least=0, most=1)] = 0.1,
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Compare model judges with people, and score systems by both.

    Args:
        data: judgments or preferences of people and models; anything that `jurat.read` takes.
            Models have "model" in the column `judge_kind`, or are named in `model_judges`.
        epsilon: in the alternative annotator test, how much more often a person may be closer to
            the others than the model and be replaced nevertheless.
        options: as for `jurat.agreement`; model judges are always included.
    """
    from jurat.stats.model_judges.settings import ModelSettings

    settings = settings_of(ModelSettings, options, epsilon=epsilon)
    settings.refuse_method()
    read = data_of(data, {**options, "include_models": True})
    return compute("model_judges", read.evaluation(TAKES, with_texts=True), settings, options)


@checked
def suggestions(data: Source = None, **options: Unpack[AnalysisOptions]) -> Results:
    """Tell what judges made of errors that were marked beforehand.

    Args:
        data: judgments, with marked errors and suggestions where these are known: the tables of a
            campaign, or anything else that `jurat.read` takes.
        options: as for `jurat.agreement`.
    """
    from jurat.stats.suggestions.settings import SuggestionSettings

    read = data_of(data, options)
    settings = settings_of(SuggestionSettings, options, table=read.tables().get("suggestions"))
    settings.refuse_method()
    return compute("suggestions", read.evaluation(("judgments", "spans")), settings, options)


@checked
def preferences(
    data: Source = None,
    *,
    joined: Literal["keep", "split"] = "keep",
    without_ties: Literal["items", "decisions"] = "items",
    judgments: Source = None,
    judgments_columns: Columns = "",
    protocol: str | None = None,
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Show which system judges prefer, and how well they agree.

    Args:
        data: preferences or rankings; anything that `jurat.read` takes.
        joined: systems with the same output, joined by +: one competitor, or one each.
        without_ties: what to remove where ties are left out: whole items, or single decisions.
        judgments: scores of the same segments, to compare with the preferences.
        judgments_columns: `columns` for these.
        protocol: the protocol whose order of answers counts, by name or file.
        options: as for `jurat.agreement`.
    """
    read = data_of(data, options)
    evaluation = read.evaluation(("preferences", "judgments"), joined=joined)
    joined_tables.check_preferences(evaluation)
    if judgments is not None:
        scored = data_of(judgments, {**_without_file(read), "columns": judgments_columns})
        evaluation = joined_tables.with_judgments(evaluation, scored.evaluation().judgments)
    order = joined_tables.ordered_protocol(protocol)
    settings = settings_of(PreferenceSettings, options, without_ties=without_ties, protocol=order)
    return compute("preferences", evaluation, settings, options)


@checked
def systems(
    data: Source = None,
    *,
    only: Names = (),
    lower_better: bool = False,
    ties: Ties = "share",
    ranks: Ranks = "minimum",
    tied: Literal["skip", "half"] = "skip",
    correction: CorrectionName | None = None,
    macro: str = "",
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Rank systems, with intervals and significance tests.

    Args:
        data: judgments or preferences; anything that `jurat.read` takes.
        only: the systems to compare; all by default.
        lower_better: whether low values are better, as for errors or ranks.
        ties: who is best when k systems tie: each gets 1/k, all, the first by name, or none.
        ranks: ranks after a tie: 1, 1, 3 or 1, 1, 2.
        tied: ties in the share of wins: left out, or half a win for each.
        correction: for multiple tests; "holm" by default, "none" with WMT's methods.
        macro: the column over whose values scores are macro-averaged; "domain" by default.
        options: as for `jurat.agreement`; `method` is one or several of mean, segment-means,
            cluster-robust, permutation, wilcoxon, wmt-rank-sum, wmt-signed-rank, trueskill,
            trueskill-sequential.
    """
    settings = settings_of(
        SystemSettings,
        options,
        only=names(only),
        lower_better=lower_better,
        ties=ties,
        ranks=ranks,
        tied=tied,
        correction=correction,
        macro=macro,
    )
    evaluation = joined_tables.with_direction(
        data_of(data, options).evaluation(TAKES), lower_better=lower_better
    )
    return compute("systems", evaluation, settings, options)


@checked
def time(
    data: Source = None,
    *,
    cap: Positive = 120.0,
    length: str = "",
    parts: Names = (),
    estimated: NumberByName = "",
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Show how long decisions take, by question, system, length, judge and document.

    Args:
        data: judgments or preferences with times; anything that `jurat.read` takes.
        cap: seconds; longer decisions are counted, and left out of `seconds-capped`.
        length: the column with the length of an item: a number, a name, or a text whose words are
            counted; `length` or `words` by default.
        parts: columns with the seconds spent on parts of the screen.
        estimated: expected seconds per decision: 30, or {"adequacy": 40, "preference": 25}.
        options: as for `jurat.agreement`.
    """
    from jurat.stats.time.decision_times import decisions

    settings = settings_of(
        TimeSettings,
        options,
        cap=cap,
        length=length,
        parts=names(parts),
        estimated=expected_seconds(number_map(estimated)),
    )
    return compute(
        "time", data_of(data, options).evaluation(TAKES, prepare=decisions), settings, options
    )


def _easy_rule(easy: Source) -> tuple[str, Callable[[pl.DataFrame], pl.DataFrame] | None]:
    """The rule of `easy`; where it is a table of items, also what marks these."""
    from jurat.stats.judges.easy_items import IS_LISTED, list_file, with_listed

    table = list_file(easy) if isinstance(easy, str) else easy
    if isinstance(table, str) and not table:
        return easy, None
    return IS_LISTED, partial(with_listed, listed=table_of(table, what="easy"))


def _like(source: Source, data: Data) -> Data:
    """Other data, read with the same options."""
    return source if isinstance(source, Data) else data_of(source, data.options)


def _without_file(data: Data) -> dict[str, Any]:
    """The options of the data without those that are about its own file."""
    own = ("campaign", "store", "items", "by", "where", "exclude")
    return {name: value for name, value in data.options.items() if name not in own}


def _name(source: Source) -> str:
    """What a signature calls other data: the name of its file."""
    return Path(source).name if isinstance(source, str | PathLike) else "table"
