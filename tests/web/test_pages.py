"""The overview: what is done, what is left, what is locked and why."""

import re
from pathlib import Path

import pytest

from tests.campaigns.sample_campaigns import NAME, make_set, plan, task
from tests.web.website import Visitor, Website, website, words

TWO = (
    task("da", required={"tutorial": 1, "evaluation": 1}),
    {"name": "comparing", "protocol": "preference", "required": {"evaluation": 1}},
)


@pytest.fixture
def judge(tmp_path: Path):
    """A judge before two tasks, with a tutorial before the first."""
    with website(tmp_path) as site:
        declared = plan(*TWO, tutorial="tutorial.jsonl", title="Two tasks")
        site.setting.create(declared, tutorial=make_set(1, 1, kind="lesson"))
        slips = site.slips(6)
        site.setting.start()
        yield site, site.visitor().follow(slips[0]), _id(site, slips[0].pin)


def _id(site: Website, pin: str) -> str:
    return site.service.accounts.by_pin(NAME, pin).id


def parts(visitor: Visitor) -> list[str]:
    """The words of each task's part, in order."""
    found = re.findall(r'<li class="task.*?</li>', visitor.get().text, flags=re.S)
    return [words(one) for one in found]


def test_tasks_stand_in_their_order_each_with_what_keeps_it_shut(judge):
    _, visitor, _ = judge
    lesson, rating, comparing = parts(visitor)
    assert "Tutorial" in lesson
    assert "Read the guidelines and start" in lesson
    assert "1 kit left" in rating
    assert "Opens after the tutorial." in rating
    assert "Start" not in rating
    assert "Opens after “Direct assessment, 0 to 100”." in comparing


def test_what_is_done_is_counted_and_the_next_part_opens(judge):
    site, visitor, account = judge
    site.setting.kit(account)
    lesson, rating, *_ = parts(visitor)
    assert "Done 1 kit done" in lesson
    assert "Continue judging" in rating
    site.setting.decide(account, site.setting.next(account))
    assert "Continue" in parts(visitor)[1]


def test_kits_to_be_done_again_are_announced_with_the_reason(judge):
    site, visitor, account = judge
    for _ in range(2):
        site.setting.kit(account)
    pin = next(one.pin for one in site.service.accounts.all(NAME) if one.id == account)
    site.service.campaigns.redo(NAME, pin, task="rating", author="boss", reason="Too <fast>")
    lesson, rating, comparing = parts(visitor)
    for repeated in (lesson, rating):  # the tutorial is one of the kits
        assert "Please do one kit again. Reason: Too <fast>" in repeated
    assert "Please do" not in comparing
    for _ in range(3):
        site.setting.kit(account)
    assert "Please do" not in "\n".join(parts(visitor))


def test_a_closed_phase_asks_for_no_kits_to_be_done_again(judge):
    site, visitor, account = judge
    for _ in range(2):
        site.setting.kit(account)
    pin = next(one.pin for one in site.service.accounts.all(NAME) if one.id == account)
    campaigns = site.service.campaigns
    campaigns.redo(NAME, pin, task="rating", author="boss", reason="Too fast")
    campaigns.change_phases(NAME, "close", author="boss", task="rating")
    assert "Please do" not in "\n".join(parts(visitor))


def test_the_time_left_is_told_once_there_is_something_to_judge_by(judge):
    site, visitor, account = judge
    assert "left" not in parts(visitor)[1].replace("kit left", "")
    other = [one.id for one in site.setting.store.judges(NAME) if one.id != account]
    for one in other[:4]:
        site.setting.kit(one)
        site.setting.kit(one)
    told = parts(visitor)
    # 10 seconds a decision, as the clock of the setting has it, and 4 decisions a kit
    assert "about a minute left" in told[1]


def test_a_stopped_phase_says_the_reason(judge):
    site, visitor, _ = judge
    site.service.campaigns.change_phases(
        NAME, "stop", author="boss", task="rating", reason="Back on Monday."
    )
    lesson, rating, _ = parts(visitor)
    assert "Not open right now: Back on Monday." in lesson
    assert "Opens after the tutorial. Not open right now: Back on Monday." in rating
    told = words(visitor.get("judge").text)
    assert "Not open right now: Direct assessment, 0 to 100. Back on Monday." in told


def test_a_closed_phase_is_passed_by(judge):
    site, visitor, _ = judge
    site.service.campaigns.change_phases(
        NAME, "close", author="boss", task="rating", reason="Enough of it."
    )
    told = parts(visitor)
    assert "Closed: Enough of it." in told[1]
    assert "Read the guidelines and start" in told[2]


def test_whoever_has_done_all_is_asked_whether_he_goes_on(judge):
    site, visitor, account = judge
    for _ in range(3):
        site.setting.kit(account)
    page = visitor.get()
    assert "Would you like to continue?" in words(page.text)
    assert 'href="/c/try/judge?go-on=1"' in page.text
    rest = visitor.get("judge")
    assert "Continue with another kit: Direct assessment, 0 to 100" in words(rest.text)
    # a task that may have more to do is not called finished
    between = words(visitor.get("between").text)
    assert "Preference between two translations: 1 kit done" in between
    assert "finished" not in between


def test_nobody_is_pressed_to_finish_what_is_not_required(judge):
    site, visitor, account = judge
    site.service.campaigns.update(NAME, {"deadline": "2026-11-27"}, author="boss")
    for done in range(1, 4):
        site.setting.kit(account)
        assert ("Please finish by" in words(visitor.get().text)) == (done < 3)
    site.setting.next(account, go_on=True)
    page = words(visitor.get().text)
    assert "Continue judging" in page
    assert "1 more kit, not required" in page
    assert "kit left" not in page
    assert "Please finish by" not in page


def test_the_end_is_a_thank_you_with_room_for_words(judge):
    site, visitor, _ = judge
    site.setting.play()
    told = visitor.get("judge")
    assert "Thank you" in words(told.text)
    assert "We have your message." not in words(told.text)
    assert "anything you'd like to tell us?" in words(visitor.get("between").text)
    said = visitor.post("feedback", {"words": "  The keys are good.  "})
    assert "read it" in words(said.text)
    entry = site.setting.store.audit_log(NAME)[-1]
    assert entry.action == "feedback"
    assert entry.details == {"words": "The keys are good."}
    for path in ("", "judge"):
        assert "We have your message." in words(visitor.get(path).text)


def test_empty_feedback_is_not_kept(judge):
    site, visitor, _ = judge
    before = len(site.setting.store.audit_log(NAME))
    assert "Thank you" in words(visitor.post("feedback", {"words": " "}).text)
    assert len(site.setting.store.audit_log(NAME)) == before


def test_a_pause_says_until_when(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create(plan(sitting={"items": 1, "pause_minutes": 20}))
        slips = site.slips(3)
        site.setting.start()
        account = _id(site, slips[0].pin)
        site.setting.decide(account, site.setting.next(account))
        told = site.visitor().follow(slips[0]).get("judge")
        assert "Time for a break." in words(told.text)
        assert re.search(r'<time datetime="2026-03-02T09:20:1\d\+00:00">[^<]*UTC</time>', told.text)


def test_names_in_a_plan_are_shown_and_not_obeyed(tmp_path: Path):
    with website(tmp_path) as site:
        evil = "<script>alert(1)</script>"
        site.setting.create(plan(title=evil, contact={"name": evil, "address": "x@y'\"><b>"}))
        told = site.visitor().get().text
        assert "<script>alert" not in told
        assert "<b>" not in told


def test_between_kits_one_sees_what_is_done_and_what_comes(judge):
    site, visitor, account = judge
    site.setting.kit(account)
    said = words(visitor.get("between").text)
    assert "Tutorial finished" in said
    assert "Next: Direct assessment, 0 to 100, kit 1 of 1 Answers count" in said
    assert "You cannot change an answer after you have gone on" in said
    assert "Stop for now" in said
    site.setting.decide(account, site.setting.next(account))
    # the browser's back button in the middle of a kit leads to the overview
    assert visitor.get("between").url.path == "/c/try/"
    site.setting.kit(account)
    page = visitor.get("between").text
    assert "Direct assessment, 0 to 100: finished" in words(page)
    assert "Next: Preference between two translations, kit 1 of 1" in words(page)
    # a new task begins with its guidelines, and these lead to its first step
    assert 'href="/c/try/guidelines/comparing?start=1"' in page
    assert 'href="/c/try/judge">Start</a>' in visitor.get("guidelines/comparing?start=1").text
    assert 'href="/c/try/judge">Start</a>' not in visitor.get("guidelines/comparing").text
    site.setting.kit(account)
    assert "Would you like to continue?" in words(visitor.get("between").text)


def test_tasks_of_one_protocol_are_told_apart_by_their_names(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create(plan(task("da"), task("da", name="talks"), task("sqm", name="last")))
        (slip, *_) = site.slips(6)
        site.setting.start()
        visitor = site.visitor().follow(slip)
        first, second, third = parts(visitor)
        assert "Direct assessment, 0 to 100 (rating)" in first
        assert "Direct assessment, 0 to 100 (talks)" in second
        assert "Opens after “Direct assessment, 0 to 100 (rating)”." in second
        assert "Opens after “Direct assessment, 0 to 100 (talks)”." in third
        assert "Direct assessment, 0 to 100 (rating)" in words(visitor.get("judge").text)
        # what is promised can go to others first
        assert "Kits are shared out as judges start them" in words(visitor.get().text)


def test_the_page_names_task_phase_and_kit(judge):
    site, visitor, account = judge
    assert "Direct assessment, 0 to 100 · Tutorial · kit 1 of 1" in words(visitor.get("judge").text)
    site.setting.kit(account)
    said = words(visitor.get("judge").text)
    assert "Direct assessment, 0 to 100 · Evaluation · kit 1 of 1" in said
