"""How often judgments are what the adjudicators settled on, how far they lie from it, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import MOST_STEPS, ROUNDING
from jurat.stats.agreement.new_judges import drawn, for_these_judges
from jurat.stats.estimates import (
    Estimates,
    common_method,
    jackknife_estimates,
    share_estimates,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import units_of, with_unit_note
from jurat.stats.phrases import count_of, interval, percentage, subject
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.statistic import Settings, Statistic

# The judge under whom all judges together stand.
EVERYONE = "all"
# Judges × values × judgments, up to which each judge has values of their own.
MOST_CELLS = 2**22
NOTHING = "nothing was adjudicated"


class AdjudicatedAgreement(Statistic[Settings]):
    """How near each judge, and all of them together, came to the settled answers."""

    name = "adjudicated-agreement"
    asks = "How often was a judgment what the adjudicators settled on?"
    formula = "share of judgments with |judgment − adjudicated| ≤ n, by judge and for `all`"
    source = "TAP-ET, figure 4 (7-pt Czar)"
    needs = ("judge",)
    order = 58
    counted = "judgments"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One result with every judge and every n."""
        found = [_agreement(own, settled, settings) for own, settled in adjudicated(evaluation)]
        estimates = [e for one in found for e in one.estimates()]
        yield self.result(
            evaluation,
            settings,
            estimates or [Estimate(None, 0, reason=NOTHING)],
            how=for_these_judges(common_method(one.values.method for one in found), settings),
            unit=settings.unit,
            drawn=drawn(settings),
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """How often all judges together met the settled answer exactly."""
        exact = next((e for e in known if e.by.get("n") == 0), None)
        if exact is None:
            return ""
        return (
            f"A judgment ({subject(exact)}) is what was settled on in {percentage(exact)} "
            f"of {count_of(exact.n, 'cases')}."
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """The exact share of each judge."""
        exact = [e for e in estimates if e.by.get("n") == 0]
        return figures.points_with_intervals(
            "Judgments that were settled on", exact, over="judge", value="share", facet="question"
        )


def adjudicated(evaluation: Evaluation) -> Iterator[tuple[Ratings, Ratings]]:
    """For each question and split with settled answers: each judge's first ones, and these."""
    settled = {(r.question, *r.tags.values()): r for r in evaluation.adjudicated}
    for ratings in evaluation.ratings:
        key = (ratings.question, *ratings.tags.values())
        if key in settled:
            yield ratings.firsts, settled[key]


def with_settled(judged: pl.DataFrame, settled: pl.DataFrame) -> pl.DataFrame:
    """Judgments with the last settled answer to their item, in columns with `_settled`."""
    # What was settled again replaces what was settled before.
    last = settled.unique("item", keep="last", maintain_order=True)
    return judged.select("judge", "item", "value", "label").join(
        last.select("item", "value", "label"), on="item", suffix="_settled"
    )


def means_by_judge(
    values: Array,
    judge: Codes,
    unit: Codes,
    judges: int,
    settings: Settings,
    *,
    words: str = "items",
) -> Estimates:
    """The mean of each column over all rows, then over those of each judge, unit by unit."""
    cases, width = _own_rows(judge, judges), values.shape[1]
    columns = np.hstack([cases, *(values * own[:, None] for own in cases.T)])

    def score(totals: Array) -> Array:
        number, sums = np.split(totals, [judges + 1], axis=1)
        return np.asarray(sums / np.repeat(number, width, axis=1))

    own_units = [len(np.unique(unit[own > 0])) for own in cases.T]
    return jackknife_estimates(
        columns,
        score,
        settings=settings,
        clusters=unit,
        scale="identity",
        contributing=np.repeat(own_units, width),
        words=words,
    )


def shares_by_judge(
    near: Array, judge: Codes, unit: Codes, judges: int, settings: Settings, *, words: str = "items"
) -> Estimates:
    """The same of shares, with Wilson's intervals."""
    cases = _own_rows(judge, judges)
    hits = np.hstack([near * own[:, None] for own in cases.T])
    every = np.repeat(cases, near.shape[1], axis=1)
    return share_estimates(hits, every, settings=settings, clusters=unit, words=words)


def _own_rows(judge: Codes, judges: int) -> Array:
    """1 for each row in the column of all, and in that of its judge."""
    own = np.eye(judges)[judge] if judges else np.empty((len(judge), 0))
    return np.hstack([np.ones((len(judge), 1)), own])


class _ByJudge(NamedTuple):
    """Values of one question for all judges together, then for each, as many as there are keys."""

    ratings: Ratings
    keys: Sequence[Mapping[str, Key]]
    judges: list[str]
    numbers: list[int]
    values: Estimates

    def estimates(self, only: int | None = None) -> Iterator[Estimate]:
        """The values under all the keys, or under one of them."""
        if not self.numbers[0]:
            return
        for at, (judge, n) in enumerate(zip([EVERYONE, *self.judges], self.numbers, strict=True)):
            for place, key in enumerate(self.keys):
                if only in (None, place):
                    by, column = {**key, "judge": judge}, at * len(self.keys) + place
                    yield self.values.estimate(column, n=n, about=self.ratings, by=by)


def _judges(frame: pl.DataFrame, columns: int) -> tuple[Codes, list[str], list[int]]:
    """The judge of each row, those who have values of their own, and everybody's rows."""
    codes, judges = coded(frame["judge"]) if len(frame) else (np.empty(0, np.int64), [])
    # Each judge has columns of their own; a crowd of judges would fill the memory.
    if len(judges) * columns * len(frame) > MOST_CELLS:
        judges = []
    numbers = np.bincount(codes, minlength=len(judges))[: len(judges)]
    return codes, judges, [len(frame), *numbers.tolist()]


def _agreement(ratings: Ratings, settled: Ratings, settings: Settings) -> _ByJudge:
    frame = with_settled(ratings.frame, settled.frame)
    steps, near = _near(frame, nominal=ratings.nominal)
    codes, judges, numbers = _judges(frame, len(steps) + 1)
    found = Estimates.undefined(0)
    if len(frame):
        units = units_of(ratings, settings)
        unit = units.of_item[_items(ratings, frame)]
        found = shares_by_judge(near, codes, unit, len(judges), settings, words=units.words)
        found = with_unit_note(found, units)
    return _ByJudge(ratings, [{"n": n} for n in steps], judges, numbers, found)


def _items(ratings: Ratings, frame: pl.DataFrame) -> Codes:
    """The code of each row's item among the items of the ratings."""
    names = frame["item"].cast(pl.String).fill_null("")
    return names.cast(pl.Enum(ratings.items)).to_physical().to_numpy().astype(np.int64)


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


# Title and axis of each figure.
FIGURES = {
    "adjudicated-distance": ("How far judgments are from what was settled on", "distance"),
    "adjudicated-difference": ("Judgments above and below what was settled on", "difference"),
}


class AdjudicatedDifference(Statistic[Settings]):
    """How far each judge, and all of them together, were from the settled scores."""

    name = "adjudicated-difference"
    formulas: ClassVar = {
        "adjudicated-distance": "mean |judgment − adjudicated|, by judge and for `all`",
        "adjudicated-difference": "mean of judgment − adjudicated, by judge and for `all`",
    }
    formula = "mean of judgment − adjudicated, and of its size"
    asks = "How far from the settled score is a judge, and do they score higher or lower?"
    source = "mean error and its size, over the cases of TAP-ET's figure 4 (7-pt Czar)"
    needs = ("judge",)
    order = 59
    counted = "judgments"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Both with every judge; nothing where no score was settled."""
        every = (
            _difference(own, settled, settings)
            for own, settled in adjudicated(evaluation)
            if not own.nominal
        )
        found = [one for one in every if one.numbers[0]]
        how = for_these_judges(common_method(one.values.method for one in found), settings)
        for at, name in enumerate(self.gives if found else ()):
            estimates = [e for one in found for e in one.estimates(at)]
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                how=how,
                unit=settings.unit,
                drawn=drawn(settings),
            )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """How far all judges together are, in the mean."""
        first = known[0]
        value, cases = first.value or 0.0, count_of(first.n, "cases")
        if name == "adjudicated-distance":
            return (
                f"A judgment ({subject(first)}) lies {spoken(value)}{interval(first)} from what "
                f"was settled on, in the mean of {cases}."
            )
        return (
            f"Judgments ({subject(first)}) differ by {value:+.3g}{interval(first)} from what was "
            f"settled on, in the mean of {cases}."
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Every judge, and all of them together."""
        title, value = FIGURES[name]
        return figures.points_with_intervals(
            title, estimates, over="judge", value=value, facet="question"
        )


def _difference(ratings: Ratings, settled: Ratings, settings: Settings) -> _ByJudge:
    both = with_settled(ratings.frame, settled.frame)
    frame = both.drop_nulls(["value", "value_settled"])
    codes, judges, numbers = _judges(frame, 1)
    found = Estimates.undefined(0)
    if len(frame):
        apart = (frame["value"] - frame["value_settled"]).to_numpy()
        values, units = np.column_stack([np.abs(apart), apart]), units_of(ratings, settings)
        unit = units.of_item[_items(ratings, frame)]
        found = means_by_judge(values, codes, unit, len(judges), settings, words=units.words)
        found = with_unit_note(found, units)
    return _ByJudge(ratings, [{}, {}], judges, numbers, found)
