"""Scores of segments, documents and systems, and the comparison of systems, as results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from jurat.metrics.metric import Array
from jurat.resampling import Bootstrap, Interval
from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.metric_scores.counts import MetricCounts
from jurat.stats.metric_scores.significance import (
    ScoreDifferences,
    compare_systems,
    t_errors,
    t_reach,
    uses_t,
    worth,
)
from jurat.stats.pairwise import (
    both_orders,
    correction_words,
    differences_figure,
    p_matrix,
    p_words,
    told_apart,
)
from jurat.stats.phrases import interval, listed
from jurat.stats.settings import Level, ScoreSettings

# Neighbours in the order of systems that a headline compares.
MOST_STEPS = 3
MOST_SYSTEMS = 5
# Pairs whose differences a figure shows.
MOST_DRAWN = 60
NAME = "metric-score"


def results(
    scored: MetricCounts, settings: ScoreSettings, *, level: Level = "corpus", apart: bool = False
) -> Iterator[Result]:
    """The scores at a level; of whole systems also how, and how surely, every two differ.

    `apart` says that the same was scored against other references too.
    """
    if level != "corpus":
        yield part_scores(scored, level)
        return
    resampled = scored.resampled(settings)
    # With one system there is nothing to compare.
    if len(scored.systems) < 2:
        headline = one_system_headline(scored, settings, resampled) if scored.systems else ""
        yield corpus_scores(scored, settings, resampled, headline)
        return
    compared = compare_systems(scored, settings, resampled)
    yield corpus_scores(scored, settings, resampled, corpus_headline(compared, settings))
    tags: dict[str, Key] = {"reference": scored.reference} if apart else {}
    yield _differences(compared, settings, tags)
    yield _p_values(compared, settings, tags)


def corpus_scores(
    scored: MetricCounts, settings: ScoreSettings, resampled: Bootstrap | None, headline: str
) -> Result:
    """The score of every system on all segments, with its interval, best first."""
    estimates = (*_corpora(scored, settings, resampled), *_left_out(scored, "corpus"))
    choices = settings.interval_choices() if resampled else {}
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


def part_scores(scored: MetricCounts, level: Level) -> Result:
    """The score of every segment or document of every system."""
    scores = dict(scored.segment_scores() if level == "segment" else scored.document_scores())
    title = f"{scored.metric.title} of {level}s"
    estimates = tuple(_of_parts(scored, level, scores))
    what = "n counts its segments" if level == "document" else "each for itself"
    return Result(
        name=NAME,
        estimates=(*estimates, *_left_out(scored, level)),
        method=f"{scored.metric.title} of every {level}; {what}",
        signature=scored.signature({"level": level}, single=level == "segment"),
        options={"level": level},
        headline=medians_headline(scored, level, scores),
        draw=lambda: _draw(title, level, estimates),
    )


def _corpora(
    scored: MetricCounts, settings: ScoreSettings, resampled: Bootstrap | None
) -> Iterator[Estimate]:
    interval = resampled.interval if resampled else None
    if resampled and interval and uses_t(scored, settings):
        units = worth(scored)
        reach = t_reach(settings, units) * t_errors(resampled.replicates, units)
        interval = Interval(scored.corpus - reach, scored.corpus + reach)
    # Stable: systems with equal scores stay in the order they were given.
    for at in np.argsort(-scored.goodness, kind="stable").tolist():
        ends = {"low": interval.low[at], "high": interval.high[at]} if interval else {}
        by = _by(scored, scored.systems[at], "corpus")
        yield Estimate.of(scored.corpus[at], scored.size, by=by, **ends)


def _of_parts(scored: MetricCounts, level: Level, scores: dict[str, Array]) -> Iterator[Estimate]:
    of_document = level == "document"
    sizes = np.bincount(scored.document_codes) if of_document else np.ones(scored.size, dtype=int)
    tags = list(_tags(scored, level))
    numbers = range(1, len(sizes) + 1)
    ids = list(numbers) if of_document or not scored.segments else _as_numbers(scored.segments)
    for system, values in scores.items():
        by = _by(scored, system, level)
        for at, value in enumerate(values.tolist()):
            yield Estimate.of(value, sizes[at], by={**by, level: ids[at]}, tags=tags[at])


def _as_numbers(ids: Sequence[str]) -> list[Key]:
    """Ids as whole numbers where all of them are, as segments without ids are counted."""
    whole = all(name.isascii() and name.isdigit() and str(int(name)) == name for name in ids)
    return [int(name) for name in ids] if whole else list(ids)


def _tags(scored: MetricCounts, level: Level) -> Iterator[Mapping[str, Key]]:
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
        yield {**found, **{name: column[at] for name, column in scored.about.items()}}


def _left_out(scored: MetricCounts, level: Level) -> Iterator[Estimate]:
    for system, reason in scored.left_out.items():
        yield Estimate(value=None, n=0, by=_by(scored, system, level), reason=reason)


def _by(scored: MetricCounts, system: str, level: Level) -> dict[str, Key]:
    return {
        "metric": scored.label,
        "system": system,
        "reference": scored.reference,
        "level": level,
    }


def _method(scored: MetricCounts, settings: ScoreSettings, resampled: Bootstrap | None) -> str:
    what = f"{scored.metric.title} of all segments together; n counts segments"
    better = "" if scored.metric.higher_better else "; lower is better"
    drawn = resampled.method if resampled and resampled.interval else ""
    if drawn and uses_t(scored, settings):
        drawn = f"{drawn.replace('percentile', 't')}, whose spread is the standard error"
    note = f"; {scored.unit_note(settings)}" if drawn and scored.unit_note(settings) else ""
    how = f"; {drawn.replace('clusters', scored.drawn(settings))}" if drawn else ""
    return f"{what}{better}{how}{note}"


def _draw(title: str, level: Level, estimates: tuple[Estimate, ...]) -> Figure:
    # Ids of segments are names, in the order of the file.
    counted = all(isinstance(e.by.get(level, 0), int) for e in estimates)
    return figures.scatter(
        title,
        figures.rows(estimates),
        x=figures.axis(level, level, *(() if counted else ("nominal",)), sort=None),
        y=figures.axis("value", title),
        colour=figures.axis("system", "system", "nominal"),
        tooltip=("system", level, "value"),
    )


def _differences(
    compared: ScoreDifferences, settings: ScoreSettings, tags: dict[str, Key]
) -> Result:
    scored = compared.scored
    title = scored.metric.title
    estimates = tuple(
        Estimate.of(
            compared.difference[pair],
            scored.size,
            by={
                "metric": scored.label,
                "system_a": scored.systems[pair[0]],
                "system_b": scored.systems[pair[1]],
            },
            tags=tags,
            low=compared.low[pair],
            high=compared.high[pair],
        )
        for pair in compared.pairs()
    )
    known = any(e.low is not None for e in estimates)
    # Without intervals no resample mattered, and none belongs into the signature.
    choices = settings.interval_choices() if known else {}
    share = f"{100 * settings.confidence:g} %"
    kind = "t" if uses_t(scored, settings) else "symmetric bootstrap"
    how = f"; {kind} interval, {share}, from the same resamples" if known else ""
    return Result(
        name="metric-difference",
        estimates=estimates,
        method=f"{title} of a less that of b; n counts segments{how}",
        signature=scored.signature(choices),
        options=choices,
        draw=lambda: differences_figure(f"Differences in {title}", estimates[:MOST_DRAWN]),
    )


def _p_values(compared: ScoreDifferences, settings: ScoreSettings, tags: dict[str, Key]) -> Result:
    """Each pair stands twice, so that it is found whichever system is named first."""
    scored = compared.scored
    # Without tests, n is still that of the segments.
    estimates = tuple(
        e._replace(n=scored.size)
        for e in compared.tests.estimates(
            both_orders(compared.pairs()), scored.systems, by={"metric": scored.label}, tags=tags
        )
    )
    method = "; ".join(
        filter(
            None,
            (
                compared.tests.method,
                scored.unit_note(settings) if not compared.tests.reason else "",
                correction_words(settings.correction),
                "n counts segments",
            ),
        )
    )
    choices = settings.test_choices(compared.tests.trials)
    return Result(
        name="metric-p",
        estimates=estimates,
        method=method,
        signature=scored.signature(choices),
        options=choices,
        headline=p_value_headline(compared, settings),
        draw=partial(p_matrix, estimates) if not compared.tests.reason else None,
    )


def one_system_headline(
    scored: MetricCounts, settings: ScoreSettings, resampled: Bootstrap | None
) -> str:
    """The score of the only system."""
    (only,) = _corpora(scored, settings, resampled)
    score = f"{spoken(only.value)}{interval(only)}"
    return f"{scored.metric.title}: {scored.systems[0]} scores {score}{_against(scored)}."


def corpus_headline(compared: ScoreDifferences, settings: ScoreSettings) -> str:
    """Who is ahead of whom, by how much, and where that may be chance, from the best one down."""
    scored = compared.scored
    order = np.argsort(-scored.goodness, kind="stable").tolist()
    steps = [_step(compared, a, b, settings) for a, b in pairwise(order)]
    said = "; ".join(steps[:MOST_STEPS])
    more = f"; {_apart(compared, settings)}" if len(steps) > 1 and not compared.tests.reason else ""
    return f"{scored.metric.title}{_against(scored)}: {said}{more}."


def medians_headline(scored: MetricCounts, level: Level, scores: Mapping[str, Array]) -> str:
    """The middle score of each system's segments or documents."""
    first = list(scores)[:MOST_SYSTEMS]
    middle = [f"{name} {spoken(float(np.nanmedian(scores[name])))}" for name in first]
    more = f" and {len(scores) - len(first)} systems more" if len(scores) > len(first) else ""
    if not middle:
        return ""
    number = f"{len(scores[first[0]]):,} {level}s"
    told = ", ".join(middle)
    return f"Median {scored.metric.title} of {number}{_against(scored)}: {told}{more}."


def p_value_headline(compared: ScoreDifferences, settings: ScoreSettings) -> str:
    """How many pairs are told apart."""
    if compared.tests.reason:
        return ""
    title, level = compared.scored.metric.title, 1 - settings.confidence
    corrected = correction_words(settings.correction)
    return f"{title}: {_apart(compared, settings)} (p < {level:.2g}, {corrected})."


def _step(compared: ScoreDifferences, a: int, b: int, settings: ScoreSettings) -> str:
    """One system and the next one."""
    first, second = (compared.scored.systems[at] for at in (a, b))
    p, apart = float(compared.tests.p[a, b]), abs(float(compared.difference[a, b]))
    if not apart:
        return f"{listed([first, second])} score the same"
    if np.isnan(p):
        return f"{first} is {spoken(apart)} ahead of {second}, untested"
    if p < 1 - settings.confidence:
        return f"{first} is ahead of {second} by {spoken(apart)} ({p_words(p)})"
    return f"{listed([first, second])} cannot be told apart ({p_words(p)})"


def _apart(compared: ScoreDifferences, settings: ScoreSettings) -> str:
    scored = compared.scored
    tests = compared.tests.estimates(compared.pairs(), scored.systems, by={}, tags={})
    return told_apart(tests, 1 - settings.confidence)[1]


def _against(scored: MetricCounts) -> str:
    return f" against {scored.reference}"
