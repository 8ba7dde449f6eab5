"""Judgments against what the adjudicators settled on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.agreement.tallies import ROUNDING
from jurat.stats.agreement.wording import counted, of_what, share
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Settings, Statistic

EVERYONE = "all"
MOST_STEPS = 10
MOST_CELLS = 2**22
NOTHING = "nothing was adjudicated"
NONE = Spread(values=np.empty(0), low=np.empty(0), high=np.empty(0))
"""What is drawn of no judgments."""


class AdjudicatedAgreement(Statistic[Settings]):
    """How near each judge, and all of them together, came to the settled answers."""

    name = "adjudicated-agreement"
    gives = ("adjudicated-agreement",)
    asks = "How often was a judgment what the adjudicators settled on?"
    formula = "share of judgments with |judgment − adjudicated| ≤ n, by judge and for `all`"
    source = "TAP-ET, figure 4 (7-pt Czar)"
    needs = ("judge",)
    place = 58

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One result with every judge and every n."""
        found = [_Compared.of(own, settled, settings) for own, settled in adjudicated(evaluation)]
        estimates = tuple(e for one in found for e in one.estimates())
        estimates = estimates or (Estimate(value=None, n=0, reason=NOTHING),)
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(
                f"{self.formula}; n counts judgments", drawn([one.spread for one in found])
            ),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
        )


def adjudicated(evaluation: Evaluation) -> Iterator[tuple[Ratings, Ratings]]:
    """What was settled of each question and split, behind what each judge first said of it."""
    settled = {(r.question, *r.tags.values()): r for r in evaluation.adjudicated}
    for ratings in evaluation.ratings:
        key = (ratings.question, *ratings.tags.values())
        if key in settled:
            yield ratings.firsts, settled[key]


def beside(judged: pl.DataFrame, settled: pl.DataFrame) -> pl.DataFrame:
    """Judgments with the last settled answer to their item."""
    last = settled.unique("item", keep="last", maintain_order=True)
    return judged.select("judge", "item", "value", "label").join(
        last.select("item", "value", "label"), on="item", suffix="_settled"
    )


def shares(near: Array, judge: Codes, items: Codes, judges: int, settings: Settings) -> Spread:
    """The shares of all together, then of each judge; exact ends where all went one way."""
    columns = [np.ones((len(near), 1)), near]
    own = np.eye(judges)[judge] if judges else np.empty((len(near), 0))
    for at in range(judges):
        columns += [own[:, at : at + 1], near * own[:, at : at + 1]]
    width = near.shape[1]

    def score(totals: Array) -> Array:
        blocks = totals.reshape(len(totals), -1, width + 1)
        return (blocks[:, :, 1:] / blocks[:, :, :1]).reshape(len(totals), -1)

    found = spread(np.hstack(columns), score, settings=settings, clusters=items)
    cases = [items, *(items[judge == at] for at in range(judges))]
    return _exact(found, np.repeat([len(np.unique(some)) for some in cases], width), settings)


def _exact(found: Spread, cases: Codes, settings: Settings) -> Spread:
    """Clopper and Pearson's ends where all went one way: of that, resamples say nothing."""
    if not settings.bootstrap:
        return found
    least = ((1 - settings.confidence) / 2) ** (1 / cases)
    never, always = found.values == 0, found.values == 1
    low = np.where(never, 0.0, np.where(always, least, found.low))
    high = np.where(always, 1.0, np.where(never, 1 - least, found.high))
    return replace(found, low=low, high=high)


def drawn(spreads: Sequence[Spread]) -> str:
    """How the intervals of shares came about."""
    method = first_method(spreads)
    return f"{method}, exact where all or none are" if method else ""


class _Compared(NamedTuple):
    """The judgments of items that were adjudicated, by judge."""

    ratings: Ratings
    steps: range
    judges: list[str]
    numbers: list[int]
    spread: Spread

    @classmethod
    def of(cls, ratings: Ratings, settled: Ratings, settings: Settings) -> _Compared:
        frame = beside(ratings.frame, settled.frame)
        steps, near = _near(frame, nominal=ratings.nominal)
        codes, judges = coded(frame["judge"]) if len(frame) else (np.empty(0, np.int64), [])
        items = coded(frame["item"])[0]
        if len(judges) * (len(steps) + 1) * len(frame) > MOST_CELLS:
            judges = []
        numbers = np.bincount(codes, minlength=len(judges))[: len(judges)]
        found = shares(near, codes, items, len(judges), settings) if len(frame) else NONE
        return cls(ratings, steps, judges, [len(frame), *numbers.tolist()], found)

    def estimates(self) -> Iterator[Estimate]:
        for at, judge in enumerate([EVERYONE, *self.judges] if self.numbers[0] else []):
            for n in self.steps:
                yield self.spread.estimate(
                    at * len(self.steps) + n,
                    n=self.numbers[at],
                    by={**self.ratings.by, "n": n, "judge": judge},
                    tags=self.ratings.tags,
                )


def _near(frame: pl.DataFrame, *, nominal: bool) -> tuple[range, Array]:
    """The distances asked for, and whether each judgment lies within them."""
    if nominal:
        same = (frame["label"] == frame["label_settled"]).fill_null(value=False)
        return range(1), same.to_numpy().astype(np.float64)[:, None]
    far = (frame["value"] - frame["value_settled"]).abs().fill_null(np.inf).to_numpy()
    finite = far[np.isfinite(far)]
    longest = int(np.ceil(finite.max(initial=0.0) - ROUNDING))
    steps = range(min(max(longest, 1), MOST_STEPS) + 1)
    return steps, (far[:, None] <= np.array(steps) + ROUNDING).astype(np.float64)


def _headline(estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.value is not None and e.by.get("n") == 0]
    if not told:
        return ""
    return (
        f"A judgment ({of_what(told[0])}) is what was settled on in {share(told[0])} "
        f"of {counted(told[0].n, 'cases')}."
    )


def _draw(estimates: Sequence[Estimate]) -> Figure:
    exact = [e for e in estimates if e.by.get("n") == 0]
    return figures.points_with_intervals(
        "Judgments that were settled on", exact, over="judge", value="share", facet="question"
    )
