"""The tables of who stands out, how many, and in how many ways at once."""

import numpy as np
import pytest

from tests.stats.judges.asking import crossed, diagnosed
from tests.stats.tables import evaluation

ROWS = [
    {"judge": judge, "segment": f"{i}", "system": "A", "adequacy": a, "fluency": f}
    for judge, a, f in (("a", 3, 3), ("b", 3, 4), ("c", 3, 3), ("d", 1, 1), ("e", 3, 5))
    for i in range(4)
]
# adequacy: mean 2.6, SD 0.89: only d; fluency: mean 3.2, SD 1.48: d and e
QUESTIONS = {"questions": ("adequacy", "fluency")}


def test_numbers_by_question_and_in_every_question():
    found = diagnosed(ROWS, QUESTIONS)
    assert found.values("outliers", key="question", way="score") == {
        "adequacy": 1, "fluency": 2, "all": 1,
    }  # fmt: skip
    assert found.one("outliers", way="score", question="all").n == 5


def test_with_one_question_there_is_no_row_for_all():
    assert found_questions(diagnosed(crossed())) == {"value"}


def found_questions(found):
    return {e.by["question"] for e in found.result("outliers").estimates if "question" in e.by}


def test_strict_and_lenient_are_counted():
    found = diagnosed(ROWS, QUESTIONS)
    sides = found.values("outliers-side", key="towards", way="score", question="fluency")
    assert sides == {"strict": 1, "lenient": 1}


def test_overlaps_are_those_of_the_sets():
    found = diagnosed(crossed(judges=12, each=5))
    for estimate in found.result("outlier-overlap").estimates:
        one, other = (found.found(str(estimate.by[way])) for way in ("way_a", "way_b"))
        assert estimate.value == len(one & other)
        assert estimate.n == len(one | other)
    assert found.value("outlier-overlap", way_a="score", way_b="difference") > 0


def test_the_share_that_would_go():
    table = crossed(judges=12, each=5)
    found = diagnosed(table)
    gone = sum(row["judge"] in found.found("score") for row in table)
    assert found.value("removed-share", way="score") == gone / len(table)


def test_most_is_half_of_the_ways_and_two():
    found = diagnosed(crossed(judges=12, each=5))
    telling = {str(e.by["way"]) for e in found.result("outliers").estimates if e.value is not None}
    telling -= {"most", "tested"}
    hits = {
        judge: sum(judge in found.found(way) for way in telling)
        for judge in found.values("judge-mean")
    }
    often = {judge for judge, many in hits.items() if many >= max(2, len(telling) / 2)}
    assert found.found("most") == often


def test_the_headline_names_whom_to_leave_out_next():
    table = crossed(judges=8, each=4)
    wild = [{**row, "judge": "wild", "value": 6 - row["value"]} for row in table[::3]]
    headline = diagnosed(table + wild).result("judge-outlier").headline
    assert headline.startswith("Look first at")
    assert "without, exclude " in headline
    assert "removal-score" in headline


@pytest.mark.parametrize("seed", range(5))
def test_whoever_answers_at_random_is_named_first(seed: int):
    rng = np.random.default_rng(seed)
    table = crossed(judges=12, items=80, each=4, seed=seed)
    wild = [{**row, "value": int(rng.integers(1, 6))} for row in table if row["judge"] == "j3"]
    others = [row for row in table if row["judge"] != "j3"]
    found = diagnosed(others + wild)
    assert "j3" in found.found("distance") & found.found("fit")
    headline = found.result("judge-outlier").headline
    assert headline.startswith("Look first at j3 (")


def test_one_large_error_does_not_make_a_judge_distant_from_all():
    rng = np.random.default_rng(2)
    rows = [
        {"judge": f"j{j}", "item": f"i{i}", "value": float(-rng.integers(0, 3))}
        for i in range(40)
        for j in range(5)
    ]
    rows[0]["value"] = -120.0
    found = diagnosed(rows)
    assert found.one("judge-p", judge="j0", way="distance").value > 0.5


def test_without_systems_no_removal_is_promised():
    rows = [{k: row[k] for k in ("judge", "item", "value")} for row in crossed()]
    found = diagnosed(rows)
    assert "removal" not in found.result("judge-outlier").headline
    assert found.one("removal-score").reason == "needs the column system"


def test_two_judges_cannot_be_told_apart():
    found = diagnosed(evaluation("judge,item,value\na,1,3\nb,1,4\na,2,3\nb,2,5"))
    assert found.result("judge-outlier").headline.startswith("No judge can be tested")
    assert all(e.value is None for e in found.result("judge-p").estimates)


def test_without_common_items_texts_may_be_why():
    rows = [{"judge": f"j{n % 4}", "item": f"i{n}", "value": n % 4} for n in range(40)]
    found = diagnosed(rows)
    assert found.found("score")  # Hamon's rule still counts them
    assert "No judge can be tested" in found.result("judge-outlier").headline


def test_nobody_stands_out_is_not_said_to_mean_alike():
    rng = np.random.default_rng(1)
    rows = [
        {"judge": f"j{judge}", "item": f"i{item}", "value": int(rng.integers(1, 6))}
        for judge in range(4)
        for item in range(15)
    ]
    found = diagnosed(rows)
    headline = found.result("judge-outlier").headline
    assert headline.startswith("No judge stands out beyond chance (smallest adjusted p = ")
    assert "would have been noticed" in headline
    assert found.result("judge-outlier").draw is None


def test_splits_stand_in_tags():
    found = diagnosed(crossed(), {"by": ("system",)})
    assert {e.tags["system"] for e in found.estimates("outliers", way="score")} == {
        "s0", "s1", "s2", "s3",
    }  # fmt: skip


def test_what_to_try_next_can_be_copied_into_a_shell():
    # so many items that even the same difference in all of them is beyond chance
    more = [{**row, "segment": f"{row['segment']}{n}"} for row in ROWS for n in range(4)]
    rows = [{**row, "judge": f"Juge n° {row['judge']}"} for row in more]
    headline = diagnosed(rows, {"columns": "value=adequacy"}).result("judge-outlier").headline
    assert "exclude 'Juge n° d'" in headline
