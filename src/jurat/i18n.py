"""Texts in several languages, and numbers, dates and plurals as each language writes them.

`locales/` has a folder for each language with its catalogues: `pages.yaml` (the interface),
`reminders.yaml` (e-mails), `charts.yaml` (titles and axes), `findings.yaml` (sentences of the
statistics), `protocols.yaml` (what judges are asked) and `examples.yaml` (why an example's answer
is right). English pages and reminders are the originals; the others are English by themselves and
have only translations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache, cached_property, lru_cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import msgspec

from jurat.yamlfile import Declaration

if TYPE_CHECKING:
    from babel import Locale

DEFAULT = "en"
# Characters of an Accept-Language header that are looked at: it comes from outside.
LONGEST_HEADER = 500
_NAME = re.compile(r"^name: (.+)$", re.MULTILINE)
# The hyphen before a number, but not within a name or date such as `system-2`.
_MINUS = re.compile(r"(?<![\w.,)\]-])-(?=\d)")

Part = Literal["pages", "reminders", "charts", "findings", "protocols", "examples"]
# Text by key; where a number decides, by its plural form (one, few, many, other).
Words = Mapping[str, str | dict[str, str]]


class Catalog(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a catalogue file, but for `protocols.yaml` and `examples.yaml`."""

    language: str
    name: str
    words: dict[str, str | dict[str, str]]


class Language:
    """A language with its texts, which are read when the first of them is needed.

    A key that it lacks is looked up in `other`.
    """

    def __init__(
        self, code: str, name: str, read: Callable[[], Words], other: Language | None = None
    ) -> None:
        self.code = code
        self.name = name
        self._read = read
        self._other = other

    @cached_property
    def _words(self) -> Words:
        return self._read()

    @cached_property
    def locale(self) -> Locale:
        """How numbers and dates are written; our English is that of Britain."""
        # Babel comes with the extra `web`: who only reads protocols does without it.
        from babel import Locale

        return Locale.parse("en_GB" if self.code == DEFAULT else self.code)

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all its own texts."""
        return frozenset(self._words)

    def say(self, key: str, **values: object) -> str:
        """The text of a key, with the values filled in; a value `count` chooses the plural form."""
        if key not in self._words and self._other:
            return self._other.say(key, **values)
        found = self._words[key]
        if isinstance(found, dict):
            count = values.get("count")
            # a catalogue need not have all forms of its language: `other` stands in
            form = self.locale.plural_form(count if isinstance(count, int | float) else 0)
            found = found.get(form) or found["other"]
        shown = {name: self._shown(value) for name, value in values.items()}
        # not formatted without values, so that such a text may contain braces
        return found.format(**shown) if shown else found

    def number(self, value: float) -> str:
        """A number as the language writes it."""
        return _number(value, None, self.locale)

    def decimal(self, value: float, places: int) -> str:
        """A measured number, always with so many decimals, so that columns of them line up."""
        pattern = f"#,##0.{'0' * places}" if places else "#,##0"
        # a small negative number would be written as -0.000
        return _number(0.0 if round(value, places) == 0 else value, pattern, self.locale)

    def percent(self, value: float, places: int = 0) -> str:
        """A share of 100 with its sign; in English as the statistics write it, with a space."""
        # the space does not break, so that the sign stays with its number
        spaced = self.code == DEFAULT or "\xa0" in self.locale.percent_formats[None].pattern
        return self.decimal(value, places) + ("\xa0%" if spaced else "%")

    def time(self, value: datetime) -> str:
        """A time as the language writes it, in UTC; a script shows the reader's own time."""
        return _moment(value, self.locale)

    def day(self, value: datetime) -> str:
        """A date as the language writes it."""
        return _day(value, self.locale)

    def short_day(self, value: datetime) -> str:
        """A day and month, for the heading of a narrow column: `2 Mar`."""
        return _of_skeleton("MMMd", value, self.locale)

    def hour(self, value: datetime) -> str:
        """The hour of a time in UTC, for the heading of a narrow column: `09:00`."""
        return _of_skeleton("Hm", value, self.locale)

    def date(self, value: date) -> str:
        """A day that is given as such, without a time."""
        return _date(value, self.locale)

    def minutes(self, span: timedelta) -> str:
        """A duration in words: `about 2 hours`, `about 25 minutes`."""
        minutes = max(1, round(span.total_seconds() / 60))
        if minutes < 90:
            return self.say("about-minutes", count=minutes)
        return self.say("about-hours", count=round(minutes / 60))

    def _shown(self, value: object) -> object:
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        return self.number(value) if plain else value  # type: ignore[arg-type]


def with_minus(text: str) -> str:
    """A text with the minus sign before its negative numbers, as on all pages, and no hyphen."""
    return _MINUS.sub("−", text)


# Pages count steps and list what hardly changes: the same numbers and moments come again and again.


@lru_cache(4096)
def _number(value: float, pattern: str | None, locale: Locale) -> str:
    from babel.numbers import format_decimal

    return with_minus(str(format_decimal(value, pattern, locale=locale)))


@lru_cache(4096)
def _moment(value: datetime, locale: Locale) -> str:
    from babel.dates import format_datetime

    return f"{format_datetime(value.astimezone(UTC), 'short', locale=locale)} UTC"


@lru_cache(4096)
def _of_skeleton(skeleton: str, value: datetime, locale: Locale) -> str:
    from babel.dates import format_skeleton

    return str(format_skeleton(skeleton, value.astimezone(UTC), locale=locale))


@lru_cache(4096)
def _day(value: datetime, locale: Locale) -> str:
    return _date(value.astimezone(UTC).date(), locale)


def _date(value: date, locale: Locale) -> str:
    from babel.dates import format_date

    return str(format_date(value, "long", locale=locale))


def catalogue_files(part: Part) -> Iterator[tuple[str, bytes]]:
    """The code and the content of each language's catalogue of that part, by code."""
    for folder in sorted(files("jurat").joinpath("locales").iterdir(), key=lambda one: one.name):
        file = folder / f"{part}.yaml"
        if file.is_file():
            yield folder.name, file.read_bytes()


def language_names(part: Part) -> dict[str, str]:
    """The name of each language that has this part, in itself, by language code."""
    # Every page lists them and is read in one of them; parsing a catalogue takes 20 ms and more,
    # so the name is looked up in the text of the file.
    return {code: _NAME.findall(content.decode())[0] for code, content in catalogue_files(part)}


@cache
def catalogue(part: Part, code: str) -> Words:
    """The texts of a part in a language; none where it has no such part."""
    content = dict(catalogue_files(part)).get(code)
    if content is None:
        return {}
    return Declaration(content, file=f"{code}/{part}.yaml").read(Catalog).words


@cache
def languages(part: Part = "pages") -> dict[str, Language]:
    """Every language that has this part, English first; others fall back to English."""
    names = language_names(part)
    english = Language(DEFAULT, names.pop(DEFAULT), partial(catalogue, part, DEFAULT))
    others = (
        Language(code, name, partial(catalogue, part, code), english)
        for code, name in names.items()
    )
    return {one.code: one for one in (english, *others)}


@lru_cache(256)
def preferred(wanted: str, declared: str, accepted: str) -> Language:
    """The chosen language, else the campaign's, else the first that the browser accepts.

    Args:
        wanted: the language code that the person chose, or an empty string.
        declared: the campaign's language code, or an empty string.
        accepted: the `Accept-Language` header.
    """
    known = languages()
    for code in (wanted, declared, *_asked(accepted)):
        tag = code.lower()
        # `de-AT` is answered by `de`
        for one in (tag, tag.partition("-")[0]):
            if one in known:
                return known[one]
    return known[DEFAULT]


def _asked(accepted: str) -> list[str]:
    """The language tags of an Accept-Language header by weight; those of weight 0 are left out."""
    weighed: list[tuple[float, str]] = []
    for part in accepted[:LONGEST_HEADER].split(","):
        tag, _, rest = part.partition(";")
        weight = _weight(rest)
        if weight > 0:
            weighed.append((weight, tag.strip()))
    # stable: tags of equal weight keep the order of the header
    return [tag for _, tag in sorted(weighed, key=lambda one: -one[0])]


def _weight(said: str) -> float:
    name, _, number = said.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(number)
    except ValueError:
        return 0.0
