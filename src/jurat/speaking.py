"""Words in several languages, a file each; numbers and plurals as they are written in it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property, lru_cache
from importlib.resources import files

import msgspec
from babel import Locale
from babel.dates import format_date, format_datetime
from babel.numbers import format_decimal

from jurat.declarations import Declaration

DEFAULT = "en"


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

    @cached_property
    def locale(self) -> Locale:
        """How numbers and dates are written; our English is that of Britain."""
        return Locale.parse("en_GB" if self.code == DEFAULT else self.code)

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
        """A number as it is written here."""
        return _number(value, None, self.locale)

    def decimal(self, value: float, places: int) -> str:
        """A measured number, always with so many decimals, so that columns of them line up."""
        pattern = f"#,##0.{'0' * places}" if places else "#,##0"
        return _number(value, pattern, self.locale)

    def time(self, value: datetime) -> str:
        """A moment as it is written here, in UTC; a script shows the reader's own time."""
        return _moment(value, self.locale)

    def day(self, value: datetime) -> str:
        """A day as it is written here."""
        return _day(value, self.locale)

    def minutes(self, span: timedelta) -> str:
        """`about 2 hours`, `about 25 minutes`."""
        minutes = max(1, round(span.total_seconds() / 60))
        if minutes < 90:
            return self.say("about-minutes", count=minutes)
        return self.say("about-hours", count=round(minutes / 60))

    def _shown(self, value: object) -> object:
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        return self.number(value) if plain else value  # type: ignore[arg-type]


# Pages count steps and list what hardly changes: the same numbers and moments come again and again.


@lru_cache(4096)
def _number(value: float, pattern: str | None, locale: Locale) -> str:
    return str(format_decimal(value, pattern, locale=locale))


@lru_cache(4096)
def _moment(value: datetime, locale: Locale) -> str:
    return f"{format_datetime(value.astimezone(UTC), 'short', locale=locale)} UTC"


@lru_cache(4096)
def _day(value: datetime, locale: Locale) -> str:
    return str(format_date(value.astimezone(UTC), "long", locale=locale))


@cache
def spoken_in(package: str) -> dict[str, Language]:
    """Every language that a package has a file of, English first."""
    found: dict[str, Words] = {}
    for file in files(package).iterdir():
        if file.name.endswith(".yaml"):
            words = Declaration(file.read_bytes(), file=file.name).read(Words)
            found[words.language] = words
    english = Language(found.pop(DEFAULT))
    others = {code: Language(words, english) for code, words in sorted(found.items())}
    return {DEFAULT: english, **others}
