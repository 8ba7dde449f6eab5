"""What HEval is computed from: answers to features, and the sentence scores that they make.

Means of many groups with intervals from one draw of clusters each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.errors import unknown_name
from jurat.protocols import load
from jurat.results import Estimate, Key
from jurat.stats.estimates import Estimates, bootstrap_estimates, ratio
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.ratings import EARLIER, coded
from jurat.stats.settings import HEvalSettings, Settings

# What the score of all features together is called where a question is named.
HEVAL = "heval"
# A judge's answers that agree in these make one sentence score.
SENTENCE = ("judge", "system", "item")


@dataclass(frozen=True, kw_only=True, eq=False)
class FeatureAnswers:
    """The answers of one split; `reason` says why there are none to compute from."""

    tags: Mapping[str, Key] = field(default_factory=dict)
    answers: pl.DataFrame = field(repr=False)
    """A row an answer to a feature: system, item, feature, value, place, the number of its cluster,
    and judge, document, segment, construct where they are known."""
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

    def drawn(self, estimates: Iterable[Estimate], settings: Settings) -> str:
        """How the intervals of these estimates were made; nothing, if none has one."""
        if all(e.low is None for e in estimates):
            return ""
        what = "documents" if _by_document(self.scores) else "segments"
        share = f"{100 * settings.confidence:g} %"
        return f"percentile interval, {share}, {what} drawn {settings.bootstrap} times"

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
    """The rows with their segment, which several systems translated, and what is drawn with it."""
    named = [pl.col(n).cast(pl.String).fill_null("") for n in _NAMES if n in rows.columns]
    if settings.construct in rows.columns:
        named.append(pl.col(settings.construct).cast(pl.String).fill_null("").alias("construct"))
    tags = [pl.col(name) for name in by if name not in (*_NAMES, "construct", "question", "value")]
    cluster = "document" if _by_document(rows) else "place"
    placed = rows.with_columns(_place(rows).alias("place"))
    # Numbered over all systems, so that a cluster is the same one for each of them.
    codes = pl.Series("cluster", coded(placed[cluster])[0])
    return placed.select(*named, *tags, "question", "value", "place").with_columns(codes)


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


def _by_document(rows: pl.DataFrame) -> bool:
    return "document" in rows.columns and rows["document"].n_unique() > 1


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


class GroupMean(NamedTuple):
    """The mean of one group of rows: its keys, its place in `found`, and its n."""

    by: dict[str, Key]
    found: Estimates
    at: int
    n: int

    def estimate(self, tags: Mapping[str, Key]) -> Estimate:
        """The mean under its own keys, after the question."""
        by = {"question": HEVAL, **self.by}
        return self.found.estimate(self.at, n=self.n, by=by, tags=tags)


def group_means(
    rows: pl.DataFrame, *, separately: Sequence[str], together: str, settings: Settings
) -> Iterator[GroupMean]:
    """The mean `value` of each group; clusters are drawn once for all names in `together`.

    Groups that differ in `separately` are drawn for themselves, so that the cost grows with the
    rows and not with the number of clusters × groups.
    """
    if rows.is_empty():
        return
    pieces = rows.partition_by(list(separately), as_dict=True) if separately else {(): rows}
    for key, piece in sorted(pieces.items()):
        yield from _drawn_together(
            piece, dict(zip(separately, key, strict=True)), together, settings
        )


def _drawn_together(
    rows: pl.DataFrame, by: dict[str, Key], together: str, settings: Settings
) -> Iterator[GroupMean]:
    drawn, clusters = np.unique(rows["cluster"].to_numpy(), return_inverse=True)
    groups, names = coded(rows[together])
    cells, size = clusters * len(names) + groups, len(drawn) * len(names)
    sums = np.bincount(cells, weights=rows["value"].to_numpy(), minlength=size)
    counts = np.bincount(cells, minlength=size)
    statistics = np.column_stack([a.reshape(len(drawn), -1) for a in (sums, counts)])
    found = bootstrap_estimates(statistics, ratio, settings=settings)
    for at, name in enumerate(names):
        n = int(statistics[:, len(names) + at].sum())
        yield GroupMean({**by, together: name}, found, at, n)
