"""The many-facet Rasch model with a rating scale: quality of items against severity of judges.

log P(answer k) / P(answer k − 1) = quality of the item − severity of the judge − threshold k.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.stats.ratings import Array, Codes, summed

Mask = NDArray[np.bool_]

MOST_CYCLES = 1000
# Logits: when nothing moves further than this, the fit is done.
CLOSE = 1e-5
# A longer scale is cut into so many equal parts.
MOST_CATEGORIES = 10
STEP = 1 / 256
# The grid on which the model is tabulated, in logits; between its points lines are drawn.
FAR = 20.0


@dataclass(frozen=True, kw_only=True, eq=False)
class RaschModel:
    """A fitted model; judges who cannot be placed have NaN."""

    severities: Array
    errors: Array
    thresholds: Array
    infit: Array
    outfit: Array
    apart: Mask
    """Judges without items in common with the largest group of judges."""
    used: int
    """How many judgments tell something about severity."""


def fit_rasch(codes: Codes, judges: Codes, items: Codes) -> RaschModel:
    """Joint maximum likelihood (Wright & Masters 1982; Linacre 1989).

    Items with one judgment, or with all at one end of the scale, tell nothing of severity and are
    left out; so are judges who only ever used one end. With L judgments an item, estimates are
    shrunk by (L − 1)/L, which takes away most of the bias of joint estimation (Wright & Douglas
    1977). Severities have mean 0.
    """
    people = int(judges.max()) + 1
    kept = informative(codes, judges, items)
    group = connected(judges, items, kept)
    apart = np.isin(np.arange(people), judges[kept & ~group])
    if not group.any():
        return _unfitted(people, apart)
    design = _Design.of(codes[group], judges[group], items[group])
    return _model(design, _fit(design), apart)


def _unfitted(people: int, apart: Mask) -> RaschModel:
    nothing = np.full(people, np.nan)
    return RaschModel(
        severities=nothing,
        errors=nothing,
        thresholds=np.array([]),
        infit=nothing,
        outfit=nothing,
        apart=apart,
        used=0,
    )


def _model(design: _Design, fitted: _Fitted, apart: Mask) -> RaschModel:
    """The fit without most of its bias, for all judges."""
    infit, outfit = _fits(design, fitted)
    shrunk = 1 - 1 / design.per_item

    def of_all(values: Array) -> Array:
        full = np.full(len(apart), np.nan)
        full[design.names] = values
        return full

    return RaschModel(
        severities=of_all(shrunk * fitted.severities),
        errors=of_all(shrunk * fitted.errors),
        thresholds=shrunk * fitted.thresholds,
        infit=of_all(infit),
        outfit=of_all(outfit),
        apart=apart,
        used=len(design.codes),
    )


def categories(values: Array) -> Codes:
    """The answers as numbers from 0; a long scale in ten equal parts."""
    points, codes = np.unique(values, return_inverse=True)
    if len(points) <= MOST_CATEGORIES:
        return codes
    share = (values - points[0]) / (points[-1] - points[0])
    parts = np.minimum((share * MOST_CATEGORIES).astype(np.int64), MOST_CATEGORIES - 1)
    return np.unique(parts, return_inverse=True)[1]


def informative(codes: Codes, judges: Codes, items: Codes) -> Mask:
    """The judgments that tell something: neither of items nor of judges at an end of the scale."""
    kept = np.ones(len(codes), dtype=np.bool_)
    # leaving out an item may leave a judge at one end of the scale, and so on
    while kept.any():
        low, high = codes[kept].min(), codes[kept].max()
        rows = kept.copy()
        for things, least in ((items, 2), (judges, 1)):
            count = np.bincount(things[rows], minlength=things.max() + 1)
            total = summed(things[rows], codes[rows] - low, len(count))
            inside = (count >= least) & (total > 0) & (total < count * (high - low))
            rows &= inside[things]
        if rows.sum() == kept.sum():
            break
        kept = rows
    return kept


def connected(judges: Codes, items: Codes, kept: Mask) -> Mask:
    """The judgments of the largest group of judges who are linked by common items."""
    people, things = judges[kept], items[kept]
    if not len(people):
        return kept
    # each judge takes the smallest label of those they share an item with, until none changes
    label = np.arange(judges.max() + 1)
    while True:
        of_item = np.full(items.max() + 1, len(label))
        np.minimum.at(of_item, things, label[people])
        after = label.copy()
        np.minimum.at(after, people, of_item[things])
        if np.array_equal(after, label):
            break
        label = after
    largest = np.bincount(label[people]).argmax()
    return np.asarray(kept & (label[judges] == largest))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Design:
    """The judgments, and items of the same judges and the same sum taken together."""

    codes: Codes
    judges: Codes
    names: Codes
    """Which judge each number is."""
    pattern_of: Codes
    """Which pattern each judgment's item has."""
    pattern: Codes
    judge: Codes
    weight: Array
    """A cell a pattern and judge: how many items it stands for."""
    sums: Array
    """The sum of an item of each pattern."""
    judge_sums: Array
    answers: Array
    """How often each category was given."""
    per_item: float

    @classmethod
    def of(cls, codes: Codes, judges: Codes, items: Codes) -> _Design:
        # categories that nobody gave have no threshold
        codes = np.unique(codes, return_inverse=True)[1]
        names, judges = np.unique(judges, return_inverse=True)
        items = np.unique(items, return_inverse=True)[1]
        sums = summed(items, codes)
        first, pattern, many = _patterns(judges, items, sums)
        stands_for = np.zeros(len(sums), dtype=np.bool_)
        stands_for[first] = True
        cells = stands_for[items]
        return cls(
            codes=codes,
            judges=judges,
            names=names,
            pattern_of=pattern[items],
            pattern=pattern[items[cells]],
            judge=judges[cells],
            weight=many[pattern[items[cells]]].astype(np.float64),
            sums=sums[first],
            judge_sums=summed(judges, codes),
            answers=np.bincount(codes).astype(np.float64),
            per_item=len(codes) / len(sums),
        )


def _patterns(judges: Codes, items: Codes, sums: Array) -> tuple[Codes, Codes, Codes]:
    """Items with the same judges and the same sum: one of each, which each has, how many have it.

    The same judges are known by the sum of random numbers, one a judge.
    """
    # a fixed seed: which items are taken together must not change from run to run
    marks = np.random.default_rng(0).integers(1, 2**63, judges.max() + 2, dtype=np.uint64)
    keys = sums.astype(np.uint64) * marks[-1]
    np.add.at(keys, items, marks[judges])  # which overflows, as hashes do
    _, first, pattern, many = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    return first, pattern, many


class _Fitted(NamedTuple):
    """Where everything lies, in logits."""

    qualities: Array
    severities: Array
    errors: Array
    thresholds: Array


class _Curve(NamedTuple):
    """The model on a grid: expected answer, its variance, and the chance of each category."""

    mean: Array
    variance: Array
    chances: Array

    @classmethod
    def of(cls, thresholds: Array) -> _Curve:
        grid = np.arange(-FAR, FAR + STEP, STEP)
        steps = np.arange(len(thresholds) + 1)
        # the log weight of category k is k × logit less the thresholds up to it
        logits = grid[:, None] * steps - np.concatenate([[0.0], np.cumsum(thresholds)])
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        mean = chances @ steps
        return cls(mean, chances @ steps**2 - mean**2, chances)


def _place(logits: Array) -> tuple[Codes, Array]:
    """The grid's point below, and how far beyond it."""
    place = (np.clip(logits, -FAR + STEP, FAR - STEP) + FAR) / STEP
    below = place.astype(np.int64)
    return below, place - below


def _read(table: Array, below: Codes, beyond: Array) -> Array:
    return np.asarray(table[below] + beyond * (table[below + 1] - table[below]))


def _fit(design: _Design) -> _Fitted:
    """Items, judges and thresholds in turn, each by a Newton step, until nothing moves."""
    top, people = len(design.answers) - 1, len(design.names)
    # logits of the items' shares of the highest sum are a good start
    share = design.sums / (top * np.bincount(design.pattern))
    qualities, severities = np.log(share / (1 - share)), np.zeros(people)
    thresholds, errors = np.zeros(top), np.ones(people)
    for _ in range(MOST_CYCLES):
        curve = _Curve.of(thresholds)
        below, beyond = _place(qualities[design.pattern] - severities[design.judge])
        expected, varied = (summed(design.pattern, _read(t, below, beyond)) for t in curve[:2])
        # no more than one logit at a time: far out the curve is flat and steps would be huge
        up = np.clip((design.sums - expected) / np.maximum(varied, 1e-9), -1, 1)
        qualities = qualities + up
        below, beyond = _place(qualities[design.pattern] - severities[design.judge])
        expected, varied = (
            summed(design.judge, design.weight * _read(t, below, beyond)) for t in curve[:2]
        )
        stricter = np.clip((expected - design.judge_sums) / np.maximum(varied, 1e-9), -1, 1)
        # only differences are determined: severities are kept at mean 0
        stricter -= (severities + stricter).mean()
        severities, errors = severities + stricter, 1 / np.sqrt(np.maximum(varied, 1e-9))
        moved = _thresholds_move(design, curve, below, beyond)
        thresholds = thresholds + moved
        if max(np.abs(up).max(), np.abs(stricter).max(), np.abs(moved).max()) < CLOSE:
            break
    return _Fitted(qualities, severities, errors, thresholds)


def _thresholds_move(design: _Design, curve: _Curve, below: Codes, beyond: Array) -> Array:
    """How far the thresholds must move for as many answers of each category as there are."""
    points = len(curve.mean)
    on_grid = summed(below, design.weight * (1 - beyond), points)
    on_grid += summed(below + 1, design.weight * beyond, points)
    expected = on_grid @ curve.chances
    ratio = np.log(expected / design.answers)
    moved = np.clip(np.diff(ratio), -1, 1)
    return np.asarray(moved - moved.mean())


def _fits(design: _Design, fitted: _Fitted) -> tuple[Array, Array]:
    """Infit and outfit of each judge: mean squares, 1 for the judgments of all together."""
    curve = _Curve.of(fitted.thresholds)
    logits = fitted.qualities[design.pattern_of] - fitted.severities[design.judges]
    below, beyond = _place(logits)
    mean, variance = (_read(t, below, beyond) for t in curve[:2])
    square, variance = (design.codes - mean) ** 2, np.maximum(variance, 1e-9)
    people = len(design.names)

    def by_judge(values: Array) -> Array:
        return summed(design.judges, values, people)

    infit = by_judge(square) / by_judge(variance) / (square.sum() / variance.sum())
    relative = square / variance
    return infit, by_judge(relative) / np.bincount(design.judges) / relative.mean()
