"""How many judges are outliers in which way, who they are, and how far the ways agree."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import ClassVar

import numpy as np

from jurat.resampling.student_t import t_quantile
from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.judges.judge_ratings import true_ratings
from jurat.stats.judges.judge_statistic import LEVEL
from jurat.stats.judges.outlier_tests import (
    DERIVED,
    MOST,
    TESTED,
    UNTESTED,
    SplitKey,
    Verdict,
    WayOutliers,
    all_splits,
    judges_with_p,
    outliers_by_way,
    split_key,
    standing_out,
    verdicts,
)
from jurat.stats.judges.peer_tests import unit_note
from jurat.stats.pairwise import p_words
from jurat.stats.phrases import listed
from jurat.stats.ratings import Ratings
from jurat.stats.settings import JudgeSettings
from jurat.stats.statistic import Statistic

# Judges that the headline names.
MOST_NAMED = 6

# Stands for the question where judges are counted who are found in every question.
ALL = "all"


class JudgeOutliers(Statistic[JudgeSettings]):
    """Hamon et al.'s table 3: the judges whom each way finds."""

    name = "judge-outlier"
    asks = "Which judges stand out, and in which ways?"
    formulas: ClassVar = {
        "judge-outlier": "1 where the way's rule finds the judge, else 0",
        "judge-p": "p that a judge equal to the others differs as much on the same items, "
        "by documents where they are known, adjusted by Holm for all judges, ways, questions and "
        "splits; n counts judgments",
        "outliers": f"judges found; n counts judges; question '{ALL}': found in every question",
        "outliers-side": "judges found who are strict, or lenient",
        "outlier-overlap": "judges found in both ways; n counts those found in either",
        "outlier-overlap-side": "judges found in both ways who are strict, or lenient",
        "removed-share": "share of judgments by the judges found; n counts judgments",
    }
    source = "Hamon et al., section 3.4, table 3"
    needs = ("judge",)
    reads_order = True
    order = 10

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """Who is found, how many, in how many ways at once, and how much would go with them."""
        found = outliers_by_way(evaluation, settings)
        out = standing_out(evaluation, settings)
        rules = "; ".join(f"{way.name}: {way.rule}" for way in found if way.values)
        noted = (
            unit_note(ratings.firsts, settings.unit)
            for ratings in true_ratings(evaluation, settings)
        )
        note = next(filter(None, noted), "")
        hows = {
            "judge-outlier": f"n counts judgments (of {MOST} and {TESTED}: ways); {rules}",
            "judge-p": note,
        }
        removal = "system" in evaluation.columns
        for name, estimates in _tables(evaluation, settings, found).items():
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                how=hows.get(name, ""),
                headline=headline(found, note, removal=removal) if name == self.name else None,
                draw=_drawing(name, estimates, out),
                **settings.choices(),
            )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """How many judges each way finds."""
        return _counted(known) if name == "outliers" else ""


def _tables(
    evaluation: Evaluation, settings: JudgeSettings, found: Sequence[WayOutliers]
) -> dict[str, list[Estimate]]:
    """The estimates of each result."""
    true = true_ratings(evaluation, settings)
    return {
        "judge-outlier": _most_found_first(_judged(found)),
        "judge-p": list(_p_values(found)),
        "outliers": list(_counts(found)),
        "outliers-side": list(_sides(found)),
        "outlier-overlap": list(_overlaps(found)),
        "outlier-overlap-side": list(_overlap_sides(found)),
        "removed-share": [e for ratings in true for e in _removed(ratings, found)],
    }


def headline(found: Sequence[WayOutliers], note: str = "", *, removal: bool = True) -> str:
    """Whom to look at first, why, and what to try next.

    `note` says what the tests assume; `removal` whether there are systems.
    """
    told = verdicts(found)
    hits: dict[str, dict[str, float]] = {}
    for verdict in (v for v in told if v.stands_out):
        hits.setdefault(verdict.judge, {}).setdefault(verdict.way, verdict.p)
    if not hits:
        return _nobody(found, told, note)
    # doubts first: they are about the answers, the other ways about habits
    doubting = {way.name for way in found if way.doubts}
    chosen = sorted(hits, key=lambda judge: not doubting & hits[judge].keys())
    named = [
        f"{judge} ({', '.join(f'{way} {p_words(p)}' for way, p in hits[judge].items())})"
        for judge in chosen
    ]
    rate = "Among equal judges somebody is named in about one campaign of twenty"
    rate = f"{rate} ({note})." if note else f"{rate}."
    effect = "; what leaving judges out does to the systems is in removal-score and removal-rank"
    return (
        f"Look first at {listed(named, most=MOST_NAMED)}. {rate} To see any figure without, "
        f"exclude {shlex.quote(','.join(chosen))}{effect if removal else ''}."
    )


def _nobody(found: Sequence[WayOutliers], told: Sequence[Verdict], note: str) -> str:
    known = [v.p for v in told if not np.isnan(v.p)]
    if not known:
        return f"No judge can be tested against the others: {UNTESTED}."
    judges = len(judges_with_p(told))
    least = f"smallest adjusted {p_words(min(known))}, {judges} judges{note and f'; {note}'}"
    return f"No judge stands out beyond chance ({least}).{_detectable(found, len(known))}"


def _detectable(found: Sequence[WayOutliers], tests: int) -> str:
    """How far from the others a typical judge would have had to score to be named."""
    difference = next(way for way in found if way.name == "difference")
    for one in difference.values.values():
        if one.test is None or np.isnan(one.test.p).all():
            continue
        far = t_quantile(one.test.freedom, 1 - LEVEL / 2 / tests) * one.test.error
        points = float(np.nanmedian(far))
        if points > 0:
            return (
                f" That does not make them alike: only a mean about {spoken(points)} points from "
                f"the others' on the same items would have been noticed ({one.question})."
            )
    return ""


def _p_values(found: Sequence[WayOutliers]) -> Iterator[Estimate]:
    for v in verdicts(found):
        by: dict[str, Key] = {"question": v.split[0], "judge": v.judge, "way": v.way}
        side = v.side if v.stands_out else ""
        yield Estimate.of(v.p, v.n, by=by, tags=dict(v.split[1]), side=side, reason=UNTESTED)
    if not any(one.test for way in found for one in way.values.values()):
        yield Estimate(None, 0, reason=UNTESTED)


def _judged(found: Sequence[WayOutliers]) -> Iterator[Estimate]:
    for way in found:
        for one in way.values.values():
            yield from one.outlier_estimates(way.name)
        if not way.values:
            yield Estimate(None, 0, by={"way": way.name}, reason=way.absent)


def _most_found_first(judged: Iterable[Estimate]) -> list[Estimate]:
    """Whoever is found, those found in most ways first; then who is not, then the undefined."""
    # a reader wants the names first, and a table of a hundred judges is long
    told = list(judged)
    hits = Counter(e.by["judge"] for e in told if e.value == 1)

    def order(estimate: Estimate) -> tuple[float, int, str]:
        judge = estimate.by.get("judge", "")
        value = -1.0 if estimate.value is None else estimate.value
        return -value, -hits[judge], str(judge)

    return sorted(told, key=order)


def _counts(found: Sequence[WayOutliers]) -> Iterator[Estimate]:
    """How many judges each way finds in each question and split, and in every question."""
    for way in found:
        if not way.values:
            yield Estimate(None, 0, by={"way": way.name}, reason=way.absent)
        for split, one in way.values.items():
            n = int((~np.isnan(one.flags.found)).sum())
            yield _number(way.found(split), split, way.reason(split), n=n, way=way.name)
        for tags, together in _splits(way):
            if len(together) > 1:
                # found in every question: a judge strict in one only may have a reason
                judges = set.intersection(*(way.found(split) for split in together))
                reason = next(filter(None, map(way.reason, together)), "")
                n = len({j for split in together for j in way.values[split].judges})
                yield _number(judges, (ALL, tags), reason, n=n, way=way.name)


def _splits(way: WayOutliers) -> Iterator[tuple[tuple[tuple[str, Key], ...], list[SplitKey]]]:
    """The questions of each split."""
    grouped: dict[tuple[tuple[str, Key], ...], list[SplitKey]] = {}
    for split in way.values:
        grouped.setdefault(split[1], []).append(split)
    yield from grouped.items()


def _number(judges: set[str], split: SplitKey, reason: str, *, n: int, **by: Key) -> Estimate:
    return Estimate(
        value=None if reason else float(len(judges)),
        n=n,
        by={"question": split[0], **by},
        tags=dict(split[1]),
        reason=reason,
    )


def _sides(found: Sequence[WayOutliers]) -> Iterator[Estimate]:
    for way in found:
        for split, one in way.values.items():
            told = Counter(side for _, side in one.outliers() if side)
            for side in ("strict", "lenient") if told else ():
                by: dict[str, Key] = {"question": split[0], "way": way.name, "towards": side}
                n = len(one.found)
                yield Estimate(float(told[side]), n, by=by, tags=dict(split[1]))


def _pairs(found: Sequence[WayOutliers]) -> Iterator[tuple[WayOutliers, WayOutliers, SplitKey]]:
    """Every two ways that both say something, in every question and split."""
    # `most` is made of the others, and overlaps with each of them by construction
    told = [way for way in found if way.name not in DERIVED]
    for split in all_splits(told):
        telling = [way for way in told if split in way.values and not way.reason(split)]
        for one, other in combinations(telling, 2):
            yield one, other, split


def _overlaps(found: Sequence[WayOutliers]) -> Iterator[Estimate]:
    for one, other, split in _pairs(found):
        mine, yours = one.found(split), other.found(split)
        n = len(mine | yours)
        yield _number(mine & yours, split, "", n=n, way_a=one.name, way_b=other.name)


def _overlap_sides(found: Sequence[WayOutliers]) -> Iterator[Estimate]:
    for one, other, split in _pairs(found):
        both = one.found(split) & other.found(split)
        sides = [side for judge, side in one.values[split].outliers() if judge in both and side]
        sided = sides and any(side for _, side in other.values[split].outliers())
        for side in ("strict", "lenient") if sided else ():
            by: dict[str, Key] = {"question": split[0], "way_a": one.name, "way_b": other.name}
            number = float(sides.count(side))
            yield Estimate(number, len(both), by={**by, "towards": side}, tags=dict(split[1]))


def _removed(ratings: Ratings, found: Sequence[WayOutliers]) -> Iterator[Estimate]:
    split = split_key(ratings)
    counts = dict(zip(ratings.judges, np.bincount(ratings.judge_codes).tolist(), strict=True))
    for way in found:
        if split in way.values:
            reason = way.reason(split)
            gone = sum(counts.get(judge, 0) for judge in way.found(split))
            share = np.nan if reason else gone / len(ratings)
            by = {"way": way.name}
            yield Estimate.of(share, len(ratings), about=ratings, by=by, reason=reason)


def _counted(counts: Sequence[Estimate]) -> str:
    told = [e for e in counts if e.by["way"] not in DERIVED and not e.tags]
    first = [e for e in told if e.by["question"] == (told[0].by["question"] if told else "")]
    if not first:
        return ""
    numbers = [f"{e.by['way']} {e.value:.0f}" for e in first]
    return (
        f"Of {first[0].n} judges each way finds ({first[0].by['question']}): {', '.join(numbers)}."
    )


def _drawing(
    name: str, estimates: Sequence[Estimate], out: set[tuple[SplitKey, str, str]]
) -> Callable[[], Figure] | None:
    if name != JudgeOutliers.name:
        return partial(FIGURES[name], estimates) if name in FIGURES else None
    shown = estimates_of(estimates, out)
    return partial(_draw_judged, shown) if shown else None


def estimates_of(
    judged: Sequence[Estimate], out: set[tuple[SplitKey, str, str]]
) -> tuple[Estimate, ...]:
    """Of the estimates of judge-outlier those of judges and ways that stand out."""
    return tuple(
        e
        for e in judged
        if ((e.by.get("question"), tuple(e.tags.items())), e.by.get("judge"), e.by.get("way"))
        in out
    )


def _draw_judged(told: Sequence[Estimate]) -> Figure:
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


FIGURES = {
    "outliers": _draw_counts,
    "outlier-overlap": _draw_overlap,
}
