"""Which kit a judge gets: in order, of his group, for his tags, never twice, as likely as told."""

from collections import defaultdict

import msgspec
import pytest

from jurat.campaigns import Rest, Screen
from tests.campaigns.setting import NAME, SYSTEMS, Setting, make_set, plan, task

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
    step = setting.service.next(NAME, judge)
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
    quick.service.act(NAME, "stop", author="boss", task="fluency", reason="a moment")
    assert quick.rest(judge).message == "The evaluation of fluency is not open now: a moment"
    quick.service.act(NAME, "close", author="boss", task="fluency")
    assert quick.next(judge).task == "adequacy"


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
    (phase,) = setting.service.progress(NAME).phases
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
    table = setting.service.tables(NAME)["judgments"]
    assert table["probability"].is_between(0, 1, closed="right").all()
    assert (table["probability"] >= 0.1 / 12).all()
    assert table["probability"].n_unique() > 5


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


def test_a_repeated_request_gets_the_same_kit(setting: Setting):
    judge, *_ = setting.launch(plan(task(policy="adaptive")))
    assert setting.next(judge) == setting.next(judge)
    assert len({one.assignment for one in (setting.next(judge), setting.next(judge))}) == 1


def test_who_can_get_nothing_more_is_not_asked_to_go_on(setting: Setting):
    """Kits are left, but of segments that he has judged."""
    judge, *_ = setting.launch(plan(task(kits={"documents": 2})), judges=3)
    setting.kit(judge)
    (phase,) = setting.service.progress(NAME).phases
    assert phase.done < phase.wanted
    assert setting.rest(judge).kind == "finished"
    assert setting.rest(judge, go_on=True).kind == "finished"


def test_the_choice_is_told_by_its_kind_alone(quick: Setting):
    judge, *_ = quick.launch(plan(task(kits={"segments": 1}, required={"evaluation": 1})))
    quick.kit(judge)
    rest = quick.rest(judge)
    assert msgspec.to_builtins(rest) == {
        "kind": "go-on",
        "message": "You have done all that was asked. Will you go on?",
        "until": None,
    }
