"""Before and after: what leaving judges out changes, number by number."""

import polars as pl
import pytest

from jurat.campaigns import Screen
from jurat.campaigns.monitoring.before_after import compare
from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.sections import summary
from jurat.campaigns.monitoring.worker import WorkerState
from tests.campaigns.setting import NAME, Setting, make_set, plan, task


def test_both_sides_are_what_a_look_gives(state: WorkerState):
    chosen = Filter(task="rating", without=("p1", "p2"))
    found = compare(state, NAME, chosen)
    before, after = (summary(state, NAME, one) for one in (Filter(task="rating"), chosen))
    for ours, theirs in ((found.before, before), (found.after, after)):
        assert {n: [r.estimates for r in p] for n, p in ours.sections.items()} == {
            n: [r.estimates for r in p] for n, p in theirs.sections.items()
        }
    assert found.as_of == found.after.as_of


def test_scores_before_and_after_are_the_means(state: WorkerState):
    chosen = Filter(task="rating", without=("p1", "p2", "p3"))
    found = compare(state, NAME, chosen)
    table = state.tables(NAME).named["judgments"]
    rows = table.filter(
        (pl.col("task") == "rating")
        & (pl.col("phase") == "evaluation")
        & (pl.col("question") == "adequacy")
        & pl.col("control").ne_missing("degraded")
    )
    left = rows.filter(~pl.col("judge").is_in(chosen.without))
    for change in found.systems:
        if change.question == "adequacy":
            own = pl.col("system") == change.system
            assert change.score.before == pytest.approx(rows.filter(own)["value"].mean())
            assert change.score.after == pytest.approx(left.filter(own)["value"].mean())
    assert {c.system for c in found.systems} == {"cedar", "birch", "willow"}
    names = {change.name for change in found.agreement}
    assert {"krippendorff-alpha", "fleiss-kappa", "n-agreement"} <= names
    assert any(change.value.moved for change in found.agreement)


def test_a_judge_who_turns_everything_over_is_left_out(quick: Setting):
    judges = quick.launch(
        plan(task("sqm", wanted=6, one_system_per_segment=False, kits={"documents": 9})),
        judges=6,
        set=make_set(4, 3),
    )
    wrong = judges[5]
    for judge in judges:
        play(quick, judge, turned=judge == wrong)
    state = WorkerState(quick.store.address)
    found = compare(state, NAME, Filter(ways=("distance",)))
    assert found.after.excluded == ("p5",)
    alpha = next(
        change.value
        for change in found.agreement
        if change.name == "krippendorff-alpha" and change.by["scale"] == "interval"
    )
    assert alpha.before is not None
    assert alpha.after is not None
    assert alpha.before < 0.7 < alpha.after
    assert found.moved == tuple(change for change in found.systems if change.moved)


def play(quick: Setting, judge: str, *, turned: bool) -> None:
    qualities = {"cedar": 0.95, "birch": 0.6, "willow": 0.2}
    step = quick.service.judging.next(NAME, judge, go_on=True)
    while isinstance(step, Screen):
        turn = quick.store.step(NAME, judge, step.assignment, step.position)
        quality = qualities[turn.item.translations[0].system]
        _, step = quick.decide(judge, step, 1 - quality if turned else quality, go_on=True)


def test_nothing_left_is_told_as_missing(state: WorkerState):
    found = compare(state, NAME, Filter(task="rating", documents=("nowhere",)))
    assert found.after.sections == {}
    assert all(c.score.after is None for c in found.systems)
    assert all(c.value.after is None for c in found.agreement)
    assert len(found.systems) >= 3
