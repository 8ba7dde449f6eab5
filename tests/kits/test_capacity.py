"""Whether a task can be finished, beside what trying shows."""

from collections import Counter
from itertools import product
from random import Random

from hypothesis import strategies as st

from jurat.kits.capacity import assign_in_turns, judges_needed, max_kits, shortages, unassigned
from jurat.kits.connectivity import components_by_translation
from jurat.kits.eligibility import KitSummary, Rules, eligible
from jurat.model import Item, Judge, Kit, Shown
from tests.kits.sets import given

SITES = ("", "north", "south")


def summaries(blocks, versions, groups=("",)):
    numbers = iter(range(1, 1000))
    return [
        KitSummary(
            id=(n := next(numbers)),
            task="t",
            number=n,
            block=f"b{block}",
            group=group,
            systems={f"s{version}": 1},
        )
        for block in range(blocks)
        for group in groups
        for version in range(versions)
    ]


def people(*groups, sites=()):
    padded = [*sites, *[""] * len(groups)]
    return [Judge(id=f"j{n}", group=g, site=padded[n]) for n, g in enumerate(groups)]


def finishes(kits, judges, rules, wanted, order):
    """Whether judges who come in any order and take any kit give all that is wanted."""
    left = {kit.id: wanted for kit in kits}
    had: dict[str, list[KitSummary]] = {judge.id: [] for judge in judges}
    waiting = list(judges)
    while waiting:
        judge = order.choice(waiting)
        fit = [k for k in kits if left[k.id] and eligible(k, judge, had[judge.id], rules)]
        if not fit:
            waiting.remove(judge)
            continue
        kit = order.choice(fit)
        left[kit.id] -= 1
        had[judge.id].append(kit)
    return not any(left.values())


RULES = st.builds(
    Rules,
    apart=st.booleans(),
    own_site=st.sampled_from(["include", "avoid"]),
    sites=st.just({"s0": "north", "s1": "south", "s2": ""}),
)
GROUPED = st.sampled_from([("",), ("g",), ("g", "h")])
JUDGES = st.lists(st.tuples(st.sampled_from("gh"), st.sampled_from(SITES)), max_size=8)


@given(
    st.integers(1, 3), st.integers(1, 3), GROUPED, JUDGES, RULES, st.integers(1, 3), st.integers()
)
def test_what_is_refused_cannot_be_finished_and_the_rest_can(  # noqa: PLR0917
    blocks, versions, groups, judges, rules, wanted, seed
):
    kits = summaries(blocks, versions, groups)
    who = [Judge(id=f"j{n}", group=g, site=s) for n, (g, s) in enumerate(judges)]
    short = shortages(kits, who, rules, wanted=wanted)
    orders = [Random(seed + n) for n in range(6)]
    tried = [finishes(kits, who, rules, wanted, order) for order in orders]
    if short:
        assert not any(tried)
    elif rules.own_site == "include":  # all judges of a group are alike: no order goes wrong
        assert all(tried)
    assigned = assign_in_turns(kits, who, rules, wanted=wanted)
    check_deal(kits, who, rules, wanted, assigned)
    assert not short or unassigned(kits, assigned, wanted=wanted)


def check_deal(kits, judges, rules, wanted, assigned):
    times = Counter(summary.id for own in assigned.values() for summary in own)
    assert all(count <= wanted for count in times.values())
    for judge in judges:
        own = assigned[judge.id]
        assert all(eligible(summary, judge, own[:n], rules) for n, summary in enumerate(own))
        assert len(own) <= max_kits(kits, judge, rules)


@given(st.integers(1, 3), st.integers(1, 2), st.lists(st.sampled_from(SITES), max_size=4))
def test_a_shortage_is_exactly_what_no_assignment_avoids(versions, wanted, sites):
    """Every assignment of one block tried: each judge gets one of its kits, or none."""
    rules = Rules(own_site="avoid", sites={"s0": "north", "s1": "south", "s2": ""})
    kits = summaries(1, versions)
    judges = people(*[""] * len(sites), sites=sites)
    options = [[None, *(k for k in kits if eligible(k, j, (), rules))] for j in judges]
    best = max(
        sum(min(count, wanted) for kit, count in Counter(choice).items() if kit)
        for choice in product(*[[kit.id if kit else None for kit in own] for own in options])
    )
    missing = sum(s.missing for s in shortages(kits, judges, rules, wanted=wanted))
    assert missing == wanted * versions - best


def test_a_shortage_names_the_kits_that_compete():
    rules = Rules(own_site="avoid", sites={"s0": "north", "s1": "south", "s2": ""})
    judges = people(*[""] * 5, sites=["north"] * 4)
    (short,) = shortages(summaries(1, 3), judges, rules, wanted=2)
    assert (short.kits, short.wanted, short.judges) == ((1,), 2, 1)
    (short,) = shortages(summaries(1, 3), people(*[""] * 5), Rules(), wanted=2)
    assert (short.kits, short.wanted, short.judges, short.missing) == ((1, 2, 3), 6, 5, 1)


@given(st.integers(1, 3), st.integers(1, 3), GROUPED, st.booleans(), st.integers(1, 3))
def test_the_judges_needed_are_enough_and_none_fewer(blocks, versions, groups, apart, wanted):
    kits, rules = summaries(blocks, versions, groups), Rules(apart=apart)
    needed = judges_needed(kits, rules, wanted=wanted)
    assert set(needed) == set(groups)
    enough = people(*[group for group, number in needed.items() for _ in range(number)])
    assert not shortages(kits, enough, rules, wanted=wanted)
    for one in enough:
        assert shortages(kits, [j for j in enough if j is not one], rules, wanted=wanted)


def test_a_judge_knows_a_reference_after_one_kit_of_a_block():
    kits = [KitSummary(id=n, task="t", number=n, block="b", references=True) for n in (1, 2)]
    assert shortages(kits, people(""), Rules(apart=False, unaided=True), wanted=1)
    assert not shortages(kits, people(""), Rules(apart=False), wanted=1)


def test_a_document_may_have_any_name():
    (summary,) = summaries(1, 1)
    item = Item(id="i", document="judge", segment="1", translations=(Shown(system="s0", text="a"),))
    kit = Kit(task="t", phase="evaluation", number=1, block="b0", items=(item,))
    assert components_by_translation({"anna": [summary]}, {summary.id: kit}) == [{"anna"}]
