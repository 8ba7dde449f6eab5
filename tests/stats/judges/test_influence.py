"""Each judge left out in turn."""

import polars as pl
import pytest

from tests.stats.judges.asking import crossed, diagnosed
from tests.stats.tables import evaluation


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


def test_the_only_judge_has_no_influence_to_tell():
    found = diagnosed(evaluation("judge,item,system,value\na,1,A,5\na,2,B,1"))
    assert found.value("judge-influence", judge="a") is None
