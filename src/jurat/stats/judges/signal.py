"""A signal: something about each judge, and the rule by which it makes him stand out.

One file adds a signal. Whatever it finds enters the tables of outliers, their overlaps, and what
leaving these judges out would do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.diagnosing import Diagnosing, once
from jurat.stats.judges.ranked import Lines, ranked
from jurat.stats.judges.rules import Verdict
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Statistic, statistics
from jurat.stats.words import listed


class Group(NamedTuple):
    """The question and the split that something is said of."""

    question: str
    tags: Mapping[str, Key]

    @property
    def by(self) -> dict[str, Key]:
        """The keys of an estimate."""
        return {"question": self.question}


@dataclass(frozen=True, kw_only=True, eq=False)
class Reading:
    """A value of every judge, in one question and split, and whom it makes stand out."""

    group: Group
    judges: Sequence[str]
    spread: Spread
    n: Codes
    verdict: Verdict
    reason: str = ""
    """Why a judge has no value."""
    side: Sequence[str] = ()
    """Whether the judges found are strict or lenient, where that can be told."""

    @property
    def values(self) -> Array:
        """The value of every judge, NaN where he has none."""
        return self.spread.values

    @cached_property
    def found(self) -> set[str]:
        """The judges who stand out."""
        return {judge for judge, _ in self.outliers()}

    def outliers(self) -> Iterator[tuple[str, str]]:
        """The judges who stand out, each with his side."""
        for at in np.flatnonzero(self.verdict.found == 1).tolist():
            yield self.judges[at], self.side_of(at)

    def side_of(self, at: int) -> str:
        """Whether the judge is strict or lenient; nothing where that is not told."""
        return self.side[at] if self.side else ""

    def estimates(self) -> Iterator[Estimate]:
        """The value of every judge: who stands out first, then from the lowest on."""
        if np.isnan(self.values).all():
            yield Estimate(None, 0, by=self.group.by, tags=self.group.tags, reason=self.reason)
            return
        for at in np.lexsort((self.values, self.verdict.found != 1)):  # which puts NaN last
            yield self.spread.estimate(
                int(at),
                n=int(self.n[at]),
                by={**self.group.by, "judge": self.judges[at]},
                tags=self.group.tags,
                reason=self.reason,
                side=self.side_of(int(at)),
            )

    def judged(self, way: str) -> Iterator[Estimate]:
        """1 for every judge who stands out in this way, 0 for the others."""
        if np.isnan(self.values).all():
            by = {**self.group.by, "way": way}
            yield Estimate(None, 0, by=by, tags=self.group.tags, reason=self.reason)
            return
        for at, (judge, hit) in enumerate(zip(self.judges, self.verdict.found, strict=True)):
            unknown = bool(np.isnan(hit))
            has_none = np.isnan(self.values[at]) and self.reason
            yield Estimate(
                value=None if unknown else float(hit),
                n=int(self.n[at]),
                by={**self.group.by, "judge": judge, "way": way},
                tags=self.group.tags,
                reason=(self.reason if has_none else self.verdict.reason) if unknown else "",
                side=self.side_of(at),
            )


class Signal(Statistic[Diagnosing]):
    """A value of each judge, and the way in which it makes him stand out."""

    way: ClassVar[str]
    """What the way is called in the tables of outliers."""
    rule: ClassVar[str]
    """By which it finds judges, in one line; {k} stands for the number of deviations."""
    doubts: ClassVar[bool] = False
    """Whether it casts doubt on the answers, rather than shows a strict hand or a quick one."""
    counts: ClassVar[str] = "judgments"
    """What n is the number of."""
    absent: ClassVar[str] = "there are no judgments"
    """Why there is no reading at all, where there is none."""

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """A reading for each question and split: what a signal has to tell."""
        raise NotImplementedError

    def readings(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The same, measured only once."""
        return _MEASURED.setdefault(self.name, once(self.measured))(evaluation, settings)

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """The value of every judge."""
        yield self.told_as(evaluation, settings, self.readings(evaluation, settings))

    def told_as(
        self,
        evaluation: Evaluation,
        settings: Diagnosing,
        readings: Sequence[Reading],
        *,
        name: str = "",
        formula: str = "",
        headline: str = "",
        draw: Callable[[], Figure] | None = None,
        **choices: object,
    ) -> Result:
        """The readings as a result, not said otherwise as the one that the signal is named by."""
        rule = "" if name else f"outlier: {self.spoken_rule(settings)}"
        how = next((r.spread.method for r in readings if r.spread.method), "")
        return self.result(
            evaluation,
            settings,
            all_estimates(readings) or [Estimate(None, 0, reason=self.absent)],
            name=name,
            method=told(f"{formula or self.formula}; n counts {self.counts}", rule, how),
            headline=headline or ("" if name else self.headline(readings)),
            draw=draw or (lambda: self.draw(readings, settings, name)),
            **settings.choices(),
            **choices,
        )

    def spoken_rule(self, settings: Diagnosing) -> str:
        """The rule, with the number of deviations."""
        return self.rule.format(k=f"{settings.k:g}")

    def headline(self, readings: Sequence[Reading]) -> str:
        """Whom the signal finds, in one sentence."""
        known = {j for r in readings for j in np.asarray(r.judges)[~np.isnan(r.values)].tolist()}
        found: dict[str, set[str]] = {}
        for judge, side in (pair for reading in readings for pair in reading.outliers()):
            found.setdefault(judge, set()).add(side)
        if not known:
            return ""
        who = [_with_sides(judge, found[judge] - {""}) for judge in sorted(found)]
        return f"{self.asks} Of {len(known)} judges {listed(who) or 'nobody'}."

    def draw(self, readings: Sequence[Reading], settings: Diagnosing, name: str = "") -> Figure:
        """The judges from the lowest to the highest, and the limits of the rule."""
        ruled = "{k} SD" in self.rule and not name
        return ranked(
            f"{name}: judges from the lowest to the highest" if name else self.asks,
            all_estimates(readings),
            value=name or self.gives[0],
            lines=limits(readings, settings) if ruled else {},
        )


_MEASURED: dict[str, Callable[[Evaluation, Diagnosing], tuple[Reading, ...]]] = {}
"""By a signal's name: what it measured of judgments that are still in use."""


def _with_sides(judge: str, sides: set[str]) -> str:
    return f"{judge} ({', '.join(sorted(sides))})" if sides else judge


def all_estimates(readings: Sequence[Reading]) -> list[Estimate]:
    """The estimates of several readings."""
    return [estimate for reading in readings for estimate in reading.estimates()]


def limits(readings: Sequence[Reading], settings: Diagnosing) -> Lines:
    """Mean and limits of each question; none where it is split, because then there are many."""
    found = {r.group.question: rules.limits(r.values, settings.k) for r in readings}
    return found if len(found) == len(readings) else {}


def signals() -> tuple[Signal, ...]:
    """Every signal of the folder, in the order of the output."""
    return tuple(kind() for kind in statistics("judges") if issubclass(kind, Signal))
