"""All that is told of one metric's counts: scores, differences and p-values of every pair."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.scores.choices import Level, ScoreSettings
from jurat.stats.scores.levels import corpus_scores, defined, part_scores
from jurat.stats.scores.scored import Scored
from jurat.stats.scores.significance import Compared, compare
from jurat.stats.scores.wording import alone, chances, finding

MOST_DRAWN = 60
"""Pairs whose differences a figure shows."""


def results(
    scored: Scored, settings: ScoreSettings, *, level: Level = "corpus", apart: bool = False
) -> Iterator[Result]:
    """The scores at a level; of whole systems also how, and how surely, every two differ.

    `apart` says that the same was scored against other references too.
    """
    if level != "corpus":
        yield part_scores(scored, level)
        return
    resampled = scored.resampled(settings)
    if len(scored.systems) < 2:
        headline = alone(scored, resampled) if scored.systems else ""
        yield corpus_scores(scored, settings, resampled, headline)
        return
    compared = compare(scored, settings, resampled)
    yield corpus_scores(scored, settings, resampled, finding(compared, settings))
    tags: dict[str, Key] = {"reference": scored.reference} if apart else {}
    yield _differences(compared, settings, tags)
    yield _p_values(compared, settings, tags)


def _differences(compared: Compared, settings: ScoreSettings, tags: dict[str, Key]) -> Result:
    scored = compared.scored
    title = scored.metric.title
    estimates = tuple(
        _estimate(compared, a, b, tags, compared.difference[a, b])._replace(
            low=defined(compared.low[a, b]), high=defined(compared.high[a, b])
        )
        for a, b in compared.pairs()
    )
    known = any(e.low is not None for e in estimates)
    choices = settings.drawn() if known else {}
    share = f"{100 * settings.confidence:g} %"
    how = f"; symmetric bootstrap interval, {share}, from the same resamples" if known else ""
    return Result(
        name="metric-difference",
        estimates=estimates,
        method=f"{title} of a less that of b; n counts segments{how}",
        signature=scored.signature(choices),
        options=choices,
        draw=lambda: _draw_differences(f"Differences in {title}", estimates),
    )


def _p_values(compared: Compared, settings: ScoreSettings, tags: dict[str, Key]) -> Result:
    """Each pair stands twice, so that it is found whichever system is named first."""
    scored, ahead = compared.scored, compared.pairs()
    estimates = tuple(
        _estimate(compared, a, b, tags, compared.p[a, b])._replace(reason=compared.reason)
        for a, b in (*ahead, *((b, a) for a, b in ahead))
    )
    method = "; ".join(filter(None, (compared.method, settings.corrected, "n counts segments")))
    choices = settings.tested(compared.trials)
    return Result(
        name="metric-p",
        estimates=estimates,
        method=method,
        signature=scored.signature(choices),
        options=choices,
        headline=chances(compared, settings),
        draw=partial(_draw_chances, estimates) if not compared.reason else None,
    )


def _estimate(compared: Compared, a: int, b: int, tags: dict[str, Key], value: float) -> Estimate:
    scored = compared.scored
    by = {"metric": scored.label, "system_a": scored.systems[a], "system_b": scored.systems[b]}
    return Estimate(value=defined(value), n=scored.size, by=by, tags=tags)


def _draw_differences(title: str, estimates: tuple[Estimate, ...]) -> Figure:
    named = [
        e._replace(by={**e.by, "pair": f"{e.by['system_a']} − {e.by['system_b']}"})
        for e in estimates[:MOST_DRAWN]
    ]
    return figures.points_with_intervals(title, named, over="pair", value="difference")


def _draw_chances(estimates: tuple[Estimate, ...]) -> Figure:
    return figures.heat(
        "p-values of pairs of systems",
        figures.rows(estimates),
        x=figures.axis("system_b", "against", "nominal"),
        y=figures.axis("system_a", "system", "nominal"),
        colour=figures.axis("value", "p", scale={"domain": [0, 1], "reverse": True}),
    )
