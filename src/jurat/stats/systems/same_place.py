"""Whether judges agree on the best system of a sentence, and on the rank of each system."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SystemSettings, choices
from jurat.stats.systems.drawing import undefined
from jurat.stats.systems.places import Places, kinds_of_rows, placed
from jurat.stats.systems.wording import best_first, leader, nothing_compared
from jurat.stats.words import interval, percent

ALONE = "no two judges compared the same systems on a sentence"


class BestAgreement(Statistic[Settings]):
    """HEval's inter-annotator agreement for the highest rank."""

    name = "best-agreement"
    gives = ("best-agreement",)
    asks = "Do judges agree on which system is best on a sentence?"
    formula = (
        "share of pairs of judges who compared the same systems on a sentence and find the same "
        "ones best; n counts pairs (of two judges: sentences)"
    )
    source = "Joshi et al. 2013 (HEval), Table 18"
    needs = ("judge",)
    place = 60

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The share of every question."""
        chosen = choices(settings)
        estimates, how = [], ""
        for places in placed(evaluation, chosen):
            made, pairs = best_agreement(places, chosen)
            estimates.append(made.estimate(n=pairs, by=places.by, tags=places.tags, reason=ALONE))
            how = how or _how(places, made)
        ties = {"first": "of ties the first by name", "none": "sentences with ties left out"}
        yield self.result(
            evaluation,
            settings,
            estimates or nothing_compared(evaluation),
            method=told(self.formula, ties.get(chosen.ties, ""), how, chosen.direction),
            headline=_headline(estimates),
            draw=lambda: figures.points_with_intervals(
                "Agreement on the best system", estimates, over="question", value="share of pairs"
            ),
            ties=chosen.ties,
            **chosen.told(),
        )


class RankAgreement(Statistic[Settings]):
    """HEval's engine-wise inter-annotator agreement."""

    name = "rank-agreement"
    gives = ("rank-agreement",)
    asks = "Do judges give a system the same rank on a sentence?"
    formula = (
        "share of pairs of judges who compared the same systems on a sentence and give the system "
        "the same rank; n counts pairs (of two judges: sentences)"
    )
    source = "Joshi et al. 2013 (HEval), Table 19"
    needs = ("judge",)
    place = 65

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The share of every system and question."""
        chosen = choices(settings)
        estimates: list[Estimate] = []
        how = ""
        for places in placed(evaluation, chosen):
            made, pairs = rank_agreement(places, chosen)
            how = how or _how(places, made)
            estimates += best_first(
                made.estimate(
                    at,
                    n=int(pairs[at]),
                    by={**places.by, "system": system},
                    tags=places.tags,
                    reason=ALONE,
                )
                for at, system in enumerate(places.systems)
            )
        yield self.result(
            evaluation,
            settings,
            estimates or nothing_compared(evaluation),
            method=told(self.formula, f"{chosen.ranks} ranks of ties", how, chosen.direction),
            headline=leader(estimates, "has its rank agreed on most,", share=True),
            draw=lambda: figures.points_with_intervals(
                "Agreement on a system's rank",
                estimates,
                over="system",
                value="share of pairs",
                facet="question",
            ),
            ranks=chosen.ranks,
            **chosen.told(),
        )


def best_agreement(places: Places, settings: SystemSettings) -> tuple[Spread, int]:
    """The share of pairs of judges with the same best systems, and the number of pairs."""
    several = places.repeated
    if several and settings.ties == "none":
        single = places.some(np.flatnonzero(places.best.sum(axis=1) == 1))
        several = single.repeated
    if several is None:
        return undefined(1), 0
    best = several.credit("first") > 0 if settings.ties == "first" else several.best
    same, pairs = _pairs(several.sentence, kinds_of_rows(best))
    drawing = several.sentence_drawing
    made = drawing.spread(drawing.added(np.column_stack([same, pairs])), _share, settings)
    return made, int(pairs.sum())


def rank_agreement(places: Places, settings: SystemSettings) -> tuple[Spread, Codes]:
    """The shares of pairs of judges who give each system the same rank, and the pairs' numbers."""
    several, size = places.repeated, len(places.systems)
    if several is None:
        return undefined(size), np.zeros(size, dtype=np.int64)
    height = int(several.sentence.max()) + 1
    rows = np.zeros((height, 2 * size))
    for at, ranks in enumerate(several.ranks.T):
        there = ~np.isnan(ranks)
        same, pairs = _pairs(several.sentence[there], ranks[there].astype(np.int64))
        rows[: len(same), at], rows[: len(pairs), size + at] = same, pairs
    drawing = several.sentence_drawing
    made = drawing.spread(drawing.added(rows), _share, settings)
    return made, rows[:, size:].sum(axis=0).astype(np.int64)


def _pairs(sentence: Codes, kind: Codes) -> tuple[Array, Array]:
    """By sentence, the pairs of the same kind, and all pairs."""
    if not len(sentence):
        return np.zeros(0), np.zeros(0)
    width = int(kind.max()) + 1
    cells, number = np.unique(sentence * width + kind, return_counts=True)
    same = np.bincount(cells // width, weights=np.asarray(number * (number - 1) / 2))
    size = np.bincount(sentence)
    return np.asarray(same, dtype=np.float64), size * (size - 1) / 2


def _share(totals: Array) -> Array:
    same, pairs = np.split(totals, 2, axis=1)
    return np.asarray(same / pairs)


def _how(places: Places, made: Spread) -> str:
    several = places.repeated
    return told(places.words, several.sentence_drawing.method(made) if several else "")


def _headline(estimates: list[Estimate]) -> str:
    told_of = next((e for e in estimates if e.value is not None), None)
    if told_of is None or told_of.value is None:
        return ""
    pairs = f"{told_of.n:,} pair{'' if told_of.n == 1 else 's'}"
    share = f"{percent(told_of.value)} of {pairs}{interval(told_of)}"
    return f"Two judges of the same sentence find the same systems best in {share}."
