"""The second step: tasks are added, changed, put in order; seen as judges will; and counted."""

import re

import pytest

from jurat import protocols
from jurat.web.context import static_files
from tests.campaigns.sample_campaigns import make_set
from tests.web.coordinator.preparing import Preparing, begin, problem
from tests.web.website import Visitor, Website, words

SET = ("set.jsonl", make_set(3, 2))


@pytest.fixture
def work(town: Website, grace: Visitor) -> Preparing:
    return begin(town, grace, SET)


def add(work: Preparing, protocol: str = "da"):
    return work.post("tasks/add", {"add-protocol": protocol})


def names(work: Preparing) -> list[str]:
    return [task["name"] for task in work.declared.get("tasks", [])]


def test_a_task_is_added_with_what_is_usual(work: Preparing):
    page = work.get("tasks")
    assert "Add as many as you need" in words(page.text)
    assert "Direct assessment, 0 to 100" in page.text
    assert str(add(work).url).endswith("tasks?task=1")
    assert work.declared["tasks"] == [{"name": "da", "protocol": "da"}]
    work.upload(("lesson.jsonl", make_set(1, 1, kind="lesson")), part="tutorial")
    add(work)
    second = {"name": "da-2", "protocol": "da", "required": {"tutorial": 1}}
    assert work.declared["tasks"][1] == second


def test_fields_say_what_the_protocol_does_and_none_is_without_meaning(work: Preparing):
    add(work, "esa")
    page = work.get("tasks?task=1").text
    assert "As in the protocol (yes)" in words(page)
    assert 'data-field="groups" hidden' in page, "its judges see no references"
    add(work)
    assert 'data-field="groups" hidden' not in work.get("tasks?task=2").text


def test_tasks_are_put_in_order_and_taken_out(work: Preparing):
    for protocol in ("da", "esa", "sqm"):
        add(work, protocol)
    work.post("tasks/arrange", {"task": "3", "action": "up"})
    assert names(work) == ["da", "sqm", "esa"]
    work.post("tasks/arrange", {"task": "1", "action": "down"})
    assert names(work) == ["sqm", "da", "esa"]
    work.post("tasks/arrange", {"task": "1", "action": "up"})
    assert names(work) == ["sqm", "da", "esa"]
    for _ in range(3):
        told = work.post("tasks/arrange", {"task": "1", "action": "remove"})
    assert "tasks" not in work.declared
    assert "Add as many as you need" in words(told.text)
    assert work.post("tasks/arrange", {"task": "1", "action": "remove"}).status_code == 404
    add(work)
    assert work.post("tasks/arrange", {"task": "1", "action": "dance"}).status_code == 400


def test_everything_that_a_task_can_declare(work: Preparing):
    work.upload(("lesson.jsonl", make_set(1, 1, kind="lesson")), part="tutorial")
    add(work)
    said = {
        "name": "rating",
        "protocol": "sqm",
        "wanted": "2",
        "required.evaluation": "3",
        "required.tutorial": "1",
        "kits.segments": "4",
        "kits.order": "shuffled",
        "kits.repeats": "1",
        "kits.controls.degraded": "1",
        "tutorial.documents": "1",
        "systems": ["cedar", "birch"],
        "documents": ["paper1", "paper3"],
        "first": "2",
        "where": "document != 'x'",
        "policy": "by-group",
        "revise": "false",
        "one_system_per_segment": "true",
        "judges": "group == 'a'",
        "groups.name": ["a", "b", ""],
        "groups.value": ["A", "source", "A"],
    }
    task = {
        "name": "rating",
        "protocol": "sqm",
        "wanted": 2,
        "required": {"evaluation": 3, "tutorial": 1},
        "kits": {"segments": 4, "order": "shuffled", "repeats": 1, "controls": {"degraded": 1}},
        "tutorial": {"documents": 1},
        "systems": ["cedar", "birch"],
        "documents": ["paper1", "paper3"],
        "first": 2,
        "where": "document != 'x'",
        "policy": "by-group",
        "revise": False,
        "one_system_per_segment": True,
        "judges": "group == 'a'",
        "groups": {"a": "A", "b": "source"},
    }
    work.fill("tasks?task=1", "wanted", **said)
    assert work.declared["tasks"] == [task]
    work.fill("tasks?task=1", "wanted")
    assert work.declared["tasks"] == [task], "a form that is sent untouched changes nothing"
    usual = dict.fromkeys(said, "") | {"name": "rating", "protocol": "da"}
    gone = {"systems": None, "documents": None, "groups.name": [""], "groups.value": ["A"]}
    work.fill("tasks?task=1", "wanted", **usual | gone)
    assert work.declared["tasks"] == [{"name": "rating", "protocol": "da"}]


def test_a_task_is_called_like_its_protocol_until_it_is_called_otherwise(work: Preparing):
    add(work)
    work.fill("tasks?task=1", "wanted", protocol="esa")
    assert work.declared["tasks"] == [{"name": "esa", "protocol": "esa"}]
    work.fill("tasks?task=1", "wanted", name="rating")
    work.fill("tasks?task=1", "wanted", protocol="da")
    assert work.declared["tasks"] == [{"name": "rating", "protocol": "da"}]


def test_faults_stand_beside_their_fields(work: Preparing):
    add(work)
    add(work, "esa")
    told = work.fill("tasks?task=1", "wanted", wanted="many", kits__documents="0", name="esa")
    assert told.status_code == 422
    assert "a whole number instead of “many”" in problem(told, "wanted")
    assert "from 1 to" in problem(told, "kits.documents")
    assert 'value="many"' in told.text
    second = work.get("tasks?task=2")
    assert "Two tasks are named “esa”" in problem(second, "name")
    assert "esa, “Judgments per item”: Enter a whole number" in words(second.text)
    first = work.get("tasks")
    assert "instead of “many”" in problem(first, "wanted"), "the first task with problems is shown"
    told = work.fill("tasks?task=1", "wanted", wanted="2", kits__documents="1", name="da")
    assert told.status_code == 200
    assert "problem-f-wanted" in told.text
    assert problem(told, "wanted") == ""


def test_what_a_judge_will_see(work: Preparing):
    assert "Preview" not in words(work.get("tasks").text)
    add(work, "tapet-adequacy")
    page = work.get("tasks?task=1")
    assert 'class="step preview' in page.text
    assert "fuente" not in page.text.partition('class="step preview')[2].partition("</article>")[0]
    assert "first wording" in page.text
    assert (
        'name="form_key"' not in page.text.partition('class="step preview')[2].partition("<h2")[0]
    )
    work.fill("tasks?task=1", "wanted", protocol="source-adequacy")
    assert "fuente" in work.get("tasks?task=1").text
    first, second = (work.get(f"tasks?task=1&step={n}").text for n in (1, 2))
    assert first != second
    assert "The first 3 of" not in words(first), "all are shown"
    longer = work.fill("tasks?task=1", "wanted", kits__documents="9")
    assert re.search(
        r"Preview The first 3 of (\d+) items 1 of \1 2 of \1 3 of \1", words(longer.text)
    )
    work.upload(("set.jsonl", b"nonsense"))
    assert "once the test set and the task are complete" in words(work.get("tasks").text)
    assert not [c for c in work.site.setting.store.campaigns() if c.name != "try"]


def test_two_drafts_do_not_see_each_other_s_questions(
    town: Website, grace: Visitor, work: Preparing
):
    """Pages of judges are kept in parts; what is not made yet is not."""
    texts = [protocols.dump(protocols.load("sqm")).replace("name: sqm", "name: own") for _ in "ab"]
    texts[1] = texts[1].replace("Perfect", "Flawless")
    assert texts[0] != texts[1]
    others = [work, begin(town, grace, SET)]
    pages = []
    for one, text in zip(others, texts, strict=True):
        one.post("tasks/add", {}, files=[("file", ("own.yaml", text.encode()))])
        assert one.declared["tasks"] == [{"name": "own", "protocol": "own.yaml"}]
        pages.append(one.get("tasks").text.partition('class="step preview')[2])
    assert "Flawless" not in pages[0]
    assert "Flawless" in pages[1]


def test_what_it_amounts_to(work: Preparing):
    assert "No kits yet." in words(work.get("tasks").text)
    add(work)
    work.fill("tasks?task=1", "wanted", wanted="2", kits__documents="3")
    page = words(work.get("tasks?task=1").text)
    assert "hours of judging in total" in page
    assert re.search(r"da, Evaluation \d+ × 2 ", page), "kits are judged as often as items"
    assert "Problem:" not in page
    few = words(work.get("tasks?task=1&judges=2").text)
    assert "Problem: da: The campaign cannot be completed yet." in few
    assert "Too few judges for these kits:" not in few, "one number of judges is enough"
    assert "At least 6 judges are needed" in few


def test_a_protocol_that_is_none(work: Preparing):
    assert work.post("tasks/add", {"add-protocol": "no-such"}).status_code == 200
    page = work.get("tasks?task=1")
    assert "Unknown: “no-such”" in problem(page, "protocol")
    told = work.post("tasks/add", {}, files=[("file", ("own.txt", b"x"))])
    assert told.status_code == 422
    assert "a protocol is a YAML or JSON file" in words(told.text)
    work.post("tasks/add", {}, files=[("file", ("own.yaml", b"name: own\nstages: []\n"))])
    assert "own.yaml" in words(work.get("tasks?task=2").text)
    huge = work.post("tasks/add", {}, files=[("file", ("own.yaml", b"x" * (1 << 20)))])
    assert huge.status_code == 413
    assert "You can send at most" in words(huge.text)


def bare_classes(css: str) -> set[str]:
    """The classes that are styled whatever element has them, and wherever it stands."""
    rules = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    selectors = [
        one.strip() for part in re.findall(r"([^{}]+)\{", rules) for one in part.split(",")
    ]
    found = (re.fullmatch(r"(?:\.desk )?\.([\w-]+)[\w.:-]*", one) for one in selectors)
    return {one[1] for one in found if one}


def test_the_preview_does_not_take_styles_of_the_coordinators_pages():
    """A class of both was a tick on a slider that nobody had touched."""
    files = {name: data.decode() for name, data in static_files().items() if name.endswith(".css")}
    steps = [name for name in files if name == "judging.css" or name.startswith("questions/")]
    assert len(steps) > 3
    for name in steps:
        shared = bare_classes(files["coordinator.css"]) & bare_classes(files[name])
        # the button that flags an item stands above the texts, not in the preview
        assert shared <= {"flag"}, (name, shared)
