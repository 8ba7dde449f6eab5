"""What is wrong with something a user gave, and where: the one shape of every complaint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import msgspec

from jurat.conversion import convert

UNKNOWN = "unknown"
"""The code of a name that is not among those known."""
LONGEST = 60
"""Characters of a user's text that a message quotes."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong: what, where, and what would have been right."""

    message: str
    file: str | None = None
    line: int | None = None
    document: str | None = None
    segment: str | None = None
    field: str | None = None
    value: object = None
    allowed: tuple[str, ...] = ()
    code: str = ""
    """Names it for those who say it in other words, as pages do in the judge's language."""

    @property
    def place(self) -> str:
        """Where it is: `sets/news.tsv:12, document d1, segment 3`."""
        spot = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        if self.file is None and self.line is not None:
            spot = f"line {self.line}"
        named = (("document", self.document), ("segment", self.segment), ("field", self.field))
        return ", ".join([*([spot] if spot else []), *(f"{n} {v}" for n, v in named if v)])

    def __str__(self) -> str:
        """Say it in one line, which commands no terminal."""
        parts = [f"{self.place}: {self.message}" if self.place else self.message]
        if self.allowed:
            parts.append(f"allowed: {', '.join(self.allowed)}")
        if hint := did_you_mean(self.value, self.allowed):
            parts.append(hint)
        return _CONTROL.sub(lambda m: ascii(m[0])[1:-1], "; ".join(parts))


class FaultyInput(ValueError):
    """A user's input cannot be used; carries every fault that was found in it."""

    def __init__(self, faults: Fault | Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


def complain(message: str, **where: object) -> FaultyInput:
    """A `FaultyInput` of a single fault, to be raised."""
    return FaultyInput(convert({"message": message, **where}, Fault))


def refuse(faults: Sequence[Fault]) -> None:
    """Raise all the faults at once, if there are any."""
    if faults:
        raise FaultyInput(faults)


def did_you_mean(word: object, allowed: Iterable[str]) -> str:
    """`did you mean 'fluency'?`, or nothing when no allowed word is close."""
    found = closest(word, allowed)
    return f"did you mean '{found}'?" if found else ""


def closest(word: object, allowed: Iterable[str]) -> str:
    """The allowed word that was probably meant, or nothing."""
    if word is None:
        return ""
    small, by_lower = str(word).lower(), {name.lower(): name for name in allowed}
    begun = [name for name in by_lower if len(small) > 2 and name.startswith(small)]
    close = get_close_matches(small, by_lower, n=1, cutoff=0.6) or begun
    return by_lower[close[0]] if close else ""


def unknown(what: str, word: object, allowed: Iterable[str], **where: object) -> FaultyInput:
    """A name that is not among those known."""
    told = {"value": word, "allowed": tuple(allowed), "code": UNKNOWN, **where}
    return complain(f"unknown {what} {quoted(word)}", **told)


def quoted(value: object) -> str:
    """What a user gave, as a message says it: `'seven'`, `7`, `a list`, `nothing`."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return f"'{shortened(value)}'"
        case list() | tuple():
            return "a list"
        case dict():
            return "names with values"
        case int() if abs(value) >= 10**18:
            return "a huge number"
    return str(value)


def shortened(text: str) -> str:
    """A text as far as a message has room for it."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
