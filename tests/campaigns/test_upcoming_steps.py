"""What a judge's pages show beside the step itself."""

from datetime import timedelta

import pytest

from jurat.campaigns.availability import ENOUGH
from tests.campaigns.setting import NAME, Setting, make_set, plan, task


def test_the_time_left_is_the_median_of_times_of_two_minutes_or_less(setting: Setting):
    judges = setting.launch(plan(task(kits={"documents": 2})), judges=4, set=make_set(2, 6))
    step = setting.next(judges[0])
    for seconds in (10, 10, 10, 10, 30, 30, 30, 30, 30, 500, 40, 40):
        sent = setting.sent(judges[0], step)
        setting.watch.pass_by(seconds)
        _, step = setting.service.judging.submit(NAME, judges[0], sent)  # type: ignore[assignment]
    (part,) = setting.service.judging.overview(NAME, judges[1])
    assert part.time_left == timedelta(seconds=12 * 30)  # 12 decisions a kit, and 500 left out


def test_a_few_times_tell_nothing(quick: Setting):
    judges = quick.launch(judges=6, set=make_set(1, ENOUGH))
    step = quick.next(judges[0])
    for _ in range(ENOUGH - 1):
        _, step = quick.decide(judges[0], step)  # type: ignore[assignment]
    assert quick.service.judging.overview(NAME, judges[1])[0].time_left is None
    quick.decide(judges[0], step)
    assert quick.service.judging.overview(NAME, judges[1])[0].time_left is not None


def test_steps_ahead_are_those_that_will_come(setting: Setting):
    judge, *_ = setting.launch(set=make_set(1, 4))
    step = setting.next(judge)
    ahead = setting.service.judging.ahead(NAME, judge, step.assignment, step.position, most=50)
    assert [one.position for one in ahead] == [2, 3, 4]
    for promised in ahead:
        _, found = setting.decide(judge, step)
        assert found.translations == promised.translations  # type: ignore[union-attr]
        step = found  # type: ignore[assignment]


def test_what_a_stage_reveals_later_is_not_sent_ahead(quick: Setting):
    judge, *_ = quick.launch(plan(task("informativeness")))
    step = quick.next(judge)
    assert quick.service.judging.ahead(NAME, judge, step.assignment, step.position, most=50) == []


def test_guests_can_try_every_task_that_has_a_tutorial(quick: Setting):
    two = (task(), {"name": "comparing", "protocol": "preference"})
    quick.create(plan(*two, tutorial="tutorial.jsonl"), tutorial=make_set(1, 1, kind="lesson"))
    assert quick.service.guests.tasks(NAME) == ["rating", "comparing"]


def test_without_a_tutorial_there_is_nothing_for_guests(quick: Setting):
    quick.create()
    assert quick.service.guests.tasks(NAME) == []


@pytest.mark.parametrize("language", ["fr", "EN", "english"])
def test_a_campaign_speaks_a_language_that_there_is(quick: Setting, language: str):
    from jurat.errors import InputError

    with pytest.raises(InputError, match=rf"language: unknown language '{language}'.*zh"):
        quick.create(plan(language=language))
