"""Parameters change while a campaign runs; what cannot change any more says why."""

from datetime import timedelta

import pytest

from jurat.campaigns import Rest, Service
from jurat.campaigns.update import WHY
from jurat.errors import InputError
from jurat.store import CampaignChanged
from tests.campaigns.sample_campaigns import NAME, Setting, make_set, plan, task

LESSON = make_set(2, 1, kind="lesson")


def two(setting: Setting, judges: int = 6, **more: object) -> list[str]:
    """A campaign of two tasks with a tutorial, not started; its judges."""
    tasks = [task("da", required={"tutorial": 1}), task("preference") | {"name": "choosing"}]
    setting.create(plan(*tasks, tutorial="lesson.jsonl", **more), lesson=LESSON)
    return [one.id for one in setting.judges(judges)]


def refusal(setting: Setting, **parameters: object) -> dict[str | None, str]:
    before = setting.store.campaign(NAME)
    with pytest.raises(InputError) as refused:
        setting.service.campaigns.update(NAME, parameters, author="Ada")
    assert setting.store.campaign(NAME) == before
    return {problem.field: problem.message for problem in refused.value.problems}


def test_parameters_change_and_the_log_tells_of_it(setting: Setting):
    setting.create()
    parameters = {
        "title": "Spring",
        "contact": {"name": "Ada"},
        "guest": True,
        "sitting.items": 5,
        "language": "hi",
        "shading": False,
        "registration": "ask",
        "lease_minutes": 10,
        "tasks.1.revise": True,
        "tasks.1.required": {"evaluation": 2},
    }
    plan_ = setting.service.campaigns.update(NAME, parameters, author="Ada")
    assert plan_ == setting.service.campaigns.plan(NAME)
    assert (plan_.title, plan_.contact.name, plan_.sitting.items) == ("Spring", "Ada", 5)
    assert (plan_.guest, plan_.language, plan_.shading) == (True, "hi", False)
    assert (plan_.registration, plan_.lease_minutes) == ("ask", 10)
    assert (plan_.tasks[0].revise, plan_.tasks[0].required.evaluation) == (True, 2)
    stored = setting.store.campaign(NAME)
    assert (stored.title, stored.edition) == ("Spring", 2)
    entry = setting.store.audit_log(NAME)[-1]
    assert (entry.author, entry.action) == ("Ada", "change parameters")
    assert entry.details == {
        "title": ["", "Spring"],
        "contact.name": ["", "Ada"],
        "guest": [False, True],
        "sitting.items": [None, 5],
        "language": ["", "hi"],
        "shading": [True, False],
        "registration": [False, "ask"],
        "lease_minutes": [240, 10],
        "tasks.1.revise": [None, True],
        "tasks.1.required.evaluation": [1, 2],
    }
    setting.service.campaigns.update(
        NAME, {"lease_minutes": None, "contact.name": None}, author="Ada"
    )
    assert setting.service.campaigns.plan(NAME).lease_minutes == 240
    assert Service(setting.store).campaigns.plan(NAME) == setting.service.campaigns.plan(NAME)


def test_what_stays_the_same_is_no_change(quick: Setting):
    quick.create(plan(task("da"), seed=3))
    same = {"seed": 3, "name": NAME, "shading": True, "tasks": [task("da", wanted=1)], "title": ""}
    quick.service.campaigns.update(NAME, same, author="Ada")
    assert quick.store.campaign(NAME).edition == 1
    assert [entry.action for entry in quick.store.audit_log(NAME)] == ["create"]


def test_faults_are_told_by_field(quick: Setting):
    quick.create()
    found = refusal(quick, lease_minutes=0, language="xx", **{"sitting.items": "many", "x": 1})
    assert "expected a whole number" in found["sitting.items"]
    assert "unknown field 'x'" in found["x"]
    assert "a year" not in refusal(quick, lease_minutes=0)["lease_minutes"]
    assert "unknown language 'xx'" in refusal(quick, language="xx")["language"]
    assert "is not allowed here" in refusal(quick, registration="aks")["registration"]


def test_what_kits_are_made_from_is_locked(quick: Setting):
    two(quick)
    locked = {field: str(lock) for field, lock in quick.service.campaigns.locked(NAME).items()}
    kits = WHY["kits"]
    for field in ("seed", "test_set", "tutorial", "human_references", "tasks.2.wanted"):
        assert locked[field] == kits
    assert {*locked} & {"title", "guest", "own_site", "tasks.1.revise", "tasks.1.required"} == set()
    assert refusal(quick, seed=9) == {"seed": f"this can no longer be changed: {kits}"}
    given = {"tasks.1.kits.documents": 2, "tasks.2.policy": "adaptive", "name": "x"}
    found = refusal(quick, **given)
    assert {field: message.partition(": ")[2] for field, message in found.items()} == {
        "tasks.1.kits.documents": kits,
        "tasks.2.policy": WHY["given"],
        "name": WHY["address"],
    }
    assert set(refusal(quick, tasks=[task("da", required={"tutorial": 1})])) == {"tasks"}


def test_what_locks_when_judges_begin(quick: Setting):
    judges = two(quick)
    dynamic = ("own_site", "tasks.1.required.tutorial", "tasks.2.required.tutorial")
    assert not {*dynamic} & {*quick.service.campaigns.locked(NAME)}
    quick.service.campaigns.update(
        NAME, {"own_site": "avoid", "tasks.1.required.tutorial": 2}, author="Ada"
    )
    quick.service.campaigns.update(NAME, {"tasks.1.required.tutorial": 1}, author="Ada")
    quick.start()
    assert quick.next(judges[0]).phase == "tutorial"
    assert not {*dynamic} & {*quick.service.campaigns.locked(NAME)}
    quick.kit(judges[0])
    assert quick.next(judges[0]).phase == "evaluation"
    locked = quick.service.campaigns.locked(NAME)
    assert [locked[field].code for field in dynamic[:2]] == ["begun", "begun"]
    assert dynamic[2] not in locked
    assert WHY["begun"] in refusal(quick, own_site="include")["own_site"]
    quick.service.campaigns.change_phases(NAME, "close", author="boss", task="choosing")
    assert quick.service.campaigns.locked(NAME)["tasks.2.required.evaluation"].code == "closed"


def test_without_a_tutorial_none_can_be_required(quick: Setting):
    quick.create()
    field = "tasks.1.required.tutorial"
    assert quick.service.campaigns.locked(NAME)[field].code == "no-tutorial"
    assert "no tutorial set" in refusal(quick, **{field: 1})[field]


def test_nobody_is_sent_back_to_an_earlier_task(quick: Setting):
    judges = two(quick)
    quick.start()
    field = "tasks.1.required.evaluation"
    quick.service.campaigns.update(NAME, {field: 2}, author="Ada")
    for _ in range(3):
        quick.kit(judges[0])
    assert quick.next(judges[0]).task == "choosing"
    assert "have begun 'choosing'" in refusal(quick, **{field: 3})[field]
    quick.service.campaigns.update(NAME, {field: 1, "tasks.2.required.evaluation": 2}, author="Ada")


def test_what_would_keep_it_from_its_end_is_refused_while_it_runs(quick: Setting):
    two(quick)
    quick.start()
    (message,) = refusal(quick, **{"tasks.1.required.tutorial": 5}).values()
    assert "5 tutorial kits must be done" in message
    quick.service.campaigns.change_phases(NAME, "stop", author="boss")
    quick.service.campaigns.update(NAME, {"tasks.1.required.tutorial": 5}, author="Ada")
    with pytest.raises(InputError, match="5 tutorial kits"):
        quick.start()


def test_judges_go_on_by_the_new_parameters(setting: Setting):
    judge, *_ = setting.launch(plan(task("da", kits={"segments": 1})))
    there = Service(setting.store, clock=setting.watch)
    there.campaigns.plan(NAME)
    setting.service.campaigns.update(
        NAME, {"sitting.items": 1, "tasks.1.required.evaluation": 2}, author="Ada"
    )
    setting.watch.pass_by(3)
    step = there.judging.next(NAME, judge)
    assert not isinstance(step, Rest)
    sent = setting.sent(judge, step)
    _, rest = there.judging.submit(NAME, judge, sent)
    assert isinstance(rest, Rest)
    assert rest.code == "break"
    setting.watch.pass_by(timedelta(hours=1).total_seconds())
    assert not isinstance(there.judging.next(NAME, judge), Rest)  # a second kit is required now


def test_two_who_change_at_once(setting: Setting, monkeypatch):
    setting.create()
    stale = setting.store.campaign(NAME)
    setting.service.campaigns.update(NAME, {"guest": True}, author="Ada")
    monkeypatch.setattr(setting.store, "campaign", lambda _: stale)
    with pytest.raises(CampaignChanged, match="in the meantime"):
        setting.service.campaigns.update(NAME, {"title": "x"}, author="Grace")
