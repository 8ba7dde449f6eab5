"""When a decision was made and how long it took, with clocks that the tests control."""

from datetime import timedelta
from math import inf, nan
from typing import Any

import pytest

from jurat import protocols
from jurat.campaigns import Rest, Screen, Submission
from tests.campaigns.sample_campaigns import NAME, NOW, Setting, make_set, plan, task

LONG = make_set(1, 6)
KIT = plan(task("tapet-adequacy", kits={"documents": 1}), lease_minutes=60)


def after(seconds: float):
    return NOW + timedelta(seconds=seconds)


def send(setting: Setting, judge: str, step: Screen, **times: Any) -> Screen:
    sent = Submission(
        assignment=step.assignment, position=step.position, answers={"adequacy": 1}, **times
    )
    _, then = setting.service.judging.submit(NAME, judge, sent)
    assert isinstance(then, Screen)
    return then


def begun(setting: Setting, declared=KIT) -> tuple[str, Screen]:
    judge, *_ = setting.launch(declared, set=LONG)
    return judge, setting.next(judge)


def test_a_decision_that_came_at_once_is_timed_by_the_server(setting: Setting):
    judge, step = begun(setting)
    setting.watch.pass_by(12)
    then = send(setting, judge, step, active_seconds=9, elapsed_seconds=11.9, waited_seconds=0)
    setting.watch.pass_by(8)
    send(setting, judge, then)
    first, second = setting.decisions()
    assert (first.shown_at, first.decided_at) == (NOW, after(12))
    assert (first.seconds, first.active_seconds) == (12, 9)
    assert (second.shown_at, second.decided_at) == (after(12), after(20))
    assert (second.seconds, second.active_seconds) == (8, None)


def test_decisions_that_waited_have_the_times_at_which_they_were_made(setting: Setting):
    """Three steps without a connection, of 10, 20 and 30 seconds; they come an hour later."""
    judge, step = begun(setting)
    setting.watch.pass_by(3660)
    for elapsed, waited in ((10, 3650), (20, 3630), (30, 3600)):
        step = send(
            setting,
            judge,
            step,
            active_seconds=elapsed - 1,
            elapsed_seconds=elapsed,
            waited_seconds=waited,
        )
    told = setting.decisions()
    assert [one.shown_at for one in told] == [NOW, after(10), after(30)]
    assert [one.decided_at for one in told] == [after(10), after(30), after(60)]
    assert [one.seconds for one in told] == [10, 20, 30]
    assert [one.active_seconds for one in told] == [9, 19, 29]


def test_who_delivers_late_keeps_their_kit(setting: Setting):
    """The lease runs from the delivery, or another judge would get what is being delivered."""
    judge, step = begun(setting)
    setting.watch.pass_by(5 * 3600)
    send(setting, judge, step, elapsed_seconds=10, waited_seconds=5 * 3600 - 10)
    other = setting.judges(1)[0].id
    found = setting.service.judging.next(NAME, other)
    assert not isinstance(found, Screen) or found.translations != step.translations


def test_a_pause_in_the_plan_changes_nothing_about_offline_times(setting: Setting):
    judge, step = begun(setting, {**KIT, "sitting": {"items": 3}})
    setting.watch.pass_by(100)
    step = send(setting, judge, step, elapsed_seconds=10, waited_seconds=90)
    step = send(setting, judge, step, elapsed_seconds=20, waited_seconds=70)
    told = setting.decisions()
    assert [one.decided_at for one in told] == [after(10), after(30)]
    sent = Submission(
        assignment=step.assignment, position=3, answers={"adequacy": 1}, waited_seconds=40
    )
    _, rest = setting.service.judging.submit(NAME, judge, sent)
    assert isinstance(rest, Rest)
    assert rest.kind == "pause"
    assert setting.decisions()[-1].decided_at == after(60)


def test_nothing_was_decided_before_it_was_shown_or_after_it_came(setting: Setting):
    judge, step = begun(setting)
    setting.watch.pass_by(100)
    step = send(setting, judge, step, elapsed_seconds=5, waited_seconds=50_000)
    step = send(setting, judge, step, elapsed_seconds=7, waited_seconds=-40)
    first, second = setting.decisions()
    assert (first.shown_at, first.decided_at, first.seconds) == (NOW, NOW, 5)
    assert (second.shown_at, second.decided_at, second.seconds) == (NOW, after(100), 100)


def test_without_a_clock_that_tells_when_the_browsers_seconds_count(setting: Setting):
    """A device whose date jumped by years: all come at once, and yet none took no time."""
    judge, step = begun(setting)
    setting.watch.pass_by(100)
    for elapsed in (10, 20, 30):
        step = send(
            setting,
            judge,
            step,
            active_seconds=elapsed,
            elapsed_seconds=elapsed,
            waited_seconds=1e9,
        )
    told = setting.decisions()
    assert [one.decided_at for one in told] == [after(100)] * 3
    assert [one.seconds for one in told] == [100, 20, 30]
    assert [one.active_seconds for one in told] == [10, 20, 30]


@pytest.mark.parametrize("nonsense", [-1.0, nan, inf, -inf, 1e12, None])
def test_nonsense_is_not_believed(quick: Setting, nonsense):
    judge, step = begun(quick)
    quick.watch.pass_by(10)
    send(
        quick,
        judge,
        step,
        active_seconds=nonsense,
        elapsed_seconds=nonsense,
        waited_seconds=nonsense,
    )
    (told,) = quick.decisions()
    assert (told.shown_at, told.decided_at) == (NOW, after(10))
    assert (told.seconds, told.active_seconds) == (10, None)


@pytest.mark.parametrize(("active", "kept"), [(9.5, 9.5), (12, 10), (14.9, 10), (16, None)])
def test_nobody_was_active_for_longer_than_the_step_was_shown(quick: Setting, active, kept):
    """A little more is the network's: the page shows the next step before the server does."""
    judge, step = begun(quick)
    quick.watch.pass_by(10)
    send(quick, judge, step, active_seconds=active)
    assert quick.decisions()[0].active_seconds == kept


def test_a_step_that_was_never_shown_takes_the_browsers_time(quick: Setting):
    """After a pause that was due: judged without a connection, and delivered in it."""
    judge, step = begun(quick, {**KIT, "sitting": {"items": 1}})
    quick.watch.pass_by(100)
    first = Submission(
        assignment=step.assignment, position=1, answers={"adequacy": 1}, waited_seconds=50
    )
    quick.service.judging.submit(NAME, judge, first)
    second = Submission(
        assignment=step.assignment,
        position=2,
        answers={"adequacy": 2},
        elapsed_seconds=12,
        active_seconds=11,
        waited_seconds=38,
    )
    quick.service.judging.submit(NAME, judge, second)
    told = quick.decisions()[1]
    assert (told.shown_at, told.decided_at) == (None, after(62))
    assert (told.seconds, told.active_seconds) == (12, 11)


def kept(setting: Setting, protocol: str, content: object) -> object:
    judge, *_ = setting.launch(plan(task(protocol)))
    step = setting.next(judge)
    setting.service.judging.save_answers(NAME, judge, step.assignment, 1, content)
    return setting.next(judge).saved


@pytest.mark.parametrize("name", protocols.names())
def test_whole_answers_come_back(quick: Setting, name):
    judge, *_ = quick.launch(plan(task(name)))
    step = quick.next(judge)
    answers = quick.sent(judge, step).answers
    quick.service.judging.save_answers(NAME, judge, step.assignment, 1, answers)
    assert quick.next(judge).saved == answers


GAPS = {
    "concepts": ("concepts", {"concepts": ["transferred", None]}),
    "comprehension": ("comprehension", {"reading": [None, 2]}),
    "ranking": ("ranking", {"ranking": [None, 1, None]}),
}


@pytest.mark.parametrize(("name", "content"), GAPS.values(), ids=GAPS)
def test_gaps_stay_gaps(quick: Setting, name, content):
    (question,) = protocols.load(name).questions
    ((_, answer),) = content.items()
    assert kept(quick, name, {question: answer}) == {question: answer}


def test_of_marked_errors_those_stay_that_are_whole(quick: Setting):
    whole = {"start": 0, "end": 4, "severity": "minor"}
    begun = {"start": 5, "end": 9, "severity": None}
    assert kept(quick, "esa", {"errors": [whole, begun]}) == {"errors": [whole]}


NONSENSE: list[object] = [
    None,
    [],
    "adequacy",
    {"adequacy": 99},
    {"adequacy": [1]},
    {"adequacy": None},
    {"no such question": 1},
]


@pytest.mark.parametrize("content", NONSENSE, ids=str)
def test_nonsense_is_not_kept(quick: Setting, content):
    assert kept(quick, "tapet-adequacy", content) == {}


@pytest.mark.parametrize(
    ("name", "answer"), [("concepts", ["transferred"]), ("concepts", [1, None]), ("ranking", [[]])]
)
def test_lists_of_another_shape_are_not_kept(quick: Setting, name, answer):
    (question,) = protocols.load(name).questions
    assert kept(quick, name, {question: answer}) == {}
