"""Shipped protocols in the judge's language: `locales/<language>/protocols.yaml`.

The words are for the screen only. Answers are checked, scored and written into tables with the
protocol itself: a table keeps its own labels, whatever language somebody judged in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from jurat.errors import Problem, input_error, quoted, raise_problems
from jurat.i18n import catalogue_files
from jurat.protocols import load, names
from jurat.protocols.protocol import Protocol, Stage
from jurat.protocols.questions import Question
from jurat.yamlfile import Declaration, Path

# Versions of 0.1.0 whose questions were the same: campaigns that began with them stay translated.
FORMER = {
    "concepts": "3bba16710c2d",
    "informativeness": "7d6325627ca9",
    "post-edit": "7df9c2d613a9",
}


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """A question's words; labels and meanings by the value of what can be chosen."""

    ask: str | dict[Literal["source", "reference"], str]
    hint: str = ""
    labels: dict[str, str] = {}
    meanings: dict[str, str] = {}


class Texts(msgspec.Struct, frozen=True, kw_only=True):
    """A protocol's words, by question; guidelines are Markdown, as in English."""

    title: str
    guidelines: str = ""
    questions: dict[str, Words]


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a language's file: its code (BCP 47), its name in itself, and the words."""

    language: str
    name: str
    protocols: dict[str, Texts]


def languages() -> dict[str, str]:
    """Code and own name of every language in which there are protocols, English first."""
    return {"en": "English"} | {code: found.name for code, found in _shipped().items()}


def in_language(protocol: Protocol, code: str) -> Protocol:
    """The protocol with its words in a language, to be shown; it judges exactly alike.

    Rows come from the protocol itself, or a table would hold labels of several languages.
    What has no words in that language stays in English. So does a protocol that only shares its
    name with a shipped one: where the version differs, the words may say something else.
    """
    language = _shipped().get(code)
    if language is None or protocol.name not in language.protocols:
        return protocol
    if protocol.version not in {load(protocol.name).version, FORMER.get(protocol.name)}:
        return protocol
    return _translated(protocol.name, code)


def read(data: bytes, *, file: str) -> Language:
    """The language that a YAML file declares; an `InputError` lists all its problems."""
    declared = Declaration(data, file=file)
    language = declared.read(Language)
    raise_problems(sorted(_lost_names(declared, language), key=lambda problem: problem.line or 0))
    if language.language != file.rpartition(".")[0]:
        message = f"this is the language '{language.language}'; name the file after it"
        raise input_error(message, file=file)
    return language


def reworded(question: Question, words: Words) -> Question:
    """A question in other words."""
    parts = {name: _relabelled(getattr(question, name), words) for name in _choices(question)}
    ask, hint = words.ask or question.ask, words.hint or question.hint
    return replace(question, ask=ask, hint=hint, **parts)


@cache
def _shipped() -> dict[str, Language]:
    """Every language by its code."""
    return {
        code: read(content, file=f"{code}.yaml") for code, content in catalogue_files("protocols")
    }


# Made once: a changed protocol is checked again as a whole, and every step of every judge asks.
@cache
def _translated(name: str, code: str) -> Protocol:
    protocol, texts = load(name), _shipped()[code].protocols[name]
    stages = tuple(_stage(stage, texts) for stage in protocol.stages)
    return replace(
        protocol,
        title=texts.title or protocol.title,
        guidelines=texts.guidelines or protocol.guidelines,
        stages=stages,
    )


def _stage(stage: Stage, texts: Texts) -> Stage:
    asked = ((question, texts.questions.get(question.id)) for question in stage.questions)
    return replace(stage, questions=tuple(reworded(q, w) if w else q for q, w in asked))


def _choices(question: Question) -> Iterator[str]:
    """The fields of a question that hold what can be chosen, of whatever kind it is."""
    for name in question.__struct_fields__:
        part = getattr(question, name)
        listed = isinstance(part, tuple) and any(hasattr(one, "label") for one in part)
        if listed or name == "labels":
            yield name


def _relabelled(choices: Any, words: Words) -> object:
    if isinstance(choices, dict):
        return {value: words.labels.get(value) or label for value, label in choices.items()}
    return tuple(_choice(choice, words) for choice in choices)


def _choice(choice: Any, words: Words) -> object:
    """A point, an option, a mark, a severity or a category in other words."""
    value = str(choice.value)
    label, meaning = words.labels.get(value), words.meanings.get(value)
    return replace(choice, label=label or choice.label, meaning=meaning or choice.meaning)


# A name that leads nowhere would be shown in English for ever, as if nobody had translated it.
def _lost_names(declared: Declaration, language: Language) -> Iterator[Problem]:
    """A problem for each protocol, question or choice that does not exist."""
    yield from _strange(declared, "protocol", language.protocols, names(), ("protocols",))
    for name in {*names()} & {*language.protocols}:
        known, given = load(name).questions, language.protocols[name].questions
        place: Path = ("protocols", name, "questions")
        yield from _strange(declared, "question", given, known, place)
        for one in {*known} & {*given}:
            yield from _lost_choices(declared, known[one], given[one], (*place, one))


def _lost_choices(
    declared: Declaration, question: Question, words: Words, place: Path
) -> Iterator[Problem]:
    """A label where there is none in English is a stranger too: it would change the scale."""
    labelled = [str(value) for value, label, _ in question.legend() if label]
    explained = [str(value) for value, _, meaning in question.legend() if meaning]
    yield from _strange(declared, "label", words.labels, labelled, (*place, "labels"))
    yield from _strange(declared, "meaning", words.meanings, explained, (*place, "meanings"))


def _strange(
    declared: Declaration, what: str, given: Iterable[str], known: Collection[str], place: Path
) -> Iterator[Problem]:
    for name in given:
        if name not in known:
            message = f"unknown {what} {quoted(name)}"
            yield declared.problem(message, (*place, name), value=name, allowed=tuple(known))
