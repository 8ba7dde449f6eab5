"""Scores of segments, documents and whole systems as results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from jurat.metrics.metric import Array
from jurat.resampling import Bootstrap
from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.scores.choices import Level, ScoreSettings
from jurat.stats.scores.scored import Scored
from jurat.stats.scores.wording import medians

NAME = "metric-score"


def corpus_scores(
    scored: Scored, settings: ScoreSettings, resampled: Bootstrap | None, headline: str
) -> Result:
    """The score of every system on all segments, with its interval, best first."""
    estimates = (*_corpora(scored, resampled), *_left_out(scored, "corpus"))
    choices = settings.drawn() if resampled else {}
    return Result(
        name=NAME,
        estimates=estimates,
        method=_method(scored, settings, resampled),
        signature=scored.signature(choices),
        options=choices,
        headline=headline,
        draw=lambda: figures.points_with_intervals(
            f"{scored.metric.title} against {scored.reference}",
            estimates,
            over="system",
            value=scored.metric.title,
            sort="-x" if scored.metric.higher_better else "x",
        ),
    )


def part_scores(scored: Scored, level: Level) -> Result:
    """The score of every segment or document of every system."""
    scores = dict(_parts(scored, level))
    title = f"{scored.metric.title} of {level}s"
    estimates = tuple(_of_parts(scored, level, scores))
    what = "n counts its segments" if level == "document" else "each for itself"
    return Result(
        name=NAME,
        estimates=(*estimates, *_left_out(scored, level)),
        method=f"{scored.metric.title} of every {level}; {what}",
        signature=scored.signature({"level": level}, single=level == "segment"),
        options={"level": level},
        headline=medians(scored, level, scores),
        draw=lambda: _draw(title, level, estimates),
    )


def segment_scores(scored: Scored) -> Iterator[tuple[str, Array]]:
    """The scores of every segment of each system."""
    for system, rows in scored.counts.items():
        yield system, scored.of_sums(rows, single=True)


def _parts(scored: Scored, level: Level) -> Iterator[tuple[str, Array]]:
    if level == "segment":
        yield from segment_scores(scored)
        return
    for system, rows in scored.counts.items():
        yield system, scored.of_sums(scored.by_document(rows))


def _corpora(scored: Scored, resampled: Bootstrap | None) -> Iterator[Estimate]:
    interval = resampled.interval if resampled else None
    for at in np.argsort(-scored.goodness, kind="stable").tolist():
        yield Estimate(
            value=defined(scored.corpus[at]),
            n=scored.size,
            by=_by(scored, scored.systems[at], "corpus"),
            low=defined(interval.low[at]) if interval else None,
            high=defined(interval.high[at]) if interval else None,
        )


def _of_parts(scored: Scored, level: Level, scores: dict[str, Array]) -> Iterator[Estimate]:
    of_document = level == "document"
    sizes = np.bincount(scored.document_codes) if of_document else np.ones(scored.size, dtype=int)
    tags = list(_tags(scored, level))
    for system, values in scores.items():
        by = _by(scored, system, level)
        for at, value in enumerate(values.tolist()):
            yield Estimate(
                value=defined(value), n=int(sizes[at]), by={**by, level: at + 1}, tags=tags[at]
            )


def _tags(scored: Scored, level: Level) -> Iterator[Mapping[str, Key]]:
    """What documents and segments are called, where they have names."""
    if level == "document":
        yield from ({"id": name} for name in scored.document_names)
        return
    for at in range(scored.size):
        found: dict[str, Key] = {}
        if scored.documents:
            found["document"] = scored.documents[at]
        if scored.segments:
            found["id"] = scored.segments[at]
        yield found


def _left_out(scored: Scored, level: Level) -> Iterator[Estimate]:
    for system, reason in scored.left_out.items():
        yield Estimate(value=None, n=0, by=_by(scored, system, level), reason=reason)


def _by(scored: Scored, system: str, level: Level) -> dict[str, Key]:
    return {
        "metric": scored.label,
        "system": system,
        "reference": scored.reference,
        "level": level,
    }


def _method(scored: Scored, settings: ScoreSettings, resampled: Bootstrap | None) -> str:
    what = f"{scored.metric.title} of all segments together; n counts segments"
    better = "" if scored.metric.higher_better else "; lower is better"
    drawn = resampled.method if resampled and resampled.interval else ""
    how = f"; {drawn.replace('clusters', settings.draw)}" if drawn else ""
    return f"{what}{better}{how}"


def defined(value: float) -> float | None:
    """A score, or None where it is undefined."""
    return None if np.isnan(value) else float(value)


def _draw(title: str, level: Level, estimates: tuple[Estimate, ...]) -> Figure:
    return figures.scatter(
        title,
        figures.rows(estimates),
        x=figures.axis(level, level),
        y=figures.axis("value", title),
        colour=figures.axis("system", "system", "nominal"),
        tooltip=("system", level, "value"),
    )
