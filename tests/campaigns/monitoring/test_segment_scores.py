"""Scores of segments, and of systems by judges: means of the rows that count."""

from statistics import fmean, stdev

import polars as pl
import pytest

from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.judge_heat_map import heat_map
from jurat.campaigns.monitoring.sections import summary
from jurat.campaigns.monitoring.segment_scores import segment_scores
from jurat.campaigns.monitoring.worker import WorkerState
from jurat.errors import InputError
from tests.campaigns.sample_campaigns import NAME, SYSTEMS, Setting


def counted(played: Setting, question: str) -> pl.DataFrame:
    """The rows of a question as the exported table has them, without controls and repeats."""
    valid = (pl.col("status") == "valid") & (pl.col("phase") == "evaluation")
    rows = played.service.campaigns.tables(NAME)["judgments"].filter(valid, question=question)
    return rows.filter(pl.col("control").is_null(), pl.col("value").is_not_null())


def test_segments_have_the_means_of_what_counts(state: WorkerState, played: Setting):
    view = segment_scores(state, NAME, "adequacy")
    assert {"adequacy", "preference"} <= {*view.questions}
    assert view.systems == SYSTEMS
    assert len(view.scores) == 8
    rows = counted(played, "adequacy").filter(document="paper1", segment="2")
    found = view.scores["paper1", "2"]
    assert found.n == rows.height
    means = {s: fmean(rows.filter(system=s)["value"]) for s in SYSTEMS}
    assert found.by_system == pytest.approx(means)
    assert found.mean == pytest.approx(sum(means.values()) / 3)
    assert found.spread == pytest.approx(max(means.values()) - min(means.values()))
    deviations = [stdev(rows.filter(system=s)["value"]) for s in SYSTEMS]
    assert found.disagreement == pytest.approx(sum(deviations) / 3)


def test_comparisons_count_as_the_share_that_was_won(state: WorkerState):
    view = segment_scores(state, NAME, "preference")
    for one in view.scores.values():
        assert set(one.by_system) == {*SYSTEMS}
        # every comparison hands out one win, and each system is in two of three pairs
        assert one.mean == pytest.approx(0.5)


def test_judges_and_systems_have_the_scores_of_the_summary(state: WorkerState, played: Setting):
    view = heat_map(state, NAME, "adequacy")
    result = summary(state, NAME, Filter()).named("system-score")
    assert result is not None
    told = {e.by["system"]: e.value for e in result.estimates if e.by["question"] == "adequacy"}
    assert view.systems == pytest.approx(told)
    assert list(view.systems.values()) == sorted(view.systems.values(), reverse=True)
    rows = counted(played, "adequacy")
    one = view.judges[0]
    own = rows.filter(judge=one.judge)
    assert one.n == own.height
    assert one.mean == pytest.approx(fmean(own["value"]))
    for system, mean in one.by_system.items():
        assert mean == pytest.approx(fmean(own.filter(system=system)["value"]))
        assert view.least <= mean <= view.most
    assert [one.mean for one in view.judges] == sorted((j.mean for j in view.judges), reverse=True)


def test_without_judgments_there_is_nothing_to_show(state: WorkerState, quick: Setting):
    quick.create()
    nobody = WorkerState(quick.store.address)
    assert (segment_scores(nobody, NAME, "").question, heat_map(nobody, NAME, "").judges) == (
        "",
        (),
    )
    with pytest.raises(InputError, match="unknown question"):
        segment_scores(state, NAME, "beauty")
