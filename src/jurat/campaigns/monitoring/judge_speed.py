"""Which judges are far quicker or far slower than the others, beyond chance.

Decisions of a kit are alike: it has long or short texts. So a judge's mean time varies by whole
kits, and the sums over kits that tallies hold are enough for a t test of each judge against the
others. Plain Python, since the server's pages load neither NumPy nor SciPy.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist, median
from typing import Literal, NamedTuple

from jurat.store import Tally

Speed = Literal["quick", "slow"]

# Times quicker or slower than the median of the others that are worth a word.
UNUSUAL_SPEED = 2.0
# Timed decisions and kits from which on a judge is compared. Kits count as `_kits` has them, which
# is a little less than three for three kits that differ in their number of timed decisions.
FEWEST_TIMED = 20
FEWEST_KITS = 2.5
# Of two judges, neither is unusual.
FEWEST_JUDGES = 3
# Of the tests of all judges together. Pages are looked at many times, and each look may err: at
# this level one of 3 to 12 equal judges was named at any of 60 looks in 0 to 3.5 % of simulated
# campaigns (log-normal times of SD 0.6 and 1, ten kits of 20 and 40 items, an SD of 0.3 and 0.5
# between kits on the log scale; 200 to 600 campaigns a design). A factor of 2 from 20 decisions on,
# without a test, named somebody after the first kit in up to 35 % where kits had an SD of 0.3.
LEVEL = 0.005


class RelativeSpeed(NamedTuple):
    """The logarithm of a judge's time over that of the others, its variance and freedom."""

    log_ratio: float
    variance: float
    freedom: float
    timed: int
    """How many decisions it comes from."""


def unusual_speeds(tallies: Sequence[Tally]) -> dict[str, Speed]:
    """The judges whose time is at most half, or at least twice, the median of the others'.

    Only those are named whose difference is beyond chance: t tests with kits as what varies,
    Holm's correction for all judges of the campaign, and the level `LEVEL`.
    """
    by_task: defaultdict[str, dict[str, Tally]] = defaultdict(dict)
    for tally in tallies:
        enough = tally.timed >= FEWEST_TIMED and _kits(tally) >= FEWEST_KITS
        if tally.phase == "evaluation" and enough:
            by_task[tally.task][tally.judge] = tally
    found: defaultdict[str, list[RelativeSpeed]] = defaultdict(list)
    for of_task in by_task.values():
        for judge, speed in _relative_speeds(of_task):
            found[judge].append(speed)
    speeds = {judge: _over_tasks(of) for judge, of in found.items()}
    far = math.log(UNUSUAL_SPEED)
    return {
        judge: "slow" if speeds[judge].log_ratio > 0 else "quick"
        for judge in _significant({judge: _p_value(speed) for judge, speed in speeds.items()})
        if abs(speeds[judge].log_ratio) >= far
    }


def _kits(tally: Tally) -> float:
    """How many kits of equal size would tell as much: (Σ n)² / Σ n²."""
    known = tally.timed_squares > 0 and tally.timed_seconds > 0
    return tally.timed**2 / tally.timed_squares if known else 0.0


def _relative_speeds(of_task: Mapping[str, Tally]) -> Iterator[tuple[str, RelativeSpeed]]:
    """Each judge of a task against the others, with the variance of kits pooled over judges.

    With n timed decisions in s seconds of each kit and the judge's mean m = Σs / Σn, a kit differs
    from what is expected of it by s/m − n. The squares of these, summed over all judges, over what
    is left of Σn² when a mean is fitted to each judge, are the variance of a kit's relative time.
    """
    if len(of_task) < FEWEST_JUDGES:
        return
    means = {judge: t.timed_seconds / t.timed for judge, t in of_task.items()}
    squares = sum(_squared_residuals(t, means[judge]) for judge, t in of_task.items())
    left = sum(t.timed_squares * (1 - 1 / _kits(t)) for t in of_task.values())
    freedom = sum(_kits(t) - 1 for t in of_task.values())
    of_kit = max(squares, 0.0) / left
    variances = {judge: of_kit / _kits(t) for judge, t in of_task.items()}
    others = len(of_task) - 1
    # the median of two is their mean; of more it varies by up to π/2 times as much
    of_median = 1.0 if others == 2 else math.pi / 2
    for judge, tally in of_task.items():
        middle = median(mean for other, mean in means.items() if other != judge)
        rest = of_median * (sum(variances.values()) - variances[judge]) / others**2
        log_ratio = math.log(means[judge] / middle)
        yield (
            judge,
            RelativeSpeed(log_ratio, variances[judge] + rest, freedom, tally.timed),
        )


def _squared_residuals(tally: Tally, mean: float) -> float:
    """Σ (s/m − n)² over the kits, from their sums."""
    return tally.seconds_squares / mean**2 - 2 * tally.timed_products / mean + tally.timed_squares


def _over_tasks(speeds: Sequence[RelativeSpeed]) -> RelativeSpeed:
    """The mean over tasks, weighted by decisions; freedom as Satterthwaite has it."""
    timed = sum(speed.timed for speed in speeds)
    shares = [speed.timed / timed for speed in speeds]
    parts = [share**2 * s.variance for share, s in zip(shares, speeds, strict=True)]
    spread = sum(part**2 / s.freedom for part, s in zip(parts, speeds, strict=True))
    return RelativeSpeed(
        sum(share * s.log_ratio for share, s in zip(shares, speeds, strict=True)),
        sum(parts),
        sum(parts) ** 2 / spread if spread else speeds[0].freedom,
        timed,
    )


def _p_value(speed: RelativeSpeed) -> float:
    """Two-sided, by Student's t.

    Wallace's (1959) normal deviate, (8f + 1)/(8f + 3) √(f ln(1 + t²/f)), errs on the safe side: it
    gives a p of .001 that is 3 to 8 % too large.
    """
    if speed.log_ratio == 0:
        return 1.0
    if speed.variance == 0:
        return 0.0
    f, t_squared = speed.freedom, speed.log_ratio**2 / speed.variance
    deviate = (8 * f + 1) / (8 * f + 3) * math.sqrt(f * math.log1p(t_squared / f))
    return 2 * NormalDist().cdf(-deviate)


def _significant(p_values: Mapping[str, float]) -> Iterator[str]:
    """Those whose p-value is below the level after Holm's correction."""
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    for rank, (judge, p) in enumerate(ordered):
        if p * (len(ordered) - rank) >= LEVEL:
            return
        yield judge
