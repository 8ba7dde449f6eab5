"""One system: its scores, what it does well and badly, its best and its worst segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jurat.campaigns.watching.filters import Filter
from jurat.campaigns.watching.parts import RESAMPLES, AsOf, Drawn, answers
from jurat.faults import unknown
from jurat.model import System

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.watching.room import Room
    from jurat.results import Estimate, Result
    from jurat.stats import Evaluation

MANY = 8
"""Segments at either end."""
MOST_VALUES = 40
"""Different values of a tag; what has more of them is no tag but a name."""
NO_TAGS = frozenset(("control", "step", "group", "site", "language", "expected", "easy"))
"""Columns beyond the table's own that say nothing about the text."""


class Numbers(NamedTuple):
    """A system's place on one question."""

    question: str
    score: Estimate | None
    rank: Estimate | None
    cluster: Estimate | None


class ByTag(NamedTuple):
    """Its mean where a tag has some value, beside the mean of all systems there."""

    question: str
    tag: str
    value: str
    n: int
    mean: float
    of_all: float


class Errors(NamedTuple):
    """How often an error was marked."""

    category: str
    severity: str
    number: int
    per_hundred: float
    """Judgments of a segment."""
    of_all: float
    """The same for all systems together."""


class Ranked(NamedTuple):
    """A segment and its mean score."""

    document: str
    segment: str
    mean: float
    n: int
    text: str


class Ends(NamedTuple):
    """The segments that it does best and worst, on one question."""

    question: str
    best: tuple[Ranked, ...]
    worst: tuple[Ranked, ...]


class SystemView(NamedTuple):
    """A system's profile, for coordinators."""

    as_of: AsOf
    system: System
    numbers: tuple[Numbers, ...]
    features: tuple[Estimate, ...]
    """Of HEval, where its features were asked."""
    constructs: tuple[Estimate, ...]
    figures: tuple[Result, ...]
    """The results of all systems from which these numbers are, with their pictures."""
    tags: tuple[ByTag, ...]
    errors: tuple[Errors, ...]
    ends: tuple[Ends, ...]
    comments: tuple[Mapping[str, object], ...]


def system(room: Room, campaign: str, name: str) -> SystemView:
    """All that there is about one system."""
    test_set = room.blueprint(campaign).test_set
    systems = {one.name: one for one in test_set.systems}
    if name not in systems:
        raise unknown("system", name, systems)
    tables = room.tables(campaign)
    seen = room.left(campaign, Filter()).evaluation
    looks = answers("systems", seen, Filter(), quick=True) if seen.questions else ()
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
        errors=tuple(_errors(tables.named.get("spans"), seen, name)),
        ends=tuple(_ends(seen, name, texts)),
        comments=_comments(tables.named.get("texts"), name),
    )


def _numbers(looks: tuple[Result, ...], name: str) -> Iterator[Numbers]:
    told = [_of(looks, of, name) for of in ("system-score", "system-rank", "system-cluster")]
    questions = dict.fromkeys(str(e.by.get("question", "")) for of in told for e in of)
    for question in questions:
        yield Numbers(question, *(_first(of, question) for of in told))


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
    from jurat.stats.heval.sheets import HEvalSettings

    features = load("heval").questions
    if len({*seen.questions} & {*features}) * 2 < len(features):
        return ()
    settings = HEvalSettings(bootstrap=RESAMPLES)
    names = ("heval-feature", "heval-construct")
    found = analyse("heval", seen, settings, only=names)
    return tuple(replace(one, draw=Drawn(one.figure()) if one.draw else None) for one in found)


def _by_tag(seen: Evaluation, name: str) -> Iterator[ByTag]:
    import polars as pl

    for ratings in seen.ratings:
        if ratings.nominal or not ratings.has("system"):
            continue
        for tag in _tags(ratings.frame):
            own = (pl.col("system") == name).fill_null(value=False)
            mine = pl.col("value").filter(own)
            found = ratings.frame.group_by(pl.col(tag).cast(pl.String).alias("of")).agg(
                mine.mean().alias("mean"), mine.len().alias("n"), pl.col("value").mean()
            )
            for of, mean, n, everybody in found.drop_nulls().sort("of").iter_rows():
                yield ByTag(ratings.question, tag, of, n, mean, everybody)


def _tags(frame: pl.DataFrame) -> Iterator[str]:
    from jurat.tables import JUDGMENTS

    for tag in frame.columns:
        own = tag in JUDGMENTS.schema or tag in NO_TAGS
        if not own and 1 < frame[tag].n_unique() <= MOST_VALUES:
            yield tag


def _errors(spans: pl.DataFrame | None, seen: Evaluation, name: str) -> Iterator[Errors]:
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
            yield Errors(
                category=category,
                severity=severity,
                number=count,
                per_hundred=100 * count / max(mine, 1),
                of_all=100 * of_all / max(everybody, 1),
            )


def _looked_at(seen: Evaluation, marked: pl.DataFrame) -> dict[str, int]:
    """How many judgments each system got: those that were scored, or else those with errors."""
    import polars as pl

    frame = seen.valid if "system" in seen.valid.columns and seen.valid.height else marked
    keys = [name for name in ("judge", "item", "decided_at") if name in frame.columns]
    counts = frame.group_by("system").agg(pl.struct(keys).n_unique())
    return {str(system): count for system, count in counts.iter_rows()}


def _ends(seen: Evaluation, name: str, texts: Mapping[tuple[str, str], str]) -> Iterator[Ends]:
    import polars as pl

    for ratings in seen.ratings:
        if not ratings.nominal and ratings.has("system"):
            rows = ratings.frame.filter(pl.col("system") == name)
            yield from _ranked(ratings.question, rows, texts)
    if seen.compared.height:
        yield from _ranked("preference", _wins(seen.compared, name), texts)


def _wins(compared: pl.DataFrame, name: str) -> pl.DataFrame:
    """Comparisons with the system: 1 where it is better, 0 where the other is, else a half."""
    import polars as pl

    first, second = pl.col("system_a") == name, pl.col("system_b") == name
    good = pl.when(pl.col("outcome") == "a").then(1.0).when(pl.col("outcome") == "b").then(0.0)
    share = good.otherwise(0.5)
    rows = compared.filter(first | second)
    return rows.with_columns(pl.when(first).then(share).otherwise(1 - share).alias("value"))


def _ranked(
    question: str, rows: pl.DataFrame, texts: Mapping[tuple[str, str], str]
) -> Iterator[Ends]:
    import polars as pl

    places = rows.group_by("document", "segment").agg(pl.col("value").mean(), pl.len().alias("n"))
    ordered = places.sort("value", "document", "segment", descending=[True, False, False])
    if not ordered.height:
        return
    made = [
        Ranked(document, segment, mean, n, texts.get((document, segment), ""))
        for document, segment, mean, n in (
            *ordered.head(MANY).iter_rows(),
            *ordered.tail(MANY).iter_rows(),
        )
    ]
    half = min(MANY, ordered.height)
    yield Ends(question, best=tuple(made[:half]), worst=tuple(reversed(made[half:])))


def _comments(texts: pl.DataFrame | None, name: str) -> tuple[Mapping[str, object], ...]:
    import polars as pl

    if texts is None:
        return ()
    own = texts.filter((pl.col("system") == name) & (pl.col("status") == "valid"))
    return tuple(own.to_dicts())
