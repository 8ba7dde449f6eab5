"""Tests of judges against the others: against other programs, and how often they are wrong."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from jurat.stats import Evaluation, analyse
from jurat.stats.judges.outlier_tests import standing_out
from jurat.stats.judges.peer_comparison import distance_sums
from jurat.stats.judges.peer_tests import (
    HIGH,
    distance_excess,
    excess_over_others,
    exchange_test,
    pair_distance_test,
    peer_test,
    rank_test,
    share_test,
    slope_test,
    unit_codes,
    unit_note,
)
from jurat.stats.settings import JudgeSettings
from jurat.tables import Intake, Judgments
from tests.stats.tables import evaluation, matrix

RNG = np.random.default_rng(4)
SCORES = RNG.normal(3, 1, (4, 12))


def test_with_an_item_a_unit_it_is_the_t_test():
    found = peer_test(excess_over_others(SCORES.ravel(), matrix(SCORES)), matrix(SCORES))
    for judge, own in enumerate(SCORES):
        others = np.delete(SCORES, judge, axis=0).mean(axis=0)
        t, p = stats.ttest_1samp(own - others, 0)
        assert found.p[judge] == pytest.approx(p)
        assert found.difference[judge] / found.error[judge] == pytest.approx(t)
        assert found.freedom[judge] == pytest.approx(11)


def test_the_distance_is_compared_with_that_of_the_others_among_themselves():
    rated = matrix([[1, 2], [1, 3], [4, 3], [1, None]])
    excess = distance_excess(distance_sums(rated), rated)
    third = dict(zip(zip(rated.judge_codes, rated.item_codes, strict=True), excess, strict=True))
    assert third[2, 0] == pytest.approx(3)
    assert third[0, 1] == pytest.approx(1)  # 1 from each of the others, who agree
    assert excess.sum() == pytest.approx(0)


def test_exchanged_answers_give_about_the_same_p():
    rated = matrix(SCORES)
    excess = distance_excess(distance_sums(rated), rated)
    table = excess.reshape(4, 12)
    drawn = RNG.permuted(np.broadcast_to(table, (20_000, 4, 12)), axis=1).sum(axis=2)
    exact = (drawn >= table.sum(axis=1) - 1e-9).mean(axis=0)
    assert exchange_test(excess, rated).p == pytest.approx(exact, abs=0.015)


def test_shares_by_fishers_exact_test():
    hits = np.array([[1, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
    rated = matrix(hits)
    found = share_test(hits.ravel() == 1, np.ones(12, dtype=np.bool_), rated)
    expected = stats.fisher_exact([[3, 1], [1, 7]], alternative="greater").pvalue
    assert found.p[0] == pytest.approx(expected)


def test_ranks_as_scipy():
    rated = matrix(np.round(SCORES))
    found = rank_test(rated.values, np.ones(48, dtype=np.bool_), rated)
    other = np.delete(np.round(SCORES), 1, axis=0).ravel()
    expected = stats.mannwhitneyu(
        np.round(SCORES)[1], other, alternative="greater", method="asymptotic"
    )
    assert found.p[1] == pytest.approx(expected.pvalue)


def test_a_slope_finds_who_drifts():
    x = np.tile(np.linspace(0, 1, 12), 4)
    drifting = SCORES + np.outer([0, 0, 0, 4], np.linspace(0, 1, 12))
    rated = matrix(drifting)
    found = slope_test(x, excess_over_others(rated.values, rated), rated)
    assert found.p[3] < 0.01 < found.p[:3].min()


def test_the_same_difference_everywhere_is_tested_by_its_signs():
    rated = matrix([[1] * 5, [3] * 5, [3] * 5])
    found = peer_test(excess_over_others(rated.values, rated), rated)
    assert found.p[0] == 2 * 0.5**5


def test_of_two_judges_nobody_can_be_off():
    rated = matrix(SCORES[:2])
    assert np.isnan(peer_test(excess_over_others(rated.values, rated), rated).p).all()
    assert np.isnan(pair_distance_test(distance_sums(rated), rated).p).all()


def test_pairs_with_changing_partners_find_who_is_far_from_all():
    rows: list[list[Any]] = [[None] * 60 for _ in range(5)]
    for item in range(60):
        one, other = sorted(RNG.permutation(5)[:2])
        rows[one][item] = rows[other][item] = 3
        if one == 0:
            rows[0][item] = int(RNG.integers(1, 6))
        rows[other][item] += int(RNG.integers(0, 2))
    rated = matrix(rows)
    p = pair_distance_test(distance_sums(rated), rated).p
    assert p[0] < 0.01 < p[1:].min()


@pytest.mark.parametrize(("items", "few"), [(60, ""), (20, "4 documents a judge say little")])
def test_documents_are_the_units_however_few(items: int, few: str):
    (rated,) = campaign(np.random.default_rng(1), judges=3, items=items).ratings
    assert len(np.unique(unit_codes(rated, ""))) == items // 5
    assert unit_note(rated, "").startswith(few) if few else not unit_note(rated, "")


def campaign(rng, *, judges, items, scale=5, effect=0.3, each=0) -> Evaluation:
    """Equal judges, with effects of documents and of judges in documents."""
    who = np.repeat(np.arange(judges), items)
    item = np.tile(np.arange(items), judges)
    if each:
        chosen = np.argsort(rng.random((items, judges)), axis=1)[:, :each]
        who, item = chosen.ravel(), np.repeat(np.arange(items), each)
    quality = rng.normal(0, 1, items) + np.repeat(rng.normal(0, 0.5, items), 5)[:items]
    y = quality[item] + rng.normal(0, effect, (judges, items))[who, item // 5]
    y = y + rng.normal(0, 0.8, len(y))
    value = np.clip(np.round(3 + y), 1, 5)
    if scale == 100:
        value = np.round(100 * (1 - np.exp(-np.exp(0.7 * y + 0.5))))
    frame = pl.DataFrame(
        {
            "judge": [f"j{n}" for n in who],
            "item": [f"i{n:03}" for n in item],
            "document": [f"d{n // 5}" for n in item],
            "position": item,
            "value": value,
        }
    )
    return Evaluation(judgments=Judgments(frame, Intake()))


def test_judges_who_differ_about_four_documents_are_not_named():
    """Judges in documents differ much: with items as what varies somebody is named in most."""
    rng, settings = np.random.default_rng(4), JudgeSettings(bootstrap=0)
    made = [campaign(rng, judges=6, items=20, effect=1.0) for _ in range(5)]
    assert not any(standing_out(one, settings) for one in made)
    (first, *_) = analyse("judges", made[0], settings, only=["judge-outlier"])
    assert "4 documents a judge say little about others" in first.headline


def test_few_documents_can_be_exchanged_in_few_ways():
    """Two documents of three judges: a judge has one of nine pairs, so that p is a ninth."""
    rows = [
        f"j{j},d{d}-{n},d{d},{9 if j == 0 and n % 2 else 3 + n}"
        for j in range(3)
        for d in range(2)
        for n in range(10)
    ]
    (rated,) = evaluation("\n".join(["judge,item,document,value", *rows])).ratings
    p = exchange_test(distance_excess(distance_sums(rated), rated), rated).p
    assert p[0] >= 1 / 9 - 1e-12


@pytest.mark.parametrize(
    ("judges", "items", "scale", "each"), [(5, 40, 5, 0), (10, 60, 100, 3), (20, 60, 5, 4)]
)
def test_equal_judges_are_seldom_named(judges: int, items: int, scale: int, each: int):
    rng, runs = np.random.default_rng(11), 20
    named = sum(
        bool(
            standing_out(
                campaign(rng, judges=judges, items=items, scale=scale, each=each),
                JudgeSettings(bootstrap=0),
            )
        )
        for _ in range(runs)
    )
    # of 20 campaigns at 5 %, five or more would come with a probability of 0.3 %
    assert named < 5


def test_one_sided_tests_look_at_one_side():
    rated = matrix(SCORES)
    excess = excess_over_others(rated.values, rated)
    both, high = peer_test(excess, rated), peer_test(excess, rated, side=HIGH)
    above = both.difference > 0
    assert high.p[above] == pytest.approx(both.p[above] / 2)
    assert (high.p[~above] > 0.5).all()


def test_failures_of_one_document_count_once():
    """Six of eight spoilt items passed over, all in two of eight documents, beside nobody's."""
    hits = np.zeros((4, 16))
    hits[0, :6] = 1
    rows = [
        f"j{judge},i{item:02},d{item // 4},{hits[judge, item]}"
        for judge in range(4)
        for item in range(16)
    ]
    (rated,) = evaluation("\n".join(["judge,item,document,value", *rows])).ratings
    every = np.ones(len(rated), dtype=np.bool_)
    by_item, by_document = (
        share_test(rated.values == 1, every, rated, unit=unit).p[0] for unit in ("segment", "")
    )
    assert by_item == pytest.approx(stats.hypergeom.sf(5, 64, 6, 16))
    means = np.array([1, 0.5, 0, 0])
    assert by_document == pytest.approx(stats.ttest_1samp(means, 0, alternative="greater").pvalue)


def test_the_unit_that_was_asked_for_counts():
    """Judges in documents differ much: items would name somebody, and the output says so."""
    table = campaign(np.random.default_rng(4), judges=6, items=30, effect=1.5)
    by_item, by_document = (JudgeSettings(bootstrap=0, unit=unit) for unit in ("segment", ""))
    assert standing_out(table, by_item)
    assert not standing_out(table, by_document)
    (found,) = (r for r in analyse("judges", table, by_item) if r.name == "judge-p")
    assert "items are taken as independent, as asked" in found.method
