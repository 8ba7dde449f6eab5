"""How consistent judges are: with each other, and with themselves on repeated items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, bootstrap_estimates, first_method, share_of_first
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.judges.judge_ratings import (
    MOST_GROUPS,
    chronological_order,
    judge_intervals,
    true_ratings,
)
from jurat.stats.judges.judge_statistic import Signal, SignalValues, flag_above
from jurat.stats.judges.peer_comparison import WORDS
from jurat.stats.judges.peer_tests import rank_test, unit_codes
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Codes, Ratings, divide_or_nan, summed
from jurat.stats.settings import JudgeSettings
from jurat.stats.statistic import Statistic


class JudgeConsistency(Statistic[JudgeSettings]):
    """Guzmán et al.'s consistency: under which condition judges are closer to each other."""

    name = "consistency-sd"
    asks = "How consistent are judges with each other, on a common scale?"
    formula = (
        "√ mean (n − m)², n = 100 × a judge's score between their lowest and highest, m = the "
        "mean n of the item; both from all rows, before any condition"
    )
    source = "Guzmán et al. 2015, section 4 (consistency)"
    needs = ("judge",)
    order = 60
    counted = "judgments"

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """One number for each question and split."""
        whole = {r.question: r for r in evaluation.baseline}
        found = [
            _found(r, _same_rows(whole.get(r.question, r), r), settings)
            for r in true_ratings(evaluation, settings)
        ]
        yield self.result(
            evaluation,
            settings,
            [estimate for estimate, _ in found],
            how=first_method([drawn for _, drawn in found]),
            **settings.choices(),
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Where judges are closest to each other, and where farthest apart."""
        best, *_, worst = sorted((known[0], *known), key=lambda e: e.value or 0.0)
        away = f"{best.value:.1f} points of 100{interval(best)}"
        if len(known) == 1:
            return f"A judge's score lies {away} from the mean of the same translation."
        return (
            f"Judges are closest to each other for {_name(best)}: {away} from the mean of the "
            f"same translation; farthest for {_name(worst)}: {worst.value:.1f}."
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A bar a question and split."""
        data = [{**row, "of": _name(e)} for e in estimates for row in figures.rows([e])]
        return figures.bars(
            "Distance from the mean of the same translation",
            data,
            x=figures.axis("of", "", "nominal"),
            y=figures.axis("value", "points of 100"),
            colour=figures.axis("question", "question", "nominal"),
        )


def deviations(ratings: Ratings, whole: Ratings) -> Array:
    """N − m of each judgment, with ranges and means from the whole; NaN without a range."""
    # the range of all answers: within a condition it would be narrower for some judges
    lowest, highest = np.full(len(whole.judges), np.inf), np.full(len(whole.judges), -np.inf)
    np.minimum.at(lowest, whole.judge_codes, whole.values)
    np.maximum.at(highest, whole.judge_codes, whole.values)
    width = highest - lowest
    share = 100 * divide_or_nan(whole.values - lowest[whole.judge_codes], width[whole.judge_codes])
    ranged = ~np.isnan(share)
    size = len(whole.items)
    sums = summed(whole.item_codes[ranged], share[ranged], size)
    means = divide_or_nan(sums, np.bincount(whole.item_codes[ranged], minlength=size))
    judges, items = (_found_in(ratings, whole, name) for name in ("judge", "item"))
    own = 100 * divide_or_nan(ratings.values - lowest[judges], width[judges])
    return np.asarray(own - means[items])


def _same_rows(whole: Ratings, part: Ratings) -> Ratings:
    """The whole, or the part where that is all of it: its names are known already."""
    same = whole.frame.height == part.frame.height
    return part if same and whole.frame["item"].equals(part.frame["item"]) else whole


def _found_in(part: Ratings, whole: Ratings, name: Literal["judge", "item"]) -> Codes:
    """Which of the whole's judges or items each row of the part is about."""
    if part is whole:
        return part.judge_codes if name == "judge" else part.item_codes
    codes, names = part.coded(name)
    place = {known: at for at, known in enumerate(whole.coded(name)[1])}
    return np.array([place[known] for known in names], dtype=np.int64)[codes]


def _found(ratings: Ratings, whole: Ratings, settings: JudgeSettings) -> tuple[Estimate, Estimates]:
    if ratings.nominal:
        away, reason = np.full(len(ratings), np.nan), WORDS
    else:
        away, reason = deviations(ratings, whole), "every judge gave only one score"
        if np.bincount(whole.item_codes).max(initial=0) < 2:
            # the only judge of an item is at no distance from their own score
            away, reason = np.full(len(ratings), np.nan), "no item was judged twice"
    known = ~np.isnan(away)
    # NaN squared would spoil the sums; the first column counts only what is known
    rows = np.column_stack([known, np.where(known, away, 0.0) ** 2]).astype(np.float64)
    # the documents or items, or groups of them where they are many: see `judge_intervals`
    drawn = unit_codes(ratings, settings.unit) % MOST_GROUPS
    sampled = bootstrap_estimates(rows, _root_mean, settings=settings, clusters=drawn)
    n = int(known.sum())
    return sampled.estimate(n=n, about=ratings, reason=reason), sampled


def _root_mean(totals: Array) -> Array:
    with np.errstate(invalid="ignore"):
        return np.sqrt(totals[:, 1:] / totals[:, :1])


def _name(estimate: Estimate) -> str:
    return ", ".join(map(str, (*estimate.tags.values(), estimate.by["question"])))


class SelfDistance(Signal):
    """Self-agreement: a judge who cannot repeat their own answer measures nothing."""

    name = "judge-self-distance"
    way = "self"
    doubts = True
    asks = "Who does not repeat their own answers to the same items?"
    formula = "mean |first − later answer| over the judge's repeated items; words differ by 1"
    rule = "above mean + {k} SD (ddof 1) of the judges' distances"
    source = "intra-judge agreement; Hamon et al., section 4 (further work)"
    order = 40
    counted = "repeats"
    absent = "nobody judged an item twice"

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues | None:
        """The distance of every judge between their answers to the same item."""
        again, apart = repeated(ratings)
        if not again.any():
            return None
        rows = np.column_stack([again, apart * again]).astype(np.float64)
        made = judge_intervals(rows, ratings, share_of_first, settings).column(0)
        made = replace(made, low=np.maximum(made.low, 0.0))
        flags = flag_above(made.values, settings.k)
        n = summed(ratings.judge_codes, again)
        test = rank_test(apart, again > 0, ratings, unit=settings.unit)
        why = "they judged no item twice"
        return SignalValues.of(ratings, made, n, flags, reason=why, test=test)


def repeated(ratings: Ratings) -> tuple[Codes, Array]:
    """Which answers are repeats, and how far from the judge's first of the item."""
    if len(ratings.firsts) == len(ratings):
        return np.zeros(len(ratings), dtype=np.int64), np.zeros(len(ratings))
    cells = ratings.judge_codes * len(ratings.items) + ratings.item_codes
    order = chronological_order(ratings)
    order = order[np.argsort(cells[order], kind="stable")]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = cells[order][1:] != cells[order][:-1]
    # for each answer, where the judge's first one of the same item stands
    first = np.flatnonzero(new)[np.cumsum(new) - 1]
    values = ratings.values[order]
    apart, again = np.zeros(len(order)), np.zeros(len(order), dtype=np.int64)
    away = np.abs(values - values[first])
    apart[order] = (away > 0) if ratings.nominal else away
    again[order] = ~new
    return again, apart
