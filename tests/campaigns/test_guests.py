"""A guest tries the tutorial, and nothing of his is stored."""

import io

import pytest

from jurat.errors import InputError
from tests.campaigns.setting import NAME, Setting, make_set, plan, task

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
    with pytest.raises(InputError, match="does not admit guests"):
        quick.service.guests.screens(NAME, "rating")


def test_there_must_be_something_to_try(quick: Setting):
    quick.create(plan(task(), guest=True))
    with pytest.raises(InputError, match="tutorial"):
        quick.service.guests.screens(NAME, "rating")


def test_the_name_of_a_task_is_suggested(quick: Setting):
    quick.create(OPEN, tutorial=LESSON)
    with pytest.raises(InputError, match="did you mean 'rating'"):
        quick.service.guests.screens(NAME, "ratting")
