"""HTER is TER against the post-edit of the translation, the nearest if there are several."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.metrics.ter import Hter, Ter

texts = st.lists(st.sampled_from("abcdef"), max_size=10).map(" ".join)


@settings(deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5), st.booleans())
def test_one_post_edit_is_ter(pairs, normalized):
    hypotheses, edited = [h for h, _ in pairs], [[text] for _, text in pairs]
    ter, hter = Ter(normalized=normalized), Hter(normalized=normalized)
    assert hter.counts(hypotheses, edited).tolist() == ter.counts(hypotheses, edited).tolist()
    assert hter.corpus(hypotheses, edited) == ter.corpus(hypotheses, edited)


def test_the_nearest_of_several_counts_alone():
    hypothesis = "this week the saudis denied it"
    post_edits = [
        "the saudis denied it this week",  # one shift of six words
        "the saudis have denied it",
        "the saudis denied it all this week",  # a shift and a word of seven
    ]
    assert Hter().counts([hypothesis], [post_edits]).tolist() == [[1, 6]]
    assert Hter().sentence(hypothesis, post_edits) == pytest.approx(100 / 6)
    assert Ter().counts([hypothesis], [post_edits]).tolist() == [[1, 6]]
    longer = [f"{post_edits[0]} and denied it again", post_edits[0]]
    assert Hter().counts([hypothesis], [longer]).tolist() == [[1, 6]]
    assert Ter().counts([hypothesis], [longer]).tolist() == [[1, 8]]


def test_nothing_to_change():
    assert Hter().sentence("all is well", ["all is well"]) == Hter.perfect == 0
    assert not Hter.higher_better
    assert Hter().signature([["a"]]) == Ter().signature([["a"]])
