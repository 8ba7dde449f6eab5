"""Word F1 by hand, and as GTM without rewards for runs."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.metrics.gtm import Gtm
from jurat.metrics.tokenizers import tokenize
from jurat.metrics.word_edits import WordF1
from tests.metrics import corpora

words = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)


@pytest.mark.parametrize(
    ("one", "other", "f1"),
    [
        ("the cat sat", "The cat sat", 1.0),
        ("a b c d", "a b", 2 * 2 / 6),
        ("a a b", "a b b", 2 * 2 / 6),
        ("yes", "no", 0.0),
        ("", "", 1.0),
        ("", "x", 0.0),
        ("你好吗", "你好", 4 / 5),
        ("don't", "don't!", 6 / 7),
        ("हिन्दी में", "हिन्दी", 2 / 3),
    ],
)
def test_shared_words_by_hand(one, other, f1):
    assert WordF1().sentence(one, [other]) == pytest.approx(f1)


@settings(deadline=None)
@given(st.text() | corpora.texts, st.text() | corpora.texts)
def test_it_is_the_same_both_ways(one, other):
    forth, back = WordF1().sentence(one, [other]), WordF1().sentence(other, [one])
    assert 0 <= forth == back <= 1
    assert WordF1().sentence(one, [one]) == 1
    bags = [Counter(tokenize(text, "words", lowercase=True)) for text in (one, other)]
    size = bags[0].total() + bags[1].total()
    assert forth == pytest.approx(2 * (bags[0] & bags[1]).total() / size if size else 1.0)


@settings(deadline=None)
@given(words.filter(bool), words.filter(bool))
def test_it_is_gtm_without_runs(one, other):
    assert WordF1(tokenize="none").sentence(one, [other]) == pytest.approx(
        Gtm(tokenize="none", exponent=1).sentence(one, [other])
    )


def test_the_reference_that_is_most_alike_counts():
    assert WordF1().counts(["a b c"], [["a", "a b c d", "x"]]).tolist() == [[3, 3, 4]]
    assert WordF1().sentence("a b c", ["a", "a b c d"]) == pytest.approx(6 / 7)
    assert WordF1().corpus(["a b", "c"], [["a"], ["x"]]) == pytest.approx(2 / 5)


def test_options():
    assert WordF1(lowercase=False).sentence("A b", ["a b"]) == 0.5
    assert WordF1(tokenize="none").sentence("a.", ["a ."]) == 0
    assert WordF1().signature([["a"]]).startswith("nrefs:1|case:lc|tok:words|version:jurat:")
