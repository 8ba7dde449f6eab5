"""One segment: every text, every judgment, and the metrics that others compute."""

import pickle

import polars as pl
import pytest
import sacrebleu

from jurat.campaigns.monitoring.segment_view import segment
from jurat.campaigns.monitoring.worker import WorkerState
from jurat.errors import InputError
from tests.campaigns.sample_campaigns import NAME, SYSTEMS, Setting, plan, task


def test_texts_and_judgments(state: WorkerState, played: Setting):
    found = segment(state, NAME, "paper1", "2")
    stored = played.store.test_set(NAME).documents[0].segments[1]
    assert found.source == stored.source
    assert found.references == dict(stored.references)
    assert found.tags == {"genre": "news", "construct": "cleft"}
    assert [one.system for one in found.translations] == list(SYSTEMS)
    assert [one.text for one in found.translations] == [
        stored.translations[name].text for name in SYSTEMS
    ]
    assert found.before == ("paper1", "1")
    assert found.after == ("paper1", "3")
    assert segment(state, NAME, "paper1", "1").before is None
    assert segment(state, NAME, "paper1", "4").after == ("paper2", "1")
    assert segment(state, NAME, "paper2", "4").after is None
    pickle.dumps(found)


def test_every_judgment_is_there(state: WorkerState, played: Setting):
    found = segment(state, NAME, "paper1", "2")
    tables = played.service.campaigns.tables(NAME)
    for name, table in tables.items():
        here = table.filter((pl.col("document") == "paper1") & (pl.col("segment") == "2"))
        assert len(found.rows.get(name, ())) == here.height, name
    assert set(found.rows) >= {"judgments", "preferences"}
    row = next(row for row in found.rows["judgments"] if row["task"] == "rating")
    assert {"judge", "question", "value", "label", "seconds", "status", "decided_at"} <= set(row)


def test_means_count_what_counts(state: WorkerState):
    found = segment(state, NAME, "paper1", "2")
    rows = [
        row
        for row in found.rows["judgments"]
        if (row["question"], row["system"], row["phase"]) == ("adequacy", "cedar", "evaluation")
        and row["control"] != "degraded"
    ]
    cedar = found.translations[0]
    given = [float(str(row["value"])) for row in rows]
    assert cedar.mean["adequacy"] == pytest.approx(sum(given) / len(given))


def test_metrics_are_those_of_sacrebleu(state: WorkerState):
    found = segment(state, NAME, "paper1", "3")
    references = list(found.references.values())
    for one in found.translations:
        assert one.metrics == pytest.approx(
            {
                "bleu": sacrebleu.sentence_bleu(one.text, references).score,
                "chrf": sacrebleu.sentence_chrf(one.text, references).score,
                "ter": sacrebleu.sentence_ter(one.text, references).score,
            }
        )


def test_a_human_is_not_compared_with_himself(quick: Setting):
    quick.launch(plan(task(), human_references=["B"]))
    found = segment(WorkerState(quick.store.address), NAME, "paper1", "1")
    human = found.translations[-1]
    assert human.system == "human-B"
    assert human.metrics["ter"] == pytest.approx(
        sacrebleu.sentence_ter(human.text, [found.references["A"]]).score
    )
    assert human.metrics["bleu"] < 100
    assert found.rows == {}


def test_whole_documents(quick: Setting):
    quick.launch(plan(task("comprehension", wanted=2)))
    quick.play()
    found = segment(WorkerState(quick.store.address), NAME, "paper1", "")
    assert found.translations[0].text.count("\n") == 1
    assert len(found.rows["judgments"]) > 0
    assert {row["document"] for row in found.rows["judgments"]} == {"paper1"}


def test_what_is_not_there(state: WorkerState):
    with pytest.raises(InputError, match="unknown document 'paper9'"):
        segment(state, NAME, "paper9", "1")
    with pytest.raises(InputError, match="there is no segment 9 in paper1"):
        segment(state, NAME, "paper1", "9")
