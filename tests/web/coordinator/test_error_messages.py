"""Faults in the coordinator's language, where it has words for them."""

import ast
import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from jurat.campaigns.config import CampaignPlan
from jurat.errors import InputError, Problem
from jurat.i18n import languages
from jurat.kits.audit_findings import SEVERITIES, CodedMessage, Finding, error, warning
from jurat.web.error_messages import (
    FINDING_PREFIX,
    PROBLEM_PREFIX,
    finding_message,
    problem_message,
)
from jurat.yamlfile import Declaration
from tests import ROOT
from tests.web.website import Visitor, words

SPANISH = languages()["es"]
AUDITING = ("audit",)
"""The modules that say what an audit found."""


def test_a_fault_with_a_name_is_told_in_the_language():
    fault = Problem(
        message="unknown protocol 'x'",
        code="unknown",
        value="x",
        allowed=("da", "mqm"),
        field="a.b",
    )
    assert problem_message(fault, SPANISH) == (
        "a.b: Desconocido: «x». Valores permitidos: da, mqm.",
        "es",
    )
    assert problem_message(fault, SPANISH, placed=False).words.startswith("Desconocido: «x»")


def test_a_place_is_told_in_the_language():
    fault = Problem(
        message="…", code="not-uploaded", file="set.jsonl", line=3, document="d1", segment="2"
    )
    told = problem_message(fault, SPANISH).words
    assert told == "set.jsonl:3, Documento d1, Segmento 2: Este archivo aún no se ha subido."


def test_what_a_parser_says_stays_english():
    fault = Problem(message="a quote is not closed", file="set.csv", line=7)
    assert problem_message(fault, SPANISH) == ("set.csv:7: a quote is not closed", "en")
    assert problem_message(fault, SPANISH, placed=False).words == "a quote is not closed"


def test_every_word_for_a_fault_is_the_code_of_one():
    """And is found in the source: a code that nobody gives would never be said."""
    given = set[str]()
    for path in (ROOT / "src" / "jurat").rglob("*.py"):
        # pages name codes of others, too
        said = r'code="([a-z-]+)"' if "web" in path.parts else r'"([a-z-]+)"'
        given |= set(re.findall(said, path.read_text("utf-8")))
    codes = {
        key.removeprefix(PROBLEM_PREFIX)
        for key in languages()["en"].keys
        if key.startswith(PROBLEM_PREFIX)
    }
    assert codes
    assert codes <= given


def test_what_an_audit_finds_is_told_in_the_language():
    found = warning("…", "uneven", most="cedar", many=1200, least="birch", few=3)
    told = finding_message(replace(found, task="rating"), SPANISH)
    assert told == (
        "Advertencia: rating: «cedar» se muestra 1.200 veces, «birch» solo 3.",
        "es",
    )


def test_an_audit_s_sentences_follow_each_other():
    kits: dict[str, str | float] = {"kits": "1–8", "count": 3, "able": 2, "group": ""}
    said = (
        CodedMessage("unfinished", {}),
        CodedMessage("too-few", kits),
        CodedMessage("have", {"count": 1, "wanted": 1}),
    )
    told = finding_message(Finding(severity="error", message="…", said=said), languages()["en"])
    assert told.words == (
        "Problem: The campaign cannot be completed yet. Too few judges for these kits: 1–8."
        " Different judges needed: 3; available: 2. At least one judge is needed."
    )


def test_a_fault_that_an_audit_quotes_stays_english():
    assert finding_message(error("unknown policy 'x'"), SPANISH) == (
        "error: unknown policy 'x'",
        "en",
    )


def test_every_sentence_of_an_audit_has_words_for_what_it_tells():
    said = dict(sentences())
    words = languages()["en"]
    assert len(said) > 10
    for code, values in said.items():
        assert f"{FINDING_PREFIX}{code}" in words.keys
        words.say(f"{FINDING_PREFIX}{code}", **dict.fromkeys(values, 2))
    text = "".join(source(name) for name in AUDITING)
    given = {*re.findall(r'"([a-z]+(?:-[a-z]+)*)"', text), *SEVERITIES}
    codes = {
        key.removeprefix(FINDING_PREFIX) for key in words.keys if key.startswith(FINDING_PREFIX)
    }
    assert codes <= given, "words that nobody says"


def sentences() -> Iterator[tuple[str, list[str]]]:
    """The codes that are given with a finding, each with the names of its values."""
    calls = (n for name in AUDITING for n in ast.walk(ast.parse(source(name))))
    for call in calls:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and len(call.args) == 2:
            code = call.args[1]
            if call.func.id in SEVERITIES and isinstance(code, ast.Constant):
                yield str(code.value), [str(one.arg) for one in call.keywords]


def source(name: str) -> str:
    return (ROOT / "src" / "jurat" / "kits" / f"{name}.py").read_text("utf-8")


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
    with pytest.raises(InputError) as caught:
        Declaration(declared.encode(), file="campaign.yaml").read(CampaignPlan)
    assert code in {fault.code for fault in caught.value.problems}


def test_a_page_says_it_so(ada: Visitor):
    spanish = {"Accept-Language": "es"}
    page = ada.client.get("/c/try/desk/results?k=many", headers=spanish)
    assert page.status_code == 422
    assert "Escriba un número en lugar de «many»." in words(page.text)
    assert '<li lang="es">' in page.text
