"""Findings of the statistics in the languages of the pages."""

import re

import pytest

from jurat.i18n import catalogue, languages
from jurat.report.result_texts import told
from jurat.stats.systems.system_inference import CONFOUNDED, CONFOUNDED_WHERE_SHARED
from jurat.web.coordinator.translated_findings import finding

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
        "genre news: a, b y 2 más tienen la puntuación media más alta, 6,30 [−1,5; 6,67]"
        " (n = 1.094; 5 sistemas)."
    )


@pytest.mark.parametrize("code", OTHERS)
def test_names_end_with_their_sentence(code: str):
    one = "adequacy: ash has the highest mean score, 78.08 (n = 12; 3 systems)."
    two = "errors: ash and elm have the highest mean score, 0.000 (n = 12; 3 systems)."
    both = f"{two} {one}"
    language = languages()[code]
    parts = [finding(one, language), finding(two, language)]
    assert None not in parts
    apart = f"{parts[1]} {parts[0]}".replace("。 ", "。")
    assert finding(both, language) == apart


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize(
    "text",
    [
        "adequacy and errors order 3 systems with ρ = 0.500 [-1.0, 1.0].",
        "The most frequent answer is 0 (errors): 90.9 % [25.8, 99.7] of 11 answers.",
        "It cannot be told: no two judges judged the same item.",
        "adequacy: ash scores 1.92 above elm (n = 7).",
        "ash and elm have the highest mean score, 80 (n = 8, 4; 3 systems).",
        "Systems' scores of all judges and without those that a rule names correlate by at least"
        " 0.981 (difference from others, adequacy).",
    ],
)
def test_small_campaigns_are_told_in_every_language(code: str, text: str):
    assert finding(text, languages()[code])


def test_shares_have_their_sign_as_in_the_language():
    text = "Two judgments of the same item (adequacy) are equal in 41 % of 120 pairs."
    assert (
        finding(text, languages()["zh"]) == "同一条目的两个判断（adequacy）在 120 对中有 41% 相同。"
    )


def test_a_finding_half_in_english_is_not_shown():
    known = "There is one system, and none to compare it with."
    assert finding(known, languages()["zh"])
    assert finding(f"{known} The moon is full.", languages()["zh"]) is None
    assert finding("", languages()["zh"]) is None


def test_each_phrase_of_a_list_is_translated_or_none():
    text = "Agreement beyond chance: a 0.188 [0.1, 0.2], slight (Landis & Koch), 160 items; b 1.5."
    assert finding(text, languages()["es"]) is None
    known = text.replace("b 1.5.", "b 0.5 [0.4, 0.6], 84 items.")
    assert finding(known, languages()["es"]) == (
        "Acuerdo más allá del azar: a 0,188 [0,1; 0,2], leve (Landis y Koch), 160 elementos;"
        " b 0,5 [0,4; 0,6], 84 elementos."
    )


@pytest.mark.parametrize(
    ("headline", "said"),
    [
        (
            "score: alder has rank 1 [1, 2] (n = 2; 2 systems).",
            "score: alder has rank 1 [1, 2] (2 systems).",
        ),
        (
            "No judge stands out beyond chance (smallest adjusted p = 1.000, 1 judges; 2 documents"
            " a judge say little about others).",
            "No judge stands out beyond chance (smallest adjusted p = 1.000; judges tested: 1; 2"
            " documents per judge are too few to generalize from).",
        ),
        (
            "No judge stands out beyond chance (smallest adjusted p = 0.071, 4 judges).",
            "No judge stands out beyond chance (smallest adjusted p = 0.071; judges tested: 4).",
        ),
        (
            "Of 3 judges 1 by its rule alone, which may be chance.",
            "1 of 3 judges is beyond the usual limits; that is not tested and may be chance.",
        ),
        (
            "errors: no group of systems is reliably better than the rest: all 2 form one cluster.",
            "errors: no group of systems is reliably better than the rest: both form one cluster.",
        ),
        (
            "No pair of systems can be tested: 3 documents cannot speak for others.",
            "No pair of systems can be tested: 3 documents are too few to generalize from.",
        ),
        (
            "adequacy: no pair of systems can be tested: 3 sentences cannot speak for others.",
            "adequacy: no pair of systems can be tested: 3 sentences are too few to generalize"
            " from.",
        ),
        (
            "8 decisions prefer one of two systems; preference-wins tells which.",
            "8 decisions prefer one of two systems.",
        ),
        (
            "Of 3 judges 0 by its rule alone, which may be chance.",
            "Nobody is beyond the usual limits; that is not tested.",
        ),
    ],
)
def test_a_page_says_it_in_its_own_words_in_every_language(headline: str, said: str):
    assert told(headline) == said
    for code in OTHERS:
        translated = finding(said, languages()[code])
        assert translated is not None
        assert "documents" not in translated


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("names", ["", "for ash and elm, "])
@pytest.mark.parametrize(
    "reason", [CONFOUNDED, CONFOUNDED_WHERE_SHARED, "3 documents cannot speak for others"]
)
def test_why_no_pair_is_tested_is_told_in_every_language(code: str, names: str, reason: str):
    text = told(f"score: no pair of systems can be tested: {names}{reason}.")
    translated = finding(text, languages()[code])
    assert translated is not None
    assert bool(names) == ("ash" in translated)
    assert " and " not in translated


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("reach", ["", " [4.1, 4.9]"])
@pytest.mark.parametrize("left", ["", "; 1.2 % took longer and are left out (4.6 s with them)"])
def test_times_are_told_in_every_language(code: str, reach: str, left: str):
    within = f"of 9 made within 120 s{left}"
    text = f"A decision takes 4.5 s on average{reach}, {within}; the median is 4 s."
    assert finding(told(text), languages()[code])
