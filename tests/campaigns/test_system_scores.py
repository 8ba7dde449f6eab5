"""How the systems stand, from the judgments that count."""

import pytest

from jurat.campaigns.assignment import SCORES_FRESH, SystemScores
from jurat.campaigns.context import ServiceContext
from jurat.kits.policies import InterimScore
from tests.campaigns.setting import NAME, Setting, make_set, plan, task


def standing(setting: Setting):
    return SystemScores(setting.store, setting.watch).of(
        ServiceContext(setting.store).definition(NAME)
    )


def test_the_means_of_what_counts(setting: Setting):
    kits = {"documents": 1, "systems": 1, "controls": {"degraded": 1}}
    declared = task("da", policy="adaptive", kits=kits, required={"tutorial": 1})
    lesson = make_set(1, 2, kind="lesson")
    judges = setting.launch(
        plan(declared, tutorial="tutorial.jsonl"), judges=4, set=make_set(1, 4), tutorial=lesson
    )
    for judge, quality in zip(judges, (0.2, 0.4, 0.6), strict=False):
        setting.all_kits(judge, quality)
    made = [d for d in setting.decisions() if d.phase == "evaluation" and not d.item.control]
    expected: dict[str, list[float]] = {}
    for one in made:
        expected.setdefault(one.item.translations[0].system, []).append(
            float(str(one.answers["adequacy"]))
        )
    found = standing(setting)["rating"]
    assert {s: (each.mean, each.n) for s, each in found.items()} == {
        system: (pytest.approx(sum(values) / len(values)), len(values))
        for system, values in expected.items()
    }
    setting.service.campaigns.give_back(NAME, "p0", author="boss", reason="careless")
    assert len(standing(setting)["rating"]) == 2


def test_preferences_and_rankings_tell_too(quick: Setting):
    pairs = task("preference", policy="adaptive")
    order = task("ranking", policy="adaptive") | {"name": "order"}
    judges = quick.launch(plan(pairs, order), judges=2)
    quick.all_kits(judges[0])  # he always likes the first on the screen better
    found = standing(quick)
    rows = quick.service.campaigns.tables(NAME)
    wins = rows["preferences"]["system_a"].value_counts()
    won = dict(zip(wins["system_a"], wins["count"], strict=True))
    assert {s: round(each.mean * each.n) for s, each in found["rating"].items()} == {
        system: won.get(system, 0) for system in found["rating"]
    }
    assert {each.n for each in found["rating"].values()} == {8}
    assert {each.n for each in found["order"].values()} == {4}
    assert all(-3 <= each.mean <= -1 for each in found["order"].values())


def test_nothing_is_computed_that_nobody_looks_at(quick: Setting):
    judge, *_ = quick.launch()
    quick.all_kits(judge)
    assert standing(quick) == {}


def test_a_minute_old_is_new_enough(quick: Setting):
    judge, _other, *_ = quick.launch(plan(task(policy="adaptive")))
    scores = SystemScores(quick.store, quick.watch)
    definition = ServiceContext(quick.store).definition(NAME)
    assert scores.of(definition) == {}
    quick.decide(judge, quick.next(judge))
    assert scores.of(definition) == {}
    quick.watch.pass_by(SCORES_FRESH.total_seconds())
    (told,) = scores.of(definition)["rating"].values()
    assert told == InterimScore(mean=told.mean, n=1, sd=0.0)
