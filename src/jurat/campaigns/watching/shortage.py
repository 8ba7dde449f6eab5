"""Whether the judges there are can give the judgments that are still wanted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from jurat.campaigns.watching.remarks import Remark, some
from jurat.kits.eligibility import Rules, admits
from jurat.model import Judge
from jurat.store.pace import OpenPlaces


class Shortage(msgspec.Struct, frozen=True, kw_only=True):
    """What nobody can do, in one task."""

    task: str
    kits: int
    """Places in kits that none of the judges may take any more."""
    judges: int
    """The fewest new judges with whom all of them can be taken."""

    @property
    def remark(self) -> Remark:
        """The same in words."""
        message = f"{self.task}: {some(self.kits, 'kit')} can be given to nobody who is here; "
        return Remark(
            code="too-few-judges",
            message=f"{message}{some(self.judges, 'more judge')} would do",
            values={"task": self.task, "kits": self.kits, "count": self.judges},
        )


def shortages(
    places: Sequence[OpenPlaces], judges: Sequence[Judge], rules: Mapping[str, Rules]
) -> list[Shortage]:
    """The tasks in which open places find no judge, even if everybody does all that he may.

    Kits compete for judges within a block where a judge gets one kit of a block, else each kit for
    itself: what has more places than judges who have not had it yet cannot be filled.
    """
    free: defaultdict[tuple[str, str, str], int] = defaultdict(int)
    able: dict[tuple[str, str, str], int] = {}

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
            able[unit] = max(able.get(unit, 0), may - one.had)
    return _by_task({unit: count - max(0, able[unit]) for unit, count in free.items()})


def _sites(one: OpenPlaces, rules: Rules) -> frozenset[str]:
    """Whose judges are kept from the kit."""
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
            judges=sum(map(max, groups.values())),
        )
        for task, groups in found.items()
    ]
