"""Agreement that generalises to new judges (`--draw judges`): units and judges are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.resampling.engine import Score, evaluate
from jurat.resampling.jackknife_t import random_groups
from jurat.resampling.two_way_jackknife import FEWEST_JUDGES, LeftOut, two_way_interval
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.independent_units import Units
from jurat.stats.judge_pairs import JudgePairs, PairUnits
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import AgreementSettings, Settings

# Units and judges that are left out one by one; more are put into so many random groups.
MOST_UNITS = 200
MOST_JUDGES = 30
FEW_JUDGES = 5
# Columns by item, and the score of their totals.
Sums = tuple[Array, Score]
THESE_JUDGES = "for these judges only, whatever --draw says"


def draws_judges(settings: Settings) -> bool:
    """Whether intervals should hold for new judges too."""
    return isinstance(settings, AgreementSettings) and settings.draw == "judges"


def for_these_judges(how: str, settings: Settings) -> str:
    """The method of intervals that do not take new judges into account, said where asked."""
    return method_line(how, THESE_JUDGES) if how and draws_judges(settings) else how


def left_out_of_sums(units: Units, whole: Sums, without_judges: Iterable[Sums]) -> LeftOut:
    """Values that are scores of sums over items, without each unit, judge, and both.

    `whole` are the columns by item and the score of their totals for all judges, `without_judges`
    the same without each of them.
    """
    groups = random_groups(units.number, MOST_UNITS)
    unit, number = groups[units.of_item], int(groups.max(initial=0)) + 1

    def values(columns: Array, score: Score) -> tuple[Array, Array]:
        sums = np.column_stack([np.bincount(unit, column, number) for column in columns.T])
        total = sums.sum(axis=0)
        return evaluate(score, total[None])[0], evaluate(score, total - sums)

    by_judge = [values(*sums) for sums in without_judges]
    return LeftOut(
        *values(*whole),
        np.array([value for value, _ in by_judge]),
        np.array([both for _, both in by_judge]),
    )


def left_out_of_pairs(
    pairs: JudgePairs, cells: PairUnits, values: Array, left_out: Array
) -> LeftOut:
    """The mean over pairs of judges, without each unit, each judge, and both."""
    groups = judge_groups(len(pairs.judges))
    there = np.unique(cells.unit)

    def means(chosen: NDArray[np.bool_]) -> tuple[Array, Array]:
        own = np.where(chosen, values, np.nan)
        part = np.where(chosen[cells.pair], left_out, np.nan)
        known = own[~np.isnan(own)]
        mean = known.mean() if len(known) else np.nan
        return np.array([mean]), cells.means_without(own, part)[there][:, None]

    whole, by_unit = means(np.ones(len(pairs), dtype=np.bool_))
    found = [
        means((groups[pairs.a] != one) & (groups[pairs.b] != one))
        for one in range(int(groups.max(initial=-1)) + 1)
    ]
    return LeftOut(
        whole,
        by_unit,
        np.array([value for value, _ in found]),
        np.array([both for _, both in found]),
    )


def judge_groups(judges: int) -> Codes:
    """The group of each judge: themselves, or where they are very many one of `MOST_JUDGES`."""
    return random_groups(judges, MOST_JUDGES)


def with_new_judges(
    found: Estimates,
    left_out: LeftOut,
    settings: Settings,
    *,
    judges: int,
    sizes: ArrayLike,
    fisher: NDArray[np.bool_],
    shares: NDArray[np.bool_] | None = None,
) -> Estimates:
    """The values with intervals that hold for new judges; a note where judges are few.

    `sizes` is how many items each unit has.
    `shares` lie between 0 and 1: they are computed on the scale of 2p − 1, half their log odds.
    """
    if not settings.intervals:
        return found
    share = np.zeros(len(found.values), dtype=np.bool_) if shares is None else shares
    stretched = LeftOut(*(np.where(share, 2 * part - 1, part) for part in left_out))
    ends = two_way_interval(
        stretched, sizes=sizes, fisher=fisher | share, confidence=settings.confidence
    )
    low, high = (np.where(share, (end + 1) / 2, end) for end in ends)
    notes = tuple(_note(judges, bool(np.isnan(end))) for end in low)
    return replace(found, low=low, high=high, notes=notes, method=new_judges_method(settings))


def new_judges_method(settings: Settings) -> str:
    """How intervals for new judges came about."""
    return (
        f"{100 * settings.confidence:g} % interval for new judges, from a jackknife that leaves "
        "out units, judges and both, with t"
    )


def drawn(settings: Settings) -> str:
    """What was chosen of judges, for signatures; empty where intervals are for these alone."""
    return "judges" if draws_judges(settings) else ""


def _note(judges: int, none: bool) -> str:
    if judges < FEWEST_JUDGES:
        return f"no interval: {judges} judges cannot speak for new ones, {FEWEST_JUDGES} are needed"
    if none:
        return "no interval: undefined or without variation where a unit or judge is left out"
    return f"wide, cautious: {judges} judges" if judges < FEW_JUDGES else ""


def without_each_judge(ratings: Ratings) -> Iterator[NDArray[np.bool_]]:
    """The answers that are left without each judge, or each group of judges."""
    group = judge_groups(len(ratings.judges))[ratings.judge_codes]
    for one in range(int(group.max(initial=-1)) + 1):
        yield group != one
