"""Worked examples for the guidelines: each answer as a judge would say it, whatever its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jurat.conversion import convert
from jurat.protocols.questions import NA, Example, Question
from jurat.protocols.questions.concepts import Concepts
from jurat.protocols.questions.ranking import Ranking
from jurat.protocols.questions.reading import Reading
from jurat.protocols.questions.scale import Scale
from jurat.protocols.questions.slider import Slider
from jurat.protocols.questions.spans import Span, Spans
from jurat.web.judge.inputs.spans import SpansInput
from jurat.web.languages import Language


class Piece(NamedTuple):
    """A piece of a translation; where an error is marked, with the look of its severity."""

    text: str
    rank: int | None = None


class Part(NamedTuple):
    """One of several parts of an answer: what it is about, and what is said of it."""

    about: str
    said: str


class Worked(NamedTuple):
    """An example, ready for the page."""

    example: Example
    texts: Sequence[Sequence[Piece]]
    """The translations; pieces of them are marked where errors were."""
    answer: str
    """In a few words; nothing where the answer has several parts."""
    parts: Sequence[Part] = ()
    point: int = 0
    """Which point of a scale it is, from the first, and of how many."""
    points: int = 0


def worked(question: Question, example: Example, language: Language) -> Worked:
    """An example in the words of the question and of the judge's language."""
    texts = [[Piece(text)] for text in _translations(example)]
    if isinstance(question, Spans):
        return _with_errors(question, example, language)
    if isinstance(question, Scale) and example.answer != NA:
        return _on_scale(question, example, language)
    parts = _parts(question, example, language)
    return Worked(example, texts, "" if parts else _answer(question, example, language), parts)


def _with_errors(question: Spans, example: Example, language: Language) -> Worked:
    (text,) = _translations(example)
    errors = convert(example.answer, list[Span])
    told = [_error(question, span, text, language) for span in errors]
    marked = list(_marked(question, text, errors))
    return Worked(example, [marked], "" if told else language.say("span-none"), told)


def _on_scale(question: Scale, example: Example, language: Language) -> Worked:
    values: list[Any] = [point.value for point in question.points]
    point, points = values.index(example.answer) + 1, len(values)
    words = question.label(example.answer) or language.say("point-of", number=point, count=points)
    texts = [[Piece(text)] for text in _translations(example)]
    return Worked(example, texts, words, point=point, points=points)


def _parts(question: Question, example: Example, language: Language) -> list[Part]:
    """The parts of an answer that has several."""
    match question:
        case Concepts():
            return _concepts(question, example)
        case Ranking():
            return _ranking(example, language)
        case Reading():
            return _reading(example)
    return []


def _translations(example: Example) -> tuple[str, ...]:
    made = example.translation
    return (made,) if isinstance(made, str) else made


def _answer(question: Question, example: Example, language: Language) -> str:
    if example.answer == NA:
        return language.say("not-applicable")
    if isinstance(question, Slider):
        return language.say("step-of", position=example.answer, steps=question.high)
    labels = {value: label for value, label, _ in question.legend()}
    return labels.get(example.answer) or str(example.answer)


def _concepts(question: Concepts, example: Example) -> list[Part]:
    answers: Any = example.answer
    pairs = zip(example.concepts, answers, strict=True)
    return [Part(concept, question.labels[outcome]) for concept, outcome in pairs]


def _reading(example: Example) -> list[Part]:
    answers: Any = example.answer
    pairs = zip(example.comprehension, answers, strict=True)
    return [Part(asked.ask, asked.options[chosen - 1]) for asked, chosen in pairs]


def _ranking(example: Example, language: Language) -> list[Part]:
    places: Any = example.answer
    return [
        Part(language.say("place", number=place), _at(places, place, language))
        for place in sorted(set(places))
    ]


def _at(places: Sequence[int], place: int, language: Language) -> str:
    slots = [slot for slot, own in enumerate(places, 1) if own == place]
    names = [language.say("translation-n", number=slot) for slot in slots]
    return f" {language.say('and')} ".join(names)


def _error(question: Spans, span: Span, text: str, language: Language) -> Part:
    labels = {value: label for value, label, _ in question.legend()}
    names = [labels[name] for name in (span.severity, span.category) if name]
    where = text[span.start : span.end] or language.say("span-missing")
    return Part(where, " · ".join(names))


def _marked(question: Spans, text: str, errors: Sequence[Span]) -> Iterator[Piece]:
    """The text in pieces; of errors that overlap, the first is marked."""
    ranks = SpansInput().ranks(question)
    at = 0
    for span in sorted(errors, key=lambda span: (span.start, span.end)):
        if span.start < at:
            continue
        yield Piece(text[at : span.start])
        yield Piece(text[span.start : span.end], ranks[span.severity])
        at = span.end
    yield Piece(text[at:])
