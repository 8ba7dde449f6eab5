"""The parts of the results: a first look at all of them, and each of them whole."""

import pickle
from typing import Any

import polars as pl
import pytest

from jurat.campaigns import Screen
from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.sections import (
    ADJUSTED,
    OUTLIERS,
    SUMMARY_RESAMPLES,
    SUMMARY_STATISTICS,
    TESTED,
    Results,
    compare,
    section,
    summary,
)
from jurat.campaigns.monitoring.worker import WorkerState
from jurat.errors import InputError
from jurat.results import Result
from jurat.stats import statistics
from jurat.stats.judges import outlier_tests
from tests.campaigns.sample_campaigns import NAME, QUALITIES, Setting, make_set, plan, task

RATING = Filter(task="rating")


def named(results: Results, name: str) -> Result:
    found = results.named(name)
    assert found is not None
    return found


def test_the_first_look_has_every_part(state: WorkerState, played: Setting):
    found = summary(state, NAME, Filter())
    assert list(found.sections) == ["agreement", "judges", "systems", "preferences", "time"]
    assert found.as_of.judgments == len(played.decisions())
    assert found.as_of.version == played.store.stamp(NAME)
    assert found.as_of.last == max(one.decided_at for one in played.decisions())
    given = {part: {result.name for result in results} for part, results in found.sections.items()}
    for part, names in SUMMARY_STATISTICS.items():
        of = [s for s in statistics(part) if s.name in names]
        every = {n for s in of for n in s.gives[: 1 if s.name == OUTLIERS else None]}
        # the means rank the systems here
        assert given[part] == every - {ADJUSTED}
    outliers = named(found, OUTLIERS)
    assert [e.reason for e in outliers.estimates] == ["nobody stands out"]
    assert outliers.headline.startswith("No judge stands out beyond chance")
    assert "documents and judges vary" in named(found, "system-score").method
    assert SUMMARY_RESAMPLES == 200


def test_adjusted_scores_are_left_out_where_means_rank_the_systems(quick: Setting):
    """Every judge has judged everything, so that there is nothing to adjust."""
    declared = plan(task("da", wanted=3, one_system_per_segment=False, required={"evaluation": 6}))
    quick.launch(declared, judges=3, set=make_set(2, 2))
    quick.play(noise=0.1)
    found = summary(WorkerState(quick.store.address), NAME, Filter())
    assert "mean score" in named(found, "system-score").headline
    assert found.named(ADJUSTED) is None


def test_the_best_system_is_found(state: WorkerState):
    found = summary(state, NAME, RATING)
    ranks = named(found, "system-rank").estimates
    places = {e.by["system"]: e.value for e in ranks if e.by["question"] == "adequacy"}
    order = sorted(QUALITIES, key=lambda name: -QUALITIES[name])
    assert places == {name: float(n) for n, name in enumerate(order, 1)}
    assert "cluster-robust" in named(found, "pairwise-p").method


def test_figures_travel_with_the_numbers(state: WorkerState):
    results = summary(state, NAME, RATING)
    back = pickle.loads(pickle.dumps(results))
    score, drawn = named(back, "system-score"), named(results, "system-score")
    figure: Any = score.figure()
    assert figure == drawn.figure()
    assert figure["$schema"].endswith("v5.json")
    assert {row["system"] for row in figure["data"]["values"]} == set(QUALITIES)
    assert named(back, "overall-mean").figure() is None
    assert score.to_frame().equals(drawn.to_frame())


@pytest.mark.parametrize(
    ("part", "task", "some"),
    [
        ("agreement", "errors", {"krippendorff-alpha", "cohen-kappa", "span-f1"}),
        ("judges", "rating", {"judge-outlier", "judge-self-distance", "judge-controls"}),
        ("systems", "rating", {"system-score", "pairwise-wins", "document-score"}),
        ("preferences", "pairs", {"preference-kappa", "sign-test", "side-bias"}),
        ("time", "rating", {"seconds-median", "seconds-of-judge"}),
        ("heval", "features", {"heval-score", "heval-feature", "heval-construct"}),
        ("fatigue", "rating", {"slice-agreement", "slice-seconds"}),
    ],
)
def test_a_part_is_whole(state: WorkerState, part, task, some):
    found = section(state, NAME, part, Filter(task=task))
    results = {result.name: result for result in found.sections[part]}
    gives = {name for statistic in statistics(part) for name in statistic.gives}
    assert some <= set(results) <= gives
    for name in some:
        assert any(e.value is not None for e in results[name].estimates), name
    assert len(results) > len(SUMMARY_STATISTICS.get(part, ()))
    pickle.dumps(found)


def test_unknown_parts_and_faulty_conditions(state: WorkerState):
    with pytest.raises(InputError, match=r"unknown part of the results 'sytems'.*'systems'"):
        section(state, NAME, "sytems", Filter())
    with pytest.raises(InputError, match="genr"):
        summary(state, NAME, Filter(where="genr == 'news'"))


def test_pages_know_the_rule_by_its_name():
    assert TESTED == outlier_tests.TESTED


def test_nobody_may_stand_out(quick: Setting):
    judges = quick.launch(plan(task("sqm", wanted=2)))
    for judge in judges:
        quick.kit(judge, 0.6)
    (only,) = named(summary(WorkerState(quick.store.address), NAME, Filter()), OUTLIERS).estimates
    assert (only.value, only.reason) == (None, "nobody stands out")


def test_a_campaign_without_judgments(quick: Setting):
    quick.launch()
    found = summary(WorkerState(quick.store.address), NAME, Filter())
    assert (found.sections, found.as_of.judgments, found.as_of.last) == ({}, 0, None)
    found = section(WorkerState(quick.store.address), NAME, "systems", Filter())
    assert all(e.value is None for r in found.sections["systems"] for e in r.estimates)


def test_preferences_alone_and_rankings_alone(quick: Setting):
    for protocol in ("preference", "ranking"):
        name = f"only-{protocol}"
        declared = {**plan(task(protocol, wanted=2)), "name": name}
        quick.create(declared)
        quick.judges(6, name)
        quick.service.campaigns.change_phases(name, "start", author="boss")
        quick.play(name)
        found = summary(WorkerState(quick.store.address), name, Filter())
        assert list(found.sections) == ["systems", "preferences", "time"]
        assert {e.value for e in named(found, "system-rank").estimates} == {1.0, 2.0, 3.0}


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
        & pl.col("control").is_null()
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
