"""Simulated judges of known severity, noise, drift and carelessness: an item in, answers out.

They judge translations whose true quality is known, so that statistics computed from their answers
can be compared with the truth. Everything follows from seeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import msgspec

from jurat.errors import input_error
from jurat.model import Item
from jurat.protocols import Protocol
from jurat.protocols.protocol import Answers

# The true quality of a control item that is easy.
EASY = 0.97
# The true quality of a degraded control item.
DEGRADED = 0.1
# The default range of the systems' true qualities.
BEST, WORST = 0.9, 0.3
# The standard deviation of the logarithm of a decision's time: one in a hundred takes 2.3 times as
# long as expected.
TIME_SPREAD = 0.4


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """How good every system really is, 0 to 1, and how much its translations vary around that."""

    qualities: Mapping[str, float]
    spread: float = 0.12
    seed: int = 1

    def of(self, item: Item) -> list[float]:
        """The true quality of each translation on the screen, the same for every judge."""
        return [self._quality(item, shown.system) for shown in item.translations]

    def _quality(self, item: Item, system: str) -> float:
        if item.control in ("easy", "degraded"):
            return EASY if item.control == "easy" else DEGRADED
        if system not in self.qualities:
            message = f"the true quality of system '{system}' is not known; --truth can tell it"
            raise input_error(message, value=system)
        place = f"{self.seed}|{item.document}|{item.segment}"
        # the same for all systems, so that their scores on a segment are correlated
        hardness = Random(place).gauss(0, self.spread / 2)
        luck = Random(f"{place}|{system}").gauss(0, self.spread)
        return self.qualities[system] + hardness + luck


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A simulated judge.

    `severity` is taken off every quality that the judge perceives, and `drift` more over a hundred
    decisions; `noise` is the standard deviation of the errors of perception, `careless` the share
    of decisions made without looking.
    """

    name: str
    severity: float = 0.0
    noise: float = 0.1
    drift: float = 0.0
    careless: float = 0.0
    seed: int = 1

    def answers(
        self,
        protocol: Protocol,
        item: Item,
        *,
        position: int,
        truth: Truth,
        stage: int | None = None,
        earlier: Answers | None = None,
    ) -> Answers:
        """The answers to an item, or to one of its stages; the same for the same arguments.

        `position` counts the judge's decisions from 1; `earlier` are answers to earlier stages.
        """
        # seeded by what is judged, not by the order of asking: whoever is asked again says the same
        key = f"{self.seed}|{self.name}|{item.id}|{item.control}"
        perceived = self._perceived(Random(key), item, position, truth)
        given = dict(earlier or {})
        before = set(given)
        for question in protocol.asked(given, stage=stage):  # which looks at answers as it goes
            random = Random(f"{key}|{question.id}")
            given[question.id] = question.simulate(item, perceived, random)
        return {name: answer for name, answer in given.items() if name not in before}

    def _perceived(self, random: Random, item: Item, position: int, truth: Truth) -> list[float]:
        """How good the translations look to this judge."""
        if random.random() < self.careless:
            return [random.random() for _ in item.translations]
        tired = self.severity + self.drift * position / 100
        return [true - tired + random.gauss(0, self.noise) for true in truth.of(item)]

    def seconds(self, item: Item, *, position: int, expected: float) -> float:
        """How long the decision takes: log-normal with the mean `expected`, at least a second."""
        random = Random(f"{self.seed}|{self.name}|{item.id}|{position}|time")
        # the mean of a log-normal distribution is exp(mu + sigma² / 2)
        return max(1.0, expected * random.lognormvariate(-(TIME_SPREAD**2) / 2, TIME_SPREAD))


def panel(
    names: Sequence[str],
    *,
    severity: float = 0.05,
    noise: float = 0.1,
    drift: float = 0.0,
    careless: float = 0.0,
    seed: int = 1,
) -> tuple[Bot, ...]:
    """Judges with random severities, normal with mean 0 and standard deviation `severity`.

    The share `careless` of them, rounded to whole judges, makes every decision without looking.
    """
    random = Random(seed)
    idle = set(random.sample(range(len(names)), round(careless * len(names))))
    return tuple(
        Bot(
            name=name,
            severity=random.gauss(0, severity),
            noise=noise * random.uniform(0.5, 1.5),
            drift=random.gauss(0, drift),
            careless=1.0 if n in idle else 0.0,
            seed=seed,
        )
        for n, name in enumerate(names)
    )


def ladder(systems: Sequence[str], *, seed: int = 1) -> Truth:
    """A truth with equal steps between the systems, from `BEST` for the first to `WORST`."""
    step = (BEST - WORST) / max(len(systems) - 1, 1)
    qualities = {system: BEST - n * step for n, system in enumerate(systems)}
    return Truth(qualities=qualities, seed=seed)
