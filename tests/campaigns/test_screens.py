"""What a judge receives tells nothing of systems, judges, documents, controls or right answers."""

import json
import re

import msgspec
import pytest

from jurat import protocols
from jurat.campaigns.screens import Screen
from tests.campaigns.sample_campaigns import (
    NAME,
    SYSTEMS,
    Setting,
    head,
    jsonl,
    plan,
    segment,
    task,
)

SECRETS = (*SYSTEMS, "paper1", "paper2", "lesson1", "site-of", "wonderful", "degraded", "repeat")
GOLD = {"adequacy": 77}


def marked(segments=4):
    """A set with tags of every sort and a gold segment."""
    lines = [head(["paper1", "paper2"])]
    for document in ("paper1", "paper2"):
        numbers = range(1, segments + 1)
        lines += [segment(document, n, tags={"mood": "wonderful"}) for n in numbers]
    lines[1]["tags"] = {"gold": json.dumps({"systems": ["cedar"], **GOLD})}
    return jsonl(lines)


def seen_by(setting: Setting, declared, judges=4, **files) -> list[Screen]:
    """Every screen that some judges get, and what they see when they look back and come again."""
    screens: list[Screen] = []
    for judge in setting.launch(declared, judges=judges, **files):
        own = setting.all_kits(judge)
        screens += own
        screens += [
            setting.service.judging.look_back(NAME, judge, each.assignment, each.position)
            for each in own[:3]
        ]
    assert screens
    return screens


@pytest.mark.parametrize("name", protocols.names())
def test_screens_are_blind(quick: Setting, name: str):
    many = {"segments": 4} if protocols.load(name).unit == "segment" else {"documents": 1}
    declared = plan(
        task(name, required={"tutorial": 1}, kits=many),
        tutorial="tutorial.jsonl",
        human_references=["B"],
        registration=True,
    )
    lessons = jsonl([head(["lesson1"]), segment("lesson1", 1)])
    screens = seen_by(quick, declared, judges=2, set=marked(), tutorial=lessons)
    accounts = quick.store.judges(NAME)
    items = {one.item.id for one in quick.decisions()}
    secrets = [*SECRETS, "human-B", "answer", *(a.id for a in accounts), *(a.pin for a in accounts)]
    for screen in screens:
        told = msgspec.json.encode(
            msgspec.structs.replace(screen, assignment="", answered=None, earlier={}, questions={})
        ).decode()
        told = told.replace('"answered":null', "")
        found = [word for word in (*secrets, *items) if word in told]
        assert not found, (found, told)


def test_controls_and_right_answers_do_not_show(quick: Setting):
    controls = {"degraded": 1, "gold": 1}
    declared = plan(
        task(kits={"segments": 6, "repeats": 1, "controls": controls}), registration=True
    )
    screens = seen_by(quick, declared, set=marked())
    kinds = {one.item.control for one in quick.decisions()}
    assert kinds == {"", "repeat", "degraded", "gold"}
    shapes = {tuple(msgspec.to_builtins(screen)) for screen in screens}
    assert len(shapes) == 1
    everything = msgspec.json.encode(screens).decode()
    assert "77" not in re.sub(r'"(assignment|answered)":("[^"]*"|\{[^}]*\})', "", everything)
    assert not any(word in everything for word in SECRETS)


def test_assignments_are_opaque(setting: Setting):
    screens = seen_by(setting, plan(task(wanted=2)), judges=6)
    names = {screen.assignment for screen in screens}
    assert len(names) > 4
    assert all(re.fullmatch(r"[\w-]{20,}", name) for name in names)


@pytest.mark.parametrize("name", ["informativeness", "fidelity", "tcstar"])
def test_a_later_stage_is_not_revealed_before(quick: Setting, name: str):
    screens = seen_by(quick, plan(task(name)))
    first = [screen for screen in screens if screen.stage == 0]
    second = [screen for screen in screens if screen.stage == 1]
    assert first
    assert second
    assert all(not s.references and s.source is None and not s.context for s in first)
    assert "wording" not in msgspec.json.encode(first).decode()
    assert all(len(s.references) == 1 for s in second)
    assert all(set(s.earlier) for s in second)


def test_a_human_reference_is_not_its_own_reference(quick: Setting):
    declared = plan(task("tapet-adequacy"), human_references=["A", "B"])
    for screen in seen_by(quick, declared, judges=5):
        assert screen.translations[0] not in screen.references
        assert len(screen.references) == 1


def test_the_words_of_questions_follow_what_is_shown(quick: Setting):
    shown = seen_by(quick, plan(task("source-adequacy")))[0]
    assert shown.source is not None
    assert not shown.references
    assert "source" in shown.questions["adequacy"]
    assert shown.questions.keys() == {"adequacy"}


def test_comprehension_and_concepts_come_without_answers(quick: Setting):
    two = task("concepts") | {"name": "second"}
    screens = seen_by(quick, plan(task("comprehension"), two), judges=3)
    reading = next(screen for screen in screens if screen.task == "rating")
    assert [choices.options for choices in reading.comprehension] == [("he", "she", "they")] * 2
    assert not reading.concepts
    ticking = next(screen for screen in screens if screen.task == "second")
    assert ticking.concepts == ("who", "when")
    assert not ticking.comprehension


def places(setting: Setting, judge: str) -> list[tuple[int | None, int]]:
    """Of every step of a kit: where it leads back to, and how many may be fetched after it."""
    return [(step.back, step.ahead) for step in setting.kit(judge)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sqm", [(None, 1), (1, 0)]),
        ("da", [(None, 1), (None, 0)]),
        # what was read alone is not changed once the reference was seen
        ("informativeness", [(None, 0), (None, 0), (2, 0), (2, 0)]),
        ("tcstar", [(None, 1), (1, 0), (2, 1), (3, 0)]),
    ],
)
def test_where_a_step_leads(quick: Setting, name, expected):
    revise = {} if name in ("sqm", "da") else {"revise": True}
    judge, *_ = quick.launch(plan(task(name, kits={"documents": 1}, **revise)))
    assert places(quick, judge) == expected


def test_what_lies_behind_can_be_changed_or_not(quick: Setting):
    judge, *_ = quick.launch(plan(task("tcstar", revise=True, kits={"documents": 1})))
    step = quick.next(judge)
    assert not step.changeable
    for _ in range(2):
        quick.decide(judge, quick.next(judge))
    back = [quick.service.judging.look_back(NAME, judge, step.assignment, n) for n in (1, 2)]
    assert [one.changeable for one in back] == [False, True]
