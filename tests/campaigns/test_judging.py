"""What judges do, and every way in which they are refused."""

from datetime import timedelta

import msgspec
import pytest

from jurat.campaigns import Rest, Screen, Submission
from jurat.errors import InputError
from jurat.store import AlreadyDecided, KitGone, NotYours, OutOfTurn, PhaseNotStarted
from tests.campaigns.sample_campaigns import NAME, NOW, Setting, make_set, plan, task

TAPET = plan(task("tapet-adequacy", wanted=2))


def send(setting: Setting, judge: str, step: Screen, answers, position=1):
    sent = Submission(assignment=step.assignment, position=position, answers=answers)
    return setting.service.judging.submit(NAME, judge, sent)


WRONG = {
    "wrong": ({"adequacy": 8}, "8 is not a point"),
    "of another kind": ({"adequacy": "seven"}, "adequacy"),
    "missing": ({}, "'adequacy' is not answered"),
    "empty": ({"adequacy": None}, "'adequacy' is not answered"),
    "half": ({"adequacy": 7}, "'same-meaning' is not answered"),
    "unasked": ({"adequacy": 2, "same-meaning": "yes"}, "'same-meaning' is not asked"),
    "unknown": ({"adequacy": 2, "adequcy": 2}, "did you mean 'adequacy'"),
    "not to be chosen": ({"adequacy": 7, "same-meaning": "perhaps"}, "allowed: yes, no"),
}


@pytest.mark.parametrize(("answers", "words"), WRONG.values(), ids=WRONG)
def test_answers_are_checked(quick: Setting, answers, words):
    judge, *_ = quick.launch(TAPET)
    step = quick.next(judge)
    with pytest.raises(InputError, match=words):
        send(quick, judge, step, answers)
    assert not quick.decisions()
    assert quick.next(judge) == step


def test_all_that_is_wrong_is_said_at_once(quick: Setting):
    judge, *_ = quick.launch(plan(task("semantic-adequacy")))
    with pytest.raises(InputError) as refused:
        send(quick, judge, quick.next(judge), {"adequacy": 99, "fluency": 99, "extra": 1})
    assert len(refused.value.problems) == 4


@pytest.mark.parametrize(
    ("name", "answer"),
    [("post-edit", "nul \0"), ("post-edit", "\ud800"), ("ranking", [1, 2]), ("preference", "left")],
)
def test_odd_answers_are_refused(setting: Setting, name, answer):
    judge, *_ = setting.launch(plan(task(name)))
    step = setting.next(judge)
    (question,) = step.questions
    with pytest.raises(InputError, match=question):
        send(setting, judge, step, {question: answer})
    assert not setting.decisions()


def test_an_earlier_stage_cannot_be_answered_again_with_a_later_one(setting: Setting):
    judge, *_ = setting.launch(plan(task("informativeness")))
    _, second = setting.decide(judge, setting.next(judge))
    assert isinstance(second, Screen)
    assert second.stage == 1
    with pytest.raises(InputError, match="'message' is asked at an earlier stage"):
        send(setting, judge, second, {"informativeness": 3, "message": "another"}, 2)
    with pytest.raises(InputError, match="'informativeness' is not answered"):
        send(setting, judge, second, {}, 2)
    send(setting, judge, second, {"informativeness": 3}, 2)
    assert [sorted(one.answers) for one in setting.decisions()] == [
        ["message"],
        ["informativeness"],
    ]


def test_a_later_stage_cannot_be_answered_before(quick: Setting):
    judge, *_ = quick.launch(plan(task("informativeness")))
    with pytest.raises(InputError, match="later stage"):
        send(quick, judge, quick.next(judge), {"message": "so", "informativeness": 3})


def test_a_kit_is_its_judges_own(setting: Setting):
    one, other, *_ = setting.launch(TAPET)
    step = setting.next(one)
    sent = setting.sent(one, step)
    with pytest.raises(NotYours):
        setting.service.judging.submit(NAME, other, sent)
    with pytest.raises(NotYours):
        setting.service.judging.look_back(NAME, other, step.assignment, 1)
    with pytest.raises(NotYours):
        setting.service.judging.save_answers(NAME, other, step.assignment, 1, {"adequacy": 1})
    assert setting.revise(other, sent, revision=2).refused == "gone"
    with pytest.raises(NotYours):
        setting.service.judging.submit(
            NAME, one, msgspec.structs.replace(sent, assignment="no such")
        )
    assert not setting.decisions()


@pytest.mark.parametrize("position", [0, -1, 2, 99, 10**30])
def test_positions_come_in_turn(setting: Setting, position):
    judge, *_ = setting.launch(TAPET)
    step = setting.next(judge)
    with pytest.raises(InputError):
        send(setting, judge, step, {"adequacy": 1}, position)
    assert not setting.decisions()


def test_the_same_submission_twice_changes_nothing(setting: Setting):
    judge, *_ = setting.launch(TAPET)
    step = setting.next(judge)
    sent = setting.sent(judge, step)
    first, after = setting.service.judging.submit(NAME, judge, sent)
    again, same = setting.service.judging.submit(NAME, judge, sent)
    assert first.new
    assert not again.new
    assert again == msgspec.structs.replace(first, new=False)
    assert same == after
    assert len(setting.decisions()) == 1


def test_another_submission_for_what_was_decided_is_refused(setting: Setting):
    """He is told, and what was acknowledged stays."""
    judge, *_ = setting.launch(TAPET)
    step = setting.next(judge)
    setting.decide(judge, step, 0.9)
    before = setting.decisions()
    with pytest.raises(AlreadyDecided, match="step 1 was decided before, with other answers"):
        setting.decide(judge, step, 0.1)
    setting.kit(judge)
    with pytest.raises(AlreadyDecided):
        setting.decide(judge, step, 0.1)
    assert setting.decisions()[: len(before)] == before


def test_a_late_copy_of_a_finished_kits_decision_is_acknowledged(setting: Setting):
    judge, *_ = setting.launch(plan(task(kits={"documents": 2})), judges=3)
    step = setting.next(judge)
    sent = setting.sent(judge, step)
    setting.kit(judge)
    before = setting.decisions()
    again, rest = setting.service.judging.submit(NAME, judge, sent)
    assert not again.new
    assert isinstance(rest, Rest)
    with pytest.raises(OutOfTurn, match="the kit is done"):
        send(setting, judge, step, {"adequacy": 1}, len(before) + 1)
    assert setting.decisions() == before


@pytest.mark.parametrize("action", ["stop", "close"])
def test_a_shut_phase_refuses_with_its_reason(setting: Setting, action):
    judge, newcomer, *_ = setting.launch(TAPET)
    step = setting.next(judge)
    setting.service.campaigns.change_phases(
        NAME, action, author="boss", reason="The hall is flooded."
    )
    with pytest.raises(PhaseNotStarted, match=r"The hall is flooded\."):
        send(setting, judge, step, {"adequacy": 1})
    for one in (judge, newcomer):
        rest = setting.rest(one)
        assert rest.kind == ("waiting" if action == "stop" else "finished")
        assert rest.message.endswith(". The hall is flooded.")
    assert setting.judges(1)  # accounts can still be made
    if action == "stop":
        setting.start()
        assert setting.next(judge) == step
    else:
        with pytest.raises(InputError, match="closed, for good"):
            setting.start()


def test_who_has_begun_more_than_they_must_is_told_of_a_stop(setting: Setting):
    judge, *_ = setting.launch(plan(task(kits={"segments": 2})), judges=3)
    setting.kit(judge)
    setting.next(judge, go_on=True)
    setting.service.campaigns.change_phases(NAME, "stop", author="boss", reason="lunch")
    assert setting.rest(judge).message == "Not open right now: rating. lunch"
    assert setting.rest(judge, go_on=True).kind == "waiting"


def test_nothing_is_given_before_the_start(setting: Setting):
    setting.create()
    (judge, *_) = setting.judges(6)
    assert setting.rest(judge.id).kind == "waiting"


def test_a_disabled_account_does_nothing(setting: Setting):
    judge, *_ = setting.launch(TAPET)
    step = setting.next(judge)
    sent = setting.sent(judge, step)
    setting.service.accounts.disable(NAME, "p0", author="boss")
    for call in (
        lambda: setting.service.judging.next(NAME, judge),
        lambda: setting.service.judging.submit(NAME, judge, sent),
        lambda: setting.service.judging.look_back(NAME, judge, step.assignment, 1),
        lambda: setting.service.judging.save_answers(NAME, judge, step.assignment, 1, {}),
        lambda: setting.revise(judge, sent, revision=2),
    ):
        with pytest.raises(InputError, match="account is closed"):
            call()
    setting.service.accounts.disable(NAME, "p0", author="boss", disabled=False)
    assert setting.next(judge) == step


@pytest.mark.parametrize("role", ["adjudicator", "coordinator", "guest"])
def test_only_judges_judge(quick: Setting, role):
    quick.launch(TAPET)
    (other,) = quick.judges(1, role=role)
    with pytest.raises(InputError, match=f"an? {role}'s account"):
        quick.service.judging.next(NAME, other.id)


def test_strangers_and_unknown_campaigns(setting: Setting):
    setting.launch(TAPET)
    with pytest.raises(InputError, match="no such judge"):
        setting.service.judging.next(NAME, "nobody")
    with pytest.raises(InputError, match="did you mean 'try'"):
        setting.service.judging.next("tri", "nobody")


def test_drafts_are_kept_until_the_decision(setting: Setting):
    judge, *_ = setting.launch(TAPET)
    step = setting.next(judge)
    setting.service.judging.save_answers(NAME, judge, step.assignment, 1, {"adequacy": 3})
    assert setting.next(judge) == msgspec.structs.replace(step, saved={"adequacy": 3})
    setting.service.judging.save_answers(NAME, judge, step.assignment, 1, {"adequacy": 5})
    assert setting.next(judge).saved == {"adequacy": 5}
    with pytest.raises(OutOfTurn):
        setting.service.judging.save_answers(NAME, judge, step.assignment, 2, {})
    _, after = setting.decide(judge, step)
    assert isinstance(after, Screen)
    assert after.saved is None
    assert not [one for one in setting.decisions() if one.answers == {"adequacy": 5}]


def test_a_decision_can_be_changed_where_the_protocol_lets_it(setting: Setting):
    judge, *_ = setting.launch(plan(task("sqm")))
    step = setting.next(judge)
    setting.decide(judge, step, 0.9)
    back = setting.service.judging.look_back(NAME, judge, step.assignment, 1)
    assert back.translations == step.translations
    assert back.revision == 1
    assert back.answered == setting.decisions()[0].answers
    changed = Submission(assignment=step.assignment, position=1, answers={"quality": 1})
    decided = setting.revise(judge, changed, revision=2).decision
    assert decided is not None
    assert decided.new
    assert decided.revision == 2
    again = setting.revise(judge, changed, revision=2).decision
    assert again is not None
    assert not again.new
    old, new = setting.decisions()
    assert (old.status, new.status) == ("superseded", "valid")
    assert (new.answers, new.author) == ({"quality": 1}, "p0")
    assert old.answers == back.answered
    wrong = msgspec.structs.replace(changed, answers={"quality": 9})
    (problem,) = setting.revise(judge, wrong, revision=3).problems
    assert "9 is not a point" in problem.message
    early = msgspec.structs.replace(changed, position=2)
    (problem,) = setting.revise(judge, early, revision=2).problems
    assert "position 2" in problem.message


@pytest.mark.parametrize(
    ("declared", "may"),
    [(task("da"), False), (task("da", revise=True), True), (task("sqm", revise=False), False)],
)
def test_what_the_task_says_of_revising_goes_before_the_protocol(quick: Setting, declared, may):
    judge, *_ = quick.launch(plan(declared))
    step = quick.next(judge)
    sent = quick.sent(judge, step)
    quick.service.judging.submit(NAME, judge, sent)
    outcome = quick.revise(judge, sent, revision=2)
    if may:
        assert outcome.decision
    else:
        (problem,) = outcome.problems
        assert "decisions are final here" in problem.message
        assert len(quick.decisions()) == 1


@pytest.mark.parametrize("name", ["informativeness", "tcstar"])
def test_what_was_asked_without_the_reference_stays_once_that_was_seen(setting: Setting, name):
    judge, *_ = setting.launch(plan(task(name, revise=True, kits={"segments": 2})))
    step = setting.next(judge)
    sent = setting.sent(judge, step)
    setting.service.judging.submit(NAME, judge, sent)
    if name == "tcstar":  # the second stage comes after the whole kit's first
        assert setting.revise(judge, sent, revision=2).decision
        setting.decide(judge, setting.next(judge))
    assert setting.next(judge).references
    (problem,) = setting.revise(judge, sent, revision=3).problems
    assert "stays as it is" in problem.message


def test_times_are_the_servers(setting: Setting):
    declared = plan(task("tapet-adequacy", kits={"documents": 2}))
    judge, *_ = setting.launch(declared, set=make_set(2, 3))
    step: Screen | Rest = setting.next(judge)
    setting.watch.pass_by(7.5)
    setting.next(judge)  # to look again does not start the clock anew
    setting.watch.pass_by(2.5)
    answers = {"adequacy": 1}
    for active in (4.0, -3.0, float("nan"), 1e9):
        assert isinstance(step, Screen)
        sent = Submission(
            assignment=step.assignment,
            position=step.position,
            answers=answers,
            active_seconds=active,
            language="hi",
        )
        _, step = setting.service.judging.submit(NAME, judge, sent)
        setting.watch.pass_by(5)
    first, *others = setting.decisions()
    assert (first.shown_at, first.decided_at) == (NOW, NOW + timedelta(seconds=10))
    assert (first.seconds, first.active_seconds, first.language) == (10, 4.0, "hi")
    assert others
    assert [one.active_seconds for one in others] == [None] * len(others)
    assert [one.seconds for one in others] == [5] * len(others)


def test_a_rest_is_not_counted_as_judging(setting: Setting):
    judge, *_ = setting.launch(plan(task(kits={"documents": 2}), sitting={"items": 2}), judges=3)
    setting.decide(judge, setting.next(judge))
    _, rest = setting.decide(judge, setting.next(judge))
    assert isinstance(rest, Rest)
    assert rest.kind == "pause"
    setting.watch.pass_by(3600)
    setting.decide(judge, setting.next(judge))
    assert [one.seconds for one in setting.decisions()] == [10, 10, 10]


def test_a_kit_that_was_left_goes_to_another_and_nothing_is_doubled(setting: Setting):
    one, other, third = setting.launch(
        plan(task(kits={"documents": 2}), lease_minutes=60), judges=3
    )
    step = setting.next(one)
    _, after = setting.decide(one, step)
    assert isinstance(after, Screen)
    kit = setting.decisions()[0].kit
    setting.watch.pass_by(50 * 60)
    setting.kit(other)
    assert setting.decisions()[-1].kit != kit  # the lease is not over yet
    setting.watch.pass_by(80 * 60)
    assert {d.kit for d in setting.decisions() if d.judge == "p1"} != {kit}
    setting.kit(third)
    taken = {d.kit for d in setting.decisions() if d.judge == "p2"}
    assert taken == {kit}
    with pytest.raises(KitGone, match="another judge"):
        setting.decide(one, after)
    told = [(d.judge, d.status) for d in setting.decisions() if d.kit == kit and d.index == 0]
    assert told == [("p0", "excluded"), ("p2", "valid")]


def test_who_comes_back_late_goes_on_if_nobody_has_their_kit(setting: Setting):
    judge, *_ = setting.launch(plan(task(kits={"documents": 2}), lease_minutes=60), judges=3)
    _, after = setting.decide(judge, setting.next(judge))
    assert isinstance(after, Screen)
    setting.watch.pass_by(5 * 3600)
    assert setting.next(judge).position == 2
    setting.decide(judge, after)
    assert [(d.position, d.status) for d in setting.decisions()] == [(1, "valid"), (2, "valid")]


def test_feedback_is_kept(quick: Setting):
    judge, *_ = quick.launch(TAPET)
    quick.service.judging.feedback(NAME, judge, {"tool": "quick", "task": "long"})
    entry = quick.store.audit_log(NAME)[-1]
    assert (entry.action, entry.author, entry.at) == ("feedback", "p0", NOW)
    assert entry.details == {"tool": "quick", "task": "long"}


def test_a_restarted_service_goes_on_where_it_was(setting: Setting):
    judge, *_ = setting.launch(plan(task(kits={"documents": 1})), set=make_set(2, 3))
    _, after = setting.decide(judge, setting.next(judge))
    assert Setting(setting.store).next(judge) == after
