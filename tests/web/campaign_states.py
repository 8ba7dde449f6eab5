"""The states that a campaign can be in, each reached by what people do through the service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from jurat.campaigns import Screen
from jurat.store import NewModelAnswer
from tests.campaigns.sample_campaigns import Setting, head, jsonl, make_set, plan, segment, task
from tests.campaigns.test_questionnaires import ASKED
from tests.media_samples import picture, tone

Reach = Callable[[Setting], None]
STATES: dict[str, Reach] = {}
BOSS = "boss"
TASKS = ("rating", "comparing")
LESSON = make_set(1, 1, kind="lesson")


def rules() -> dict[str, Any]:
    return {
        "wanted": 2,
        "kits": {"documents": 2},
        "required": {"tutorial": 1, "evaluation": 1},
    }


def state(reach: Reach) -> Reach:
    """Register a state by the name of the function that reaches it."""
    STATES[reach.__name__.replace("_", "-")] = reach
    return reach


def create(
    setting: Setting,
    *,
    judges: int = 2,
    start: bool = True,
    files: Mapping[str, bytes] | None = None,
    **more: Any,
) -> list[str]:
    """A campaign of two tasks, each after a tutorial, that two judges can fill; their ids."""
    tasks = (
        task("da", one_system_per_segment=False, **rules()),
        task("preference", **rules()) | {"name": "comparing"},
    )
    declared = plan(*tasks, tutorial="tutorial.jsonl", guest=True, registration=True, **more)
    setting.create({**declared, "name": setting.name}, tutorial=LESSON, **(files or {}))
    made = [one.id for one in setting.judges(judges)] if judges else []
    if start:
        setting.start()
    return made


def filled(setting: Setting) -> list[str]:
    """Two judges have done everything, and differ."""
    judges = create(setting)
    setting.all_kits(judges[0], 0.9)
    step = setting.service.judging.next(setting.name, judges[1], go_on=True)
    while isinstance(step, Screen):
        sent = setting.sent(judges[1], step, 0.4)
        if step.task == "comparing":
            sent = msgspec.structs.replace(sent, answers={"preference": "b"})
        _, step = setting.service.judging.submit(setting.name, judges[1], sent, go_on=True)
    return judges


def change(setting: Setting, action: Any, **which: Any) -> None:
    setting.service.campaigns.change_phases(setting.name, action, author=BOSS, **which)


def settle(setting: Setting, task: str, most: int | None = None) -> None:
    """An adjudicator settles cases of a task."""
    (wise,) = setting.judges(1, role="adjudicator")
    adjudication = setting.service.adjudication
    answers: dict[str, object] = {"adequacy": 70} if task == "rating" else {"preference": "tie"}
    cases = adjudication.cases(setting.name, wise.id, task, more_than=0)
    assert cases
    for case in cases[:most]:
        adjudication.settle(setting.name, wise.id, task, case.key, answers)


@state
def no_judges(setting: Setting) -> None:
    create(setting, judges=0, start=False)


@state
def not_started(setting: Setting) -> None:
    create(setting, start=False)


@state
def no_decisions(setting: Setting) -> None:
    create(setting)


@state
def in_the_tutorial(setting: Setting) -> None:
    judge, _ = create(setting)
    setting.decide(judge, setting.next(judge))


@state
def after_the_tutorial(setting: Setting) -> None:
    judge, _ = create(setting)
    setting.kit(judge)


@state
def nobody_finished(setting: Setting) -> None:
    for judge in create(setting):
        setting.kit(judge)
        setting.decide(judge, setting.next(judge))


@state
def one_of_two_tasks_done(setting: Setting) -> None:
    judge, _ = create(setting)
    setting.kit(judge)
    setting.kit(judge)


@state
def one_task_full(setting: Setting) -> None:
    """The third judge comes when the first task has all its judgments."""
    for judge in create(setting, judges=3)[:2]:
        setting.kit(judge)
        setting.kit(judge)


@state
def kits_with_others(setting: Setting) -> None:
    """The third judge has done a tutorial; what comes then is with the two others."""
    one, other, third = create(setting, judges=3)
    for judge in (one, other):
        setting.kit(judge)
        setting.next(judge)
    setting.service.judging.next(setting.name, third)


@state
def some_finished(setting: Setting) -> None:
    one, other = create(setting)
    setting.all_kits(one)
    setting.kit(other)


@state
def everything_finished(setting: Setting) -> None:
    filled(setting)


@state
def everything_finished_by_others(setting: Setting) -> None:
    """The last judge comes when nothing is left."""
    filled(setting)
    setting.judges(1)


def pilot(setting: Setting, protocol: str) -> str:
    """A campaign of one task, for one judge; their id."""
    asked = task(protocol, kits={"documents": 2}, one_system_per_segment=False)
    declared = plan(asked, tutorial="tutorial.jsonl", guest=True)
    setting.create({**declared, "name": setting.name}, tutorial=LESSON)
    (judge,) = setting.judges(1)
    setting.start()
    return judge.id


@state
def a_ranking_by_one_judge(setting: Setting) -> None:
    """There are comparisons, and no ratings."""
    judge = pilot(setting, "ranking")
    setting.kit(judge)


@state
def one_judgment_of_errors(setting: Setting) -> None:
    judge = pilot(setting, "mqm")
    setting.decide(judge, setting.next(judge))


@state
def as_many_controls_as_items(setting: Setting) -> None:
    """Only one kit is judged, of which half does not count in results."""
    kits = {"segments": 1, "controls": {"degraded": 3}}
    rating = task("da", wanted=2, kits=kits, one_system_per_segment=False)
    declared = plan(rating, tutorial="tutorial.jsonl", guest=True)
    setting.create({**declared, "name": setting.name}, tutorial=LESSON)
    judge, *_ = setting.judges(2)
    setting.start()
    setting.kit(judge.id)
    assert sum(bool(one.item.control) for one in setting.decisions()) == 3


@state
def a_case_of_one_task_settled(setting: Setting) -> None:
    filled(setting)
    settle(setting, "rating", 1)


@state
def one_of_two_tasks_settled(setting: Setting) -> None:
    filled(setting)
    settle(setting, "rating")


@state
def all_settled(setting: Setting) -> None:
    filled(setting)
    for name in TASKS:
        settle(setting, name)


@state
def stopped(setting: Setting) -> None:
    judge, _ = create(setting)
    setting.kit(judge)
    setting.decide(judge, setting.next(judge))
    change(setting, "stop", reason="The references are being repaired.")


@state
def one_task_stopped(setting: Setting) -> None:
    for judge in create(setting):
        setting.kit(judge)
    change(setting, "stop", task="rating")


@state
def one_task_closed(setting: Setting) -> None:
    judge, _ = create(setting)
    setting.kit(judge)
    setting.decide(judge, setting.next(judge))
    change(setting, "close", task="rating", phase="evaluation")


@state
def closed_before_it_began(setting: Setting) -> None:
    create(setting, start=False)
    change(setting, "close")


@state
def closed(setting: Setting) -> None:
    filled(setting)
    change(setting, "close", reason="Done.")


@state
def pause(setting: Setting) -> None:
    judge, _ = create(setting, sitting={"items": 2})
    setting.decide(judge, setting.next(judge))
    setting.decide(judge, setting.next(judge))


@state
def lease_over(setting: Setting) -> None:
    judge, other = create(setting, lease_minutes=1)
    setting.kit(judge)
    setting.decide(judge, setting.next(judge))
    setting.watch.pass_by(3600)
    setting.next(other)


@state
def given_back(setting: Setting) -> None:
    filled(setting)
    campaigns = setting.service.campaigns
    campaigns.give_back(setting.name, "p0", author=BOSS, reason="too quick")


@state
def done_again(setting: Setting) -> None:
    filled(setting)
    setting.service.campaigns.redo(setting.name, "p0", author=BOSS, reason="tired", task="rating")


@state
def judge_disabled(setting: Setting) -> None:
    filled(setting)
    setting.service.accounts.disable(setting.name, "p1", author=BOSS)


@state
def volunteer_pending(setting: Setting) -> None:
    create(setting)
    change_ = setting.service.campaigns.update
    change_(setting.name, {"registration": "ask"}, author=BOSS)
    setting.service.accounts.register(setting.name)


@state
def with_media_and_questionnaires(setting: Setting) -> None:
    """One judge has answered and begun, the other has not answered."""
    tags = {"media": "tone.wav", "context_media": "shop.png", "context_media_text": "A shop"}
    lines = [segment("paper1", n, tags=tags) for n in (1, 2)]
    files = {"media/tone.wav": tone(), "media/shop.png": picture()}
    files["set"] = jsonl([head(["paper1", "paper2"]), *lines, segment("paper2", 1)])
    judge, _ = create(setting, questionnaires=ASKED, files=files)
    told = {"native": "no", "spanish": 2}
    setting.service.questionnaires.answer(setting.name, judge, "before", told, consent=True)
    setting.kit(judge)
    setting.decide(judge, setting.next(judge))


@state
def people_from_a_platform(setting: Setting) -> None:
    """One has done all that is wanted of them, one has only come; there is room for no third."""
    codes = {"completion": {"code": "C-DONE", "url": "https://platform.test/?cc={code}"}}
    create(setting, judges=0, platform={"identity": "PID", "quota": 2, **codes}, start=False)
    setting.judges(2)
    setting.start()
    ann, _ = (setting.service.platforms.enter(setting.name, {"PID": one}) for one in ("ann", "bob"))
    setting.all_kits(ann.id)


@state
def judged_by_a_model_too(setting: Setting) -> None:
    filled(setting)
    for error, answers in (("", {"adequacy": 60}), ("no answer", {})):
        answer = NewModelAnswer(
            judge="tiny",
            model="tiny",
            task="rating",
            kit=1,
            index=0 if answers else 1,
            answers=answers,
            error=error,
            asked_at=setting.watch(),
        )
        assert setting.store.add_model_answer(setting.name, answer)
