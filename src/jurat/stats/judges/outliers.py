"""Which judges stand out in which way, how many, and how far the ways agree."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges.diagnosing import Diagnosing, ordinary
from jurat.stats.judges.signal import Group
from jurat.stats.judges.ways import MOST, Place, Way, place_of, places, ways
from jurat.stats.ratings import Ratings
from jurat.stats.statistic import Statistic
from jurat.stats.words import listed

ALL = "all"
"""Stands for the question where judges are counted who are found in every question."""


class Outliers(Statistic[Diagnosing]):
    """Hamon et al.'s table 3: the judges whom each way finds."""

    name = "judge-outlier"
    gives = (
        "judge-outlier",
        "outliers",
        "outliers-side",
        "outlier-overlap",
        "outlier-overlap-side",
        "removed-share",
    )
    asks = "Which judges stand out, and in which ways?"
    formula = "1 where the way's rule finds the judge, else 0"
    source = "Hamon et al., section 3.4, table 3"
    needs = ("judge",)
    place = 10

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """Who is found, how many, in how many ways at once, and how much would go with them."""
        found = ways(evaluation, settings)
        judged = _most_found_first(_judged(found))
        rules = "; ".join(f"{way.name}: {way.rule}" for way in found if way.readings)
        tell = settings.choices()
        yield self.result(
            evaluation,
            settings,
            judged,
            method=f"{self.formula}; n counts judgments (of {MOST}: ways); {rules}",
            headline=headline(found, removal="system" in evaluation.columns),
            draw=lambda: _draw_judged(judged),
            **tell,
        )
        counts = list(_counts(found))
        how = f"judges found; n counts judges; question '{ALL}': found in every question"
        yield self.result(
            evaluation,
            settings,
            counts,
            name="outliers",
            method=how,
            headline=_counted(counts),
            draw=lambda: _draw_counts(counts),
            **tell,
        )
        yield from self._more(evaluation, settings, found, tell)

    def _more(
        self,
        evaluation: Evaluation,
        settings: Diagnosing,
        found: Sequence[Way],
        tell: dict[str, Any],
    ) -> Iterator[Result]:
        both = list(_overlaps(found))
        shares = [e for r in ordinary(evaluation, settings) for e in _removed(r, found)]
        told = {
            "outliers-side": (list(_sides(found)), "judges found who are strict, or lenient"),
            "outlier-overlap": (both, "judges found in both ways; n counts those found in either"),
            "outlier-overlap-side": (
                list(_overlap_sides(found)),
                "judges found in both ways who are strict, or lenient",
            ),
            "removed-share": (shares, "share of judgments by the judges found; n counts judgments"),
        }
        draws = {"outlier-overlap": lambda: _draw_overlap(both)}
        for name, (estimates, method) in told.items():
            draw = draws.get(name)
            yield self.result(
                evaluation, settings, estimates, name=name, method=method, draw=draw, **tell
            )


def headline(found: Sequence[Way], *, removal: bool = True) -> str:
    """Whom to look at first, why, and what to try next; `removal`: whether there are systems."""
    telling = [way for way in found if way.name != MOST and any(map(way.found, way.readings))]
    hits: dict[str, list[str]] = {}
    for way in telling:
        for judge in set().union(*map(way.found, way.readings)):
            hits.setdefault(judge, []).append(way.name)
    if not hits:
        return "No judge stands out in any way."
    often = sorted(hits, key=lambda judge: (-len(hits[judge]), judge))
    chosen = list(dict.fromkeys((*doubted(found), *suggested(found)))) or often[:1]
    told = [f"{judge} ({', '.join(hits[judge])})" for judge in chosen]
    try_next = f"Look first at {listed(told)}. To see any figure without, exclude "
    effect = "; what leaving judges out does to the systems is in removal-score and removal-rank"
    return f"{try_next}{shlex.quote(','.join(chosen))}{effect if removal else ''}."


def doubted(found: Sequence[Way]) -> list[str]:
    """The judges on whose answers two ways cast doubt, those with most doubts first.

    Whoever answers at random is found by few ways: on the whole he is neither strict nor lenient,
    neither quick nor slow. A strict judge is found by several that tell the same.
    """
    doubting = [way for way in found if way.doubts]
    hits: Counter[str] = Counter()
    for place in places(doubting):
        here = Counter(judge for way in doubting for judge in way.found(place))
        hits |= Counter({judge: many for judge, many in here.items() if many > 1})
    return sorted(hits, key=lambda judge: (-hits[judge], judge))


def suggested(found: Sequence[Way]) -> list[str]:
    """The judges whom at least half of the ways find, those found most often first."""
    most = next(way for way in found if way.name == MOST)
    hits: Counter[str] = Counter()
    for reading in most.readings.values():
        for at in np.flatnonzero(reading.verdict.found == 1).tolist():
            hits[reading.judges[at]] = max(hits[reading.judges[at]], int(reading.values[at]))
    return sorted(hits, key=lambda judge: (-hits[judge], judge))


def _judged(found: Sequence[Way]) -> Iterator[Estimate]:
    for way in found:
        for reading in way.readings.values():
            yield from reading.judged(way.name)
        if not way.readings:
            yield Estimate(None, 0, by={"way": way.name}, reason=way.absent)


def _most_found_first(judged: Iterable[Estimate]) -> list[Estimate]:
    """Whoever is found, those found in most ways first; then who is not, then the undefined."""
    told = list(judged)
    hits = Counter(e.by["judge"] for e in told if e.value == 1)

    def order(estimate: Estimate) -> tuple[float, int, str]:
        judge = estimate.by.get("judge", "")
        value = -1.0 if estimate.value is None else estimate.value
        return -value, -hits[judge], str(judge)

    return sorted(told, key=order)


def _counts(found: Sequence[Way]) -> Iterator[Estimate]:
    """How many judges each way finds in each question and split, and in every question."""
    for way in found:
        if not way.readings:
            yield Estimate(None, 0, by={"way": way.name}, reason=way.absent)
        for place, reading in way.readings.items():
            n = int((~np.isnan(reading.verdict.found)).sum())
            yield _number(way.found(place), place, way.reason(place), n=n, way=way.name)
        for tags, together in _splits(way):
            if len(together) > 1:
                judges = set.intersection(*(way.found(place) for place in together))
                reason = next(filter(None, map(way.reason, together)), "")
                n = len({j for place in together for j in way.readings[place].judges})
                yield _number(judges, (ALL, tags), reason, n=n, way=way.name)


def _splits(way: Way) -> Iterator[tuple[tuple[tuple[str, Key], ...], list[Place]]]:
    """The questions of each split."""
    grouped: dict[tuple[tuple[str, Key], ...], list[Place]] = {}
    for place in way.readings:
        grouped.setdefault(place[1], []).append(place)
    yield from grouped.items()


def _number(judges: set[str], place: Place, reason: str, *, n: int, **by: Key) -> Estimate:
    return Estimate(
        value=None if reason else float(len(judges)),
        n=n,
        by={"question": place[0], **by},
        tags=dict(place[1]),
        reason=reason,
    )


def _sides(found: Sequence[Way]) -> Iterator[Estimate]:
    for way in found:
        for place, reading in way.readings.items():
            told = Counter(side for _, side in reading.outliers() if side)
            for side in ("strict", "lenient") if told else ():
                by: dict[str, Key] = {"question": place[0], "way": way.name, "towards": side}
                n = len(reading.found)
                yield Estimate(float(told[side]), n, by=by, tags=dict(place[1]))


def _pairs(found: Sequence[Way]) -> Iterator[tuple[Way, Way, Place]]:
    """Every two ways that both say something, in every question and split."""
    told = [way for way in found if way.name != MOST]
    for place in places(told):
        telling = [way for way in told if place in way.readings and not way.reason(place)]
        for one, other in combinations(telling, 2):
            yield one, other, place


def _overlaps(found: Sequence[Way]) -> Iterator[Estimate]:
    for one, other, place in _pairs(found):
        mine, yours = one.found(place), other.found(place)
        n = len(mine | yours)
        yield _number(mine & yours, place, "", n=n, way_a=one.name, way_b=other.name)


def _overlap_sides(found: Sequence[Way]) -> Iterator[Estimate]:
    for one, other, place in _pairs(found):
        both = one.found(place) & other.found(place)
        sides = [side for judge, side in one.readings[place].outliers() if judge in both and side]
        sided = sides and any(side for _, side in other.readings[place].outliers())
        for side in ("strict", "lenient") if sided else ():
            by: dict[str, Key] = {"question": place[0], "way_a": one.name, "way_b": other.name}
            number = float(sides.count(side))
            yield Estimate(number, len(both), by={**by, "towards": side}, tags=dict(place[1]))


def _removed(ratings: Ratings, found: Sequence[Way]) -> Iterator[Estimate]:
    place = place_of(Group(ratings.question, ratings.tags))
    counts = dict(zip(ratings.judges, np.bincount(ratings.judge_codes).tolist(), strict=True))
    for way in found:
        if place in way.readings:
            reason = way.reason(place)
            gone = sum(counts.get(judge, 0) for judge in way.found(place))
            yield Estimate(
                value=None if reason else gone / len(ratings),
                n=len(ratings),
                by={**ratings.by, "way": way.name},
                tags=ratings.tags,
                reason=reason,
            )


def _counted(counts: Sequence[Estimate]) -> str:
    told = [e for e in counts if e.value is not None and e.by["way"] != MOST and not e.tags]
    first = [e for e in told if e.by["question"] == (told[0].by["question"] if told else "")]
    if not first:
        return ""
    numbers = [f"{e.by['way']} {e.value:.0f}" for e in first]
    return (
        f"Of {first[0].n} judges each way finds ({first[0].by['question']}): {', '.join(numbers)}."
    )


def _draw_judged(judged: Sequence[Estimate]) -> Figure:
    told = [e for e in judged if e.value == 1]
    return figures.heat(
        "Who stands out in which way",
        [
            {**row, "side": e.side or "found"}
            for e, row in zip(told, figures.rows(told), strict=True)
        ],
        x=figures.axis("way", "way", "nominal"),
        y=figures.axis("judge", "judge", "nominal"),
        colour=figures.axis("side", "", "nominal"),
    )


def _draw_counts(counts: Sequence[Estimate]) -> Figure:
    return figures.bars(
        "Judges found by each way",
        figures.rows([e for e in counts if e.by.get("question") != ALL]),
        x=figures.axis("way", "way", "nominal", sort=None),
        y=figures.axis("value", "judges", axis={"tickMinStep": 1}),
        colour=figures.axis("question", "question", "nominal"),
    )


def _draw_overlap(both: Sequence[Estimate]) -> Figure:
    return figures.heat(
        "Judges found by two ways",
        figures.rows(both),
        x=figures.axis("way_a", "", "nominal", sort=None),
        y=figures.axis("way_b", "", "nominal", sort=None),
        colour=figures.axis("value", "judges"),
    )
