"""Findings of the statistics in the languages of the pages."""

import re

import pytest

from jurat.i18n import catalogue, languages
from jurat.web.coordinator.findings import finding

OTHERS = ["es", "hi", "zh"]
FIELD = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("code", OTHERS)
def test_every_language_has_the_same_sentences_with_the_same_fields(code: str):
    words = catalogue("findings", code)
    assert words.keys() == catalogue("findings", "es").keys()
    for english, said in words.items():
        assert set(FIELD.findall(str(said))) == set(FIELD.findall(english)), english


def test_names_and_numbers_are_written_as_in_the_language():
    text = (
        "genre news: a, b and 2 more have the highest mean score, 6.30 [-1.5, 6.67]"
        " (n = 1,094; 5 systems)."
    )
    assert finding(text, languages()["es"]) == (
        "genre news: a, b y 2 más tienen la puntuación media más alta, 6,30 [-1,5; 6,67]"
        " (n = 1.094; 5 sistemas)."
    )


def test_a_finding_half_in_english_is_not_shown():
    known = "There is one system, and none to compare it with."
    assert finding(known, languages()["zh"])
    assert finding(f"{known} The moon is full.", languages()["zh"]) is None
    assert finding("", languages()["zh"]) is None
