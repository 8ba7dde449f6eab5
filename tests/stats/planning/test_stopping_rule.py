import numpy as np
import pytest
from scipy import stats

from jurat.stats.planning.judgment_model import JudgmentArrays
from jurat.stats.planning.stopping_rule import (
    FEWEST,
    TIGHTEST,
    MeanDifference,
    difference,
    half_width,
    is_settled,
    more_segments,
    probability,
    radius,
)


def test_the_bound_by_hand():
    """α = .05, n = n₀: nρ² = 5.991 + log 6.991 = 7.936; √(2 · 8.936/7.936 · log(2.989/.05))."""
    assert float(radius(TIGHTEST, alpha=0.05)) == pytest.approx(3.0352, abs=1e-3)


def test_tightest_where_it_should_be():
    looks = np.arange(20, 4000)
    width = radius(looks, alpha=0.05) / np.sqrt(looks) * np.sqrt(TIGHTEST)
    others = [
        np.sqrt(2 * (g + 1) / g * np.log(np.sqrt(g + 1) / 0.05)) for g in np.linspace(1, 40, 400)
    ]
    assert width[TIGHTEST - 20] == pytest.approx(min(others), rel=1e-3)


DRAWN = {
    "normal": lambda rng, shape: rng.normal(0, 1, shape),
    "points": lambda rng, shape: rng.choice([-2.0, -1, 0, 0, 1, 2], shape),
    "seldom": lambda rng, shape: rng.choice([-1.0, 0, 1], shape, p=[0.05, 0.9, 0.05]),
    "heavy": lambda rng, shape: rng.standard_t(3, shape),
}
"""Differences between two systems that are equally good, by kind of scale."""


def looks(made, alpha):
    """Whether each campaign is ever settled, with a look after every segment from the 30th."""
    n = np.arange(1, made.shape[1] + 1)
    means = made.cumsum(axis=1) / n
    squares = (made**2).cumsum(axis=1) / n - means**2
    errors = np.sqrt(np.maximum(squares, 0) / n)
    beyond = np.abs(means) > half_width(n, alpha=alpha) * np.maximum(errors, 1e-12)
    naive = np.abs(means) > 1.96 * errors
    return [found[:, FEWEST - 1 :].any(axis=1).mean() for found in (beyond, naive)]


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("draw", DRAWN)
def test_looking_after_every_segment_settles_falsely_no_more_often_than_stated(alpha, draw):
    """1,000 campaigns of 1,000 segments; an interval for one look would be wrong far more often."""
    made = DRAWN[draw](np.random.default_rng(7), (1000, 1000))
    settled, naive = looks(made, alpha)
    assert settled <= alpha
    assert naive > 0.25


def test_lopsided_differences_cost_little():
    """Exponential differences with a mean of 0 cannot come from equal systems, but from unlike."""
    made = np.random.default_rng(8).exponential(1, (1000, 1000)) - 1
    assert looks(made, 0.05)[0] <= 0.08


def campaign(rng, segments, judges, *, gap=0.0, severity=0.0, separate_systems=False):
    """Two systems and two judges a segment; with `apart` each judge has a system of their own."""
    segment, system, turn = (a.ravel() for a in np.indices((segments, 2, 2)))
    judge = (2 * segment + turn) % judges
    if separate_systems:
        judge = judge // 2 * 2 + system
    values = (
        rng.normal(0, 1, segments)[segment]
        + rng.normal(0, severity, judges)[judge]
        + rng.normal(0, 1, len(segment))
        + gap * (system == 0)
    )
    return JudgmentArrays(values, system, segment, judge)


def test_judges_and_segments_both_vary():
    """Where each judge has a system of their own, severities look like differences of systems."""
    rng = np.random.default_rng(1)
    found = [
        difference(campaign(rng, 200, 20, severity=1, separate_systems=True), 0, 1)
        for _ in range(200)
    ]
    spread = np.std([f.mean for f in found])
    stated = np.sqrt(np.mean([f.error**2 for f in found]))
    assert stated == pytest.approx(spread, rel=0.2)
    only_segments = np.sqrt(3 / 200)
    assert spread > 3 * only_segments / 2


def test_crossed_judges_cancel():
    rng = np.random.default_rng(2)
    data = campaign(rng, 150, 10, severity=3)
    found = difference(data, 0, 1)
    table = data.values.reshape(150, 2, 2).mean(axis=2)
    paired = stats.ttest_rel(table[:, 0], table[:, 1])
    assert found.mean == pytest.approx((table[:, 0] - table[:, 1]).mean())
    assert found.mean / found.error == pytest.approx(paired.statistic, rel=0.2)
    assert abs(found.mean / found.error) <= abs(paired.statistic) + 1e-9
    assert (found.segments, found.judgments) == (150, 4)


def test_without_judges_it_is_the_paired_t():
    rng = np.random.default_rng(3)
    data = campaign(rng, 80, 10)
    alone = data._replace(judge=np.arange(len(data.judge)))
    table = data.values.reshape(80, 2, 2).mean(axis=2)
    paired = stats.ttest_rel(table[:, 0], table[:, 1])
    found = difference(alone, 0, 1)
    assert abs(found.mean / found.error) == pytest.approx(abs(paired.statistic), rel=0.02)
    assert probability(found) == pytest.approx(1 - paired.pvalue / 2, abs=0.01)


def test_only_segments_that_both_translated():
    data = JudgmentArrays(
        np.array([5.0, 1, 9, 3]), np.array([0, 1, 0, 1]), np.array([0, 0, 1, 2]), np.arange(4)
    )
    assert difference(data, 0, 1)[:3:2] == (4, 1)
    assert difference(data._replace(segment=np.arange(4)), 0, 1).segments == 0


def test_settled_needs_enough_segments():
    assert not is_settled(MeanDifference(5.0, 0.1, FEWEST - 1, 2), alpha=0.05)
    assert is_settled(MeanDifference(5.0, 0.1, FEWEST, 2), alpha=0.05)
    assert not is_settled(MeanDifference(0.0, 0.0, 100, 2), alpha=0.05)
    assert np.isinf(half_width(5, alpha=0.05))


def missing(found, **more):
    asked = {"alpha": 0.05, "power": 0.8, "simulations": 1000, "seed": 1} | more
    return more_segments(found, **asked)


def test_how_many_are_missing_is_about_right():
    """Settled at n where mean = radius(n)/√n σ, half of the time; a little later at 80 %."""
    found = MeanDifference(0.2, 1 / np.sqrt(100), 100, 4)
    n = np.arange(100, 2000)
    half = n[np.argmax(radius(n, alpha=0.05) / np.sqrt(n) < 0.2)]
    assert 0.7 * half < missing(found, power=0.5) + 100 < 1.1 * half
    assert missing(found, power=0.5) < missing(found) < missing(found, power=0.95)
    assert missing(found, alpha=0.005) > missing(found)


def test_nothing_is_missing_or_too_much():
    assert missing(MeanDifference(1.0, 0.1, 100, 4)) == 0
    assert missing(MeanDifference(0.001, 0.1, 100, 4)) is None
    assert missing(MeanDifference(0.0, 0.1, 100, 4)) is None
    assert missing(MeanDifference(0.0, 0.0, 0, 0)) is None
    assert missing(MeanDifference(0.5, 0.0, 5, 3)) == FEWEST - 5


def test_equal_values_differ_by_nothing():
    segment, system = (a.ravel() for a in np.indices((7, 2)))
    same = JudgmentArrays(np.full(14, 0.1), system, segment, np.arange(14) % 3)
    assert difference(same, 0, 1)[:2] == (0, 0)


def test_probability():
    assert probability(MeanDifference(0.0, 0.1, 50, 2)) == pytest.approx(0.5)
    assert probability(MeanDifference(0.2, 0.0, 50, 2)) is None
