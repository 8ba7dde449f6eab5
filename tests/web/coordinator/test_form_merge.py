"""Two people on one draft: neither overwrites the other, and nothing that was entered is lost."""

import pytest

from tests.campaigns.sample_campaigns import make_set
from tests.web.coordinator.preparing import Fields, Preparing, begin
from tests.web.website import Visitor, Website, words

SET = ("set.jsonl", make_set(3, 2))


@pytest.fixture
def work(town: Website, grace: Visitor) -> Preparing:
    found = begin(town, grace, SET)
    found.post("tasks/add", {"add-protocol": "da"})
    return found


def loaded(work: Preparing, page: str, own: str) -> dict[str, list[str]]:
    """A form as somebody has it on their screen."""
    return Fields(work.get(page).text, own).sent


def send(work: Preparing, page: str, form: dict[str, list[str]], **entered: str):
    data = {**form, **{name.replace("__", "."): value for name, value in entered.items()}}
    return work.ada.client.post(work.ada.base + work.base + page, data=data)


def test_each_field_that_one_of_them_changed_is_saved(work: Preparing):
    mine, theirs = (loaded(work, "tasks?task=1", "wanted") for _ in range(2))
    assert send(work, "tasks", theirs, wanted="3").status_code == 200
    assert send(work, "tasks", mine, kits__order="shuffled").status_code == 200
    (task,) = work.declared["tasks"]
    assert (task["wanted"], task["kits"]) == (3, {"order": "shuffled"})


def test_a_field_that_both_changed_is_shown_with_both_values(work: Preparing):
    mine, theirs = (loaded(work, "tasks?task=1", "wanted") for _ in range(2))
    send(work, "tasks", theirs, wanted="3")
    told = send(work, "tasks", mine, wanted="4", first="7")
    assert told.status_code == 409
    assert "Judgments per item 4 3" in words(told.text)
    (task,) = work.declared["tasks"]
    assert (task["wanted"], "first" in task) == (3, False)
    again = Fields(told.text, "wanted").sent
    assert (again["wanted"], again["first"]) == (["4"], ["7"]), "what was entered is still there"
    assert send(work, "tasks", again).status_code == 200
    (task,) = work.declared["tasks"]
    assert (task["wanted"], task["first"]) == (4, 7)


def test_a_task_that_was_moved_is_found_again(work: Preparing):
    mine = loaded(work, "tasks?task=1", "wanted")
    work.post("tasks/add", {"add-protocol": "esa"})
    work.post("tasks/arrange", {"action": "down 1"})
    assert send(work, "tasks", mine, wanted="5").status_code == 200
    assert [(one["name"], one.get("wanted")) for one in work.declared["tasks"]] == [
        ("esa", None),
        ("da", 5),
    ]


def test_a_task_that_was_removed_is_not_added_again(work: Preparing):
    mine = loaded(work, "tasks?task=1", "wanted")
    work.post("tasks/add", {"add-protocol": "esa"})
    work.post("tasks/arrange", {"action": "remove 1"})
    told = send(work, "tasks", mine, wanted="5")
    assert told.status_code == 409
    assert "Someone else removed this task" in words(told.text)
    assert "Judgments per item 5" in words(told.text), "what was entered is not lost"
    assert [one["name"] for one in work.declared["tasks"]] == ["esa"]


@pytest.mark.parametrize(
    ("page", "button"),
    [
        ("tasks", {"go": "rules"}),
        ("tasks", {"go": "set"}),
        ("tasks/add", {"add-protocol": "esa"}),
        ("tasks/arrange", {"action": "remove 2"}),
    ],
)
def test_every_button_of_the_page_saves_what_was_entered(
    work: Preparing, page: str, button: dict[str, str]
):
    work.post("tasks/add", {"add-protocol": "sqm"})
    form = loaded(work, "tasks?task=1", "wanted")
    data = {**form, "wanted": "3", **button}
    work.ada.client.post(f"{work.ada.base}{work.base}{page}", data=data)
    assert work.declared["tasks"][0]["wanted"] == 3


def test_going_on_saves_also_what_is_wrong(work: Preparing):
    form = loaded(work, "tasks?task=1", "wanted")
    told = send(work, "tasks", form, wanted="many", go="rules")
    assert told.url.path.endswith("/rules")
    assert work.declared["tasks"][0]["wanted"] == "many"
    assert send(work, "tasks", form, go="https://elsewhere.test").status_code == 400


def test_rules_are_merged_and_saved_on_the_way(work: Preparing):
    mine, theirs = (loaded(work, "rules", "seed") for _ in range(2))
    assert send(work, "rules", theirs, title="Spring", go="tasks").url.path.endswith("/tasks")
    send(work, "rules", mine, contact__name="Ada")
    assert (work.declared["title"], work.declared["contact"]) == ("Spring", {"name": "Ada"})
    told = send(work, "rules", mine, title="Autumn")
    assert told.status_code == 409
    assert "Title Autumn Spring" in words(told.text)


def test_the_file_of_somebody_else_is_not_replaced_unseen(work: Preparing):
    mine = loaded(work, "declaration", "edition")
    text = work.get("campaign.yaml").text
    send(work, "rules", loaded(work, "rules", "seed"), title="Spring")
    entered = {"text": f"title: Autumn\n{text}"}
    told = send(work, "declaration", mine, **entered)
    assert told.status_code == 409
    assert "-title: Spring +title: Autumn" in words(told.text)
    assert work.declared["title"] == "Spring"
    again = Fields(told.text, "edition").sent
    assert send(work, "declaration", again, **entered).status_code == 200
    assert work.declared["title"] == "Autumn"
    assert send(work, "declaration", again, text=work.get("campaign.yaml").text).status_code == 200
