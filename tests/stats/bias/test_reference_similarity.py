import polars as pl
import pytest

from jurat.errors import InputError
from jurat.metrics import metrics
from jurat.metrics.bleu import Bleu
from jurat.metrics.ter import Ter
from jurat.metrics.word_edits import Wer
from jurat.stats import analyse
from jurat.stats.bias.reference_similarity import similarities
from jurat.stats.settings import BiasSettings
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


def test_both_directions_are_averaged():
    texts = pl.DataFrame({"x": ["a b", None, "a"], "y": ["a", "c", "a"]})
    # one word too many of one, one missing of two
    assert similarities(texts, "x", "y", metric=Wer()).tolist() == [0.75, 0]
    assert similarities(texts, "x", "y", metric=Wer(), both_ways=False).tolist() == [1, 0]


@pytest.mark.parametrize("kind", list(metrics()), ids=lambda kind: kind.name)
def test_any_metric_tells_how_alike_references_are(kind):
    metric = kind()
    found = results(texts=TEXTS, references=("r1", "r2", "r3"), similarity=(metric,))
    alike = {
        (e.by["reference_a"], e.by["reference_b"]): e
        for e in found["reference-similarity"].estimates
    }
    one = alike["r1", "r2"]
    assert one.by["metric"] == kind.name
    pairs = [("The cat sat", "a cat"), ("yes .", "no")]
    scores = [metric.sentence(a, [b]) for pair in pairs for a, b in (pair, pair[::-1])]
    assert one.value == pytest.approx(sum(scores) / 4)
    assert alike["r2", "r3"].value == pytest.approx(metric.sentence("a cat", ["a cat"]))
    beside = {e.by["group"]: e.value for e in found["group-metric"].estimates}
    translated = [metric.sentence("the cat sat", ["a cat"]), metric.sentence("yes", ["no"])]
    assert beside["r2"] == pytest.approx(sum(translated) / 2)
    assert f"|metric:{kind.name}|" in found["reference-similarity"].signature


def test_where_lower_is_more_alike():
    found = results(texts=TEXTS, references=("r1", "r2", "r3"), similarity=(Ter(),))
    said = found["reference-similarity"].headline
    assert said.startswith("Any two references are apart by ")
    assert "(ter, 0 is the same words) on average" in said
    assert said.endswith("least r2 and r3.")


def test_several_metrics_have_their_own_results():
    wanted = (Bleu(), Bleu(tokenize="char"))
    settings = BiasSettings(group="saw", bootstrap=0, texts=TEXTS, similarity=wanted)
    found = [
        r for r in analyse("bias", evaluation(CSV), settings) if r.name == "reference-similarity"
    ]
    assert [r.estimates[0].by["metric"] for r in found] == ["bleu", "bleu:tokenize=char"]
    assert [r.signature.count("|tok:char") for r in found] == [0, 1]


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
    with pytest.raises(InputError, match="unknown column of texts 'r9'"):
        results(texts=TEXTS, references=("r1", "r9"))
    with pytest.raises(InputError, match=r"--metric needs a column 'blue'.*'bleu'"):
        results(metric="blue")


def test_references_that_never_meet():
    apart = pl.DataFrame({"item": ["1", "2"], "r1": ["a", None], "r2": [None, "b"]})
    (only,) = results(texts=apart)["reference-similarity"].estimates
    assert (only.value, only.n, only.reason) == (None, 0, "no segment has both texts")
