"""The first screen: how far it is, and what runs."""

from datetime import timedelta

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
    assert "of 12 judgments" in said
    assert "At the current pace of" in said


def test_when_all_is_done(site: Website, boss: Visitor):
    judges = site.setting.judges(3)
    site.setting.start()
    for judge in judges:
        site.setting.all_kits(judge.id, 0.5)
    for page in ("desk/", "desk/progress"):
        assert "All judgments are complete." in words(boss.get(page).text)


def test_without_judges_that_is_the_next_step(site: Website, boss: Visitor):
    page = boss.get("desk/").text
    assert "No accounts yet." in words(page)
    assert f'<a class="button main" href="/c/{NAME}/desk/judges?role=judge#add">' in page
    site.slips(3)
    page = boss.get("desk/").text
    assert "No accounts yet." not in words(page)
    assert '<button class="main" name="action" value="start">' in page


def test_what_is_missing_is_said_on_the_first_screen(site: Website, boss: Visitor):
    """Two judges cannot do what every item wants of three."""
    site.slips(2)
    assert "no judge can do" in words(boss.get("desk/").text)
    site.slips(1)
    assert "no judge can do" not in words(boss.get("desk/").text)


def test_who_needs_a_word_is_counted(site: Website, boss: Visitor):
    site.setting.judges(3)
    site.setting.start()
    site.setting.watch.now += timedelta(days=4)
    assert "3 judges need attention" in words(boss.get("desk/").text)
