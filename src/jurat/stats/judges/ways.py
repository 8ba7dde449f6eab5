"""Everything that the signals found, by the name of the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jurat.results import Key
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges.diagnosing import Diagnosing, once
from jurat.stats.judges.rules import Verdict
from jurat.stats.judges.signal import Group, Reading, signals
from jurat.stats.spread import Spread

MOST = "most"
"""The way that finds whom at least half of the others find, and two of them."""

Place = tuple[str, tuple[tuple[str, Key], ...]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Way:
    """What one way says of the judges, in every question and split in which it says something."""

    name: str
    rule: str
    readings: Mapping[Place, Reading]
    doubts: bool = False
    """Whether it casts doubt on the answers of those found."""
    absent: str = ""

    def found(self, place: Place) -> set[str]:
        """The judges whom it finds there."""
        return self.readings[place].found if place in self.readings else set()

    def reason(self, place: Place) -> str:
        """Why it says nothing there; nothing where it does."""
        if place not in self.readings:
            return self.absent
        reading = self.readings[place]
        if not np.isnan(reading.verdict.found).all():
            return ""
        none = np.isnan(reading.values).all()
        return (reading.reason if none else reading.verdict.reason) or self.absent


@once
def ways(evaluation: Evaluation, settings: Diagnosing) -> tuple[Way, ...]:
    """Every way, in the order of the signals, and then `most`."""
    found = tuple(_ways(evaluation, settings))
    return (*found, _most(found))


def places(found: Sequence[Way]) -> list[Place]:
    """The questions and splits of which any way says something, in order."""
    return list(dict.fromkeys(place for way in found for place in way.readings))


def place_of(group: Group) -> Place:
    """A question and split as something to look up."""
    return group.question, tuple(group.tags.items())


def _ways(evaluation: Evaluation, settings: Diagnosing) -> Iterator[Way]:
    for signal in signals():
        missing = [name for name in signal.needs if name not in evaluation.columns]
        readings = () if missing else signal.readings(evaluation, settings)
        yield Way(
            name=signal.way,
            rule=signal.spoken_rule(settings),
            readings={place_of(reading.group): reading for reading in readings},
            doubts=signal.doubts,
            absent=f"needs the column {', '.join(missing)}" if missing else signal.absent,
        )


def _most(found: Sequence[Way]) -> Way:
    readings = {place: _counted(place, found) for place in places(found)}
    rule = "found in at least half of the ways that say something, and in two"
    return Way(name=MOST, rule=rule, readings=readings, absent="no way says anything")


def _counted(place: Place, found: Sequence[Way]) -> Reading:
    """In how many ways each judge was found, of those that say something there."""
    telling = [way for way in found if place in way.readings and not way.reason(place)]
    hits = Counter(judge for way in telling for judge in way.found(place))
    judges = sorted(
        {j for way in found if place in way.readings for j in way.readings[place].judges}
    )
    values = np.array([float(hits[judge]) for judge in judges])
    many = max(2.0, len(telling) / 2)
    nothing = np.full(len(judges), np.nan)
    return Reading(
        group=Group(place[0], dict(place[1])),
        judges=judges,
        spread=Spread(values=values, low=nothing, high=nothing),
        n=np.full(len(judges), len(telling)),
        verdict=Verdict(
            (values >= many).astype(np.float64) if telling else nothing,
            "" if telling else "no way says anything",
        ),
    )
