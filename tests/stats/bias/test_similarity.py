import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.faults import FaultyInput
from jurat.stats import analyse
from jurat.stats.bias.similarity import similarities, word_f1
from jurat.stats.bias.texts import BiasSettings
from tests.stats.tables import evaluation

CSV = "judge,item,saw,bleu,value\na,1,r1,10,1\nb,1,r2,30,2\na,2,r1,20,3\nc,1,r1,10,3\nb,2,r2,,3"
TEXTS = pl.DataFrame(
    {
        "item": [1, 2],
        "mt": ["the cat sat", "yes"],
        "r1": ["The cat sat", "yes ."],
        "r2": ["a cat", "no"],
        "r3": ["a cat", None],
    }
)


def results(**options):
    settings = BiasSettings(group="saw", bootstrap=0, **options)
    return {r.name: r for r in analyse("bias", evaluation(CSV), settings)}


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
    ],
)
def test_shared_words_by_hand(one, other, f1):
    assert word_f1(one, other) == pytest.approx(f1)


@given(st.text(), st.text())
def test_word_f1_is_the_same_both_ways(one, other):
    assert 0 <= word_f1(one, other) <= 1
    assert word_f1(one, other) == word_f1(other, one)
    assert word_f1(one, one) == 1


def test_both_directions_are_averaged():
    longer = {("ab", "a"): 1.0, ("a", "ab"): 0.5}
    texts = pl.DataFrame({"x": ["ab"], "y": ["a"]})
    assert similarities(texts, "x", "y", metric=lambda a, b: longer[a, b]).tolist() == [0.75]


def test_every_two_references():
    found = results(texts=TEXTS, references=("r1", "r2", "r3"))["reference-similarity"]
    values = {(e.by["reference_a"], e.by["reference_b"]): (e.value, e.n) for e in found.estimates}
    assert values["r1", "r2"] == (pytest.approx((2 / 5 + 0) / 2), 2)
    assert values["r2", "r3"] == (1.0, 1)
    assert "most r2 and r3" in found.headline


def test_references_are_the_groups_where_they_are_not_named():
    found = results(texts=TEXTS)["reference-similarity"].estimates
    assert [(e.by["reference_a"], e.by["reference_b"]) for e in found] == [("r1", "r2")]


def test_the_translation_beside_each_reference():
    found = results(texts=TEXTS)["group-metric"].estimates
    assert {e.by["group"]: e.value for e in found} == {
        "r1": pytest.approx((1 + 2 / 3) / 2),
        "r2": pytest.approx(2 / 5 / 2),
    }


def test_a_column_of_scores_counts_each_item_once():
    found = results(metric="bleu")["group-metric"].estimates
    assert {e.by["group"]: (e.value, e.n) for e in found} == {"r1": (15.0, 2), "r2": (30.0, 1)}
    assert {e.by["metric"] for e in found} == {"bleu"}


def test_what_is_missing_is_named():
    found = results()
    assert "--texts" in found["reference-similarity"].estimates[0].reason
    assert "--texts" in found["group-metric"].estimates[0].reason
    alone = results(texts=TEXTS.select("item", "r1"))
    assert alone["reference-similarity"].estimates[0].reason == "there is a single reference"
    assert "no column of the translations" in alone["group-metric"].estimates[0].reason
    with pytest.raises(FaultyInput, match="unknown column of texts 'r9'"):
        results(texts=TEXTS, references=("r1", "r9"))
    with pytest.raises(FaultyInput, match=r"--metric needs a column 'blue'.*'bleu'"):
        results(metric="blue")


def test_references_that_never_meet():
    apart = pl.DataFrame({"item": ["1", "2"], "r1": ["a", None], "r2": [None, "b"]})
    (only,) = results(texts=apart)["reference-similarity"].estimates
    assert (only.value, only.n, only.reason) == (None, 0, "no segment has both texts")
