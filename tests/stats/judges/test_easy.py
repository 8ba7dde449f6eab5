"""Easy sentences: who rates them below the top."""

import pytest
from scipy.stats import binomtest

from tests.stats.judges.asking import diagnosed
from tests.stats.tables import evaluation


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
    assert "a condition of yours" in found.one("judge-easy-share").reason
    assert "a condition of yours" in found.one("outliers", way="easy").reason


def test_a_judge_without_easy_items_has_no_share():
    found = diagnosed(evaluation(f"{easy(TABLE)}\nz,hard,2,"))
    assert found.value("judge-easy-share", judge="z") is None
    assert found.value("judge-outlier", judge="z", way="easy") is None
