"""Which judges differ from the others in which way, and which of them do beyond chance.

A way is what the results call a signal together with its rule for outliers; see `Signal`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jurat.resampling import adjust
from jurat.results import Key
from jurat.stats.estimates import Estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.judges.judge_ratings import once
from jurat.stats.judges.judge_statistic import LEVEL, OutlierFlags, SignalValues, signals
from jurat.stats.phrases import listed
from jurat.stats.ratings import Ratings
from jurat.stats.settings import JudgeSettings

# The way that finds the judges whom at least half of the others find, and two of them.
MOST = "most"
# The way that finds those who differ from the others beyond chance, and by a way's rule.
TESTED = "tested"
# These two are made of the other ways.
DERIVED = (MOST, TESTED)
NO_WAY = "no way says anything"
UNTESTED = (
    "they share no items with two other judges, or those of one document alone, so that their "
    "texts may be why they differ"
)

SplitKey = tuple[str, tuple[tuple[str, Key], ...]]


@dataclass(frozen=True, kw_only=True, eq=False)
class WayOutliers:
    """What one way says of the judges, in every question and split for which it has values."""

    name: str
    rule: str
    values: Mapping[SplitKey, SignalValues]
    doubts: bool = False
    """Whether it casts doubt on the answers of those found."""
    absent: str = ""

    def found(self, split: SplitKey) -> set[str]:
        """The judges whom it finds there."""
        return self.values[split].found if split in self.values else set()

    def reason(self, split: SplitKey) -> str:
        """Why it says nothing there; nothing where it does."""
        if split not in self.values:
            return self.absent
        one = self.values[split]
        if not np.isnan(one.flags.found).all():
            return ""
        # without any value the signal is to blame, otherwise its rule
        none = np.isnan(one.values).all()
        return (one.reason if none else one.flags.reason) or self.absent


@once
def outliers_by_way(evaluation: Evaluation, settings: JudgeSettings) -> tuple[WayOutliers, ...]:
    """Every way, in the order of the signals, and then `most` and `tested`."""
    found = tuple(_ways(evaluation, settings))
    return (*found, _most(found), _tested(found))


def all_splits(found: Sequence[WayOutliers]) -> list[SplitKey]:
    """The questions and splits for which any way has values, in order."""
    return list(dict.fromkeys(split for way in found for split in way.values))


def split_key(of: SignalValues | Ratings) -> SplitKey:
    """The question and split of values or ratings, by which others of them are looked up."""
    return of.question, tuple(of.tags.items())


def _ways(evaluation: Evaluation, settings: JudgeSettings) -> Iterator[WayOutliers]:
    for signal in signals():
        missing = [name for name in signal.needs if name not in evaluation.columns]
        found = () if missing else signal.values(evaluation, settings)
        yield WayOutliers(
            name=signal.way,
            rule=signal.spoken_rule(settings),
            values={split_key(one): one for one in found},
            doubts=signal.doubts,
            absent=f"needs the column {', '.join(missing)}" if missing else signal.absent,
        )


def _most(found: Sequence[WayOutliers]) -> WayOutliers:
    values = {split: _counted_ways(split, found) for split in all_splits(found)}
    rule = "found in at least half of the ways that say something, and in two"
    return WayOutliers(name=MOST, rule=rule, values=values, absent=NO_WAY)


def _counted_ways(split: SplitKey, found: Sequence[WayOutliers]) -> SignalValues:
    """In how many ways each judge was found, of those that say something there."""
    telling = [way for way in found if split in way.values and not way.reason(split)]
    hits = Counter(judge for way in telling for judge in way.found(split))
    judges = sorted({j for way in found if split in way.values for j in way.values[split].judges})
    values = np.array([float(hits[judge]) for judge in judges])
    # with two ways, half of them would be one: a single signal is no majority
    many = max(2.0, len(telling) / 2)
    flags = OutlierFlags((values >= many).astype(np.float64))
    return SignalValues(
        question=split[0],
        tags=dict(split[1]),
        judges=judges,
        estimated=Estimates.without_intervals(values),
        n=np.full(len(judges), len(telling)),
        flags=flags if telling else OutlierFlags.undefined(len(judges), NO_WAY),
    )


class Verdict(NamedTuple):
    """A judge in one question, split and way: p adjusted by Holm, and whether they stand out."""

    split: SplitKey
    judge: str
    way: str
    p: float
    n: int
    side: str
    stands_out: bool


def verdicts(found: Sequence[WayOutliers]) -> list[Verdict]:
    """What the tests say of every judge and way, those who stand out first, then by p.

    A judge stands out whom the way's rule finds, and whose p, adjusted by Holm (1979) for all
    judges, ways, questions and splits, is below .05: where judges are equal, anybody does in at
    most 5 % of campaigns.
    """
    tested = [
        (way.name, split, one)
        for way in found
        for split, one in way.values.items()
        if one.test is not None
    ]
    if not tested:
        return []
    p = adjust(np.concatenate([one.test.p for _, _, one in tested if one.test]), "holm")
    made, start = [], 0
    for way, split, one in tested:
        for at, judge in enumerate(one.judges):
            own = float(p[start + at])
            hit = own < LEVEL and one.flags.found[at] == 1
            made.append(Verdict(split, judge, way, own, int(one.n[at]), one.side_of(at), bool(hit)))
        start += len(one.judges)
    return sorted(made, key=lambda v: (not v.stands_out, v.p, v.judge))


def standing_out(evaluation: Evaluation, settings: JudgeSettings) -> set[tuple[SplitKey, str, str]]:
    """Question and split, judge and way of everybody who stands out."""
    told = verdicts(outliers_by_way(evaluation, settings))
    return {(v.split, v.judge, v.way) for v in told if v.stands_out}


def tested_judges(evaluation: Evaluation, settings: JudgeSettings) -> set[str]:
    """The judges who could be compared with others by any test; of the rest nothing is known."""
    return judges_with_p(verdicts(outliers_by_way(evaluation, settings)))


def judges_with_p(told: Sequence[Verdict]) -> set[str]:
    """The judges who were tested in some way."""
    return {v.judge for v in told if not np.isnan(v.p)}


def _tested(found: Sequence[WayOutliers]) -> WayOutliers:
    told = verdicts(found)
    values = {split: _beyond_chance(split, told, found) for split in all_splits(found)}
    ways = listed([way.name for way in found if any(v.test for v in way.values.values())], most=12)
    rule = f"a way's rule, and p < {LEVEL:g} by its test (Holm over judges, questions and {ways})"
    return WayOutliers(name=TESTED, rule=rule, values=values, absent=UNTESTED)


def _beyond_chance(
    split: SplitKey, told: Sequence[Verdict], found: Sequence[WayOutliers]
) -> SignalValues:
    """In how many ways each judge stands out, of those in which they could be tested."""
    here = [v for v in told if v.split == split and not np.isnan(v.p)]
    tests, hits = Counter(v.judge for v in here), Counter(v.judge for v in here if v.stands_out)
    judges = sorted({j for way in found if split in way.values for j in way.values[split].judges})
    values = np.array([float(hits[j]) if tests[j] else np.nan for j in judges])
    return SignalValues(
        question=split[0],
        tags=dict(split[1]),
        judges=judges,
        estimated=Estimates.without_intervals(values),
        n=np.array([tests[judge] for judge in judges]),
        flags=OutlierFlags(np.where(np.isnan(values), np.nan, values > 0), UNTESTED),
        reason=UNTESTED,
    )
