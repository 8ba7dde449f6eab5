"""The parts of a campaign's results, each from one folder of statistics.

Quick: the few numbers of the first look, with fewer resamples and a test that needs none. Whole:
everything that the command of the same name says, computed in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import msgspec

from jurat.campaigns.watching.filters import Filter
from jurat.faults import unknown
from jurat.results import Estimate

if TYPE_CHECKING:
    from jurat.campaigns.watching.room import Room
    from jurat.results import Figure, Result
    from jurat.stats import Evaluation, Settings

Part = Literal["agreement", "judges", "systems", "preferences", "time", "heval", "fatigue"]
FIRST: tuple[Part, ...] = ("agreement", "judges", "systems", "preferences", "time")
"""What the first look is made of."""
OUTLIERS = "judge-outlier"
QUICK: Mapping[str, tuple[str, ...]] = {
    "agreement": ("n-agreement", "fleiss-kappa", "krippendorff-alpha"),
    "judges": (OUTLIERS, "judge-mean"),
    "systems": ("system-score", "system-rank", "system-cluster", "pairwise-p"),
    "preferences": ("preference-count", "preference-agreement", "preference-kappa"),
    "time": ("seconds-mean",),
}
RESAMPLES = 200
"""Of a quick look; a whole one has a thousand."""
THREADS, LONGEST = 2, "judges"
"""The part that takes longest begins first, and the others go on beside it."""


class AsOf(msgspec.Struct, frozen=True, kw_only=True):
    """What something was computed from."""

    stamp: str
    """Changes whenever the campaign's judgments do."""
    judgments: int
    """How many decisions there were."""
    last: datetime | None
    """When the last of them was made."""


class Results(NamedTuple):
    """The results of some parts, and what they were computed from."""

    as_of: AsOf
    parts: Mapping[str, tuple[Result, ...]]
    excluded: tuple[str, ...] = ()
    """Judges whom the exclusion rules left out."""

    def named(self, name: str) -> Result | None:
        """The first result of a name."""
        return next((r for part in self.parts.values() for r in part if r.name == name), None)


@dataclass(frozen=True)
class Drawn:
    """A figure that was drawn where the numbers were, and travels with them."""

    content: Figure | None

    def __call__(self) -> Figure:
        return self.content or {}


def looked(room: Room, campaign: str, chosen: Filter) -> Results:
    """The first look: the few numbers of every part that there is."""
    as_of, left = room.tables(campaign).as_of, room.left(campaign, chosen)
    return Results(as_of, first_look(left.evaluation, chosen), left.outliers)


def whole(room: Room, campaign: str, part: str, chosen: Filter) -> Results:
    """All that one part has to say."""
    known = get_args(Part)
    if part not in known:
        raise unknown("part of the results", part, known)
    as_of, left = room.tables(campaign).as_of, room.left(campaign, chosen)
    results = answers(part, left.evaluation, chosen, quick=False)
    return Results(as_of, {part: results}, left.outliers)


def first_look(seen: Evaluation, chosen: Filter) -> dict[str, tuple[Result, ...]]:
    """The quick results of every part of which there is something."""
    parts = [part for part in FIRST if part != "preferences" or seen.preferences]
    if seen.judgments is None:
        parts = [part for part in parts if part not in ("agreement", "judges")]
    if seen.judgments is None and seen.preferences is None:
        return {}
    with ThreadPoolExecutor(THREADS) as threads:
        found = {
            part: threads.submit(answers, part, seen, chosen, quick=True)
            for part in sorted(parts, key=lambda part: part != LONGEST)
        }
        return {part: found[part].result() for part in parts}


def answers(part: str, seen: Evaluation, chosen: Filter, *, quick: bool) -> tuple[Result, ...]:
    """What one part has to say, or the first of it, each with its figure drawn."""
    from jurat.stats import analyse

    settings = _settings(part, chosen, quick=quick)
    results = analyse(part, seen, settings)
    if quick:
        results = (one for name in QUICK[part] for one in _first(part, name, seen, settings))
    return tuple(replace(one, draw=Drawn(one.figure()) if one.draw else None) for one in results)


def _first(part: str, name: str, seen: Evaluation, settings: Settings) -> Iterator[Result]:
    """The results of a statistic; of the judges who stand out only these."""
    from jurat.stats import analyse

    results = analyse(part, seen, settings, only=[name])
    if name != OUTLIERS:
        yield from results
        return
    # the first: to count how far the ways agree takes its time
    for every in islice(results, 1):
        hits = tuple(one for one in every.estimates if one.value == 1)
        nobody = (Estimate(value=None, n=0, reason="nobody stands out"),)
        yield replace(every, estimates=hits or nobody, method=f"{every.method}; only those found")


def _settings(part: str, chosen: Filter, *, quick: bool) -> Settings:
    """As the command's own; a quick look draws less, and of judges and times nothing."""
    from jurat.stats import Settings

    if part == "judges":
        from jurat.stats.judges.diagnosing import Diagnosing

        return Diagnosing(k=chosen.k, bootstrap=0) if quick else Diagnosing(k=chosen.k)
    if part == "time":
        from jurat.stats.time.timing import Timing

        return Timing(bootstrap=0) if quick else Timing()
    drawn: dict[str, Any] = {"bootstrap": RESAMPLES} if quick else {}
    if part == "systems":
        from jurat.stats.systems.choices import SystemSettings

        return SystemSettings(method="wilcoxon" if quick else "", **drawn)
    if part == "preferences":
        from jurat.stats.preferences.comparisons import Comparing

        return Comparing(**drawn)
    if part == "fatigue":
        from jurat.stats.fatigue.slices import Slicing

        return Slicing()
    return Settings(**drawn)
