import numpy as np
import pytest

from jurat.resampling import adjust
from jurat.stats import analyse
from jurat.stats.fatigue.slice_trend import border_p, change_point
from jurat.stats.fatigue.slices import SliceValues
from jurat.stats.settings import FatigueSettings
from tests.stats.fatigue.test_slice_trend import tired
from tests.stats.tables import evaluation

RNG = np.random.default_rng(2)


def results(csv, **options):
    chosen = FatigueSettings(**{"slices": 4, "bootstrap": 0, **options})
    (found,) = (r for r in analyse("fatigue", evaluation(csv), chosen) if r.name == "quality-fall")
    return found


def fall(values, measure="sd"):
    measured = SliceValues(measure, values)
    return change_point(measured, adjust(border_p(measured), "holm"))


@pytest.mark.parametrize("border", [1, 2, 3, 4])
def test_the_border_of_a_sudden_fall_is_found(border):
    values = RNG.normal(1, 0.1, (12, 5))
    values[:, border:] -= 0.5
    found = fall(values)
    assert found.border == border
    assert found.p < 0.01
    assert found.before == pytest.approx(1, abs=0.1)
    assert found.after == pytest.approx(0.5, abs=0.1)


def test_a_rise_is_no_fall_but_of_the_distance():
    values = RNG.normal(1, 0.1, (12, 5)) + np.arange(5)
    assert fall(values).p == 1
    assert fall(values, "distance").p < 0.001


@pytest.mark.parametrize("judges", [3, 5, 8])
def test_chance_is_seldom_taken_for_a_fall(judges):
    found = [fall(RNG.normal(0, 1, (judges, 5))).p < 0.05 for _ in range(200)]
    assert np.mean(found) < 0.08


def test_the_same_for_all_is_no_fall():
    assert fall(np.ones((6, 5))).p == 1
    assert not len(border_p(SliceValues("seconds", np.ones((6, 2)))))


@pytest.mark.parametrize("judges", [3, 6])
def test_judges_in_their_own_orders_who_do_not_tire(judges):
    """At most 5 % of campaigns have a fall, of all measures together."""
    named = 0
    for seed in range(20):
        headline = results(tired(0, judges=judges, items=40, seed=seed)).headline
        named += "kits of at most" in headline
    # of 20 campaigns at 5 %, five or more would come with a probability of 0.3 %
    assert named < 5


@pytest.mark.parametrize("judges", [4, 6])
def test_a_spread_that_falls_to_nothing_is_found_with_few_judges(judges):
    found = results(tired(1, judges=judges))
    assert "Judges' scores vary less" in found.headline
    assert "tire or become steadier" in found.headline


def test_agreement_that_falls_is_found_by_the_distance():
    rng = np.random.default_rng(5)
    truth = rng.normal(50, 20, 80)
    lines = [
        f"j{j},{i},{p},{truth[i] + rng.normal(0, 5 if p < 40 else 25):.1f}"
        for j in range(6)
        for p, i in enumerate(rng.permutation(80))
    ]
    found = results("\n".join(["judge,item,position,value", *lines]))
    assert "Judges' scores lie farther from the others' after 40 decisions" in found.headline


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
    assert found.headline.startswith("Whether quality falls cannot be told")
    assert "shuffled kits would tell" in found.headline
    assert all(e.value is None and "same order" in e.reason for e in found.estimates)


def test_no_fall_is_not_said_to_be_fine():
    found = results(tired(0))
    assert all(e.value is None and "no fall was found" in e.reason for e in found.estimates)
    assert found.headline.startswith("No fall of quality was found; that does not exclude one.")
    assert "changes may be (95 %): the SD of scores" in found.headline


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
