"""How far judges' normalised scores lie from the mean of the same translation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges.adding import added, over
from jurat.stats.judges.by_judge import MOST_GROUPS
from jurat.stats.judges.diagnosing import Diagnosing, ordinary
from jurat.stats.judges.panel import WORDS
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Statistic
from jurat.stats.words import interval


class Consistency(Statistic[Diagnosing]):
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
    place = 60

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """One number for each question and split."""
        whole = {r.question: r for r in evaluation.baseline}
        found = [
            _found(r, _same_rows(whole.get(r.question, r), r), settings)
            for r in ordinary(evaluation, settings)
        ]
        estimates = tuple(estimate for estimate, _ in found)
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(f"{self.formula}; n counts judgments", first_method([s for _, s in found])),
            **settings.choices(),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
        )


def deviations(ratings: Ratings, whole: Ratings) -> Array:
    """N − m of each judgment, with ranges and means from the whole; NaN without a range."""
    lowest, highest = np.full(len(whole.judges), np.inf), np.full(len(whole.judges), -np.inf)
    np.minimum.at(lowest, whole.judge_codes, whole.values)
    np.maximum.at(highest, whole.judge_codes, whole.values)
    width = highest - lowest
    share = 100 * over(whole.values - lowest[whole.judge_codes], width[whole.judge_codes])
    ranged = ~np.isnan(share)
    size = len(whole.items)
    sums = added(whole.item_codes[ranged], share[ranged], size)
    means = over(sums, np.bincount(whole.item_codes[ranged], minlength=size))
    judges, items = (_found_in(ratings, whole, name) for name in ("judge", "item"))
    own = 100 * over(ratings.values - lowest[judges], width[judges])
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


def _found(ratings: Ratings, whole: Ratings, settings: Diagnosing) -> tuple[Estimate, Spread]:
    if ratings.nominal:
        away, reason = np.full(len(ratings), np.nan), WORDS
    else:
        away, reason = deviations(ratings, whole), "every judge gave only one score"
    known = ~np.isnan(away)
    rows = np.column_stack([known, np.where(known, away, 0.0) ** 2]).astype(np.float64)
    sampled = spread(rows, _root_mean, settings=settings, clusters=_drawn(ratings))
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
    told = f"{best.value:.1f} points of 100{interval(best)}"
    if len(known) == 1:
        return f"A judge's score lies {told} from the mean of the same translation."
    return (
        f"Judges are closest to each other for {_name(best)}: {told} from the mean of the same "
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
