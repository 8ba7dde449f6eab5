"""What HEval is computed from: answers to features, and the sentence scores that they make.

Means of groups of them, with intervals that hold for new documents and new judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import msgspec
import numpy as np
import polars as pl

from jurat.errors import unknown_name
from jurat.protocols import load
from jurat.results import Estimate, Key
from jurat.stats.cluster_inference import FEWEST_JUDGES, Finding
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.ratings import EARLIER, Array, Codes, Ratings, codes_of
from jurat.stats.settings import HEvalSettings, SystemSettings
from jurat.stats.systems.score_table import ScoreTable, score_table_of
from jurat.stats.systems.system_inference import finding_estimate, interval_words, mean_finding

# What the score of all features together is called where a question is named.
HEVAL = "heval"
# A judge's answers that agree in these make one sentence score.
SENTENCE = ("judge", "system", "item")


@dataclass(frozen=True, kw_only=True, eq=False)
class FeatureAnswers:
    """The answers of one split; `reason` says why there are none to compute from."""

    tags: Mapping[str, Key] = field(default_factory=dict)
    answers: pl.DataFrame = field(repr=False)
    """A row an answer to a feature: system, item, feature, value, place (the segment, whatever
    system translated it), and judge, document, segment, construct where they are known."""
    scores: pl.DataFrame = field(repr=False)
    """A row a sentence: the same without feature, and the score as its value."""
    others: pl.DataFrame = field(repr=False)
    """The answers to the questions that are compared."""
    features: tuple[str, ...] = ()
    reason: str = ""

    @property
    def judged_by(self) -> list[str]:
        """The column that tells judges apart, where there is one."""
        return ["judge"] if "judge" in self.scores.columns else []

    @cached_property
    def rated_answers(self) -> Ratings:
        """The answers to features as ratings of segments."""
        return rated(self.answers, self.tags)

    @cached_property
    def rated_scores(self) -> Ratings:
        """The sentence scores as ratings of segments."""
        return rated(self.scores, self.tags)

    def interval_method(self, estimates: Iterable[Estimate], settings: HEvalSettings) -> str:
        """How the intervals of these means were made; nothing, if none has one."""
        told = [e for e in estimates if e.low is not None]
        if not told:
            return ""
        table = score_table(self.rated_scores, settings)
        # of fewer judges it is said already that they do not vary
        both = table.judges >= FEWEST_JUDGES and not table.by_segment
        of_each = both and any("judge" in e.by for e in told)
        alone = f"of a single judge {table.cluster_name}s alone vary" if of_each else ""
        return method_line(interval_words(table, settings), alone)

    def nothing(self, why: str = "") -> Estimate:
        """That nothing can be computed, and why."""
        return Estimate.of(None, 0, tags=self.tags, reason=self.reason or why)


def feature_answers(evaluation: Evaluation, settings: HEvalSettings) -> list[FeatureAnswers]:
    """The answers as HEval needs them, apart for each split, at least one; made once for all."""
    return evaluation.once(_feature_answers, settings)


def _feature_answers(evaluation: Evaluation, settings: HEvalSettings) -> list[FeatureAnswers]:
    rows = _numbers(evaluation)
    asked = evaluation.judged.get_column("question", default=rows["question"])
    features = _features(asked.unique(maintain_order=True).to_list(), settings)
    placed = _placed(_once(rows), settings, evaluation.by)
    if placed.is_empty():
        return [_of_split(placed, {}, features, settings)]
    return [_of_split(rows, tags, features, settings) for tags, rows in evaluation.split(placed)]


def _of_split(
    rows: pl.DataFrame, tags: Mapping[str, Key], features: Sequence[str], settings: HEvalSettings
) -> FeatureAnswers:
    answers = rows.filter(pl.col("question").is_in(features)).rename({"question": "feature"})
    others = rows.filter(pl.col("question").is_in(settings.compared))
    # Published tables often have scores only, without the features behind them.
    as_scores = _are_scores(answers, features, settings)
    reason = _refusal(answers, 1.0 if as_scores else settings.top)
    scored = answers.clear() if reason else answers
    return FeatureAnswers(
        tags=tags,
        answers=scored.clear() if as_scores else scored,
        scores=sentence_scores(scored, top=1.0 if as_scores else settings.top),
        others=others,
        features=tuple(f for f in features if not as_scores),
        reason=reason,
    )


# Judges who have a colour of their own in a figure; of more, only all together are drawn.
MOST_JUDGES = 12


def named_by_judge(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The estimates of a figure, each with its judge or `all`."""
    named = [e._replace(by={"judge": "all", **e.by}) for e in estimates]
    few = len({e.by["judge"] for e in named}) <= MOST_JUDGES + 1
    return named if few else [e for e in named if e.by["judge"] == "all"]


def sentence_scores(answers: pl.DataFrame, *, top: float = 4.0) -> pl.DataFrame:
    """Σ points of the applicable features / (top × their number), for each judge's sentence.

    What is not applicable is not among the answers: it leaves both sums (equation 1).
    """
    keys = [name for name in SENTENCE if name in answers.columns]
    # What is the same for all features of a sentence goes with it.
    same = [name for name in answers.columns if name not in (*keys, "feature", "value")]
    return answers.group_by(keys, maintain_order=True).agg(
        *(pl.col(name).first() for name in same), pl.col("value").mean() / top
    )


def _numbers(evaluation: Evaluation) -> pl.DataFrame:
    """Every numeric answer of the judges about a system."""
    frames = [part.frame for part in evaluation.ratings]
    if not frames:
        empty = {"question": pl.String, "system": pl.String, "item": pl.String, "value": pl.Float64}
        return pl.DataFrame(schema={**empty, **dict.fromkeys(evaluation.by, pl.String)})
    rows = pl.concat(frames).filter(pl.col("value").is_not_null(), pl.col("system").is_not_null())
    # a column that says nothing is none
    silent = [name for name in _NAMES if name in rows.columns and rows[name].is_null().all()]
    return rows.drop(name for name in silent if name not in ("system", "item"))


def _features(questions: Sequence[str], settings: HEvalSettings) -> list[str]:
    """The questions that are features: those named, the protocol's eleven, or all not compared."""
    for name in (*settings.features, *settings.compared):
        if name not in questions:
            raise unknown_name("question", name, questions)
    if settings.features:
        return list(settings.features)
    # All eleven must be there: a table with some of them has other questions of that name.
    eleven = list(load(HEVAL).questions)
    known = eleven if set(eleven) <= set(questions) else questions
    return [name for name in known if name not in settings.compared]


def _once(rows: pl.DataFrame) -> pl.DataFrame:
    """The first answer of each judge to each question: repeats belong to self-agreement."""
    keys = [n for n in (*SENTENCE, "question") if n in rows.columns]
    if "judge" not in keys or rows.select(keys).n_unique() == rows.height:
        return rows
    order = [name for name in EARLIER if name in rows.columns]
    in_order = rows.sort(order, maintain_order=True) if order else rows
    return in_order.unique(keys, keep="first", maintain_order=True)


def _placed(rows: pl.DataFrame, settings: HEvalSettings, by: Sequence[str]) -> pl.DataFrame:
    """The rows with their place: the segment, which several systems translated."""
    named = [pl.col(n).cast(pl.String).fill_null("") for n in _NAMES if n in rows.columns]
    if settings.construct in rows.columns:
        named.append(pl.col(settings.construct).cast(pl.String).fill_null("").alias("construct"))
    tags = [pl.col(name) for name in by if name not in (*_NAMES, "construct", "question", "value")]
    return rows.select(*named, *tags, "question", "value", _place(rows).alias("place"))


_NAMES = ("judge", "system", "item", "document", "segment")


def _place(rows: pl.DataFrame) -> pl.Expr:
    """Document and segment as far as they are there; else the item, if it is no mere system."""
    parts = [name for name in ("document", "segment") if name in rows.columns]
    if parts:
        return pl.concat_str([pl.col(name).fill_null("") for name in parts], separator="\x1f")
    items, systems = rows["item"].n_unique(), rows["system"].n_unique()
    # A table of systems as items has one row each: no sentence is shared.
    alike = items == systems == rows.select("item", "system").n_unique()
    return pl.lit("") if alike else pl.col("item")


def _are_scores(answers: pl.DataFrame, features: Sequence[str], settings: HEvalSettings) -> bool:
    """Whether the answers are scores already: one question, all within 0 and 1."""
    if settings.method:
        return settings.method == "scores"
    return len(features) == 1 and answers["value"].is_between(0, 1).all()


def _refusal(answers: pl.DataFrame, top: float) -> str:
    """Why the answers make no HEval score; nothing, where they do."""
    if answers.is_empty():
        return "no feature of any system was answered"
    outside = answers.filter(~pl.col("value").is_between(0, top))
    if outside.is_empty():
        return ""
    value, feature = outside.row(0, named=True)["value"], outside["feature"][0]
    return (
        f"features go from 0 to {top:g}, and {feature} has {value:g}: choose features, top or fold"
    )


def rated(rows: pl.DataFrame, tags: Mapping[str, Key]) -> Ratings:
    """Scores or answers as ratings whose item is the segment, which several systems translated."""
    return Ratings(question=HEVAL, frame=rows.with_columns(item=pl.col("place")), tags=tags)


def score_table(ratings: Ratings, settings: HEvalSettings) -> ScoreTable:
    """The ratings as `jurat systems` takes them; made once."""
    # `only` and `method` say something else of HEval: means are of all systems.
    plain = msgspec.structs.replace(settings, only=(), method="")
    return score_table_of(ratings, SystemSettings.of(plain))


def group_means(
    ratings: Ratings,
    keys: Sequence[str],
    settings: HEvalSettings,
    *,
    top: float = 1.0,
    by_document: bool = False,
) -> Iterator[Estimate]:
    """The mean value of each group of ratings, in the order of its keys.

    Documents and judges are what varies in the intervals, as in `jurat systems`; where `judge` is
    among the keys, documents alone. Intervals end at 0 and at `top`, the ends of the scale. With
    `by_document` a document counts once, however long it is, and n counts documents.
    """
    if not len(ratings):
        return
    table = score_table(ratings, settings)
    if "judge" in keys:
        table = replace(table, judge=None)
    frame = ratings.frame[table.rows].select(keys)
    group = codes_of(frame)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    names = frame[order[starts]].rows(named=True)
    for by, rows in zip(names, np.split(order, starts[1:]), strict=True):
        weights, n = _document_weights(table, rows) if by_document else (None, len(rows))
        found = _mean(table, rows, weights, settings, top)
        yield finding_estimate(
            found, n, about=ratings, by=by, reason="", intervals=settings.intervals
        )


def _document_weights(table: ScoreTable, rows: Codes) -> tuple[Array, int]:
    """1 / the length of each rating's document, and the number of documents.

    With these weights the mean of all sentences is the mean of the documents' means.
    """
    assert table.document is not None
    document = table.document[rows]
    lengths = np.bincount(document)
    return 1 / lengths[document], int((lengths > 0).sum())


def _mean(
    table: ScoreTable, rows: Codes, weights: Array | None, settings: HEvalSettings, top: float
) -> Finding:
    values = table.values[rows]
    if not settings.intervals:
        return Finding(float(np.average(values, weights=weights)))
    found = mean_finding(table, rows, values, weights, confidence=settings.confidence)
    low, high = np.clip([found.low, found.high], 0.0, top).tolist()
    return found._replace(low=low, high=high)
