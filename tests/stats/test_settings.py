"""Choices that make no sense are refused in words."""

import pytest

from jurat.errors import InputError
from jurat.stats.settings import ScoreSettings


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
