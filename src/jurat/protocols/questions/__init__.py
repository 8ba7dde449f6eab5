"""The kinds of question a judge can be asked, one module or folder each.

A kind is a subclass of `Question` with a `name`. It says what may be declared of it (its fields),
which answers are legal, on which level they measure, what they leave in the tables, how a simulated
judge would answer, and how it is answered on a page. By default that is a row of radio buttons; a
kind that needs more names a template, a script and a style, which lie beside its class.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Literal, Protocol

import msgspec

from jurat.conditions import Condition, parse
from jurat.errors import InputError, Problem, input_error, quoted, raise_problems, shortened
from jurat.model import Item, ReadingQuestion, Shown
from jurat.protocols.input_files import definer
from jurat.registry import Registry

Level = Literal["nominal", "ordinal", "interval", "ratio", "text"]
# How many systems a protocol puts on the screen.
Screen = Literal["one", "two", "all"]
# Plain JSON data: what a form or a script sends.
Answer = object
# The fields of a plain HTML form, by name.
Form = Mapping[str, str]
# Words of the interface in the reader's language, by key.
Say = Callable[..., str]

# The answer "not applicable": a value of its own, neither zero nor missing.
NA = "n/a"

# Of the whole range: what two answers may differ by, where there are no points to count.
TOLERATED = 0.25

HELD_AGAINST = ("source", "reference")
NAME_RULE = "letters, digits and hyphens only, a letter first"
# Characters that fit beside each other on a phone, over all answers, and in one answer.
PHONE_WIDTH = 42
LONGEST_LABEL = 12


class Row(msgspec.Struct, frozen=True):
    """What an answer leaves in one of the long tables: the table's name and the row's values."""

    table: str
    values: Mapping[str, object]


class OnScreen(Protocol):
    """What a judge sees of an item, as far as it is needed to read a form."""

    @property
    def translations(self) -> Sequence[str]:
        """The texts, in the order of the screen."""

    @property
    def concepts(self) -> Sequence[str]:
        """The concepts that are asked about."""

    @property
    def comprehension(self) -> Sequence[object]:
        """The questions about the passage."""


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

    @property
    def translations(self) -> tuple[str, ...]:
        """The translations as a tuple, also where there is one only."""
        return (self.translation,) if isinstance(self.translation, str) else self.translation

    def item(self) -> Item:
        """The example as it would be on the screen."""
        shown = tuple(
            Shown(system=str(n), text=text) for n, text in enumerate(self.translations, 1)
        )
        return Item(
            id="",
            document="",
            segment="",
            translations=shown,
            source=self.source or None,
            references={"reference": self.reference} if self.reference else {},
            concepts=self.concepts,
            comprehension=self.comprehension,
        )


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """An example's answer in words, for the guidelines: `text`, or `parts` where it has several."""

    text: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    """What each part is about, and what is said of it."""
    point: int = 0
    """Which point of a scale it is, counted from 1, out of `points`."""
    points: int = 0
    marks: tuple[tuple[int, int, int], ...] = ()
    """Stretches of the translation to be marked: start, end (code points), and rank (0 to 2)."""


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every kind of question has; a kind is a subclass with a `name`."""

    name: ClassVar[str]
    level: ClassVar[Level]
    screens: ClassVar[frozenset[Screen]] = frozenset({"one"})
    """How many systems may be on the screen when this is asked."""
    records: ClassVar[tuple[str, ...]] = ("judgments",)
    """The tables in which an answer leaves rows."""

    # How it is answered on a page. Each file lies in the package of the class that names it, and a
    # subclass inherits it from there.
    template: ClassVar[str] = "radio_buttons.html"
    script: ClassVar[str] = ""
    style: ClassVar[str] = ""
    same_for_every_item: ClassVar[bool] = True
    """Whether the unanswered form is the same whatever the texts are, so that it can be cached.

    Counts for the template of the same class only: whoever names a template says it again.
    """
    shows_translations: ClassVar[bool] = False
    """Whether the form shows the translations itself, so that they are not shown above it."""
    beside_texts: ClassVar[bool] = False
    """Whether the form stands beside the texts on a wide screen rather than below them."""

    id: str
    ask: str | dict[str, str]
    """The words, which may differ by what the translation is held against: source, reference."""
    hint: str = ""
    when: str = ""
    required: bool = True
    examples: tuple[Example, ...] = ()

    def __post_init__(self) -> None:
        raise_problems(list(self.problems()))
        raise_problems(list(self._faulty_examples()))

    def problems(self) -> Iterator[Problem]:
        """Everything that is wrong with the question as declared; a kind adds its own."""
        if not is_name(self.id):
            message = f"{quoted(self.id)} is not a valid question name: {NAME_RULE}"
            yield Problem(message=message, field="id")
        if isinstance(self.ask, dict) and (not self.ask or not {*self.ask} <= {*HELD_AGAINST}):
            message = "the words depend on what is shown"
            yield Problem(message=message, field="ask", allowed=HELD_AGAINST)
        try:
            _ = self.condition
        except InputError as error:
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
        """The answer as it will be stored, or an `InputError` that says what is allowed."""
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
        """Answer, label and meaning of everything that can be chosen; by default the answers."""
        for answer in self.answers():
            yield answer, str(answer), ""

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        """The answer in the fields of a plain form; None where there is none.

        What is no legal answer is returned as it was sent, for `check` to refuse. By default this
        reads radio buttons, whose values are texts in a form and may be numbers here.
        """
        sent = form.get(self.field())
        known = {str(value): value for value in (*self.answers(), NA)}
        return None if sent is None else known.get(sent, sent)

    def field(self, *parts: object) -> str:
        """The name of a form's field: `q.adequacy`; with parts `q.concepts.2`."""
        return ".".join(("q", self.id, *map(str, parts)))

    def describe(self, example: Example, say: Say) -> Described:
        """An example's answer in words; `say` gives words of the interface by their key."""
        if example.answer == NA:
            return Described(text=say("not-applicable"))
        # not a dictionary: an answer may be a list, which has no hash
        labels = (label for value, label, _ in self.legend() if value == example.answer)
        return Described(text=next(labels, "") or str(example.answer))

    @property
    def has_radio_buttons(self) -> bool:
        """Whether this is answered by the default template."""
        return definer(type(self), "template") is Question

    def digit_keys(self) -> list[int | None]:
        """The digit that picks each radio button; None where digits do not reach.

        Where a scale's numbers are shown and are digits, they are the keys: whoever reads 9 and
        presses 9 means it. Else answers are counted as they stand. 0 is for what does not apply.
        """
        values = [value for value, _, _ in self.legend()]
        free = range(1 if getattr(self, "not_applicable", False) else 0, 10)
        if getattr(self, "show_numbers", False) and all(value in free for value in values):
            return values  # type: ignore[return-value]
        places = [n % 10 if n <= 10 else None for n, _ in enumerate(values, 1)]
        return [place if place in free else None for place in places]

    def fits_on_phone(self) -> bool:
        """Whether the radio buttons stand side by side even on a phone."""
        labels = [label for _, label, _ in self.legend()]
        words = [word for label in labels for word in label.split()]
        return (
            not getattr(self, "show_numbers", False)
            and not getattr(self, "not_applicable", False)
            and max(map(len, labels)) <= LONGEST_LABEL
            and all(len(word) * len(labels) <= PHONE_WIDTH for word in words)
        )

    def refusal(
        self, message: str, answer: Answer, allowed: Sequence[object] = (), *, code: str = ""
    ) -> InputError:
        """An error that names this question, the answer and what is allowed."""
        given = shortened(answer) if isinstance(answer, str) else quoted(answer)
        names = tuple(map(str, allowed))
        return input_error(message, field=self.id, value=given, allowed=names, code=code)

    def _faulty_examples(self) -> Iterator[Problem]:
        for n, example in enumerate(self.examples, 1):
            try:
                self.check(example.answer, example.item())
            except InputError as error:
                yield from replaced(error, field=f"examples.{n}.answer")


class Rating(Question, frozen=True, kw_only=True):
    """A question about one translation, with one value as its answer."""

    not_applicable: bool = False

    def legal(self, answer: Answer) -> Answer:
        """The answer as it will be stored, where it is not "not applicable"."""
        raise NotImplementedError

    def label(self, answer: Answer) -> str | None:
        """The answer in words, for the tables."""
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


def replaced(error: InputError, *, field: str) -> Iterator[Problem]:
    """The faults of an error, each at another place."""
    for problem in error.problems:
        yield problem.changed(field=field)


def doubled(values: Iterable[str | int], field: str) -> Iterator[Problem]:
    """A fault for each value that stands in a list more than once."""
    for value, count in Counter(values).items():
        if count > 1:
            yield Problem(message=f"{quoted(value)} occurs {count} times", field=field)


def nearest(quality: float, steps: int) -> int:
    """Which of `steps` equal steps, from 0 for the worst, a quality between 0 and 1 falls on."""
    return min(max(round(quality * (steps - 1)), 0), steps - 1)


def from_json(text: str) -> object:
    """What a script has put into a field as JSON; the text itself where it is none."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
