"""How consistent judges are: with each other on a common scale, and on repeated items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, bootstrap_estimates, first_method, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import outlier_rules
from jurat.stats.judges.judge_intervals import (
    MOST_GROUPS,
    divide_or_nan,
    judge_intervals,
    share_of_first,
    sum_by_code,
)
from jurat.stats.judges.peer_comparison import WORDS
from jurat.stats.judges.settings import JudgeSettings, chronological_order, true_ratings
from jurat.stats.judges.signal import Signal, SignalValues
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Statistic


class JudgeConsistency(Statistic[JudgeSettings]):
    """Guzmán et al.'s consistency: under which condition judges are closer to each other."""

    name = "consistency-sd"
    gives = ("consistency-sd",)
    asks = "How consistent are judges with each other, on a common scale?"
    formula = (
        "√ mean (n − m)², n = 100 × a judge's score between his lowest and highest, m = the mean n "
        "of the item; both from all rows, before any condition"
    )
    source = "Guzmán et al. 2015, section 4 (consistency)"
    needs = ("judge",)
    order = 60

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """One number for each question and split."""
        whole = {r.question: r for r in evaluation.baseline}
        found = [
            _found(r, _same_rows(whole.get(r.question, r), r), settings)
            for r in true_ratings(evaluation, settings)
        ]
        estimates = tuple(estimate for estimate, _ in found)
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=method_line(
                f"{self.formula}; n counts judgments", first_method([s for _, s in found])
            ),
            **settings.choices(),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
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
    sums = sum_by_code(whole.item_codes[ranged], share[ranged], size)
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
    known = ~np.isnan(away)
    # NaN squared would spoil the sums; the first column counts only what is known
    rows = np.column_stack([known, np.where(known, away, 0.0) ** 2]).astype(np.float64)
    sampled = bootstrap_estimates(rows, _root_mean, settings=settings, clusters=_drawn(ratings))
    n = int(known.sum())
    return sampled.estimate(0, n=n, by=ratings.by, tags=ratings.tags, reason=reason), sampled


def _drawn(ratings: Ratings) -> Codes:
    """The items, or groups of them where they are many: see `by_judge`."""
    return ratings.item_codes % MOST_GROUPS


def _root_mean(totals: Array) -> Array:
    with np.errstate(invalid="ignore"):
        return np.sqrt(totals[:, 1:] / totals[:, :1])


def _headline(estimates: tuple[Estimate, ...]) -> str:
    known = sorted((e for e in estimates if e.value is not None), key=lambda e: e.value or 0.0)
    if not known:
        return ""
    best, worst = known[0], known[-1]
    away = f"{best.value:.1f} points of 100{interval(best)}"
    if len(known) == 1:
        return f"A judge's score lies {away} from the mean of the same translation."
    return (
        f"Judges are closest to each other for {_name(best)}: {away} from the mean of the same "
        f"translation; farthest for {_name(worst)}: {worst.value:.1f}."
    )


def _name(estimate: Estimate) -> str:
    return ", ".join(map(str, (*estimate.tags.values(), estimate.by["question"])))


def _draw(estimates: tuple[Estimate, ...]) -> Figure:
    data = [{**row, "of": _name(e)} for e in estimates for row in figures.rows([e])]
    return figures.bars(
        "Distance from the mean of the same translation",
        data,
        x=figures.axis("of", "", "nominal"),
        y=figures.axis("value", "points of 100"),
        colour=figures.axis("question", "question", "nominal"),
    )


class SelfDistance(Signal):
    """Self-agreement: a judge who cannot repeat their own answer measures nothing."""

    name = "judge-self-distance"
    gives = ("judge-self-distance",)
    way = "self"
    doubts = True
    asks = "Who does not agree with himself on repeated items?"
    formula = "mean |first − later answer| over the judge's repeated items; words differ by 1"
    rule = "above mean + {k} SD (ddof 1) of the judges' distances"
    source = "intra-judge agreement; Hamon et al., section 4 (further work)"
    needs = ("judge",)
    order = 40
    counts = "repeats"
    absent = "nobody judged an item twice"

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues | None:
        """The distance of every judge between their answers to the same item."""
        again, apart = repeated(ratings)
        if not again.any():
            return None
        rows = np.column_stack([again, apart * again]).astype(np.float64)
        made = judge_intervals(rows, ratings, share_of_first, settings).column(0)
        flags = outlier_rules.above(made.values, settings.k)
        n = sum_by_code(ratings.judge_codes, again)
        return SignalValues.of(ratings, made, n, flags, reason="he judged no item twice")


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
