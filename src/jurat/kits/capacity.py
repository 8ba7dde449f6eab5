"""Whether there are enough judges for the kits, and which kits lack some."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from random import Random

import msgspec

from jurat.kits.eligibility import KitId, KitSummary, Rules, eligible
from jurat.model import Judge


class KitShortage(msgspec.Struct, frozen=True, kw_only=True):
    """Kits that together need more judges than may get them."""

    kits: tuple[int, ...]
    """The numbers of the kits."""
    group: str
    wanted: int
    """The number of different judges that these kits need together."""
    judges: int
    """The number of judges who may get any of them."""
    missing: int
    """The judgments of the whole block that nobody can give."""


def one_kit_per_block(summaries: Iterable[KitSummary], rules: Rules) -> bool:
    """Whether the rules allow a judge at most one kit of a block."""
    return rules.apart or (rules.unaided and any(summary.references for summary in summaries))


def shortages(
    summaries: Sequence[KitSummary], judges: Sequence[Judge], rules: Rules, *, wanted: int
) -> list[KitShortage]:
    """The kits that cannot get the wanted judgments even if all judges do all they may.

    Kits compete for judges only within a block, of which a judge gets one kit: what a block can
    reach is a maximum bipartite matching of its judges (one kit each) with its kits (`wanted`
    judges each). Without that rule every kit is considered alone.
    """
    found: list[KitShortage] = []
    known: dict[tuple[frozenset[str], ...], tuple[list[int], int]] = {}
    for kits in _competing(summaries, rules):
        fit = tuple(frozenset(j.id for j in judges if eligible(k, j, (), rules)) for k in kits)
        # in most blocks the same judges may get the kits, so few matchings have to be computed
        if fit not in known:
            known[fit] = _bottleneck(fit, wanted)
        tight, missing = known[fit]
        if missing:
            chosen = [(kits[n], fit[n]) for n in tight]
            found.append(_shortage(chosen, wanted, missing))
    return found


def judges_needed(summaries: Sequence[KitSummary], rules: Rules, *, wanted: int) -> dict[str, int]:
    """The smallest number of judges of each group that can finish the task."""
    needed: dict[str, int] = {}
    for kits in _competing(summaries, rules):
        for group in {kit.group for kit in kits}:
            # a judge gets one of these kits at most, so each judgment needs a judge of its own
            number = wanted * sum(kit.group == group for kit in kits)
            needed[group] = max(needed.get(group, 0), number)
    return dict(sorted(needed.items()))


def assign_in_turns(
    summaries: Sequence[KitSummary], judges: Sequence[Judge], rules: Rules, *, wanted: int
) -> dict[str, list[KitSummary]]:
    """The kits of each judge if they take turns, each with the first kit that they may get.

    The order of the judges changes from round to round, reproducibly.
    """
    single = one_kit_per_block(summaries, rules)
    ordered = sorted(summaries, key=lambda summary: summary.number)
    left: dict[KitId, int] = {summary.id: wanted for summary in ordered}
    assigned: dict[str, list[KitSummary]] = {judge.id: [] for judge in judges}
    blocks: dict[str, set[str]] = defaultdict(set)
    # a kit that a judge cannot get now, they can never get: each judge goes through the kits once
    waiting = {
        judge.id: iter([summary for summary in ordered if eligible(summary, judge, (), rules)])
        for judge in judges
    }
    for turn in count():
        # in a fixed order, the same two judges would always share their kits
        for judge in Random(turn).sample(list(waiting), len(waiting)):
            queue = waiting[judge]
            fit = (c for c in queue if left[c.id] and not (single and c.block in blocks[judge]))
            if (summary := next(fit, None)) is None:
                del waiting[judge]
                continue
            left[summary.id] -= 1
            blocks[judge].add(summary.block)
            assigned[judge].append(summary)
        if not waiting:
            return assigned
    raise AssertionError  # every judge runs out of kits


def max_kits(summaries: Sequence[KitSummary], judge: Judge, rules: Rules) -> int:
    """The maximum number of kits that a judge could get."""
    fit = [summary for summary in summaries if eligible(summary, judge, (), rules)]
    return (
        len({summary.block for summary in fit}) if one_kit_per_block(summaries, rules) else len(fit)
    )


def _competing(summaries: Sequence[KitSummary], rules: Rules) -> list[list[KitSummary]]:
    """The groups of kits that compete for judges: blocks, or single kits."""
    if not one_kit_per_block(summaries, rules):
        return [[summary] for summary in summaries]
    blocks: dict[str, list[KitSummary]] = defaultdict(list)
    for summary in summaries:
        blocks[summary.block].append(summary)
    return list(blocks.values())


def _bottleneck(fit: Sequence[frozenset[str]], wanted: int) -> tuple[list[int], int]:
    """The kits that together have too few judges, and the number of judgments nobody can give.

    `fit` has the judges who may get each kit. The matching grows by one judgment at a time; the
    kits visited in the first failing search are those that lack judges (Hall's theorem).
    """
    given: dict[str, int] = {}
    missing = 0
    tight: set[int] = set()
    for kit in range(len(fit)):
        for _ in range(wanted):
            # a fresh set for each search: kits that an earlier one passed may have changed since
            tried = {kit}
            if not _give(kit, fit, given, tried):
                missing += 1
                tight = tight or tried
    return sorted(tight), missing


def _give(kit: int, fit: Sequence[frozenset[str]], given: dict[str, int], tried: set[int]) -> bool:
    """Find a judge for a kit along an augmenting path, moving others to other kits if needed."""
    for judge in sorted(fit[kit]):
        if judge not in given:
            given[judge] = kit
            return True
    for judge in sorted(fit[kit]):
        other = given[judge]
        if other not in tried:
            tried.add(other)
            if _give(other, fit, given, tried):
                given[judge] = kit
                return True
    return False


def _shortage(
    kits: Sequence[tuple[KitSummary, frozenset[str]]], wanted: int, missing: int
) -> KitShortage:
    groups = {kit.group for kit, _ in kits}
    return KitShortage(
        kits=tuple(kit.number for kit, _ in kits),
        group=groups.pop() if len(groups) == 1 else "",
        wanted=wanted * len(kits),
        judges=len(frozenset[str]().union(*(fit for _, fit in kits))),
        missing=missing,
    )


def unassigned(
    summaries: Sequence[KitSummary], assigned: Mapping[str, Sequence[KitSummary]], *, wanted: int
) -> int:
    """The number of wanted judgments that are not assigned to anybody."""
    return wanted * len(summaries) - sum(map(len, assigned.values()))
