"""TER beside sacreBLEU, on texts that were translated and on such as nobody would write."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import lib_ter
from sacrebleu.metrics.ter import TER

from jurat import __version__
from jurat.errors import InputError
from jurat.metrics.ter import Ter
from tests.input_strategies import texts as strange_texts
from tests.metrics import corpora
from tests.metrics.corpora import Corpus

OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")
CHOICES = [dict(zip(OPTIONS, chosen, strict=True)) for chosen in product((False, True), repeat=4)]
SNOVER = (
    "THIS WEEK THE SAUDIS denied information published in the new york times",
    "SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times",
)
WORDS = [f"w{n}" for n in range(400)]

signs = st.text("aB.,-'s&;!?\"() \n0123\t、。（ー漢字カな", max_size=30)
alike = st.lists(st.sampled_from("abc"), max_size=14)
unlike = st.lists(st.sampled_from("abcdefgh"), max_size=25)


def edits(hypothesis, reference):
    """Edits of two lists of words."""
    return Ter().counts([" ".join(hypothesis)], [[" ".join(reference)]])[0, 0]


def theirs(hypothesis, references, **options):
    score = TER(**options).sentence_score(hypothesis, references)
    return score.num_edits, score.ref_length, score.score


def ours(hypotheses, references, **options):
    metric = Ter(**options)
    counts = metric.counts(hypotheses, references)
    return [(*row, score) for row, score in zip(counts, metric.score(counts), strict=True)]


def short(corpus: Corpus, *, words: int, step: int) -> Corpus:
    """Every so-manieth segment of those that sacreBLEU is done with before one gets impatient."""
    pairs = [pair for pair in zip(*corpus, strict=True) if len(pair[0].split()) <= words]
    return corpora.made(pairs[::step])


def test_the_example_of_the_paper():
    hypothesis, reference = SNOVER
    assert Ter().counts([hypothesis], [[reference]]).tolist() == [[4, 13]]
    assert Ter().sentence(hypothesis, [reference]) == pytest.approx(30.77, abs=0.005)


def test_published_examples(shared: Path):
    examples = {
        e["id"]: e for e in json.loads((shared / "stat_examples/examples.json").read_text())
    }
    paper = examples["ter_snover_2006"]
    score = Ter().sentence(paper["data"]["hypothesis"], [paper["data"]["reference"]])
    assert score == pytest.approx(paper["values"][0]["published"], abs=0.005)
    cases = examples["ter_sacrebleu_tests"]
    for case, value in zip(cases["data"]["cases"], cases["values"], strict=True):
        score = Ter().sentence(case["hyp"], [case["ref"]]) / 100
        assert score == pytest.approx(value["published"], abs=value["tolerance"])


@pytest.mark.parametrize("name", corpora.SETS)
def test_real_texts_are_scored_as_by_sacrebleu(shared: Path, name: str):
    corpus = short(corpora.corpus(shared, name), words=40, step=29)
    expected = [theirs(*pair) for pair in zip(*corpus, strict=True)]
    assert ours(*corpus) == expected
    whole = TER().corpus_score(corpus.hypotheses, corpus.streams)
    assert Ter().corpus(*corpus) == pytest.approx(whole.score, rel=1e-12)


@pytest.mark.parametrize("options", CHOICES, ids=lambda o: "-".join(n for n in o if o[n]) or "none")
def test_every_option_as_in_sacrebleu(shared: Path, options):
    corpus = short(corpora.corpus(shared, "two references"), words=20, step=60)
    expected = [theirs(*pair, **options) for pair in zip(*corpus, strict=True)]
    assert ours(*corpus, **options) == expected
    peer, metric = TER(**options), Ter(**options)
    peer.corpus_score(corpus.hypotheses, corpus.streams)
    signature, _, version = metric.signature(corpus.references).partition("|version:")
    assert signature == str(peer.get_signature()).partition("|version:")[0]
    assert version == f"jurat:{__version__}"


def test_published_correlations_with_judgments(shared: Path):
    """Of the golden rows beside the data, which sacreBLEU 2.6.0 computed."""
    table = shared / "multiref_eten"
    with (table / "golden.csv").open(encoding="utf-8") as file:
        golden = {row["id"]: float(row["recomputed"]) for row in csv.DictReader(file)}
    mt, ref1, ref2, da_z = corpora.columns(table / "et-en.tsv", "mt", "ref1", "ref2", "da_z")
    for name, texts in (("ref1", [ref1]), ("ref2", [ref2]), ("ref1+ref2", [ref1, ref2])):
        scores = Ter().score(Ter().counts(mt, list(zip(*texts, strict=True))), single=True)
        found = np.corrcoef(scores, np.array(da_z, np.float64))[0, 1]
        assert found == pytest.approx(golden[f"TER-{name}"], abs=5e-6)


@settings(deadline=None)
@given(signs, signs, st.sampled_from(CHOICES))
def test_signs_that_options_take_care_of(hypothesis, reference, options):
    assert ours([hypothesis], [[reference]], **options) == [
        theirs(hypothesis, [reference], **options)
    ]


@settings(deadline=None)
@given(strange_texts, st.lists(strange_texts, min_size=1, max_size=3), st.sampled_from(CHOICES))
def test_strange_texts_and_several_references(hypothesis, references, options):
    assert ours([hypothesis], [references], **options) == [
        theirs(hypothesis, references, **options)
    ]


@settings(deadline=None, max_examples=25)
@given(alike | unlike, alike | unlike)
def test_words_that_come_again_and_again(hypothesis, reference):
    expected, _ = lib_ter.translation_edit_rate(hypothesis, reference)
    assert edits(hypothesis, reference) == expected


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.sampled_from(WORDS[:8]), min_size=1, max_size=3),
    st.integers(50, 170),
    st.integers(2, 12),
)
def test_a_word_or_two_against_a_long_reference(hypothesis, size, kinds):
    reference = [WORDS[Random(size).randrange(kinds)] for _ in range(size)]
    expected, _ = lib_ter.translation_edit_rate(hypothesis, reference)
    assert edits(hypothesis, reference) == expected


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        (WORDS[30:62], WORDS[:62]),
        (WORDS[:30], WORDS[:60]),
        (WORDS[52:104], WORDS[:104]),
        (WORDS[130:182] + WORDS[:2], WORDS[:182]),
    ],
    ids=("tail", "head", "longer tail", "three machine words"),
)
def test_paths_that_leave_the_beam(monkeypatch, hypothesis, reference):
    expected, _ = lib_ter.translation_edit_rate(hypothesis, reference)
    assert edits(hypothesis, reference) == expected
    monkeypatch.setattr(lib_ter, "_BEAM_WIDTH", 1000)
    assert lib_ter.translation_edit_rate(hypothesis, reference)[0] < expected


def test_the_best_shift_is_not_made_where_trials_run_out():
    reference, swapped = WORDS[:60], WORDS[30:60] + WORDS[:30]
    # sacreBLEU 2.6.0; three shifts of ten words, were there no limit
    assert edits(swapped, reference) == 60
    assert edits(WORDS[10:20] + WORDS[:10], WORDS[:20]) == 1


def test_long_texts_as_sacrebleu_counts_them():
    """Limit, beam and long references: the counts of 2.6.0, which it takes half a minute for."""
    found = {}
    for size, kinds, seed in ((130, 40, 1), (130, 40, 2), (110, 1000, 1)):
        random = Random(seed)
        reference = [str(random.randrange(kinds)) for _ in range(size)]
        found[size, kinds, seed] = edits(reference[size * 2 // 5 :], reference)
    assert found == {(130, 40, 1): 84, (130, 40, 2): 76, (110, 1000, 1): 62}
    for seed, expected in ((1, 113), (2, 113)):
        random = Random(seed)
        reference = [str(random.randrange(60)) for _ in range(120)]
        assert edits([str(random.randrange(60)) for _ in range(120)], reference) == expected


@pytest.mark.parametrize(
    ("hypothesis", "references", "counts", "score"),
    [
        ("", ["a"], (1, 1), 100),
        ("a b", [""], (2, 0), 100),
        ("", [""], (0, 0), 0),
        ("", ["", "a b"], (0, 1), 0),
        ("a b c", ["c a b", "a b c d e"], (1, 4), 25),
    ],
)
def test_what_is_empty_and_the_mean_of_lengths(hypothesis, references, counts, score):
    assert ours([hypothesis], [references]) == [(*counts, score)]
    assert theirs(hypothesis, references) == (*counts, score)


def test_segments_may_have_different_numbers_of_references():
    hypotheses, references = ["a b", "a b", "c"], [["a b"], ["x", "a b c", "b a"], ["d", "c"]]
    assert ours(hypotheses, references) == [
        theirs(h, r) for h, r in zip(hypotheses, references, strict=True)
    ]
    assert Ter().signature(references).startswith("nrefs:var|case:lc|tok:tercom|")
    assert Ter().counts([], []).shape == (0, 2)
    with pytest.raises(InputError, match="no reference"):
        Ter().counts(["a"], [[]])


def test_threads_share_nothing():
    random = Random(5)
    texts = [" ".join(random.choices("abcdefg", k=random.randrange(30))) for _ in range(400)]
    hypotheses, references = texts[:200], [[text] for text in texts[200:]]
    alone = Ter().counts(hypotheses, references)
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda _: Ter().counts(hypotheses, references), range(8)))
    assert all(np.array_equal(alone, each) for each in together)
    assert np.array_equal(alone, Ter().counts(hypotheses, references, jobs=3))
