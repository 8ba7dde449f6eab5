"""BLEU is sacreBLEU's BLEU, sentence by sentence, and gives what was published."""

import csv
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from jurat import __version__
from jurat.errors import InputError
from jurat.metrics.bleu import Bleu
from tests.metrics import corpora
from tests.metrics.corpora import Corpus

EXACT = 1e-9
TOKENIZERS = ("13a", "intl", "char", "zh", "none")
SMOOTHING = (
    ("exp", None),
    ("floor", None),
    ("floor", 0.01),
    ("add-k", None),
    ("add-k", 2.5),
    ("none", None),
)


def peer(metric: Bleu, *, single: bool) -> BLEU:
    """SacreBLEU's with the same options."""
    return BLEU(
        tokenize=metric.tokenize,
        lowercase=metric.lowercase,
        smooth_method=metric.smooth,
        smooth_value=metric.smooth_value,
        max_ngram_order=metric.order,
        effective_order=single,
        force=True,
    )


def check(metric: Bleu, corpus: Corpus) -> None:
    """The counts and score of every sentence, and the score of all together."""
    counts = metric.counts(*corpus)
    sentences, whole = peer(metric, single=True), peer(metric, single=False)
    rows = sentences._extract_corpus_statistics(corpus.hypotheses, corpus.streams)
    assert counts.tolist() == rows
    expected = [sentences._compute_score_from_stats(row).score for row in rows]
    np.testing.assert_allclose(metric.score(counts, single=True), expected, rtol=0, atol=EXACT)
    together = whole._aggregate_and_compute(rows).score
    assert float(metric.score(counts.sum(axis=0))) == pytest.approx(together, abs=EXACT)


@pytest.mark.parametrize("name", corpora.SETS)
def test_real_texts(name: str, shared: Path) -> None:
    check(Bleu(), corpora.corpus(shared, name))


@pytest.mark.parametrize("name", corpora.SETS)
@pytest.mark.parametrize("tokenize", TOKENIZERS)
def test_tokenizers_on_real_texts(name: str, tokenize: str, shared: Path) -> None:
    check(Bleu(tokenize=tokenize, lowercase=True), corpora.corpus(shared, name))


def test_scores_are_those_that_people_get(shared: Path) -> None:
    """Through sacreBLEU's own doors, not by what is behind them."""
    corpus = corpora.corpus(shared, "two references").first(100)
    metric = Bleu()
    for pair in zip(*corpus, strict=True):
        expected = peer(metric, single=True).sentence_score(*pair).score
        assert metric.sentence(*pair) == pytest.approx(expected, abs=EXACT)
    together = peer(metric, single=False).corpus_score(corpus.hypotheses, corpus.streams)
    assert metric.corpus(*corpus) == pytest.approx(together.score, abs=EXACT)


@pytest.mark.parametrize(("smooth", "value"), SMOOTHING)
@pytest.mark.parametrize("order", [1, 2, 4, 7])
def test_smoothing_on_real_texts(
    smooth: str, value: float | None, order: int, shared: Path
) -> None:
    metric = Bleu(smooth=smooth, smooth_value=value, order=order)
    check(metric, corpora.corpus(shared, "two references").first(200))


few = st.lists(st.sampled_from("abc"), max_size=7).map(" ".join)


@given(
    pairs=st.lists(st.tuples(few, st.lists(few, min_size=1, max_size=3)), min_size=1, max_size=5),
    smoothing=st.sampled_from(SMOOTHING),
    order=st.integers(1, 6),
)
@settings(max_examples=40, deadline=None)
def test_short_texts(
    pairs: list[tuple[str, list[str]]], smoothing: tuple[str, float | None], order: int
) -> None:
    smooth, value = smoothing
    metric = Bleu(tokenize="none", smooth=smooth, smooth_value=value, order=order)
    check(metric, corpora.made(pairs))


@given(
    pairs=corpora.pairs,
    tokenize=st.sampled_from(TOKENIZERS),
    lowercase=st.booleans(),
    smooth=st.sampled_from(["exp", "floor", "add-k", "none"]),
)
@settings(max_examples=40, deadline=None)
def test_any_texts(
    pairs: list[tuple[str, list[str]]], tokenize: str, lowercase: bool, smooth: str
) -> None:
    metric = Bleu(tokenize=tokenize, lowercase=lowercase, smooth=smooth)
    check(metric, corpora.made(pairs))


def test_published_examples(shared: Path) -> None:
    """sacreBLEU's own README and tests."""
    examples = json.loads((shared / "stat_examples" / "examples.json").read_text("utf-8"))
    (example,) = (e for e in examples if e["id"] == "bleu_sacrebleu_readme")
    references = list(zip(*example["data"]["references"], strict=True))
    tokenizers = {"BLEU 13a": "13a", "BLEU tokenize none": "none", "BLEU intl": "intl"}
    for row in example["values"]:
        metric = Bleu(tokenize=tokenizers[row["statistic"]])
        score = metric.corpus(example["data"]["hypotheses"], references)
        assert score == pytest.approx(row["published"], abs=row["tolerance"])


def golden(shared: Path, dataset: str) -> dict[str, dict[str, str]]:
    with (shared / dataset / "golden.csv").open(encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("reference", ["ref1", "ref2", "ref3", "ref4"])
def test_published_table_of_tradopad(reference: str, shared: Path) -> None:
    """Fomicheva & Specia 2016, table 2, as far as an unknown program's BLEU can be the same."""
    row = golden(shared, "tradopad")[f"T2-BLEU-{reference}"]
    mt, texts = corpora.columns(shared / "tradopad" / "segments.tsv", "mt", reference)
    score = Bleu(lowercase=True).corpus(mt, [[text] for text in texts]) / 100
    assert score == pytest.approx(float(row["recomputed"]), abs=5e-5)
    assert score == pytest.approx(float(row["published"]), abs=0.0017)


@pytest.mark.parametrize("system", ["ONLINE-B", "NLLB_Greedy", "GPT4-5shot"])
def test_published_column_of_wmt23(system: str, shared: Path) -> None:
    """The shared task's own sentence scores."""
    folder = shared / "wmt23_metrics_ende"
    names = ("segment", "refA", system)
    segments, references, texts = corpora.columns(folder / "texts_en-de.tsv", *names)
    counts = Bleu().counts(texts, [[text] for text in references])
    scores = dict(zip(segments, Bleu().score(counts, single=True), strict=True))
    table = corpora.columns(folder / "segments_en-de.tsv", "system", "segment", "BLEU-refA")
    released = {
        segment: float(value) for name, segment, value in zip(*table, strict=True) if name == system
    }
    assert len(released) == 460
    for segment, value in released.items():
        assert scores[segment] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    ("row", "metric"),
    [
        ("hi-sentBLEU-+1", Bleu(smooth="add-k", smooth_value=1, tokenize="intl")),
        ("hi-sentBLEU-exp", Bleu()),
    ],
)
def test_published_tau_of_wmt14(row: str, metric: Bleu, shared: Path) -> None:
    """Macháček & Bojar 2014: sentence BLEU against people's preferences."""
    scores: dict[tuple[str, str], float] = {}
    for n in range(1, 10):
        names = ("segment", "ref", f"sys{n}")
        path = shared / "wmt14_hien" / "hi-en.outputs.tsv"
        segments, references, texts = corpora.columns(path, *names)
        counts = metric.counts(texts, [[text] for text in references])
        keys = product([f"sys{n}"], segments)
        scores.update(zip(keys, metric.score(counts, single=True), strict=True))
    with (shared / "wmt14_hien" / "hi-en.preferences.csv").open(encoding="utf-8") as file:
        apart = [
            scores[p["better"], p["segment"]] - scores[p["worse"], p["segment"]]
            for p in csv.DictReader(file)
        ]
    known = golden(shared, "wmt14_hien")
    tau = float(np.mean(np.sign(apart)))
    assert tau == pytest.approx(float(known[f"{row}-tau"]["recomputed"]), abs=0.0005)
    agreed = float(np.mean(np.array(apart) > 0))
    assert agreed == pytest.approx(float(known[f"{row}-consistency"]["recomputed"]), abs=0.0005)


@pytest.mark.parametrize(("smooth", "value"), SMOOTHING)
def test_signature_is_sacrebleus(smooth: str, value: float | None) -> None:
    corpus = Corpus(["a b", "c"], [["a b"], ["c d"]])
    metric = Bleu(smooth=smooth, smooth_value=value, lowercase=smooth == "floor", tokenize="zh")
    for single in (False, True):
        whole = peer(metric, single=single)
        whole.corpus_score(corpus.hypotheses, corpus.streams)
        expected, _, _ = str(whole.get_signature()).rpartition("|version:")
        assert metric.signature(corpus.references, single=single) == (
            f"{expected}|version:jurat:{__version__}"
        )


def test_signature_says_what_differs() -> None:
    metric = Bleu(order=2, smooth="floor", smooth_value=0.001)
    assert metric.signature([["a"], ["a", "b"]]) == (
        f"nrefs:var|case:mixed|eff:no|tok:13a|smooth:floor[0.001]|order:2|version:jurat:{__version__}"
    )


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"tokenize": "mecab"}, "unknown tokenizer 'mecab'"),
        ({"smooth": "expo"}, "did you mean 'exp'"),
        ({"smooth": "exp", "smooth_value": 1.0}, "takes no value"),
        ({"smooth": "floor", "smooth_value": 0.0}, "above 0"),
        ({"smooth": "add-k", "smooth_value": float("nan")}, "above 0"),
        ({"order": 0}, "from 1 to 99"),
        ({"order": 100}, "from 1 to 99"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], word: str) -> None:
    with pytest.raises(InputError, match=word):
        Bleu(**options)
