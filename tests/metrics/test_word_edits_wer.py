"""WER beside jiwer, whose words are those between blanks."""

from pathlib import Path

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.metrics.word_edits import Wer
from tests.metrics import corpora

words = st.lists(st.sampled_from("abcd"), max_size=12)
many = st.lists(st.sampled_from("abcdefghijklmnopqrst"), min_size=50, max_size=260)
segments = st.lists(st.tuples(words | many, words | many), min_size=1, max_size=4)


@settings(deadline=None)
@given(segments)
def test_errors_as_counted_by_jiwer(segments):
    hypotheses, references = (
        [" ".join(text) for text in texts] for texts in zip(*segments, strict=True)
    )
    counts = Wer().counts(hypotheses, [[text] for text in references])
    scores = Wer().score(counts, single=True)
    expected = [jiwer.wer(r, h) for h, r in zip(hypotheses, references, strict=True)]
    assert scores.tolist() == pytest.approx(expected, rel=1e-15)
    found = jiwer.process_words(references, hypotheses)
    assert counts.sum(axis=0).tolist() == [
        found.substitutions + found.deletions + found.insertions,
        found.substitutions + found.deletions + found.hits,
    ]
    assert float(Wer().score(counts.sum(axis=0))) == pytest.approx(found.wer, rel=1e-15)


@pytest.mark.parametrize("name", corpora.SETS)
def test_real_texts(shared: Path, name: str):
    hypotheses, references = corpora.corpus(shared, name)
    hypotheses = [" ".join(text.split()) for text in hypotheses]
    firsts = [" ".join(texts[0].split()) for texts in references]
    scores = Wer().score(Wer().counts(hypotheses, [[text] for text in firsts]), single=True)
    expected = [jiwer.wer(r, h) for h, r in zip(hypotheses, firsts, strict=True)]
    assert scores.tolist() == pytest.approx(expected, rel=1e-15)
    assert Wer().corpus(hypotheses, [[text] for text in firsts]) == pytest.approx(
        jiwer.wer(firsts, hypotheses), rel=1e-15
    )


@pytest.mark.parametrize("size", [62, 63, 64, 65, 127, 128, 129, 200])
def test_where_machine_words_end(size):
    reference = [f"w{n}" for n in range(size)]
    for changed in (reference[1:], reference[:-1], ["x", *reference], [*reference[:-1], "x"]):
        assert Wer().counts([" ".join(changed)], [[" ".join(reference)]]).tolist() == [[1, size]]


def test_the_reference_with_fewest_errors_counts_with_its_own_length():
    assert Wer().counts(["a b c"], [["a b x y", "a b", "a c"]]).tolist() == [[1, 2]]
    # as many errors against both: the longer one
    assert Wer().counts(["a b c"], [["a b", "a b c d"]]).tolist() == [[1, 4]]
    assert Wer().sentence("a b c", ["a b", "a b c d"]) == 0.25


@pytest.mark.parametrize(
    ("hypothesis", "reference", "score"), [("", "", 0), ("a b", "", 2), ("", "a", 1), ("A", "a", 1)]
)
def test_empty_texts_and_capitals_as_in_jiwer(hypothesis, reference, score):
    assert Wer().sentence(hypothesis, [reference]) == score == jiwer.wer(reference, hypothesis)


@settings(deadline=None)
@given(corpora.pairs)
def test_any_text_and_number_of_references(pairs):
    corpus = corpora.made(pairs)
    counts = Wer().counts(*corpus)
    for row, hypothesis, references in zip(counts.tolist(), *corpus, strict=True):
        compared = [(_errors(hypothesis, text), -len(text.split())) for text in references]
        errors, length = min(compared)
        assert row == [errors, -length]


def _errors(hypothesis: str, reference: str) -> int:
    """The table of Wagner and Fischer, cell by cell."""
    row = list(range(len(reference.split()) + 1))
    for word in hypothesis.split():
        above, row[0] = row[0], row[0] + 1
        for j, other in enumerate(reference.split(), 1):
            above, row[j] = row[j], min(above + (word != other), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def test_options():
    assert Wer(lowercase=True).sentence("A", ["a"]) == 0
    assert Wer(tokenize="char").sentence("ab", ["ac"]) == 0.5
    assert Wer().signature([["a"]]).startswith("nrefs:1|case:mixed|tok:none|version:jurat:")
    with pytest.raises(InputError, match=r"unknown tokenizer '13b'.*did you mean '13a'"):
        Wer(tokenize="13b")
    assert np.array_equal(Wer().counts([], []), np.empty((0, 2)))
