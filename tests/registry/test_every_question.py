"""Every kind of question: any answer of a stranger, any quality, any item."""

import json
from functools import partial
from random import Random
from statistics import mean

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.model import Item
from jurat.protocols.questions import NA, QUESTIONS, Question, Rating
from jurat.tables import TABLES, conform
from tests import input_strategies
from tests.input_strategies import attempt
from tests.protocols.items import KINDS, item, screen

EVERY = pytest.mark.parametrize("question", KINDS.values(), ids=KINDS)
QUALITIES = st.sampled_from([-3.0, -0.1, 0.0, 0.01, 0.25, 0.5, 0.75, 0.99, 1.0, 1.1, 7.0])
TEXTS = st.sampled_from(
    ["", " ", "One.", "The man did not come.", "你好 世界", "\u00a0", "x" * 30_000]
)


def test_every_kind_is_tried() -> None:
    assert {question.name for question in KINDS.values()} == set(QUESTIONS.kinds)


@EVERY
@given(answer=input_strategies.json)
@settings(max_examples=25)
def test_any_answer_is_kept_or_refused(question: Question, answer: object) -> None:
    about = screen(question)
    kept = attempt(partial(question.check, answer, about))
    if isinstance(kept, tuple):
        assert {str(problem.field).partition(".")[0] for problem in kept} == {"q"}
        assert max(len(str(problem)) for problem in kept) < 400
        return
    assert question.check(kept, about) == kept
    json.dumps(kept, allow_nan=False)
    check_rows(question, kept, about)


def check_rows(question: Question, kept: object, about: Item) -> None:
    """The rows fit the tables, and say no more than the kind announces."""
    rows = list(question.rows(kept, about))
    announced = {*question.records, *(name for one in question.nested for name in one.records)}
    assert {row.table for row in rows} <= announced
    for row in rows:
        place = {"item": "i1", "document": "d1", "segment": "s1"}
        conform(pl.DataFrame([{**place, **row.values}]), TABLES[row.table])


@EVERY
@given(data=st.data())
@settings(max_examples=25)
def test_a_simulated_answer_is_legal(question: Question, data: st.DataObject) -> None:
    about = screen(question, text=data.draw(TEXTS))
    about = item(
        *(shown.text for shown in about.translations),
        references=data.draw(st.sampled_from([{}, {"r1": ""}, {"r1": "A man came.", "r2": "x"}])),
        concepts=data.draw(st.sampled_from([(), ("one",), ("one", "two")])),
        comprehension=data.draw(st.sampled_from([(), about.comprehension])),
    )
    count = len(about.translations)
    qualities = data.draw(st.lists(QUALITIES, min_size=count, max_size=count))
    seed = data.draw(st.integers(0, 99))
    answer = question.simulate(about, qualities, Random(seed))
    assert question.check(answer, about) == answer
    assert question.simulate(about, qualities, Random(seed)) == answer
    number = question.number(answer, about)
    top = question.maximum(answer, about)
    assert number is None or top is None or number <= top
    check_rows(question, answer, about)


SCORED = {
    name: question
    for name, question in KINDS.items()
    if type(question).number is not Question.number
}


@pytest.mark.parametrize("question", SCORED.values(), ids=SCORED)
def test_better_is_higher_on_average(question: Question) -> None:
    about, random = screen(question), Random(7)

    def average(quality: float) -> float:
        answers = [question.simulate(about, [quality], random) for _ in range(200)]
        numbers = [question.number(answer, about) for answer in answers]
        return mean(number for number in numbers if number is not None)

    means = [average(quality) for quality in (0.0, 0.2, 0.8, 1.0)]
    assert means == sorted(means)
    assert means[0] < means[-1]


RATINGS = {name: question for name, question in KINDS.items() if isinstance(question, Rating)}


@pytest.mark.parametrize("question", RATINGS.values(), ids=RATINGS)
def test_not_applicable_is_an_answer_of_its_own(question: Rating) -> None:
    about = screen(question)
    if not question.not_applicable:
        with pytest.raises(InputError):
            question.check(NA, about)
        return
    assert question.check(NA, about) == NA
    (row,) = question.rows(NA, about)
    expected = {"system": "m1", "question": "q", "value": None, "label": "n/a", "na": True}
    assert row.values == expected
    assert question.number(NA, about) is None
    assert question.maximum(NA, about) is None


@EVERY
def test_all_that_can_be_listed_is_legal_and_in_the_legend(question: Question) -> None:
    about = screen(question)
    assert [question.check(answer, about) for answer in question.answers()] == [*question.answers()]
    if question.answers():
        assert {value for value, _, _ in question.legend()} == set(question.answers())
