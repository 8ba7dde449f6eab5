import numpy as np
import pytest

from jurat.stats import analyse
from jurat.stats.fatigue.slice_trend import change_point
from jurat.stats.settings import FatigueSettings
from tests.stats.fatigue.test_slice_trend import tired
from tests.stats.tables import evaluation

RNG = np.random.default_rng(2)


def results(csv, **options):
    chosen = FatigueSettings(**{"slices": 4, "bootstrap": 0, **options})
    (found,) = (r for r in analyse("fatigue", evaluation(csv), chosen) if r.name == "quality-fall")
    return found


def fall(values):
    found = change_point(values, seed=1)
    assert found is not None
    return found


@pytest.mark.parametrize("border", [1, 2, 3, 4])
def test_the_border_of_a_sudden_fall_is_found(border):
    values = RNG.normal(1, 0.1, (12, 5))
    values[:, border:] -= 0.5
    found = fall(values)
    assert found.border == border
    assert found.p < 0.01
    assert found.before == pytest.approx(1, abs=0.1)
    assert found.after == pytest.approx(0.5, abs=0.1)


def test_a_rise_is_no_fall():
    values = RNG.normal(1, 0.1, (12, 5)) + np.arange(5)
    assert fall(values).p == 1


def test_chance_is_seldom_taken_for_a_fall():
    found = [fall(RNG.normal(0, 1, (8, 5))).p < 0.05 for _ in range(200)]
    assert np.mean(found) < 0.08


def test_what_cannot_be_told():
    assert change_point(np.zeros((0, 5)), seed=1) is None
    assert fall(np.ones((6, 5))).p == 1
    assert change_point(np.ones((6, 2)), seed=1, warm_up=2) is None


def test_advice_on_the_size_of_kits():
    found = results(tired(0.8))
    (sd,) = (e for e in found.estimates if e.by["measure"] == "sd")
    assert sd.value in (20, 40, 60)
    assert f"kits of at most {sd.value:.0f} decisions" in found.headline
    assert "shuffled kits" not in found.headline


def test_the_same_order_for_all_is_told():
    rng = np.random.default_rng(1)
    lines = [
        f"j{j},{i},{rng.normal() * (2 if i < 40 else 0.5):.2f}"
        for j in range(10)
        for i in range(80)
    ]
    found = results("\n".join(["judge,item,value", *lines]))
    assert "shuffled kits would tell" in found.headline
    assert "kits of at most" not in found.headline
    assert "the same items" in found.method


def test_no_fall_is_said_to_be_none():
    found = results(tired(0))
    assert all(e.value is None and "no fall was found" in e.reason for e in found.estimates)
    assert "No fall of quality was found" in found.headline


def test_faster_decisions_alone_may_be_practice():
    rng = np.random.default_rng(1)
    lines = [
        f"j{j},{p},{i},{rng.normal(50, 20):.1f},{(30 if p < 40 else 10) + rng.normal():.1f}"
        for j in range(10)
        for p, i in enumerate(rng.permutation(80))
    ]
    found = results("\n".join(["judge,position,item,value,seconds", *lines]))
    (seconds,) = (e for e in found.estimates if e.by["measure"] == "seconds")
    assert seconds.value == 40
    assert "may be practice" in found.headline
