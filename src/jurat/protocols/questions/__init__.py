"""The kinds of question, one module or folder each.

A kind is a subclass of `Question` with a `name`. It defines the fields that a protocol can set, the
legal answers and their level of measurement, the rows that they become in the tables, how a
simulated judge answers, and the form on the page. By default that is a row of radio buttons; a kind
that needs more names a template, a script and a style in its own folder.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Literal, Protocol

import msgspec

from jurat.condition_language import Condition, parse
from jurat.errors import InputError, Problem, input_error, quoted, raise_problems, shortened
from jurat.model import Item, ReadingQuestion, Shown
from jurat.protocols.question_assets import defining_class
from jurat.protocols.shortcut_keys import AnswerChoice, answer_choices, not_applicable_key
from jurat.protocols.shortcut_keys import Say as Say
from jurat.registry import Registry

Level = Literal["nominal", "ordinal", "interval", "ratio", "text"]
# How many systems' translations are on the screen.
Screen = Literal["one", "two", "all"]
# Plain JSON data.
Answer = object
# The fields of an HTML form, by name.
Form = Mapping[str, str]
# The answer "not applicable": a value of its own, neither zero nor missing.
NA = "n/a"

# How far two answers may differ without adjudication, as a share of the range.
TOLERATED = 0.25

# What a translation is compared with, on which the text of a question may depend.
COMPARED_WITH = ("source", "reference")
NAME_RULE = "letters, digits and hyphens only, a letter first"
# Characters that fit next to each other on a phone, of all answers and of one answer.
PHONE_WIDTH = 42
LONGEST_LABEL = 12


class Row(msgspec.Struct, frozen=True):
    """A row that an answer becomes: the name of the table and the values by column."""

    table: str
    values: Mapping[str, object]


class OnScreen(Protocol):
    """What a judge sees of an item, as needed to read a form."""

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
    """A worked example for the guidelines: what is shown, the right answer, and why."""

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
        """The translations as a tuple, even if there is only one."""
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
    """An example's answer in words: `text`, or `parts` where it has several."""

    text: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    """The subject and the answer of each part."""
    point: int = 0
    """The point of a scale, counted from 1, out of `points`."""
    points: int = 0
    marks: tuple[tuple[int, int, int], ...] = ()
    """Marked stretches of the translation: start and end (code points), and severity rank (0-2)."""


class Confirm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When an answer is asked back before it is sent; the judge may keep it.

    `when` is a condition on the answers so far, this one included. With `without`, that question
    must also have been answered with nothing, such as no marked errors.
    """

    when: str
    ask: str
    """What the judge is asked, in words that any answer fits."""
    without: str = ""


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all kinds of question; a subclass with a `name` is a kind."""

    name: ClassVar[str]
    level: ClassVar[Level]
    screens: ClassVar[frozenset[Screen]] = frozenset({"one"})
    """The numbers of systems on the screen with which it can be asked."""
    records: ClassVar[tuple[str, ...]] = ("judgments",)
    """The tables that get rows from an answer."""

    # The form on the page. Each file is in the package of the class that names it, and a subclass
    # inherits it from there.
    template: ClassVar[str] = "radio_buttons.html"
    script: ClassVar[str] = ""
    style: ClassVar[str] = ""
    same_for_every_item: ClassVar[bool] = True
    """Whether the empty form does not depend on the texts, so that it can be cached.

    It applies to the template of the same class only: a class with its own template sets it again.
    """
    shows_translations: ClassVar[bool] = False
    """Whether the form shows the translations, so that the page does not show them above it."""
    beside_texts: ClassVar[bool] = False
    """Whether the form is next to the texts on a wide screen, rather than below them."""

    id: str
    ask: str | dict[str, str]
    """The text of the question, or two texts by what the translation is compared with."""
    hint: str = ""
    when: str = ""
    required: bool = True
    confirm: tuple[Confirm, ...] = ()
    """When the page asks the judge to look at the answer once more."""
    examples: tuple[Example, ...] = ()

    def __post_init__(self) -> None:
        raise_problems(list(self.problems()))
        # examples can only be checked by a question that is valid itself
        raise_problems(list(self._faulty_examples()))

    def problems(self) -> Iterator[Problem]:
        """All problems of the question as declared; a kind adds its own."""
        if not is_name(self.id):
            message = f"{quoted(self.id)} is not a valid question name: {NAME_RULE}"
            yield Problem(message=message, field="id")
        if isinstance(self.ask, dict) and (not self.ask or not {*self.ask} <= {*COMPARED_WITH}):
            message = "the text of a question can only depend on what is shown"
            yield Problem(message=message, field="ask", allowed=COMPARED_WITH)
        try:
            _ = self.condition
        except InputError as error:
            yield from replaced(error, field="when")
        for n, confirm in enumerate(self.confirm, 1):
            try:
                parse(confirm.when)
            except InputError as error:
                yield from replaced(error, field=f"confirm.{n}.when")

    @property
    def nested(self) -> tuple[Question, ...]:
        """The questions of which it consists, if it consists of any."""
        return ()

    @property
    def condition(self) -> Condition | None:
        """The condition on earlier answers under which it is asked; None: always."""
        return parse(self.when) if self.when else None

    def wording(self, show: Collection[str]) -> str:
        """The text of the question, given what is shown."""
        if isinstance(self.ask, str):
            return self.ask
        compared_with = "reference" if {"reference", "references"} & set(show) else "source"
        return self.ask.get(compared_with) or next(iter(self.ask.values()))

    def check(self, answer: Answer, item: Item) -> Answer:
        """The answer as it will be stored; raises `InputError` if it is not legal."""
        raise NotImplementedError

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        """The rows of the tables that a checked answer becomes."""
        raise NotImplementedError

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        """The answer of a simulated judge who perceives these qualities, 0 to 1."""
        raise NotImplementedError

    def number(self, answer: Answer, item: Item) -> float | None:
        """An answer as a number, higher is better; None if it has none."""
        return None

    def maximum(self, answer: Answer, item: Item) -> float | None:
        """The number of the best possible answer."""
        return None

    @property
    def tolerance(self) -> float:
        """How far apart two judges' numbers may be before an adjudicator has to decide."""
        return 0.0

    def answers(self) -> tuple[Answer, ...]:
        """All possible answers, best first; empty if they cannot be listed."""
        return ()

    def legend(self) -> Iterator[tuple[object, str, str]]:
        """Answer, label and meaning of everything that can be chosen; by default the answers."""
        for answer in self.answers():
            yield answer, str(answer), ""

    def usable(self, answer: Answer, item: Item) -> Answer | None:
        """What can be shown again of an answer that a judge has begun; None if nothing can.

        An answer that is legal, a list whose gaps (None) are still to be filled, or the legal parts
        of a list.
        """
        if not isinstance(answer, list):
            return answer if self._is_legal(answer, item) else None
        if self._is_legal(self._without_gaps(answer, item), item):
            return answer
        parts = [part for part in answer if self._is_legal([part], item)]
        return parts if parts and self._is_legal(parts, item) else None

    def _without_gaps(self, answer: list[object], item: Item) -> list[object]:
        """A list with simulated answers in its gaps, so that the rest of it can be checked."""
        # A list with gaps is not valid as a whole, though what is in it may be.
        anything = self.simulate(item, [0.5] * len(item.translations), Random(0))
        if None not in answer or not isinstance(anything, list) or len(anything) != len(answer):
            return answer
        return [one if own is None else own for own, one in zip(answer, anything, strict=True)]

    def _is_legal(self, answer: Answer, item: Item) -> bool:
        try:
            self.check(answer, item)
        except InputError:
            return False
        return True

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        """The answer in the fields of a form; None if there is none.

        An illegal answer is returned as it was sent, for `check` to reject. By default this reads
        radio buttons, whose values are texts in the form and may be numbers here.
        """
        sent = form.get(self.field())
        # forms send texts: "5" becomes the 5 that a scale has
        known = {str(value): value for value in (*self.answers(), NA)}
        return None if sent is None else known.get(sent, sent)

    def field(self, *parts: object) -> str:
        """The name of a field in the form: `q.adequacy`; with parts `q.concepts.2`."""
        return ".".join(("q", self.id, *map(str, parts)))

    def describe(self, example: Example, say: Say) -> Described:
        """An example's answer in words; `say` returns texts of the interface by key."""
        if example.answer == NA:
            return Described(text=say("not-applicable"))
        # no dictionary: an answer may be a list, which cannot be a key
        names = (one.name(say) for one in self.choices() if one.value == example.answer)
        return Described(text=next(names, str(example.answer)))

    @property
    def has_radio_buttons(self) -> bool:
        """Whether its form is the default one, a row of radio buttons."""
        return defining_class(type(self), "template") is Question

    @property
    def shows_numbers(self) -> bool:
        """Whether judges see the values of the answers, as numbers."""
        return bool(getattr(self, "show_numbers", False))

    def choices(self) -> list[AnswerChoice]:
        """Everything of the legend with its key, number and name, in the order of the page."""
        return answer_choices(
            self.legend(),
            numbered=self.shows_numbers,
            not_applicable=getattr(self, "not_applicable", False),
        )

    @property
    def not_applicable_key(self) -> str:
        """The key of "not applicable"; empty where it has none."""
        values = [value for value, _, _ in self.legend()]
        return not_applicable_key(values, numbered=self.shows_numbers)

    def answer_name(self, answer: Answer, say: Say, *, numbers: bool = False) -> str:
        """What a single answer is called; with `numbers` by its number even where it is hidden."""
        if answer == NA:
            return say("not-applicable")
        chosen = (choice for choice in self.choices() if choice.value == answer)
        names = (choice.full_name(say, numbers=numbers) for choice in chosen)
        return next(names, str(answer))

    def fits_on_phone(self) -> bool:
        """Whether the radio buttons fit side by side on a phone."""
        labels = [label for _, label, _ in self.legend()]
        words = [word for label in labels for word in label.split()]
        return (
            not self.shows_numbers
            and not getattr(self, "not_applicable", False)
            and max(map(len, labels)) <= LONGEST_LABEL
            and all(len(word) * len(labels) <= PHONE_WIDTH for word in words)
        )

    def refusal(
        self, message: str, answer: Answer, allowed: Sequence[object] = (), *, code: str = ""
    ) -> InputError:
        """An `InputError` with this question, the answer and what is allowed."""
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
    """A question about one translation whose answer is one value."""

    not_applicable: bool = False

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lowest and the highest number that an answer can be; None where it is no number."""
        return None

    def legal(self, answer: Answer) -> Answer:
        """The answer, unless "not applicable", as it will be stored; or `InputError`."""
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
    """Whether a text is a valid name of a question, protocol or task (see `NAME_RULE`)."""
    # \w is Unicode: names may be in any script
    return re.fullmatch(r"[^\W\d_][\w-]*", text) is not None


def replaced(error: InputError, *, field: str) -> Iterator[Problem]:
    """The problems of an error, with another field."""
    for problem in error.problems:
        yield problem.changed(field=field)


def doubled(values: Iterable[str | int], field: str) -> Iterator[Problem]:
    """A problem for each value that occurs more than once."""
    for value, count in Counter(values).items():
        if count > 1:
            yield Problem(message=f"{quoted(value)} occurs {count} times", field=field)


def nearest(quality: float, steps: int) -> int:
    """The step, from 0 for the worst, that is nearest to a quality between 0 and 1."""
    # qualities are drawn with noise and may lie outside 0 to 1
    return min(max(round(quality * (steps - 1)), 0), steps - 1)


def from_json(text: str) -> object:
    """The value that a script wrote as JSON; the text itself if it is not JSON."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
