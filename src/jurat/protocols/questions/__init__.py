"""The kinds of question a judge can be asked, one file each.

A kind says what may be declared of it (its fields), which answers are legal, on which level they
measure, what they leave in the tables, and how a simulated judge would answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Literal

import msgspec

from jurat.expressions import Condition, parse
from jurat.faults import Fault, FaultyInput, complain, quoted, refuse, shortened
from jurat.model import Item, ReadingQuestion, Shown
from jurat.registry import Registry

Level = Literal["nominal", "ordinal", "interval", "ratio", "text"]
Screen = Literal["one", "two", "all"]
Answer = object
"""Plain JSON data: what a form or a script sends."""

NA = "n/a"
"""The answer "not applicable": a value of its own, neither zero nor missing."""

TOLERATED = 0.25
"""Of the whole range: what two answers may differ by, where there are no points to count."""

HELD_AGAINST = ("source", "reference")
NAME_RULE = "letters, digits and hyphens only, a letter first"


class Row(msgspec.Struct, frozen=True):
    """What an answer leaves in one of the long tables: the table's name and the row's values."""

    table: str
    values: Mapping[str, object]


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A worked case for the guidelines: what is shown, the answer it deserves, and why."""

    answer: object
    because: str
    source: str = ""
    reference: str = ""
    translation: str | tuple[str, ...]
    """Several, in the order of the screen, where they are compared."""
    context: str = ""
    concepts: tuple[str, ...] = ()
    comprehension: tuple[ReadingQuestion, ...] = ()

    def item(self) -> Item:
        """The example as it would be on the screen."""
        texts = (self.translation,) if isinstance(self.translation, str) else self.translation
        return Item(
            id="",
            document="",
            segment="",
            translations=tuple(Shown(system=str(n), text=text) for n, text in enumerate(texts, 1)),
            source=self.source or None,
            references={"reference": self.reference} if self.reference else {},
            concepts=self.concepts,
            comprehension=self.comprehension,
        )


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every kind of question has; a kind is a subclass with a `name`."""

    name: ClassVar[str]
    level: ClassVar[Level]
    screens: ClassVar[frozenset[Screen]] = frozenset({"one"})
    """How many systems may be on the screen when this is asked."""
    records: ClassVar[tuple[str, ...]] = ("judgments",)
    """The tables in which an answer leaves rows."""

    id: str
    ask: str | dict[str, str]
    """The words, which may differ by what the translation is held against: source, reference."""
    hint: str = ""
    when: str = ""
    required: bool = True
    examples: tuple[Example, ...] = ()

    def __post_init__(self) -> None:
        refuse(list(self.faults()))
        refuse(list(self._faulty_examples()))

    def faults(self) -> Iterator[Fault]:
        """Everything that is wrong with the question as declared; a kind adds its own."""
        if not is_name(self.id):
            message = f"{quoted(self.id)} is no name for a question: {NAME_RULE}"
            yield Fault(message=message, field="id")
        if isinstance(self.ask, dict) and (not self.ask or not {*self.ask} <= {*HELD_AGAINST}):
            message = "the words depend on what is shown"
            yield Fault(message=message, field="ask", allowed=HELD_AGAINST)
        try:
            _ = self.condition
        except FaultyInput as error:
            yield from replaced(error, field="when")

    @property
    def condition(self) -> Condition | None:
        """Under which earlier answers this is asked; None: always."""
        return parse(self.when) if self.when else None

    def wording(self, show: Collection[str]) -> str:
        """The question's words, which follow what is shown."""
        if isinstance(self.ask, str):
            return self.ask
        held_against = "reference" if {"reference", "references"} & set(show) else "source"
        return self.ask.get(held_against) or next(iter(self.ask.values()))

    def check(self, answer: Answer, item: Item) -> Answer:
        """The answer as it will be kept, or a `FaultyInput` that says what is allowed."""
        raise NotImplementedError

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        """What a checked answer leaves in the tables."""
        raise NotImplementedError

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        """An answer of a judge who perceives the translations at these qualities, 0 to 1."""
        raise NotImplementedError

    def number(self, answer: Answer, item: Item) -> float | None:
        """An answer as a number, higher is better; None where it has none."""
        return None

    def maximum(self, answer: Answer, item: Item) -> float | None:
        """The number that the best answer would have had."""
        return None

    @property
    def tolerance(self) -> float:
        """How far apart the numbers of two answers may lie before somebody should settle it."""
        return 0.0

    def answers(self) -> tuple[Answer, ...]:
        """Every possible answer where they can be listed, best first."""
        return ()

    def legend(self) -> Iterator[tuple[object, str, str]]:
        """Answer, label and meaning of everything that can be chosen."""
        yield from ()

    def refusal(
        self, message: str, answer: Answer, allowed: Sequence[object] = (), *, code: str = ""
    ) -> FaultyInput:
        """An error that names this question, the answer and what is allowed."""
        given = shortened(answer) if isinstance(answer, str) else quoted(answer)
        names = tuple(map(str, allowed))
        return complain(message, field=self.id, value=given, allowed=names, code=code)

    def _faulty_examples(self) -> Iterator[Fault]:
        for n, example in enumerate(self.examples, 1):
            try:
                self.check(example.answer, example.item())
            except FaultyInput as error:
                yield from replaced(error, field=f"examples.{n}.answer")


class Rating(Question, frozen=True, kw_only=True):
    """A question about one translation, with one value as its answer."""

    not_applicable: bool = False

    def legal(self, answer: Answer) -> Answer:
        """The answer as it will be kept, where it is not "not applicable"."""
        raise NotImplementedError

    def label(self, answer: Answer) -> str | None:
        """The answer in words."""
        return str(answer)

    def check(self, answer: Answer, item: Item) -> Answer:
        return NA if self.not_applicable and answer == NA else self.legal(answer)

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        na = answer == NA
        label = NA if na else self.label(answer)
        system = item.translations[0].system
        values = {
            "system": system,
            "question": self.id,
            "value": self.number(answer, item),
            "label": label,
            "na": na,
        }
        yield Row("judgments", values)


QUESTIONS: Registry[Question] = Registry(
    "jurat.protocols.questions", Question, word="kind of question"
)


def is_name(text: str) -> bool:
    """Whether a text can name a question or a protocol, in a file, a table and an address."""
    return re.fullmatch(r"[^\W\d_][\w-]*", text) is not None


def replaced(error: FaultyInput, *, field: str) -> Iterator[Fault]:
    """The faults of an error, each at another place."""
    for fault in error.faults:
        yield msgspec.structs.replace(fault, field=field)


def doubled(values: Iterable[str | int], field: str) -> Iterator[Fault]:
    """A fault for each value that stands in a list more than once."""
    for value, count in Counter(values).items():
        if count > 1:
            yield Fault(message=f"{quoted(value)} stands here {count} times", field=field)


def nearest(quality: float, steps: int) -> int:
    """Which of `steps` equal steps, from 0 for the worst, a quality between 0 and 1 falls on."""
    return min(max(round(quality * (steps - 1)), 0), steps - 1)
