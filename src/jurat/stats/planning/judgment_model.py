"""How judgments vary: by document, segment, translation, judge and chance; observed or assumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.bots import Truth
from jurat.errors import input_error
from jurat.protocols import Protocol
from jurat.protocols.questions.scale import Scale
from jurat.protocols.questions.slider import Slider
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import PlanSettings


class Variances(NamedTuple):
    """Variances of one judgment around its system's mean, in squared points."""

    document: float
    """Of documents, the same for every system: some are hard to translate."""
    interaction: float
    """Of documents by system: a system is better on some documents than on others."""
    segment: float
    """Of segments within a document, the same for every system."""
    translation: float
    """Of a system's translations beyond that."""
    taste: float
    """Of judges by system: a judge likes some systems better than other judges do."""
    judge: float
    """Of judges' severities."""
    rest: float
    """Of a judge's errors, and of what they alone see in a translation."""


class JudgmentArrays(NamedTuple):
    """Judgments as arrays: value, system, segment, judge and document of each."""

    values: Array
    system: Codes
    segment: Codes
    judge: Codes
    document: Codes

    def at(self, rows: Codes | NDArray[np.bool_]) -> JudgmentArrays:
        """Some of the judgments."""
        system, segment, judge, document = (column[rows] for column in self[1:])
        return JudgmentArrays(self.values[rows], system, segment, judge, document)


def variances(data: JudgmentArrays) -> Variances:
    """Estimates from mean squared differences within kinds of pairs, none below 0.

    Half the mean squared difference of two judgments is the sum of the variances of all that they
    do not share. Pairs of one system, by whether they share document, segment and judge, tell
    document + interaction, segment + translation, judge + taste, and the rest. Pairs of two
    systems, each around its system's mean, never share interaction, translation, taste and rest;
    what these pairs differ by when they do not share a document, segment or judge is the variance
    of the document, segment or judge alone. Weighted least squares without negative values over
    all kinds there are; for one complete system these are the estimates of the analysis of
    variance. Where no pair tells two variances apart, the sum of both goes to the later one.
    """
    from scipy.optimize import nnls

    data = first_judgments(data)
    equations = [*_same_system(data), *_other_system(data)]
    solved = np.zeros(len(Variances._fields) + 2)
    if equations:
        parts, totals, weights = (np.array(column) for column in zip(*equations, strict=True))
        known, scale = _told_apart(parts), np.sqrt(weights)
        solved[known] = nnls(parts[:, known] * scale[:, None], totals * scale)[0]
    return Variances(*(float(v) for v in solved[:-2]))


class _Equation(NamedTuple):
    """Which variances add up to what, and the level of pairs of two systems with both signs."""

    parts: tuple[float, ...]
    total: float
    weight: float
    """How many pairs it is from, no more than there are judgments."""


def _same_system(data: JudgmentArrays) -> Iterator[_Equation]:
    def pairs(groups: Codes) -> _SquaredDifferences:
        return _within(data, joined(groups, data.system))

    for kind in _kinds(data, pairs):
        document, segment, judge = kind.parts
        parts = (document, document, segment, segment, judge, judge, 1.0, 0.0, 0.0)
        yield kind._replace(parts=parts)


def _other_system(data: JudgmentArrays) -> Iterator[_Equation]:
    means = np.bincount(data.system, weights=data.values) / np.bincount(data.system)
    around = data._replace(values=data.values - means[data.system])

    def pairs(groups: Codes) -> _SquaredDifferences:
        return _within(around, groups) - _within(around, joined(groups, data.system))

    for kind in _kinds(data, pairs):
        document, segment, judge = kind.parts
        # The level is free, since subtracting the means takes some of what systems do not share.
        yield kind._replace(parts=(document, 0.0, segment, 0.0, 0.0, judge, 0.0, 1.0, -1.0))


def _kinds(
    data: JudgmentArrays, pairs: Callable[[Codes], _SquaredDifferences]
) -> Iterator[_Equation]:
    """Whether document, segment and judge differ, and half the mean squared difference then.

    `pairs` gives the pairs within groups.
    """
    places = (np.zeros(len(data.values), dtype=np.int64), data.document, data.segment)
    # A segment has one document, so that each place has those of the next among its pairs.
    found = [(pairs(place), pairs(joined(place, data.judge))) for place in places]
    found.append((_SquaredDifferences(0.0, 0.0), _SquaredDifferences(0.0, 0.0)))
    for level in range(len(places)):
        anybody = found[level][0] - found[level + 1][0]
        same_judge = found[level][1] - found[level + 1][1]
        for judge, kind in ((0.0, same_judge), (1.0, anybody - same_judge)):
            if kind.pairs > 0:
                parts = (float(level == 0), float(level < 2), judge)
                yield _Equation(parts, kind.half_mean, min(kind.pairs, len(data.values)))


def _told_apart(parts: Array) -> Codes:
    """Columns that are not 0 and not the same as a later one."""
    columns = [tuple(column) for column in parts.T]
    known = [n for n, c in enumerate(columns) if any(c) and c not in columns[n + 1 :]]
    return np.array(known, dtype=np.int64)


class _SquaredDifferences(NamedTuple):
    """Pairs of judgments: how many, and the sum of their squared differences."""

    pairs: float
    squares: float

    def __sub__(self, other: object) -> _SquaredDifferences:
        assert isinstance(other, _SquaredDifferences)
        return _SquaredDifferences(self.pairs - other.pairs, self.squares - other.squares)

    @property
    def half_mean(self) -> float:
        return max(self.squares, 0.0) / self.pairs / 2


def _within(data: JudgmentArrays, groups: Codes) -> _SquaredDifferences:
    """All pairs within groups: Σ (a − b)² = n Σ a² − (Σ a)²."""
    n = np.bincount(groups).astype(np.float64)
    values = data.values - data.values.mean()  # keeps the digits of what is subtracted below
    sums, squares = (np.bincount(groups, weights=w) for w in (values, values * values))
    return _SquaredDifferences(
        float((n * (n - 1) / 2).sum()), float((n * squares - sums * sums).sum())
    )


def first_judgments(data: JudgmentArrays) -> JudgmentArrays:
    """The first judgment of each judge and translation: repeats are no second opinion."""
    # Codes are renumbered after each pair, so that products stay within 64 bits.
    keys = joined(joined(data.system, data.segment), data.judge)
    return data.at(np.sort(np.unique(keys, return_index=True)[1]))


def joined(first: Codes, second: Codes) -> Codes:
    """A code for each pair of codes that occurs."""
    joined = first * (int(second.max(initial=0)) + 1) + second
    return np.asarray(np.unique(joined, return_inverse=True)[1], dtype=np.int64)


# The mean square of a simulated judge's noise, in parts of the mean noise: it lies between half and
# one and a half of it (`jurat.bots`).
NOISE_SQUARE = 1 + 1 / 12


@dataclass(frozen=True, kw_only=True)
class JudgmentModel:
    """How a judgment is simulated: standard deviations in points, as `Variances` names them.

    A judgment is the sum of its system's quality and of normal effects of all these.
    """

    document: float = 0.0
    interaction: float = 0.0
    segment: float
    translation: float
    taste: float = 0.0
    judge: float
    rest: float
    description: str = ""

    def deviations(self) -> dict[str, float]:
        """The standard deviations by what they come from."""
        return {name: getattr(self, name) for name in Variances._fields}


def assumed_model(protocol: Protocol, settings: PlanSettings) -> JudgmentModel:
    """The model that `jurat.bots` simulates judges with, for the first scale of a protocol.

    Documents by system and judges' tastes, which the bots do not have, are as the settings say.
    Raises InputError where the protocol rates no single translation on a scale or slider.
    """
    kinds = [q for q in protocol.questions.values() if isinstance(q, Scale | Slider)]
    if not kinds or protocol.systems != "one":
        message = f"protocol '{protocol.name}' rates no single translation on a scale or slider"
        raise input_error(message, field="protocol", value=protocol.name)
    low, high, step = _scale(kinds[0])
    unit, spread = high - low, Truth(qualities={}).spread
    # Answers are points of the scale: rounding adds a twelfth of a squared step.
    rest = (unit * settings.noise) ** 2 * NOISE_SQUARE + step**2 / 12
    return JudgmentModel(
        interaction=unit * settings.interaction,
        segment=unit * spread / 2,
        translation=unit * spread,
        taste=unit * settings.taste,
        judge=unit * settings.severity,
        rest=float(np.sqrt(rest)),
        description=f"assumed for {protocol.name} ({low:g} to {high:g}), not estimated",
    )


def observed_model(found: Variances, description: str) -> JudgmentModel:
    """A model with the variances of earlier judgments."""
    deviations = {name: float(np.sqrt(v)) for name, v in found._asdict().items()}
    return JudgmentModel(**deviations, description=description)


def _scale(question: Scale | Slider) -> tuple[float, float, float]:
    """Both ends of the scale, and the mean step between its points."""
    if isinstance(question, Slider):
        return float(question.low), float(question.high), 1.0
    points = sorted(float(point.value) for point in question.points)
    return points[0], points[-1], (points[-1] - points[0]) / max(len(points) - 1, 1)
