"""Choices that make no sense are refused in words."""

import pytest

from jurat.errors import InputError
from jurat.stats.settings import ScoreSettings, Settings, SystemSettings


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"test": "randomization"}, "unknown test 'randomization'.*did you mean 'randomisation'"),
        ({"correction": "hom"}, "unknown correction 'hom'.*did you mean 'holm'"),
    ],
)
def test_unknown_words(chosen, words):
    with pytest.raises(InputError, match=words):
        ScoreSettings(**chosen)


def test_signatures_tell_what_a_test_drew():
    assert ScoreSettings().test_choices(1000) == {
        "test": "bootstrap",
        "bs": 1000,
        "seed": 1,
        "correction": "holm",
    }
    random = ScoreSettings(test="randomisation", draw="documents").test_choices(10_000)
    assert (random["ar"], random["draw"]) == (10_000, "documents")
    assert "bs" not in random


@pytest.mark.parametrize(
    ("chosen", "pairs", "trials"),
    [
        ({}, 1, 1000),
        ({}, 190, 9500),
        ({"correction": "none"}, 190, 1000),
        ({"bootstrap": 20_000}, 190, 20_000),
        ({"test": "randomisation"}, 190, 10_000),
        ({"test": "randomisation"}, 1225, 61_250),
        ({"confidence": 0.99}, 10, 2500),
    ],
)
def test_many_pairs_take_many_resamples(chosen, pairs, trials):
    assert ScoreSettings(**chosen).trials_for(pairs) == trials


def test_several_methods_each_of_its_kind():
    chosen = SystemSettings(method="wmt-rank-sum, segment-means")
    assert (chosen.test, chosen.average, chosen.trueskill) == (
        "wmt-rank-sum",
        "segment-means",
        "trueskill",
    )


def test_an_unknown_method_is_refused_with_what_is_allowed():
    with pytest.raises(InputError, match="wmt-rank-sum"):
        SystemSettings(method="wmt-ranksum")


@pytest.mark.parametrize(
    ("method", "correction", "corrected"),
    [
        ("", "", "holm"),
        ("wilcoxon", "", "holm"),
        ("wmt-rank-sum", "", "none"),
        ("wmt-signed-rank", "", "none"),
        ("wmt-rank-sum", "bh", "bh"),
        ("", "none", "none"),
    ],
)
def test_wmt_did_not_correct(method, correction, corrected):
    assert SystemSettings(method=method, correction=correction).corrected == corrected


def test_common_settings_are_enough():
    chosen = SystemSettings.of(Settings(seed=7, bootstrap=5))
    assert (chosen.seed, chosen.bootstrap, chosen.ties) == (7, 5, "share")
