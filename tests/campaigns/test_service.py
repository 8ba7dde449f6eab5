"""What coordinators do: audit, start, stop, close, redo, give back; and volunteers."""

from functools import partial

import pytest

from jurat.campaigns import Screen, Service
from jurat.campaigns.service_context import NotAccepted
from jurat.errors import InputError
from jurat.store import KitGone
from tests.campaigns.sample_campaigns import NAME, Setting, make_set, plan, task

TWO = plan(
    task("da", required={"tutorial": 1}),
    task("preference") | {"name": "choosing"},
    tutorial="tutorial.jsonl",
)
LESSON = make_set(1, 1, kind="lesson")


def states(setting: Setting):
    return {(p.task, p.phase): p.state for p in setting.store.campaign(NAME).phases}


def test_what_cannot_be_finished_is_not_started(quick: Setting):
    quick.create(plan(task(wanted=2, kits={"documents": 2})))
    quick.judges(5)
    with pytest.raises(InputError, match="need 6 different judges"):
        quick.start()
    assert set(states(quick).values()) == {"ready"}
    assert quick.service.campaigns.audit(NAME).errors
    quick.judges(1)
    quick.start()
    assert set(states(quick).values()) == {"started"}


def test_disabled_judges_and_other_roles_do_not_count(quick: Setting):
    quick.create()
    quick.judges(3)
    quick.judges(5, role="adjudicator")
    assert not quick.service.campaigns.audit(NAME).errors
    quick.service.accounts.disable(NAME, "p0", author="boss")
    assert quick.service.campaigns.audit(NAME).errors


def test_phases_one_by_one(setting: Setting):
    setting.create(TWO, tutorial=LESSON)
    setting.judges(6)
    act = setting.service.campaigns.change_phases
    assert act(NAME, "start", author="boss", task="rating", phase="tutorial") == [
        ("rating", "tutorial")
    ]
    assert act(NAME, "start", author="boss", task="choosing") == [
        ("choosing", "tutorial"),
        ("choosing", "evaluation"),
    ]
    act(NAME, "close", author="boss", phase="tutorial", reason="over")
    assert states(setting) == {
        ("rating", "tutorial"): "closed",
        ("rating", "evaluation"): "ready",
        ("choosing", "tutorial"): "closed",
        ("choosing", "evaluation"): "started",
    }
    assert act(NAME, "start", author="boss") == [
        ("rating", "evaluation"),
        ("choosing", "evaluation"),
    ]
    with pytest.raises(InputError, match="closed, for good"):
        act(NAME, "start", author="boss", phase="tutorial")
    with pytest.raises(InputError, match="did you mean 'rating'"):
        act(NAME, "stop", author="boss", task="ratings")
    log = [(e.author, e.details) for e in setting.store.audit_log(NAME) if e.action == "set phase"]
    assert len(log) == 7
    assert {author for author, _ in log} == {"boss"}


def test_a_phase_that_is_not_there(quick: Setting):
    quick.create()
    with pytest.raises(InputError, match="there is no tutorial"):
        quick.service.campaigns.change_phases(NAME, "start", author="boss", phase="tutorial")


def test_given_back_kits_go_to_others_and_old_rows_stay(setting: Setting):
    judges = setting.launch(plan(task(kits={"documents": 2})), judges=3)
    late = setting.judges(1)[0].id
    for judge in judges:
        setting.kit(judge)
    before = setting.decisions()
    assert (
        setting.service.campaigns.give_back(NAME, "p0", author="boss", reason="did not look") == 1
    )
    assert setting.rest(judges[0], go_on=True).kind == "finished"  # not to the same again
    setting.kit(late)
    after = setting.decisions()
    assert [one.number for one in after[: len(before)]] == [one.number for one in before]
    gone = [one for one in after if one.judge == "p0"]
    assert {one.status for one in gone} == {"excluded"}
    assert {one.reason for one in gone} == {"did not look"}
    valid = [one for one in after if one.status == "valid"]
    assert len(valid) == len({(one.kit, one.index) for one in valid}) == 12
    table = setting.service.campaigns.tables(NAME)["judgments"]
    assert table["status"].value_counts(sort=True)["count"].to_list() == [12, 4]


def test_unfinished_kits_alone_can_be_given_back(setting: Setting):
    judge, *_ = setting.launch(plan(task(kits={"segments": 2})))
    setting.kit(judge)
    step = setting.next(judge, go_on=True)
    done = setting.service.campaigns.give_back(
        NAME, "p0", author="boss", reason="away", finished=False
    )
    assert done == 1
    with pytest.raises(KitGone, match="away"):
        setting.decide(judge, step)
    assert {one.status for one in setting.decisions()} == {"valid"}


def test_a_judge_does_their_kits_again(setting: Setting):
    judge, *_ = setting.launch(plan(task(kits={"documents": 2})), judges=3)
    first = setting.kit(judge, 0.9)
    assert setting.service.campaigns.redo(NAME, "p0", author="boss", reason="in a hurry") == 1
    second = setting.kit(judge, 0.3)
    assert [s.translations for s in first] == [s.translations for s in second]
    assert {s.assignment for s in first}.isdisjoint(s.assignment for s in second)
    old, new = setting.decisions()[:4], setting.decisions()[4:]
    assert {one.status for one in old} == {"excluded"}
    assert {one.status for one in new} == {"valid"}
    assert {one.answers["adequacy"] for one in old} == {90}
    assert {one.answers["adequacy"] for one in new} == {30}
    assert setting.rest(judge).kind == "finished"


def test_what_is_read_without_help_is_not_asked_again_of_who_knows_the_reference(quick: Setting):
    fluency, adequacy = (task(f"ldc-{name}") | {"name": name} for name in ("fluency", "adequacy"))
    stages = task("tcstar")
    judge, other, *_ = quick.launch(plan(fluency, adequacy, stages), judges=9)
    quick.kit(judge)
    redo = partial(quick.service.campaigns.redo, NAME, author="boss", reason="r")
    assert redo("p0", task="fluency") == 1
    quick.kit(judge)
    quick.kit(judge)  # adequacy
    with pytest.raises(InputError, match="task fluency: the judge has seen the references"):
        redo("P0 ", task="fluency")
    with pytest.raises(InputError, match="give the kits back instead"):
        redo("p0")
    assert redo("p0", task="adequacy") == 1
    back = quick.service.campaigns.give_back(NAME, "p0", author="boss", reason="r", task="fluency")
    assert back == 1
    assert redo("p0") == 0  # what is left has not been begun
    quick.kit(other)
    assert redo("p1") == 1


def test_nothing_is_given_back_or_done_again_of_a_task_that_there_is_not(quick: Setting):
    quick.launch()
    for repair in (quick.service.campaigns.give_back, quick.service.campaigns.redo):
        with pytest.raises(InputError, match=r"unknown task 'ratin'.*did you mean 'rating'"):
            repair(NAME, "p0", author="boss", reason="r", task="ratin")
        assert repair(NAME, "p0", author="boss", reason="r", task="rating") == 0


def test_what_was_stored_is_what_counts(setting: Setting, monkeypatch):
    """Whatever kits a later Jurat would build from the same seed."""
    tasks = [task("ldc-fluency"), task("ldc-adequacy") | {"name": "adequacy"}]
    setting.create(
        plan(*tasks, guest=True, tutorial="lesson.jsonl"), lesson=make_set(1, 1, kind="lesson")
    )
    judge = setting.judges(6)[0].id
    monkeypatch.delattr("jurat.kits.build.build")
    service = Service(setting.store, clock=setting.watch)
    assert [coverage.kits for coverage in service.campaigns.audit(NAME).tasks] == [3, 6, 3, 6]
    service.campaigns.change_phases(NAME, "start", author="boss")
    lesson = next(setting.store.kits(NAME, task="rating", phase="tutorial"))
    (shown,) = service.guests.screens(NAME, "rating")
    assert shown.translations == tuple(each.text for each in lesson.items[0].translations)
    step = service.judging.next(NAME, judge)
    assert isinstance(step, Screen)
    assert step.task == "rating"


def test_volunteers_register_where_the_campaign_takes_them(setting: Setting):
    setting.create(plan(registration=True))
    slip = setting.service.accounts.register(NAME)
    assert setting.service.accounts.log_in(NAME, slip.pin, slip.password).role == "judge"
    setting.create(plan(name="closed"))
    with pytest.raises(InputError, match="registration is closed"):
        setting.service.accounts.register("closed")
    assert not setting.store.judges("closed")


def test_volunteers_wait_where_the_coordinator_wants_to_be_asked(setting: Setting):
    setting.create(plan(registration="ask"))
    slip = setting.service.accounts.register(NAME)
    account = setting.service.accounts.log_in(NAME, slip.pin, slip.password)
    setting.judges(2)
    assert setting.service.campaigns.audit(NAME).tasks[0].judges == 2
    setting.start()
    with pytest.raises(NotAccepted, match="has to accept you first"):
        setting.next(account.id)
    setting.service.accounts.accept(NAME, slip.pin, author="boss")
    assert setting.next(account.id)
    assert setting.service.campaigns.audit(NAME).tasks[0].judges == 3


def test_progress(setting: Setting):
    judge, *_ = setting.launch(plan(task(wanted=2)))
    setting.kit(judge)
    setting.next(judge, go_on=True)
    progress = setting.service.monitoring.progress(NAME)
    (phase,) = progress.phases
    assert (phase.kits, phase.wanted, phase.open, phase.done, phase.decisions) == (6, 12, 1, 1, 2)
    (tally,) = progress.judges
    assert (tally.judge, tally.decisions, tally.timed, tally.timed_seconds) == (judge, 2, 2, 20.0)
    assert tally.last == setting.watch()


def test_the_audit_learns_how_long_decisions_take(quick: Setting):
    judges = quick.launch(plan(task(wanted=2)), judges=6, set=make_set(3, 3))
    before = quick.service.campaigns.audit(NAME).hours
    for judge in judges:
        quick.all_kits(judge)
    assert quick.service.campaigns.audit(NAME).hours == pytest.approx(54 * 10 / 3600)
    assert before != quick.service.campaigns.audit(NAME).hours
