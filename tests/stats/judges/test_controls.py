"""Control items: spoilt copies, and items whose answer is known.

Easy sentences: who rates them below the top.
"""

import pytest
from scipy.stats import binomtest

from jurat.errors import InputError
from tests.stats.judges.asking import diagnosed
from tests.stats.tables import evaluation

COPIES = """judge,document,segment,system,item,value,control
a,d,1,A,d1A,5,\na,d,1,A,d1A|degraded,2,degraded\na,d,2,A,d2A,4,\na,d,2,A,d2A|degraded,4,degraded
b,d,1,A,d1A,5,\nb,d,1,A,d1A|degraded,4,degraded\nb,d,2,A,d2A,3,
b,d,9,A,d9A|degraded,4,degraded\nb,d,8,A,d8A|degraded,3,degraded"""


def test_a_spoilt_copy_must_score_below_the_original():
    found = diagnosed(evaluation(COPIES))
    # a notices one of two; b the one they saw, and of those they did not one below their mean of 4
    assert found.values("judge-controls") == {"a": 0.5, "b": pytest.approx(2 / 3)}


def test_controls_leave_every_other_figure():
    found = diagnosed(evaluation(COPIES))
    assert found.value("judge-mean", judge="a") == 4.5
    assert found.value("control-mean", kind="controls") == pytest.approx(17 / 5)
    assert found.value("control-mean", kind="others") == pytest.approx(17 / 4)


def test_an_expression_names_the_controls():
    rows = "a,1,A,5,SYS\na,1,A,1,BAD\nb,1,A,4,SYS\nb,1,A,4,BAD"
    table = evaluation(f"judge,segment,system,value,type\n{rows}")
    found = diagnosed(table, controls="type == 'BAD'")
    assert found.values("judge-controls") == {"a": 1, "b": 0}
    assert found.values("judge-mean") == {"a": 5, "b": 4}
    assert found.value("judge-self-distance") is None


def test_a_known_answer_may_be_a_tenth_of_the_scale_off():
    rows = "a,1,95,100\na,2,10,0\na,3,50,\nb,1,80,100\nb,2,0,0\nb,3,100,"
    found = diagnosed(evaluation(f"judge,item,value,expected\n{rows}"))
    assert found.values("judge-controls") == {"a": 1, "b": 0.5}


def test_known_words_must_be_the_same():
    found = diagnosed(evaluation("judge,item,value,expected\na,1,A,A\na,2,B,A\nb,1,B,C\nb,2,B,"))
    assert found.values("judge-controls") == {"a": 0.5, "b": 0}


def test_who_fails_more_than_the_others_is_found():
    rows = [
        f"{j},{i},{1 if j != 'x' else 5},{'BAD' if i < 10 else ''}"
        for j in "abcdx"
        for i in range(10)
    ]
    rows += [f"{j},{i},{3 + i % 2}," for j in "abcdx" for i in range(10, 20)]
    table = evaluation("\n".join(["judge,item,value,type", *rows]))
    found = diagnosed(table, controls="type == 'BAD'")
    assert found.found("controls") == {"x"}


def test_a_question_that_is_always_answered_alike_has_no_controls():
    rows = [f"{j},{i},1,{'BAD' if i < 2 else ''}" for j in "ab" for i in range(4)]
    table = evaluation("\n".join(["judge,item,value,type", *rows]))
    found = diagnosed(table, controls="type == 'BAD'")
    assert found.value("judge-controls") is None
    assert "not known" in found.one("judge-controls").reason


def test_without_controls_it_says_what_would_be_one():
    found = diagnosed(evaluation("judge,item,value\na,1,5\nb,1,4"))
    assert "a condition of yours" in found.one("judge-controls").reason
    assert "a condition of yours" in found.one("control-mean").reason


def test_an_unknown_column_is_a_mistake():
    with pytest.raises(InputError, match="did you mean 'value'"):
        diagnosed(evaluation("judge,item,value\na,1,5\nb,1,4"), controls="valeu == 5")


def easy(below: dict[str, tuple[int, int]], mark: str = "yes", column: str = "easy") -> str:
    """Judges with so many easy items below the top, of so many; and one hard item each."""
    lines = [
        f"{judge},{judge}{n},{4 if n < low else 5},{mark}"
        for judge, (low, many) in below.items()
        for n in range(many)
    ]
    return "\n".join([f"judge,item,value,{column}", *lines, *(f"{j},hard,1," for j in below)])


TABLE = {"a": (1, 20), "b": (2, 20), "c": (1, 20), "d": (9, 20), "e": (1, 2)}


def test_shares_and_who_is_beyond_chance():
    found = diagnosed(evaluation(easy(TABLE)))
    assert found.values("judge-easy-share") == {"a": 0.05, "b": 0.1, "c": 0.05, "d": 0.45, "e": 0.5}
    p = {
        j: binomtest(low, n, 14 / 82, alternative="greater").pvalue for j, (low, n) in TABLE.items()
    }
    assert found.found("easy") == {judge for judge, chance in p.items() if chance < 0.05} == {"d"}
    assert found.one("judge-easy-share", judge="d").n == 20


@pytest.mark.parametrize(
    ("mark", "column", "settings"),
    [
        ("true", "easy", {}),
        ("1", "easy", {}),
        ("easy", "control", {}),
        ("short", "kind", {"easy": "kind == 'short'"}),
    ],
)
def test_what_marks_an_easy_item(mark, column, settings):
    found = diagnosed(evaluation(easy(TABLE, mark, column)), **settings)
    assert found.value("judge-easy-share", judge="d") == 0.45


def test_the_top_can_be_lowered():
    found = diagnosed(evaluation(easy(TABLE)), top=4)
    assert set(found.values("judge-easy-share").values()) == {0}
    assert found.found("easy") == set()


def test_no_easy_items_are_a_reason():
    found = diagnosed(evaluation("judge,item,value,easy\na,1,5,no\nb,1,4,"))
    assert found.value("judge-easy-share") is None
    assert "a rule or condition of yours" in found.one("judge-easy-share").reason
    assert "a rule or condition of yours" in found.one("outliers", way="easy").reason


def test_a_judge_without_easy_items_has_no_share():
    found = diagnosed(evaluation(f"{easy(TABLE)}\nz,hard,2,"))
    assert found.value("judge-easy-share", judge="z") is None
    assert found.value("judge-outlier", judge="z", way="easy") is None
