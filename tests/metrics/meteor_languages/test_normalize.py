"""Meteor's tokenizer, by examples and beside the original."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.metrics import meteor_languages
from jurat.metrics.meteor_languages import NORMALISED, normalise
from tests.conftest import require
from tests.machine import java
from tests.metrics import meteor_jar
from tests.metrics.corpora import texts

SIGNS = "aAbB''  ..,,--–``‘’“”\"1 23 sU.S.éß\u00a0\u2003ж\t()%…\U0001f600"


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("The U.S.-based firm paid 1,000 dollars, didn't it?", "en",
         "the us based firm paid 1,000 dollars , didn 't it ?"),
        ("L'homme qu'il a vu.", "fr", "l' homme qu' il a vu ."),
        ("Er sagt: „Das geht’s!“ z.B. so.", "de", 'er sagt : „ das geht \' s ! " zb so .'),
        ("Dr. Who ... etc. and so on", "en", "dr. who ... etc. and so on"),
        ("No. 5 is alive. No. Never.", "en", "no. 5 is alive . no . never ."),
        ("", "en", ""),
        (" \n ", "de", ""),
    ],
)  # fmt: skip
def test_examples(text: str, language: str, words: str) -> None:
    assert normalise([text, "x"], language) == [words.split(), ["x"]]


def test_case_stays_if_asked() -> None:
    assert normalise(["Dr. No"], "en", lowercase=False) == [["Dr.", "No"]]


@settings(deadline=None)
@given(st.lists(texts), st.sampled_from(NORMALISED))
def test_texts_do_not_disturb_each_other(several: list[str], language: str) -> None:
    assert normalise(several, language) == [normalise([text], language)[0] for text in several]


@pytest.mark.parametrize("language", ["en", "fr", "de"])  # others have the rules of German
def test_beside_the_original(language: str, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require(java.find)
    theirs = meteor_jar.abbreviations(language)
    monkeypatch.setattr(meteor_languages, "abbreviations", lambda _: theirs)
    chance = random.Random(7)
    made = ["".join(chance.choices(SIGNS, k=chance.randrange(30))) for _ in range(2000)]
    real = (shared / "wmt23_metrics_ende/texts_en-de.tsv").read_text("utf-8").split("\n")
    lines = [*made, *real[:100]]
    found = normalise(lines, language, lowercase=False)
    assert found == meteor_jar.normalised(language, lines)
