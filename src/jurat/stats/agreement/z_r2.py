"""The first against the second judgment of an item, each in standard deviations of its judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import WORDS, AnswerCounts
from jurat.stats.agreement.new_judges import drawn, for_these_judges
from jurat.stats.agreement.pair_intervals import noted
from jurat.stats.agreement.rare_answer_intervals import SKEWED_SCORES, is_skewed
from jurat.stats.correlation import moments, pearson_from_sums
from jurat.stats.estimates import Estimates, common_method, left_out_by_group, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import Units, units_of, with_unit_note
from jurat.stats.phrases import FALLS_SHORT, percentage, subject
from jurat.stats.ratings import Array, Codes, Ratings, scaled, summed
from jurat.stats.statistic import Settings, Statistic

# Units of which z-scores are computed anew without each.
MOST_LEFT_OUT = 400
FEWEST_GROUPS = 20
# Answers that are standardised in all while units are left out.
MOST_STANDARDISED = 4_000_000
UNPAIRED = "no item was judged by two judges whose scores vary"


class ZR2(Statistic[Settings]):
    """TAP-ET's scatter of normalised scores."""

    name = "z-r2"
    asks = "How much of a second judgment does the first one tell, judges' levels set aside?"
    formula = (
        "R² of the first two judgments of an item, by different judges, in z-scores: "
        "(score − judge's mean) / judge's SD, ddof 1; the earlier decision is the first"
    )
    source = "TAP-ET, figure 5"
    needs = ("judge",)
    reads_order = True
    order = 55
    counted = "items"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One R² a question."""
        baseline = {ratings.question: ratings for ratings in evaluation.baseline}
        found = [_Scatter.of(r, baseline.get(r.question, r), settings) for r in evaluation.ratings]
        estimates = [scatter.estimate() for scatter in found]
        how = common_method(scatter.found.method for scatter in found)
        how = for_these_judges(how, settings)
        yield self.result(
            evaluation,
            settings,
            estimates,
            how=how,
            draw=lambda: _draw(found),
            unit=settings.unit,
            drawn=drawn(settings),
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Of the first question and split."""
        first = known[0]
        return (
            f"The first judgment of an item explains {percentage(first)} of the variance of the "
            f"second, judges' own levels set aside ({subject(first)}, {first.n:,} items"
            f"{f'; {first.note}' if first.note else ''})."
        )


class _Scatter(NamedTuple):
    ratings: Ratings
    first: Array
    second: Array
    found: Estimates

    @classmethod
    def of(cls, ratings: Ratings, baseline: Ratings, settings: Settings) -> _Scatter:
        first, second, item = first_and_second(ratings, baseline)
        found = Estimates.undefined()
        if len(first):
            units = units_of(ratings.firsts.chronological, settings)
            known, unit = np.unique(units.of_item[item], return_inverse=True)
            sure = left_out_by_group(
                _r_without(
                    ratings, baseline, _units_of_rows(ratings, baseline, units, known), unit
                ),
                unit,
                most=max(FEWEST_GROUPS, min(MOST_LEFT_OUT, MOST_STANDARDISED // len(baseline))),
                settings=settings,
                words=units.words,
            )
            found = _squared(with_unit_note(sure, units))
        return cls(ratings, first, second, found)

    def estimate(self) -> Estimate:
        reason = WORDS if self.ratings.nominal else UNPAIRED
        made = self.found.estimate(n=len(self.first), about=self.ratings, reason=reason)
        if made.low is None or not is_skewed(AnswerCounts.of(self.ratings.firsts)):
            return made
        return noted(made, method_line(SKEWED_SCORES, FALLS_SHORT))


def first_and_second(
    ratings: Ratings, baseline: Ratings | None = None
) -> tuple[Array, Array, Codes]:
    """The z-scores of the first two judgments of each item, in the order given, and the items.

    Judges' means and deviations come from the baseline, or from the answers themselves. A judge
    whose scores do not vary has no z-scores.
    """
    if ratings.nominal:
        return np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)
    ordered = ratings.firsts.chronological
    z = _NormalScores.of(ordered, baseline or ratings).z()
    first, second = _first_rows(ordered, z)
    return z[first], z[second], ordered.item_codes[first]


def _first_rows(ordered: Ratings, z: Array) -> tuple[Codes, Codes]:
    """The rows of the first two judgments of each item that have a z-score."""
    rows = np.flatnonzero(~np.isnan(z))
    # Stable, so that the order of giving remains within an item.
    rows = rows[np.argsort(ordered.item_codes[rows], kind="stable")]
    items = ordered.item_codes[rows]
    starts = np.flatnonzero(np.diff(items, prepend=-1))
    starts = starts[np.diff(starts, append=len(items)) > 1]
    return rows[starts], rows[starts + 1]


def _units_of_rows(ratings: Ratings, baseline: Ratings, units: Units, known: Codes) -> Codes:
    """The place in `known` of the unit of each row of the baseline, −1 where it is none of them."""
    items = ratings.firsts.chronological.items
    of_unit = np.full(units.number + 1, -1)
    of_unit[known] = np.arange(len(known))
    if items == baseline.items:
        return of_unit[units.of_item[baseline.item_codes]]
    place = dict(zip(items, units.of_item.tolist(), strict=True))
    of_item = np.array([of_unit[place.get(name, -1)] for name in baseline.items], dtype=np.int64)
    return of_item[baseline.item_codes]


def _r_without(
    ratings: Ratings, baseline: Ratings, unit: Codes, unit_of_pair: Codes
) -> Callable[[NDArray[np.bool_]], list[float]]:
    """Pearson's r of the pairs of judgments that are kept, as a function of which these are.

    What is left out does not count in judges' means and deviations either: these draw the scores
    of judges of few items together, which makes r too low, and the jackknife corrects for that.
    `unit` is that of each row of the baseline, −1 where there is none.
    """
    ordered = ratings.firsts.chronological
    normal = _NormalScores.of(ordered, baseline)
    first, second = _first_rows(ordered, normal.z())

    def r(kept: NDArray[np.bool_]) -> list[float]:
        # the last place is that of rows without a unit, which always count
        there = np.ones(int(unit_of_pair.max()) + 2, dtype=np.bool_)
        there[unit_of_pair] = kept
        z = normal.z(there[unit])
        pairs = moments(z[first[kept]], z[second[kept]])
        # a judge whose other scores are all the same has no z-score
        return [float(pearson_from_sums(pairs[~np.isnan(pairs).any(axis=1)].sum(axis=0)))]

    return r


class _NormalScores(NamedTuple):
    """Scores, and those that the means and deviations of their judges come from."""

    values: Array
    judge: Codes
    baseline: Array
    of_judge: Codes
    judges: int

    @classmethod
    def of(cls, ratings: Ratings, baseline: Ratings) -> _NormalScores:
        values, based = np.split(
            scaled(np.concatenate([ratings.values, baseline.values])), [len(ratings)]
        )
        # A judge of this split is among those of the baseline, under another number.
        known = {judge: at for at, judge in enumerate(baseline.judges)}
        judge = np.array([known[judge] for judge in ratings.judges], dtype=np.int64)
        of_judge, judges = baseline.judge_codes, len(baseline.judges)
        return cls(values, judge[ratings.judge_codes], based, of_judge, judges)

    def z(self, kept: NDArray[np.bool_] | None = None) -> Array:
        """The z-scores, with means and deviations of the scores of the baseline that are kept."""
        based, of_judge = self.baseline, self.of_judge
        if kept is not None:
            based, of_judge = based[kept], of_judge[kept]
        n = summed(of_judge, np.ones(len(based)), self.judges)
        mean = summed(of_judge, based, self.judges) / np.maximum(n, 1)
        sums = summed(of_judge, (based - mean[of_judge]) ** 2, self.judges)
        deviation = np.sqrt(np.where(sums > 0, sums, np.nan) / np.where(n > 1, n - 1, np.nan))
        return np.asarray((self.values - mean[self.judge]) / deviation[self.judge])


def _squared(found: Estimates) -> Estimates:
    """R² with the ends of r squared; from 0 on where r may be 0."""
    low, high = found.low**2, found.high**2
    around = (found.low < 0) & (found.high > 0)
    lower = np.where(around, 0.0, np.minimum(low, high))
    return replace(found, values=found.values**2, low=lower, high=np.maximum(low, high))


def _draw(found: Sequence[_Scatter]) -> Figure:
    """How many items lie where, in steps of half a deviation."""
    first, second = (np.concatenate([np.empty(0), *(s[at] for s in found)]) for at in (1, 2))
    # whole numbers, since sorting rows of two takes ten times as long
    x, y = (np.round(side * 2).astype(np.int64) for side in (first, second))
    low, width = int(y.min(initial=0)), int(y.max(initial=0)) - int(y.min(initial=0)) + 1
    places, counts = np.unique(x * width + y - low, return_counts=True)
    cells = [(place // width / 2, (place % width + low) / 2) for place in places.tolist()]
    return figures.heat(
        "First against second judgment of an item, in z-scores",
        [
            {"first": x, "second": y, "items": int(n)}
            for (x, y), n in zip(cells, counts, strict=True)
        ],
        x=figures.axis("first", "first judgment, z", "ordinal"),
        y=figures.axis("second", "second judgment, z", "ordinal", sort="descending"),
        colour=figures.axis("items", "items"),
    )
