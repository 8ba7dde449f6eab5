"""Kits that nobody present can do, and how many more judges are needed for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from jurat.campaigns.monitoring.progress import Remark, counted
from jurat.kits.eligibility import Rules, admits
from jurat.model import Judge
from jurat.store.progress import OpenPlaces


class Shortage(msgspec.Struct, frozen=True, kw_only=True):
    """Kits of one task that no judge can do."""

    task: str
    kits: int
    """Open places in kits that none of the judges may take."""
    judges: int
    """The fewest additional judges with whom all of them can be taken."""

    @property
    def remark(self) -> Remark:
        """The shortage as a remark."""
        message = f"{self.task}: {counted(self.kits, 'kit')} can be given to nobody who is here; "
        return Remark(
            code="too-few-judges",
            message=f"{message}{counted(self.judges, 'more judge')} would do",
            values={"task": self.task, "kits": self.kits, "count": self.judges},
        )


def find_shortages(
    places: Sequence[OpenPlaces], judges: Sequence[Judge], rules: Mapping[str, Rules]
) -> list[Shortage]:
    """The tasks in which open places find no judge, even if everybody does all that they may.

    Where a judge gets only one kit of a block, the open places of the whole block are compared with
    the judges who may still take one of its kits; elsewhere each kit is compared by itself. Places
    beyond the number of such judges are missing.
    """
    # By task, group and unit: a unit is a block, or a kit where blocks do not matter.
    free: defaultdict[tuple[str, str, str], int] = defaultdict(int)
    able: dict[tuple[str, str, str], int] = {}

    # Of thousands of kits, most have the same group and sites.
    @cache
    def eligible(task: str, group: str, sites: frozenset[str]) -> int:
        held = rules[task]
        return sum(
            admits(held, judge) and group in ("", judge.group) and judge.site not in sites
            for judge in judges
        )

    for one in places:
        if one.phase == "evaluation":
            unit = (one.task, one.group, one.unit)
            may = eligible(one.task, one.group, _sites(one, rules[one.task]))
            free[unit] += one.places
            # The kit of a block that most judges may still take decides.
            able[unit] = max(able.get(unit, 0), may - one.had)
    return _by_task({unit: count - max(0, able[unit]) for unit, count in free.items()})


def _sites(one: OpenPlaces, rules: Rules) -> frozenset[str]:
    """The sites whose judges may not do the kit, since it has a system of theirs."""
    if rules.own_site == "include":
        return frozenset()
    return frozenset(site for system in one.systems if (site := rules.sites.get(system)))


def _by_task(missing: Mapping[tuple[str, str, str], int]) -> list[Shortage]:
    found: defaultdict[str, defaultdict[str, list[int]]]
    found = defaultdict(lambda: defaultdict(list))
    for (task, group, _), count in missing.items():
        if count > 0:
            found[task][group].append(count)
    return [
        Shortage(
            task=task,
            kits=sum(map(sum, groups.values())),
            # A new judge can fill a place in every unit of their group, so the worst unit counts.
            judges=sum(map(max, groups.values())),
        )
        for task, groups in found.items()
    ]
