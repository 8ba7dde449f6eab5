"""A step on its page: many questions with the same answers stand as rows under one head."""

import json
from pathlib import Path
from typing import Any

import pytest

from jurat.model import File
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import fetching, make_set, plan, task
from tests.web.website import website

POINTS: dict[str, Any] = {
    "kind": "scale",
    "points": [{"value": value, "label": f"So {value}"} for value in (2, 1, 0)],
}
SLIDE: dict[str, Any] = {
    "kind": "slider",
    "marks": [{"value": 0, "label": "Bad"}, {"value": 100, "label": "Good"}],
}


def shown(place: Path, *questions: dict[str, Any]) -> str:
    """The page of a step that asks these."""
    asked = [{"id": f"q{n}", "ask": f"Question {n}?", **q} for n, q in enumerate(questions, 1)]
    own = {
        "name": "own",
        "title": "Of our own",
        "about": "What we want to know.",
        "citation": "Nobody.",
        "guidelines": "# How to judge",
        "stages": [{"show": ["reference", "translation"], "questions": asked}],
        "score": {"rule": "mean", "questions": ["q1"]},
    }
    known = {
        "set.jsonl": make_set(1, 1),
        "own.json": json.dumps(own).encode(),
    }
    with website(place) as site:
        declared = File("campaign.yaml", dump(plan(task("own.json"))).encode())
        site.service.campaigns.create(declared, fetching(known), author="boss")
        slips = site.slips(3)
        site.setting.start()
        return site.visitor().follow(slips[0]).get("judge").text


@pytest.mark.parametrize(
    ("questions", "rows"),
    [
        ([POINTS] * 4, 4),
        ([POINTS] * 3, 0),  # so few are large
        ([POINTS] * 3 + [{**POINTS, "not_applicable": True}], 0),
        ([POINTS] * 3 + [SLIDE], 0),
        ([SLIDE] * 4, 0),  # the marks of a slider are not its answers
    ],
)
def test_rows_are_for_answers_that_are_alike(
    tmp_path: Path, questions: list[dict[str, Any]], rows: int
) -> None:
    page = shown(tmp_path, *questions)
    assert page.count('class="question row"') == rows
    assert page.count('type="range"') == questions.count(SLIDE)
    assert page.count('data-question="') == len(questions)
