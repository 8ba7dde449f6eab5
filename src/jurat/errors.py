"""Errors in a user's input: each problem with its place and what is allowed there.

Everything below the command line and the web raises `InputError`; these two print or show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

# `Problem.code` of an unknown name.
UNKNOWN = "unknown"
# Characters of a user's text that a message quotes at most.
LONGEST = 60

# Also line separators and half surrogates: they would break lines, or cannot be printed.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


# A dataclass: every command needs it, and importing msgspec takes a tenth of the start-up time.
@dataclass(frozen=True, kw_only=True)
class Problem:
    """One problem: the message, its place, the wrong value and the allowed ones."""

    message: str
    file: str | None = None
    line: int | None = None
    document: str | None = None
    segment: str | None = None
    field: str | None = None
    value: object = None
    allowed: tuple[str, ...] = ()
    code: str = ""
    """The kind of problem, by which pages find their own message."""

    def changed(self, **fields: Any) -> Problem:
        """A copy with other values in these fields."""
        return replace(self, **fields)

    @property
    def place(self) -> str:
        """The place of the problem: `sets/news.tsv:12, document d1, segment 3`."""
        spot = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        if self.file is None and self.line is not None:
            spot = f"line {self.line}"
        named = (("document", self.document), ("segment", self.segment), ("field", self.field))
        return ", ".join([*([spot] if spot else []), *(f"{n} {v}" for n, v in named if v)])

    def __str__(self) -> str:
        """One line: place, message, allowed values, suggestion; control characters are escaped."""
        parts = [f"{self.place}: {self.message}" if self.place else self.message]
        if self.allowed:
            parts.append(f"allowed: {', '.join(self.allowed)}")
        if hint := did_you_mean(self.value, self.allowed):
            parts.append(hint)
        return _CONTROL.sub(lambda m: ascii(m[0])[1:-1], "; ".join(parts))


class InputError(ValueError):
    """A user's input cannot be used; `problems` lists everything that is wrong with it."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = (
            (problems,) if isinstance(problems, Problem) else tuple(problems)
        )
        super().__init__("\n".join(map(str, self.problems)))


def input_error(message: str, *, allowed: Iterable[str] = (), **where: Any) -> InputError:
    """An `InputError` with a single problem, to be raised; `where` are fields of `Problem`."""
    return InputError(Problem(message=message, allowed=tuple(allowed), **where))


def raise_problems(problems: Sequence[Problem]) -> None:
    """Raise `InputError` with these problems, if there are any."""
    if problems:
        raise InputError(problems)


def did_you_mean(word: object, allowed: Iterable[str]) -> str:
    """A suggestion, `did you mean 'fluency'?`; empty if no allowed word is close."""
    found = closest(word, allowed)
    return f"did you mean '{found}'?" if found else ""


def closest(word: object, allowed: Iterable[str]) -> str:
    """The allowed word that was probably meant: a similar one, or one that begins like it.

    Empty if there is none. Similar means a ratio of matching characters of at least 0.6
    (`difflib.get_close_matches`).
    """
    from difflib import get_close_matches

    if word is None:
        return ""
    # compared in lower case, returned as it is written
    small, by_lower = str(word).lower(), {name.lower(): name for name in allowed}
    begun = [name for name in by_lower if len(small) > 2 and name.startswith(small)]
    close = get_close_matches(small, by_lower, n=1, cutoff=0.6) or begun
    return by_lower[close[0]] if close else ""


def unknown_name(what: str, name: object, allowed: Iterable[str], **where: Any) -> InputError:
    """An `InputError` for an unknown name, to be raised: `unknown metric 'blue'`."""
    message = f"unknown {what} {quoted(name)}"
    return input_error(message, value=name, allowed=allowed, **{"code": UNKNOWN, **where})


def quoted(value: object) -> str:
    """A user's value, as messages write it: `'seven'`, `7`, `a list`, `nothing`."""
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


def counted(number: int, word: str) -> str:
    """A number and its noun: `1 row`, `1,200 rows`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def shortened(text: str) -> str:
    """The text, cut to `LONGEST` characters with `…` at its end."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
