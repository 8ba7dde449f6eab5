"""The judges worker the adjudicators: numbers that can be counted by hand."""

import pickle
from typing import Any

import pytest

from jurat.campaigns.monitoring.adjudication_view import (
    AdjudicationView,
    JudgeAgreement,
    adjudication,
)
from jurat.campaigns.monitoring.worker import WorkerState
from tests.campaigns.sample_campaigns import NAME, Setting, plan, task


def whole(protocol: str = "da", **more: Any) -> dict[str, Any]:
    """A task of which two judges can do everything."""
    kits = {"documents": 2}
    return task(protocol, wanted=2, kits=kits, one_system_per_segment=False, **more)


def judged(setting: Setting, *tasks: dict[str, Any]) -> str:
    """Two judges do everything, one kind and one severe; the adjudicator who comes after them."""
    for judge, quality in zip(setting.launch(plan(*tasks), judges=2), (0.9, 0.4), strict=True):
        setting.all_kits(judge, quality)
    (wise,) = setting.judges(1, role="adjudicator")
    return wise.id


def view(setting: Setting) -> AdjudicationView:
    found = adjudication(WorkerState(setting.store.address), NAME)
    assert pickle.loads(pickle.dumps(found)) == found  # it comes from a process worker
    return found


def told(one: JudgeAgreement) -> tuple[object, ...]:
    numbers = (one.same, one.within, one.apart, one.above)
    return one.judge, one.cases, *(e and e.value for e in numbers)


def test_scores(quick: Setting):
    """The judges had said 90 and 40."""
    wise = judged(quick, whole())
    cases = quick.service.adjudication.cases(NAME, wise, "rating")
    for case, score in zip(cases, (90, 89, 40), strict=False):
        quick.service.adjudication.settle(NAME, wise, "rating", case.key, {"adequacy": score})
    ((question,),) = view(quick).tasks.values()
    assert question.question == "adequacy"
    kind, severe = question.judges
    assert told(kind) == ("p0", 3, 1 / 3, 2 / 3, (0 + 1 + 50) / 3, (0 + 1 + 50) / 3)
    assert told(severe) == ("p1", 3, 1 / 3, 1 / 3, (50 + 49 + 0) / 3, -(50 + 49 + 0) / 3)
    assert told(question.everyone)[:3] == ("", 6, 1 / 3)
    # three cases of one document say nothing about others
    assert (kind.same.low, kind.same.high) == (None, None)


def test_a_case_that_is_decided_anew_counts_once(quick: Setting):
    wise = judged(quick, whole())
    case, *_ = quick.service.adjudication.cases(NAME, wise, "rating")
    for score in (10, 40):
        quick.service.adjudication.settle(NAME, wise, "rating", case.key, {"adequacy": score})
    ((question,),) = view(quick).tasks.values()
    assert [told(one)[:3] for one in question.judges] == [("p0", 1, 0), ("p1", 1, 1)]


@pytest.mark.parametrize(("protocol", "otherwise"), [("preference", "b"), ("ranking", [3, 2, 1])])
def test_preferences_are_the_same_or_not(quick: Setting, protocol: str, otherwise: object):
    """Both judges prefer what is shown first, and are shown the same."""
    wise = judged(quick, task(protocol, wanted=2, kits={"documents": 2}))
    cases = quick.service.adjudication.cases(NAME, wise, "rating", more_than=-1)
    (name,) = cases[0].answers[0]
    for case, answers in ((cases[0], cases[0].answers[0]), (cases[1], {name: otherwise})):
        quick.service.adjudication.settle(NAME, wise, "rating", case.key, answers)
    (question,) = view(quick).tasks["rating"]
    pairs = 3 if protocol == "ranking" else 1
    assert [told(one) for one in question.judges] == [
        (pin, 2 * pairs, 0.5, None, None, None) for pin in ("p0", "p1")
    ]


def test_a_yes_is_no_point_away_from_a_no(quick: Setting):
    wise = judged(quick, whole("tapet-adequacy"))
    cases = quick.service.adjudication.cases(NAME, wise, "rating")
    for case, same in zip(cases, ("yes", "no"), strict=False):
        answers = {"adequacy": 6, "same-meaning": same}
        quick.service.adjudication.settle(NAME, wise, "rating", case.key, answers)
    scored, worded = view(quick).tasks["rating"]
    assert (scored.question, worded.question) == ("adequacy", "same-meaning")
    assert scored.everyone.within is not None
    assert [told(one)[2:] for one in worded.judges] == [(0.5, None, None, None)]


def test_every_task_for_itself(quick: Setting):
    wise = judged(quick, whole(), whole("sqm") | {"name": "second"})
    assert view(quick).tasks == {}
    case, *_ = quick.service.adjudication.cases(NAME, wise, "second")
    quick.service.adjudication.settle(NAME, wise, "second", case.key, case.answers[0])
    found = view(quick).tasks
    assert list(found) == ["second"]
    assert {one.cases for one in found["second"][0].judges} == {1}
