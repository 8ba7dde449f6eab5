"""`jurat.score` and `jurat.metaeval`: automatic metrics, and how well they agree with people."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Literal, Unpack

from jurat.errors import counted, input_error
from jurat.files import read_file
from jurat.library.computation import LISTING, compute, settings_of
from jurat.library.data import TAKES, data_of, scores_of, table_of
from jurat.library.options import (
    AnalysisOptions,
    Columns,
    CorrectionName,
    Count,
    Names,
    NumberByName,
    Resamples,
    Share,
    Source,
    Unit,
    checked,
    column_map,
    names,
    number_map,
)
from jurat.library.results import Results
from jurat.library.scoring_texts import (
    ScoringTexts,
    SystemTexts,
    check_segment_ids,
    read_texts,
    reference_sets,
)
from jurat.stats.settings import MetricSettings, ScoreSettings
from jurat.stats.statistic_choice import check_metric_results

if TYPE_CHECKING:
    from jurat.stats import Evaluation
    from jurat.stats.metaeval.input_tables import TranslationTexts

# Texts of systems or references: files as `jurat score` takes them, lists of texts, or a dict.
Texts = str | PathLike[str] | Sequence[str | PathLike[str]] | Mapping[str, Sequence[str]]


@checked
def score(
    systems: Texts,
    *,
    reference: Texts = (),
    metric: str | Sequence[str] = "bleu,chrf",
    each_reference: bool = False,
    level: Literal["segment", "document", "corpus"] = "corpus",
    documents: str | Sequence[str] | None = None,
    bootstrap: Resamples = 1000,
    confidence: Share = 0.95,
    test: Literal["bootstrap", "randomisation", "sacrebleu-bootstrap"] = "bootstrap",
    trials: Count = 10_000,
    correction: CorrectionName = "holm",
    unit: Unit | None = None,
    draw: Literal["segments", "documents"] | None = None,
    seed: int = 1,
    jobs: Count | None = None,
    statistics: Names = (),
) -> Results:
    """Score systems with automatic metrics, and test their differences.

    Args:
        systems: a dict of lists of texts by system, or files, columns of tables or test sets, as
            `jurat score` takes them: "cedar.txt", ["cedar.txt", "birch=b.txt"], "all.tsv:a,b".
        reference: a list of texts, a dict of such lists, or files; the test set's own by default.
        metric: the metrics, with options where needed: "bleu:tokenize=13a,ter".
        each_reference: whether to score against each reference separately.
        level: what gets a score.
        documents: the document of each segment: a list of names, or a file.
        bootstrap: resamples for intervals and tests; 0 for none.
        confidence: the confidence level; significant means p < 1 − this.
        test: the significance test between two systems.
        trials: of the randomisation test.
        correction: for many pairs of systems.
        unit: what tests and intervals take as independent; documents where known by default.
        draw: the same in the plural.
        seed: the random seed.
        jobs: the number of threads; one per processor by default.
        statistics: the names of the results wanted; all by default.

    Raises:
        InputError: for texts of different lengths, unknown metrics, and whatever cannot be read.
    """
    from jurat.metrics import parse_metrics
    from jurat.stats.metric_scores.counts import count_metrics
    from jurat.stats.metric_scores.results import results as scored

    wanted = names(statistics)
    check_metric_results(wanted, listing=LISTING)
    metrics = parse_metrics(metric if isinstance(metric, str) else ",".join(metric), read_file)
    texts = _texts_to_score(systems, reference, documents)
    if level == "segment":
        check_segment_ids(texts)
    drawn = _drawn_units(unit, draw)
    if (level == "document" or drawn == "documents") and not texts.documents:
        raise input_error("documents are needed: give documents=, a name for each segment")
    sets = reference_sets(texts, each=each_reference)
    threads = jobs or _processors()
    counts = count_metrics(
        texts.groups(),
        metrics,
        [one for one, _ in sets],
        documents=texts.documents,
        segments=texts.segments,
        about=texts.about,
        own=texts.own,
        jobs=threads,
    )
    settings = ScoreSettings(
        seed=seed,
        bootstrap=bootstrap,
        confidence=confidence,
        test=test,
        trials=trials,
        correction=correction,
        draw=drawn,
        jobs=threads,
    )
    found = [
        result
        for one in counts
        for result in scored(one, settings, level=level, apart=each_reference)
        if not wanted or result.name in wanted
    ]
    return Results(found, notes=[note for _, note in sets if note])


def _drawn_units(
    unit: Unit | None, draw: Literal["segments", "documents"] | None
) -> Literal["", "segments", "documents"]:
    """What resamples are drawn from, by either option; raises `InputError` where they differ."""
    units = {each.removesuffix("s") for each in (unit, draw) if each}
    if len(units) > 1:
        raise input_error("unit and draw say different things: give one of them")
    if not units:
        return ""
    return "documents" if "document" in units else "segments"


def _texts_to_score(
    systems: Texts, reference: Texts, documents: str | Sequence[str] | None
) -> ScoringTexts:
    """The texts, from memory where systems are a dict, else from files."""
    if not isinstance(systems, Mapping):
        if not (documents is None or isinstance(documents, str | PathLike)):
            raise input_error("systems are files, so documents are a file, too")
        return read_texts(_files(systems), _files(reference), documents and str(documents))
    references = _references(reference)
    measure, first = next(iter(references.items()))
    told = [] if documents is None else list(map(str, documents))
    if told and len(told) != len(first):
        raise input_error(f"{counted(len(told), 'document')} for {counted(len(first), 'segment')}")
    sources = [_in_memory(str(name), texts) for name, texts in systems.items()]
    return ScoringTexts(sources=sources, references=references, measure=measure, documents=told)


def _files(texts: Texts) -> list[str]:
    if isinstance(texts, str | PathLike):
        return [str(texts)]
    return list(map(str, texts))


def _references(reference: Texts) -> dict[str, list[str]]:
    if isinstance(reference, str | PathLike):
        raise input_error("systems are texts, so a reference is a list of texts, too")
    several = reference if isinstance(reference, Mapping) else {"reference": reference}
    found = {str(name): _checked_texts(str(name), texts) for name, texts in several.items()}
    if not all(found.values()):
        raise input_error("no reference is given; use reference=")
    return found


def _in_memory(name: str, texts: Sequence[str]) -> SystemTexts:
    own = _checked_texts(name, texts)
    return SystemTexts((name,), lambda: ([own], {}), name)


def _checked_texts(name: str, texts: Sequence[object]) -> list[str]:
    if isinstance(texts, str):
        raise input_error(f"'{name}' is one text; give a list with a text for each segment")
    found: list[str] = []
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise input_error(f"text {number:,} of '{name}' is {type(text).__name__}, not a text")
        found.append(text)
    return found


def _processors() -> int:
    # in a container, fewer processors may be available than the machine has
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@checked
def metaeval(
    data: Source = None,
    scores: Source = None,
    *,
    lower_better: bool = False,
    metrics: Names = (),
    scores_columns: Columns = "",
    allow_unmatched: bool = False,
    lower_better_metrics: Names = (),
    step: NumberByName = "",
    metric_ties: Literal["inconsistent", "half", "skip"] = "inconsistent",
    undefined: Literal["zero", "skip"] = "zero",
    grouping: Literal["none", "item", "system"] | None = None,
    kendall: Literal["b", "c", "23", "wmt12", "wmt13", "wmt14", "wmt20"] | None = None,
    compare: Literal[
        "pearson",
        "pdp",
        "acceq",
        "consistency",
        "spa",
        "system-pearson",
        "system-spearman",
        "system-kendall",
    ]
    | None = None,
    permutations: Count = 1000,
    texts: Source = None,
    texts_columns: Columns = "",
    **options: Unpack[AnalysisOptions],
) -> Results:
    """Measure how well metrics agree with human judgments.

    Args:
        data: ratings, ranks or preferences; anything that `jurat.read` takes.
        scores: a table of metric scores of the same segments; may be the same wide table.
        lower_better: whether low judgments are better, as for ranks or errors.
        metrics: columns of metric scores; all numeric columns by default.
        scores_columns: `columns` for the scores.
        allow_unmatched: whether to go on where many judgments and scores find no partner.
        lower_better_metrics: metrics whose low scores are better; TER, WER and the like are known.
        step: the width of bins for score differences: 0.05, or {"BLEU": 5, "TER": 0.1}.
        metric_ties: how consistency counts pairs that the metric ties.
        undefined: how to count segments without a rank correlation (all tied).
        grouping: correlate over all segments, within segments, or within systems.
        kendall: the variant of Kendall's tau; "b" by default, "wmt14" for preferences.
        compare: the statistic to compare metrics by.
        permutations: of the method "perm-both".
        texts: a table of translations: a column per system, or columns segment, system, text.
        texts_columns: `columns` for that table.
        options: as for `jurat.agreement`.
    """
    from jurat.library.metric_scores import check_numbering, metric_scores

    if scores is None:
        raise input_error("scores are needed: a table of metric scores")
    read = data_of(data, options)
    # metrics score each system, also where judges saw one text that several systems produced
    evaluation = read.evaluation(TAKES, joined="split", with_texts=True)
    table = scores_of(scores)
    of_metrics = metric_scores(
        table,
        read.intake(),
        columns=column_map(scores_columns, table.columns),
        metrics=names(metrics),
        lower=names(lower_better_metrics),
    )
    if not allow_unmatched:
        check_numbering(evaluation, of_metrics)
    settings = settings_of(
        MetricSettings,
        options,
        scores=of_metrics,
        texts=_translations(evaluation, texts, texts_columns),
        allow_unmatched=allow_unmatched,
        lower_better=lower_better,
        undefined=undefined,
        metric_ties=metric_ties,
        step=number_map(step),
        grouping=grouping,
        kendall=kendall,
        compare=compare,
        permutations=permutations,
    )
    return compute("metaeval", evaluation, settings, options)


def _translations(
    evaluation: Evaluation, texts: Source, columns: Columns
) -> TranslationTexts | None:
    """The translations, from a table of their own or from columns of the judgments."""
    from jurat.stats.metaeval.input_tables import read_system_texts, texts_from_judgments

    if texts is None:
        return texts_from_judgments(evaluation.judged)
    table = table_of(texts, what="texts")
    told = column_map(columns, table.columns)
    return read_system_texts(table, (evaluation.judged, evaluation.compared), columns=told)
