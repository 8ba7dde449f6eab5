"""Studies of `jurat systems`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.simulations import claims
from benchmarks.simulations.claims import Reading, constant
from benchmarks.simulations.designs import LINKED, Campaign, Rng
from benchmarks.simulations.study import RESAMPLES, Study, drawn_seed, judged
from jurat.results import Key
from jurat.stats.settings import SystemSettings


@dataclass(frozen=True, kw_only=True)
class Systems(Study):
    """`jurat systems` on systems that are equally good, or a known step apart."""

    folders = ("systems",)
    section = "systems"
    design: Campaign

    def columns(self) -> Mapping[str, object]:
        """The design."""
        return campaign_columns(self.design)

    @property
    def smallest(self) -> bool:
        """Ten documents or three judges."""
        return self.design.documents <= 10 or self.design.judges <= 3

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """Tests where all are equal, intervals always."""
        evaluation = judged(self.design.frame(rng))
        seed = drawn_seed(rng)
        settings = SystemSettings(bootstrap=RESAMPLES, seed=seed)
        names = ("pairwise-p", "system-cluster", "system-difference", "system-score")
        found = claims.computed("systems", evaluation, settings, names)
        if not self.design.step:
            alone = SystemSettings(bootstrap=RESAMPLES, seed=seed, correction="none")
            single = claims.computed("systems", evaluation, alone, names[:1])
            yield from claims.rejections(single, "pairwise-p")
            yield from claims.any_rejection(found, "pairwise-p")
            yield claims.more_than_one(found, "system-cluster")
        yield from claims.coverage(found, "system-difference", self.difference)
        yield from claims.coverage(found, "system-score", self.score)

    def score(self, by: Mapping[str, Key]) -> float | None:
        """The true mean of a system; None where it depends on who judged what."""
        if self.design.layout in LINKED:
            return None
        return float(self.design.means[_number(by["system"])])

    def difference(self, by: Mapping[str, Key]) -> float | None:
        """The true difference of two systems."""
        means = self.design.means
        return float(means[_number(by["system_a"])] - means[_number(by["system_b"])])


# What systems that are equally good have in truth, on a scale without ends.
EQUAL: Mapping[str, float] = {
    "system-z": 0.0,
    "system-median": 0.0,
    "system-wins": 0.5,
    "pairwise-wins": 0.5,
    "bradley-terry": 0.0,
}


@dataclass(frozen=True, kw_only=True)
class FurtherIntervals(Systems):
    """The other intervals of `jurat systems`, on systems that are equally good."""

    section = "systems, further intervals"

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """Z-scores, medians, wins, strengths, and how often a system is best."""
        settings = SystemSettings(bootstrap=RESAMPLES, seed=drawn_seed(rng))
        names = ("system-z", "system-median", "system-wins", "bradley-terry", "system-best")
        found = claims.computed("systems", judged(self.design.frame(rng)), settings, names)
        for name, value in EQUAL.items():
            yield from claims.coverage(found, name, constant(value))
        yield from claims.coverage(found, "system-best", constant(1 / self.design.systems))


def campaign_columns(design: Campaign) -> dict[str, object]:
    """A design of scores of systems, for the page."""
    columns: dict[str, object] = {
        "layout": "adaptive" if type(design) is not Campaign else design.layout,
        "documents": design.documents,
        "judges": design.judges,
        "document effect": design.interaction,
        "taste": design.taste,
    }
    defaults = Campaign()
    extra = {"segments": "segments", "systems": "systems", "step": "step", "scale": "scale"}
    extra["habit"] = "judge × document"
    for field, title in extra.items():
        if getattr(design, field) != getattr(defaults, field):
            columns[title] = getattr(design, field)
    return columns


def _number(name: Key) -> int:
    """The number of the system `s2`."""
    return int(str(name)[1:])
