"""chrF and chrF++ are sacreBLEU's, sentence by sentence, and give what was published."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from jurat import __version__
from jurat.errors import InputError
from jurat.metrics.chrf import Chrf, ChrfPlusPlus
from tests.metrics import corpora
from tests.metrics.corpora import Corpus

EXACT = 1e-9
KINDS = {
    "chrF": Chrf(),
    "chrF++": ChrfPlusPlus(),
    "small letters, with blanks": ChrfPlusPlus(lowercase=True, whitespace=True),
    "as the original": Chrf(eps_smoothing=True),
    "as the original, with words": ChrfPlusPlus(eps_smoothing=True, beta=1),
    "other orders": Chrf(char_order=4, word_order=1, beta=3),
    "words only": Chrf(char_order=0, word_order=3),
    "long n-grams": Chrf(char_order=11),
}


def peer(metric: Chrf) -> CHRF:
    """SacreBLEU's with the same options."""
    return CHRF(
        char_order=metric.char_order,
        word_order=metric.word_order,
        beta=int(metric.beta),
        lowercase=metric.lowercase,
        whitespace=metric.whitespace,
        eps_smoothing=metric.eps_smoothing,
    )


def check(metric: Chrf, corpus: Corpus) -> None:
    """The counts and score of every sentence, and the score of all together."""
    counts, theirs = metric.counts(*corpus), peer(metric)
    rows = theirs._extract_corpus_statistics(corpus.hypotheses, corpus.streams)
    assert counts.tolist() == rows
    expected = [theirs._compute_score_from_stats(row).score for row in rows]
    np.testing.assert_allclose(metric.score(counts, single=True), expected, rtol=0, atol=EXACT)
    together = theirs._aggregate_and_compute(rows).score
    assert float(metric.score(counts.sum(axis=0))) == pytest.approx(together, abs=EXACT)


@pytest.mark.parametrize("name", corpora.SETS)
def test_real_texts(name: str, shared: Path) -> None:
    corpus = corpora.corpus(shared, name)
    check(ChrfPlusPlus(), corpus.first(300))


@pytest.mark.parametrize("metric", KINDS.values(), ids=KINDS)
def test_options_on_real_texts(metric: Chrf, shared: Path) -> None:
    corpus = corpora.corpus(shared, "two references")
    check(metric, corpus.first(200))


@pytest.mark.parametrize("metric", KINDS.values(), ids=KINDS)
@given(pairs=corpora.pairs)
@settings(max_examples=25, deadline=None)
def test_any_texts(metric: Chrf, pairs: list[tuple[str, list[str]]]) -> None:
    check(metric, corpora.made(pairs))


few = st.text("ab .", max_size=9)


@given(
    pairs=st.lists(st.tuples(few, st.lists(few, min_size=1, max_size=4)), min_size=1, max_size=5)
)
@settings(max_examples=40, deadline=None)
def test_short_texts_and_references_as_good_as_each_other(
    pairs: list[tuple[str, list[str]]],
) -> None:
    check(ChrfPlusPlus(), corpora.made(pairs))


def test_scores_are_those_that_people_get(shared: Path) -> None:
    """Through sacreBLEU's own doors, not by what is behind them."""
    corpus = corpora.corpus(shared, "two references").first(50)
    for metric in (Chrf(), ChrfPlusPlus()):
        for pair in zip(*corpus, strict=True):
            expected = peer(metric).sentence_score(*pair).score
            assert metric.sentence(*pair) == pytest.approx(expected, abs=EXACT)
        together = peer(metric).corpus_score(corpus.hypotheses, corpus.streams).score
        assert metric.corpus(*corpus) == pytest.approx(together, abs=EXACT)


@pytest.mark.parametrize("system", ["ONLINE-B", "NLLB_Greedy", "GPT4-5shot"])
def test_published_column_of_wmt23(system: str, shared: Path) -> None:
    """The shared task's own sentence scores."""
    folder = shared / "wmt23_metrics_ende"
    names = ("segment", "refA", system)
    segments, references, texts = corpora.columns(folder / "texts_en-de.tsv", *names)
    counts = Chrf().counts(texts, [[text] for text in references])
    scores = dict(zip(segments, Chrf().score(counts, single=True), strict=True))
    table = corpora.columns(folder / "segments_en-de.tsv", "system", "segment", "chrF-refA")
    released = [row[1:] for row in zip(*table, strict=True) if row[0] == system]
    assert len(released) == 460
    for segment, value in released:
        assert scores[segment] == pytest.approx(float(value), abs=1e-6)


@pytest.mark.parametrize("metric", KINDS.values(), ids=KINDS)
def test_signature_is_sacrebleus(metric: Chrf) -> None:
    corpus = Corpus(["a b", "c"], [["a b"], ["c d", "c"]])
    theirs = peer(metric)
    theirs.corpus_score(corpus.hypotheses, corpus.streams)
    expected, _, _ = str(theirs.get_signature()).rpartition("|version:")
    # sacreBLEU has beta in the metric's name.
    more = f"|beta:{metric.beta:g}" if metric.beta != 2 else ""
    signature = metric.signature(corpus.references)
    assert signature == f"{expected}{more}|version:jurat:{__version__}"


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"char_order": -1}, "from 0 to 99"),
        ({"word_order": 100}, "from 0 to 99"),
        ({"char_order": 0}, "one of char_order and word_order"),
        ({"beta": -1.0}, "beta"),
        ({"beta": float("inf")}, "beta"),
        ({"beta": float("nan")}, "beta"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], word: str) -> None:
    with pytest.raises(InputError, match=word):
        Chrf(**options)
