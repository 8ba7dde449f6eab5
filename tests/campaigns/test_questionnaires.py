"""Questionnaires before and after judging, and the data of a judge deleted on request."""

import io
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from jurat.campaigns.questionnaires import QuestionnaireDue
from jurat.errors import InputError
from tests.campaigns.sample_campaigns import Setting, plan, task
from tests.store.empty_store import empty_store

NATIVE = {
    "id": "native",
    "kind": "choice",
    "ask": "Is English your first language?",
    "options": [{"value": "yes", "label": "Yes"}, {"value": "no", "label": "No"}],
}
LEVEL = {
    "id": "spanish",
    "kind": "scale",
    "ask": "How well do you know Spanish?",
    "points": [{"value": 1, "label": "A little"}, {"value": 2, "label": "Well"}],
}
REMARKS = {"id": "remarks", "kind": "text", "ask": "Anything else?", "required": False}
ASKED = {
    "before": {"consent": "Answers are published without names.", "questions": [NATIVE, LEVEL]},
    "after": {"questions": [REMARKS]},
}


def asking(**more: Any) -> dict[str, Any]:
    return plan(task("da", wanted=2), questionnaires=ASKED, **more)


def test_nobody_judges_before_they_have_agreed_and_answered(setting: Setting) -> None:
    judge, *_ = setting.launch(asking())
    answers = setting.service.questionnaires
    with pytest.raises(QuestionnaireDue):
        setting.next(judge)
    with pytest.raises(InputError) as refused:
        answers.answer(setting.name, judge, "before", {"native": "maybe"})
    assert {(p.field, p.code) for p in refused.value.problems} == {
        ("consent", "no-consent"),
        ("native", ""),
        ("spanish", "missing"),
    }
    assert answers.due(setting.name, judge, finished=False) == "before"
    answers.answer(setting.name, judge, "before", {"native": "no", "spanish": 2}, consent=True)
    assert setting.next(judge).position == 1
    assert answers.due(setting.name, judge, finished=False) is None
    assert answers.due(setting.name, judge, finished=True) == "after"
    # a second answer replaces the first
    answers.answer(setting.name, judge, "before", {"native": "yes", "spanish": 1}, consent=True)
    rows = answers.table(setting.name).select("question", "answer", "text").rows()
    assert rows == [
        ("consent", "yes", "Answers are published without names."),
        ("native", "yes", "Yes"),
        ("spanish", "1", "A little"),
    ]


def test_faulty_questionnaires_are_refused_with_their_place(quick: Setting) -> None:
    asked = [deepcopy(one) for one in (NATIVE, {**LEVEL, "kind": "slider"}, NATIVE)]
    wrong = {"before": {"questions": asked}}
    with pytest.raises(InputError) as refused:
        quick.create(plan(task("da"), questionnaires=wrong))
    said = str(refused.value)
    assert "unknown kind of question 'slider'" in said
    assert "questionnaires.before.questions.2.kind" in said
    assert "'native' is asked twice" in said


def test_deleted_data_are_gone_and_their_kits_are_free(setting: Setting, tmp_path: Path) -> None:
    ann, bob, *_ = setting.launch(asking())
    service, name = setting.service, setting.name
    for judge in (ann, bob):
        told = {"native": "no", "spanish": 2}
        service.questionnaires.answer(name, judge, "before", told, consent=True)
        setting.kit(judge, quality=0.9 if judge == ann else 0.2)
    pin = setting.store.judge(name, ann).pin
    service.accounts.update(name, pin, author="boss", note="Ann Example")
    service.accounts.set_address(name, pin, "ann@example.org", author="boss")
    service.messages.send(name, "Dear Ann", author="boss", pin=pin)
    service.judging.feedback(name, ann, {"words": "I live in Rome"})
    live = service.monitoring  # whose tables have been read before
    both = service.campaigns.tables(name)["judgments"].height
    before = live.progress(name).phases[0]

    found = service.accounts.delete_data(name, pin, author="boss")

    assert found["questionnaires"] == 1
    assert found["answers"] == both // 2
    left = service.campaigns.tables(name)["judgments"]
    assert left["judge"].unique().to_list() == [setting.store.judge(name, bob).pin]
    assert service.questionnaires.table(name)["judge"].n_unique() == 1
    assert live.progress(name).phases[0].done == before.done - 1
    archive = io.BytesIO()
    service.campaigns.archive(name, archive)
    with empty_store(tmp_path / "other.db") as other:
        there = Setting(other)
        there.service.campaigns.open_archive(archive)
        text = "".join(map(repr, there.service.campaigns.audit_log(name)))
        text += repr(other.judges(name)) + repr(other.messages(name))
    for secret in (f"'{pin}'", "Ann", "ann@example.org", "Rome"):
        assert secret not in text
    assert "delete data" in text
    # somebody else can do the kit, and a second deletion has a name of its own
    other_pin = setting.store.judge(name, bob).pin
    service.accounts.delete_data(name, other_pin, author="boss")
    pins = {one.pin for one in setting.store.judges(name)}
    assert {"deleted-1", "deleted-2"} <= pins
    assert service.campaigns.tables(name) == {}


def test_tables_that_were_read_before_forget_deleted_answers(quick: Setting) -> None:
    from jurat.campaigns.export import JudgmentTables

    judges = quick.launch(plan(task("da", wanted=2)))[:2]
    protocols = quick.service.campaigns.definition(quick.name).protocols
    tables = JudgmentTables(quick.store, quick.name, protocols)
    for judge in judges:
        quick.kit(judge)
    before = tables.tables()["judgments"]
    pin = quick.store.judge(quick.name, judges[0]).pin
    quick.service.accounts.delete_data(quick.name, pin, author="boss")
    after = tables.tables()["judgments"]
    assert after.height == before.filter(judge=quick.store.judge(quick.name, judges[1]).pin).height
    assert pin not in after["judge"]
