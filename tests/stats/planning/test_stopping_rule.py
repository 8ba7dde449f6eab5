from dataclasses import replace

import msgspec
import numpy as np
import pytest
from scipy import stats

from jurat.stats.planning.campaign_design import CampaignDesign
from jurat.stats.planning.default_test import empty_table
from jurat.stats.planning.stopping_rule import (
    FIRST,
    DocumentDifferences,
    EValueRule,
    SpendingRule,
    document_differences,
)
from jurat.stats.settings import PlanSettings

CROSSED = CampaignDesign(
    systems=2,
    segments=120,
    judgments=4,
    judges=4,
    kit_size=4,
    separate_systems=False,
    document_size=2,
)
NESTED = msgspec.structs.replace(CROSSED, judgments=1, judges=6)


def campaigns(design, number, *, interaction=0.0, taste=0.0, gap=0.0, seed=2):
    """Mean scores of two systems on every document, by judge, in so many campaigns."""
    rng, judge_of = np.random.default_rng(seed), np.sort(design.judge_of(), axis=2)
    documents, systems, turns = judge_of.shape
    for _ in range(number):
        scores = rng.normal(0, 0.45, (documents, systems, turns))
        scores += rng.normal(0, interaction, (documents, systems, 1))
        scores[:, 0] += gap
        liking = rng.normal(0, taste, (design.judges, systems))
        yield scores + liking[judge_of, np.arange(systems)[:, None]]


def tables(design, looks):
    """The tables of the first documents, without scores."""
    judge_of = np.sort(design.judge_of(), axis=2)
    size = design.document_size
    return {
        n: empty_table(msgspec.structs.replace(design, segments=n * size), judge_of[:n])
        for n in looks
    }


@pytest.mark.parametrize("design", [CROSSED, NESTED], ids=["crossed", "nested"])
@pytest.mark.parametrize(("interaction", "taste"), [(0.0, 0.0), (0.4, 0.3)])
def test_equal_systems_are_seldom_settled(design, interaction, taste):
    """120 campaigns with four looks: 7 % and twice the error of that share at most."""
    rule, settled = SpendingRule(most=60, alpha=0.05), 0
    by_look = tables(design, (15, 30, 45, 60))
    for scores in campaigns(design, 120, interaction=interaction, taste=taste):
        settled += any(
            rule.look(replace(table, values=scores[:n].ravel()), (0, 1), n).settled
            for n, table in by_look.items()
        )
    assert settled / 120 <= 0.07 + 2 * np.sqrt(0.07 * 0.93 / 120)


def test_equal_systems_are_seldom_settled_by_these_judges():
    """With a look after every document and no end fixed; p < .05 each time errs far more often."""
    rng, rule, settled, naive = np.random.default_rng(4), EValueRule(alpha=0.05), 0, 0
    for _ in range(200):
        drawn = rng.normal(0, 1, 80)
        found = [
            DocumentDifferences(drawn[:n].mean(), drawn[:n].std(ddof=1) / np.sqrt(n), n)
            for n in range(FIRST, 81)
        ]
        settled += any(rule.look(one).settled for one in found)
        naive += any(abs(one.t) > 2 for one in found)
    assert settled / 200 <= 0.05
    assert naive / 200 > 0.15


def test_a_difference_is_settled_before_the_end():
    rule = SpendingRule(most=60, alpha=0.05)
    by_look = tables(CROSSED, (9, 30, 60))
    (scores,) = campaigns(CROSSED, 1, gap=1.0)
    found = {
        n: rule.look(replace(t, values=scores[:n].ravel()), (0, 1), n) for n, t in by_look.items()
    }
    assert [found[n].settled for n in (9, 30, 60)] == [False, True, True]
    assert np.isinf(found[9].reach)
    assert found[60].reach < found[30].reach < abs(found[30].difference)


def test_levels_grow():
    rule = SpendingRule(most=60, alpha=0.05)
    assert rule.level(FIRST - 1) == 0
    assert 0 < rule.level(20) < rule.level(40) < rule.level(60) < 0.05
    assert rule.level(61) == 0
    half = SpendingRule(most=60, alpha=0.025)
    assert half.level(60) < rule.level(60)


def test_the_document_t():
    (table,), (scores,) = tables(CROSSED, (60,)).values(), campaigns(CROSSED, 1)
    found = document_differences(replace(table, values=scores.ravel()), 0, 1)
    by_document = scores.mean(axis=2)
    expected = stats.ttest_rel(by_document[:, 0], by_document[:, 1])
    assert found.t == pytest.approx(expected.statistic)
    assert found.documents == 60


def missing(rule, *found, **more):
    return rule.more_documents(*found, PlanSettings(**more))


def test_how_many_documents_are_missing():
    rule = EValueRule(alpha=0.05)
    found = DocumentDifferences(0.2, 1 / np.sqrt(100), 100)
    assert missing(rule, found, power=0.5) < missing(rule, found) < missing(rule, found, power=0.95)
    assert missing(EValueRule(alpha=0.005), found) > missing(rule, found)
    assert missing(rule, DocumentDifferences(0.001, 0.1, 100)) is None
    assert missing(rule, DocumentDifferences(0.0, 0.1, 100)) is None
    spending = SpendingRule(most=100, alpha=0.05)
    assert 0 < missing(spending, 0.02, 50) <= 50
    assert missing(spending, 0.001, 50) < missing(spending, 0.02, 50)
    assert missing(spending, 0.9, 50) is None
    assert missing(spending, 0.2, 100) is None
    assert missing(spending, np.nan, 50) is None


def test_equal_differences():
    rule = EValueRule(alpha=0.05)
    assert rule.look(DocumentDifferences(0.5, 0.0, 20)).settled
    assert not rule.look(DocumentDifferences(0.0, 0.0, 20)).settled
    assert not rule.look(DocumentDifferences(0.5, 0.0, FIRST - 1)).settled
