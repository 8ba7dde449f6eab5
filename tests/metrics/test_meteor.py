"""METEOR beside the original program, and by what must hold of it."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.metrics import meteor_languages
from jurat.metrics.meteor import Meteor
from jurat.metrics.meteor_languages import LANGUAGES, normalise
from jurat.model import File
from tests.conftest import require
from tests.machine import java
from tests.metrics import meteor_jar
from tests.metrics.corpora import Corpus, corpus, made, pairs

PLAIN = Meteor(language="other", tokenize="none", lowercase=False)
words = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)


@pytest.mark.parametrize(
    ("language", "hypothesis", "reference", "score"),
    [
        ("en", "the cat sat on the mat", "the cat is on the mat", 0.4170567296323968),
        ("en", "on the mat sat the cat", "the cat sat on the mat", 0.4776696620223255),
        ("en", "The cats were sitting on mats.", "A cat sits on a mat.", 0.24877608152854996),
        ("en", "The cat, the dog and the cat", "The dog, the cat and the dog", 0.40559069565455985),
        ("en", "U.S.-based firms don't pay 1,000 dollars.",
         "US based firms do not pay 1,000 dollars ...", 0.3455700419625743),
        ("en", "nothing in common", "completely different words", 0.0),
        ("en", "same words same order", "same words same order", 1.0),
        ("en", "", "a reference", 0.0),
        ("en", "a hypothesis", "", 0.0),
        ("en", "", "", 0.0),
        ("de", "Die Häuser der Stadt waren alt", "Das Haus in der alten Stadt",
         0.26999999999999996),
        ("de", "Er kaufte ein Haus, ein Auto und ein Boot.",
         "Ein Boot, ein Haus und ein Auto kaufte er.", 0.6),
        ("other", "a b c a b", "b a b c a", 0.805919443916559),
    ],
)  # fmt: skip
def test_printed_by_the_original(
    language: str, hypothesis: str, reference: str, score: float
) -> None:
    """With `-p` and `-w` as of the language but delta 0.5, where function words are like others."""
    metric = Meteor(language=language, delta=0.5)
    assert metric.sentence(hypothesis, [reference]) == pytest.approx(score, abs=1e-15)


def part(whole: Corpus, size: int) -> Corpus:
    return Corpus(whole.hypotheses[:size], whole.references[:size])


@pytest.fixture(scope="module")
def german(shared: Path) -> Corpus:
    return part(corpus(shared, "wmt23 NLLB"), 300)


@pytest.fixture(scope="module")
def english(shared: Path) -> Corpus:
    return corpus(shared, "two references")


@pytest.fixture(scope="module")
def hindi(shared: Path) -> Corpus:
    return part(corpus(shared, "wmt14 sys1"), 400)


@pytest.fixture
def abbreviations(monkeypatch: pytest.MonkeyPatch) -> None:
    """The original's abbreviations in place of Jurat's."""
    require(java.find)
    monkeypatch.setattr(meteor_languages, "abbreviations", meteor_jar.abbreviations)


def vocabulary(whole: Corpus, language: str) -> list[str]:
    texts = [*whole.hypotheses, *(text for texts in whole.references for text in texts)]
    cut = normalise(texts, language)
    return sorted({word for text in cut for word in text})


def compare(metric: Meteor, whole: Corpus, folder: Path, *options: str | Path) -> None:
    """Every segment's score and the score of the whole are those that the original prints."""
    counts = metric.counts(*whole)
    theirs = meteor_jar.score(*whole, *options, folder=folder)
    np.testing.assert_allclose(
        metric.score(counts, single=True), theirs.segments, rtol=0, atol=1e-12
    )
    assert metric.score(counts.sum(axis=0)) == pytest.approx(theirs.corpus, abs=1e-12)


def listed(metric: Meteor, folder: Path) -> tuple[str | Path, ...]:
    """The options by which the original has the same function words.

    It has lists for other languages, but takes the English one unless it is given another.
    """
    assert metric.function_words is not None
    file = folder / "words.txt"
    file.write_text("\n".join(metric.function_words), "utf-8")
    return ("-s", file)


@pytest.mark.usefixtures("abbreviations")
@pytest.mark.parametrize(("language", "fixture"), [("de", "german"), ("en", "english")])
def test_every_segment_beside_the_original(
    language: str, fixture: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """With its stems as well: Snowball's have changed since, in three German words of a hundred."""
    whole: Corpus = request.getfixturevalue(fixture)
    metric = Meteor(
        language=language,
        function_words=meteor_jar.function_words(language),
        stems=meteor_jar.stems(language, vocabulary(whole, language)),
    )
    options = ("-l", language, "-norm", "-m", "exact stem", *listed(metric, tmp_path))
    compare(metric, whole, tmp_path, *options)


@pytest.mark.usefixtures("abbreviations")
def test_with_the_stems_of_today_beside_the_original(hindi: Corpus, tmp_path: Path) -> None:
    metric = Meteor(function_words=meteor_jar.function_words("en"))
    compare(metric, hindi, tmp_path, "-l", "en", "-norm", "-m", "exact stem")


@pytest.mark.usefixtures("abbreviations")
def test_a_language_without_stemmer_beside_the_original(german: Corpus, tmp_path: Path) -> None:
    metric = Meteor(language="cs", function_words=meteor_jar.function_words("cs"))
    options = ("-l", "cz", "-norm", "-m", "exact", *listed(metric, tmp_path))
    compare(metric, part(german, 100), tmp_path, *options)


def test_texts_that_are_tokenized_beside_the_original(hindi: Corpus, tmp_path: Path) -> None:
    require(java.find)
    metric = Meteor(language="other", tokenize="none", lowercase=True)
    compare(metric, hindi, tmp_path, "-l", "other", "-lower")


@pytest.mark.usefixtures("abbreviations")
def test_synonyms_beside_the_original(english: Corpus, tmp_path: Path) -> None:
    some = part(english, 200)
    known = vocabulary(some, "en")
    lines = meteor_jar.part("synonym/english.synsets").split("\n")
    net = dict(zip(lines[::2], lines[1::2], strict=False))
    sets = {word: tuple(net[word].split()) for word in known if word in net}
    assert len(sets) > 1000
    # That every word is said to be its own base keeps the original from looking for another.
    for name, rows in (
        ("synsets", [(word, " ".join(ids)) for word, ids in sets.items()]),
        ("exceptions", [(word, word) for word in known]),
        ("relations", []),
    ):
        text = "".join(f"{a}\n{b}\n" for a, b in rows)
        (tmp_path / f"english.{name}").write_text(text, "utf-8")
    metric = Meteor(
        function_words=meteor_jar.function_words("en"),
        stems=meteor_jar.stems("en", known),
        synonyms=sets,
    )
    without = Meteor(function_words=metric.function_words, stems=metric.stems)
    assert (without.counts(*some) != metric.counts(*some)).any(axis=1).mean() > 0.2
    modules = ("-m", "exact stem synonym", "-d", tmp_path)
    compare(metric, some, tmp_path, "-l", "en", "-norm", *modules)


def test_synonyms_count_less_than_the_same_word() -> None:
    sets = {"big": ("7",), "large": ("7", "8"), "great": ("8",)}
    metric = Meteor(synonyms=sets)
    same, synonym, neither = (
        metric.sentence(f"a {word} house", ["a large house"]) for word in ("large", "big", "small")
    )
    assert same == 1
    assert same > synonym > neither
    assert metric.sentence("a great house", ["a big house"]) == neither


@settings(deadline=None)
@given(st.sampled_from(sorted(LANGUAGES)), words.filter(str.strip))
def test_a_text_matches_itself(language: str, text: str) -> None:
    assert Meteor(language=language).sentence(text, [text]) == pytest.approx(1, abs=1e-12)


@settings(deadline=None)
@given(words, st.lists(words, min_size=1, max_size=3))
def test_the_best_reference_counts(hypothesis: str, references: list[str]) -> None:
    alone = [PLAIN.sentence(hypothesis, [text]) for text in references]
    assert PLAIN.sentence(hypothesis, references) == max(alone)
    assert 0 <= max(alone) <= 1


@settings(deadline=None)
@given(words, words)
def test_with_full_weight_on_either_side_it_is_the_share_that_matches(one: str, two: str) -> None:
    """Without a penalty, of recall or of precision; matched are words as far as both have them."""
    first, second = one.split(), two.split()
    shared = sum(min(first.count(word), second.count(word)) for word in set(first))
    for alpha, side in ((1.0, second), (0.0, first)):
        metric = Meteor(language="other", tokenize="none", alpha=alpha, gamma=0)
        expected = shared / len(side) if shared else 0
        assert metric.sentence(one, [two]) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(["en", "fr", "de", "other"]), pairs)
def test_strange_texts_alone_and_together(language: str, rows: list[tuple[str, list[str]]]) -> None:
    metric = Meteor(language=language)
    together = metric.counts(*made(rows), jobs=2)
    alone = [metric.counts([text], [references])[0] for text, references in rows]
    assert together.tolist() == [row.tolist() for row in alone]
    assert not np.isnan(metric.score(together)).any()


def test_threads_do_not_disturb_each_other() -> None:
    metric = Meteor(language="de")
    hypotheses = [f"die Häuser der Stadt {n} waren alt" for n in range(300)]
    references = [["Das Haus in der alten Stadt", f"{n % 7} alte Städte"] for n in range(300)]
    expected = metric.counts(hypotheses, references)
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda _: metric.counts(hypotheses, references, jobs=2), range(8))
    assert all((counts == expected).all() for counts in found)


def test_what_is_prepared_serves_several_systems() -> None:
    metric = Meteor()
    references = [["the cat sat"], ["on mats"]]
    prepared = metric.prepare(references)
    for hypotheses in (["a cat sits", "on the mat"], ["the cat sat", "cats"], ["", ""]):
        tallied = metric.segment_counts(hypotheses, prepared)
        assert (tallied == metric.counts(hypotheses, references)).all()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"language": "xx"}, "language: unknown language 'xx'"),
        ({"tokenize": "13b"}, "tokenize: unknown tokenizer '13b'"),
        ({"language": "it", "tokenize": "meteor"}, "tokenize: unknown tokenizer 'meteor'"),
        ({"alpha": 1.5}, "alpha: alpha is a number from 0 to 1"),
        ({"beta": float("inf")}, "beta: beta is a number from 0 on"),
        ({"gamma": -1.0}, "gamma: gamma is a number from 0 to 1"),
        ({"delta": float("nan")}, "delta: delta is a number from 0 to 1"),
        ({"language": "it", "delta": 0.7}, "delta: give function words for 'it'"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Meteor(**options)  # type: ignore[arg-type]


def test_readers_make_what_the_options_take() -> None:
    files: dict[str, Sequence[bytes]] = {
        "function_words": [b"the a"],
        "stems": [b"cats\tcat"],
        "synonyms": [b"cat 1\nkitten 1"],
    }
    read = {name: Meteor.readers[name](File(name, *data)) for name, data in files.items()}
    assert Meteor(**read).sentence("the kitten", ["a cat"]) > 0
    assert Meteor.readers.keys() <= set(Meteor.__struct_fields__)


def test_the_signature() -> None:
    assert (
        Meteor(language="other")
        .signature([["a"]])
        .startswith(
            "nrefs:1|case:lc|tok:words|lang:other|alpha:0.75|beta:1.4|gamma:0.7|delta:0.5"
            "|func:no|stem:no|syn:no|version:jurat:"
        )
    )
    assert "|func:jurat|stem:snowball-" in Meteor(language="de").signature([["a"]])
    one, two = (
        Meteor(synonyms={"a": (name,)}).signature([["a"]]).split("|syn:")[1] for name in "12"
    )
    assert one != two
