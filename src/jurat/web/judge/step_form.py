"""A step ready for its template: texts, questions, and answers so far."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
from starlette.datastructures import FormData

from jurat.campaigns import Screen
from jurat.condition_language import names, parse
from jurat.protocols import Protocol
from jurat.protocols.question_assets import same_for_every_item
from jurat.protocols.questions import Question
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.segments import Segments
from jurat.web.context import Visit
from jurat.web.highlight import Highlighter, Piece
from jurat.web.question_files import template_of


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question on the page."""

    question: Question
    words: str
    answer: object
    """An earlier or unfinished answer."""
    now: bool
    """Whether it is asked, given the answers so far."""

    condition: str = ""
    """Its condition as JSON for the script; empty if it is always asked."""
    earlier: str = ""
    """Answers of earlier stages that the condition uses, as JSON; empty without any."""

    @property
    def confirm(self) -> str:
        """When the answer is asked back, as JSON for the script; empty if it never is."""
        rules = [
            {"when": parse(one.when), "without": one.without, "ask": one.ask}
            for one in self.question.confirm
        ]
        return _json(rules)

    @property
    def template(self) -> str:
        """The name of the template that draws it."""
        return template_of(self.question)


class Column(NamedTuple):
    """One of several translations on the page, with the questions about it.

    It stands in for the `StepForm` and its screen in the templates of these questions.
    """

    number: int
    pieces: Sequence[Piece]
    screen: Screen
    """That of the step, with this translation alone."""
    questions: Sequence[Asked]
    languages: Languages


class Form:
    """The questions of a stage, with answers."""

    def __init__(self, protocol: Protocol, screen: Screen, answers: Mapping[str, object]) -> None:
        stage = protocol.stages[screen.stage]
        # conditions may refer to answers of earlier stages
        given = {**screen.earlier, **answers}
        now = {question.id for question in protocol.asked(given, stage=screen.stage)}
        # a question may ask about the reference, or about the source where there is no reference
        held = _held(frozenset(stage.show), screen)
        self.questions = [
            Asked(
                question=question,
                words=question.wording(held),
                answer=answers.get(question.id),
                now=question.id in now,
                condition=_json(question.condition),
                earlier=_json(_named(question, screen.earlier)),
            )
            for question in stage.questions
        ]
        kinds = {type(question) for question in stage.questions}
        self.same = not answers and all(map(same_for_every_item, kinds))
        """Whether it can be cached: nothing is answered, and it does not depend on the texts."""
        self.wording = tuple(
            (one.question.id, one.words, one.now, one.earlier) for one in self.questions
        )
        """The key of the cached form: questions, their wording, and which are asked at once."""

    @cached_property
    def grid(self) -> bool:
        """Whether the questions have the same answers and are shown as rows of a table."""
        alike = {_offered(asked.question) for asked in self.questions}
        return (
            len(self.questions) > 3
            and len(alike) == 1
            and all(asked.question.has_radio_buttons for asked in self.questions)
        )


class StepForm:
    """A step of a kit, ready for its template."""

    _compared = False
    """Whether answers are shown beside the texts, and no form."""

    def __init__(
        self,
        visit: Visit,
        screen: Screen,
        answers: Mapping[str, object] | None = None,
        *,
        compared: bool = False,
    ) -> None:
        self.screen = screen
        self._compared = compared
        self.protocol: Protocol = visit.protocol(screen.task)
        self.languages = _languages(visit, screen)
        self._shader: Highlighter | None = visit.shader()
        self._answers = answers if answers is not None else _kept(screen)
        self.form = self._form(visit)

    @property
    def key(self) -> str:
        """The permanent key of the decision."""
        return f"{self.screen.assignment}/{self.screen.position}"

    @property
    def last(self) -> bool:
        """Whether this is the last step of the kit."""
        return self.screen.position == self.screen.steps

    @property
    def questions(self) -> list[Asked]:
        """What is asked at this stage."""
        return self.form.questions

    @property
    def sight(self) -> Hashable:
        """The key of the rendered texts in the cache: everything they depend on."""
        screen = self.screen
        held = (screen.source, screen.references, screen.context, screen.media, screen.instructions)
        # a campaign may switch highlighting off while texts with it are still in the cache
        shaded = self._shader is not None
        shown = (self.ranked, self.in_segments)
        return "texts", self.languages, held, screen.translations, shown, shaded

    @property
    def in_segments(self) -> bool:
        """Whether a document is shown segment by segment, each source beside its translation."""
        # where answers are compared there is no form whose columns hold the sources
        return not self._compared and any(
            isinstance(asked.question, Segments) for asked in self.questions
        )

    @property
    def ranked(self) -> bool:
        """Whether the translations are shown on cards to be ranked, and not among the texts."""
        return any(asked.question.shows_translations for asked in self.questions)

    @property
    def layout(self) -> str:
        """The layout of texts and questions on a wide screen."""
        if any(asked.question.beside_texts for asked in self.questions):
            return "passage"
        if self.in_segments:
            return "in-columns in-segments"
        if any(isinstance(asked.question, Each) for asked in self.questions):
            return "several in-columns"
        if self.ranked or len(self.screen.translations) > 1:
            return "several"
        screen = self.screen
        held = screen.source is not None or screen.references or screen.media
        return "pair" if held else "alone"

    @property
    def context(self) -> list[list[str]]:
        """The preceding segments, each as lines: source and translation."""
        return [earlier.split("\n") for earlier in self.screen.context]

    @cached_property
    def translations(self) -> list[Sequence[Piece]]:
        """The translations in pieces, with words of the references highlighted."""
        return self._pieces(self.screen)

    def _pieces(self, screen: Screen) -> list[Sequence[Piece]]:
        held = screen.references
        if self._shader is None or not held:
            return [[Piece(text)] for text in screen.translations]
        return [self._shader.shade(text, held) for text in screen.translations]

    def columns(self, asked: Asked) -> list[Column]:
        """The translations with the questions that a question `each` asks of all of them."""
        each = asked.question
        assert isinstance(each, Each)
        screens = self._line_screens() if isinstance(each, Segments) else self._one_by_one()
        given = asked.answer if isinstance(asked.answer, list) else []
        answers = [*given, *({} for _ in screens[len(given) :])]
        return [
            Column(
                number=n,
                pieces=self._pieces(screen)[0],
                screen=screen,
                questions=self._asked_of(each, n, own),
                languages=self.languages,
            )
            for n, (screen, own) in enumerate(zip(screens, answers, strict=True), 1)
        ]

    def _one_by_one(self) -> list[Screen]:
        """The screen with each translation alone."""
        return [
            msgspec.structs.replace(
                self.screen, translations=(text,), suggestions=self.screen.suggestions[n : n + 1]
            )
            for n, text in enumerate(self.screen.translations)
        ]

    def _line_screens(self) -> list[Screen]:
        """The screen of a document with each of its segments alone."""
        lines = self.screen.translations[0].split("\n")
        sources = (self.screen.source or "").split("\n")
        references = [text.split("\n") for text in self.screen.references]
        return [
            msgspec.structs.replace(
                self.screen,
                translations=(line,),
                source=None if self.screen.source is None else sources[n],
                references=tuple(text[n] for text in references if n < len(text)),
            )
            for n, line in enumerate(lines)
        ]

    def _asked_of(self, each: Each, slot: int, answers: Mapping[str, object]) -> list[Asked]:
        held = _held(frozenset(self.protocol.stages[self.screen.stage].show), self.screen)
        now = {question.id for question in each.asked(slot, answers)}
        placed = [(question, each.at(slot, question)) for question in each.questions]
        return [
            Asked(
                question=here,
                words=question.wording(held),
                answer=answers.get(question.id),
                now=here.id in now,
                condition=_json(question.condition),
            )
            for question, here in placed
        ]

    def read(self, form: FormData) -> dict[str, object]:
        """The answers in a form sent without JavaScript; unanswered questions are left out.

        So are follow-ups that these answers do not lead to: without a script, their fields stay.
        """
        # a forged form may contain files, which no question can read
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        answers = dict(self._read(fields))
        given = {**self.screen.earlier, **answers}
        # conditions can only be evaluated when all answers have been read
        asked = {question.id for question in self.protocol.asked(given, stage=self.screen.stage)}
        return {name: answer for name, answer in answers.items() if name in asked}

    def _read(self, fields: Mapping[str, str]) -> Iterator[tuple[str, object]]:
        for asked in self.questions:
            answer = asked.question.read_form(fields, self.screen)
            if answer is not None:
                yield asked.question.id, answer

    def _form(self, visit: Visit) -> Form:
        """The form; unanswered ones are the same at every step, and cached."""
        screen = self.screen
        # answers decide which follow-up questions are shown, so such a form is for this judge only
        if self._answers or screen.earlier:
            return Form(self.protocol, screen, self._answers)
        key = (visit.cache_key, screen.task, screen.stage, visit.language.code)
        made: Form = visit.site.forms.get(
            # questions may be worded differently for items without a reference
            (*key, bool(screen.references)),
            lambda: Form(self.protocol, screen, {}),
        )
        return made


def _held(show: frozenset[str], screen: Screen) -> frozenset[str]:
    """What the wording of questions may mention; not the reference if the item has none."""
    return show | {"references"} if screen.references else show - {"reference"}


class Languages(NamedTuple):
    """The languages of the texts as the test set names them; empty where it does not."""

    source: str
    target: str


def _languages(visit: Visit, screen: Screen) -> Languages:
    """The languages of a step; a document may have its own source language."""
    test_set = visit.service.campaigns.test_set(visit.campaign)
    return Languages(screen.source_language or test_set.source_language, test_set.target_language)


def _kept(screen: Screen) -> Mapping[str, object]:
    if screen.answered is not None:
        return screen.answered
    return screen.saved if isinstance(screen.saved, dict) else {}


def _offered(question: Question) -> tuple[object, ...]:
    """The possible answers of a question with their labels."""
    labels = [(value, label) for value, label, _ in question.legend()]
    return (getattr(question, "not_applicable", False), *labels)


def _named(question: Question, answers: Mapping[str, object]) -> dict[str, object]:
    """The answers that a question's condition uses."""
    condition = question.condition
    return (
        {name: answers[name] for name in names(condition) if name in answers} if condition else {}
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode() if value else ""
