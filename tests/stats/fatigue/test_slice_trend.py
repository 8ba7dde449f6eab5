from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from jurat.stats import analyse
from jurat.stats.fatigue.slice_trend import order_p, slopes
from jurat.stats.settings import FatigueSettings
from tests.stats.tables import evaluation


def results(csv, **options):
    chosen = FatigueSettings(**{"slices": 4, "bootstrap": 0, **options})
    return {r.name: r for r in analyse("fatigue", evaluation(csv), chosen)}


@given(arrays(float, (3, 5), elements=st.floats(-10, 10)))
def test_slopes_are_those_of_least_squares(values):
    expected = [np.polyfit(range(5), row, 1)[0] for row in values]
    assert slopes(values).tolist() == pytest.approx(expected, abs=1e-8)


def test_orders_of_few_slices_are_all_tried():
    """A rise over five slices: of 120 orders, it and its mirror image are as steep."""
    assert order_p(np.arange(5.0), seed=1) == pytest.approx(2 / 120)
    means = np.array([1.0, 3.0, 2.0, 5.0])
    every = [abs(stats.linregress(range(4), order).slope) for order in permutations(means)]
    observed = abs(stats.linregress(range(4), means).slope)
    exact = np.mean(np.array(every) >= observed - 1e-12)
    assert order_p(means, seed=1) == pytest.approx(exact)
    assert order_p(np.ones(5), seed=1) == 1


def test_orders_of_many_slices_are_drawn():
    rising = np.arange(10.0)
    assert order_p(rising, seed=1) == pytest.approx(1e-4, abs=2e-4)
    assert order_p(rising, seed=1) == order_p(rising, seed=1)
    assert order_p(np.tile([0.0, 1.0], 5), seed=1) > 0.3


def tired(fall, judges=12, items=80, seed=1):
    """Judges whose use of the scale shrinks to a share of what it was."""
    rng = np.random.default_rng(seed)
    lines = []
    for judge in range(judges):
        for place, item in enumerate(rng.permutation(items)):
            width = 1 - fall * (place // (items // 4)) / 3
            lines.append(f"j{judge},{item},{place},{50 + 20 * width * rng.normal():.2f}")
    return "\n".join(["judge,item,position,value", *lines])


def test_a_steady_fall_is_found_by_both_tests():
    found = results(tired(0.8), bootstrap=200)
    (trend,) = (e for e in found["slice-trend"].estimates if e.by["measure"] == "sd")
    assert trend.value < -2
    assert trend.high < 0
    assert trend.n == 12
    p = {e.by["test"]: e.value for e in found["slice-trend-p"].estimates if e.by["measure"] == "sd"}
    assert p["judges"] < 0.001
    assert p["slices"] == pytest.approx(2 / 24)  # the least that four slices can give
    assert "SD of scores falls" in found["slice-trend"].headline


def test_the_test_over_judges_is_students():
    """Each judge in their own order, with slopes of 1, 2 and −0.5."""
    rows = {"a": (0, 1, 2, 3), "b": (0, 2, 4, 6), "c": (3, 2.5, 2, 1.5)}
    csv = "\n".join(
        [
            "judge,item,value",
            *(f"{j},{j}{n},{v}" for j, row in rows.items() for n, v in enumerate(row)),
        ]
    )
    found = results(csv, bootstrap=100)
    tests = found["slice-trend-p"].estimates
    (p,) = (e for e in tests if e.by["measure"] == "mean" and e.by["test"] == "judges")
    expected = stats.ttest_1samp([1, 2, -0.5], 0)
    assert p.value == pytest.approx(expected.pvalue)
    (trend,) = (e for e in found["slice-trend"].estimates if e.by["measure"] == "mean")
    assert (trend.low, trend.high) == pytest.approx(tuple(expected.confidence_interval()))


def test_judges_of_one_order_count_as_one():
    """Six judges in three orders: the t test of the three means."""
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, (6, 4))
    lines = [f"j{j},o{j % 3}i{n},{values[j, n]}" for j in range(6) for n in range(4)]
    tests = results("\n".join(["judge,item,value", *lines]))["slice-trend-p"].estimates
    (p,) = (e for e in tests if e.by["measure"] == "mean" and e.by["test"] == "judges")
    means = (slopes(values)[:3] + slopes(values)[3:]) / 2
    assert p.value == pytest.approx(stats.ttest_1samp(means, 0).pvalue)


def test_in_one_order_nothing_is_said_of_judges():
    rng = np.random.default_rng(3)
    lines = [f"j{j},{n},{n + rng.normal()}" for j in range(6) for n in range(20)]
    found = results("\n".join(["judge,item,value", *lines]), bootstrap=50)
    assert "same items in the same order" in found["slice-trend"].headline
    assert "same items in the same order" in found["quality-fall"].headline
    for test in found["slice-trend-p"].estimates:
        assert (test.value is None) == (test.by["test"] == "judges")
        assert "shuffled kits would tell" in (test.note or test.reason)


def test_two_judges_are_too_few():
    lines = [f"j{j},{j}{n},{n % 3}" for j in range(2) for n in range(20)]
    found = results("\n".join(["judge,item,value", *lines]))
    assert "fewer than 3 judges" in found["slice-trend"].headline
    assert "fewer than 3 judges" in found["quality-fall"].headline


def test_nothing_where_nothing_changes():
    headline = results(tired(0))["slice-trend"].headline
    assert headline.startswith("Nothing rises or falls steadily beyond chance. From the first")
    assert "the SD of scores" in headline


def test_judges_without_every_slice_take_no_part():
    csv = "judge,item,value\na,1,1\na,2,2\na,3,3\na,4,4\nb,1,1"
    found = results(csv)["slice-trend"].estimates
    (mean,) = (e for e in found if e.by["measure"] == "mean")
    assert (mean.value, mean.n) == (1, 1)
    (sd,) = (e for e in found if e.by["measure"] == "sd")
    assert (sd.value, sd.reason) == (None, "no judge has a value in every slice")


def test_judges_who_are_all_alike_have_no_interval_of_no_width():
    """Each meets the items in an order of their own, and gives the same scores slice by slice."""
    rows = [
        f"j{judge},{(7 * judge + n) % 20},{n + 1},{n % 5}" for judge in range(6) for n in range(20)
    ]
    found = results("\n".join(["judge,item,position,value", *rows]), bootstrap=100)
    for name in ("slice-trend", "slice-sd", "slice-mean"):
        known = [e for e in found[name].estimates if e.by.get("measure") in (None, "sd", "mean")]
        assert known
        for estimate in known:
            ends = (estimate.low, estimate.high, estimate.note)
            assert ends == (None, None, "there is no variation to judge by")
