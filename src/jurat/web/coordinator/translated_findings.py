"""Findings of the statistics in the reader's language.

Statistics speak English. `locales/<language>/findings.yaml` has their sentences with names in
braces for what varies, such as `{count} systems`, and their translations; `{has|have}` is either
word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from jurat.i18n import DEFAULT, Language, catalogue, languages

# A question or split before a sentence, `adequacy, genre news: `.
_WHERE = r"(?:(?P<where_>[^:.]+): )?"
_FIELD = re.compile(r"\{([a-z]+(?:\|[a-z]+)*)\}")
_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.(\d+))?(?!\w)")
_PERCENT = re.compile(r"(?<![\w.,])(\d+) %")
_INTERVAL = re.compile(r"\[([^\[\]]+?), ([^\[\]]+?)\]")
# Fields that hold names, which are left as they are.
_NAMES = ("names", "question", "where_")
_MORE = re.compile(r"(.+) and (\d+) more")


class Sentence(NamedTuple):
    """A sentence of the statistics, and its translation."""

    pattern: re.Pattern[str]
    translation: str


def finding(text: str, language: Language) -> str | None:
    """A finding in a language; None if one of its sentences is not translated."""
    said: list[str] = []
    at = 0
    while at < len(text):
        # the shortest: a field of names can reach over the end of the sentence into the next one
        found = min(_translated(text, at, language), key=lambda one: one[1], default=None)
        # all or none: a finding half in English would be worse
        if found is None:
            return None
        words, at = found
        said.append(words)
    # Chinese has no space after a full stop
    return " ".join(said).replace("。 ", "。") or None


def _translated(text: str, at: int, language: Language) -> Iterator[tuple[str, int]]:
    """The translations of the sentence that begins at a position, each with the sentence's end."""
    for sentence in sentences(language.code):
        found = sentence.pattern.match(text, at)
        if not found:
            continue
        fields = found.groupdict()
        where = fields.pop("where_")
        shown = {name: _shown(name, value, language) for name, value in fields.items()}
        if None in shown.values():
            continue
        words = sentence.translation.format(**shown)
        yield (f"{where}: {words}" if where else words), found.end()


@cache
def sentences(code: str) -> tuple[Sentence, ...]:
    """The sentences that are known in a language, in the order of its catalogue."""
    words = catalogue("findings", code).items()
    return tuple(Sentence(_pattern(text), said) for text, said in words if isinstance(said, str))


def _pattern(text: str) -> re.Pattern[str]:
    # after a question the first letter is small
    parts = _FIELD.split(text)
    for n, part in enumerate(parts):
        if n % 2 == 0:
            parts[n] = re.escape(part)
        else:
            # a count, or the field before it could end within an interval
            content = r"\d[\d,]*(?:, \d[\d,]*)*(?:, …)?" if part == "n" else ".+?"
            parts[n] = f"(?:{part})" if "|" in part else f"(?P<{part}>{content})"
    return re.compile(rf"{_WHERE}{''.join(parts)}(?: |$)", re.IGNORECASE)


def _shown(name: str, value: str, language: Language) -> str | None:
    """The content of a field: a list of names, or numbers as the language writes them.

    `rule` is one by which judges stand out, and `values` are phrases with a semicolon between them,
    each translated by itself; None where one is not known.
    """
    if name == "values":
        said = [finding(part, language) for part in value.split("; ")]
        return None if None in said else "; ".join(filter(None, said))
    if name == "rule":
        return _rules().get(value) and language.say(_rules()[value])
    if name == "names":
        return _listed(value, language)
    if name in _NAMES:
        return value
    text = _PERCENT.sub(lambda found: language.percent(float(found[1])), value)
    text = _NUMBER.sub(lambda found: _number(found, language), text)
    # where decimals have a comma, another one between two numbers would be misread
    return _INTERVAL.sub(r"[\1; \2]", text) if "," in language.decimal(0.5, 1) else text


@cache
def _rules() -> dict[str, str]:
    """The keys of the rules by which judges stand out, by their English words."""
    english = languages()[DEFAULT]
    return {english.say(key): key for key in english.keys if key.startswith("desk-way-")}


def _number(found: re.Match[str], language: Language) -> str:
    return language.decimal(float(found[0].replace(",", "")), len(found[1] or ""))


def _listed(names: str, language: Language) -> str:
    """`A, B and C`, or `A, B and 3 more`, in a language."""
    # Babel is an extra, and is here wherever pages are
    from babel.lists import format_list

    more = _MORE.fullmatch(names)
    if more:
        others = language.say("desk-and-more", count=int(more[2]))
        return format_list([*more[1].split(", "), others], locale=language.locale)
    *first, last = names.rsplit(" and ", 1)
    every = [*(first[0].split(", ") if first else ()), last]
    return format_list(every, locale=language.locale)
