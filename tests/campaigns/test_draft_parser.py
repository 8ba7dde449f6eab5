"""Declarations that are not finished: every fault has its field, and the rest is sound."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.campaigns.config import CampaignPlan, read_plan
from jurat.campaigns.draft_parser import FILE, ParsedDraft, in_order, parse_draft, readable
from jurat.errors import InputError, Problem
from jurat.kits.task_plan import TaskPlan
from jurat.model import File
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import plan, task


def told(parsed: ParsedDraft):
    return {problem.field: problem.message for problem in parsed.problems}


def test_nothing_at_all():
    parsed = parse_draft({})
    assert told(parsed) == {
        "name": "'name' is missing",
        "test_set": "'test_set' is missing",
        "tasks": "'tasks' is missing",
    }
    assert (parsed.tasks, parsed.numbers) == ({}, (0,))


def test_what_is_missing_does_not_hide_the_rest():
    parsed = parse_draft({"test_set": ["a", "b"], "seed": 7})
    assert set(told(parsed)) == {"name", "tasks"}
    assert (parsed.plan.test_set, parsed.plan.seed) == (("a", "b"), 7)


def test_what_is_wrong_is_not_missing_as_well():
    parsed = parse_draft(plan(task("da"), platform={"identity": "PID", "quota": "many"}))
    assert told(parsed) == {"platform.quota": "expected a whole number, got 'many'"}


def test_what_is_whole_is_the_plan_itself():
    content = plan(task("da"), task("da") | {"name": "more"}, title="Spring")
    parsed = parse_draft(content)
    assert parsed.problems == ()
    assert parsed.plan == read_plan(File(FILE, dump(content).encode())).plan
    assert parsed.tasks == {1: "rating", 2: "more"}


FAULTY = plan(
    {"protocol": "da", "wanted": "many", "kits": {"documents": 1, "segments": 2}},
    {"name": "rating"},
    {"name": "rating", "protocol": "da", "wanted": 3, "kitz": {}},
    "nonsense",  # type: ignore[arg-type]
    {"name": "rating", "protocol": "da", "required": {"tutorial": 1}},
    name="2nd",
    seeds=3,
    lease_minutes=0,
    sitting={"items": 0, "pause_minutes": 5},
)


def test_every_fault_is_at_its_field_whatever_else_is_wrong():
    parsed = parse_draft(FAULTY)
    found = told(parsed)
    assert {field: found[field] for field in ("tasks.1.name", "tasks.2.protocol")} == {
        "tasks.1.name": "'name' is missing",
        "tasks.2.protocol": "'protocol' is missing",
    }
    assert "not a valid name for a campaign" in found["name"]
    assert "unknown field 'seeds'" in found["seeds"]
    assert "expected a whole number from 1" in found["lease_minutes"]
    assert "expected a whole number from 1" in found["sitting.items"]
    assert "expected a whole number, got 'many'" in found["tasks.1.wanted"]
    assert "in documents or in segments" in found["tasks.1.kits.segments"]
    assert "unknown field 'kitz'" in found["tasks.3.kitz"]
    assert "expected names with values" in found["tasks.4"]
    assert "two tasks are called 'rating'" in found["tasks.5.name"]
    assert "no tutorial set" in found["tasks.5.required.tutorial"]
    assert len(found) == len(parsed.problems) == 12


def test_what_is_sound_stays():
    parsed = parse_draft(FAULTY)
    assert parsed.tasks == {1: "task-1", 3: "rating", 5: "task-3"}
    assert parsed.plan.tasks[1].wanted == 3
    assert parsed.plan.tasks[0].wanted == 1
    assert parsed.plan.sitting.pause_minutes == 5
    assert parsed.plan.test_set == "set.jsonl"


def test_faults_have_their_lines_in_the_file_that_is_shown():
    content = in_order(FAULTY)
    lines = dump(content).splitlines()
    for problem in parse_draft(content).problems:
        assert problem.file == FILE
        assert problem.line is not None
        leaf = (problem.field or "").rpartition(".")[2]
        if "missing" not in problem.message and not leaf.isdecimal():
            assert f"{leaf}:" in lines[problem.line - 1]


def test_a_stand_in_takes_no_name_that_is_there():
    parsed = parse_draft(plan({"protocol": "da"}, {"name": "task-1", "protocol": "da"}))
    assert parsed.tasks == {1: "task-2", 2: "task-1"}
    assert list(told(parsed)) == ["tasks.1.name"]


@pytest.mark.parametrize("tasks", [[], {}, "x", None, [[]], [{}]])
def test_tasks_that_are_none(tasks):
    parsed = parse_draft({**plan(), "tasks": tasks})
    assert parsed.tasks == {}
    assert parsed.problems
    assert all((problem.field or "").startswith("tasks") for problem in parsed.problems)


LONG = "x" * 80


def test_names_that_no_message_has_room_for():
    parsed = parse_draft({**plan(), LONG: 1, "contact": {LONG: 2}})
    assert len(parsed.problems) == 2


WORDS = st.sampled_from(["", "da", "x", "a-b", "1", "true", "no such"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 10**20) | st.floats(allow_nan=False) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["name", "protocol", "wanted", "kits", "tutorial", "items", "A", "q.r"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
FIELDS = st.sampled_from([*CampaignPlan.__struct_fields__, "else"])
OF_TASKS = st.sampled_from([*TaskPlan.__struct_fields__, "else"])
DECLARED = st.dictionaries(FIELDS, VALUES, max_size=5)
TASKS = st.lists(st.dictionaries(OF_TASKS, VALUES | st.just("da"), max_size=4), max_size=3)


@settings(max_examples=25, deadline=None)
@given(DECLARED | TASKS.map(lambda tasks: {**plan(), "tasks": tasks}))
def test_anything_can_be_looked_at(content):
    """And it has no faults exactly where a file that says the same has none."""
    parsed = parse_draft(content)
    try:
        whole = read_plan(File(FILE, dump(content).encode())).plan
        problems: tuple[Problem, ...] = ()
    except InputError as error:
        problems = error.problems
    assert {problem.message for problem in problems} <= {
        problem.message for problem in parsed.problems
    }
    assert bool(parsed.problems) == bool(problems)
    assert problems or parsed.plan == whole


@pytest.mark.parametrize("value", ["\0", "a\ud800", object()])
def test_what_no_file_can_hold_is_refused(value):
    with pytest.raises(InputError):
        readable({"title": value})


def test_what_is_nested_or_long_beyond_reason_is_refused():
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError):
        readable({"tasks": deep})
    with pytest.raises(InputError, match="at most 200000 are allowed"):
        readable({"title": "x" * 300_000})


def test_fields_stand_in_the_order_of_the_documentation():
    mixed = {"tasks": [{"wanted": 1, "x": 2, "name": "a"}, 7], "zzz": 1, "title": "t", "name": "n"}
    ordered = in_order(mixed)
    assert list(ordered) == ["name", "title", "tasks", "zzz"]
    assert list(ordered["tasks"][0]) == ["name", "wanted", "x"]
    assert ordered == mixed
