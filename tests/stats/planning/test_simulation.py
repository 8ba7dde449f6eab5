from statistics import NormalDist

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from jurat.bots import Truth, panel
from jurat.errors import InputError
from jurat.model import Item, Shown
from jurat.protocols import load
from jurat.stats.planning.campaign_design import CampaignDesign
from jurat.stats.planning.judgment_model import JudgmentModel, assumed_model
from jurat.stats.planning.simulation import simulate

PLAIN = JudgmentModel(segment=0.5, translation=0.7, judge=0.0, rest=1.0)


@pytest.mark.parametrize(("segments", "judgments"), [(40, 1), (100, 2), (200, 3)])
def test_the_half_width_is_the_closed_form(segments, judgments):
    """1.96 √((segment² + translation² + rest²/judgments) / segments)."""
    design = CampaignDesign(systems=2, segments=segments, judgments=judgments, judges=9)
    found = simulate(PLAIN, design, campaigns=4000)
    variance = (0.25 + 0.49 + 1 / judgments) / segments
    assert found.half_width(0.95) == pytest.approx(1.96 * np.sqrt(variance), rel=0.03)


def test_judges_that_are_few_leave_an_interval():
    """Severities fall with the number of judges: 1.96 × .6/√6, when segments are endless."""
    model = JudgmentModel(segment=0.0, translation=0.0, judge=0.6, rest=0.1)
    design = CampaignDesign(systems=2, segments=240, judgments=1, judges=6, kit_size=20)
    found = simulate(model, design, campaigns=4000)
    assert found.half_width(0.95) == pytest.approx(1.96 * 0.6 / np.sqrt(6), rel=0.03)
    assert found.detectable(0.05, 0.8) < 0.1  # in differences of systems they cancel


@pytest.mark.parametrize("difference", [0.0, 0.2, 0.4])
def test_power_as_statsmodels_has_it(difference):
    """A paired t-test of 60 differences with deviation √(2 · .49 + 2 · 1/2)."""
    design = CampaignDesign(systems=2, segments=60, judgments=2, judges=8)
    found = simulate(PLAIN, design, difference=difference, campaigns=4000, seed=5)
    expected = TTestPower().power(difference / np.sqrt(1.98), 60, 0.05)
    if not difference:
        expected /= 2  # only the right one of the two counts as found
    error = np.sqrt(expected * (1 - expected) / 4000)
    assert found.power(0.05) == pytest.approx(expected, abs=4 * error + 0.002)


def test_the_detectable_difference_is_found_as_often_as_wanted():
    design = CampaignDesign(systems=2, segments=120, judgments=2, judges=8)
    smallest = simulate(PLAIN, design, campaigns=4000).detectable(0.05, 0.8)
    z = NormalDist().inv_cdf
    assert smallest == pytest.approx((z(0.975) + z(0.8)) * np.sqrt(1.98 / 120), rel=0.05)
    found = simulate(PLAIN, design, difference=smallest, campaigns=4000, seed=2).power(0.05)
    assert found == pytest.approx(0.8, abs=0.03)


def test_the_same_seed_the_same_campaigns():
    design = CampaignDesign(systems=3, segments=10, judgments=1, judges=4)
    first, again, other = (simulate(PLAIN, design, campaigns=50, seed=s).means for s in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_great_designs_get_fewer_campaigns():
    design = CampaignDesign(systems=5, segments=4000, judgments=2, judges=20)
    assert simulate(PLAIN, design, campaigns=1000).campaigns < 300


def test_one_segment_has_no_power():
    design = CampaignDesign(systems=2, segments=1, judgments=1, judges=3)
    assert simulate(PLAIN, design, campaigns=10).power(0.05) is None


def bots(name, systems, segments, judges):
    """Answers of real simulated judges: what each of them says of each translation."""
    protocol, truth = load(name), Truth(qualities=dict.fromkeys(systems, 0.6), seed=3)
    question = next(iter(protocol.questions))
    answers = np.empty((len(systems), segments, judges))
    everybody = panel([f"j{n}" for n in range(judges)], severity=0.05, noise=0.1, seed=11)
    for s, system in enumerate(systems):
        for n in range(segments):
            shown = (Shown(system=system, text="a"),)
            item = Item(id=f"{s}-{n}", document="d", segment=str(n), translations=shown)
            for j, bot in enumerate(everybody):
                given = bot.answers(protocol, item, position=1, truth=truth)
                answers[s, n, j] = float(str(given[question]))
    return answers


@pytest.mark.parametrize("name", ["tapet-adequacy", "da"])
def test_the_same_answers_as_of_the_bots(name):
    """Mean and deviation of a judgment, and of a translation's mean over judges."""
    answers = bots(name, ["X", "Y"], 60, 20)
    design = CampaignDesign(systems=2, segments=60, judgments=20, judges=40)
    model = assumed_model(load(name), severity=0.05, noise=0.1)
    found = simulate(model, design, campaigns=300)
    translations = answers.mean(axis=2)
    assert found.means.mean() == pytest.approx(translations.mean(), abs=0.035 * model.unit)
    spread = np.sqrt(model.segment**2 + model.translation**2) * model.unit
    assert translations.std() == pytest.approx(spread, rel=0.15)
    within = np.sqrt(model.judge**2 + model.rest**2 * (1 + 1 / 12)) * model.unit
    # U(0.5, 1.5) has a mean square of 1 + 1/12; rounding adds 1/12 of a point where steps are 1
    rounded = np.sqrt(within**2 + 1 / 12)
    assert answers.std(axis=2, ddof=1).mean() == pytest.approx(rounded, rel=0.1)


def test_protocols_that_rate_nothing_are_refused():
    with pytest.raises(InputError, match="'preference' rates no single translation"):
        assumed_model(load("preference"), severity=0.1, noise=0.1)
