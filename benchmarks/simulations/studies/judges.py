"""Studies of the commands about judges: `diagnose`, `fatigue`, `bias` and `time`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import polars as pl

from benchmarks.simulations import claims
from benchmarks.simulations.claims import Keys, Reading, Truth, constant
from benchmarks.simulations.designs import Array, Campaign, Rng
from benchmarks.simulations.studies.systems import campaign_columns
from benchmarks.simulations.study import RESAMPLES, Study, drawn_seed, judged
from jurat.stats.settings import BiasSettings, FatigueSettings, JudgeSettings, TimeSettings

# Signals of `jurat diagnose` that are 0 for a judge who is like the others. A model's severities
# are not among them: where judges do not differ, it finds them all equal, and has no more to hold.
ZERO_SIGNALS = ("judge-difference", "judge-drift")


@dataclass(frozen=True, kw_only=True)
class EqualJudges(Study):
    """`jurat diagnose` on judges who do not differ: nobody should be named."""

    folders = ("judges",)
    section = "diagnose"
    design: Campaign

    def columns(self) -> Mapping[str, object]:
        """The design; documents and systems matter little here."""
        shown = ("layout", "documents", "judges", "scale", "systems", "judge × document")
        told = campaign_columns(self.design)
        return {key: told[key] for key in shown if key in told}

    @property
    def smallest(self) -> bool:
        """Three judges, or ten documents."""
        return self.design.documents <= 10 or self.design.judges <= 3

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """Who is named, and whether the intervals of the signals hold 0."""
        frame = self.design.frame(rng)
        frame = frame.with_columns(position=pl.int_range(1, pl.len() + 1).over("judge"))
        settings = JudgeSettings(bootstrap=RESAMPLES, seed=drawn_seed(rng))
        names = ("judge-outlier", "judge-longest-run", *ZERO_SIGNALS)
        found = claims.computed("judges", judged(frame), settings, names)
        judges = frame["judge"].unique().to_list()
        yield claims.naming(found, "judge-outlier", judges, "somebody to look at first")
        yield claims.naming(found, "judge-drift", judges, "somebody drifts")
        yield claims.naming(found, "judge-longest-run", judges, "somebody repeats one answer")
        for name in ZERO_SIGNALS:
            yield from claims.coverage(found, name, constant(0.0))


@dataclass(frozen=True, kw_only=True)
class UnequalJudges(Study):
    """`jurat diagnose` on judges of known severity, who all judge everything."""

    folders = ("judges",)
    section = "diagnose, judges who differ"
    design: Campaign

    def columns(self) -> Mapping[str, object]:
        """The design."""
        told = {"documents": self.design.documents, "judges": self.design.judges}
        return told | {"severity": self.design.severity}

    @property
    def smallest(self) -> bool:
        """Three judges, or ten documents."""
        return self.design.documents <= 10 or self.design.judges <= 3

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """The intervals of severities and of differences from the others."""
        levels = rng.normal(0, self.design.severity, self.design.judges)
        frame = self.design.frame(rng, levels)
        settings = JudgeSettings(bootstrap=RESAMPLES, seed=drawn_seed(rng))
        names = ("judge-difference", "judge-severity")
        found = claims.computed("judges", judged(frame), settings, names)
        others = (levels.sum() - levels) / (len(levels) - 1)
        yield from claims.coverage(found, "judge-difference", _of_judges(levels - others))
        yield from claims.coverage(found, "judge-severity", _of_judges(levels.mean() - levels))


def _of_judges(values: Array) -> Truth:
    return lambda by: float(values[int(str(by["judge"])[1:])])


Order = Literal["same", "shuffled"]
SLICED = ("quality-fall", "slice-trend", "slice-sd")


@dataclass(frozen=True, kw_only=True)
class Fatigue(Study):
    """`jurat fatigue` on judges who do not tire, or whose scores lose all spread."""

    folders = ("fatigue",)
    section = "fatigue"
    judges: int = 6
    items: int = 100
    order: Order = "shuffled"
    tiring: bool = False
    """Whether a judge's spread falls from 25 points to none."""

    def columns(self) -> Mapping[str, object]:
        """The design."""
        state = "spread falls to 0" if self.tiring else "nobody tires"
        return {
            "judges": self.judges,
            "items": self.items,
            "order": self.order,
            "judges' state": state,
        }

    @property
    def smallest(self) -> bool:
        """Three judges."""
        return self.judges <= 3

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """Whether a fall is claimed."""
        settings = FatigueSettings(bootstrap=RESAMPLES, seed=drawn_seed(rng))
        frame, mean = self.frame(rng)
        found = claims.computed("fatigue", judged(frame), settings, SLICED)
        if self.tiring:
            yield claims.given(found, "quality-fall", "a fall is found", "detection")
            return
        if self.order == "shuffled":
            # In the same order a slice is about its own items, and what changes may be theirs.
            yield from claims.coverage(found, "slice-trend", constant(0.0), ("measure",))
            yield from claims.coverage(found, "slice-mean", constant(mean))
        yield claims.given(found, "quality-fall", "quality-fall", "alarm")
        yield claims.matching(
            found, "slice-trend", r"^(?!nothing\b).*\b(rises|falls)\b", "slice-trend, steady"
        )
        yield from claims.rejections(found, "slice-trend-p")

    def frame(self, rng: Rng) -> tuple[pl.DataFrame, float]:
        """Scores with the position at which each was given, and the items' true mean."""
        shape = (self.judges, self.items)
        judge, position = (codes.ravel() for codes in np.indices(shape))
        orders = np.tile(np.arange(self.items), (self.judges, 1))
        if self.order == "shuffled":
            orders = rng.permuted(orders, axis=1)
        item, quality = orders[judge, position], rng.normal(0, 20, self.items)
        latent = quality[item] + rng.normal(0, 15, len(item))
        if self.tiring:
            latent *= 1 - position / self.items
        value = 60 + rng.normal(0, 5, self.judges)[judge] + latent
        codes = pl.DataFrame({"j": judge, "i": item})
        frame = codes.select(
            judge=pl.format("j{}", "j"),
            item=pl.format("i{}", "i"),
            value=pl.Series(value),
            position=pl.Series(position + 1),
        )
        return frame, 60 + float(quality.mean())


@dataclass(frozen=True, kw_only=True)
class EqualGroups(Study):
    """`jurat bias` on groups of judges who saw different references, which changed nothing."""

    folders = ("bias",)
    section = "bias"
    groups: int = 2
    judges: int = 6
    """In all."""
    items: int = 60
    severity: float = 0.5
    shared: bool = True
    """Whether all groups judged the same items."""
    first: int = 0
    """How many of the judges are in the first of two groups; 0 for as many as in the other."""

    def columns(self) -> Mapping[str, object]:
        """The design."""
        unequal = {"judges of the first group": self.first} if self.first else {}
        return {
            "groups": self.groups,
            "judges": self.judges,
            "items": self.items,
            "severity": self.severity,
            "items of groups": "the same" if self.shared else "two thirds each",
            **unequal,
        }

    @property
    def smallest(self) -> bool:
        """Three judges a group."""
        return self.judges <= 3 * self.groups or 0 < self.first <= 3

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """The tests of means, of kappas and of segments; intervals of means and differences."""
        settings = BiasSettings(group="group", bootstrap=RESAMPLES, seed=drawn_seed(rng))
        names = ("group-mean", "cohen-kappa", "segment-spread")
        found = claims.computed("bias", judged(self.frame(rng)), settings, names)
        # scores lie as far above the middle of the scale as below it
        yield from claims.coverage(found, "group-mean", constant(3.0))
        yield from claims.coverage(found, "group-difference", constant(0.0))
        yield claims.excluding(found, "group-difference", 0.0, "group-difference, any pair")
        for name in ("group-mean-p", "group-p", "segment-spread-p"):
            yield from claims.rejections(found, name)
        yield from claims.any_rejection(found, "group-p", "group-p, any weighting")

    def frame(self, rng: Rng) -> pl.DataFrame:
        """Scores on five points."""
        judge, item = (codes.ravel() for codes in np.indices((self.judges, self.items)))
        group = (judge >= self.first).astype(np.int64) if self.first else judge % self.groups
        if not self.shared:
            kept = (rng.random((self.groups, self.items)) < 2 / 3)[group, item]
            judge, item, group = judge[kept], item[kept], group[kept]
        latent = (
            rng.normal(size=self.items)[item] + rng.normal(0, self.severity, self.judges)[judge]
        )
        value = np.clip(np.round(3 + latent + rng.normal(size=len(item))), 1, 5)
        codes = pl.DataFrame({"j": judge, "i": item, "g": group})
        return codes.select(
            judge=pl.format("j{}", "j"),
            item=pl.format("i{}", "i"),
            group=pl.format("g{}", "g"),
            value=pl.Series(value),
        )


@dataclass(frozen=True, kw_only=True)
class Seconds(Study):
    """`jurat time` on judges with a pace of their own."""

    folders = ("time",)
    section = "time"
    judges: int = 6
    items: int = 60
    documents: int = 0
    """Into which the items fall, whose length they share; 0 where they are not known."""

    def columns(self) -> Mapping[str, object]:
        """The design."""
        known = {"documents": self.documents} if self.documents else {}
        return {"judges": self.judges, "items": self.items, **known}

    @property
    def smallest(self) -> bool:
        """Three judges, or ten documents."""
        return self.judges <= 3 or 0 < self.documents <= 10

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """The intervals of means and medians."""
        settings = TimeSettings(bootstrap=RESAMPLES, seed=drawn_seed(rng))
        found = claims.computed("time", judged(self.frame(rng)), settings, ())
        true = _times()
        for name in TIMES:
            yield from claims.coverage(found, name, claims.looked_up(true, name))

    def frame(self, rng: Rng) -> pl.DataFrame:
        """Seconds from a log-normal distribution, of judges and items of two systems."""
        judge, item = (codes.ravel() for codes in np.indices((self.judges, self.items)))
        of_item = rng.normal(0, 0.3, self.items)
        document = np.arange(self.items) * max(self.documents, 1) // self.items
        if self.documents:
            # the same variance, half of which items of a document share
            of_item = np.sqrt(0.5) * (of_item + rng.normal(0, 0.3, self.documents)[document])
        log = 3 + rng.normal(0, 0.3, self.judges)[judge] + of_item[item]
        codes = pl.DataFrame({"j": judge, "i": item, "s": item % 2, "d": document[item]})
        known = {"document": pl.format("d{}", "d")} if self.documents else {}
        return codes.select(
            **known,
            judge=pl.format("j{}", "j"),
            item=pl.format("i{}", "i"),
            system=pl.format("s{}", "s"),
            value=pl.lit(1.0),
            seconds=pl.Series(np.exp(log + rng.normal(0, 0.4, len(item)))),
        )


TIMES = ("seconds-mean", "seconds-median", "seconds-capped", "seconds-of-system")


@cache
def _times() -> Mapping[Keys, float]:
    frame = Seconds(judges=400, items=400).frame(np.random.default_rng(1))
    found = claims.computed("time", judged(frame), TimeSettings(bootstrap=0), ())
    return claims.values_by_keys(found)
