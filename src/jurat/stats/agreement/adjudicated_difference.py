"""How far judgments lie from what the adjudicators settled on, and on which side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.adjudicated_agreement import (
    EVERYONE,
    MOST_CELLS,
    NONE,
    adjudicated,
    beside,
)
from jurat.stats.agreement.wording import counted, of_what
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval

FORMULAS = {
    "adjudicated-distance": "mean |judgment − adjudicated|, by judge and for `all`",
    "adjudicated-difference": "mean of judgment − adjudicated, by judge and for `all`",
}
DRAWN = {
    "adjudicated-distance": ("How far judgments are from what was settled on", "distance"),
    "adjudicated-difference": ("Judgments above and below what was settled on", "difference"),
}


class AdjudicatedDifference(Statistic[Settings]):
    """How far each judge, and all of them together, were from the settled scores."""

    name = "adjudicated-difference"
    gives = tuple(FORMULAS)
    asks = "How far from the settled score is a judge, and does he score higher or lower?"
    formula = "mean of judgment − adjudicated, and of its size"
    source = "mean error and its size, over the cases of TAP-ET's figure 4 (7-pt Czar)"
    needs = ("judge",)
    place = 59

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Both with every judge; nothing where no score was settled."""
        found = [
            _Apart.of(own, settled, settings)
            for own, settled in adjudicated(evaluation)
            if not own.nominal
        ]
        found = [one for one in found if one.numbers[0]]
        for at, (name, formula) in enumerate(FORMULAS.items() if found else ()):
            estimates = tuple(e for one in found for e in one.estimates(at))
            method = first_method([one.spread for one in found])
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                method=told(f"{formula}; n counts judgments", method),
                headline=_headline(name, estimates),
                draw=_drawing(name, estimates),
            )


class _Apart(NamedTuple):
    """Judgments and settled scores of one question, by judge."""

    ratings: Ratings
    judges: list[str]
    numbers: list[int]
    spread: Spread

    @classmethod
    def of(cls, ratings: Ratings, settled: Ratings, settings: Settings) -> _Apart:
        both = beside(ratings.frame, settled.frame)
        frame = both.drop_nulls(["value", "value_settled"])
        codes, judges = coded(frame["judge"])
        if len(judges) * len(frame) > MOST_CELLS:
            judges = []
        apart = (frame["value"] - frame["value_settled"]).to_numpy()
        numbers = np.bincount(codes, minlength=len(judges))[: len(judges)]
        items = coded(frame["item"])[0]
        found = _means(apart, codes, items, len(judges), settings) if len(frame) else NONE
        return cls(ratings, judges, [len(frame), *numbers.tolist()], found)

    def estimates(self, at: int) -> Iterator[Estimate]:
        for who, (judge, n) in enumerate(zip([EVERYONE, *self.judges], self.numbers, strict=True)):
            found = self.spread.estimate(
                2 * who + at, n=n, by={**self.ratings.by, "judge": judge}, tags=self.ratings.tags
            )
            # a single case can be drawn again and again, and is always the same
            yield found if n > 1 else found._replace(low=None, high=None)


def _means(apart: Array, judge: Codes, items: Codes, judges: int, settings: Settings) -> Spread:
    """Distance and difference of all together, then of each judge."""
    three = np.column_stack([np.ones(len(apart)), np.abs(apart), apart])
    own = np.eye(judges)[judge] if judges else np.empty((len(apart), 0))
    columns = [three, *(three * own[:, at : at + 1] for at in range(judges))]

    def score(totals: Array) -> Array:
        blocks = totals.reshape(len(totals), -1, 3)
        return (blocks[:, :, 1:] / blocks[:, :, :1]).reshape(len(totals), -1)

    return spread(np.hstack(columns), score, settings=settings, clusters=items)


def _headline(name: str, estimates: Sequence[Estimate]) -> str:
    first = estimates[0]
    value, cases = first.value or 0.0, counted(first.n, "cases")
    if name == "adjudicated-distance":
        return (
            f"A judgment ({of_what(first)}) lies {spoken(value)}{interval(first)} from what was "
            f"settled on, in the mean of {cases}."
        )
    return (
        f"Judgments ({of_what(first)}) differ by {value:+.3g}{interval(first)} from what was "
        f"settled on, in the mean of {cases}."
    )


def _drawing(name: str, estimates: Sequence[Estimate]) -> Callable[[], Figure]:
    title, value = DRAWN[name]
    return lambda: figures.points_with_intervals(
        title, estimates, over="judge", value=value, facet="question"
    )
