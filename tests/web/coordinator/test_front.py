"""The first screen: how far it is, and what runs."""

from tests.campaigns.setting import NAME
from tests.web.visiting import Visitor, Website, form_key, words


def run(boss: Visitor, **sent: str):
    return boss.post("desk/run", sent, key=form_key(boss.get("desk/")))


def states(site: Website) -> list[str]:
    return [phase.state for phase in site.setting.store.campaign(NAME).phases]


def test_start_stop_close(site: Website, boss: Visitor):
    site.slips(3)
    assert "Not started" in words(boss.get("desk/").text)
    run(boss, action="start")
    assert states(site) == ["started", "started"]
    place = {"task": "rating", "phase": "evaluation"}
    run(boss, action="stop", reason="The holidays", **place)
    assert states(site) == ["started", "stopped"]
    (stopped,) = [p for p in site.setting.store.campaign(NAME).phases if p.state == "stopped"]
    assert stopped.reason == "The holidays"
    run(boss, action="close", **place)
    assert states(site) == ["started", "closed"]
    assert run(boss, action="start", **place).status_code == 422
    pin = boss.get("desk/log").text
    assert "The holidays" in pin


def test_what_keeps_it_from_starting_is_told_in_full(site: Website, boss: Visitor):
    told = run(boss, action="start")
    assert told.status_code == 422
    assert "judge" in words(told.text)
    assert states(site) == ["ready", "ready"]


def test_nonsense(boss: Visitor):
    for sent in ({"action": "burn"}, {"action": "start", "phase": "night"}, {}):
        assert run(boss, **sent).status_code == 400


def test_how_far_it_is(site: Website, boss: Visitor):
    judges = site.setting.judges(3)
    site.setting.start()
    site.setting.all_kits(judges[0].id, 0.5)
    said = words(boss.get("desk/").text)
    assert "1 / 3" in said
    assert "of 12 judgments" in said or "judgments" in said
