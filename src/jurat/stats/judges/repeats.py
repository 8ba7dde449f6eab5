"""A judge against himself: how far apart his answers to the same item are."""

from __future__ import annotations

import numpy as np

from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.adding import added
from jurat.stats.judges.by_judge import spread_by_judge
from jurat.stats.judges.diagnosing import Diagnosing, ordinary
from jurat.stats.judges.in_time import in_time
from jurat.stats.judges.signal import Group, Reading, Signal
from jurat.stats.ratings import Array, Codes, Ratings

NONE = "nobody judged an item twice"


class Repeats(Signal):
    """Self-agreement: a judge who cannot repeat his own answer is no measure."""

    name = "judge-self-distance"
    gives = ("judge-self-distance",)
    way = "self"
    doubts = True
    asks = "Who does not agree with himself on repeated items?"
    formula = "mean |first − later answer| over the judge's repeated items; words differ by 1"
    rule = "above mean + {k} SD (ddof 1) of the judges' distances"
    source = "intra-judge agreement; Hamon et al., section 4 (further work)"
    needs = ("judge",)
    place = 40
    counts = "repeats"
    absent = NONE

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The distance of every judge to himself."""
        found = ((r, *repeated(r)) for r in ordinary(evaluation, settings))
        return tuple(
            _reading(r, again, apart, settings) for r, again, apart in found if again.any()
        )


def repeated(ratings: Ratings) -> tuple[Codes, Array]:
    """Which answers are repeats, and how far from the judge's first of the item."""
    if len(ratings.firsts) == len(ratings):
        return np.zeros(len(ratings), dtype=np.int64), np.zeros(len(ratings))
    cells = ratings.judge_codes * len(ratings.items) + ratings.item_codes
    order = in_time(ratings)
    order = order[np.argsort(cells[order], kind="stable")]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = cells[order][1:] != cells[order][:-1]
    first = np.flatnonzero(new)[np.cumsum(new) - 1]
    values = ratings.values[order]
    apart, again = np.zeros(len(order)), np.zeros(len(order), dtype=np.int64)
    away = np.abs(values - values[first])
    apart[order] = (away > 0) if ratings.nominal else away
    again[order] = ~new
    return again, apart


def _reading(ratings: Ratings, again: Codes, apart: Array, settings: Diagnosing) -> Reading:
    rows = np.column_stack([again, apart * again]).astype(np.float64)
    spread = spread_by_judge(rows, ratings, lambda t: t[:, 1:] / t[:, :1], settings).column(0)
    return Reading(
        group=Group(ratings.question, ratings.tags),
        judges=ratings.judges,
        spread=spread,
        n=added(ratings.judge_codes, again).astype(np.int64),
        verdict=rules.above(spread.values, settings.k),
        reason="he judged no item twice",
    )
