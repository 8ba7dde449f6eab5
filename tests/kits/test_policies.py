"""Every policy chooses among what is open, with the probability that it says."""

from collections import Counter
from random import Random

import pytest
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.kits.eligibility import AvailableKit
from jurat.kits.policies import POLICIES, InterimScore
from jurat.kits.policies.adaptive import FLOOR, doubts
from jurat.model import Judge
from tests.kits.sets import given

NAMES = sorted(POLICIES.kinds)
GROUPS = st.sampled_from(["", "a", "b"])
COUNTS = st.dictionaries(st.sampled_from("pqrs"), st.integers(1, 9), min_size=1)
STANDING = st.dictionaries(
    st.sampled_from("pqrs"),
    st.builds(InterimScore, mean=st.floats(0, 9), n=st.integers(0, 99), sd=st.floats(0, 5)),
)
FACTS = st.lists(st.tuples(GROUPS, COUNTS, st.integers(0, 3)), max_size=8)


def kit(number, group="", systems=None, remaining=1):
    return AvailableKit(
        id=f"k{number}",
        task="t",
        number=number,
        block=f"b{number}",
        group=group,
        systems=systems or {"p": 1},
        remaining=remaining,
    )


def chosen_by(name, kits, judge):
    choice = POLICIES[name]().choose(kits, judge, {}, Random(1))
    assert choice is not None
    return choice.kit, choice.probability


def made(facts):
    return [kit(n, *fact) for n, fact in enumerate(facts, 1)]


def test_which_there_are():
    assert NAMES == ["adaptive", "by-group", "first-available"]
    with pytest.raises(InputError, match="did you mean 'adaptive'"):
        POLICIES["adaptiv"]


@pytest.mark.parametrize("name", NAMES)
@given(facts=FACTS, group=GROUPS, scores=STANDING, seed=st.integers(0, 999))
def test_only_open_kits_with_probabilities_that_sum_to_one(name, facts, group, scores, seed):
    policy, judge, kits = POLICIES[name](), Judge(id="j", group=group), made(facts)
    choice = policy.choose(kits, judge, scores, Random(seed))
    still_open = [each for each in kits if each.remaining]
    if not still_open:
        assert choice is None
        return
    weights = policy.weights(still_open, judge, scores)
    assert set(weights) <= {each.id for each in still_open}
    if choice is None:
        assert not weights
        return
    assert sum(weights.values()) == pytest.approx(1)
    assert choice.probability == weights[choice.kit] > 0
    assert choice == policy.choose(kits[::-1], judge, scores, Random(seed))


def test_first_available():
    kits = [kit(3), kit(2, remaining=0), kit(5, remaining=9)]
    assert chosen_by("first-available", kits, Judge(id="j")) == ("k3", 1.0)


@pytest.mark.parametrize(("group", "chosen"), [("a", "k4"), ("b", "k2"), ("c", "k1"), ("", "k1")])
def test_by_group(group, chosen):
    kits = [kit(1), kit(2, "b"), kit(3, "a"), kit(4, "a", remaining=2)]
    assert chosen_by("by-group", kits, Judge(id="j", group=group)) == (chosen, 1.0)


def test_by_group_never_gives_another_groups_kit():
    assert (
        POLICIES["by-group"]().choose([kit(1, "b")], Judge(id="j", group="a"), {}, Random(1))
        is None
    )


STANDINGS = {
    "best": InterimScore(mean=5.0, n=50, sd=1),
    "near": InterimScore(mean=4.95, n=50, sd=1),
    "far": InterimScore(mean=2.0, n=50, sd=1),
    "last": InterimScore(mean=1.9, n=50, sd=1),
}


def test_doubt_is_about_the_leading_systems():
    found = doubts(STANDINGS)
    # two-sided normal p-values of z = 0.05 / 0.2 and 0.1 / 0.2, the second for places 3 and 4
    assert found["best"] == found["near"] == pytest.approx(0.80259, abs=1e-5)
    assert found["far"] == found["last"] == pytest.approx(0.61708 / 3, abs=1e-5)
    assert doubts({"new": InterimScore(n=1, mean=9), **STANDINGS})["new"] == 1
    assert doubts({"a": InterimScore(mean=1, n=9), "b": InterimScore(mean=1, n=9)}) == {
        "a": 1,
        "b": 1,
    }
    assert doubts({"a": InterimScore(mean=2, n=9), "b": InterimScore(mean=1, n=9)}) == {
        "a": 0,
        "b": 0,
    }


def test_adaptive_prefers_what_tells_the_leaders_apart():
    kits = [kit(1, systems={"far": 5, "last": 5}), kit(2, systems={"best": 5, "near": 5})]
    kits += [kit(3, systems={"best": 5, "last": 5})]
    policy, judge = POLICIES["adaptive"](), Judge(id="j")
    weights = policy.weights(kits, judge, STANDINGS)
    assert weights["k2"] > 5 * weights["k3"] > 5 * weights["k1"] >= 5 * FLOOR / 3
    random = Random(1)
    choices = [policy.choose(kits, judge, STANDINGS, random) for _ in range(4000)]
    drawn = Counter(choice.kit for choice in choices if choice)
    for name, weight in weights.items():
        assert drawn[name] / 4000 == pytest.approx(weight, abs=0.03)


def test_adaptive_is_fair_while_nothing_is_known():
    weights = POLICIES["adaptive"]().weights([kit(1), kit(2)], Judge(id="j"), {})
    assert set(weights.values()) == {0.5}
