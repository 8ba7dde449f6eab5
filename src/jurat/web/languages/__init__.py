"""The interface in the judge's language: one file a language, with the same keys in each."""

from __future__ import annotations

from functools import lru_cache

from jurat.speaking import DEFAULT, Language, Words, spoken_in

__all__ = ["DEFAULT", "Language", "Words", "languages", "preferred"]

LONGEST = 500
"""Characters of a header that are looked at."""


def languages() -> dict[str, Language]:
    """Every language that there is a file of, English first."""
    return spoken_in(__name__)


@lru_cache(256)
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
