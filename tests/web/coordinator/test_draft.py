"""The third step: the rules, and the campaign is made; everything also as a campaign.yaml."""

import pytest

from jurat.campaigns.config import read_plan
from jurat.model import File
from tests.campaigns.sample_campaigns import NAME, make_set
from tests.web.coordinator.preparing import Preparing, begin, problem
from tests.web.website import Visitor, Website, words

SET = ("set.jsonl", make_set(3, 2))


@pytest.fixture
def work(town: Website, grace: Visitor) -> Preparing:
    found = begin(town, grace, SET)
    found.post("tasks/add", {"add-protocol": "da"})
    return found


def test_from_a_test_set_to_a_running_campaign(town: Website, work: Preparing):
    told = work.fill("rules", "seed", title="Autumn", name="autumn", create="yes")
    assert told.url.path == "/c/autumn/desk/"
    assert "Overview" in words(told.text)
    assert work.key not in [one.id for one in town.service.drafts.all()]
    made = town.setting.store.campaign("autumn")
    assert made.declaration == {
        "name": "autumn",
        "title": "Autumn",
        "test_set": "set.jsonl",
        "tasks": [{"name": "da", "protocol": "da"}],
    }
    assert town.setting.store.audit_log("autumn")[0].author == "Grace"
    slips = town.slips(9, "autumn")
    town.service.campaigns.change_phases("autumn", "start", author="Grace")
    assert "wording" in town.visitor("autumn").follow(slips[0]).get("judge").text


def test_everything_that_the_rules_declare(work: Preparing):
    said = {
        "title": "Otoño",
        "name": "spring",
        "contact.name": "Ada",
        "contact.address": "ada@example.org",
        "registration": "ask",
        "guest": "yes",
        "shading": None,
        "skip": "yes",
        "language": "es",
        "sitting.items": "20",
        "sitting.items_a_day": "100",
        "sitting.pause_minutes": "45",
        "lease_minutes": "60",
        "own_site": "avoid",
        "seed": "7",
    }
    assert 'name="guest"' not in work.get("rules").text, (
        "there is no tutorial that guests could try"
    )
    work.site.service.drafts.set_fields(work.key, {"tutorial": "lesson.jsonl"})
    before = dict(work.declared)
    rules = {
        "title": "Otoño",
        "name": "spring",
        "contact": {"name": "Ada", "address": "ada@example.org"},
        "registration": "ask",
        "guest": True,
        "shading": False,
        "skip": True,
        "language": "es",
        "sitting": {"items": 20, "items_a_day": 100, "pause_minutes": 45},
        "lease_minutes": 60,
        "own_site": "avoid",
        "seed": 7,
    }
    assert work.fill("rules", "seed", **said).status_code == 200
    assert work.declared == {**before, **rules}
    work.fill("rules", "seed")
    assert work.declared == {**before, **rules}, "a form that is sent untouched changes nothing"
    usual = {**dict.fromkeys(said, ""), "name": "spring", "guest": None, "shading": "yes"}
    usual["skip"] = None
    work.fill("rules", "seed", **usual)
    assert work.declared == {**before, "name": "spring"}
    work.fill("rules", "seed", registration="true")
    assert work.declared["registration"] is True


def test_a_campaign_without_a_name_gets_one_from_its_title(town: Website, work: Preparing):
    told = work.fill("rules", "seed", title="In the Autumn", name="", create="yes")
    assert told.url.path == "/c/in-the-autumn/desk/"
    assert town.service.campaigns.plan("in-the-autumn").title == "In the Autumn"


def test_faults_stand_beside_their_fields(work: Preparing):
    assert problem(work.get("rules"), "name") == "", "nobody is blamed before he has begun"
    told = work.fill("rules", "seed", create="yes", name="", seed="x", sitting__items="0")
    assert told.status_code == 422
    assert problem(told, "name") == ""
    assert problem(told, "title") == "Please fill this in."
    assert "a whole number" in problem(told, "seed")
    assert "from 1" in problem(told, "sitting.items")
    taken = work.fill("rules", "seed", create="yes", name=NAME, seed="1", sitting__items="")
    assert taken.status_code == 422
    assert "A campaign named" in problem(taken, "name")
    assert work.draft, "it is still there"


def test_what_other_steps_lack_is_told_before_the_campaign_is_made(town: Website, grace: Visitor):
    work = begin(town, grace)
    told = work.fill("rules", "seed", create="yes", name="winter")
    assert told.status_code == 422
    page = words(told.text)
    assert "Before you can create the campaign: Test set : One problem" in page
    assert "Tasks and kits : One problem" in page
    assert work.declared == {"name": "winter"}


def test_the_file_is_shown_and_taken_away(work: Preparing):
    work.fill("rules", "seed", title="Autumn: <b>", name="later")
    file = work.get("campaign.yaml")
    assert file.headers["content-disposition"] == 'attachment; filename="campaign.yaml"'
    plan = read_plan(File("campaign.yaml", file.content)).plan
    assert (plan.name, plan.title, plan.tasks[0].protocol) == ("later", "Autumn: <b>", "da")
    assert "Autumn: &lt;b&gt;" in work.get("declaration").text


def test_a_whole_declaration_is_taken_instead(work: Preparing):
    text = "name: winter\r\ntest_set: set.jsonl\r\ntasks:\r\n- {name: a, protocol: esa}\r\n"
    told = work.post("declaration", {"text": text})
    assert told.status_code == 200
    assert work.declared["tasks"] == [{"name": "a", "protocol": "esa"}]
    file = {"files": [("file", ("mine.yaml", text.replace("winter", "summer").encode()))]}
    work.post("declaration", {"text": ""}, **file)
    assert work.declared["name"] == "summer"
    broken = work.post("declaration", {"text": "name: [spring"})
    assert broken.status_code == 422
    assert "campaign.yaml:" in words(broken.text)
    assert "name: [spring" in broken.text, "what was written is not lost"
    assert work.declared["name"] == "summer"
    work.post("declaration", {"text": "name: 7up\ntasks: [{protocol: dda}]\n"})
    page = words(work.get("declaration").text)
    assert "campaign.yaml:1" in page
    assert "Did you mean “da”?" in page
    for step in ("set", "tasks", "rules"):
        assert work.get(step).status_code == 200
    odd = work.post("declaration", {"text": "tasks: 7\ncontact: x\nsitting: [1]\ntest_set: {a: 1}"})
    assert odd.status_code == 200
    for step in ("set", "tasks", "rules"):
        assert work.get(step).status_code == 200, step


def test_giving_up_is_asked_twice(town: Website, work: Preparing):
    assert "deletes the draft and its files" in words(work.get("give-up").text)
    assert work.draft
    told = work.post("give-up", {})
    assert told.url.path == "/desk/"
    assert work.key not in [one.id for one in town.service.drafts.all()]
