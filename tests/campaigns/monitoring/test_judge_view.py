"""One judge: the numbers are those of the diagnosis, the answers those they gave."""

import pickle
from collections import Counter
from statistics import quantiles

import polars as pl
import pytest

from jurat.campaigns.monitoring.filters import Filter, outliers
from jurat.campaigns.monitoring.judge_view import _answer_rows, judge
from jurat.campaigns.monitoring.worker import WorkerState
from jurat.errors import InputError
from jurat.stats import analyse
from jurat.stats.settings import JudgeSettings
from tests.campaigns.sample_campaigns import NAME, Setting, plan, task


def test_numbers_are_those_of_the_diagnosis(state: WorkerState):
    seen = state.filtered(NAME, Filter()).evaluation
    pin = outliers(seen, ("score",), k=1)[0]
    found = judge(state, NAME, pin)
    assert found.judged
    assert found.compared
    results = {r.name: r for r in analyse("judges", seen, JudgeSettings(bootstrap=0))}
    told = {(one.name, one.by.get("question")): one for one in found.numbers}
    for name in ("judge-mean", "judge-distance", "judge-seconds"):
        of_all = {
            e.by["judge"]: e.value
            for e in results[name].estimates
            if e.by.get("question") == "adequacy" and e.value is not None
        }
        one = told[name, "adequacy"]
        assert one.value == of_all[pin]
        assert (one.lowest, one.highest) == (min(of_all.values()), max(of_all.values()))
    # only what a test finds beyond chance, not all that Hamon's rules count
    own = {
        name: [
            (e.by["question"], e.by["way"], e.value)
            for e in results[name].estimates
            if e.by.get("judge") == pin and e.value is not None
        ]
        for name in ("judge-outlier", "judge-p")
    }
    counted = {(question, way) for question, way, hit in own["judge-outlier"] if hit == 1}
    tested = {(question, way) for question, way, p in own["judge-p"] if p < 0.05}
    rules = {way for _, way in counted}
    assert set(found.ways) == {way for _, way in counted & tested}
    assert "score" in rules


def test_use_of_the_scale(state: WorkerState, played: Setting):
    found = judge(state, NAME, "p3")
    table = played.service.campaigns.tables(NAME)["judgments"]
    counts = (pl.col("status") == "valid") & (pl.col("phase") == "evaluation")
    true = pl.col("control").ne_missing("degraded") & (pl.col("question") == "adequacy")
    rows = table.filter(counts & true)
    own = Counter(rows.filter(pl.col("judge") == "p3")["value"])
    used = {one.answer: one for one in found.uses if one.question == "adequacy"}
    assert {float(answer): one.number for answer, one in used.items() if one.number} == own
    assert sum(one.share for one in used.values()) == pytest.approx(1)
    assert sum(one.of_all for one in used.values()) == pytest.approx(1)


def test_many_answers_are_put_into_ranges():
    few = _answer_rows([1.0, 2.0, 7.0])
    assert few == {"1": [1.0], "2": [2.0], "7": [7.0]}
    every = [float(n) for n in range(101)]
    rows = _answer_rows(every)
    assert list(rows)[:2] == ["0 – 10", "10 – 20"]
    assert list(rows)[-1] == "90 – 100"
    assert rows["10 – 20"] == every[10:20]
    # the end of the scale is no range of its own
    assert rows["90 – 100"] == every[90:]
    assert list(_answer_rows(["a"] * 20)) == ["a"]
    fractions = _answer_rows([n / 10 - 5 for n in range(30)])
    assert next(iter(fractions)) == "-5 – -4.5"
    assert sum(map(len, fractions.values())) == 30


@pytest.mark.parametrize(("least", "step", "count"), [(0, 0.1, 13), (-1, 0.1, 21), (0, 0.2, 13)])
def test_answers_with_decimals_are_in_the_range_that_names_them(least, step, count):
    answers = [round(least + step * n, 9) for n in range(count)]
    rows = _answer_rows(answers)
    for name, own in rows.items():
        low, high = map(float, name.split(" – "))
        assert all(low <= one < high or one == high == answers[-1] for one in own)
    assert [one for own in rows.values() for one in own] == answers


def test_times(state: WorkerState, played: Setting):
    found = judge(state, NAME, "p3")
    table = played.service.campaigns.tables(NAME)["judgments"]
    rows = table.filter(
        (pl.col("question") == "adequacy")
        & (pl.col("phase") == "evaluation")
        & pl.col("control").ne_missing("degraded")
        & (pl.col("judge") == "p3")
    )
    one = next(times for times in found.times if times.question == "adequacy")
    short = [seconds for seconds in rows["seconds"] if seconds <= 120]
    assert one.n == rows.height
    assert one.over == rows.height - len(short)
    assert one.quartiles == pytest.approx(tuple(quantiles(short, n=4, method="inclusive")))
    assert {times.question for times in found.times} >= {"adequacy", "preference"}


def test_repeats_controls_and_words(state: WorkerState, played: Setting):
    found = judge(state, NAME, "p3")
    table = played.service.campaigns.tables(NAME)["judgments"]
    mine = table.filter((pl.col("judge") == "p3") & (pl.col("phase") == "evaluation"))
    repeated = mine.filter((pl.col("control") == "repeat") & (pl.col("question") == "adequacy"))
    assert len([r for r in found.repeats if r.question == "adequacy"]) == repeated.height > 0
    second = {(r.item): r.second for r in found.repeats if r.question == "adequacy"}
    assert second == dict(zip(repeated["item"], repeated["value"], strict=True))
    assert {row["control"] for row in found.controls} == {"degraded"}
    assert {row["judge"] for row in found.controls} == {"p3"}
    assert all(row["judge"] == "p3" for row in found.comments)
    pickle.dumps(found)


def test_what_they_said_about_the_task(quick: Setting):
    judges = quick.launch()
    quick.kit(judges[0])
    quick.service.judging.feedback(NAME, judges[0], {"task": "Fine."})
    quick.service.judging.feedback(NAME, judges[1], {"task": "Long."})
    found = judge(WorkerState(quick.store.address), NAME, "p0")
    assert [entry.details for entry in found.feedback] == [{"task": "Fine."}]
    assert found.repeats == ()


def test_nobody_is_said_to_be_like_the_others_where_nobody_can_be_compared(quick: Setting):
    """Two judges share items, but it takes three to tell who of them differs."""
    for one in quick.launch(plan(task(one_system_per_segment=False, wanted=2)), judges=2):
        quick.all_kits(one)
    state = WorkerState(quick.store.address)
    found = judge(state, NAME, "p0")
    assert (found.judged, found.compared, found.ways) == (True, False, ())
    seen = state.filtered(NAME, Filter()).evaluation
    (first, *_) = analyse("judges", seen, JudgeSettings(bootstrap=0), only=["judge-outlier"])
    assert "No judge can be tested" in first.headline


def test_the_first_judge_is_not_compared_with_themself(quick: Setting):
    (first, *_) = quick.launch()
    quick.kit(first)
    found = judge(WorkerState(quick.store.address), NAME, "p0")
    assert found.uses
    assert (found.judged, found.numbers) == (False, ())


def test_somebody_who_has_done_nothing(quick: Setting):
    quick.launch()
    found = judge(WorkerState(quick.store.address), NAME, "p0")
    assert (found.ways, found.numbers, found.uses, found.times) == ((), (), (), ())
    assert not found.judged
    with pytest.raises(InputError, match="unknown judge 'nobody'"):
        judge(WorkerState(quick.store.address), NAME, "nobody")
