"""Complaints: one line each, with place, allowed values and the nearest word."""

from typing import Any

import msgspec
import pytest
from hypothesis import given

from jurat.errors import (
    InputError,
    Problem,
    did_you_mean,
    input_error,
    quoted,
    raise_problems,
    unknown_name,
)
from tests import input_strategies

PLACES = [
    ({}, ""),
    ({"file": "a.tsv"}, "a.tsv"),
    ({"file": "a.tsv", "line": 12}, "a.tsv:12"),
    ({"line": 12}, "line 12"),
    ({"line": 12, "document": "d", "segment": "3"}, "line 12, document d, segment 3"),
    ({"field": "score.rule"}, "field score.rule"),
    ({"file": "a", "line": 1, "field": "f"}, "a:1, field f"),
]


@pytest.mark.parametrize(("where", "place"), PLACES)
def test_place(where: dict[str, Any], place: str) -> None:
    problem = input_error("wrong", **where).problems[0]
    assert problem.place == place
    assert str(problem) == (f"{place}: wrong" if place else "wrong")


def test_allowed_values_and_hint_follow() -> None:
    problem = Problem(message="wrong", value="fluancy", allowed=("adequacy", "fluency"))
    assert str(problem) == "wrong; allowed: adequacy, fluency; did you mean 'fluency'?"


def test_nothing_is_suggested_when_nothing_is_near() -> None:
    problem = Problem(message="wrong", value="xyz", allowed=("adequacy", "fluency"))
    assert str(problem) == "wrong; allowed: adequacy, fluency"


@pytest.mark.parametrize(
    ("word", "allowed", "hint"),
    [
        ("FLUENCY", ["fluency"], "did you mean 'fluency'?"),
        ("fluency", ["Fluency"], "did you mean 'Fluency'?"),
        ("tapet", ["da", "tapet-adequacy"], "did you mean 'tapet-adequacy'?"),
        ("ta", ["da-long-name", "tapet-adequacy"], ""),
        (None, ["none"], ""),
        ("", ["a"], ""),
        (7, ["77"], "did you mean '77'?"),
        ("x", [], ""),
    ],
)
def test_did_you_mean(word: object, allowed: list[str], hint: str) -> None:
    assert did_you_mean(word, allowed) == hint


def test_all_faults_are_carried_and_said() -> None:
    problems = [Problem(message="one"), Problem(message="two", line=2)]
    with pytest.raises(InputError) as caught:
        raise_problems(problems)
    assert caught.value.problems == tuple(problems)
    assert str(caught.value) == "one\nline 2: two"


def test_no_faults_no_refusal() -> None:
    raise_problems([])


def test_faulty_input_is_a_value_error() -> None:
    assert isinstance(input_error("x"), ValueError)


def test_unknown_name() -> None:
    assert str(unknown_name("metric", "blue", ["bleu", "ter"], line=3)) == (
        "line 3: unknown metric 'blue'; allowed: bleu, ter; did you mean 'bleu'?"
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (True, "true"),
        ("a", "'a'"),
        ([1], "a list"),
        ((), "a list"),
        ({}, "names with values"),
        (7, "7"),
        (-1.5, "-1.5"),
        pytest.param(10**5000, "a huge number", id="huge"),
        ("x" * 1000, f"'{'x' * 59}…'"),
    ],
)
def test_quoted(value: object, words: str) -> None:
    assert quoted(value) == words


@given(input_strategies.texts, input_strategies.texts)
def test_a_fault_is_one_line_that_any_terminal_can_show(message: str, value: str) -> None:
    said = str(Problem(message=message, value=value, allowed=(value,)))
    assert len(said.splitlines()) <= 1
    assert "\x1b" not in said
    said.encode("utf-8")


def test_ordinary_letters_stay() -> None:
    words = "नहीं‍ 不 لا é"
    assert str(Problem(message=words)) == words


def test_a_fault_travels_as_json() -> None:
    problem = Problem(message="m", file="f", line=1, allowed=("a",))
    assert msgspec.json.decode(msgspec.json.encode(problem), type=Problem) == problem
