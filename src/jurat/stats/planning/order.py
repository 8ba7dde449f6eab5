"""Which order of systems is settled, and how much judging is missing where it is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.planning import stopping
from jurat.stats.planning.asked import PlanSettings
from jurat.stats.planning.cases import crossed
from jurat.stats.planning.stopping import Difference
from jurat.stats.ratings import Ratings
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SystemSettings
from jurat.stats.systems.panel import panel_of, scored
from jurat.stats.systems.wording import no_numbers
from jurat.stats.words import listed

NONE = "no segment was judged for both systems"


class OrderSettled(Statistic[Settings]):
    """A stopping rule for every two systems that are neighbours in the order of scores."""

    name = "order-settled"
    gives = ("order-settled", "order-difference", "order-probability", "more-judgments")
    asks = "May judging stop, since the order of the systems is settled?"
    formula = "1 where the always-valid interval of the mean difference leaves 0 out, else 0"
    source = "Robbins 1970; de la Peña 1999; Waudby-Smith et al. 2024; Cameron et al. 2011"
    place = 20

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """For every two neighbours: settled or not, by how much, how probably, what is missing."""
        asked = PlanSettings.of(settings)
        if evaluation.judgments is None:
            return
        found = [pair for r in evaluation.ratings if scored(r) for pair in _neighbours(r, asked)]
        if not found:
            for name in self.gives:
                yield self.result(evaluation, asked, _nothing(evaluation), name=name)
            return
        settled = [pair.settled() for pair in found]
        yield self.result(
            evaluation,
            asked,
            settled,
            method=f"{self.formula}; {_rule(asked)}",
            headline=_headline(found),
        )
        yield self._differences(evaluation, asked, found)
        yield self.result(
            evaluation,
            asked,
            [pair.probability() for pair in found],
            name="order-probability",
            method="that the system with the higher mean is better: Student's t of difference / "
            "standard error; n counts segments; valid at one look, planned beforehand",
        )
        yield self.result(
            evaluation,
            asked,
            [pair.missing(asked) for pair in found],
            name="more-judgments",
            method=f"judgments of the two systems after which the order is settled with power "
            f"{asked.power:g}, if the difference stays as it is: {asked.simulations} "
            "simulated continuations; n counts segments judged so far",
            simulations=asked.simulations,
        )

    def _differences(
        self, evaluation: Evaluation, settings: PlanSettings, found: Sequence[_Pair]
    ) -> Result:
        estimates = tuple(pair.difference() for pair in found)
        return self.result(
            evaluation,
            settings,
            estimates,
            name="order-difference",
            method=f"mean difference over segments, in points, with its always-valid interval; "
            f"{_rule(settings)}",
            draw=lambda: _draw(estimates),
        )


def _nothing(evaluation: Evaluation) -> list[Estimate]:
    """Why there is no order."""
    if any(scored(ratings) for ratings in evaluation.ratings):
        return [Estimate(value=None, n=0, reason="there is one system only")]
    return no_numbers(evaluation)


def _rule(settings: PlanSettings) -> str:
    centred = "each judge's mean is taken off; " if settings.centred else ""
    false = f"in more than {settings.error:.2g} of campaigns"
    return (
        f"{centred}over all looks and pairs no order is settled falsely {false}; n counts segments"
    )


class _Pair(NamedTuple):
    """Two neighbouring systems, the better first."""

    by: dict[str, Key]
    ratings: Ratings
    found: Difference
    alpha: float

    @property
    def is_settled(self) -> bool:
        return stopping.is_settled(self.found, alpha=self.alpha)

    def settled(self) -> Estimate:
        return self._told(float(self.is_settled) if self.found.segments else None, NONE)

    def difference(self) -> Estimate:
        mean, error, n, _ = self.found
        if not n:
            return self._told(None, NONE)
        if n < stopping.FEWEST:
            return self._told(mean)
        width = float(stopping.reach(n, alpha=self.alpha)) * error
        return self._told(mean)._replace(low=mean - width, high=mean + width)

    def probability(self) -> Estimate:
        flat = "all segments differ by the same" if self.found.segments > 1 else NONE
        return self._told(stopping.probability(self.found), flat)

    def missing(self, settings: PlanSettings) -> Estimate:
        if not self.found.segments:
            return self._told(None, NONE)
        more = stopping.more_segments(
            self.found,
            alpha=self.alpha,
            power=settings.power,
            simulations=settings.simulations,
            seed=settings.seed,
        )
        far = f"not within {stopping.FARTHEST} times as many: the two may well be alike"
        return self._told(None if more is None else np.ceil(more * self.found.judgments), far)

    def _told(self, value: float | None, reason: str = "") -> Estimate:
        told = "" if value is not None else reason
        return Estimate(value, self.found.segments, self.by, self.ratings.tags, reason=told)


def _neighbours(ratings: Ratings, settings: PlanSettings) -> Iterator[_Pair]:
    """Systems next to each other in the order of mean scores.

    The error is shared by all pairs: who is whose neighbour is seen in the data only.
    """
    panel = panel_of(ratings, SystemSettings())
    data, count = crossed(panel, centred=settings.centred), len(panel.systems)
    alpha = settings.error / max(count * (count - 1) / 2, 1)
    means = np.bincount(data.system, weights=data.values) / np.bincount(data.system)
    for pair in pairwise(np.argsort(-means, kind="stable").tolist()):
        found = stopping.difference(data, *pair)
        # on the segments that both translated, it may be the other way round
        better, other = pair if found.mean >= 0 else pair[::-1]
        names = {"system_a": panel.systems[better], "system_b": panel.systems[other]}
        found = found._replace(mean=abs(found.mean))
        yield _Pair({**ratings.by, **names}, ratings, found, alpha)


def _headline(pairs: Sequence[_Pair]) -> str:
    known = [pair for pair in pairs if pair.found.segments]
    if not known:
        return ""
    open_ones = [f"{p.by['system_a']} over {p.by['system_b']}" for p in known if not p.is_settled]
    if not open_ones:
        return f"All {len(known)} neighbouring systems are settled: judging may stop."
    done = len(known) - len(open_ones)
    return f"{done} of {len(known)} neighbours are settled; open: {listed(open_ones)}."


def _draw(estimates: Sequence[Estimate]) -> Figure:
    named = [
        e._replace(by={**e.by, "pair": f"{e.by['system_a']} − {e.by['system_b']}"})
        for e in estimates
    ]
    return figures.points_with_intervals(
        "Differences of neighbouring systems, with always-valid intervals",
        named,
        over="pair",
        value="difference in points",
        facet="question",
        sort=[str(e.by["pair"]) for e in named],
    )
