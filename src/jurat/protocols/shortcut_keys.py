"""Which key chooses which answer, and what the answer is called.

Pages, adjudication and guidelines take keys, numbers and names of answers from here, so that they
never contradict each other. Where a question shows its numbers, the key is the number. Where it
hides them, keys go by place, and answers without a label are called by their place. Severities and
categories of errors have the same keys in all protocols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

# Texts of the interface in the reader's language, by key.
Say = Callable[..., str]

# Severities, groups of categories and categories in the order of their keys, from 1. Those of MQM
# come as in its typology; a protocol with only some of them has the same keys for these.
SEVERITIES = ("minor", "major", "neutral", "critical")
CATEGORY_GROUPS = (
    "accuracy",
    "fluency",
    "terminology",
    "style",
    "locale-convention",
    "source-error",
    "non-translation",
    "other",
)
CATEGORIES: Mapping[str, Sequence[str]] = {
    "accuracy": ("addition", "omission", "mistranslation", "untranslated-text"),
    "fluency": (
        "punctuation",
        "spelling",
        "grammar",
        "register",
        "inconsistency",
        "character-encoding",
    ),
    "terminology": ("inappropriate-for-context", "inconsistent-use"),
    "style": ("awkward",),
    "locale-convention": (
        "address-format",
        "currency-format",
        "date-format",
        "name-format",
        "telephone-format",
        "time-format",
    ),
}
# The key of "not applicable", and of "no errors".
NONE_KEY = "0"


class AnswerChoice(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that can be chosen: how it is stored, called and typed."""

    value: object
    label: str = ""
    meaning: str = ""
    number: str = ""
    """Its number as judges see it; empty where numbers are hidden."""
    key: str = ""
    """What is typed for it: a digit, or a minus and a digit; empty if it has no key."""
    place: int
    """From 1, in the order of the page, out of `places`."""
    places: int

    @property
    def key_label(self) -> str:
        """The key as it is written on the page."""
        return self.key.replace("-", "\N{MINUS SIGN}")

    def name(self, say: Say) -> str:
        """What the answer is called: by its label, else its number, else its place."""
        return self.label or self.number or say("point-of", number=self.place, count=self.places)

    def full_name(self, say: Say, *, numbers: bool = False) -> str:
        """The name, with its number where that is shown; with `numbers` also where it is hidden."""
        number = str(self.value) if numbers and not isinstance(self.value, str) else self.number
        if not number:
            return self.name(say)
        return f"{number} ({self.label})" if self.label else number


def answer_choices(
    legend: Iterable[tuple[object, str, str]], *, numbered: bool, not_applicable: bool
) -> list[AnswerChoice]:
    """The choices of a question, in order.

    Args:
        legend: value, label and meaning of each answer.
        numbered: whether judges see the values, as numbers.
        not_applicable: whether "not applicable" can be chosen, too.
    """
    answers = list(legend)
    taken = not_applicable_key([value for value, _, _ in answers], numbered=numbered)
    choices = []
    for place, (value, label, meaning) in enumerate(answers, 1):
        key = _number_key(value) if numbered else place_key(place)
        choices.append(
            AnswerChoice(
                value=value,
                label=label,
                meaning=meaning,
                number=str(value).replace("-", "\N{MINUS SIGN}") if numbered else "",
                key="" if not_applicable and key == taken else key,
                place=place,
                places=len(answers),
            )
        )
    return choices


def place_key(place: int) -> str:
    """The key of a place, as on the keyboard: 1 to 9, then 0 for the tenth; empty beyond."""
    return str(place % 10) if place <= 10 else ""


def not_applicable_key(values: Sequence[object], *, numbered: bool) -> str:
    """The key of "not applicable": 0, unless that is the number of an answer; then it has none."""
    return "" if numbered and 0 in values else NONE_KEY


def fixed_keys(names: Iterable[str], known: Sequence[str]) -> dict[str, str]:
    """The key of each name: its place among the known ones; others get digits that are left.

    Empty for names beyond the ninth.
    """
    listed = list(dict.fromkeys(names))
    keys = {name: str(known.index(name) + 1) for name in listed if name in known}
    free = iter([key for key in "123456789" if key not in keys.values()])
    return {name: keys.get(name) or next(free, "") for name in listed}


def _number_key(value: object) -> str:
    """The key of a number: the number itself, if it is typed with one digit."""
    return str(value) if isinstance(value, int) and abs(value) < 10 else ""
