"""Answers of which few differ from the commonest one, which tell the jackknife too little.

Intervals are then computed once more with four pseudo-items, and the wider one counts. Without
distances these are of the two commonest answers; for coefficients that know distances the second
answer is the one that adds most to the distance from the commonest: what they miss are rare answers
far off, about which judges happened to agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.phrases import FALLS_SHORT
from jurat.stats.ratings import Array

# Items outside the commonest answer that are few; and few in any case, however many there are.
# With these, intervals of Fleiss' kappa covered the truth in 92 % or more of simulated tables of 20
# to 150 items, 2 to 5 judges, kappas of 0 to .95 and answers as rare as 5 %, but for two of 450
# cells (87 and 90 %). Pseudo-items alone, without the wider of both intervals: 10 to 90 % at .95.
FEW_OTHERS = 15
FEWER_OTHERS = 8
SMALL_SHARE = 0.25
# Of coefficients that know distances: the least share of the commonest answer, and the items
# outside it that are few. With half or more at one end of 3 to 5 points and 25 to 150 items,
# intervals held in 92 to 100 % of 300 simulated tables, without pseudo-items in 78 to 94 %.
HALF = 0.5
FEW_FAR = 50
# Items with unequal answers that are few.
FEW_UNEQUAL = 6
# Items outside the commonest answer with which intervals were seen to fall short.
TOO_FEW = 2
# Skewness of the items' means beyond which a few items decide, and the items with which that was
# seen to matter. Of scores like MQM's (30 to 200 items) intervals of ICC and Pearson's r held in 87
# to 90 %, and 19 of 20 tables are more skewed than this; of normal and 5-point scores 1 of 50 is.
SKEWED = 1.0
MANY_ITEMS = 500
SKEWED_SCORES = "scores are skewed: a few items decide"
# Items with equal answers that are few, and points of a scale on which answers are seldom equal.
# From 0 to 100, intervals of kappas without weights held in 29 to 71 % of tables of 20 items with
# fewer than six such items, in 57 to 90 % of 40 items with fewer than twelve, and else in 97 %.
FEW_EQUAL = 12
LONG_SCALE = 10
SELDOM_EQUAL = "few items on which judges give the very same answer"
FEW_CASES = "few cases outside the commonest category"
FEW_DISAGREEMENTS = "few items about which judges differ"
PSEUDO_ITEMS = "four pseudo-items are added where such cases are few, and the wider interval counts"
# Answers between which there is one distance: weights make no difference.
TWO = 2


class Rarity(NamedTuple):
    """Whether answers outside the commonest, or items with unequal answers, are few."""

    others: bool = False
    unequal: bool = False
    too_few: bool = False
    answers: int = 0
    far: bool = False
    """Whether half of the answers or more are the commonest one, and those far from it are few."""
    skewed: bool = False
    """Whether a few items decide about coefficients of squares."""
    seldom_equal: bool = False
    """Whether few items have equal answers, on a scale of many points."""

    @property
    def needs_pseudo_items(self) -> bool:
        """Whether the jackknife alone would tell too little."""
        return (self.others or self.unequal) and self.answers > 1

    @property
    def note(self) -> str:
        """What is few, and whether the interval is known to fall short."""
        what = FEW_CASES if self.others or self.far else FEW_DISAGREEMENTS
        return method_line(what, FALLS_SHORT if self.too_few else "")

    @property
    def widens_distances(self) -> bool:
        """Whether coefficients that know distances need pseudo-items too."""
        return self.far or (self.needs_pseudo_items and self.answers == TWO)

    @property
    def category_note(self) -> str:
        """What to beware of in coefficients that know no distances, if anything."""
        return method_line(SELDOM_EQUAL, FALLS_SHORT) if self.seldom_equal else ""

    @property
    def square_note(self) -> str:
        """The same of coefficients of squares: ICC, Pearson's r, quadratic weights."""
        return method_line(SKEWED_SCORES, FALLS_SHORT) if self.skewed else ""


def rarity(counts: AnswerCounts) -> Rarity:
    """What is few among the answers to items with two judgments or more."""
    number = counts.copies @ counts.paired
    total = counts.per_point(counts.count * counts.paired[counts.item])
    if not number:
        return Rarity()
    unequal = counts.copies @ ((counts.equal < counts.pairs) & (counts.paired > 0))
    equal = counts.copies @ ((counts.equal > 0) & (counts.paired > 0))
    share = 1 - float(total.max() / total.sum())
    others = bool(few_others(share, number))
    return Rarity(
        others=others,
        unequal=bool(unequal <= FEW_UNEQUAL),
        too_few=bool(share * number < TOO_FEW),
        answers=int((total > 0).sum()),
        far=bool(few_far(share, number) and (total > 0).sum() > TWO),
        skewed=is_skewed(counts),
        seldom_equal=bool(equal < FEW_EQUAL and (total > 0).sum() > LONG_SCALE),
    )


def is_skewed(counts: AnswerCounts) -> bool:
    """Whether the means of items judged twice are so skewed that a few items decide."""
    weight = (counts.copies * (counts.paired > 0)).astype(np.float64)
    number = weight.sum()
    if counts.nominal or not 2 < number < MANY_ITEMS:
        return False
    sums = counts.per_item(counts.count * counts.places[counts.code])
    means = sums / np.maximum(counts.size, 1)
    away = means - weight @ means / number
    variance = weight @ away**2 / number
    return bool(abs(weight @ away**3 / number) > SKEWED * variance**1.5 > 0)


def few_others(share: Array | float, items: Array | float) -> NDArray[np.bool_]:
    """Whether so large a share outside the commonest answer are few items."""
    return np.asarray(share * items < np.where(share < SMALL_SHARE, FEW_OTHERS, FEWER_OTHERS))


def few_far(share: Array | float, items: Array | float) -> NDArray[np.bool_]:
    """Whether they are few for coefficients that know distances, which a single one may decide."""
    return np.asarray((np.asarray(share) <= HALF) & (share * items < FEW_FAR))


def widened(found: Estimates, wide: Estimates, rare: Rarity) -> Estimates:
    """The wider of the intervals as they are and those with pseudo-items, with the note."""
    known = ~np.isnan(found.values)
    # The value itself lies in its interval, also where it is 1 and nothing varies.
    high = np.fmax(np.fmax(found.high, wide.high), found.values)
    return replace(
        found,
        low=np.where(known, np.fmin(found.low, wide.low), found.low),
        high=np.where(known, high, found.high),
        notes=tuple(rare.note if there else "" for there in known),
        method=method_line(found.method, PSEUDO_ITEMS),
    )


def with_few_cases(
    found: Estimates,
    rare: Rarity,
    with_pseudo_items: Callable[[], Estimates],
    *,
    squares: bool = False,
) -> Estimates:
    """Coefficients that know distances: widened where cases are few, else with a note.

    `squares` says that they are of squares, as ICC is, and not of ranks.
    """
    if rare.widens_distances:
        return widened(found, with_pseudo_items(), rare)
    told = rare.square_note if squares else ""
    if not told:
        return found
    notes = found.notes or ("",) * len(found.values)
    return replace(found, notes=tuple(note or told for note in notes))
