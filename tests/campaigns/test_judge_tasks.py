"""When a judge has to rest, and what they are told."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.campaigns import Rest
from jurat.campaigns.config import CampaignPlan, Sitting
from jurat.campaigns.judge_tasks import (
    Outlook,
    Part,
    Supply,
    overview,
    parts_of,
    rest_of,
    seconds_by_task,
)
from jurat.campaigns.rest_breaks import before_pause, due_pause
from jurat.kits.task_plan import RequiredKits, TaskPlan
from jurat.model import Phase
from jurat.store import Campaign, Had, Offer, PhaseRecord, Progress, Tally
from jurat.store.records import AssignmentState, PhaseTally
from tests.campaigns.sample_campaigns import NOW, Setting, make_set, plan, task


def at(*minutes):
    return [NOW + timedelta(minutes=m) for m in minutes]


def test_a_break_after_so_many_items():
    limits = Sitting(items=3, pause_minutes=30)
    assert due_pause(at(0, 1), limits, *at(2)) is None
    rest = due_pause(at(0, 1, 2), limits, *at(3))
    assert rest
    assert rest.kind == "pause"
    assert [rest.until] == at(32)
    assert due_pause(at(0, 1, 2), limits, *at(32)) is None
    assert due_pause(at(0, 1, 2, 32), limits, *at(33)) is None
    assert due_pause(at(0, 1, 2, 32, 33, 34), limits, *at(35)) is not None


def test_enough_for_a_day():
    limits = Sitting(items_a_day=2)
    rest = due_pause(at(0, 600), limits, *at(601))
    assert rest
    assert [rest.until] == at(24 * 60)
    assert due_pause(at(0, 600), limits, *at(24 * 60)) is None


def test_no_limits_no_rest():
    assert due_pause(at(*range(500)), Sitting(), *at(500)) is None


@given(
    gaps=st.lists(st.integers(0, 3000), max_size=30),
    items=st.none() | st.integers(1, 5),
    a_day=st.none() | st.integers(1, 8),
)
def test_every_pause_ends_when_it_says(gaps, items, a_day):
    moments = [NOW]
    for gap in gaps:
        moments.append(moments[-1] + timedelta(minutes=gap))
    now, limits = moments[-1], Sitting(items=items, items_a_day=a_day)
    for _ in range(3):
        rest = due_pause([m for m in moments if now - m <= timedelta(days=1)], limits, now)
        if rest is None:
            return
        assert rest.until is not None
        assert rest.until > now
        now = rest.until
    raise AssertionError("it never ends")


def test_the_service_sends_judges_to_rest(setting: Setting):
    sitting = {"items": 2, "items_a_day": 3, "pause_minutes": 20}
    declared = task(required={"evaluation": 4})
    judge, *_ = setting.launch(plan(declared, sitting=sitting), set=make_set(4, 2))
    setting.decide(judge, setting.next(judge))
    _, rest = setting.decide(judge, setting.next(judge))
    assert isinstance(rest, Rest)
    assert (rest.kind, rest.message) == ("pause", "Time for a break.")
    assert setting.rest(judge) == rest
    assert rest.until == setting.watch() + timedelta(minutes=20)
    (open_kits,) = [t.open for t in setting.service.monitoring.progress("try").judges]
    assert open_kits == 0  # no kit is taken before the break
    setting.watch.now = rest.until
    _, enough = setting.decide(judge, setting.next(judge))
    assert isinstance(enough, Rest)
    assert enough.message == "That's enough for today."
    assert enough.until is not None
    setting.watch.now = enough.until
    assert setting.next(judge)


def test_what_a_judge_sends_while_they_should_rest_is_kept(setting: Setting):
    judge, *_ = setting.launch(plan(task(), sitting={"items": 1}), set=make_set(1, 2))
    step = setting.next(judge)
    sent = setting.sent(judge, step)
    setting.service.judging.submit("try", judge, sent)
    again, rest = setting.service.judging.submit("try", judge, sent)
    assert not again.new
    assert isinstance(rest, Rest)
    assert len(setting.decisions()) == 1


def test_waiting_for_what_others_have(setting: Setting):
    one, other, third = setting.launch(plan(task(kits={"documents": 2})), judges=3)
    (late,) = setting.judges(1)
    for judge in (one, other):
        setting.next(judge)
    setting.kit(third)
    assert setting.rest(late.id).kind == "waiting"
    for judge in (one, other):
        setting.kit(judge)
    assert setting.rest(late.id).kind == "finished"
    assert setting.rest(one).message == "All done. Thank you!"


def test_seconds_are_told_once_there_are_enough():
    def tally(name, timed, seconds):
        return Tally(
            judge="j",
            task=name,
            phase="evaluation",
            open=0,
            done=0,
            returned=0,
            decisions=0,
            timed=timed,
            timed_seconds=seconds,
            last=None,
        )

    told = Progress(
        phases=(), judges=(tally("a", 15, 150.0), tally("a", 5, 70.0), tally("b", 9, 9))
    )
    assert seconds_by_task(told) == {"a": 11.0}


def test_how_many_may_follow_before_a_pause():
    limits = Sitting(items=3, items_a_day=5, pause_minutes=30)
    assert before_pause([], limits, *at(0), most=9) == 2
    assert before_pause(at(0), limits, *at(1), most=9) == 1
    assert before_pause(at(0, 1), limits, *at(2), most=9) == 0
    assert before_pause(at(0, 1, 2), limits, *at(40), most=9) == 1  # the day's fifth comes first
    assert before_pause([], Sitting(), *at(0), most=9) == 9


def test_nobody_gets_steps_ahead_that_lie_behind_their_pause(quick: Setting):
    judge, *_ = quick.launch(plan(task(), sitting={"items": 3}), set=make_set(1, 6), judges=3)
    step = quick.next(judge)
    ahead = quick.service.judging.ahead("try", judge, step.assignment, 1, most=9)
    assert [one.position for one in ahead] == [2, 3]
    quick.decide(judge, step)
    assert len(quick.service.judging.ahead("try", judge, step.assignment, 2, most=9)) == 1


PLACES: tuple[tuple[str, Phase], ...] = (
    ("rating", "tutorial"),
    ("rating", "evaluation"),
    ("comparing", "evaluation"),
)


def phase(task: str, phase: Phase, **more: Any) -> PhaseRecord:
    known = {
        "state": "started",
        "reason": "",
        "wanted": 1,
        "stages": 1,
        "advance": "item",
        "apart": False,
        "kits": 4,
        "items": 40,
    }
    return PhaseRecord(task=task, phase=phase, **{**known, **more})


def tally(task: str, phase: Phase, **more: Any) -> Tally:
    known = {"open": 0, "done": 0, "returned": 0, "decisions": 0, "timed": 0, "timed_seconds": 0.0}
    return Tally(judge="j", task=task, phase=phase, **{"last": None, **known, **more})


def parts(
    *tallies: Tally,
    seconds: dict[str, float] | None = None,
    states: dict[str, dict[str, Any]] | None = None,
    supply: Supply | None = None,
    **more: Any,
) -> list[Part]:
    """The overview of two tasks, a tutorial before the first; states by task and phase."""
    required = RequiredKits(tutorial=1, evaluation=2)
    tasks = (
        TaskPlan(name="rating", protocol="da", required=required),
        TaskPlan(name="comparing", protocol="preference"),
    )
    plan = CampaignPlan(name="try", test_set="set", tutorial="lesson", tasks=tasks, **more)
    phases = [phase(t, p, **(states or {}).get(f"{t} {p}", {})) for t, p in reversed(PLACES)]
    campaign = Campaign(
        name="try",
        title="",
        declaration={},
        protocols={},
        seed=1,
        created=datetime(2026, 3, 2, tzinfo=UTC),
        phases=tuple(phases),
    )
    states_: tuple[AssignmentState, ...] = ("done", "open")
    had = [
        Had(task=t.task, phase=t.phase, number=n, block=f"{n}", state=state)
        for t in tallies
        for state in states_
        for n in range(getattr(t, state))
    ]
    shown = [(p.task, p.phase, p.state) for p in phases]
    given = parts_of(plan, shown, Offer((), had, lambda *_: ()), supply or Kits())
    known = {(t.task, t.phase): t for t in tallies}
    return list(overview(given, campaign, known, seconds or {}))


@dataclass
class Kits:
    """As many kits as it says of each task's evaluation, and of tutorials always enough."""

    there: dict[str, int] = field(default_factory=dict)
    others: dict[str, int] = field(default_factory=dict)

    def free(self, task: str, phase: Phase) -> int:
        return self.there.get(task, 9) if phase == "evaluation" else 9

    def held(self, task: str, phase: Phase) -> int:
        return self.others.get(task, 0) if phase == "evaluation" else 9


DONE = (tally("rating", "tutorial", done=1), tally("rating", "evaluation", done=2))


def test_parts_stand_in_the_plans_order_the_tutorial_first():
    assert [(part.task, part.phase) for part in parts()] == list(PLACES)


def test_before_anything_is_done_only_the_first_part_is_open():
    lesson, rating, comparing = parts()
    assert (lesson.current, lesson.left, lesson.begun, lesson.lock) == (True, 1, False, "")
    assert (rating.left, rating.lock, rating.current) == (2, "tutorial", False)
    assert (comparing.lock, comparing.before) == ("earlier", "rating")


def test_a_part_that_is_done_opens_the_next():
    lesson, rating, comparing = parts(DONE[0])
    assert lesson.complete
    assert rating.current
    assert comparing.lock == "earlier"
    assert parts(*DONE)[2].current


def test_a_begun_kit_is_left_even_where_enough_are_done():
    more = tally("rating", "evaluation", done=2, open=1, decisions=25)
    rating = parts(DONE[0], more)[1]
    assert (rating.done, rating.left, rating.begun, rating.current) == (2, 1, True, True)


def test_when_all_is_done_nothing_is_current():
    everything = parts(*DONE, tally("comparing", "evaluation", done=1))
    assert all(part.complete and not part.current for part in everything)


def test_what_was_finished_last_may_be_more_of_an_earlier_task():
    earlier, later = at(10, 20)
    rating = tally("rating", "evaluation", done=3, last=later)
    comparing = tally("comparing", "evaluation", done=1, last=earlier)
    finished = Outlook(parts=tuple(parts(DONE[0], rating, comparing))).finished
    assert finished
    assert (finished.task, finished.phase) == ("rating", "evaluation")
    assert Outlook(parts=tuple(parts())).finished is None


def test_what_is_not_started_waits_with_its_reason():
    stopped = {"state": "stopped", "reason": "Back on Monday."}
    lesson, rating, _ = parts(states={"rating tutorial": stopped})
    assert (lesson.lock, lesson.reason, lesson.current) == ("waiting", "Back on Monday.", False)
    assert rating.lock == "tutorial"


def test_what_is_stopped_does_not_promise_kits_that_others_have_done():
    stopped = {f"{task} {phase}": {"state": "stopped"} for task, phase in PLACES}
    one = Kits({"rating": 0}, {"rating": 1})
    lesson, rating, _ = parts(states=stopped, supply=one)
    assert (lesson.lock, rating.left) == ("waiting", 1)
    none = Kits({"rating": 0, "comparing": 0})
    everything = parts(states=stopped, supply=none)
    assert [part.lock for part in everything] == ["full"] * 3
    # a kit that was begun is theirs
    begun = tally("rating", "evaluation", open=1, decisions=3)
    rating = parts(DONE[0], begun, states=stopped, supply=none)[1]
    assert (rating.lock, rating.left) == ("waiting", 2)


def test_a_stopped_evaluation_does_not_keep_judges_from_its_tutorial():
    stopped = {"rating evaluation": {"state": "stopped"}}
    lesson, _, _ = parts(states=stopped, supply=Kits({"rating": 0}, {"rating": 3}))
    assert lesson.current
    lesson, rating, comparing = parts(states=stopped, supply=Kits({"rating": 0}))
    assert (lesson.lock, rating.lock, comparing.current) == ("full", "full", True)


def test_a_task_that_is_full_asks_for_no_tutorial_and_opens_the_next():
    lesson, rating, comparing = parts(supply=Kits({"rating": 0}))
    assert (lesson.lock, rating.lock, comparing.current) == ("full", "full", True)
    # what was done before stays done
    lesson, rating, comparing = parts(DONE[0], supply=Kits({"rating": 0}))
    assert (lesson.complete, rating.lock, comparing.current) == (True, "full", True)


def test_a_task_that_comes_later_and_is_full_is_not_promised():
    lesson, rating, comparing = parts(supply=Kits({"comparing": 0}))
    assert (lesson.current, rating.lock, comparing.lock) == (True, "tutorial", "full")
    assert not comparing.open
    held = parts(supply=Kits({"comparing": 0}, {"comparing": 1}))[2]
    assert (held.lock, held.left, held.promised) == ("earlier", 1, False)
    # of the two kits that are required there is one
    assert parts(supply=Kits({"rating": 1}))[1].left == 1


def test_a_task_whose_kits_are_with_others_does_not_open_the_next():
    busy = Kits({"rating": 0}, {"rating": 1})
    lesson, rating, comparing = parts(supply=busy)
    assert (lesson.lock, rating.lock, comparing.lock) == ("held", "tutorial", "earlier")
    _, rating, comparing = parts(DONE[0], supply=busy)
    assert (rating.lock, comparing.lock, comparing.before) == ("held", "earlier", "rating")
    *_, comparing = parts(DONE[0], supply=busy, no_free_kit="next-task")
    assert comparing.current


def test_no_more_kits_are_left_than_can_be_had():
    assert parts(DONE[0], supply=Kits({"rating": 1}))[1].left == 1
    # what is with others is not promised
    assert parts(DONE[0], supply=Kits({"rating": 1}, {"rating": 5}))[1].left == 1
    assert not parts(DONE[0], supply=Kits({"rating": 0}, {"rating": 5}))[1].promised
    begun = tally("rating", "evaluation", open=1, decisions=3)
    assert parts(DONE[0], begun, supply=Kits({"rating": 0}, {"rating": 5}))[1].left == 1


@pytest.mark.parametrize("closed", ["rating tutorial", "rating evaluation"])
def test_what_is_closed_keeps_nobody_from_the_rest(closed: str):
    shut = {"state": "closed", "reason": "Enough."}
    told = parts(DONE[0], states={closed: shut})
    assert told[2].lock == ("" if closed == "rating evaluation" else "earlier")


def test_where_several_tasks_are_closed_all_are_told():
    closed = {name: {"state": "closed"} for name in ("rating evaluation", "comparing evaluation")}
    left = PhaseTally(
        task="rating",
        phase="evaluation",
        state="closed",
        kits=4,
        wanted=4,
        open=0,
        done=0,
        wanted_decisions=40,
        decisions=0,
        skipped=0,
    )
    own = Progress(phases=(left,), judges=())
    rest = rest_of(parts(states=closed), own, more="")
    assert rest is not None
    assert rest.message == "All remaining tasks are closed. Thank you!"
    because = {name: {**one, "reason": "We have enough."} for name, one in closed.items()}
    rest = rest_of(parts(states=because), own, more="")
    assert rest is not None
    assert rest.message == "All remaining tasks are closed. We have enough."


def test_of_kits_to_be_done_again_those_of_the_first_task_come_first():
    again = (tally("rating", "evaluation", open=2), tally("comparing", "evaluation", open=1))
    _, rating, comparing = parts(DONE[0], *again)
    assert (rating.current, rating.lock) == (True, "")
    assert (comparing.lock, comparing.before) == ("earlier", "rating")


def test_a_kit_that_was_begun_can_be_done_while_an_earlier_task_is_stopped():
    begun = (DONE[0], tally("comparing", "evaluation", open=1))
    _, rating, comparing = parts(*begun, states={"rating evaluation": {"state": "stopped"}})
    assert rating.lock == "waiting"
    assert comparing.current


def test_a_tutorial_for_what_is_closed_is_not_asked_for():
    lesson, rating, comparing = parts(states={"rating evaluation": {"state": "closed"}})
    assert (lesson.lock, rating.lock) == ("closed", "closed")
    assert comparing.current


def test_the_time_left_counts_the_decisions_that_are_left():
    begun = tally("rating", "evaluation", open=1, decisions=4)
    rating = parts(DONE[0], begun, seconds={"rating": 30.0})[1]
    # two kits of ten decisions on average, of which four are made
    assert rating.time_left == timedelta(seconds=16 * 30)


def test_stages_count_as_decisions_of_their_own():
    rating = parts(DONE[0], seconds={"rating": 30.0}, states={"rating evaluation": {"stages": 2}})[
        1
    ]
    assert rating.time_left == timedelta(seconds=2 * 20 * 30)


def test_without_recorded_times_no_time_is_told():
    assert all(part.time_left is None for part in parts())
    assert parts(*DONE, seconds={"rating": 30.0})[1].time_left is None
