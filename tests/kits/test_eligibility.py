"""Who may get which kit."""

from random import Random

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from jurat.kits.eligibility import (
    AvailableKit,
    KitId,
    KitSummary,
    Rules,
    available_kit,
    eligible,
    obstacles,
    rules,
    summarize_kit,
    unaided,
)
from jurat.kits.policies import POLICIES
from jurat.model import Judge
from tests.kits import sets
from tests.kits.sets import ADEQUACY, ESA, FLUENCY, HEVAL, PREFERENCE, TCSTAR, given, make_set, own

JUDGE = Judge(id="j", group="g", site="north", tags={"native": "yes", "years": "4"})
KIT = summarize_kit(sets.kits(make_set())[0])


def why(kit=KIT, judge=JUDGE, had=(), **fields):
    return list(obstacles(kit, judge, had, Rules(**fields)))


def test_nothing_against_it():
    assert why() == []
    assert eligible(KIT, JUDGE, (), Rules())


@pytest.mark.parametrize(("group", "may"), [("", True), ("g", True), ("h", False)])
def test_group(group, may):
    assert (why(replace(KIT, group=group)) == []) == may


def test_a_kit_is_had_once_even_where_systems_are_together():
    assert why(had=[KIT], apart=False) == ["the judge has had it"]
    assert why(had=[replace(KIT, task="other", block="other.1")]) == []


def test_a_block_is_had_once_where_systems_are_kept_apart():
    version = replace(KIT, id=99)
    assert why(had=[version]) == ["the judge has had the same segments from other systems"]
    assert why(had=[version], apart=False) == []
    assert why(had=[replace(version, block="t.evaluation.2")]) == []


def test_own_site():
    (mine, *_) = KIT.systems
    sites = {**dict.fromkeys(("s1", "s2", "s3"), "south"), mine: "north"}
    assert why(sites=sites, own_site="include") == []
    assert why(sites=sites, own_site="avoid") == ["it holds systems of the judge's own site"]
    others = replace(KIT, systems={system: 1 for system in sites if system != mine})
    assert why(others, sites=sites, own_site="avoid") == []
    assert why(judge=replace(JUDGE, site=""), sites=sites, own_site="avoid") == []


@pytest.mark.parametrize(
    ("expression", "may"),
    [
        ("native == 'yes'", True),
        ("native != 'yes'", False),
        ("years >= 5", False),
        ("group == 'g' and site in ('north', 'south')", True),
        ("bilingual", False),
    ],
)
def test_tags_of_judges(expression, may):
    assert (why(judges=expression) == []) == may


def test_fluency_is_not_asked_of_who_knows_the_reference():
    (fluency, *_), (adequacy, *_) = (
        [summarize_kit(kit) for kit in sets.kits(make_set(), p, name=p.name, kits={"documents": 1})]
        for p in (FLUENCY, ADEQUACY)
    )
    known = "the judge has seen references of translations that are judged without"
    assert why(fluency, had=[adequacy], unaided=True) == [known]
    assert why(fluency, had=[adequacy], unaided=False) == []
    assert why(fluency, had=[replace(adequacy, references=False)], unaided=True) == []
    assert why(fluency, had=[replace(adequacy, documents=frozenset({"d9"}))], unaided=True) == []


def test_a_task_that_reveals_the_reference_itself():
    """Another part of the same document is fine, the same segments are not."""
    kits = [summarize_kit(k) for k in sets.kits(make_set([4]), TCSTAR, kits={"segments": 2})]
    first, *_, other = kits
    version = kits[1]
    assert first.block == version.block != other.block
    assert len(why(version, had=[first], unaided=True, apart=False)) == 1
    assert why(other, had=[first], unaided=True, apart=False) == []


def test_which_protocols_are_read_without_help():
    assert [unaided(p) for p in (FLUENCY, TCSTAR, ADEQUACY, ESA, PREFERENCE)] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_rules_of_a_task():
    some = make_set(sites=["north"])
    found = rules(sets.plan(judges="native"), ADEQUACY, some.systems, own_site="avoid")
    assert found.apart
    assert not found.unaided
    assert (found.own_site, found.judges) == ("avoid", "native")
    assert found.sites == {"s1": "north", "s2": "", "s3": ""}
    assert not rules(sets.plan(HEVAL), HEVAL, ()).apart
    assert not rules(sets.plan(PREFERENCE), PREFERENCE, ()).apart
    assert not rules(sets.plan(one_system_per_segment=False), ADEQUACY, ()).apart


JUDGES = [
    Judge(id=f"j{n}", group="gh"[n % 2], site=["north", "south", ""][n % 3]) for n in range(8)
]


@given(
    sets.SETS,
    sets.KITS,
    sets.SEEDS,
    sets.GROUPS,
    st.sampled_from([ADEQUACY, HEVAL, TCSTAR]),
    st.sampled_from(sorted(POLICIES.kinds)),
    st.sampled_from(["include", "avoid"]),
    st.integers(1, 3),
    sets.SEEDS,
)
def test_a_campaign_never_breaks_its_rules(  # noqa: PLR0917
    given_set, kits, seed, groups, protocol, policy, own_site, wanted, order
):
    """Judges come in any order and take what a policy gives them, until nothing is left."""
    if protocol is HEVAL:
        groups = {}
    systems = tuple(
        replace(s, site=["north", "south"][n % 2]) for n, s in enumerate(given_set.systems)
    )
    some = replace(given_set, systems=systems)
    plan = sets.plan(protocol, kits=kits, groups=groups, wanted=wanted)
    made = {k.number: k for k in sets.kits(some, protocol, seed=seed, kits=kits, groups=groups)}
    held = rules(plan, protocol, systems, own_site=own_site)
    done: dict[str, list[KitSummary]] = {judge.id: [] for judge in JUDGES}
    left: dict[KitId, int] = dict.fromkeys(made, wanted)
    waiting, random = list(JUDGES), Random(order)
    summaries: dict[KitId, AvailableKit] = {
        n: available_kit(kit, remaining=wanted) for n, kit in made.items()
    }
    while waiting:
        judge = random.choice(waiting)
        fit = [c for c in summaries.values() if eligible(c, judge, done[judge.id], held)]
        choice = POLICIES[policy]().choose(fit, judge, {}, random)
        if choice is None:
            waiting.remove(judge)
            continue
        left[choice.kit] -= 1
        summaries[choice.kit] = replace(summaries[choice.kit], remaining=left[choice.kit])
        done[judge.id].append(summaries[choice.kit])
    assert all(0 <= n <= wanted for n in left.values())
    for judge in JUDGES:
        check_history(judge, [made[c.number] for c in done[judge.id]], held)


def check_history(judge, kits, held):
    numbers = [kit.number for kit in kits]
    assert len(numbers) == len(set(numbers))
    assert all(kit.group in ("", judge.group) for kit in kits)
    segments = [(i.document, i.segment) for kit in kits for i in own(kit)]
    if held.apart:
        assert len(segments) == len(set(segments))
    if held.own_site == "avoid" and judge.site:
        assert not any(held.sites[s] == judge.site for kit in kits for s in kit.systems)
