"""Overview, progress and reminders."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jurat.campaigns.monitoring.mail import read_mail_server
from tests.campaigns.sample_campaigns import NAME
from tests.web.website import Form, Visitor, Website, form_key, words


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
    asked = run(boss, action="close", **place)
    assert "Close Direct assessment, 0 to 100, Evaluation permanently?" in words(asked.text)
    assert "leave it stopped" in words(asked.text), "only what is stopped can be closed here"
    assert states(site) == ["started", "stopped"], "not before the question is answered"
    run(boss, action="close", sure="yes", **place)
    assert states(site) == ["started", "closed"]
    assert run(boss, action="start", **place).status_code == 422
    pin = boss.get("desk/log").text
    assert "The holidays" in pin


def test_what_keeps_it_from_starting_is_told_in_full(site: Website, boss: Visitor):
    before = words(boss.get("desk/").text)
    told = run(boss, action="start")
    assert told.status_code == 422
    page = words(told.text)
    assert "Not ready to start" in page
    for said in ("The campaign cannot be completed yet.", "There are no judges."):
        assert said in page
        assert said in before, "not only after Start was pressed"
    assert states(site) == ["ready", "ready"]
    run(boss, action="start", anyway="A pilot")
    assert "Started, but there are no judges yet." in words(boss.get("desk/").text)
    run(boss, action="stop")
    # whoever started it anyway is not asked again after a pause
    assert "The campaign cannot be completed yet." not in words(boss.get("desk/").text)
    assert run(boss, action="start").status_code == 200
    assert states(site) == ["started", "started"]


def test_too_few_judges_need_a_reason_also_where_more_can_register(site: Website, boss: Visitor):
    site.service.campaigns.update(NAME, {"registration": True}, author="boss")
    assert "Judges can register themselves at this address" in words(boss.get("desk/").text)
    site.slips(1)
    assert "The campaign cannot be completed yet." in words(boss.get("desk/").text)
    told = run(boss, action="start")
    assert told.status_code == 422
    assert 'value="Judges register themselves."' in told.text
    assert states(site) == ["ready", "ready"]
    run(boss, action="start", anyway="Judges register themselves.")
    assert states(site) == ["started", "started"]
    (logged,) = [e for e in site.setting.store.audit_log(NAME) if e.action == "start anyway"]
    assert "Judges register themselves." in str(logged.details)


def test_who_is_counted_as_having_started(site: Website, boss: Visitor):
    """Also whose judgments were excluded, but no closed account, and no volunteer who waits."""
    one, other, *_ = site.setting.judges(4)
    site.setting.start()
    for judge in (one, other):
        site.setting.decide(judge.id, site.setting.next(judge.id))
    assert "2 / 4 judges have started" in words(boss.get("desk/").text)
    site.service.campaigns.give_back(NAME, one.pin, author="boss", reason="careless")
    assert "2 / 4 judges have started" in words(boss.get("desk/").text)
    site.service.accounts.disable(NAME, other.pin, author="boss")
    site.service.campaigns.update(NAME, {"registration": "ask"}, author="boss")
    site.service.accounts.register(NAME)
    assert "1 / 3 judges have started" in words(boss.get("desk/").text)
    (counts,) = site.service.campaigns.counts()
    assert (counts.begun, counts.judges) == (1, 3)


def test_nonsense(boss: Visitor):
    for sent in ({"action": "burn"}, {"action": "start", "phase": "night"}, {}):
        assert run(boss, **sent).status_code == 400


def test_how_far_it_is(site: Website, boss: Visitor):
    judges = site.setting.judges(3)
    site.setting.start()
    site.setting.kit(judges[0].id)
    for page in ("desk/", "desk/progress"):
        assert "0 of 12 judgments" in words(boss.get(page).text), "a tutorial is practice"
        assert "recent judgments" not in words(boss.get(page).text)
    assert "Started, but there are no judgments that count yet." in words(boss.get("desk/").text)
    site.setting.all_kits(judges[0].id, 0.5)
    said = words(boss.get("desk/").text)
    assert "1 / 3" in said
    assert "of 12 judgments" in said
    assert "At the current pace of" in said
    assert "Start all" not in said
    run(boss, action="stop")
    assert "Start all" in words(boss.get("desk/").text)
    for page in ("desk/", "desk/progress"):
        assert "At the current pace" not in words(boss.get(page).text)
    run(boss, action="close", sure="yes")
    said = words(boss.get("desk/").text)
    assert "All tasks are closed." in said
    assert "All kits are done." not in said, "what is closed may lack judgments"


def test_when_all_is_done(site: Website, boss: Visitor):
    judges = site.setting.judges(3)
    site.setting.start()
    for judge in judges:
        site.setting.all_kits(judge.id, 0.5)
    for page in ("desk/", "desk/progress"):
        assert "All kits are done." in words(boss.get(page).text)
    # items that were skipped have no score: nothing says that they have
    told = words(boss.get("desk/").text)
    assert "Judging is complete: there are no kits left to do." in told
    assert "Close all tasks" in told


def test_without_judges_that_is_the_next_step(boss: Visitor):
    page = boss.get("desk/").text
    assert "No accounts yet." in words(page)
    (fields,) = (dict(f) for to, f in Form(page).forms if to.endswith("judges/add"))
    assert fields["count"] == "3"
    slips = words(boss.post("desk/judges/add", fields).text)
    assert "3 login slips" in slips
    assert "Start all" in slips
    page = boss.get("desk/").text
    assert "No accounts yet." not in words(page)
    assert '<button class="main" name="action" value="start">' in page


def test_what_is_missing_is_said_on_the_first_screen(site: Website, boss: Visitor):
    """Two judges cannot do what every item wants of three."""
    site.slips(2)
    said = words(boss.get("desk/").text)
    assert "cannot be completed" in said
    assert "there is no judge for" not in said, "it is said once"
    site.slips(1)
    assert "cannot be completed" not in words(boss.get("desk/").text)
    assert "nothing to do" not in words(boss.get("desk/").text)
    site.slips(40)
    assert "judges would get nothing to do" in words(boss.get("desk/").text)
    run(boss, action="start")
    assert "nothing to do" not in words(boss.get("desk/").text)


def test_who_needs_a_word_is_counted(site: Website, boss: Visitor):
    site.setting.judges(3)
    site.setting.start()
    site.setting.watch.now += timedelta(days=4)
    page = boss.get("desk/").text
    assert "3 judges need attention" in words(page)
    assert "progress#reminders" in page
    send(boss, "remind", pin=["p0", "p1", "p2", "p3"], by="hand")
    page = boss.get("desk/").text
    assert "3 judges need attention" in words(page)
    assert "progress#reminders" not in page, "no reminder is due"
    said = words(boss.get("desk/progress").text)
    assert "listed here after 2 days without a visit or a reminder" in said


@pytest.fixture
def under_way(site: Website, boss: Visitor) -> Visitor:
    """Three judges: one has done all, two have never been here."""
    judges = site.setting.judges(3)
    site.setting.start()
    site.setting.all_kits(judges[0].id, 0.5)
    return boss


def send(boss: Visitor, path: str, **sent: object):
    return boss.post(f"desk/progress/{path}", sent, key=form_key(boss.get("desk/progress")))


def test_every_judge_with_what_is_left(under_way: Visitor):
    said = words(under_way.get("desk/progress").text)
    for word in ("p1", "p2", "p3", "At the current pace", "Nobody needs a reminder"):
        assert word in said


def test_a_forecast_for_one_day_has_no_range(site: Website, boss: Visitor):
    judges = site.setting.judges(3)
    site.setting.start()
    for _ in range(2):
        site.setting.kit(judges[0].id)
    said = words(boss.get("desk/progress").text)
    assert (
        "2 of 12 judgments. At the current pace of 2 an hour, judging will finish on 2 March 2026. "
        in said
    ), "an hour is too short to tell what a day brings"
    assert "3 kits are beyond what is required of the judges." in said


def test_whoever_stays_away_is_reminded_once(site: Website, under_way: Visitor):
    site.setting.watch.now += timedelta(days=4)
    page = under_way.get("desk/progress")
    assert "never logged in" in words(page.text)
    assert f"http://jurat.test/c/{NAME}/" in page.text
    assert "Send by email" not in page.text
    send(under_way, "remind", pin=["p2", "p3", "nobody"], by="hand")
    (logged,) = [e for e in site.setting.store.audit_log(NAME) if e.action == "remind"]
    assert logged.details == {"pins": ["p2", "p3"], "by": "hand"}
    assert "Nobody needs a reminder" in words(under_way.get("desk/progress").text)


def test_what_the_post_office_says_is_told(site: Website, under_way: Visitor):
    site.setting.watch.now += timedelta(days=4)
    send(under_way, "address", pin="p2", address="one@example.org")
    assert site.service.accounts.by_pin(NAME, "p2").address == "one@example.org"
    site.app.state.site.mail_server = read_mail_server("smtp://localhost:1/?from=desk@example.org")
    told = send(under_way, "remind", pin=["p2"], by="mail")
    assert 'role="alert"' in told.text
    assert not [e for e in site.setting.store.audit_log(NAME) if e.action == "remind"]


def test_an_address_that_is_none(under_way: Visitor):
    assert send(under_way, "address", pin="p2", address="nowhere").status_code == 422
    assert send(under_way, "address", pin="nobody", address="a@example.org").status_code == 422


@pytest.mark.parametrize("column", ["done", "-left", "seen", "-seconds", "time", "flags", "odd"])
def test_sorting(under_way: Visitor, column):
    assert under_way.get(f"desk/progress?sort={column}").status_code == 200
