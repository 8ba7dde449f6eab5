"""What can still be changed of a campaign, what cannot and why."""

import re
from pathlib import Path

from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import NAME, make_set, plan, task
from tests.web.coordinator.preparing import Fields, new, problem
from tests.web.website import Visitor, Website, form_key, website, words


def save(who: Visitor, base: str = "desk/settings", **changed):
    sent = Fields(who.get(base).text, "title").sent
    data = {**sent, **{name.replace("__", "."): value for name, value in changed.items()}}
    kept = {name: value for name, value in data.items() if value is not None}
    return who.client.post(who.base + base, data=kept)


def test_parameters_are_changed_and_logged(site: Website, boss: Visitor):
    assert save(boss).status_code == 200
    assert "change" not in {one.action for one in site.setting.store.audit_log(NAME)}
    changed = {"title": "Rating in autumn", "registration": "ask", "guest": "yes"}
    told = save(boss, **changed, shading=None, tasks__1__required__evaluation="2")
    assert told.url.path.endswith("/desk/settings")
    plan = site.service.campaigns.plan(NAME)
    assert (plan.title, plan.registration, plan.guest) == ("Rating in autumn", "ask", True)
    assert not plan.shading
    assert plan.tasks[0].required.evaluation == 2
    assert plan.tasks[0].required.tutorial == 1
    last = site.setting.store.audit_log(NAME)[-1]
    assert "Rating in autumn" in str(last.details)


def test_what_two_people_change_is_all_saved(site: Website, boss: Visitor):
    early = Fields(boss.get("desk/settings").text, "title").sent
    save(boss, title="Rating in autumn", guest="yes")
    del early["shading"]
    told = boss.client.post(f"{boss.base}desk/settings", data=early)
    assert told.status_code == 200
    plan = site.service.campaigns.plan(NAME)
    assert (plan.title, plan.guest, plan.shading) == ("Rating in autumn", True, False)


def test_nobody_undoes_what_another_has_changed_meanwhile(site: Website, boss: Visitor):
    early = Fields(boss.get("desk/settings").text, "title").sent
    save(boss, title="Rating in autumn")
    mine = {**early, "title": "Rating in winter", "lease_minutes": "90"}
    told = boss.client.post(f"{boss.base}desk/settings", data=mine)
    assert told.status_code == 409
    assert "Title Rating in winter Rating in autumn" in words(told.text), "both values are shown"
    plan = site.service.campaigns.plan(NAME)
    assert (plan.title, plan.lease_minutes) == ("Rating in autumn", 240)
    now = Fields(told.text, "title").sent
    assert (now["title"], now["lease_minutes"]) == (["Rating in winter"], ["90"])
    assert boss.client.post(f"{boss.base}desk/settings", data=now).status_code == 200
    plan = site.service.campaigns.plan(NAME)
    assert (plan.title, plan.lease_minutes) == ("Rating in winter", 90)


def test_what_is_locked_stands_there_with_its_reason(boss: Visitor):
    page = boss.get("desk/settings")
    assert 'name="name"' not in page.text
    assert 'name="tasks.1.wanted"' not in page.text
    rows = [words(row) for row in re.findall(r"<tr>.*?</tr>", page.text, re.S)]
    assert "Test set set.jsonl Kits are made from it. Copy the campaign to change it." in rows
    assert f"Short name {NAME} It is part of judges' links and login slips." in rows
    assert any(row.startswith("rating : Protocol da Kits are made") for row in rows)


def test_what_is_locked_later_is_locked_here(site: Website, boss: Visitor):
    assert 'name="own_site"' in boss.get("desk/settings").text
    judge = site.setting.judges(6)[0]
    site.setting.start()
    for _ in range(2):  # the tutorial, then a kit
        site.setting.kit(judge.id)
    page = boss.get("desk/settings").text
    assert 'name="own_site"' not in page
    assert 'name="tasks.1.required.tutorial"' not in page
    assert "Judges have started" in page


def test_faults_stand_beside_their_fields_and_nothing_is_changed(site: Website, boss: Visitor):
    wrong = save(boss, lease_minutes="0", language="xx")
    assert "from 1 to" in problem(wrong, "lease_minutes")
    assert "Unknown: “xx”" in problem(wrong, "language")
    told = save(boss, title="Other", sitting__items="some")
    assert told.status_code == 422
    assert "whole number" in problem(told, "sitting.items")
    assert 'value="Other"' in told.text
    assert 'value="some"' in told.text
    assert site.service.campaigns.plan(NAME).title == "Rating in spring"


def test_the_form_cannot_change_what_is_locked(site: Website, boss: Visitor):
    save(boss, name="other", tasks__1__wanted="9", seed="5")
    plan = site.service.campaigns.plan(NAME)
    assert (plan.name, plan.seed, plan.tasks[0].wanted) == (NAME, 1, 1)


def test_locked_settings_are_told_apart_and_have_values(tmp_path: Path):
    compared = task("preference", name="comparing", kits={"pairs": "all"}, tutorial={"pairs": 2})
    with website(tmp_path) as site:
        lesson = make_set(1, 1, kind="lesson")
        site.setting.create(plan(compared, tutorial="tutorial.jsonl"), tutorial=lesson)
        (slip,) = site.slips(1, role="coordinator")
        said = words(site.visitor().follow(slip).get("desk/settings").text)
    pairs = "System pairs per segment"
    assert f"comparing : {pairs} All" in said
    assert f"comparing : Tutorial: {pairs} 2" in said


def test_the_file_is_shown(site: Website, boss: Visitor):
    text = dump(site.setting.store.campaign(NAME).declaration)
    assert words(text) in words(boss.get("desk/settings").text)


def test_a_copy_is_for_whoever_sees_all_campaigns(site: Website, ada: Visitor, boss: Visitor):
    page = boss.get("desk/settings").text
    assert "settings/copy" not in page
    assert "Only coordinators of the whole site can copy" in words(page)
    key = Fields(boss.get("desk/settings").text, "title").sent["form_key"][0]
    assert boss.post("desk/settings/copy", key=key).status_code == 403
    ada.base = f"/c/{NAME}/"
    key = Fields(ada.get("desk/settings").text, "title").sent["form_key"][0]
    told = ada.post("desk/settings/copy", key=key)
    assert re.fullmatch(r"/desk/draft/[\w-]+/set", told.url.path)
    (made,) = site.service.drafts.all()
    assert made.owner == "Ada"


def test_a_campaign_is_deleted_after_its_archive_was_offered(site: Website, ada: Visitor):
    base = f"/c/{NAME}/desk/settings"
    key = form_key(ada.client.get(base))
    send = {"form_key": key}
    asked = ada.client.post(f"{base}/delete", data=send)
    assert "export/archive" in asked.text
    assert "Nothing was deleted" not in asked.text
    asked = ada.client.post(f"{base}/delete", data={**send, "sure": "yes", "typed": "other"})
    assert "This is not the short name. Nothing was deleted." in words(asked.text)
    assert site.service.campaigns.plan(NAME)
    archive = ada.client.get(f"/c/{NAME}/desk/export/archive").content
    told = ada.client.post(f"{base}/delete", data={**send, "sure": "yes", "typed": NAME})
    assert told.url.path == "/desk/"
    assert [one.name for one in site.service.campaigns.all()] == []
    opened = new(ada, ("campaign.zip", archive))
    assert opened.url.path == f"/c/{NAME}/desk/"
    assert site.service.campaigns.plan(NAME).title == "Rating in spring"


def test_who_coordinates_one_campaign_cannot_delete_it(boss: Visitor):
    key = form_key(boss.get("desk/settings"))
    told = boss.post("desk/settings/delete", {"typed": NAME}, key=key)
    assert told.status_code == 403
    assert "Delete campaign" not in words(boss.get("desk/settings").text)
