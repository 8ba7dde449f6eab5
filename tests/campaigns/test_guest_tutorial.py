"""A guest tries the tutorial, and nothing of theirs is stored."""

import io
from datetime import timedelta

import pytest

from jurat.campaigns.judge_tasks import ENOUGH
from jurat.errors import InputError
from tests.campaigns.sample_campaigns import NAME, Setting, make_set, plan, task

LESSON = make_set(1, 2, kind="lesson")
OPEN = plan(task("informativeness"), tutorial="tutorial.jsonl", guest=True)


def everything(setting: Setting):
    file = io.BytesIO()
    setting.store.backup(file, now=setting.watch())
    return file.getvalue()


def test_nothing_is_stored(setting: Setting):
    setting.launch(OPEN, tutorial=LESSON)
    before = everything(setting)
    screens = setting.service.guests.screens(NAME, "rating")
    assert [(step.position, step.stage, step.phase) for step in screens] == [
        (1, 0, "tutorial"),
        (2, 1, "tutorial"),
        (3, 0, "tutorial"),
        (4, 1, "tutorial"),
    ]
    assert not screens[0].references
    assert screens[1].references
    assert all("lesson" not in str(step) and step.assignment == "" for step in screens)
    given = setting.service.guests.check(NAME, "rating", 1, {"message": " it says so "})
    assert given == {"message": "it says so"}
    assert setting.service.guests.check(NAME, "rating", 2, {**given, "informativeness": 4}) == {
        "informativeness": 4
    }
    assert everything(setting) == before


def test_a_guests_answers_are_checked_like_a_judges(quick: Setting):
    quick.create(OPEN, tutorial=LESSON)
    with pytest.raises(InputError, match="9 is not a point"):
        quick.service.guests.check(NAME, "rating", 2, {"message": "x", "informativeness": 9})
    with pytest.raises(InputError, match="later stage"):
        quick.service.guests.check(NAME, "rating", 1, {"message": "x", "informativeness": 4})
    with pytest.raises(InputError, match="1 to 4"):
        quick.service.guests.check(NAME, "rating", 5, {"message": "x"})


def test_guests_are_admitted_only_where_the_campaign_says_so(quick: Setting):
    quick.create(OPEN | {"guest": False}, tutorial=LESSON)
    with pytest.raises(InputError, match="guests are not admitted"):
        quick.service.guests.screens(NAME, "rating")


def test_there_must_be_something_to_try(quick: Setting):
    quick.create(plan(task(), guest=True))
    with pytest.raises(InputError, match="guests are not admitted"):
        quick.service.guests.screens(NAME, "rating")
    (told,) = [one for one in quick.service.campaigns.audit(NAME).findings if "guest" in str(one)]
    assert told.said[0].code == "no-guest-tutorial"


def test_the_name_of_a_task_is_suggested(quick: Setting):
    quick.create(OPEN, tutorial=LESSON)
    with pytest.raises(InputError, match="did you mean 'rating'"):
        quick.service.guests.screens(NAME, "ratting")


def test_the_time_left_is_the_median_of_times_of_two_minutes_or_less(setting: Setting):
    judges = setting.launch(plan(task(kits={"documents": 2})), judges=4, set=make_set(2, 6))
    step = setting.next(judges[0])
    for seconds in (10, 10, 10, 10, 30, 30, 30, 30, 30, 500, 40, 40):
        sent = setting.sent(judges[0], step)
        setting.watch.pass_by(seconds)
        _, step = setting.service.judging.submit(NAME, judges[0], sent)  # type: ignore[assignment]
    (part,) = setting.service.judging.outlook(NAME, judges[1]).parts
    assert part.time_left == timedelta(seconds=12 * 30)  # 12 decisions a kit, and 500 left out


def test_a_few_times_tell_nothing(quick: Setting):
    judges = quick.launch(judges=6, set=make_set(1, ENOUGH))
    step = quick.next(judges[0])
    for _ in range(ENOUGH - 1):
        _, step = quick.decide(judges[0], step)  # type: ignore[assignment]
    assert quick.service.judging.outlook(NAME, judges[1]).parts[0].time_left is None
    quick.decide(judges[0], step)
    assert quick.service.judging.outlook(NAME, judges[1]).parts[0].time_left is not None


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
    asked = plan(*two, tutorial="tutorial.jsonl", guest=True)
    quick.create(asked, tutorial=make_set(1, 1, kind="lesson"))
    assert quick.service.guests.tasks(NAME) == ["rating", "comparing"]


def test_without_a_tutorial_there_is_nothing_for_guests(quick: Setting):
    quick.create()
    assert quick.service.guests.tasks(NAME) == []


@pytest.mark.parametrize("language", ["fr", "EN", "english"])
def test_a_campaign_speaks_a_language_that_there_is(quick: Setting, language: str):
    from jurat.errors import InputError

    with pytest.raises(InputError, match=rf"language: unknown language '{language}'.*zh"):
        quick.create(plan(language=language))
