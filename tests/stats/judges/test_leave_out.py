"""What leaving judges out does to the systems.

Each judge left out in turn."""

import numpy as np
import polars as pl
import pytest
import scipy.stats

from jurat.stats.judges.leave_out import CORRELATIONS
from jurat.stats.systems.score_table import ranked
from tests.stats.judges.asking import crossed, diagnosed
from tests.stats.tables import evaluation

TABLE = crossed(judges=10, items=60, each=4)
TESTS = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}


def means(judges: set[str], *, inside: bool) -> dict[str, float]:
    frame = pl.DataFrame(TABLE).filter(pl.col("judge").is_in(list(judges)) == inside)
    return dict(frame.group_by("system").agg(pl.col("value").mean()).iter_rows())


def test_scores_before_and_after():
    found = diagnosed(TABLE)
    gone = found.found("score")
    assert gone
    before = found.values("removal-score", key="system", way="none")
    after = found.values("removal-score", key="system", way="score")
    assert before == pytest.approx(means(set(), inside=False))
    assert after == pytest.approx(means(gone, inside=False))


def test_ranks_are_those_of_scipy():
    found = diagnosed(TABLE)
    after = found.values("removal-score", key="system", way="distance")
    ranks = found.values("removal-rank", key="system", way="distance")
    expected = scipy.stats.rankdata([-score for score in after.values()], method="min")
    assert list(ranks.values()) == expected.tolist()


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("kept", ["rest", "removed"])
def test_correlations_are_those_of_scipy(name, kept):
    found = diagnosed(TABLE)
    before, after = (
        means(set(), inside=False),
        means(found.found("score"), inside=kept == "removed"),
    )
    systems = sorted(before)
    expected = TESTS[name]([before[s] for s in systems], [after[s] for s in systems]).statistic
    assert found.value(f"removal-{name}", way="score", kept=kept) == pytest.approx(expected)


def test_means_of_those_kept_and_removed():
    found = diagnosed(TABLE)
    gone = found.found("score")
    for kept in ("rest", "removed"):
        rows = [r["value"] for r in TABLE if (r["judge"] in gone) == (kept == "removed")]
        one = found.one("removal-mean", way="score", kept=kept)
        assert (one.value, one.n) == (pytest.approx(sum(rows) / len(rows)), len(rows))


def test_who_finds_nobody_changes_nothing():
    found = diagnosed(TABLE, k=50)
    assert found.value("removal-pearson", way="score", kept="rest") == pytest.approx(1)
    assert found.one("removal-pearson", way="score", kept="removed").reason == "nobody is removed"
    assert found.one("removal-mean", way="score", kept="removed").reason == "nobody is removed"


def test_a_system_may_lose_all_its_judgments():
    rows = [f"{j},{i},{s},3" for j in "abcd" for i, s in enumerate("AABB")]
    rows += [f"x,{9 + i},C,9" for i in range(3)]
    found = diagnosed(evaluation("\n".join(["judge,item,system,value", *rows])))
    assert found.found("score") == {"x"}
    assert found.value("removal-score", way="score", system="C") is None
    one = found.one("removal-pearson", way="score", kept="rest")
    assert (one.n, one.reason) == (2, "all systems have the same score")
    assert "fewer than two" in found.one("removal-pearson", way="score", kept="removed").reason


def test_an_order_that_changes_is_told():
    rows = [f"{j},{n}{s},{s},{3 + (s == 'A')}" for j in "abcdef" for s in "AB" for n in range(4)]
    rows += [f"x,{n}{s},{s},{40 if s == 'B' else 1}" for s in "AB" for n in range(4)]
    found = diagnosed(evaluation("\n".join(["judge,item,system,value", *rows])))
    assert found.found("distance") == {"x"}
    assert "distance" in found.result("removal-score").headline
    assert found.value("removal-rank", way="none", system="A") == 2
    assert found.value("removal-rank", way="distance", system="A") == 1


def test_the_figure_is_hamons_seventh():
    figure = diagnosed(TABLE).result("removal-score").figure()
    assert {row["way"] for row in figure["data"]["values"]} >= {"none", "score", "distance"}


def test_rows_without_a_system_are_no_system():
    rows = "a,1,A,3\nb,1,A,4\na,2,,5\nb,2,,1\na,3,B,2\nb,3,B,2"
    found = diagnosed(evaluation(f"judge,item,system,value\n{rows}"))
    assert set(found.values("removal-score", key="system", way="none")) == {"A", "B"}


def test_systems_are_not_ranked_by_what_only_some_were_asked():
    rows = [
        {**row, "question": "q", "decided_at": f"2026-01-01T00:00:{n % 60:02}"}
        for n, row in enumerate(TABLE)
    ]
    found = diagnosed(rows + [{**row, "question": "why"} for row in rows[::3]])
    for name in ("removal-score", "judge-influence"):
        assert {e.by["question"] for e in found.result(name).estimates} == {"q"}


def test_the_largest_change_of_a_score_is_that_of_leaving_the_judge_out():
    table = crossed()
    frame = pl.DataFrame(table)
    found = diagnosed(table).values("judge-influence")
    for judge in frame["judge"].unique():
        before, after = (
            dict(part.group_by("system").agg(pl.col("value").mean()).iter_rows())
            for part in (frame, frame.filter(pl.col("judge") != judge))
        )
        changes = [after[system] - before[system] for system in before]
        assert found[judge] == pytest.approx(max(changes, key=abs))


def test_how_many_systems_change_places():
    rows = "a,1,A,5\nb,1,A,1\na,2,B,3\nb,2,B,3\nc,1,A,3.5\nc,2,B,3"
    found = diagnosed(evaluation(f"judge,item,system,value\n{rows}"))
    # A 3.17 > B 3; without a A has 2.25, and both change places; without c both have 3: both first
    assert found.values("judge-influence-ranks") == {"a": 2, "b": 0, "c": 1}


def test_a_judge_who_matters_to_two_questions_is_named_once():
    rows = "a,1,A,5\nb,1,A,1\na,2,B,3\nb,2,B,3\nc,1,A,3.5\nc,2,B,3"
    lines = [f"{question},{row}" for question in ("q", "r") for row in rows.split()]
    table = evaluation("\n".join(["question,judge,item,system,value", *lines]))
    found = diagnosed(table).result("judge-influence")
    assert found.headline.endswith("the order of systems changes without a and c.")


def test_the_only_judge_has_no_influence_to_tell():
    found = diagnosed(evaluation("judge,item,system,value\na,1,A,5\na,2,B,1"))
    assert found.value("judge-influence", judge="a") is None


@pytest.mark.parametrize("name", CORRELATIONS)
def test_what_lies_on_a_line_has_exactly_one(name):
    for n in range(3, 30):
        x = np.arange(float(n)) / 7
        assert CORRELATIONS[name](x, 0.3 * x - 0.1) == 1


def test_places_share_the_better_and_leave_out_the_missing():
    assert ranked(np.array([3.0, 5.0, 3.0, 1.0])).tolist() == [2, 1, 2, 4]
    assert np.isnan(ranked(np.array([3.0, np.nan]))[1])
