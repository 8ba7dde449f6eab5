import numpy as np
import pytest
from msgspec.structs import replace
from statsmodels.stats.power import TTestPower

from jurat.bots import Truth, panel
from jurat.errors import InputError
from jurat.model import Item, Shown
from jurat.protocols import load
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.planning.campaign_design import CampaignDesign, scenarios
from jurat.stats.planning.judgment_model import JudgmentModel, assumed_model
from jurat.stats.planning.simulation import plan_campaign, simulate
from jurat.stats.settings import PlanSettings

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


NESTED = CampaignDesign(
    systems=2,
    segments=80,
    judgments=1,
    judges=8,
    kit_size=10,
    separate_systems=False,
    document_size=5,
)


@pytest.mark.parametrize("difference", [0.0, 0.4, 0.8])
def test_power_as_statsmodels_has_it(difference):
    """With one judge a document, a t-test of the differences of 8 judges, 2 documents each."""
    model = JudgmentModel(
        document=0.5, interaction=0.4, segment=0.5, translation=0.7, taste=0.2, judge=0.5, rest=1.0
    )
    found = simulate(model, NESTED, difference=difference, campaigns=4000, seed=5)
    deviation = np.sqrt(2 * (0.2**2 + (0.4**2 + (0.7**2 + 1) / 5) / 2))
    expected = TTestPower().power(difference / deviation, 8, 0.05)
    if not difference:
        expected /= 2  # only the right one of the two counts as found
    error = np.sqrt(expected * (1 - expected) / 4000)
    assert found.power(0.05) == pytest.approx(expected, abs=4 * error + 0.002)


def test_the_detectable_difference_is_found_as_often_as_wanted():
    design = CampaignDesign(systems=3, segments=120, judgments=2, judges=8, document_size=4)
    smallest = simulate(PLAIN, design, campaigns=4000).detectable(0.05, 0.8)
    found = simulate(PLAIN, design, difference=smallest, campaigns=4000, seed=2).power(0.05)
    assert found == pytest.approx(0.8, abs=0.03)


def test_the_same_seed_the_same_campaigns():
    design = CampaignDesign(systems=3, segments=10, judgments=1, judges=4)
    first, again, other = (simulate(PLAIN, design, campaigns=50, seed=s).means for s in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_great_designs_get_fewer_campaigns():
    design = CampaignDesign(systems=5, segments=1000, judgments=2, judges=20)
    assert simulate(PLAIN, design, campaigns=500).campaigns < 500


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"segments": 25}, "5 documents cannot speak for others: at least 6 are needed"),
        ({"judges": 2}, "2 judges cannot speak for others: at least 3 are needed"),
        ({"judges": 4}, "where each document has one judge, 4 judges are too few"),
        ({"judgments": 9}, "9 judgments of each translation need 9 judges"),
        ({"systems": 1}, "there is one system only"),
    ],
)
def test_what_cannot_be_planned(changed, reason):
    found = simulate(PLAIN, replace(NESTED, **changed), campaigns=10)
    assert found.power(0.05) is None
    assert found.detectable(0.05, 0.8) is None
    assert found.reason.startswith(reason)


def test_systems_with_judges_of_their_own():
    """Four judges take turns so that each system always has the same two."""
    alone = CampaignDesign(
        systems=2, segments=120, judgments=1, judges=4, kit_size=10, document_size=10
    )
    found = simulate(PLAIN, alone, campaigns=10)
    assert found.power(0.05) is None
    assert found.reason.startswith("systems and judges cannot be separated")
    assert found.reason.endswith("take 5 judges or 2 judgments of each or kits of 20")
    for changed in ({"judges": 5}, {"judgments": 2}, {"kit_size": 20}):
        assert simulate(PLAIN, replace(alone, **changed), campaigns=10).power(0.05) is not None


def test_judges_left_open_are_enough_to_be_tested():
    """Three differ too much, four cannot be separated from the systems: more are tried."""
    apart = {"systems": 2, "judgments": 1, "difference": 1.0, "taste": 0.08}
    settings = PlanSettings(**apart, document_size=10, kit_size=10, simulations=100)
    (scenario,) = scenarios(Evaluation(), settings)
    found = plan_campaign(scenario, settings)
    assert found.design.judges == 11
    assert not found.reason


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
    """Deviations of a judgment, and of a translation's mean over judges."""
    answers = bots(name, ["X", "Y"], 60, 20)
    model = assumed_model(load(name), PlanSettings())
    translations = answers.mean(axis=2)
    assert translations.std() == pytest.approx(np.hypot(model.segment, model.translation), rel=0.15)
    within = np.hypot(model.judge, model.rest)
    assert answers.std(axis=2, ddof=1).mean() == pytest.approx(within, rel=0.1)


def test_protocols_that_rate_nothing_are_refused():
    with pytest.raises(InputError, match="'preference' rates no single translation"):
        assumed_model(load("preference"), PlanSettings())
