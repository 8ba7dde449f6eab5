"""What a campaign.yaml may say, and what is said about one that is wrong."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.campaigns import config
from jurat.campaigns.config import (
    CampaignPlan,
    arranged,
    read_plan,
    roles_in,
    set_files,
    stored_plan,
)
from jurat.errors import InputError
from jurat.kits import task_plan as kit_plan
from jurat.model import File
from jurat.testsets import Role
from jurat.yamlfile import dump
from tests import ROOT
from tests.campaigns.sample_campaigns import SAMPLE, fetching, plan

FAULTY = """name: two words
title: Something
test_set: set.jsonl
seeds: 3
lease_minutes: 0
own_site: sometimes
sitting:
  items: 0
tasks:
  - name: adequacy
    protocol: da
    wanted: many
    required:
      tutorial: 1
  - name: adequacy
    kits:
      documents: 1
      segments: 2
"""


def problems(text):
    with pytest.raises(InputError) as refused:
        read_plan(File("campaign.yaml", text.encode()))
    return {problem.line: str(problem) for problem in refused.value.problems}


def test_every_fault_has_its_line():
    found = problems(FAULTY)
    assert "unknown field 'seeds'" in found[4]
    assert "did you mean 'seed'" in found[4]
    assert "allowed: include, avoid" in found[6]
    assert "expected a whole number from 1 to 1000000, got 0" in found[8]
    assert "expected a whole number, got 'many'" in found[12]
    assert "'protocol' is missing" in found[15]
    assert "in documents or in segments" in found[18]


def test_faults_of_the_whole_have_their_lines_too():
    text = """name: 2nd
test_set: set.jsonl
lease_minutes: 0
tasks:
  - {name: a, protocol: da}
  - name: a
    protocol: da
    required:
      tutorial: 1
"""
    found = problems(text)
    assert "'2nd' is not a valid name for a campaign" in found[1]
    assert "expected a whole number from 1 to 525600, got 0" in found[3]
    assert "two tasks are called 'a'" in found[6]
    assert "no tutorial set" in found[9]


@pytest.mark.parametrize("minutes", [0, -1, 10**9, 10**17])
def test_no_lease_and_no_pause_is_without_an_end(minutes):
    """Times beyond what a calendar holds would stop every judge."""
    rest = "test_set: x\ntasks: [{name: a, protocol: da}]\n"
    lease = problems(f"name: a\nlease_minutes: {minutes}\n{rest}")
    assert "expected a whole number from 1 to 525600" in lease[2]
    pause = problems(f"name: a\nsitting: {{pause_minutes: {minutes}}}\n{rest}")
    assert "expected a whole number from 1 to 1440" in pause[2]


@pytest.mark.parametrize("tasks", ["[]", ""])
def test_a_campaign_needs_a_task(tasks):
    assert problems(f"name: a\ntest_set: x\ntasks: {tasks}\n")[3]


def test_the_sample_is_read_and_comes_back_from_the_store_the_same():
    read = read_plan(File("campaign.yaml", (SAMPLE / "campaign.yaml").read_bytes()))
    assert read.plan.task("preference").wanted == 2
    assert stored_plan(read.declaration.content) == read.plan
    text = dump(read.declaration.content).encode()
    assert read_plan(File("again.yaml", text)).plan == read.plan


def test_the_forms_of_a_test_set():
    fetch = fetching({name: name.encode() for name in ("one", "two", "three", "four")})

    def roles(sources):
        text = dump(plan(test_set=sources)).encode()
        read = read_plan(File("c.yaml", text)).plan
        return [(file.name, file.role) for file in set_files(read.test_set, fetch)]

    assert roles("one") == [("one", None)]
    assert roles(["one", "two"]) == [("one", None), ("two", None)]
    assert roles(
        {
            "source": "one",
            "references": {"A": "two"},
            "systems": {"x": "three"},
            "documents": "four",
        }
    ) == [
        ("one", Role("source")),
        ("two", Role("reference", "A")),
        ("three", Role("system", "x")),
        ("four", Role("documents")),
    ]


def test_files_that_say_what_they_hold_beside_others_that_do_not():
    sources = {"source": "es.txt", "files": ["set.jsonl", "more.jsonl"]}
    read = read_plan(File("c.yaml", dump(plan(test_set=sources)).encode())).plan
    assert list(config.roles_of(read.test_set)) == [
        ("es.txt", Role("source")),
        ("set.jsonl", None),
        ("more.jsonl", None),
    ]


@pytest.mark.parametrize("said", [True, False, "ask"])
def test_who_may_register(said):
    read = read_plan(File("c.yaml", dump(plan(registration=said)).encode())).plan
    assert read.registration is said or read.registration == said == "ask"
    found = problems(
        "name: a\ntest_set: x\nregistration: perhaps\ntasks: [{name: a, protocol: da}]\n"
    )
    assert "'perhaps' is not allowed here; allowed: ask, true, false" in found[3]


def test_all_files_that_are_missing_are_named():
    with pytest.raises(InputError) as refused:
        set_files(("a", "b", "c"), fetching({"b": b""}))
    assert [problem.file for problem in refused.value.problems] == ["a", "c"]


STRUCTS = (
    CampaignPlan,
    config.Contact,
    config.SetFiles,
    config.Sitting,
    kit_plan.TaskPlan,
    kit_plan.KitPlan,
    kit_plan.Controls,
    kit_plan.RequiredKits,
)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_option_is_documented(struct):
    page = (ROOT / "docs" / "campaigns.md").read_text()
    (part,) = [p for p in page.split("\n### ") if p.startswith(HEADINGS[struct.__name__])]
    for field in msgspec.structs.fields(struct):
        assert f"\n| `{field.name}` |" in part, field.name


HEADINGS = {
    "CampaignPlan": "The campaign",
    "Contact": "`contact`",
    "SetFiles": "`test_set` and `tutorial`",
    "Sitting": "`sitting`",
    "TaskPlan": "`tasks`",
    "KitPlan": "`kits`",
    "Controls": "`controls`",
    "RequiredKits": "`required`",
}


NAMES = st.text("abc", min_size=1, max_size=3)
ROLES = st.none() | st.builds(Role, st.sampled_from(["reference", "system"]), NAMES)


@given(
    st.dictionaries(NAMES, ROLES, max_size=5),
    st.none() | NAMES.map(lambda name: f"{name}.src"),
    st.none() | NAMES.map(lambda name: f"{name}.doc"),
)
def test_there_and_back(roles, source, documents):
    roles |= {source: Role("source")} if source else {}
    roles |= {documents: Role("documents")} if documents else {}
    try:
        declared = arranged(roles)
    except InputError:
        named = [role for role in roles.values() if role]
        assert len({*named}) < len(named)
        return
    assert roles_in(declared) == roles


def test_the_shortest_form_is_taken():
    assert arranged({}) is None
    assert arranged({"a": None}) == "a"
    assert arranged({"a": None, "b": None}) == ["a", "b"]
    assert arranged({"a": Role("source"), "b": None, "x/c.txt": Role("system")}) == {
        "source": "a",
        "systems": {"c": "x/c.txt"},
        "files": ["b"],
    }


def test_two_files_are_not_the_same_thing():
    with pytest.raises(InputError, match="both be the system 'x'"):
        arranged({"a": Role("system", "x"), "b": Role("system", "x")})
    with pytest.raises(InputError, match="both be the source"):
        arranged({"a": Role("source"), "b": Role("source")})
    with pytest.raises(InputError, match="cannot be a segment"):
        arranged({"a": Role("segment")})


@pytest.mark.parametrize("nonsense", [None, 5, {}, {"x": 1}, {"source": 5}, [1], [[]], ""])
def test_what_is_no_declaration_has_no_files(nonsense):
    assert roles_in(nonsense) == {}
