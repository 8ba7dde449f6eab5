"""A campaign in which two systems have the same output: judged once, credited to both."""

import json

import polars as pl
import pytest

from jurat.campaigns.monitoring.filters import Filter, apply_filter
from jurat.stats import analyse
from jurat.stats.identical_outputs import evaluation_for
from jurat.stats.settings import Settings, SystemSettings
from tests.campaigns.sample_campaigns import NAME, Setting, jsonl, make_set, plan, task


def same_outputs() -> bytes:
    """Birch says what cedar says in the first of three documents."""
    lines = [json.loads(line) for line in make_set(3, 4).decode().splitlines()]
    for line in lines[1:5]:
        line["translations"]["birch"] = line["translations"]["cedar"]
    return jsonl(lines)


@pytest.fixture
def played(quick: Setting):
    tasks = [
        task("da", wanted=2, merge_identical=True, one_system_per_segment=False),
        task("contrastive-esa", wanted=2, merge_identical=True) | {"name": "contrast"},
        task("ranking", merge_identical=True) | {"name": "order"},
    ]
    quick.launch(plan(*tasks), judges=7, set=same_outputs())
    quick.play(noise=0.2)
    return quick


def test_one_row_for_one_judgment(played):
    tables = played.service.campaigns.tables(NAME)
    decided = played.decisions()
    rated = tables["judgments"].filter(task="rating")
    assert rated.height == sum(one.task == "rating" for one in decided)
    assert set(rated["system"]) == {"birch+cedar", "willow", "birch", "cedar"}
    assert set(rated.filter(same_output=True)["system"]) == {"birch+cedar"}
    # 4 segments of the 12 are shared, each judged twice
    assert rated.filter(same_output=True).height == 8
    ranked = tables["rankings"].filter(task="order")
    assert set(ranked.filter(same_output=True)["system"]) == {"birch+cedar"}


def test_agreement_counts_once_and_systems_count_all(played):
    tables = played.service.campaigns.tables(NAME)
    seen = apply_filter(tables, Filter(task="rating")).evaluation
    (n,) = (r for r in analyse("agreement", seen, Settings(bootstrap=0), only=["n-agreement"]))
    items = {e.by.get("question"): e.n for e in n.estimates}
    assert set(items.values()) <= {seen.judged["item"].n_unique(), seen.judged.height}
    each = evaluation_for("systems", seen)
    assert each is not seen
    assert evaluation_for("agreement", seen) is seen
    settings = SystemSettings(bootstrap=200)
    found = {r.name: r for r in analyse("systems", each, settings)}
    scores = {e.by["system"]: e for e in found["system-score"].estimates}
    assert set(scores) == {"cedar", "birch", "willow"}
    assert len({e.n for e in scores.values()}) == 1
    pairs = {
        frozenset((e.by["system_a"], e.by["system_b"])): e
        for e in found["system-difference"].estimates
    }
    known = pairs[frozenset(("cedar", "birch"))]
    # where the output is the same, the difference is 0
    rows = each.judged.filter(pl.col("document") != "paper1").group_by("system")
    mean = dict(rows.agg(pl.col("value").mean()).iter_rows())
    assert known.n == 12
    assert known.value is not None
    assert abs(known.value) == pytest.approx(abs(mean["cedar"] - mean["birch"]) * 8 / 12)


def test_a_filter_for_one_of_them_keeps_its_judgments(played):
    tables = played.service.campaigns.tables(NAME)
    seen = apply_filter(tables, Filter(task="rating", systems=("cedar", "willow"))).evaluation
    assert set(seen.judged["system"]) == {"cedar", "willow"}
    assert seen.judged.filter(system="cedar").height == 24
