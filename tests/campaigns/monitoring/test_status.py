"""How a campaign stands: judges, forecast, what is missing, who is reminded.

Too few judges: told where places are left that nobody may take.
"""

from datetime import date, timedelta

import pytest

from jurat.campaigns import Screen
from jurat.campaigns.monitoring.on_track import on_track
from jurat.campaigns.monitoring.reminders import ACTION
from jurat.errors import InputError
from tests.campaigns.sample_campaigns import NAME, NOW, Setting, make_set, plan, task

LESSON = make_set(1, 1, kind="lesson")
LINK = "https://example.org/c/try/"


def codes(setting: Setting, pin: str) -> list[str]:
    (judge,) = [j for j in setting.service.monitoring.status(NAME).judges if j.account.pin == pin]
    return [remark.code for remark in judge.remarks]


def test_everybody_at_the_start(setting: Setting):
    setting.launch(plan(task(wanted=2, required={"evaluation": 2})), judges=6)
    seen = setting.service.monitoring.status(NAME)
    (phase,) = seen.phases
    assert (seen.done, seen.wanted) == (0, 24)
    assert [(one.done, one.left, one.decisions) for one in seen.judges] == [(0, 2, 0)] * 6
    assert all(one.has_work and one.last_seen is None for one in seen.judges)
    assert (seen.hours_left, seen.history, seen.shortages) == (None, (), ())
    assert seen.forecast.reason == "nothing was decided lately"
    assert seen.remarks == ()
    assert (phase.wanted, phase.done) == (12, 0)


def test_in_the_middle(setting: Setting):
    judges = setting.launch(plan(task(wanted=2, required={"evaluation": 2})), judges=6)
    for judge in judges[:4]:
        setting.kit(judge)
    setting.watch.pass_by(30)
    seen = setting.service.monitoring.status(NAME)
    first = seen.judges[0]
    assert (first.done, first.left, first.decisions, first.returned) == (1, 1, 2, 0)
    assert first.last_seen == NOW + timedelta(seconds=20)
    assert first.pace == (2, 2)
    assert first.seconds == 10.0
    assert (seen.done, seen.wanted) == (8, 24)
    # 4 kits of 2 decisions in the hour, 16 decisions left
    assert seen.history == (8,)
    assert seen.forecast.left == 16
    assert seen.forecast.when == seen.now + timedelta(hours=2)
    assert seen.hours_left is None  # eight times are too few to tell
    for judge in judges[4:]:
        setting.kit(judge)
    seen = setting.service.monitoring.status(NAME)
    assert seen.hours_left == pytest.approx(12 * 10 / 3600)
    assert seen.judges[0].time_left == timedelta(seconds=20)


def test_when_all_is_done(quick: Setting):
    judges = quick.launch(plan(task(wanted=2, required={"evaluation": 2})), judges=6)
    for judge in judges:
        quick.all_kits(judge)
    seen = quick.service.monitoring.status(NAME)
    assert (seen.done, seen.wanted, seen.forecast.left) == (24, 24, 0)
    assert not any(one.has_work for one in seen.judges)
    assert seen.remarks == ()
    assert quick.service.monitoring.reminders(NAME, link=LINK, after=timedelta()) == []


def test_days_are_the_measure_of_an_older_campaign(quick: Setting):
    judges = quick.launch(plan(task(wanted=2, required={"evaluation": 2})), judges=6)
    quick.kit(judges[0])
    quick.watch.pass_by(5 * 86400)
    quick.kit(judges[1])
    seen = quick.service.monitoring.status(NAME)
    assert seen.history == (2, 0, 0, 0, 0, 2)
    assert seen.forecast.width == timedelta(days=1)
    assert seen.forecast.per_day == pytest.approx(4 / 6)
    assert on_track(seen, None).code == "ends"


def test_a_task_that_is_complete_does_not_hide_that_the_others_are_stopped(quick: Setting):
    judges = quick.launch(plan(task(name="first"), task(name="second")), judges=6)
    quick.service.campaigns.change_phases(NAME, "stop", author="boss", task="second")
    for judge in judges:
        quick.all_kits(judge)
    seen = quick.service.monitoring.status(NAME)
    assert [p.decisions < p.wanted_decisions for p in seen.phases] == [False, True]
    assert on_track(seen, None).code == "stopped"


def test_tutorials_alone_are_no_delay_until_nobody_comes(quick: Setting):
    declared = plan(task(required={"tutorial": 1, "evaluation": 1}), tutorial="tutorial.jsonl")
    judge, *_ = quick.launch(declared, judges=6, tutorial=make_set(1, 1, kind="lesson"))
    assert on_track(quick.service.monitoring.status(NAME), None).code == "no-judgments"
    quick.kit(judge)
    track = on_track(quick.service.monitoring.status(NAME), None)
    assert (track.code, track.level) == ("none-counts", "warning")
    quick.watch.pass_by(4 * 86400)
    track = on_track(quick.service.monitoring.status(NAME), None)
    assert (track.code, track.level) == ("quiet", "problem")


def test_too_few_judges_are_missed(setting: Setting):
    setting.launch(plan(task(wanted=2)), judges=6)
    setting.service.accounts.disable(NAME, "p0", author="boss")
    seen = setting.service.monitoring.status(NAME)
    (shortage,) = seen.shortages
    # two documents with three systems each want six judges
    assert (shortage.task, shortage.kits, shortage.judges) == ("rating", 2, 1)
    assert [remark.code for remark in seen.remarks] == ["too-few-judges", "unasked"]


def test_a_pace_does_not_hide_kits_that_no_judge_can_do(quick: Setting):
    judges = quick.launch(plan(task(wanted=2)), judges=6)
    quick.kit(judges[1])
    # nobody is required to do the kits that are left
    track = on_track(quick.service.monitoring.status(NAME), date(2030, 1, 1))
    assert (track.code, track.level) == ("unasked", "warning")
    assert track.when
    quick.service.accounts.disable(NAME, "p0", author="boss")
    track = on_track(quick.service.monitoring.status(NAME), date(2030, 1, 1))
    assert (track.code, track.level, track.when) == ("lacks-judges", "warning", None)
    for judge in judges[1:]:
        quick.all_kits(judge, 0.5)
    track = on_track(quick.service.monitoring.status(NAME), None)
    assert (track.code, track.level) == ("lacks-judges", "problem")


def test_what_nobody_is_required_to_do_is_told(quick: Setting):
    quick.launch(plan(task(wanted=2)), judges=6)
    (remark,) = quick.service.monitoring.status(NAME).remarks
    # 12 kits are wanted, and each of six judges has to do one
    assert (remark.code, remark.values) == ("unasked", {"task": "rating", "count": 6})


def test_idle_and_never_seen(quick: Setting):
    judges = quick.launch(plan(task(wanted=2, required={"evaluation": 2})), judges=6)
    quick.kit(judges[0])
    quick.watch.pass_by(2.9 * 86400)
    assert codes(quick, "p0") == codes(quick, "p1") == []
    quick.watch.pass_by(86400)
    assert (codes(quick, "p0"), codes(quick, "p1")) == (["idle"], ["never"])
    idle = quick.service.monitoring.status(NAME).judges[0].remarks[0]
    assert idle.values == {"count": 3}
    quick.store.login_succeeded(NAME, judges[1], now=quick.watch())
    assert codes(quick, "p1") == []
    quick.service.campaigns.change_phases(NAME, "stop", author="boss")
    assert codes(quick, "p0") == []  # who has nothing to do is not idle


def test_accounts_in_trouble(quick: Setting):
    judges = quick.launch(plan(task(wanted=2)), judges=6)
    for _ in range(5):
        quick.store.login_attempted(
            NAME, judges[0], most=5, lock=timedelta(minutes=15), now=quick.watch()
        )
    quick.service.accounts.disable(NAME, "p1", author="boss")
    quick.kit(judges[2])
    quick.kit(judges[2], go_on=True)
    quick.service.campaigns.give_back(NAME, "p2", author="boss", reason="")
    assert codes(quick, "p0") == ["locked"]
    assert codes(quick, "p1") == ["disabled"]
    # what a coordinator takes from a judge is no fault of theirs
    assert codes(quick, "p2") == []


def test_who_leaves_kits_is_told(quick: Setting):
    declared = plan(task(wanted=1, one_system_per_segment=False, required={"evaluation": 4}))
    one, other = quick.launch(declared, judges=2, set=make_set(4, 1))
    for _ in range(2):
        quick.next(one)
        quick.watch.pass_by(86400)
        quick.kit(other)  # which is the one that was left
    assert codes(quick, "p0") == ["abandoned"]


def test_far_quicker_and_far_slower(quick: Setting):
    kits = {"wanted": 4, "kits": {"documents": 2}, "one_system_per_segment": False}
    declared = plan(task("sqm", required={"evaluation": 4}, **kits))
    judges = quick.launch(declared, judges=4, set=make_set(6, 4))
    for judge, seconds in zip(judges, (10, 11, 4, 30), strict=True):
        step = quick.service.judging.next(NAME, judge)
        while isinstance(step, Screen):
            quick.watch.pass_by(seconds)
            _, step = quick.service.judging.submit(NAME, judge, quick.sent(judge, step))
    assert [codes(quick, f"p{n}") for n in range(4)] == [[], [], ["quick"], ["slow"]]


def test_adjudicators_are_no_judges_and_volunteers_may_wait(quick: Setting):
    quick.launch(plan(task(wanted=2), registration="ask"), judges=6)
    quick.judges(1, role="adjudicator")
    slip = quick.service.accounts.register(NAME)
    seen = quick.service.monitoring.status(NAME)
    assert len(seen.judges) == 7
    assert codes(quick, slip.pin) == ["pending"]
    assert not seen.judges[-1].has_work


def test_what_others_have_done_needs_nobody(quick: Setting):
    declared = plan(task("sqm", required={"evaluation": 3}), task("da") | {"name": "later"})
    judges = quick.launch(declared, judges=6)
    for judge in judges[:3]:
        quick.all_kits(judge)
    seen = {one.account.pin: one for one in quick.service.monitoring.status(NAME).judges}
    # every kit is done: who has done fewer than were required is not waited for
    assert {(one.left, one.next) for one in seen.values()} == {(0, None)}
    quick.service.campaigns.give_back(NAME, "p0", author="boss", reason="", task="later")
    seen = {one.account.pin: one for one in quick.service.monitoring.status(NAME).judges}
    assert seen["p5"].next is not None
    assert (seen["p5"].next.task, seen["p5"].left) == ("later", 1)
    # they have had that kit, and get no other
    assert seen["p0"].next is None
    due = quick.service.monitoring.reminders(NAME, link=LINK, after=timedelta())
    assert {one.judge.account.pin for one in due} == {"p3", "p4", "p5"}


def test_reminders(setting: Setting):
    declared = plan(
        task("sqm", wanted=2, required={"tutorial": 1, "evaluation": 2}),
        title="News & views",
        contact={"name": "Ada", "address": "ada@example.org"},
        tutorial="tutorial.jsonl",
    )
    judges = setting.launch(declared, judges=6, tutorial=LESSON)
    setting.kit(judges[0])
    setting.watch.pass_by(3 * 86400)
    setting.kit(judges[1])
    found = setting.service.monitoring.reminders(NAME, link=LINK)
    assert [one.judge.account.pin for one in found] == ["p2", "p3", "p4", "p5", "p0"]
    email = found[-1].email
    assert email.subject == "News & views: your judgments are needed"
    assert email.body.splitlines() == [
        "Hello, judge p0,",
        "",
        "You still have 2 kits to do in the evaluation “News & views”.",
        "You have already done one kit. Thank you!",
        "",
        "Continue here with your PIN and password:",
        LINK,
        "",
        "If you can't continue or have lost your password, please write to Ada, ada@example.org.",
        "Thank you for your help.",
    ]
    # given by hand: noted, and not asked for again before some days have gone by
    assert setting.service.monitoring.remind(NAME, [email], mail_server=None, author="boss") == {}
    after = [one.judge.account.pin for one in setting.service.monitoring.reminders(NAME, link=LINK)]
    assert after == ["p2", "p3", "p4", "p5"]
    (entry,) = setting.store.logged(NAME, ACTION)
    assert (entry.author, entry.details) == ("boss", {"pins": ["p0"], "by": "hand"})
    setting.watch.pass_by(2 * 86400)
    again = setting.service.monitoring.reminders(NAME, link=LINK)
    assert {one.judge.account.pin: one.last for one in again}["p0"] == entry.at


def test_reminders_speak_the_campaigns_language_or_another(quick: Setting):
    quick.launch(plan(task(wanted=2), language="es"), judges=6)
    (*_, last) = quick.service.monitoring.reminders(NAME, link=LINK, after=timedelta())
    assert last.email.body.startswith("Hola, p5:")
    (*_, last) = quick.service.monitoring.reminders(
        NAME, link=LINK, after=timedelta(), language="zh"
    )
    assert "1 个任务包" in last.email.body
    (*_, last) = quick.service.monitoring.reminders(
        NAME, link=LINK, after=timedelta(), language="xx"
    )
    assert last.email.body.startswith("Hello")


def test_addresses(setting: Setting):
    setting.launch(plan(task(wanted=2)), judges=6)
    setting.service.accounts.set_address(NAME, "p1", "eva@example.org", author="boss")
    found = {one.judge.account.pin: one.email.address for one in reminded(setting)}
    assert found == {"p0": "", "p1": "eva@example.org"} | {f"p{n}": "" for n in range(2, 6)}
    told = [entry.details for entry in setting.store.logged(NAME, "change judge")]
    assert told == [{"pin": "p1", "address": "changed"}]
    setting.service.accounts.set_address(NAME, "p1", "", author="boss")
    assert {one.email.address for one in reminded(setting)} == {""}
    for wrong in ("eva", "eva@", "a b@example.org", "eva@example.org\nBcc: x@y"):
        with pytest.raises(InputError, match="not an email address"):
            setting.service.accounts.set_address(NAME, "p1", wrong, author="boss")
    with pytest.raises(InputError, match="unknown judge"):
        setting.service.accounts.set_address(NAME, "nobody", "", author="boss")


def reminded(setting: Setting):
    return setting.service.monitoring.reminders(NAME, link=LINK, after=timedelta())


def test_campaigns_side_by_side(setting: Setting):
    judges = setting.launch(plan(task(wanted=2)), judges=6)
    setting.create({**plan(task(wanted=1)), "name": "other"})
    setting.kit(judges[0])
    first, second = setting.service.campaigns.counts()
    assert (first.campaign, first.done, first.wanted) == (NAME, 2, 24)
    assert (first.begun, first.judges) == (1, 6)
    assert first.last == setting.watch.now
    assert second == ("other", 12, 0, 0, 0, None, 0)
