"""Faults in the coordinator's language, where it has words for them."""

import re

import pytest

from jurat.campaigns.declared import CampaignPlan
from jurat.declarations import Declaration
from jurat.faults import Fault, FaultyInput
from jurat.web.coordinator.complaints import PREFIX, complaint
from jurat.web.languages import languages
from tests import ROOT
from tests.web.visiting import Visitor, words

SPANISH = languages()["es"]


def test_a_fault_with_a_name_is_told_in_the_language():
    fault = Fault(
        message="unknown protocol 'x'",
        code="unknown",
        value="x",
        allowed=("da", "mqm"),
        field="a.b",
    )
    assert complaint(fault, SPANISH) == (
        "a.b: «x» no se conoce aquí. Es posible: da, mqm.",
        "es",
    )
    assert complaint(fault, SPANISH, placed=False).words.startswith("«x»")


def test_a_place_is_told_in_the_language():
    fault = Fault(
        message="…", code="not-uploaded", file="set.jsonl", line=3, document="d1", segment="2"
    )
    told = complaint(fault, SPANISH).words
    assert told == "set.jsonl:3, Documento d1, Segmento 2: Este archivo aún no se ha subido."


def test_what_a_parser_says_stays_english():
    fault = Fault(message="a quote is not closed", file="set.csv", line=7)
    assert complaint(fault, SPANISH) == ("set.csv:7: a quote is not closed", "en")
    assert complaint(fault, SPANISH, placed=False).words == "a quote is not closed"


def test_every_word_for_a_fault_is_the_code_of_one():
    """And is found in the source: a code that nobody gives would never be said."""
    sources = (ROOT / "src" / "jurat").rglob("*.py")
    text = "\n".join(path.read_text("utf-8") for path in sources if "web" not in path.parts)
    given = set(re.findall(r'"([a-z-]+)"', text))
    codes = {key.removeprefix(PREFIX) for key in languages()["en"].keys if key.startswith(PREFIX)}
    assert codes
    assert codes <= given


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ("name: spring\ntest_set: a.jsonl\ntasks: []\n", "no-task"),
        ("name: spring\ntest_set: a.jsonl\n", "missing"),
        ("name: spring\ntest_set: a.jsonl\ntasks: []\nlease_minutes: soon\n", "whole-number"),
        ("name: spring\ntest_set: a.jsonl\ntasks: []\nlease_minutes: 0\n", "out-of-range"),
        ("name: 1st\ntest_set: a.jsonl\ntasks: []\n", "no-name"),
        ("name: spring\ntest_set: a.jsonl\ntasks: []\nregistration: often\n", "not-allowed"),
        ("name: spring\ntest_set: a.jsonl\ntasks: []\ncolour: red\n", "unknown"),
    ],
)
def test_faults_of_a_declaration_have_names(declared: str, code: str):
    with pytest.raises(FaultyInput) as caught:
        Declaration(declared.encode(), file="campaign.yaml").read(CampaignPlan)
    assert code in {fault.code for fault in caught.value.faults}


def test_a_page_says_it_so(ada: Visitor):
    spanish = {"Accept-Language": "es"}
    page = ada.client.get("/c/try/desk/results?k=many", headers=spanish)
    assert page.status_code == 422
    assert "Escriba un número en lugar de «many»." in words(page.text)
    assert '<li lang="es">' in page.text
