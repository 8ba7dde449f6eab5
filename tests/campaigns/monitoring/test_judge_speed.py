"""Who is called quick or slow: hardly ever one of equal judges, and soon somebody who is."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import stdtr

from jurat.campaigns.monitoring.judge_speed import (
    LEVEL,
    RelativeSpeed,
    _p_value,
    unusual_speeds,
)
from jurat.store import Tally
from jurat.store.decisions import LONGEST

Seconds = NDArray[np.float64]


def tally(judge: str, kits: Sequence[Sequence[float]] | Seconds, task: str = "rating") -> Tally:
    """What the store sums up of a judge's kits, given the seconds of each decision."""
    times = [[s for s in kit if s <= LONGEST] for kit in kits]
    sums = [(len(kit), sum(kit)) for kit in times]
    return Tally(
        judge=judge,
        task=task,
        phase="evaluation",
        open=0,
        done=len(sums),
        returned=0,
        decisions=sum(n for n, _ in sums),
        timed=sum(n for n, _ in sums),
        timed_seconds=sum(s for _, s in sums),
        last=None,
        timed_squares=sum(n * n for n, _ in sums),
        timed_products=sum(n * s for n, s in sums),
        seconds_squares=sum(s * s for _, s in sums),
    )


def campaign(
    rng: np.random.Generator, judges: int, kits: int, *, items: int = 20, sigma: float = 0.8
) -> Seconds:
    """Seconds of equal judges (judges × kits × items), with kits of longer and shorter texts."""
    kit = rng.normal(0, 0.3, (judges, kits, 1))
    seconds: Seconds = np.exp(np.log(15) + kit + rng.normal(0, sigma, (judges, kits, items)))
    return seconds


def named(times: Seconds) -> dict[str, str]:
    return dict(unusual_speeds([tally(f"j{n}", kits) for n, kits in enumerate(times)]))


@pytest.mark.parametrize(("judges", "items", "sigma"), [(3, 40, 0.6), (12, 20, 1.0)])
def test_equal_judges_are_hardly_ever_named(judges: int, items: int, sigma: float) -> None:
    """In at most one campaign of twenty, although it is looked at after each of six kits."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(60):
        times = campaign(rng, judges, 6, items=items, sigma=sigma)
        wrong += any(named(times[:, :kits]) for kits in range(1, 7))
    assert wrong <= 3


@pytest.mark.parametrize(("factor", "word"), [(1 / 3, "quick"), (3.0, "slow")])
def test_a_judge_who_is_far_off_is_named(factor: float, word: str) -> None:
    rng = np.random.default_rng(2)
    found = []
    for _ in range(20):
        times = campaign(rng, 6, 5, sigma=0.6)
        times[0] *= factor
        found.append(named(times))
    assert sum(one == {"j0": word} for one in found) >= 18


def test_a_difference_beyond_chance_that_is_small_is_not_worth_a_word() -> None:
    times = np.full((4, 5, 20), 10.0) + np.arange(20) / 100
    times[0] *= 1.9
    assert named(times) == {}
    times[0] *= 1.1
    assert named(times) == {"j0": "slow"}


def test_too_few_kits_or_judges_say_nothing() -> None:
    times = np.full((4, 5, 20), 10.0)
    times[0] = 40.0
    assert named(times) == {"j0": "slow"}
    assert named(times[:, :2]) == {}
    assert named(times[:2]) == {}
    assert named(times[:, :, :3]) == {}
    assert unusual_speeds([]) == {}


def test_tasks_are_taken_together() -> None:
    def of(seconds: float, task: str, judge: str, kits: int = 4) -> Tally:
        return tally(judge, np.full((kits, 20), seconds), task)

    others = [of(10, task, judge) for task in ("a", "b") for judge in ("k", "l", "m")]
    # three times as long in one task and as long in the other: √3 times on average
    assert unusual_speeds([*others, of(30, "a", "j"), of(10, "b", "j")]) == {}
    assert unusual_speeds([*others, of(30, "a", "j"), of(20, "b", "j")]) == {"j": "slow"}
    assert unusual_speeds([*others, of(30, "a", "j"), of(10, "b", "j", 2)]) == {"j": "slow"}


@pytest.mark.parametrize("freedom", [6.0, 20.0])
@pytest.mark.parametrize("t", [1.0, 3.0, 6.0])
def test_p_values_are_those_of_student(t: float, freedom: float) -> None:
    exact = 2 * stdtr(freedom, -t)
    found = _p_value(RelativeSpeed(t, 1.0, freedom, 100))
    assert 0.998 * exact <= found <= 1.1 * exact
    assert _p_value(RelativeSpeed(0.0, 0.0, freedom, 100)) == 1.0
    assert _p_value(RelativeSpeed(math.log(2), 0.0, freedom, 100)) < LEVEL
