"""Which kit a judge gets: in order, of their group and tags, never twice, as likely as recorded."""

from collections import defaultdict
from datetime import timedelta
from math import exp
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jurat.campaigns import Rest, Screen
from jurat.campaigns.kit_choice import SCORES_FRESH, SystemScores
from jurat.campaigns.monitoring.filters import Filter, apply_filter
from jurat.campaigns.service_context import ServiceContext
from jurat.kits.policies import InterimScore
from jurat.model import File, Judge
from jurat.store import Offer, OpenKit, Store
from jurat.tables import Judgments, read_table, write_table
from tests.campaigns.sample_campaigns import (
    NAME,
    SYSTEMS,
    Setting,
    head,
    jsonl,
    make_set,
    plan,
    segment,
    task,
)

LESSON = make_set(1, 1, kind="lesson")


def both(**more):
    first = task("ldc-fluency") | {"name": "fluency"}
    second = task("ldc-adequacy", **more) | {"name": "adequacy"}
    return first, second


def test_tutorials_then_tasks_in_order_then_the_question(setting: Setting):
    tasks = [t | {"required": {"tutorial": 1, "evaluation": 1}} for t in both()]
    setting.launch(plan(*tasks, tutorial="tutorial.jsonl"), tutorial=LESSON)
    judge = setting.store.judges(NAME)[0].id
    places = []
    step = setting.service.judging.next(NAME, judge)
    while isinstance(step, Screen):
        places.append((step.task, step.phase))
        _, step = setting.decide(judge, step)
    assert list(dict.fromkeys(places)) == [
        ("fluency", "tutorial"),
        ("fluency", "evaluation"),
        ("adequacy", "tutorial"),
        ("adequacy", "evaluation"),
    ]
    assert step.kind == "go-on"
    assert setting.rest(judge).kind == "go-on"
    more = setting.next(judge, go_on=True)
    assert more.phase == "evaluation"


def test_nobody_passes_by_a_task_that_is_stopped(quick: Setting):
    judge, *_ = quick.launch(plan(*both()))
    quick.service.campaigns.change_phases(
        NAME, "stop", author="boss", task="fluency", reason="a moment"
    )
    assert quick.rest(judge).message == "Not open right now: fluency. a moment"
    quick.service.campaigns.change_phases(NAME, "close", author="boss", task="fluency")
    assert quick.next(judge).task == "adequacy"


def test_everybody_passes_by_a_task_that_is_closed_with_its_tutorial(quick: Setting):
    tasks = [t | {"required": {"tutorial": 1, "evaluation": 1}} for t in both()]
    judge, *_ = quick.launch(plan(*tasks, tutorial="tutorial.jsonl"), tutorial=LESSON)
    quick.service.campaigns.change_phases(
        NAME, "close", author="boss", task="fluency", phase="tutorial"
    )
    # nobody evaluates without the tutorial that is required
    assert quick.rest(judge).message == "“fluency” is closed. Thank you!"
    quick.service.campaigns.change_phases(NAME, "close", author="boss", task="fluency")
    assert (quick.next(judge).task, quick.next(judge).phase) == ("adequacy", "tutorial")


def test_fluency_is_not_asked_of_who_knows_the_reference(setting: Setting):
    fluency, adequacy = both(kits={"documents": 1})
    judge, _other, *_ = setting.launch(
        plan(adequacy | {"required": {"evaluation": 1}}, fluency | {"kits": {"documents": 1}}),
        judges=7,
    )
    seen = setting.all_kits(judge)
    assert {step.task for step in seen if step.references} == {"adequacy"}
    own = [one for one in setting.decisions() if one.judge == "p0"]
    known = set()
    for one in own:
        if one.task == "adequacy":
            known.add(one.item.document)
        else:
            assert one.item.document not in known
    assert "fluency" in {one.task for one in own}


def test_groups_see_their_own_reference_and_nothing_else(setting: Setting):
    groups = {"first": "A", "second": "B", "bilingual": "source"}
    setting.create(plan(task("ldc-adequacy", groups=groups)))
    for group in groups:
        setting.judges(3, group=group)
    setting.judges(1, group="stranger")
    setting.start()
    words = {"first": "first wording", "second": "second wording"}
    for account in setting.store.judges(NAME):
        screens = setting.all_kits(account.id)
        if account.group == "stranger":
            assert not screens
            continue
        assert screens
        for step in screens:
            if account.group == "bilingual":
                assert not step.references
                assert "fuente" in (step.source or "")
            else:
                (reference,) = step.references
                assert words[account.group] in reference
                assert step.source is None
    (phase,) = setting.service.monitoring.progress(NAME).phases
    assert phase.done == phase.wanted


def test_only_judges_with_the_tags_asked_for_get_kits(quick: Setting):
    quick.create(plan(task(judges="native == 'yes' and site != 'north'")))
    natives = quick.judges(3, tags={"native": "yes"})
    others = [
        *quick.judges(1, tags={"native": "no"}),
        *quick.judges(1, tags={"native": "yes"}, site="north"),
        *quick.judges(1),
    ]
    quick.start()
    assert all(quick.rest(one.id, go_on=True).kind == "finished" for one in others)
    assert all(quick.all_kits(one.id) for one in natives)


@pytest.mark.parametrize("policy", ["include", "avoid"])
def test_a_judges_own_site(quick: Setting, policy):
    declared = task(kits={"documents": 1, "systems": 1}, one_system_per_segment=False)
    quick.create(plan(declared, own_site=policy))
    own = quick.judges(1, site="site-of-cedar")[0]
    quick.judges(1)
    quick.start()
    quick.all_kits(own.id)
    judged = {one.item.translations[0].system for one in quick.decisions()}
    assert judged == (set(SYSTEMS) if policy == "include" else {"birch", "willow"})


def test_one_system_per_segment(setting: Setting):
    judges = setting.launch(plan(task(wanted=2)), judges=6)
    for judge in judges:
        setting.all_kits(judge)
    seen = defaultdict(list)
    for one in setting.decisions():
        seen[one.judge, one.item.document, one.item.segment].append(one)
    assert len(setting.decisions()) == 2 * 12
    assert all(len(group) == 1 for group in seen.values())


def test_the_rule_can_be_off(quick: Setting):
    (judge,) = quick.launch(plan(task(one_system_per_segment=False)), judges=1)
    quick.all_kits(judge)
    assert len(quick.decisions()) == 12


def test_the_probabilities_of_an_adaptive_choice_are_recorded(setting: Setting):
    kits = {"documents": 1, "systems": 1}
    declared = task(policy="adaptive", kits=kits, one_system_per_segment=False, wanted=4)
    judges = setting.launch(plan(declared), judges=4, set=make_set(4, 1))
    first = setting.next(judges[0])
    setting.decide(judges[0], first)
    # nothing is known yet: all twelve kits are alike
    assert setting.decisions()[0].probability == pytest.approx(1 / 12)
    setting.play()
    table = setting.service.campaigns.tables(NAME)["judgments"]
    assert table["probability"].is_between(0, 1, closed="right").all()
    assert (table["probability"] >= 0.1 / 12).all()
    assert table["probability"].n_unique() > 5
    # as numbers in what is analysed: live, and from an exported file
    live = apply_filter({"judgments": table}, Filter()).evaluation.judged
    exported = Judgments(read_table(File("judgments.csv", write_table(table, "csv")))).frame
    assert live["probability"].to_list() == exported["probability"].to_list()


def test_kits_of_uncertain_leaders_are_preferred(quick: Setting):
    kits = {"documents": 1, "systems": 1}
    declared = task(policy="adaptive", kits=kits, one_system_per_segment=False, wanted=40)
    judges = quick.launch(plan(declared), judges=40, set=make_set(4, 2))
    quality = {"cedar": 0.8, "birch": 0.8, "willow": 0.1}
    for number, judge in enumerate(judges[:6]):
        step: Screen | Rest = quick.next(judge)
        while isinstance(step, Screen):
            turn = quick.store.step(NAME, judge, step.assignment, step.position)
            wobble = (number % 3 - 1) / 20
            base = quality[turn.item.translations[0].system]
            _, step = quick.decide(judge, step, base + wobble, go_on=True)
    quick.watch.pass_by(120)  # a standing is a minute old at most
    chosen = []
    for judge in judges[6:]:
        first = quick.next(judge)
        turn = quick.store.step(NAME, judge, first.assignment, 1)
        chosen.append(turn.item.translations[0].system)
    assert chosen.count("willow") <= 3
    assert min(chosen.count("cedar"), chosen.count("birch")) >= 5


def uneven_kits(quick: Setting) -> list[OpenKit]:
    """Kits of the same two systems, one of them three times and the other once, or so."""
    systems = ("cedar", "birch")
    lines = [segment("long", n, systems) for n in (1, 2, 3)] + [segment("short", 1, systems)]
    declared = task(policy="adaptive", kits={"documents": 2})
    quick.create(plan(declared), set=jsonl([head(["long", "short"], systems), *lines]))
    (judge,) = quick.judges(1)
    quick.judges(2)
    quick.start()
    seen: list[OpenKit] = []

    def look(offer):
        seen.extend(offer.kits)

    quick.store.next_step(NAME, judge.id, look, now=quick.watch(), lease=timedelta(hours=1))
    return seen


def test_every_translation_in_a_kit_counts_for_its_usefulness(quick: Setting):
    kits = uneven_kits(quick)
    assigner = ServiceContext(quick.store).campaign(NAME).assigner
    known = {"rating": {"cedar": InterimScore(mean=9, n=9, sd=1)}}  # of birch nothing is known
    judge, states = Judge(id="j"), quick.store.states(NAME)
    offer = Offer(kits, [], lambda *_: [])
    chances = {
        pick.kit.number: pick.probability
        for number in range(20)
        if (pick := assigner.choose(judge, offer, states=states, number=number, scores=known))
    }
    birches = {
        kit.number: sum(item.translations[0].system == "birch" for item in kit.items)
        for kit in quick.store.kits(NAME)
    }
    assert sorted(birches.values()) == [1, 3]
    (better,) = (number for number, count in birches.items() if count == 3)
    # three of four are in doubt there, one of four here: half of KEENNESS apart
    assert chances[better] == pytest.approx(0.9 / (1 + exp(-5)) + 0.05)


def many(policy: str, **more) -> dict[str, object]:
    """A hundred and forty-four kits of one translation each."""
    loose: dict[str, Any] = {"kits": {"segments": 1, "systems": 1}, "one_system_per_segment": False}
    return plan(task(policy=policy, **loose, **more))


def test_an_adaptive_choice_is_among_all_kits(quick: Setting):
    judge, *_ = quick.launch(many("adaptive"), set=make_set(4, 12))
    quick.decide(judge, quick.next(judge))
    assert quick.decisions()[0].probability == pytest.approx(1 / 144)


def test_the_kit_that_lacks_most_is_found_among_all(quick: Setting):
    one, other, *_ = quick.launch(many("by-group", wanted=2), set=make_set(4, 12))
    for _ in range(110):
        quick.kit(one, go_on=True)
    quick.kit(other)
    assert quick.decisions()[-1].kit == 112  # the one after 111, which another judge has begun


def test_the_same_seed_chooses_the_same_in_every_store(tmp_path: Path):
    chosen = []
    for name in ("here.db", "there.db"):
        with Store.open(str(tmp_path / name)) as store:
            setting = Setting(store)
            setting.launch(many("adaptive"), judges=3, set=make_set(2, 4))
            setting.play()
            chosen.append([(d.judge, d.kit, d.probability) for d in setting.decisions()])
    assert chosen[0] == chosen[1]
    assert len({kit for _, kit, _ in chosen[0]}) == 24
    assert [kit for _, kit, _ in chosen[0]] != sorted(kit for _, kit, _ in chosen[0])


def test_a_repeated_request_gets_the_same_kit(setting: Setting):
    judge, *_ = setting.launch(plan(task(policy="adaptive")))
    assert setting.next(judge) == setting.next(judge)
    assert len({one.assignment for one in (setting.next(judge), setting.next(judge))}) == 1


def test_who_can_get_nothing_more_is_not_asked_to_go_on(setting: Setting):
    """Kits are left, but of segments that they have judged."""
    judge, *_ = setting.launch(plan(task(kits={"documents": 2})), judges=3)
    setting.kit(judge)
    (phase,) = setting.service.monitoring.progress(NAME).phases
    assert phase.done < phase.wanted
    assert setting.rest(judge).kind == "finished"
    assert setting.rest(judge, go_on=True).kind == "finished"


def test_the_choice_is_told_by_its_kind_and_task(quick: Setting):
    judge, *_ = quick.launch(plan(task(kits={"segments": 1}, required={"evaluation": 1})))
    quick.kit(judge)
    rest = quick.rest(judge)
    assert msgspec.to_builtins(rest) == {
        "kind": "go-on",
        "code": "go-on",
        "values": {"task": "rating"},
        "until": None,
    }


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
    quick.all_kits(judges[0])  # they always like the first on the screen better
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
