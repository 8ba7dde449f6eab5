"""What an audit has to say, and how grave it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a coordinator should know before he starts."""

    severity: Severity
    message: str
    task: str = ""

    def __str__(self) -> str:
        where = f"task {self.task}: " if self.task else ""
        return f"{self.severity}: {where}{self.message}"


def error(message: str) -> Finding:
    """What must be mended before the start."""
    return Finding(severity="error", message=message)


def warning(message: str) -> Finding:
    """What a coordinator may want to mend."""
    return Finding(severity="warning", message=message)


def note(message: str) -> Finding:
    """What is good to know."""
    return Finding(severity="note", message=message)


def some(number: int, word: str) -> str:
    """`no kits`, `1 kit`, `2 kits`."""
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def listed(numbers: Sequence[int]) -> str:
    """`kit 3`, `kits 1 to 8`, `kits 2, 5`."""
    if len(numbers) == 1:
        return f"kit {numbers[0]}"
    if list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"kits {numbers[0]} to {numbers[-1]}"
    return f"kits {', '.join(map(str, numbers))}"
