"""What waits for an adjudicator, and what is settled, as a coordinator sees it."""

from pathlib import Path
from threading import Event

import pytest

from jurat.campaigns.disagreements import Disagreements
from tests.campaigns.sample_campaigns import NAME, plan, task
from tests.web.coordinator.test_results import ready
from tests.web.website import website, words

JSON = {"accept": "application/json"}


def test_the_queue(tmp_path: Path):
    with website(tmp_path) as site:
        rating = task(wanted=2, kits={"documents": 2}, one_system_per_segment=False)
        judges = site.setting.launch(plan(rating), judges=2)
        for judge, quality in zip(judges, (0.9, 0.4), strict=True):
            site.setting.all_kits(judge, quality)
        (slip,) = site.slips(1, role="coordinator")
        boss = site.visitor().follow(slip)
        said = words(boss.get("desk/adjudication").text)
        assert "12 cases to adjudicate" in said
        assert "Add an adjudicator." in said
        assert "40 · 90" in said
        assert "cedar" in said
        assert "0 cases to adjudicate" in words(boss.get("desk/adjudication?more-than=50").text)
        wise, *_ = site.setting.judges(1, role="adjudicator")
        case, *_ = site.service.adjudication.cases(NAME, wise.id, "rating")
        site.service.adjudication.settle(NAME, wise.id, "rating", case.key, {"adequacy": 70})
        said = words(boss.get("desk/adjudication?more-than=x").text)
        assert "11 cases to adjudicate" in said
        assert "One adjudicated" in said


def test_a_first_comparison_that_takes_long_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with website(tmp_path) as site:
        rating = task(wanted=2, kits={"documents": 2}, one_system_per_segment=False)
        site.setting.launch(plan(rating), judges=2)
        boss, wise = (
            site.visitor().follow(slip)
            for role in ("coordinator", "adjudicator")
            for slip in site.slips(1, role=role)
        )
        let_go = Event()
        compare = Disagreements.update
        monkeypatch.setattr(Disagreements, "update", lambda one: let_go.wait(10) and compare(one))
        status = boss.client.get(f"{boss.base}desk/adjudication", headers=JSON)
        assert status.json()["computing"]
        for page in (boss.get("desk/adjudication"), wise.get("cases/")):
            assert "being computed" in words(page.text)
        let_go.set()
        for page in (boss.get("desk/adjudication"), wise.get("cases/")):
            assert "0 cases to adjudicate" in words(page.text)


def test_how_near_judges_came(tmp_path: Path):
    """The judges had said 90 and 40; one case is settled as 90, one as 60."""
    with website(tmp_path) as site:
        rating = task(wanted=2, kits={"documents": 2}, one_system_per_segment=False)
        judges = site.setting.launch(plan(rating), judges=2)
        for judge, quality in zip(judges, (0.9, 0.4), strict=True):
            site.setting.all_kits(judge, quality)
        (slip,) = site.slips(1, role="coordinator")
        boss = site.visitor().follow(slip)
        assert "Agreement with adjudicators" not in words(boss.get("desk/adjudication").text)
        wise, *_ = site.setting.judges(1, role="adjudicator")
        cases = site.service.adjudication.cases(NAME, wise.id, "rating")
        for case, score in zip(cases, (90, 60), strict=False):
            site.service.adjudication.settle(NAME, wise.id, "rating", case.key, {"adequacy": score})
        said = words(ready(boss, "adjudication").text)
        assert "Agreement with adjudicators" in said
        assert "p0 2 1 / 2 1 / 2 15.00 +15.00" in said
        assert "p1 2 0 / 2 0 / 2 35.00 −35.00" in said
        assert "All judges 4 1 / 4 1 / 4 25.00 −10.00" in said


def test_what_counts_as_different_follows_the_protocol(tmp_path: Path):
    """On a slider, and in shares of what could be had."""
    with website(tmp_path) as site:
        tasks = [
            task(name, wanted=2, kits={"documents": 2}, one_system_per_segment=False)
            | {"name": name}
            for name in ("da", "heval")
        ]
        judges = site.setting.launch(plan(*tasks), judges=2)
        for judge, quality in zip(judges, (0.9, 0.4), strict=True):
            site.setting.all_kits(judge, quality)
        for role, page in (("coordinator", "desk/adjudication"), ("adjudicator", "cases/")):
            (slip,) = site.slips(1, role=role)
            visitor = site.visitor().follow(slip)
            said = words(visitor.get(page).text)
            assert said.count("12 cases to adjudicate") == 2
            assert "A case is an item on which judgments differ by more than 25." in said
            assert "A case is an item on which judgments differ by more than 0.25." in said
            asked = words(visitor.get(f"{page}?more-than=45").text)
            assert asked.count("12 cases to adjudicate") == 1
            assert asked.count("0 cases to adjudicate") == 1
            for nonsense in ("nan", "inf", "-1", "much"):
                assert words(visitor.get(f"{page}?more-than={nonsense}").text) == said
