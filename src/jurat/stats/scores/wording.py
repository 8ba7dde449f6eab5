"""What scores and their comparisons say in words."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from jurat.metrics.metric import Array
from jurat.resampling import Bootstrap
from jurat.results import Estimate, spoken
from jurat.stats.scores.choices import Level, ScoreSettings
from jurat.stats.scores.scored import Scored
from jurat.stats.scores.significance import Compared
from jurat.stats.words import interval, listed

MOST_STEPS = 3
"""Neighbours in the order of systems that a headline compares."""
MOST_SYSTEMS = 5


def alone(scored: Scored, resampled: Bootstrap | None) -> str:
    """The score of the only system."""
    ends = resampled.interval if resampled else None
    told = Estimate(
        value=float(scored.corpus[0]),
        n=scored.size,
        low=float(ends.low[0]) if ends else None,
        high=float(ends.high[0]) if ends else None,
    )
    score = f"{spoken(told.value)}{interval(told)}"
    return f"{scored.metric.title}: {scored.systems[0]} scores {score}{_against(scored)}."


def finding(compared: Compared, settings: ScoreSettings) -> str:
    """Who is ahead of whom, by how much, and where that may be chance, from the best one down."""
    scored = compared.scored
    order = np.argsort(-scored.goodness, kind="stable").tolist()
    steps = [_step(compared, a, b, settings) for a, b in pairwise(order)]
    said = "; ".join(steps[:MOST_STEPS])
    more = f"; {_apart(compared, settings)}" if len(steps) > 1 and not compared.reason else ""
    return f"{scored.metric.title}{_against(scored)}: {said}{more}."


def medians(scored: Scored, level: Level, scores: Mapping[str, Array]) -> str:
    """The middle score of each system's segments or documents."""
    first = list(scores)[:MOST_SYSTEMS]
    middle = [f"{name} {spoken(float(np.nanmedian(scores[name])))}" for name in first]
    more = f" and {len(scores) - len(first)} systems more" if len(scores) > len(first) else ""
    if not middle:
        return ""
    number = f"{len(scores[first[0]]):,} {level}s"
    told = ", ".join(middle)
    return f"Median {scored.metric.title} of {number}{_against(scored)}: {told}{more}."


def chances(compared: Compared, settings: ScoreSettings) -> str:
    """How many pairs are told apart."""
    if compared.reason:
        return ""
    title, level = compared.scored.metric.title, 1 - settings.confidence
    return f"{title}: {_apart(compared, settings)} (p < {level:.2g}, {settings.corrected})."


def _step(compared: Compared, a: int, b: int, settings: ScoreSettings) -> str:
    """One system and the next one."""
    first, second = (compared.scored.systems[at] for at in (a, b))
    p, apart = float(compared.p[a, b]), abs(float(compared.difference[a, b]))
    if not apart:
        return f"{listed([first, second])} score the same"
    if np.isnan(p):
        return f"{first} is {spoken(apart)} ahead of {second}, untested"
    if p < 1 - settings.confidence:
        return f"{first} is ahead of {second} by {spoken(apart)} ({_chance(p)})"
    return f"{listed([first, second])} cannot be told apart ({_chance(p)})"


def _apart(compared: Compared, settings: ScoreSettings) -> str:
    p = compared.p[np.triu_indices(len(compared.p), 1)]
    told = int((p < 1 - settings.confidence).sum())
    return f"{told} of {len(p)} pairs of systems are told apart"


def _chance(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def _against(scored: Scored) -> str:
    return f" against {scored.reference}"
