import numpy as np
import pytest

from jurat.errors import InputError
from jurat.stats import Evaluation, Settings
from jurat.stats.planning.campaign_design import scenarios
from jurat.stats.planning.campaign_size import CampaignSize
from jurat.stats.planning.simulation import is_precise, plan_campaign
from jurat.stats.settings import PlanSettings
from tests.stats.tables import evaluation


def plan(table=None, **settings):
    asked = PlanSettings(**{"simulations": 400, **settings})
    found = CampaignSize().results(table or Evaluation(), asked)
    return {result.name: result for result in found}


def only(result):
    (estimate,) = result.estimates
    return estimate


def search(table=None, **settings):
    asked = PlanSettings(**{"simulations": 1000, **settings})
    (scenario,) = scenarios(table or Evaluation(), asked)
    return plan_campaign(scenario, asked), asked


def test_the_smallest_campaign_for_an_interval_is_the_closed_forms():
    """Without severity: segments = 1.96² (variance of a translation's mean) / .15²."""
    alike = {"severity": 0.0, "taste": 0.0, "interaction": 0.0}
    found, asked = search(interval=0.15, judges=12, systems=3, document_size=1, **alike)
    deviations = found.scenario.model.deviations()
    variance = deviations["segment"] ** 2 + deviations["translation"] ** 2
    variance += deviations["rest"] ** 2 / 2
    assert found.design.segments == pytest.approx(1.96**2 * variance / 0.15**2, rel=0.08)
    assert is_precise(found, asked)


def test_more_precision_takes_more_segments():
    asked = {"systems": 2, "judges": 12, "taste": 0.0}
    wide, narrow = (search(difference=d, **asked)[0].design.segments for d in (0.4, 0.2))
    assert narrow == pytest.approx(4 * wide, rel=0.2)


def test_segments_given_judgments_sought():
    found, _ = search(segments=120, difference=0.55, systems=2, judges=12)
    assert found.design.segments == 120
    assert found.design.judgments == 2
    assert not found.reason


def test_nothing_is_enough():
    found = plan(interval=0.1, judges=12, systems=5)
    assert only(found["plan-segments"]).value is None
    assert "12 judges are too different for ±0.1" in only(found["plan-hours"]).reason
    found = plan(difference=0.001, systems=2, taste=0.0)
    assert only(found["plan-kits"]).reason == "more than 20,000 segments would be needed"
    found = plan(difference=0.1, systems=2, judges=4)
    assert "4 judges differ too much" in only(found["plan-kits"]).reason
    found = plan(segments=10, difference=0.01, systems=2, judges=8)
    assert only(found["plan-kits"]).reason == "5 judgments of each translation need 10 judges"


def test_a_campaign_that_is_given():
    found = plan(systems=4, segments=100, judgments=2, judges=12, interval=0.2, seconds_per_item=30)
    assert only(found["plan-segments"]).value == 100
    assert only(found["plan-kits"]).value == 20
    assert only(found["plan-decisions"]).value == 800
    assert only(found["plan-hours"]).value == pytest.approx(800 * 30 / 3600)
    headline = found["plan-segments"].headline
    assert "That is not enough:" in headline
    assert headline.endswith("segments would do.")


def test_judges_that_do_not_suffice_for_a_campaign_given():
    found = plan(systems=5, segments=100, judgments=3, judges=12)
    assert only(found["plan-judges"]).reason == "3 judgments of each translation need 15 judges"


def test_judges_are_as_many_as_needed():
    assert only(plan(systems=5, judgments=2)["plan-judges"]).value == 10
    found = plan(systems=2, interval=0.15)
    # 2 (1.96 / .15)² (.3² + .12²): severities and tastes take half of the variance
    assert only(found["plan-judges"]).value == 36


def test_curves_grow_and_fall():
    found = plan(systems=2, difference=0.3, judges=12)
    for name, falls in (("plan-interval", True), ("plan-power", False)):
        same = [e for e in found[name].estimates if e.by["judgments"] == 2]
        ordered = [e.value for e in sorted(same, key=lambda e: e.by["segments"])]
        assert ordered == sorted(ordered, reverse=falls)
        assert found[name].figure()["layer" if name == "plan-power" else "mark"]


def test_no_power_without_a_difference():
    found = plan(systems=2, segments=50)
    assert {e.reason for e in found["plan-power"].estimates} == {"no --difference is given"}
    assert only(found["plan-difference"]).value > 0


def test_one_system():
    found = plan(systems=1, segments=50, difference=0.2)
    assert {e.reason for e in found["plan-power"].estimates} == {"there is one system only"}
    assert only(found["plan-difference"]).value is None


def earlier(severity=0.3, segments=120, judges=6):
    """Two systems, every translation judged by two judges of six."""
    rng = np.random.default_rng(1)
    severities, rows = rng.normal(0, severity, judges), []
    for segment in range(segments):
        hard = rng.normal(0, 0.4)
        for system in range(2):
            good = 4 + hard + rng.normal(0, 0.6)
            for judge in rng.choice(judges, 2, replace=False):
                value = good - severities[judge] + rng.normal(0, 0.8)
                rows.append(f"j{judge},{segment},s{system},{value:.4f}")
    return evaluation("\n".join(["judge,segment,system,value", *rows]))


def test_from_earlier_judgments():
    found = plan(earlier(), interval=0.4)
    deviation = {e.by["source"]: e.value for e in found["plan-deviation"].estimates}
    truth = {"segment": 0.4, "translation": 0.6, "judge": 0.3, "rest": 0.8}
    truth |= dict.fromkeys(("document", "interaction", "taste"), 0.0)
    assert deviation == pytest.approx(truth, abs=0.2)
    assert only(found["plan-judges"]).value == 6
    assert only(found["plan-judgments"]).value == 2
    assert "estimated from 480 judgments by 6 judges" in found["plan-deviation"].method
    assert "documents are unknown" in found["plan-deviation"].method


def test_a_small_pilot_leaves_a_range_of_powers():
    """Three judges without tastes: others may have some, and no power is promised as if not."""
    rng, rows = np.random.default_rng(2), ["judge,document,segment,system,value"]
    for at in np.ndindex(10, 2, 2, 3):
        document, segment, system, judge = at
        rows.append(f"j{judge},d{document},{document}-{segment},s{system},{rng.normal():.4f}")
    asked = {"segments": 60, "judgments": 2, "judges": 6, "difference": 0.5, "simulations": 200}
    found = plan(evaluation("\n".join(rows)), **asked)
    (power,) = (
        e for e in found["plan-power"].estimates if (e.by["segments"], e.by["judgments"]) == (60, 2)
    )
    assert power.low < power.value < power.high
    assert power.high - power.low > 0.2
    assert power.note == "variances known from 3 judges and 10 documents"
    assert power.note in found["plan-segments"].headline
    deviation = {e.by["source"]: e for e in found["plan-deviation"].estimates}
    assert deviation["taste"].low <= deviation["taste"].value < deviation["taste"].high
    assert deviation["rest"].high is None


def test_seconds_come_from_the_file_without_pauses():
    rows = ["judge,segment,system,value,seconds"]
    rows += [f"a,{n},X,{n % 5},{s}" for n, s in enumerate([20, 40, 500])]
    (scenario,) = scenarios(evaluation("\n".join(rows)), PlanSettings())
    assert scenario.seconds == 30


def test_severities_taken_off():
    (raw,), (centred,) = (
        list(scenarios(earlier(severity=1.0), PlanSettings(method=m))) for m in ("", "centred")
    )
    assert raw.model.judge > 0.4
    assert centred.model.judge < 0.1


def test_a_file_without_systems_plans_nothing():
    found = plan(evaluation("judge,item,value\na,1,3\nb,1,4"))
    assert set(found) == set(CampaignSize.gives)
    assert {only(r).reason for r in found.values()} == {"no judgment names its system"}


def test_wrong_settings_are_refused():
    with pytest.raises(InputError, match="power lies between 0 and 1"):
        PlanSettings(power=1.0)
    with pytest.raises(InputError, match="interval cannot be below 0"):
        PlanSettings(interval=-1)
    with pytest.raises(InputError, match="unknown --method 'z'"):
        PlanSettings(method="z")
    assert PlanSettings.of(Settings(seed=3)) == PlanSettings(seed=3)
