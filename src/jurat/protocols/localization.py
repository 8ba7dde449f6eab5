"""Translations of Jurat's own protocols: `protocols.yaml` and `examples.yaml` of each language.

A translated protocol is for the screen only. Answers are checked, scored and written into tables
with the original protocol, so that tables have the same labels in every language.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from jurat.errors import Problem, input_error, quoted, raise_problems
from jurat.i18n import catalogue_files, language_names
from jurat.protocols import load, names
from jurat.protocols.protocol import Protocol, Stage
from jurat.protocols.questions import Question
from jurat.protocols.questions.each import Each
from jurat.yamlfile import Declaration, Path

# Earlier versions with the same questions: campaigns that began with them are still translated.
EARLIER_VERSIONS: dict[str, frozenset[str]] = {
    "acceptability": frozenset({"33c88ab4ea8c"}),
    "application": frozenset({"31f655609b9f"}),
    "comprehension": frozenset({"ae3a03077b4a"}),
    "concepts": frozenset({"3bba16710c2d", "fc9090d9c9cf"}),
    "contrastive-esa": frozenset({"7f251f0b3352"}),
    "da": frozenset({"478aaf0006d9"}),
    "esa": frozenset({"ca4f56cdcae1", "ee7343a4a09b"}),
    "esa-ai": frozenset({"f3f3ac502c32"}),
    "esa-document": frozenset({"5930cc3df336"}),
    "fidelity": frozenset({"a39ac67a2362", "7dab2a6dc25d"}),
    "heval": frozenset({"71ca1ee83349"}),
    "informativeness": frozenset({"7d6325627ca9", "d2bded899cf3"}),
    "intelligibility": frozenset({"bac78faf1eaa", "39d155308a9f"}),
    "mqm": frozenset({"70e9681de7ab"}),
    "post-edit": frozenset({"7df9c2d613a9", "0336857718db"}),
    "preference": frozenset({"87b6612192e7", "1bf46c003d2a"}),
    "preference-4": frozenset({"c52b0f4ac836", "50df14904a85"}),
    "side-by-side-mqm": frozenset({"decd8ca63447"}),
    "sqm": frozenset({"e40c5f7da2bb"}),
    "tapet-adequacy": frozenset({"197c6789f140"}),
    "tapet-adequacy-5": frozenset({"161ac5f358f0"}),
    "xsts": frozenset({"6ac22695f313"}),
    "xsts-rp": frozenset({"9fac9e4f041c"}),
}


# Bytes of a catalogue of all protocols: letters of many scripts take three.
LARGEST_CATALOGUE = 1_000_000


class QuestionWords(msgspec.Struct, frozen=True, kw_only=True):
    """The translation of a question; labels and meanings by the value they belong to."""

    ask: str | dict[Literal["source", "reference"], str]
    hint: str = ""
    labels: dict[str, str] = {}
    meanings: dict[str, str] = {}
    confirm: dict[str, str] = {}
    """What is asked back, by its number in the protocol, from 1."""


class ProtocolWords(msgspec.Struct, frozen=True, kw_only=True):
    """The translation of a protocol, with its questions by id; guidelines are Markdown."""

    title: str
    guidelines: str = ""
    questions: dict[str, QuestionWords]


class ProtocolCatalog(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a language's file: its code (BCP 47), its own name, and its protocols."""

    language: str
    name: str
    protocols: dict[str, ProtocolWords]


class ExampleCatalog(msgspec.Struct, frozen=True, kw_only=True):
    """Why the answers to examples are right: by protocol and question, in the examples' order."""

    language: str
    name: str
    reasons: dict[str, dict[str, tuple[str, ...]]]


def languages() -> dict[str, str]:
    """The name of every language that has protocols, by code, English first."""
    return {"en": "English"} | language_names("protocols")


def in_language(protocol: Protocol, code: str) -> Protocol:
    """The protocol translated, to be shown; what is not translated stays in English.

    A protocol that only shares its name with one of Jurat's is not translated: where the version
    differs, the translation may say something else.
    """
    if protocol.name not in _shipped(code):
        return protocol
    earlier = EARLIER_VERSIONS.get(protocol.name, frozenset())
    if protocol.version not in earlier | {load(protocol.name).version}:
        return protocol
    return _translated(protocol.name, code)


def read(data: bytes, *, file: str) -> ProtocolCatalog:
    """The translations that a YAML file declares; raises `InputError` with all problems."""
    declared = Declaration(data, file=file, largest=LARGEST_CATALOGUE)
    language = declared.read(ProtocolCatalog)
    problems = _unknown_names(declared, language)
    raise_problems(sorted(problems, key=lambda problem: problem.line or 0))
    _check_name(language.language, file)
    return language


def read_reasons(data: bytes, *, file: str) -> ExampleCatalog:
    """The reasons that a YAML file declares; raises `InputError` with all problems.

    A question has a reason for each of its examples, or is left out.
    """
    declared = Declaration(data, file=file)
    language = declared.read(ExampleCatalog)
    raise_problems(list(_wrong_reasons(declared, language)))
    _check_name(language.language, file)
    return language


def _check_name(language: str, file: str) -> None:
    # the file is found by its name, so a wrong one would show the wrong language
    if language != file.rpartition(".")[0]:
        message = f"this is the language '{language}'; name the file after it"
        raise input_error(message, file=file)


def translated_question(question: Question, words: QuestionWords) -> Question:
    """The question with its texts translated."""
    parts = {name: _relabelled(getattr(question, name), words) for name in _choices(question)}
    # an empty text is one that is still to be translated
    ask, hint = words.ask or question.ask, words.hint or question.hint
    confirm = tuple(
        replace(one, ask=words.confirm.get(str(n)) or one.ask)
        for n, one in enumerate(question.confirm, 1)
    )
    return replace(question, ask=ask, hint=hint, confirm=confirm, **parts)


@cache
def _shipped(code: str) -> dict[str, ProtocolWords]:
    """The translations into a language by protocol; none where it has no file."""
    content = dict(catalogue_files("protocols")).get(code)
    return read(content, file=f"{code}.yaml").protocols if content else {}


@cache
def _reasons(code: str) -> dict[str, dict[str, tuple[str, ...]]]:
    content = dict(catalogue_files("examples")).get(code)
    return read_reasons(content, file=f"{code}.yaml").reasons if content else {}


# Cached: a replaced protocol is checked as a whole again, and every step of every judge needs it.
@cache
def _translated(name: str, code: str) -> Protocol:
    protocol, texts = load(name), _shipped(code)[name]
    reasons = _reasons(code).get(name, {})
    stages = tuple(_stage(stage, texts, reasons) for stage in protocol.stages)
    return replace(
        protocol,
        title=texts.title or protocol.title,
        guidelines=texts.guidelines or protocol.guidelines,
        stages=stages,
    )


def _stage(stage: Stage, texts: ProtocolWords, reasons: Mapping[str, Sequence[str]]) -> Stage:
    return replace(
        stage, questions=tuple(_question(one, texts, reasons) for one in stage.questions)
    )


def _question(
    question: Question, texts: ProtocolWords, reasons: Mapping[str, Sequence[str]]
) -> Question:
    """A question with the words of a language, and those within it."""
    words = texts.questions.get(question.id)
    shown = translated_question(question, words) if words else question
    if isinstance(shown, Each):
        nested = tuple(_question(one, texts, reasons) for one in shown.questions)
        shown = replace(shown, questions=nested)
    return _with_reasons(shown, reasons.get(question.id, ()))


def _with_reasons(question: Question, reasons: Sequence[str]) -> Question:
    """The question, whose examples have these reasons instead of the English ones, if any."""
    if not reasons:
        return question
    pairs = zip(question.examples, reasons, strict=True)
    examples = tuple(replace(example, because=reason) for example, reason in pairs)
    return replace(question, examples=examples)


def _choices(question: Question) -> Iterator[str]:
    """The fields of a question, of any kind, that list what can be chosen."""
    for name in question.__struct_fields__:
        part = getattr(question, name)
        # by its shape rather than by a list of kinds, so that a new kind needs no change here
        listed = isinstance(part, tuple) and any(hasattr(one, "value") for one in part)
        if listed or name == "labels":
            yield name


def _relabelled(choices: Any, words: QuestionWords) -> object:
    if isinstance(choices, dict):
        return {value: words.labels.get(value) or label for value, label in choices.items()}
    return tuple(_choice(choice, words) for choice in choices)


def _choice(choice: Any, words: QuestionWords) -> object:
    """A point, option, mark, severity or category with label and meaning translated."""
    value = str(choice.value)
    label, meaning = words.labels.get(value), words.meanings.get(value)
    return replace(choice, label=label or choice.label, meaning=meaning or choice.meaning)


# A misspelt name would leave its text in English unnoticed, as if nobody had translated it.
def _unknown_names(declared: Declaration, language: ProtocolCatalog) -> Iterator[Problem]:
    """A problem for each protocol, question or choice that does not exist."""
    yield from _unknown(declared, "protocol", language.protocols, names(), ("protocols",))
    for name in {*names()} & {*language.protocols}:
        known, given = load(name).questions, language.protocols[name].questions
        place: Path = ("protocols", name, "questions")
        yield from _unknown(declared, "question", given, known, place)
        for one in {*known} & {*given}:
            yield from _unknown_choices(declared, known[one], given[one], (*place, one))


def _wrong_reasons(declared: Declaration, language: ExampleCatalog) -> Iterator[Problem]:
    """A problem for each protocol or question that does not exist, or has other examples."""
    yield from _unknown(declared, "protocol", language.reasons, names(), ("reasons",))
    for name in {*names()} & {*language.reasons}:
        known, given = load(name).questions, language.reasons[name]
        place: Path = ("reasons", name)
        yield from _unknown(declared, "question", given, known, place)
        for one in {*known} & {*given}:
            count, there = len(given[one]), len(known[one].examples)
            if count != there:
                message = f"there are {count} reasons, but {there} examples"
                yield declared.problem(message, (*place, one))


def _unknown_choices(
    declared: Declaration, question: Question, words: QuestionWords, place: Path
) -> Iterator[Problem]:
    """A problem for each label or meaning that the English question does not have."""
    labelled = [str(value) for value, label, _ in question.legend() if label]
    explained = [str(value) for value, _, meaning in question.legend() if meaning]
    yield from _unknown(declared, "label", words.labels, labelled, (*place, "labels"))
    yield from _unknown(declared, "meaning", words.meanings, explained, (*place, "meanings"))
    asked_back = [str(n) for n, _ in enumerate(question.confirm, 1)]
    yield from _unknown(declared, "confirm", words.confirm, asked_back, (*place, "confirm"))


def _unknown(
    declared: Declaration, what: str, given: Iterable[str], known: Collection[str], place: Path
) -> Iterator[Problem]:
    for name in given:
        if name not in known:
            message = f"unknown {what} {quoted(name)}"
            yield declared.problem(message, (*place, name), value=name, allowed=tuple(known))
