"""Concepts: an outcome for each, the first of the labels is a success."""

import pytest

from jurat.errors import InputError
from jurat.protocols.questions.concepts import Concepts
from tests.protocols.items import KINDS, item, rows

CONCEPTS = KINDS["concepts"]


def test_rows_one_for_each_concept() -> None:
    found = [dict(row.values) for row in rows(CONCEPTS, ["ok", "wrong", "lost"], item())]
    common = {"system": "m1", "na": False}
    assert found == [
        {**common, "question": "q.1", "value": 1.0, "label": "ok"},
        {**common, "question": "q.2", "value": 0.0, "label": "wrong"},
        {**common, "question": "q.3", "value": 0.0, "label": "lost"},
    ]


def test_number_and_maximum() -> None:
    answer = ["ok", "ok", "lost"]
    assert (CONCEPTS.number(answer, item()), CONCEPTS.maximum(answer, item())) == (2.0, 3.0)


@pytest.mark.parametrize("answer", [[], ["ok"], ["ok"] * 4, "ok", None, {"a": "ok"}, 3])
def test_one_outcome_for_each_is_needed(answer: object) -> None:
    with pytest.raises(InputError, match="each of 3 concepts"):
        CONCEPTS.check(answer, item())


@pytest.mark.parametrize("outcome", ["OK", "", None, 1, True, [], ["ok"], {}, {"ok": 1}])
def test_only_known_outcomes(outcome: object) -> None:
    with pytest.raises(InputError, match="not one of the outcomes; allowed: ok, wrong, lost"):
        CONCEPTS.check(["ok", outcome, "ok"], item())


def test_an_item_without_concepts() -> None:
    assert CONCEPTS.check([], item(concepts=())) == []


def test_two_outcomes_at_least() -> None:
    with pytest.raises(InputError, match="two outcomes or more"):
        Concepts(id="q", ask="?", labels={"ok": "OK"})
