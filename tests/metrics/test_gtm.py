"""GTM by hand, by what must hold of it, and beside a slow implementation of its description."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from jurat.errors import InputError
from jurat.metrics.gtm import Gtm
from tests.metrics import slow_gtm
from tests.metrics.corpora import Corpus, corpus, made, pairs

PLAIN = Gtm(tokenize="none")
EXPONENTS = (1.0, 1.5, 2.0, 3.0)

words = st.lists(st.sampled_from("abc"), max_size=9)
sentences = words.map(" ".join)
exponents = st.floats(1, 20)


@pytest.mark.parametrize(
    ("hypothesis", "references", "exponent", "score"),
    [
        ("a b c", ["a b c"], 2, 1),
        ("a b", ["b a"], 1, 1),
        # two runs of one word: √2 of 2 words
        ("a b", ["b a"], 2, 2**0.5 / 2),
        # runs of three, one and one of six words: √11 / 6
        ("a b c x d e", ["a b c e d y"], 2, 11**0.5 / 6),
        # the longer run is taken first, though the shorter one begins earlier
        ("a b a b c", ["a b c"], 3, 2 * 3 / (5 + 3)),
        # nothing goes over the end of a reference, so that these are two runs
        ("a b c d", ["a b", "c d"], 2, 2 * (2**2) ** 0.5 / (4 + 2)),
        # four words, of which the mean length of the references allows three and a half
        ("a b c d", ["a b c d e", "a b"], 2, 2 * 3.5 / (4 + 3.5)),
        ("a b c d", ["a b c d e", "a b"], 1, 2 * 3.5 / (4 + 3.5)),
        # the first run of two leaves half a word to the second
        ("a b c d", ["a b x", "c d"], 3, 2 * (2**3 + 0.5**3) ** (1 / 3) / (4 + 2.5)),
        ("a b", ["x y"], 2, 0),
        ("", ["a b"], 2, 0),
        ("a b", [""], 2, 0),
        ("", [""], 2, 0),
        ("", [""], 1, 0),
    ],
)
def test_by_hand(hypothesis: str, references: Sequence[str], exponent: float, score: float) -> None:
    metric = Gtm(tokenize="none", exponent=exponent)
    assert metric.sentence(hypothesis, references) == pytest.approx(score, abs=1e-12)


@pytest.fixture(scope="module")
def real(shared: Path) -> Corpus:
    """Texts of three sets, with one reference or two."""
    sets = [corpus(shared, name) for name in ("wmt23 NLLB", "wmt14 sys1", "two references")]
    return Corpus(
        [text for part in sets for text in part.hypotheses],
        [texts for part in sets for texts in part.references],
    )


@pytest.fixture(scope="module")
def matches(real: Corpus) -> list[slow_gtm.Match]:
    """How the description matches them."""
    cut = Tokenizer13a()
    return [
        slow_gtm.match(cut(text).split(), [cut(reference).split() for reference in references])
        for text, references in zip(*real, strict=True)
    ]


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_real_texts_beside_the_description(
    exponent: float, real: Corpus, matches: list[slow_gtm.Match]
) -> None:
    metric = Gtm(exponent=exponent)
    expected = np.array([found.counts(exponent) for found in matches])
    counts = metric.counts(*real)
    np.testing.assert_allclose(counts, expected, rtol=1e-12)
    scores = [slow_gtm.score(*row) for row in expected.tolist()]
    np.testing.assert_allclose(metric.score(counts, single=True), scores, rtol=1e-12)
    whole = slow_gtm.score(*expected.sum(axis=0).tolist())
    assert metric.score(counts.sum(axis=0)) == pytest.approx(whole, rel=1e-12)


@settings(deadline=None)
@given(words, st.lists(words, min_size=1, max_size=3), st.sampled_from(EXPONENTS))
def test_small_alphabets_beside_the_description(
    hypothesis: list[str], references: list[list[str]], exponent: float
) -> None:
    metric = Gtm(tokenize="none", exponent=exponent)
    counts = metric.counts([" ".join(hypothesis)], [[" ".join(r) for r in references]])[0]
    expected = slow_gtm.match(hypothesis, references).counts(exponent)
    assert counts == pytest.approx(expected, rel=1e-12)
    assert metric.score(counts) == pytest.approx(slow_gtm.score(*expected), rel=1e-12)


@settings(deadline=None)
@given(words, words)
def test_exponent_1_is_the_f_measure_of_bags_of_words(one: list[str], two: list[str]) -> None:
    shared = (Counter(one) & Counter(two)).total()
    expected = 2 * shared / (len(one) + len(two)) if one or two else 0
    assert PLAIN.sentence(" ".join(one), [" ".join(two)]) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(sentences.filter(str.strip), exponents)
def test_a_text_matches_itself(text: str, exponent: float) -> None:
    metric = Gtm(tokenize="none", exponent=exponent)
    assert metric.sentence(text, [text]) == pytest.approx(1, abs=1e-12)


@settings(deadline=None)
@given(sentences, st.lists(sentences, min_size=1, max_size=3), exponents, exponents)
def test_a_higher_exponent_never_gives_a_higher_score(
    hypothesis: str, references: list[str], one: float, two: float
) -> None:
    low, high = (
        Gtm(tokenize="none", exponent=exponent).sentence(hypothesis, references)
        for exponent in sorted([one, two])
    )
    assert 0 <= high <= low + 1e-12 <= 1 + 1e-11


@settings(deadline=None)
@given(st.permutations("abcdefgh"), st.permutations("cdefghij"), exponents)
def test_where_words_are_not_repeated_the_sides_are_alike(
    one: list[str], two: list[str], exponent: float
) -> None:
    metric = Gtm(tokenize="none", exponent=exponent)
    left, right = " ".join(one), " ".join(two)
    assert metric.sentence(left, [right]) == pytest.approx(metric.sentence(right, [left]))


def test_a_huge_exponent_counts_the_longest_run_alone() -> None:
    assert Gtm(exponent=1e6).sentence("a b c x d e", ["a b c e d y"]) == pytest.approx(3 / 6)


@settings(max_examples=25, deadline=None)
@given(pairs)
def test_strange_texts_alone_and_together(rows: list[tuple[str, list[str]]]) -> None:
    metric = Gtm(exponent=2, tokenize="char")
    together = metric.counts(*made(rows), jobs=2)
    alone = [metric.counts([text], [references])[0] for text, references in rows]
    assert together.tolist() == [row.tolist() for row in alone]


def test_words_that_differ_in_case_match_if_asked() -> None:
    assert Gtm().sentence("A b", ["a B"]) == 0
    assert Gtm(lowercase=True).sentence("A b", ["a B"]) == 1


def test_a_long_text_of_one_word() -> None:
    assert Gtm(exponent=2).sentence("a " * 3000, ["a " * 3000]) == pytest.approx(1)
    half = Gtm(exponent=2).sentence("a b " * 500, ["a " * 500])
    assert half == pytest.approx(2 * 500**0.5 / 1500)


def test_threads_do_not_disturb_each_other() -> None:
    metric = Gtm(exponent=2)
    hypotheses = [f"a b c {n} d" for n in range(500)]
    references = [[f"b c {n % 7} d a", "c d"] for n in range(500)]
    expected = metric.counts(hypotheses, references)
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda _: metric.counts(hypotheses, references, jobs=2), range(8))
    assert all((counts == expected).all() for counts in found)


@pytest.mark.parametrize("exponent", [0.5, 0, -1, float("nan"), float("inf")])
def test_exponents_below_1_are_refused(exponent: float) -> None:
    with pytest.raises(InputError, match="exponent: the exponent is a number from 1 on"):
        Gtm(exponent=exponent)


def test_the_signature() -> None:
    assert (
        Gtm(exponent=1.5, lowercase=True)
        .signature([["a"], ["b", "c"]])
        .startswith("nrefs:var|case:lc|tok:13a|exp:1.5|version:jurat:")
    )
