"""How much each judge alone moves the systems' scores and ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges.adding import over
from jurat.stats.judges.correlations import places
from jurat.stats.judges.diagnosing import Diagnosing
from jurat.stats.judges.panel import WORDS
from jurat.stats.judges.ranked import ranked
from jurat.stats.judges.removal import Scores, scores
from jurat.stats.ratings import Array
from jurat.stats.statistic import Statistic
from jurat.stats.words import listed


class Influence(Statistic[Diagnosing]):
    """The systems with each judge left out."""

    name = "judge-influence"
    gives = ("judge-influence", "judge-influence-ranks")
    asks = "Whose judgments move the systems' scores and ranks most?"
    formula = "largest change of a system's mean score when the judge is left out"
    source = "leave-one-out influence: Cook & Weisberg 1982"
    needs = ("judge", "system")
    place = 28

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """The largest change of a score, and the number of systems that change places."""
        found = scores(evaluation, settings)
        moves = sorted(
            (e for one in found for e in _estimates(one, moved(one))),
            key=lambda e: -abs(e.value or 0.0),
        )
        ranks = [e for one in found for e in _estimates(one, reordered(one))]
        yield self.result(
            evaluation,
            settings,
            moves,
            method=f"{self.formula} (its new score − the old); n counts the judge's judgments",
            **settings.choices(),
            headline=_headline(moves, ranks),
            draw=lambda: ranked(
                "Largest change of a system's score without the judge", moves, value="change"
            ),
        )
        yield self.result(
            evaluation,
            settings,
            sorted(ranks, key=lambda e: -(e.value or 0.0)),
            name="judge-influence-ranks",
            method="systems in another place when the judge is left out; n counts judgments",
            **settings.choices(),
        )


def left_out(one: Scores) -> Array:
    """The systems' scores without each judge: judges × systems."""
    sums, counts = one.sums.sum(axis=0) - one.sums, one.counts.sum(axis=0) - one.counts
    return over(sums, counts)


def moved(one: Scores) -> Array:
    """The change of the system that changes most without each judge."""
    change = left_out(one) - one.of_judges(np.ones(len(one.sums)))
    size = np.where(np.isnan(change), -1.0, np.abs(change))
    if not size.size:
        return np.full(len(one.sums), np.nan)
    return np.asarray(change[np.arange(len(change)), size.argmax(axis=1)])


def reordered(one: Scores) -> Array:
    """How many systems have another place, or none, without each judge."""
    before = places(one.of_judges(np.ones(len(one.sums))))
    after = [places(row) for row in left_out(one)]
    return np.array([float((row != before).sum()) for row in after])


def _estimates(one: Scores, values: Array) -> Iterator[Estimate]:
    ratings = one.ratings
    single = "nobody else scored any system that he scored"
    for at, judge in enumerate(ratings.judges):
        known = not ratings.nominal and not np.isnan(values[at])
        yield Estimate(
            value=float(values[at]) if known else None,
            n=int(one.counts[at].sum()),
            by={**ratings.by, "judge": judge},
            tags=ratings.tags,
            reason="" if known else WORDS if ratings.nominal else single,
        )


def _headline(moves: Sequence[Estimate], ranks: Sequence[Estimate]) -> str:
    if not moves or moves[0].value is None:
        return ""
    judge, change = moves[0].by["judge"], abs(moves[0].value)
    other = [e for e in ranks if e.value]
    told = [str(e.by["judge"]) for e in other]
    order = f"changes without {listed(told)}" if told else "stays the same"
    return (
        f"Leaving out one judge changes a system's score by at most {change:.2f} ({judge}); "
        f"the order of systems {order}."
    )
