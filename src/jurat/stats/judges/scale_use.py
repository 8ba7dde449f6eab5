"""How much of the scale a judge uses."""

from __future__ import annotations

import numpy as np

from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.by_judge import spread_by_judge
from jurat.stats.judges.diagnosing import Diagnosing, ordinary
from jurat.stats.judges.panel import WORDS
from jurat.stats.judges.signal import Group, Reading, Signal
from jurat.stats.ratings import Array, Ratings
from jurat.stats.spread import Spread


class Entropy(Signal):
    """Little entropy: a judge who gives nearly always the same answer."""

    name = "judge-entropy"
    gives = ("judge-entropy",)
    way = "entropy"
    asks = "Who uses little of the scale?"
    formula = "entropy of the judge's answers, −Σ p log2 p, in bits"
    rule = "below mean − {k} SD (ddof 1) of the judges' entropies"
    source = "Shannon 1948"
    needs = ("judge",)
    place = 46

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The entropy of every judge's answers."""
        return tuple(_entropy_of(r, settings) for r in ordinary(evaluation, settings))


class Middle(Signal):
    """Much of the middle: a judge who does not commit himself."""

    name = "judge-middle-share"
    gives = ("judge-middle-share",)
    way = "middle"
    asks = "Who keeps to the middle of the scale?"
    formula = "share of the judge's answers in the middle third of the scale that was used"
    rule = "above mean + {k} SD (ddof 1) of the judges' shares"
    source = "central tendency: Guilford 1954"
    needs = ("judge",)
    place = 47

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The share of every judge's answers."""
        return tuple(_middle_of(r, settings) for r in ordinary(evaluation, settings))


def entropy(counts: Array) -> Array:
    """The entropy in bits of each row of counts; an answer that was never given adds nothing."""
    shares = counts / counts.sum(axis=-1, keepdims=True)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(np.abs((shares * logs).sum(axis=-1)))


def in_middle(ratings: Ratings) -> Array:
    """Whether each answer lies in the middle third of the scale, as far as it was used."""
    low, high = ratings.values.min(), ratings.values.max()
    third = (high - low) / 3
    # a point on the border, as 3 and 5 of 1 to 7, belongs to the outer thirds
    slack = 1e-9 * third
    inside = (ratings.values > low + third + slack) & (ratings.values < high - third - slack)
    return np.asarray(inside, dtype=np.float64)


def _entropy_of(ratings: Ratings, settings: Diagnosing) -> Reading:
    points = len(ratings.points)
    cells = ratings.judge_codes * points + ratings.codes
    counts = np.bincount(cells, minlength=len(ratings.judges) * points).reshape(-1, points)
    values = entropy(counts.astype(np.float64))
    nothing = np.full(len(values), np.nan)
    return Reading(
        group=Group(ratings.question, ratings.tags),
        judges=ratings.judges,
        spread=Spread(values=values, low=nothing, high=nothing),
        n=counts.sum(axis=1),
        verdict=rules.below(values, settings.k),
    )


def _middle_of(ratings: Ratings, settings: Diagnosing) -> Reading:
    inside = np.full(len(ratings), 0.0) if ratings.nominal else in_middle(ratings)
    rows = np.column_stack([np.full(len(ratings), float(not ratings.nominal)), inside])
    spread = spread_by_judge(rows, ratings, lambda t: t[:, 1:] / t[:, :1], settings).column(0)
    return Reading(
        group=Group(ratings.question, ratings.tags),
        judges=ratings.judges,
        spread=spread,
        n=np.bincount(ratings.judge_codes),
        verdict=rules.above(spread.values, settings.k),
        reason=WORDS,
    )
