"""One system: its scores, scores by tag, errors, best and worst segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.sections import (
    SUMMARY_RESAMPLES,
    DataVersion,
    StoredFigure,
    section_results,
)
from jurat.errors import unknown_name
from jurat.model import System

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.monitoring.worker import WorkerState
    from jurat.results import Estimate, Result
    from jurat.stats import Evaluation

# Best and worst segments shown.
SEGMENTS_SHOWN = 8
# A column with more values than this is an identifier, not a tag.
MOST_VALUES = 40
# Columns beyond the table's own that say nothing about the text.
NOT_TAGS = frozenset(("control", "step", "group", "site", "language", "expected", "easy"))


class QuestionScore(NamedTuple):
    """A system's score, rank and cluster on one question."""

    question: str
    score: Estimate | None
    rank: Estimate | None
    cluster: Estimate | None


class TagMean(NamedTuple):
    """The mean of a system where a tag has some value, and the mean of all systems."""

    question: str
    tag: str
    value: str
    n: int
    mean: float
    of_all: float


class ErrorCount(NamedTuple):
    """How often an error was marked."""

    category: str
    severity: str
    number: int
    per_hundred: float
    """Errors per 100 judgments of a segment."""
    of_all: float
    """The same for all systems together."""


class RankedSegment(NamedTuple):
    """A segment and its mean score."""

    document: str
    segment: str
    mean: float
    n: int
    text: str


class BestAndWorst(NamedTuple):
    """The segments with the best and the worst scores on one question."""

    question: str
    best: tuple[RankedSegment, ...]
    worst: tuple[RankedSegment, ...]


class SystemView(NamedTuple):
    """Everything about one system."""

    as_of: DataVersion
    system: System
    numbers: tuple[QuestionScore, ...]
    features: tuple[Estimate, ...]
    """HEval features, where they were asked."""
    constructs: tuple[Estimate, ...]
    figures: tuple[Result, ...]
    """The results of all systems that the numbers are taken from, with their figures."""
    tags: tuple[TagMean, ...]
    errors: tuple[ErrorCount, ...]
    ends: tuple[BestAndWorst, ...]
    comments: tuple[Mapping[str, object], ...]


def system(state: WorkerState, campaign: str, name: str) -> SystemView:
    """Everything about one system; raises `InputError` for an unknown name."""
    test_set = state.definition(campaign).test_set
    systems = {one.name: one for one in test_set.systems}
    if name not in systems:
        raise unknown_name("system", name, systems)
    from jurat.stats.identical_outputs import credited
    from jurat.tables.same_output import for_each_system

    tables = state.tables(campaign)
    named = {name: for_each_system(frame) for name, frame in tables.named.items()}
    seen = credited(state.filtered(campaign, Filter()).evaluation)
    # the same numbers as in the summary of results
    looks = section_results("systems", seen, Filter(), quick=True) if seen.questions else ()
    heval = _heval(seen)
    texts = {
        (document.id, segment.id): segment.translations[name].text
        for document, segment in test_set.segments()
        if name in segment.translations
    }
    return SystemView(
        as_of=tables.as_of,
        system=systems[name],
        numbers=tuple(_numbers(looks, name)),
        features=_of(heval, "heval-feature", name),
        constructs=_of(heval, "heval-construct", name),
        figures=(*looks, *heval),
        tags=tuple(_by_tag(seen, name)),
        errors=tuple(_errors(named.get("spans"), seen, name)),
        ends=tuple(_ends(seen, name, texts)),
        comments=_comments(named.get("texts"), name),
    )


def _numbers(looks: tuple[Result, ...], name: str) -> Iterator[QuestionScore]:
    told = [_of(looks, of, name) for of in ("system-score", "system-rank", "system-cluster")]
    questions = dict.fromkeys(str(e.by.get("question", "")) for of in told for e in of)
    for question in questions:
        yield QuestionScore(question, *(_first(of, question) for of in told))


def _first(estimates: tuple[Estimate, ...], question: str) -> Estimate | None:
    return next((e for e in estimates if str(e.by.get("question", "")) == question), None)


def _of(results: tuple[Result, ...], name: str, system: str) -> tuple[Estimate, ...]:
    """The numbers of one name about the system."""
    return tuple(
        e
        for result in results
        if result.name == name
        for e in result.estimates
        if e.by.get("system") == system and e.value is not None
    )


def _heval(seen: Evaluation) -> tuple[Result, ...]:
    """HEval's features and constructs, where most of them were asked."""
    from jurat.protocols import load
    from jurat.stats import analyse
    from jurat.stats.settings import HEvalSettings

    features = load("heval").questions
    # Other protocols may share a question's name by chance.
    if len({*seen.questions} & {*features}) * 2 < len(features):
        return ()
    settings = HEvalSettings(bootstrap=SUMMARY_RESAMPLES)
    names = ("heval-feature", "heval-construct")
    found = analyse("heval", seen, settings, only=names)
    return tuple(
        replace(one, draw=StoredFigure(one.figure()) if one.draw else None) for one in found
    )


def _by_tag(seen: Evaluation, name: str) -> Iterator[TagMean]:
    import polars as pl

    for ratings in seen.ratings:
        if ratings.nominal or not ratings.has("system"):
            continue
        for tag in _tags(ratings.frame):
            own = (pl.col("system") == name).fill_null(value=False)
            # one pass over the table gives the system's mean and that of all
            mine = pl.col("value").filter(own)
            found = ratings.frame.group_by(pl.col(tag).cast(pl.String).alias("of")).agg(
                mine.mean().alias("mean"), mine.len().alias("n"), pl.col("value").mean()
            )
            for of, mean, n, everybody in found.drop_nulls().sort("of").iter_rows():
                yield TagMean(ratings.question, tag, of, n, mean, everybody)


def _tags(frame: pl.DataFrame) -> Iterator[str]:
    from jurat.tables import JUDGMENTS

    for tag in frame.columns:
        own = tag in JUDGMENTS.schema or tag in NOT_TAGS
        if not own and 1 < frame[tag].n_unique() <= MOST_VALUES:
            yield tag


def _errors(spans: pl.DataFrame | None, seen: Evaluation, name: str) -> Iterator[ErrorCount]:
    """Marked errors by category and severity; the rates are over everything that was looked at."""
    import polars as pl

    if spans is None:
        return
    counts = (pl.col("status") == "valid") & (pl.col("phase") == "evaluation")
    marked = spans.filter(counts).with_columns(
        pl.col("severity", "category").fill_null("") if "category" in spans.columns else pl.lit("")
    )
    looked = _looked_at(seen, marked)
    mine, everybody = looked.get(name, 0), sum(looked.values())
    own = (pl.col("system") == name).sum().alias("own")
    found = marked.group_by("category", "severity").agg(own, pl.len())
    for category, severity, count, of_all in found.sort("own", descending=True).iter_rows():
        if count:
            yield ErrorCount(
                category=category,
                severity=severity,
                number=count,
                per_hundred=100 * count / max(mine, 1),
                of_all=100 * of_all / max(everybody, 1),
            )


def _looked_at(seen: Evaluation, marked: pl.DataFrame) -> dict[str, int]:
    """How many judgments each system got: those that were scored, or else those with errors."""
    import polars as pl

    # Without scores, segments without errors leave no row: then the rate is of those with errors.
    frame = seen.valid if "system" in seen.valid.columns and seen.valid.height else marked
    keys = [name for name in ("judge", "item", "decided_at") if name in frame.columns]
    counts = frame.group_by("system").agg(pl.struct(keys).n_unique())
    return {str(system): count for system, count in counts.iter_rows()}


def _ends(
    seen: Evaluation, name: str, texts: Mapping[tuple[str, str], str]
) -> Iterator[BestAndWorst]:
    import polars as pl

    for ratings in seen.ratings:
        if not ratings.nominal and ratings.has("system"):
            rows = ratings.frame.filter(pl.col("system") == name)
            yield from _ranked(ratings.question, rows, texts)
    if seen.compared.height:
        yield from _ranked("preference", wins(seen.compared, name), texts)


def wins(compared: pl.DataFrame, name: str) -> pl.DataFrame:
    """Comparisons with the system: 1 where it is better, 0 where the other is, else a half."""
    import polars as pl

    first, second = pl.col("system_a") == name, pl.col("system_b") == name
    good = pl.when(pl.col("outcome") == "a").then(1.0).when(pl.col("outcome") == "b").then(0.0)
    share = good.otherwise(0.5)
    rows = compared.filter(first | second)
    return rows.with_columns(pl.when(first).then(share).otherwise(1 - share).alias("value"))


def _ranked(
    question: str, rows: pl.DataFrame, texts: Mapping[tuple[str, str], str]
) -> Iterator[BestAndWorst]:
    import polars as pl

    places = rows.group_by("document", "segment").agg(pl.col("value").mean(), pl.len().alias("n"))
    # by name as well, so that equal means always come in the same order
    ordered = places.sort("value", "document", "segment", descending=[True, False, False])
    if not ordered.height:
        return
    made = [
        RankedSegment(document, segment, mean, n, texts.get((document, segment), ""))
        for document, segment, mean, n in (
            *ordered.head(SEGMENTS_SHOWN).iter_rows(),
            *ordered.tail(SEGMENTS_SHOWN).iter_rows(),
        )
    ]
    # With few segments, the best and the worst overlap.
    half = min(SEGMENTS_SHOWN, ordered.height)
    yield BestAndWorst(question, best=tuple(made[:half]), worst=tuple(reversed(made[half:])))


def _comments(texts: pl.DataFrame | None, name: str) -> tuple[Mapping[str, object], ...]:
    import polars as pl

    if texts is None:
        return ()
    own = texts.filter((pl.col("system") == name) & (pl.col("status") == "valid"))
    return tuple(own.to_dicts())
