"""What may be declared of a task, and what is said about mistakes."""

import pytest

from jurat.errors import InputError
from jurat.kits.task_plan import Controls, KitPlan, RequiredKits, TaskPlan
from jurat.yamlfile import Declaration

WHOLE = """
name: adequacy
protocol: tapet-adequacy
wanted: 2
systems: [s1, s2]
documents: [d1]
first: 4
where: genre == 'news'
kits:
  documents: 3
  systems: 4
  order: shuffled
  repeats: 2
  controls: {easy: 1, degraded: 2, gold: 3}
tutorial: {segments: 5}
required: {tutorial: 1, evaluation: 2}
groups: {a: A, b: source}
judges: native == 'yes'
policy: adaptive
revise: true
one_system_per_segment: false
"""


def read(text: str) -> TaskPlan:
    return Declaration(text.encode(), file="plan.yaml").read(TaskPlan)


def test_a_whole_plan():
    plan = read(WHOLE)
    assert plan.kits == KitPlan(
        documents=3,
        systems=4,
        order="shuffled",
        repeats=2,
        controls=Controls(easy=1, degraded=2, gold=3),
    )
    assert plan.kits.controls.total == 6
    assert plan.tutorial == KitPlan(segments=5)
    assert plan.groups == {"a": "A", "b": "source"}
    assert plan.required == RequiredKits(tutorial=1, evaluation=2)


def test_the_shortest_plan():
    plan = read("name: a\nprotocol: preference")
    assert plan == TaskPlan(name="a", protocol="preference")
    assert (plan.wanted, plan.kits.pairs, plan.policy) == (1, "all", "first-available")


WRONG = {
    "wanted: 0": "field wanted: expected a whole number from 1 to 1000000, got 0",
    "first: 0": "field first: expected a whole number from 1",
    "kits: {documents: 0}": "field kits.documents: expected a whole number from 1",
    "kits: {pairs: 0}": "field kits.pairs: expected a whole number from 1",
    "kits: {pairs: some}": "field kits.pairs: 'some' is not allowed here; allowed: all",
    "kits: {repeats: -1}": "field kits.repeats: expected a whole number from 0",
    "kits: {controls: {gold: -1}}": "field kits.controls.gold: expected a whole number from 0",
    "kits: {documents: 1, segments: 2}": "in documents or in segments, not both",
    "kits: {order: random}": "allowed: document, shuffled",
    "required: {evaluation: -1}": "field required.evaluation: expected a whole number from 0",
    "where: genre = 'news'": "use == to compare",
    "judges: native ==": "field judges: cannot read the expression",
    "systems: [s1, s1]": "'s1' occurs 2 times",
    "groups: {a: ''}": "field groups.a: a group needs a name",
    "wishes: 3": "unknown field 'wishes'",
}


@pytest.mark.parametrize(("line", "words"), WRONG.items(), ids=WRONG)
def test_mistakes(line, words):
    with pytest.raises(InputError) as caught:
        read(f"name: a\nprotocol: b\n{line}")
    assert words in str(caught.value)
    assert "plan.yaml:3" in str(caught.value)


def test_a_name_is_a_name():
    with pytest.raises(InputError, match="'1 a' is not a valid task name"):
        TaskPlan(name="1 a", protocol="b")
