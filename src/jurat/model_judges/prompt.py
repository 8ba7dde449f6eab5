"""The prompt for an item, made from the protocol's own guidelines and questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from jurat.campaigns.screens import Screen
from jurat.errors import input_error
from jurat.model import TestSet
from jurat.protocols import Protocol
from jurat.protocols.questions import NA, Question
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.magnitude import Magnitude
from jurat.protocols.questions.ranking import Ranking
from jurat.protocols.questions.slider import Slider
from jurat.protocols.questions.spans import Category, Severity, Spans, SpecialMark

# Part of what a model judge is: answers to another prompt are those of another judge.
VERSION = 1
SYSTEM = (
    "You judge translations. Follow the guidelines and answer every question with one JSON object"
    " and nothing else: no explanation, no Markdown."
)


def _choices(question: Question) -> str:
    """The answers that can be chosen, each with its label and meaning."""
    lines = [
        f"  - {_json(value)}" + (f": {told}" if (told := " ".join(filter(None, words))) else "")
        for value, *words in question.legend()
    ]
    return "\n".join(["one of these values:", *lines])


def _number(question: Question) -> str:
    assert isinstance(question, Slider)
    marks = [
        f"  - {value}: {label}" + (f" ({meaning})" if meaning else "")
        for value, label, meaning in question.legend()
    ]
    return "\n".join(
        [f"a number from {question.low} to {question.high}" + (", where" if marks else ""), *marks]
    )


def _spans(question: Question) -> str:
    assert isinstance(question, Spans)
    fields = ['"text": the marked words, exactly as they stand in the translation']
    fields.append(f'"severity": {_options(question.severities)}')
    if question.categories:
        fields.append(f'"category": {_options(question.categories)}')
    if question.missing:
        fields.append('"missing": true, and no "text", where something of the source is missing')
    if question.marks:
        fields.append(f'"mark", instead of "text" and "category": {_options(question.marks)}')
    most = f" (at most {question.most})" if question.most else ""
    lines = [f"  - {field}" for field in fields]
    return "\n".join(
        [f"a list of errors{most}, empty if there is none, each an object with", *lines]
    )


def _options(options: Iterable[Severity | Category | SpecialMark]) -> str:
    return " or ".join(f'"{one.value}" ({one.meaning or one.label})' for one in options)


def _text(_: Question) -> str:
    return "a text"


def _json(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _magnitude(question: Question) -> str:
    assert isinstance(question, Magnitude)
    return f"a number above 0; what it is compared with counts {question.standard}"


def _ranking(question: Question) -> str:
    assert isinstance(question, Ranking)
    ties = "; equal ones share a place" if question.ties else "; no two share a place"
    return f"a list with the place of each translation, in their order; 1 is best{ties}"


def _best_worst(_: Question) -> str:
    return "a list of two numbers: that of the best translation, and that of the worst"


def _each(question: Question) -> str:
    """The same questions about every translation, or every segment, as a list of objects."""
    assert isinstance(question, Each)
    lines = [f"a list with an object for each {question.what}, in their order, each with"]
    for one in question.questions:
        told = "\n".join(_told(one, one.wording(())))
        lines.append("  - " + told.replace("\n", "\n    "))
    return "\n".join(lines)


# How the answer to each kind of question is to be written.
FORMATS: Mapping[str, Callable[[Question], str]] = {
    "scale": _choices,
    "choice": _choices,
    "slider": _number,
    "preference": _choices,
    "spans": _spans,
    "text": _text,
    "magnitude": _magnitude,
    "ranking": _ranking,
    "best-worst": _best_worst,
    "each": _each,
    "segments": _each,
}
ANSWERABLE = tuple(FORMATS)


def check_answerable(task: str, protocol: Protocol) -> None:
    """Raise `InputError` if a model judge cannot answer one of the protocol's questions."""
    for question in protocol.questions.values():
        if question.name not in FORMATS:
            kinds = ", ".join(ANSWERABLE)
            message = (
                f"the task '{task}' asks a question of the kind {question.name}; model judges"
                f" answer {kinds}; --task chooses another task"
            )
            raise input_error(message, field="task", value=task)
        if isinstance(question, Spans) and question.suggestions:
            message = (
                f"the task '{task}' shows errors that were marked beforehand, which model judges"
                " are not shown; --task chooses another task"
            )
            raise input_error(message, field="task", value=task)


def stage_prompt(screen: Screen, protocol: Protocol, test_set: TestSet, *, guidelines: bool) -> str:
    """What a model is told at a stage: guidelines, the texts that a judge sees, and questions."""
    parts = [f"# Guidelines\n\n{protocol.guidelines.strip()}"] if guidelines else []
    parts += [f"# {title}\n\n{text}" for title, text in _texts(screen, test_set)]
    asked = protocol.stages[screen.stage].questions
    parts.append("# Questions\n\n" + "\n".join(_asked(one, screen) for one in asked))
    keys = ", ".join(f'"{one.id}"' for one in asked)
    parts.append(f"Answer with one JSON object with the keys {keys}.")
    return "\n\n".join(parts)


def _asked(question: Question, screen: Screen) -> str:
    return "\n".join(_told(question, screen.questions[question.id]))


def _told(question: Question, words: str) -> list[str]:
    """A question with what it asks in words, and how it is to be answered."""
    lines = [f'"{question.id}": {words}']
    if question.hint:
        lines.append(question.hint)
    if question.when:
        lines.append(f"Only if {question.when}; else leave it out.")
    elif not question.required:
        lines.append("It may be left out.")
    lines.append(f"Answer: {FORMATS[question.name](question)}")
    if getattr(question, "not_applicable", False):
        lines.append(f'  - "{NA}" where the question does not apply')
    return lines


def _texts(screen: Screen, test_set: TestSet) -> Iterable[tuple[str, str]]:
    """The texts on the screen with their headings; never a system's name."""
    language = screen.source_language or test_set.source_language
    if screen.context:
        yield "Preceding text", "\n".join(screen.context)
    for one in screen.media:
        unseen = "It cannot be shown to you, and nobody has described it."
        yield one.kind.capitalize(), one.text or unseen
    if screen.source is not None:
        yield "Source" + (f" ({language})" if language else ""), screen.source
    for n, reference in enumerate(screen.references, 1):
        yield "Reference" + (f" {n}" if len(screen.references) > 1 else ""), reference
    into = f" ({test_set.target_language})" if test_set.target_language else ""
    for n, text in enumerate(screen.translations, 1):
        yield f"Translation{f' {n}' if len(screen.translations) > 1 else ''}{into}", text
