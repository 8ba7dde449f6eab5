"""The interface in the judge's language: one file a language, with the same keys in each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from importlib.resources import files

import msgspec
from babel import Locale
from babel.dates import format_datetime
from babel.numbers import format_decimal

from jurat.declarations import Declaration

DEFAULT = "en"
LONGEST = 500
"""Characters of a header that are looked at."""


class Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a language's file."""

    language: str
    name: str
    words: dict[str, str | dict[str, str]]
    """Text by key; where a number decides, by its plural form (one, few, many, other)."""


class Language:
    """One of the languages, ready to speak; what it has no words for it says in another."""

    def __init__(self, words: Words, other: Language | None = None) -> None:
        self.code = words.language
        self.name = words.name
        self._words: Mapping[str, str | dict[str, str]] = words.words
        self._other = other
        self._numbers: dict[float, str] = {}

    @cached_property
    def locale(self) -> Locale:
        """How numbers and dates are written."""
        return Locale.parse(self.code)

    @property
    def keys(self) -> frozenset[str]:
        """Everything that can be said."""
        return frozenset(self._words)

    def say(self, key: str, **values: object) -> str:
        """The words of a key; `count` among the values chooses the plural."""
        if key not in self._words and self._other:
            return self._other.say(key, **values)
        found = self._words[key]
        if isinstance(found, dict):
            count = values.get("count")
            form = self.locale.plural_form(count if isinstance(count, int | float) else 0)
            found = found.get(form) or found["other"]
        shown = {name: self._shown(value) for name, value in values.items()}
        return found.format(**shown) if shown else found

    def number(self, value: float) -> str:
        """A number as it is written here; pages count steps, so the same come again and again."""
        if value not in self._numbers:
            self._numbers[value] = str(format_decimal(value, locale=self.locale))
        return self._numbers[value]

    def time(self, value: datetime) -> str:
        """A moment as it is written here, in UTC; a script shows the reader's own time."""
        return f"{format_datetime(value.astimezone(UTC), 'short', locale=self.locale)} UTC"

    def minutes(self, span: timedelta) -> str:
        """`about 2 hours`, `about 25 minutes`."""
        minutes = max(1, round(span.total_seconds() / 60))
        if minutes < 90:
            return self.say("about-minutes", count=minutes)
        return self.say("about-hours", count=round(minutes / 60))

    def _shown(self, value: object) -> object:
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        return self.number(value) if plain else value  # type: ignore[arg-type]


@cache
def languages() -> dict[str, Language]:
    """Every language that there is a file of, English first."""
    found: dict[str, Words] = {}
    for file in files(__name__).iterdir():
        if file.name.endswith(".yaml"):
            words = Declaration(file.read_bytes(), file=file.name).read(Words)
            found[words.language] = words
    english = Language(found.pop(DEFAULT))
    others = {code: Language(words, english) for code, words in sorted(found.items())}
    return {DEFAULT: english, **others}


def preferred(wanted: str, declared: str, accepted: str) -> Language:
    """What the judge chose, else what the campaign says, else what his browser asks for."""
    known = languages()
    for code in (wanted, declared, *_asked(accepted)):
        tag = code.lower()
        for one in (tag, tag.partition("-")[0]):
            if one in known:
                return known[one]
    return known[DEFAULT]


def _asked(accepted: str) -> list[str]:
    """The languages of an Accept-Language header, best first; what is weighed 0 is not wanted."""
    weighed: list[tuple[float, str]] = []
    for part in accepted[:LONGEST].split(","):
        tag, _, rest = part.partition(";")
        weight = _weight(rest)
        if weight > 0:
            weighed.append((weight, tag.strip()))
    return [tag for _, tag in sorted(weighed, key=lambda one: -one[0])]


def _weight(said: str) -> float:
    name, _, number = said.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(number)
    except ValueError:
        return 0.0
