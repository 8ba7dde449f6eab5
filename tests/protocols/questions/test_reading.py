"""Reading comprehension: the right options count."""

import pytest

from jurat.errors import InputError
from tests.protocols.items import KINDS, item, rows

READING = KINDS["reading"]


def test_rows_tell_right_from_wrong() -> None:
    found = [dict(row.values) for row in rows(READING, [2, 3], item())]
    common = {"system": "m1", "na": False}
    assert found == [
        {**common, "question": "q.1", "value": 1.0, "label": "she"},
        {**common, "question": "q.2", "value": 0.0, "label": "never"},
    ]


def test_number_and_maximum() -> None:
    assert READING.number([2, 1], item()) == READING.maximum([2, 1], item()) == 2.0
    assert READING.number([1, 1], item()) == 1.0


@pytest.mark.parametrize("answer", [[], [1], [1, 1, 1], 1, "12", None, {}])
def test_every_question_is_answered(answer: object) -> None:
    with pytest.raises(InputError, match="each of 2 questions"):
        READING.check(answer, item())


@pytest.mark.parametrize("chosen", [0, 3, -1, "2", True, 1.0, None, [2]])
def test_only_options(chosen: object) -> None:
    with pytest.raises(InputError, match=r"not an option of 'Who\?'; allowed: 1, 2"):
        READING.check([chosen, 1], item())
