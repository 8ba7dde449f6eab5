"""One system: scores, features, tags, errors, and the segments at both ends."""

import pickle

import polars as pl
import pytest

from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.sections import summary
from jurat.campaigns.monitoring.system_view import SEGMENTS_SHOWN, system
from jurat.campaigns.monitoring.worker import WorkerState
from jurat.errors import InputError
from tests.campaigns.sample_campaigns import NAME, Setting, plan, task


@pytest.fixture(scope="module")
def cedar(state: WorkerState):
    return system(state, NAME, "cedar")


def counted(played: Setting, table: str, **where: str) -> pl.DataFrame:
    rows = played.service.campaigns.tables(NAME)[table].filter(
        (pl.col("status") == "valid")
        & (pl.col("phase") == "evaluation")
        & pl.col("control").ne_missing("degraded")
    )
    return rows.filter(**where) if where else rows


def test_numbers_are_those_of_the_first_look(state: WorkerState, cedar):
    look = summary(state, NAME, Filter())
    for one in cedar.numbers:
        for name, told in (("system-score", one.score), ("system-rank", one.rank)):
            result = look.named(name)
            assert result is not None
            same = [
                e
                for e in result.estimates
                if e.by.get("question") == one.question and e.by.get("system") == "cedar"
            ]
            assert [told] == [e for e in same if e.value is not None] or told is None
    assert {"adequacy", "preference"} <= {one.question for one in cedar.numbers}


def test_features_and_constructs(cedar, played: Setting):
    rows = counted(played, "judgments", system="cedar", task="features")
    means = dict(rows.group_by("question").agg(pl.col("value").mean()).iter_rows())
    told = {e.by["feature"]: e.value for e in cedar.features}
    assert told == pytest.approx({name: mean for name, mean in means.items() if mean is not None})
    assert len(told) >= 10
    assert {e.by["construct"] for e in cedar.constructs} == {"cleft", "passive"}
    assert {result.name for result in cedar.figures} >= {"heval-feature", "system-score"}
    assert all(result.figure() for result in cedar.figures if result.draw)


def test_tags(cedar, played: Setting):
    rows = counted(played, "judgments", question="adequacy", genre="news")
    (one,) = [
        t for t in cedar.tags if (t.question, t.tag, t.value) == ("adequacy", "genre", "news")
    ]
    own = rows.filter(pl.col("system") == "cedar")
    assert (one.n, one.mean) == (own.height, pytest.approx(own["value"].mean()))
    assert one.of_all == pytest.approx(rows["value"].mean())
    assert {t.tag for t in cedar.tags} == {"genre", "construct"}


def test_errors(state: WorkerState, played: Setting):
    willow = system(state, NAME, "willow")
    spans = counted(played, "spans", system="willow")
    assert sum(one.number for one in willow.errors) == spans.height > 0
    counts = dict(spans.group_by("severity").len().iter_rows())
    told: dict[str, int] = {}
    for one in willow.errors:
        told[one.severity] = told.get(one.severity, 0) + one.number
    assert told == counts
    assert willow.errors[0].per_hundred > 0


def test_best_and_worst(cedar, played: Setting):
    (ends,) = [one for one in cedar.ends if one.question == "adequacy"]
    rows = counted(played, "judgments", question="adequacy", system="cedar")
    means = {
        (document, segment): mean
        for document, segment, mean in rows.group_by("document", "segment")
        .agg(pl.col("value").mean())
        .iter_rows()
    }
    assert len(ends.best) == len(ends.worst) == min(SEGMENTS_SHOWN, len(means)) == 8
    assert [one.mean for one in ends.best] == sorted(means.values(), reverse=True)
    assert [one.mean for one in ends.worst] == sorted(means.values())
    for one in ends.best:
        assert one.mean == means[one.document, one.segment]
        assert one.text.startswith("some-")


def test_comparisons_have_ends_too(cedar, played: Setting):
    (ends,) = [one for one in cedar.ends if one.question == "preference"]
    rows = counted(played, "preferences", document=ends.best[0].document)
    rows = rows.filter(pl.col("segment") == ends.best[0].segment)
    won = [
        {"a": 1.0, "b": 0.0}.get(outcome, 0.5)
        if a == "cedar"
        else {"a": 0.0, "b": 1.0}.get(outcome, 0.5)
        for a, b, outcome in rows.select("system_a", "system_b", "outcome").iter_rows()
        if "cedar" in (a, b)
    ]
    assert ends.best[0].mean == pytest.approx(sum(won) / len(won))


def test_comments(cedar):
    assert all(row["system"] == "cedar" for row in cedar.comments)
    assert any(row["task"] == "edits" for row in cedar.comments)
    pickle.dumps(cedar)


def test_before_anything_was_judged(quick: Setting):
    quick.launch(plan(task("esa")))
    found = system(WorkerState(quick.store.address), NAME, "birch")
    assert found.system.site == "site-of-birch"
    assert (found.numbers, found.tags, found.errors, found.ends) == ((), (), (), ())
    with pytest.raises(InputError, match="unknown system 'oak'"):
        system(WorkerState(quick.store.address), NAME, "oak")
