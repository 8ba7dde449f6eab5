"""Checklists are filled where something is known, and say so where nothing is."""

from dataclasses import replace

import msgspec
import pytest

from jurat.campaigns.config import read_plan
from jurat.campaigns.task_facts import task_facts
from jurat.errors import InputError
from jurat.model import File
from jurat.protocols import load
from jurat.report.checklist_answers import KNOWN
from jurat.report.checklists import CHECKLISTS, HEDS, NOT_ANSWERED, answered
from jurat.report.compute import Report, compute
from jurat.report.settings import ReportSettings
from jurat.report.study_details import ASKED, StudyDetails
from tests.report.checklists_page import PAGE, content
from tests.report.judged_table import evaluation

CAMPAIGN = b"""
name: autumn
test_set: testset.jsonl
tutorial: tutorial.jsonl
report: {pay: 15 euros an hour, preregistration: no}
tasks:
  - name: adequacy
    protocol: tapet-adequacy
    kits: {repeats: 2}
    required: {tutorial: 1}
"""


@pytest.fixture(scope="module", name="report")
def computed() -> Report:
    return compute(evaluation(), ReportSettings(bootstrap=0))


def test_the_page_lists_every_item() -> None:
    """`python -m tests.report.checklists_page` writes it anew."""
    assert PAGE.read_text("utf-8") == content()


def test_every_field_is_asked_for_and_every_answer_used() -> None:
    items = [item for checklist in CHECKLISTS for item in checklist.items]
    assert list(ASKED) == list(StudyDetails.__struct_fields__)
    assert {name for item in items for name in item.asked} == {*ASKED}
    assert {name for item in items for name in item.known} == {*KNOWN}


def test_judgments_alone_answer_what_they_can(report: Report) -> None:
    said = {one.number: one.answer for one in answered(HEDS, report)}
    assert said["3.2.1"] == "Judges: 4."
    assert "18" in said["3.1.1"]
    assert said["4.3.11"].startswith("Krippendorff's alpha")
    assert {said[n] for n in ("3.2.3", "3.2.4", "5.1", "3.3.1")} == {NOT_ANSWERED}


def test_the_campaign_answers_more(report: Report) -> None:
    plan = read_plan(File("campaign.yaml", CAMPAIGN)).plan
    tasks = (task_facts(plan, plan.tasks[0], load("tapet-adequacy")),)
    told = replace(report, settings=replace(report.settings, study=plan.report, tasks=tasks))
    said = {one.number: one.answer for one in answered(HEDS, told)}
    assert said["3.2.2"] == "15 euros an hour."
    assert said["3.2.4"] == "a tutorial of 1 kit before judging."
    assert said["3.3.1"] == "no."
    assert said["3.3.3"] == "2 items that judges meet twice in each kit."
    assert "7 points from 1 to 7" in said["4.3.3"]
    assert "How much of the meaning" in said["4.3.7"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("{payment: 12 euros}", "payment"),
        ("[15 euros]", "got a list"),
        (msgspec.json.encode({"pay": "x" * 2001}).decode(), "at most 2,000 letters, got 2,001"),
    ],
)
def test_what_cannot_be_an_answer_is_refused_with_its_line(wrong: str, words: str) -> None:
    text = CAMPAIGN.replace(b"{pay: 15 euros an hour, preregistration: no}", wrong.encode())
    with pytest.raises(InputError, match=words) as refused:
        read_plan(File("campaign.yaml", text))
    assert all(problem.line == 5 for problem in refused.value.problems)
