"""Protocols in other languages: nothing missing, nothing left over, judged exactly alike."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise, product
from random import Random

import msgspec
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from jurat import protocols
from jurat.errors import InputError
from jurat.i18n import catalogue_files
from jurat.model import Item
from jurat.protocols import Protocol
from jurat.protocols.localization import (
    EARLIER_VERSIONS,
    ProtocolCatalog,
    QuestionWords,
    in_language,
    languages,
    read,
    read_reasons,
    translated_question,
)
from jurat.protocols.questions import Question, Row
from tests.protocols.items import KINDS, item

FOLDER = files("jurat").joinpath("locales")
CODES = [code for code in languages() if code != "en"]
ALL = [protocols.load(name) for name in protocols.names()]
CASES = list(product(CODES, ALL))
EVERY = pytest.mark.parametrize(
    ("code", "protocol"), CASES, ids=[f"{code}-{protocol.name}" for code, protocol in CASES]
)
IN_EACH = pytest.mark.parametrize("code", CODES)

Place = tuple[str, ...]


def words(protocol: Protocol) -> dict[Place, str]:
    """Every text that a judge reads, by its place in a language's file; examples stay English."""
    found: dict[Place, str] = {
        ("title",): protocol.title,
        ("guidelines",): protocol.guidelines.strip(),
    }
    for question in protocol.questions.values():
        for place, text in question_words(question):
            found["questions", question.id, *place] = text
    return {place: text for place, text in found.items() if text}


def question_words(question: Question) -> Iterator[tuple[Place, str]]:
    asked = {"": question.ask} if isinstance(question.ask, str) else question.ask
    for beside, text in asked.items():
        yield ("ask", *filter(None, [beside])), text
    yield ("hint",), question.hint
    for value, label, meaning in question.legend():
        yield ("labels", str(value)), label
        yield ("meanings", str(value)), meaning
    for n, confirm in enumerate(question.confirm, 1):
        yield ("confirm", str(n)), confirm.ask


def flat(value: object) -> dict[Place, str]:
    """The texts of a file, by their places."""
    if isinstance(value, str):
        return {(): value}
    assert isinstance(value, dict)
    return {(key, *rest): t for key, part in value.items() for rest, t in flat(part).items()}


@cache
def language(code: str) -> ProtocolCatalog:
    file = FOLDER.joinpath(code, "protocols.yaml")
    return read(file.read_bytes(), file=f"{code}.yaml")


def in_file(code: str, protocol: Protocol) -> dict[Place, str]:
    texts = msgspec.to_builtins(language(code).protocols[protocol.name])
    given = {place: text for place, text in flat(texts).items() if place[-1] != "hint" or text}
    return given | {("guidelines",): given["guidelines",].strip()}


def texts(code: str) -> Iterator[tuple[str, str]]:
    """Every English text with its translation."""
    for protocol in ALL:
        shown = words(in_language(protocol, code))
        yield from ((text, shown[place]) for place, text in words(protocol).items())


def screen(protocol: Protocol) -> Item:
    count = {"one": 1, "two": 2, "all": 4}[protocol.systems]
    return item(*[f"The man {n} did not come twice." for n in range(count)])


# What there is


def test_the_languages() -> None:
    assert languages() == {"en": "English", "es": "español", "hi": "हिन्दी", "zh": "中文"}
    languages().clear()
    assert languages(), "what a caller does to his copy stays his affair"


@EVERY
def test_nothing_is_missing_or_left_over(code: str, protocol: Protocol) -> None:
    given = in_file(code, protocol)
    assert given.keys() == words(protocol).keys()
    assert all(text == text.strip() and text for text in given.values())


@EVERY
def test_the_words_on_the_screen_are_those_of_the_file(code: str, protocol: Protocol) -> None:
    assert words(in_language(protocol, code)) == in_file(code, protocol)


@IN_EACH
def test_a_file_offers_no_protocol_that_is_not_shipped(code: str) -> None:
    assert sorted(language(code).protocols) == list(protocols.names())


# Judged alike


WORDS = ("title", "guidelines", "ask", "hint", "label", "meaning", "because")


def bare(value: object) -> object:
    """All of a protocol but its words."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if k not in WORDS}
        return {k: list(v) if k == "labels" else bare(v) for k, v in kept.items()}
    return [bare(part) for part in value] if isinstance(value, list | tuple) else value


@EVERY
def test_only_words_differ(code: str, protocol: Protocol) -> None:
    shown = in_language(protocol, code)
    assert bare(msgspec.to_builtins(shown)) == bare(msgspec.to_builtins(protocol))
    assert list(shown.questions) == list(protocol.questions)
    for name, question in protocol.questions.items():
        assert type(shown.questions[name]) is type(question)


def nameless(rows: Iterator[Row]) -> list[tuple[str, dict[str, object]]]:
    return [(row.table, {k: v for k, v in row.values.items() if k != "label"}) for row in rows]


@EVERY
def test_answers_are_checked_scored_and_placed_alike(code: str, protocol: Protocol) -> None:
    shown, about = in_language(protocol, code), screen(protocol)
    for seed in range(12):
        qualities = [Random(seed + n).random() for n in range(len(about.translations))]
        answers = protocol.simulate(about, qualities, Random(seed))
        assert shown.simulate(about, qualities, Random(seed)) == answers
        kept = protocol.check(answers, about)
        assert shown.check(answers, about) == kept
        assert nameless(shown.rows(kept, about)) == nameless(protocol.rows(kept, about))
        assert shown.score_of(kept, about) == protocol.score_of(kept, about)
        assert shown.place_of(kept) == protocol.place_of(kept)


@EVERY
def test_wrong_answers_are_refused_alike(code: str, protocol: Protocol) -> None:
    about = screen(protocol)
    for wrong in ({}, {name: ["?"] for name in protocol.questions}, {"nothing": 1}):
        with pytest.raises(InputError) as ours:
            in_language(protocol, code).check(wrong, about)
        with pytest.raises(InputError) as original:
            protocol.check(wrong, about)
        assert ours.value.problems == original.value.problems


@EVERY
def test_the_protocol_itself_stays_as_it_was(code: str, protocol: Protocol) -> None:
    before = words(protocol)
    assert in_language(protocol, code) != protocol
    assert words(protocol) == before
    assert protocols.load(protocol.name) == protocol


@pytest.mark.parametrize("question", KINDS.values(), ids=KINDS)
def test_every_kind_of_question_can_be_reworded(question: Question) -> None:
    legend = [(str(value), label, meaning) for value, label, meaning in question.legend()]
    new = QuestionWords(
        ask="Was?",
        hint="So.",
        labels={value: f"L {value}" for value, label, _ in legend if label},
        meanings={value: f"M {value}" for value, _, meaning in legend if meaning},
    )
    shown = translated_question(question, new)
    assert (shown.ask, shown.hint) == ("Was?", "So.")
    assert [(str(value), label, meaning) for value, label, meaning in shown.legend()] == [
        (value, label and f"L {value}", meaning and f"M {value}")
        for value, label, meaning in legend
    ]


@pytest.mark.parametrize("question", KINDS.values(), ids=KINDS)
def test_what_has_no_words_stays_in_english(question: Question) -> None:
    assert translated_question(question, QuestionWords(ask="")) == question


@EVERY
def test_every_example_says_why_in_the_language(code: str, protocol: Protocol) -> None:
    """Words in quotation marks are those of the example, in whatever language it is."""
    translated = in_language(protocol, code).questions
    for name, question in protocol.questions.items():
        assert len(translated[name].examples) == len(question.examples)
        for before, after in zip(question.examples, translated[name].examples, strict=True):
            assert replace(after, because=before.because) == before
            own = re.sub(r"«[^»]*»|“[^”]*”|¿[^?]+\?", "", after.because)
            assert after.because.strip() == after.because != before.because
            assert not ENGLISH.search(own), own
            assert not re.search(STRANGE[code], own), own
            letters = {unicodedata.name(c) for c in own if c.isalpha()}
            assert any(letter.startswith(SCRIPTS[code]) for letter in letters), own


# Which protocols


def test_english_and_unknown_languages_change_nothing() -> None:
    for protocol, code in product(ALL, ("en", "xx", "", "ES", "es.yaml", "../es")):
        assert in_language(protocol, code) is protocol


@IN_EACH
def test_a_protocol_that_was_kept_with_a_campaign_is_known_again(code: str) -> None:
    for protocol in ALL:
        kept = protocols.read(protocols.dump(protocol).encode(), file="kept.yaml")
        assert in_language(kept, code) == in_language(protocol, code)


CHANGES: dict[str, object] = {
    "title": "My adequacy",
    "guidelines": "Judge the sound only.",
    "final": False,
    "order": (),
}


@IN_EACH
@pytest.mark.parametrize("field", CHANGES)
def test_a_protocol_that_only_shares_its_name_keeps_its_words(code: str, field: str) -> None:
    other = replace(protocols.load("tapet-adequacy"), **{field: CHANGES[field]})
    assert in_language(other, code) is other


@IN_EACH
def test_so_does_one_of_your_own(code: str) -> None:
    mine = replace(protocols.load("tapet-adequacy"), name="mine")
    assert in_language(mine, code) is mine


def test_a_translated_protocol_is_none_of_the_shipped() -> None:
    spanish = in_language(protocols.load("da"), "es")
    assert in_language(spanish, "zh") is spanish


# The languages themselves

NAMES = {"ALPAC", "HEval", "Jurat", "LDC", "TC", "STAR"}
SCRIPTS = {"es": "LATIN", "hi": "DEVANAGARI", "zh": "CJK UNIFIED IDEOGRAPH"}
ENGLISH = re.compile(
    r"(?i)\b(the|of|is|are|and|or|to|it|its|that|this|what|which|who|how|much|more|most|you|your|not|"
    r"nothing|all|with|for|from|by|be|was|were|have|does|mark|meaning|source|translation|"
    r"reference|system|right|wrong|words?|reader|missing)\b"
)
ALIKE = {"es": {"No", "Ideal", "Neutral"}}
"""QuestionWords that are the same in English."""


def test_there_is_a_script_for_every_language() -> None:
    assert sorted(SCRIPTS) == sorted(CODES)


@IN_EACH
def test_every_text_is_in_the_script_of_the_language(code: str) -> None:
    for english, text in texts(code):
        letters = re.sub("|".join(NAMES), "", text)
        named = {unicodedata.name(c) for c in letters if c.isalpha()}
        assert named, english
        assert not {name for name in named if not name.startswith(SCRIPTS[code])}, text


@IN_EACH
def test_no_english_is_left(code: str) -> None:
    for english, text in texts(code):
        assert text != english or text in ALIKE.get(code, ()), text
        assert not ENGLISH.search(text), text


@IN_EACH
def test_numbers_and_names_are_those_of_the_english_text(code: str) -> None:
    for english, text in texts(code):
        assert re.findall(r"−?\d+", text) == re.findall(r"−?\d+", english), text
        assert {n for n in NAMES if n in text} == {n for n in NAMES if n in english}, text


@IN_EACH
def test_a_question_stays_a_question(code: str) -> None:
    for english, text in texts(code):
        assert len(re.findall(r"[?？]", text)) == english.count("?"), text


@IN_EACH
def test_labels_are_the_same_wherever_they_are_the_same_in_english(code: str) -> None:
    found: dict[tuple[type, str], set[str]] = defaultdict(set)
    for protocol in ALL:
        for name, question in in_language(protocol, code).questions.items():
            for (_, english, _), (_, label, _) in zip(
                protocol.questions[name].legend(), question.legend(), strict=True
            ):
                found[type(question), english].add(label)
    assert not {english: labels for english, labels in found.items() if len(labels) > 1}


@IN_EACH
def test_the_choices_of_a_question_can_be_told_apart(code: str) -> None:
    for protocol in ALL:
        for question in in_language(protocol, code).questions.values():
            labels = [label for _, label, _ in question.legend() if label]
            assert len(set(labels)) == len(labels), (protocol.name, labels)


@IN_EACH
def test_characters_are_composed(code: str) -> None:
    assert not [text for _, text in texts(code) if not unicodedata.is_normalized("NFC", text)]


# Guidelines


def page(markdown: str) -> list[Token]:
    return MarkdownIt("commonmark", {"html": False}).parse(markdown)


def inline(markdown: str) -> Iterator[Token]:
    return (part for token in page(markdown) for part in token.children or ())


def emphasised(markdown: str) -> set[str]:
    """What stands between stars."""
    tokens = [*inline(markdown)]
    marks = ("em_open", "strong_open")
    return {b.content for a, b in pairwise(tokens) if a.type in marks and b.type == "text"}


@EVERY
def test_guidelines_are_built_like_the_english_ones(code: str, protocol: Protocol) -> None:
    told = in_language(protocol, code).guidelines
    assert [(t.type, t.tag) for t in page(told)] == [
        (t.type, t.tag) for t in page(protocol.guidelines)
    ]
    assert "*" not in "".join(part.content for part in inline(told)), "a star that marks nothing"


@EVERY
def test_guidelines_and_questions_call_an_answer_by_the_same_name(
    code: str, protocol: Protocol
) -> None:
    """Where the English guidelines name an answer, the others name it as it stands on the page."""
    shown = in_language(protocol, code)
    named, theirs = emphasised(protocol.guidelines), emphasised(shown.guidelines)
    for question in protocol.questions.values():
        labels = zip(question.legend(), shown.questions[question.id].legend(), strict=True)
        for (_, english, _), (_, label, _) in labels:
            assert english not in named or label in theirs, label


def test_a_line_of_chinese_is_not_broken() -> None:
    """A line's end is a blank on the page, and there are none between these signs."""
    for protocol in ALL:
        breaks = [t for t in inline(in_language(protocol, "zh").guidelines) if "break" in t.type]
        assert not breaks, protocol.name


STRANGE = {
    "es": r"\?|\busted\b|\btú\b|[\"“”]",
    "hi": r"[.](?!\d)|[\"]|[\u0915-\u0917]\u093c",
    "zh": r"[,;:?!\"]|\.(?!\d)|你",
}
"""Punctuation and forms of address that are not those of the language or of its file."""


@IN_EACH
def test_punctuation_and_address(code: str) -> None:
    whole = re.compile(r"¿[^?]+\?")
    left = (whole.sub("", text) for _, text in texts(code))
    assert not [text for text in left if re.search(STRANGE[code], text)]


def test_chinese_is_simplified() -> None:
    for _, text in texts("zh"):
        han = "".join(c for c in text if unicodedata.name(c, "").startswith("CJK UNIFIED"))
        assert han.encode("gb2312"), "which has no traditional characters"


# Faults

GERMAN = """\
language: de
name: Deutsch
protocols:
  da:
    title: Direkte Bewertung
    questions:
      adequacy:
        ask: {source: Stimmt es?, reference: Stimmt es so?}
        labels: {"0": Nein, 100: Ja}
        meanings: {"0": Nichts.}
"""


def problems(text: str, file: str = "de.yaml") -> list[str]:
    with pytest.raises(InputError) as caught:
        read(text.encode(), file=file)
    return [str(problem) for problem in caught.value.problems]


def test_a_language_may_be_unfinished() -> None:
    words = read(GERMAN.encode(), file="de.yaml").protocols["da"].questions["adequacy"]
    adequacy = translated_question(protocols.load("da").questions["adequacy"], words)
    assert adequacy.wording(["source"]) == "Stimmt es?"
    assert list(adequacy.legend()) == [
        (0, "Nein", "Nichts."),
        (100, "Ja", "All of the meaning is expressed, and no other."),
    ]


def test_names_that_lead_nowhere() -> None:
    text = (
        GERMAN.replace("  da:", "  daa: {title: Da, questions: {}}\n  da:")
        .replace('"0": Nein', '"0": Nein, "1": Fast')
        .replace('"0": Nichts', '"00": Nichts')
        .replace("      adequacy:", "      adequasy: {ask: Was?}\n      adequacy:")
    )
    found = problems(text)
    assert found[0].startswith("de.yaml:4, field protocols.daa: unknown protocol 'daa'; allowed: ")
    assert found[0].endswith("did you mean 'da'?")
    place = "field protocols.da.questions"
    assert found[1:] == [
        f"de.yaml:8, {place}.adequasy: unknown question 'adequasy'; allowed: adequacy; "
        "did you mean 'adequacy'?",
        f"de.yaml:11, {place}.adequacy.labels.1: unknown label '1'; allowed: 0, 100",
        f"de.yaml:12, {place}.adequacy.meanings.00: unknown meaning '00'; allowed: 0, 100; "
        "did you mean '100'?",
    ]


def test_a_point_without_a_label_gets_none() -> None:
    text = """\
language: de
name: Deutsch
protocols:
  tapet-adequacy:
    title: Angemessenheit
    questions:
      adequacy: {ask: Wie viel?, labels: {"6": Fast alles}}
"""
    place = "field protocols.tapet-adequacy.questions.adequacy.labels.6"
    assert problems(text) == [f"de.yaml:7, {place}: unknown label '6'; allowed: 7, 4, 1"]


def test_faults_of_form() -> None:
    text = (
        GERMAN.replace("name: Deutsch\n", "")
        .replace("{source:", "{sourse:")
        .replace("title:", "titel:")
    )
    assert problems(text) == [
        "de.yaml:1: 'name' is missing",
        "de.yaml:4, field protocols.da.titel: unknown field 'titel'; "
        "allowed: title, guidelines, questions; did you mean 'title'?",
        "de.yaml:3, field protocols.da: 'title' is missing",
        "de.yaml:7, field protocols.da.questions.adequacy.ask.sourse: unknown field 'sourse'; "
        "allowed: source, reference; did you mean 'source'?",
    ]


def test_reasons_that_lead_nowhere() -> None:
    text = """\
language: de
name: Deutsch
reasons:
  daa: {}
  da:
    adequasy: [Weil.]
    adequacy: [Darum.]
"""
    with pytest.raises(InputError) as caught:
        read_reasons(text.encode(), file="de.yaml")
    found = "\n".join(map(str, caught.value.problems))
    assert "field reasons.daa: unknown protocol 'daa'" in found
    assert "field reasons.da.adequasy: unknown question 'adequasy'" in found
    assert "field reasons.da.adequacy: there are 1 reasons, but 7 examples" in found
    with pytest.raises(InputError, match="name the file after it"):
        read_reasons(b"language: de\nname: Deutsch\nreasons: {}\n", file="fr.yaml")


def test_a_file_is_called_like_its_language() -> None:
    assert problems(GERMAN, file="german.yaml") == [
        "german.yaml: this is the language 'de'; name the file after it"
    ]


def test_the_files_lie_where_packages_look() -> None:
    assert {code for code, _ in catalogue_files("protocols")} == set(CODES)


def test_a_campaign_of_an_earlier_release_stays_translated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    then = (
        "The judge mends the translation with as few changes as will make it right and readable; "
        "how much he had to change (HTER) and the time he took follow from it."
    )
    former = replace(protocols.load("post-edit"), about=then)
    assert in_language(former, "es") == former
    monkeypatch.setitem(EARLIER_VERSIONS, "post-edit", frozenset({former.version}))
    assert in_language(former, "es").title == in_language(protocols.load("post-edit"), "es").title
    assert (
        in_language(replace(former, about="Mend it."), "es").title
        == protocols.load("post-edit").title
    )
