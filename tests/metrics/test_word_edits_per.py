"""PER by its other formula, and by what must hold of it."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.metrics.word_edits import Per, Wer
from tests.metrics import corpora

texts = st.lists(st.sampled_from("abcde"), max_size=12)


def slow(hypothesis: str, reference: str) -> float:
    """(|r − h| + Σ |r(w) − h(w)| over words) / 2, in words: Leusch, Ueffing & Ney 2003, 2.2."""
    h, r = Counter(hypothesis.split()), Counter(reference.split())
    apart = sum(abs(r[word] - h[word]) for word in r | h)
    return (abs(r.total() - h.total()) + apart) / 2


@pytest.mark.parametrize(
    ("hypothesis", "reference", "score"),
    [
        ("a b c", "c b a", 0),
        ("a b c d", "a b", 1),  # two words too many of two
        ("a", "a b", 1 / 2),
        ("a x", "a b", 1 / 2),
        ("a a b", "a b b", 1 / 3),
        ("x y z", "a", 3),
        ("", "a b", 1),
        ("", "", 0),
        ("a b", "", 2),
    ],
)
def test_by_hand(hypothesis, reference, score):
    assert Per().sentence(hypothesis, [reference]) == pytest.approx(score)


@settings(deadline=None)
@given(corpora.pairs)
def test_the_nearest_reference_by_the_other_formula(pairs):
    corpus = corpora.made(pairs)
    for row, hypothesis, references in zip(Per().counts(*corpus).tolist(), *corpus, strict=True):
        errors, length = min((slow(hypothesis, text), -len(text.split())) for text in references)
        assert row == [errors, -length]


@settings(deadline=None)
@given(texts, texts, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_only_helps(hypothesis, reference, random):
    mixed = random.sample(hypothesis, len(hypothesis))
    one, other, ordered = (
        metric.counts([" ".join(words)], [[" ".join(reference)]])[0, 0]
        for metric, words in ((Per(), hypothesis), (Per(), mixed), (Wer(), hypothesis))
    )
    assert one == other <= ordered
    assert (one == 0) == (sorted(hypothesis) == sorted(reference))
    assert one >= abs(len(hypothesis) - len(reference))


def test_the_whole_is_all_errors_over_all_words():
    assert Per().corpus(["a b", "c"], [["a x"], ["c d e"]]) == pytest.approx(3 / 5)
    assert not Per.higher_better
    assert Per.perfect == 0
