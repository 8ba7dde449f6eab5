"""Words are sacreBLEU's words, in every text."""

import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from sacrebleu.metrics.bleu import _get_tokenizer

from jurat import word_boundaries
from jurat.errors import InputError
from jurat.metrics._kernels import BLANK, NUMBER, SINGLE, STOP
from jurat.metrics.tokenizers import (
    split,
    tokenize,
    tokenizer_named,
    tokenizers,
    word_ids,
    word_numbers,
)
from tests import ROOT
from tests.metrics import corpora

SACREBLEU = ("13a", "char", "intl", "none", "zh")
EVERY = pytest.mark.parametrize("name", SACREBLEU)


def theirs(text: str, name: str) -> list[str]:
    """As sacreBLEU's metrics call their tokenizers."""
    return str(_get_tokenizer(name)()(text.rstrip())).split()


@EVERY
@pytest.mark.parametrize("corpus", corpora.SETS)
def test_real_texts(name: str, corpus: str, shared: Path) -> None:
    hypotheses, references = corpora.corpus(shared, corpus)
    texts = [*hypotheses, *(text for several in references for text in several)]
    expected = [theirs(text, name) for text in texts]
    words = split(texts, name)
    spelled = words.codes.tobytes().decode("utf-32-le", "surrogatepass")
    cut = [spelled[a:b] for a, b in zip(words.starts, words.ends, strict=True)]
    assert cut == [word for sentence in expected for word in sentence]
    assert words.lengths.tolist() == [len(sentence) for sentence in expected]


@EVERY
@given(text=corpora.texts)
@settings(max_examples=40, deadline=None)
def test_any_text(name: str, text: str) -> None:
    assert tokenize(text, name) == theirs(text, name)


@EVERY
@given(text=corpora.texts)
@settings(deadline=None)
def test_any_text_in_small_letters(name: str, text: str) -> None:
    assert tokenize(text, name, lowercase=True) == theirs(text.lower(), name)


def test_every_sign_of_unicode() -> None:
    """Also those that sacreBLEU's Unicode knows and this Python's does not."""
    signs = "".join(map(chr, range(sys.maxunicode + 1)))
    kinds = tokenizer_named("intl").kinds
    for kind, pattern in ((STOP, r"\p{P}"), (SINGLE, r"\p{S}"), (NUMBER, r"\p{N}")):
        expected = [found.start() for found in regex.finditer(pattern, signs)]
        assert np.flatnonzero(kinds == kind).tolist() == expected
    blanks = [n for n, sign in enumerate(signs) if sign.isspace()]
    for tokenizer in tokenizers():
        found = np.flatnonzero(tokenizer_named(tokenizer.name).kinds == BLANK)
        assert found.tolist() == blanks, tokenizer.name


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("It cost 3,000.50 (!).", "13a", ["It", "cost", "3,000.50", "(", "!", ")", "."]),
        ("1990-2000: x-ray", "13a", ["1990", "-", "2000", ":", "x-ray"]),
        ("a..5 5,,", "13a", ["a", ".", ".5", "5", ",", ","]),
        ("&amp;lt;skipped&gt; ex-\nample", "13a", ["<", "skipped", ">", "example"]),
        ("In 2010. Ja!", "intl", ["In", "2010", ".", "Ja", "!"]),
        ("पुराना पुल बंद है।", "intl", ["पुराना", "पुल", "बंद", "है", "।"]),
        ("पुराना पुल बंद है।", "13a", ["पुराना", "पुल", "बंद", "है।"]),
        ("पुराना पुल बंद है।", "words", ["पुराना", "पुल", "बंद", "है", "।"]),
        ("旧桥 3.5 km", "zh", ["旧", "桥", "3.5", "km"]),
        ("旧桥。ok", "words", ["旧", "桥", "。", "ok"]),
        ("ไทย", "words", ["ไ", "ท", "ย"]),
        ("a b", "char", ["a", "b"]),
        ("", "13a", []),
        (" \n ", "char", []),
    ],
)
def test_by_hand(text: str, name: str, words: list[str]) -> None:
    assert tokenize(text, name) == words


@given(text=corpora.texts)
@settings(deadline=None)
def test_words_are_the_pieces_that_judges_point_at(text: str) -> None:
    pieces = [text[start:end] for start, end in word_boundaries.pieces(text)]
    assert tokenize(text, "words") == pieces


@pytest.mark.parametrize("name", [kind.name for kind in tokenizers()])
@given(data=corpora.pairs)
@settings(max_examples=40, deadline=None)
def test_equal_numbers_are_equal_words(name: str, data: list[tuple[str, list[str]]]) -> None:
    texts = [text for text, _ in data]
    ids, offsets = word_ids(texts, name)
    words = [tokenize(text, name) for text in texts]
    assert np.diff(offsets).tolist() == [len(sentence) for sentence in words]
    by_word: dict[str, int] = {}
    flat = (word for sentence in words for word in sentence)
    assert [by_word.setdefault(word, len(by_word)) for word in flat] == ids.tolist()


def test_parts_are_numbered_together() -> None:
    one, two = word_numbers(split(["a b", "c"], "none"), split(["c a d"], "none"))
    assert (one.tolist(), two.tolist()) == ([0, 1, 2], [2, 0, 3])


def test_an_unknown_one_is_refused() -> None:
    with pytest.raises(InputError, match=r"unknown tokenizer '13b'.*did you mean '13a'"):
        tokenize("a", "13b")


@pytest.mark.parametrize("name", [kind.name for kind in tokenizers()])
def test_what_it_does_is_said(name: str) -> None:
    assert tokenizers()[name].about
    assert tokenizers()[name].__doc__
    assert f"`{name}`" in (ROOT / "docs" / "metrics.md").read_text("utf-8")


def test_threads_do_not_disturb_each_other() -> None:
    texts = [f"word{n % 7} {n % 3}.{n}, x" for n in range(500)]
    expected = word_ids(texts, "13a")
    wrong: list[int] = []

    def run() -> None:
        for _ in range(20):
            ids, offsets = word_ids(texts, "13a")
            if (ids != expected[0]).any() or (offsets != expected[1]).any():
                wrong.append(1)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
