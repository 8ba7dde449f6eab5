"""Whole documents: judged on one screen, with scores of segments and of the document."""

import json

import pytest

from jurat.campaigns.monitoring.filters import Filter, apply_filter
from jurat.errors import InputError
from jurat.stats import analyse
from jurat.stats.settings import SystemSettings
from tests.campaigns.sample_campaigns import NAME, Setting, jsonl, make_set, plan, task

KITS = {"documents": 2, "controls": {"degraded": 1}}


def test_systems_by_segment_and_by_document(quick: Setting) -> None:
    quick.launch(plan(task("esa-document", wanted=2, kits=KITS)), judges=8, set=make_set(4, 3))
    quick.play(noise=0.1)
    tables = quick.service.campaigns.tables(NAME)
    own = tables["judgments"].filter(tables["judgments"]["control"].is_null())
    documents, segments = own.filter(question="document"), own.filter(question="score")
    assert set(documents["segment"]) == {""}
    # a row for each segment, in the order of the document, decided at the same time
    assert segments.height == 3 * documents.height == 3 * 4 * 3 * 2
    assert set(segments["segment"]) == {"1", "2", "3"}
    assert segments["segment"].to_list()[:3] == ["1", "2", "3"]
    seen = apply_filter(tables, Filter()).evaluation
    found = {r.name: r for r in analyse("systems", seen, SystemSettings(bootstrap=100))}
    scores = found["system-score"].estimates
    assert {e.by["question"] for e in scores} >= {"document", "score"}
    best = {
        q: next(e.by["system"] for e in scores if e.by["question"] == q)
        for q in ("document", "score")
    }
    assert best == {"document": "cedar", "score": "cedar"}


def test_the_judge_goes_back_and_changes_a_document(quick: Setting) -> None:
    judge, *_ = quick.launch(plan(task("esa-document")), judges=3, set=make_set(1, 2))
    step = quick.next(judge)
    assert step.translations[0].count("\n") == 1
    quick.decide(judge, step)
    again = quick.service.judging.look_back(NAME, judge, step.assignment, 1)
    assert again.changeable
    assert again.answered is not None


def test_line_breaks_within_segments_are_refused(quick: Setting) -> None:
    lines = [json.loads(line) for line in make_set(1, 2).decode().splitlines()]
    lines[1]["translations"]["birch"] = "two\nlines"
    with pytest.raises(InputError, match="the translation by 'birch' has line breaks"):
        quick.launch(plan(task("esa-document")), judges=1, set=jsonl(lines))
