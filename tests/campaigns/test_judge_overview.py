"""What a judge sees of the whole, from plans and tallies alone."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jurat.campaigns.availability import Part, overview
from jurat.campaigns.config import CampaignPlan
from jurat.kits.plan import RequiredKits, TaskPlan
from jurat.model import Phase
from jurat.store import Campaign, PhaseRecord, Tally

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
    return Tally(judge="j", task=task, phase=phase, last=None, **{**known, **more})


def parts(
    *tallies: Tally,
    seconds: dict[str, float] | None = None,
    states: dict[str, dict[str, Any]] | None = None,
) -> list[Part]:
    """The overview of two tasks, a tutorial before the first; states by task and phase."""
    required = RequiredKits(tutorial=1, evaluation=2)
    tasks = (
        TaskPlan(name="rating", protocol="da", required=required),
        TaskPlan(name="comparing", protocol="preference"),
    )
    plan = CampaignPlan(name="try", test_set="set", tutorial="lesson", tasks=tasks)
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
    return overview(plan, campaign, {(t.task, t.phase): t for t in tallies}, seconds or {})


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


def test_what_is_not_started_waits_with_its_reason():
    stopped = {"state": "stopped", "reason": "Back on Monday."}
    lesson, rating, _ = parts(states={"rating tutorial": stopped})
    assert (lesson.lock, lesson.reason, lesson.current) == ("waiting", "Back on Monday.", False)
    assert rating.lock == "tutorial"


@pytest.mark.parametrize("closed", ["rating tutorial", "rating evaluation"])
def test_what_is_closed_keeps_nobody_from_the_rest(closed: str):
    shut = {"state": "closed", "reason": "Enough."}
    told = parts(DONE[0], states={closed: shut})
    assert told[2].lock == ("" if closed == "rating evaluation" else "earlier")


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
