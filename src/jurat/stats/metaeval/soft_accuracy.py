"""Whether a metric tells systems apart as surely as people do: soft pairwise accuracy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.chunks import run
from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.jackknifed import HOW, standard_errors, with_error
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.correlation import told_sources
from jurat.stats.metaeval.levels import ENOUGH
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import MetricSettings, choices
from jurat.stats.metaeval.wording import NO_RATINGS, NO_SEGMENTS, of_first, place_of
from jurat.stats.ratings import Array
from jurat.stats.spread import told
from jurat.stats.statistic import Settings
from jurat.stats.words import interval

PATTERNS, SEED = 1000, 4
"""The patterns of signs are part of the definition: those of mt-metrics-eval, from its seed."""
ALIKE = 1e-10
"""A share of the sums, by which those that are equal on paper may differ."""


class MetricSoftAccuracy(AgainstPeople):
    """SPA, and the plain pairwise accuracy of systems beside it."""

    name = "metric-spa"
    gives = ("metric-spa", "metric-accuracy")
    asks = "Does the metric tell systems apart, and as surely as people do?"
    formula = (
        "SPA = 1 − mean |p_people − p_metric| over pairs of systems; p: one-sided paired "
        f"permutation test of segments' scores, {PATTERNS:,} patterns of signs (mt-metrics-eval's)"
    )
    source = "Thompson et al. 2024; Kocmi et al. 2021; mt-metrics-eval"
    place = 60

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Both for each metric."""
        asked = choices(settings)
        parts = matched(evaluation, asked)
        soft = [_soft(one, at, asked) for one in parts for at in range(len(one.metrics))]
        sure = HOW.replace("items", "segments") if any(e.low is not None for e in soft) else ""
        yield self.answer(
            evaluation,
            asked,
            soft,
            method=told(self.formula, "n counts pairs of systems", asked.scored.direction, sure),
            headline=_headline(soft),
            draw=lambda: _draw(soft),
        )
        plain = [_plain(one, at) for one in parts for at in range(len(one.metrics))]
        yield self.answer(
            evaluation,
            asked,
            plain,
            name="metric-accuracy",
            method=told(
                "pairs of systems that people and the metric order alike or both tie, over all "
                f"pairs; {told_sources(parts)}; n counts pairs",
                asked.scored.direction,
            ),
        )


@lru_cache(maxsize=4)
def signs(segments: int) -> Array:
    """Random signs, patterns × segments: from the same bits as mt-metrics-eval's."""
    drawn = np.random.default_rng(SEED).random((PATTERNS, segments), dtype=np.float32)
    return np.where(np.rint(drawn) > 0, 1.0, -1.0)


def superiority(scores: Array) -> Array:
    """How likely it is that the first of every two systems is no better (segments × systems).

    p = patterns of signs under which the sum of differences is as great as it is / all patterns.
    Segments that one of the two lacks say nothing about them.
    """
    first, second = np.triu_indices(scores.shape[1], 1)
    missing = np.isnan(scores)
    if not missing.any():
        sums, totals = _signed(scores), scores.sum(axis=0)
        apart, observed = sums[:, first] - sums[:, second], totals[first] - totals[second]
        tie = ALIKE * np.abs(scores).sum(axis=0).max(initial=0.0)
        return np.asarray((apart >= observed - tie).mean(axis=0))
    differences = np.nan_to_num(scores[:, first] - scores[:, second])
    observed, tie = differences.sum(axis=0), ALIKE * np.abs(differences).sum(axis=0)
    p = (_signed(differences) >= observed - tie).mean(axis=0)
    shared = (~missing[:, first] & ~missing[:, second]).any(axis=0)
    return np.where(shared, p, np.nan)


def _signed(values: Array) -> Array:
    """Sums under every pattern of signs, by a BLAS that is kept to one thread."""
    arrays = (signs(len(values)), values)
    return run(_product, arrays, rows=PATTERNS, at_once=PATTERNS, seed=SEED, jobs=1)


def _product(_: np.random.Generator, __: int, patterns: Array, values: Array) -> Array:
    return np.asarray(patterns @ values)


def soft_accuracy(human: Array, metric: Array) -> float:
    """SPA of segments × systems, higher is better on both sides."""
    with np.errstate(invalid="ignore"):
        apart = np.abs(superiority(human) - superiority(metric))
    there = apart[~np.isnan(apart)]
    return float(1 - there.mean()) if len(there) else float("nan")


def both_sides(one: Matched, metric: int) -> tuple[Array, Array]:
    """People's means and a metric's scores of the same translations; segments without any go."""
    assert one.people.means is not None
    scores = one.oriented[metric]
    missing = np.isnan(one.people.means) | np.isnan(scores)
    human, metric_side = (np.where(missing, np.nan, s) for s in (one.people.means, scores))
    used = ~missing.all(axis=1)
    return human[used], metric_side[used]


def _soft(one: Matched, metric: int, settings: MetricSettings) -> Estimate:
    by = {**one.by, "metric": one.metrics[metric], "level": "system"}
    if one.people.means is None:
        return Estimate(None, 0, by=by, tags=one.tags, reason=NO_RATINGS)
    human, scores = both_sides(one, metric)
    pairs = len(one.systems) * (len(one.systems) - 1) // 2
    if not len(human) or not pairs:
        reason = "there is a single system" if len(human) else NO_SEGMENTS
        return Estimate(None, 0, by=by, tags=one.tags, reason=reason)
    value = soft_accuracy(human, scores)
    if np.isnan(value):
        reason = "no two systems were judged on the same segment"
        return Estimate(None, 0, by=by, tags=one.tags, reason=reason)
    made = Estimate(value, pairs, by=by, tags=one.tags)
    if not settings.bootstrap or len(human) < ENOUGH:
        return made

    def without(kept: NDArray[np.bool_]) -> list[float]:
        return [soft_accuracy(human[kept], scores[kept])]

    (error,) = standard_errors(without, len(human), seed=settings.seed)
    found = with_error(made, float(error), settings)
    return found if found.low is None else found._replace(low=max(0.0, found.low))


def accuracy(human: Array, metric: Array) -> tuple[float, int]:
    """The share of pairs of systems of which both say the same, and how many pairs there are."""
    there = ~np.isnan(human) & ~np.isnan(metric)
    first, second = np.triu_indices(int(there.sum()), 1)
    one, other = (np.sign(s[there][first] - s[there][second]) for s in (human, metric))
    return (float((one == other).mean()), len(first)) if len(first) else (float("nan"), 0)


def _plain(one: Matched, metric: int) -> Estimate:
    by = {**one.by, "metric": one.metrics[metric], "level": "system"}
    scores = one.signs[metric] * one.system_scores(metric)[0]
    value, pairs = accuracy(one.people.system_scores, scores)
    known = None if np.isnan(value) else value
    reason = "" if known is not None else "fewer than two systems have both scores"
    return Estimate(known, pairs, by=by, tags=one.tags, reason=reason)


def _headline(found: Sequence[Estimate]) -> str:
    told_of = of_first(found)
    if not told_of:
        return ""
    best = max(told_of, key=lambda e: e.value or 0.0)
    words = f"{best.by['metric']} tells systems apart most as people do"
    return f"{place_of(best, found)}{words}: SPA {spoken(best.value)}{interval(best)}."


def _draw(found: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Soft pairwise accuracy",
        figures.labelled(found),
        over="metric",
        value="SPA",
        facet="of",
    )
