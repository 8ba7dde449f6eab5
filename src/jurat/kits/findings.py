"""What an audit has to say, and how grave it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


class Sentence(NamedTuple):
    """What is said, for those who say it in other words: as pages do in the reader's language."""

    code: str
    values: Mapping[str, str | float]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a coordinator should know before he starts."""

    severity: Severity
    message: str
    task: str = ""
    said: tuple[Sentence, ...] = ()
    """The same as the message; nothing where it quotes a fault of the plan's."""

    def __str__(self) -> str:
        where = f"task {self.task}: " if self.task else ""
        return f"{self.severity}: {where}{self.message}"


def error(message: str, code: str = "", **values: str | float) -> Finding:
    """What must be mended before the start."""
    return _finding("error", message, code, values)


def warning(message: str, code: str, **values: str | float) -> Finding:
    """What a coordinator may want to mend."""
    return _finding("warning", message, code, values)


def note(message: str, code: str, **values: str | float) -> Finding:
    """What is good to know."""
    return _finding("note", message, code, values)


def _finding(
    severity: Severity, message: str, code: str, values: Mapping[str, str | float]
) -> Finding:
    said = (Sentence(code, values),) if code else ()
    return Finding(severity=severity, message=message, said=said)


def some(number: int, word: str) -> str:
    """`no kits`, `1 kit`, `2 kits`."""
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def listed(numbers: Sequence[int]) -> str:
    """`kit 3`, `kits 1 to 8`, `kits 2, 5`."""
    return f"kit{'' if len(numbers) == 1 else 's'} {numbered(numbers).replace('–', ' to ')}"


def numbered(numbers: Sequence[int]) -> str:
    """`3`, `1–8`, `2, 5`."""
    if len(numbers) > 1 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers))
