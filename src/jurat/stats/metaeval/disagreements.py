"""Where people and a metric disagree: on which pairs of translations, and between which systems.

Translations that people tell apart and a metric scores alike are counted; these and the pairs
that it orders against most judges can be listed with their texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.errors import input_error
from jurat.results import Estimate, Figure
from jurat.stats import figures
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.input_tables import SEGMENT_KEY, TranslationTexts, codes_in
from jurat.stats.metaeval.matched_scores import (
    ANYWAY,
    LEAST_MATCHED,
    NO_PAIRS,
    MatchedScores,
    match_scores,
)
from jurat.stats.metaeval.metric_statistic import (
    MetricStatistic,
    each_metric,
    highest,
    interval_method,
    known,
    lowest,
    question_prefix,
)
from jurat.stats.metaeval.segment_ranking import TIES, consistent_and_counted, verdicts
from jurat.stats.metaeval.unit_intervals import share_intervals
from jurat.stats.phrases import percent, percentage
from jurat.stats.ratings import Codes, summed
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer

DISCORDANT, ALIKE = "discordant", "undifferentiated"
# Decisions on two systems below which a headline does not name them.
FEW = 10


class MetricUndifferentiated(MetricStatistic):
    """How many pairs the metric does not tell apart although most judges do."""

    name = "metric-undifferentiated"
    gives = ("metric-undifferentiated",)
    asks = "Which differences does the metric not see at all?"
    formula = (
        "pairs of different translations of a segment that more than half of the judges tell "
        "apart, in whichever direction, and the metric scores alike; n counts the pairs that the "
        "judges tell apart"
    )
    source = "Sun 2010, Table 3"
    order = 25

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """A count for each metric."""
        check_texts(parts, settings)
        found = [e for data in parts for e in _counts(data, settings.texts)]
        all_pairs = "without texts (--texts) all pairs are taken for different"
        method = method_line(self.formula, "" if settings.texts else all_pairs)
        yield Answer(found, method)

    def finding(self, name: str, first: Sequence[Estimate]) -> str:
        """The metric with most such pairs."""
        most = highest(first)
        if not most.value:
            return "Every pair that most judges tell apart has different scores."
        number = f"{int(most.value):,} {'pair' if most.value == 1 else 'pairs'}"
        words = f"{most.by['metric']} scores {number} alike that most judges tell apart"
        return f"{words}, {percent(most.value / most.n)} of what they tell apart."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Bars of the counts."""
        return figures.bars(
            "Pairs that judges tell apart and the metric scores alike",
            figures.rows(estimates),
            x=figures.axis("value", "pairs"),
            y=figures.axis("metric", "metric", "nominal", sort="-x"),
        )


def _counts(data: MatchedScores, texts: TranslationTexts | None) -> Iterator[Estimate]:
    different = data.human.decisions.pairs.majority_differs & texts_differ(data, texts)
    for metric in range(len(data.metrics)):
        margin = data.margins(metric)
        if np.isnan(margin).all():
            yield data.missing(metric, NO_PAIRS)
            continue
        scored = int((different & ~np.isnan(margin)).sum())
        yield data.estimate(metric, float((different & (margin == 0)).sum()), scored)


def texts_differ(data: MatchedScores, texts: TranslationTexts | None) -> Mask:
    """Whether the two translations of each pair differ; what has no text is taken to differ."""
    pairs = data.human.decisions.pairs
    if texts is None or not len(pairs):
        return np.ones(len(pairs), dtype=np.bool_)
    codes = text_codes(data, texts)
    first, second = (codes[pairs.segment, system] for system in (pairs.first, pairs.second))
    return np.asarray((first != second) | (first == 0))


def text_codes(data: MatchedScores, texts: TranslationTexts) -> Codes:
    """A number for the text of each translation, segments × systems; 0 where there is none."""
    rows = join_segment_keys(data, texts.translations)
    segment = codes_in(rows[SEGMENT_KEY], data.human.segments)
    system = codes_in(rows["system"], data.human.systems)
    own = (segment >= 0) & (system >= 0)
    # Dense ranks begin at 1, so that 0 is free for no text.
    text = rows["text"].rank("dense").to_numpy().astype(np.int64)
    codes = np.zeros((data.segments, len(data.systems)), dtype=np.int64)
    codes[segment[own], system[own]] = text[own]
    return codes


def check_texts(parts: Sequence[MatchedScores], settings: MetricSettings) -> None:
    """Raise InputError if too few texts belong to what was judged, or the other way round.

    As for scores, `LEAST_MATCHED` of the smaller side must find a partner.
    """
    if settings.texts is None or settings.allow_unmatched or not parts:
        return
    given = settings.texts.translations.filter(pl.col("system").is_in(parts[0].systems)).height
    judged = sum(int(data.human.judged.sum()) for data in parts)
    matched = sum(
        int(((text_codes(data, settings.texts) > 0) & data.human.judged).sum()) for data in parts
    )
    if matched < LEAST_MATCHED * min(given, judged):
        message = (
            f"only {matched:,} of {judged:,} judged translations have a text, of {given:,} texts; "
            f"the ids of segments do not match; {ANYWAY}"
        )
        raise input_error(message, field="--texts")


def join_segment_keys(data: MatchedScores, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows of texts with the segment that they belong to; those of other segments go."""
    names = data.human.segment_names
    keys = [key for key in ("document", "segment") if key in rows.columns and key in names.columns]
    if not keys:
        return rows.clear().with_columns(pl.lit("").alias(SEGMENT_KEY))
    return rows.join(names.select(SEGMENT_KEY, *keys), on=keys, how="inner")


class MetricConsistencyOfPair(MetricStatistic):
    """The share of decisions on two systems that a metric makes as people do."""

    name = "metric-consistency-pair"
    gives = ("metric-consistency-pair",)
    asks = "Between which systems can the metric not tell the better translation?"
    formula = (
        "share of the decisions on translations of two systems that the metric makes alike, "
        "decisions for a tie left out, all judges together"
    )
    source = "Sun 2010, section 5 (left open there)"
    order = 35

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """A share for each metric and every two systems."""
        made = [_system_pairs(data, metric, settings) for data, metric in each_metric(parts)]
        found = [e for _, estimates in made for e in estimates]
        how = (TIES[settings.metric_ties], "n counts decisions", settings.metric_scores.direction)
        drawn = interval_method([drawn for drawn, _ in made], parts)
        method = method_line(self.formula, *how, drawn)
        yield Answer(found, method, choices={"ties": settings.metric_ties})

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The two systems between which a metric is least consistent, of any question."""
        enough = [e for e in known if e.n >= FEW]
        if len(enough) < 2:
            return ""
        worst = lowest(enough)
        pair = f"{worst.by['system_a']} and {worst.by['system_b']}"
        share = f"{percentage(worst)} of {worst.n} decisions"
        words = f"{worst.by['metric']} is least consistent with people between {pair}: {share}"
        return f"{question_prefix(worst, known)}{words}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A cell for every two systems, of the first metric, question and split with values."""
        first = known(estimates)[0]
        question, metric = first.by["question"], first.by["metric"]
        same = [e for e in estimates if e.by["metric"] == metric and e.tags == first.tags]
        return figures.heat(
            f"{metric}: decisions made as people do",
            figures.rows([e for e in same if e.by["question"] == question]),
            x=figures.axis("system_a", "system", "nominal"),
            y=figures.axis("system_b", "system", "nominal"),
            colour=figures.axis("value", "share"),
        )


def _system_pairs(
    data: MatchedScores, metric: int, settings: MetricSettings
) -> tuple[Estimates, list[Estimate]]:
    """The shares of one metric, of every two systems."""
    size = len(data.systems)
    if size < 2:
        return Estimates.undefined(), [data.missing(metric, NO_PAIRS)]
    rows, (first, second) = data.human.decisions, np.triu_indices(size, 1)
    # Which column of the table each two systems have.
    column = np.zeros((size, size), dtype=np.int64)
    column[first, second] = np.arange(len(first))
    shape = (data.segments, len(first))
    cells = rows.segment * len(first) + column[rows.first, rows.second]
    consistent, counted = (
        summed(cells, part, shape[0] * shape[1]).reshape(shape)
        for part in consistent_and_counted(verdicts(data, metric), settings)
    )
    drawn = Estimates.undefined(len(first))
    if data.segments:
        drawn = share_intervals(data, consistent, counted, settings)
    reason = "people never preferred one of the two"
    found = []
    for at, n in enumerate(counted.sum(axis=0)):
        pair = {"system_a": data.systems[first[at]], "system_b": data.systems[second[at]]}
        by = data.key(metric, **pair)
        found.append(drawn.estimate(at, n=int(n), by=by, tags=data.tags, reason=reason))
    return drawn, found


def discordant_pairs(evaluation: Evaluation, settings: MetricSettings) -> pl.DataFrame:
    """A row for each pair and metric, the largest differences first.

    `discordant`: more than half of the judges prefer the translation that the metric scores lower;
    `undifferentiated`: they tell apart what the metric scores alike. `system_a` is the one that
    the metric prefers; `agree`, `disagree` and `tie` count judges.
    """
    parts = match_scores(evaluation, settings)
    check_texts(parts, settings)
    frames = [_listed(data, metric, settings.texts) for data, metric in each_metric(parts)]
    rows = [frame for frame in frames if frame.height] or frames[:1]
    if not rows:
        return pl.DataFrame({"metric": []}, schema={"metric": pl.String})
    found = pl.concat(rows, how="diagonal_relaxed")
    # Largest differences first: there the metric is most wrong.
    order = ["question", "metric", "kind", "difference"]
    return found.sort(order, descending=[False, False, False, True], maintain_order=True)


def _listed(data: MatchedScores, metric: int, texts: TranslationTexts | None) -> pl.DataFrame:
    pairs, margin = data.human.decisions.pairs, data.margins(metric)
    against = pairs.majority_contradicts(margin)
    alike = (margin == 0) & pairs.majority_differs & texts_differ(data, texts)
    rows = np.flatnonzero(against | alike)
    # The system that the metric prefers is put first.
    reversed_ = margin[rows] < 0
    first, second = pairs.first[rows], pairs.second[rows]
    a, b = np.where(reversed_, second, first), np.where(reversed_, first, second)
    won, lost = pairs.won[rows], pairs.lost[rows]
    segment, scores = pairs.segment[rows], data.scores[metric]
    names = {
        "question": [data.human.question] * len(rows),
        "metric": [data.metrics[metric]] * len(rows),
        "kind": np.where(against[rows], DISCORDANT, ALIKE).tolist(),
        SEGMENT_KEY: [data.human.segments[at] for at in segment],
        "system_a": [data.systems[at] for at in a],
        "system_b": [data.systems[at] for at in b],
    }
    numbers = {
        "score_a": scores[segment, a],
        "score_b": scores[segment, b],
        "difference": np.abs(margin[rows]),
        "agree": np.where(reversed_, lost, won).astype(np.int64),
        "disagree": np.where(reversed_, won, lost).astype(np.int64),
        "tie": pairs.tied[rows].astype(np.int64),
    }
    # Without rows polars would not know that the names are texts.
    frame = pl.DataFrame({**names, **numbers}, schema_overrides=dict.fromkeys(names, pl.String))
    frame = frame.with_columns(pl.lit(str(value)).alias(tag) for tag, value in data.tags.items())
    frame = frame.join(data.human.segment_names, on=SEGMENT_KEY, how="left", maintain_order="left")
    return _with_texts(frame, data, texts).drop(SEGMENT_KEY)


def _with_texts(
    frame: pl.DataFrame, data: MatchedScores, texts: TranslationTexts | None
) -> pl.DataFrame:
    if texts is None:
        return frame
    told = join_segment_keys(data, texts.translations).select(SEGMENT_KEY, "system", "text")
    told = told.unique([SEGMENT_KEY, "system"], keep="first")
    for side in "ab":
        own = told.rename({"system": f"system_{side}", "text": f"text_{side}"})
        on = [SEGMENT_KEY, f"system_{side}"]
        frame = frame.join(own, on=on, how="left", maintain_order="left")
    context = join_segment_keys(data, texts.context)
    present = {SEGMENT_KEY, "document", "segment", *frame.columns}
    names = [name for name in context.columns if name not in present]
    once = context.select(SEGMENT_KEY, *names).unique(SEGMENT_KEY, keep="first")
    return frame.join(once, on=SEGMENT_KEY, how="left", maintain_order="left")
