"""What an audit reports: the work in each task, and findings with codes for translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from jurat.errors import InputError, Problem
from jurat.model import Phase

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
# Codes of findings that say that there are too few judges.
SHORTAGES = ("unfinished", "have", "have-once")


class CodedMessage(NamedTuple):
    """A message as a code with values, for pages in the reader's language."""

    code: str
    values: Mapping[str, str | float]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding of an audit: what a coordinator should know before a campaign starts."""

    severity: Severity
    message: str
    task: str = ""
    said: tuple[CodedMessage, ...] = ()
    """The message as codes; empty if it quotes a problem of the plan."""

    @property
    def short(self) -> bool:
        """Whether it says that there are too few judges."""
        return bool(self.said) and self.said[0].code in SHORTAGES

    def __str__(self) -> str:
        where = f"task {self.task}: " if self.task else ""
        return f"{self.severity}: {where}{self.message}"


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The work in one phase of a task."""

    task: str
    phase: Phase
    kits: int
    blocks: int
    items: int
    """The number of items to be judged."""
    extra: int
    """The number of repeats and controls."""
    wanted: int
    """Judgments of each item; in a tutorial, one by each judge."""
    judgments: int
    """All decisions, on items, repeats and controls, as often as wanted."""
    required: int
    """The number of kits that a judge has to do."""
    judges: int
    """The number of judges who may do them."""
    judges_needed: int
    """The smallest number of judges who can finish it."""
    hours: float
    """Hours of all judges together."""
    hours_each: float
    """Hours of a judge who does the required kits."""


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """The work in a campaign, and all findings, errors first."""

    tasks: tuple[Coverage, ...]
    findings: tuple[Finding, ...]

    @property
    def hours(self) -> float:
        """Hours of all judges together, in all tasks."""
        return sum(each.hours for each in self.tasks)

    @property
    def judges_needed(self) -> int:
        """The smallest number of judges who can finish every task."""
        return max((each.judges_needed for each in self.tasks), default=0)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that have to be corrected before the start."""
        return tuple(each for each in self.findings if each.severity == "error")

    @property
    def obstacles(self) -> tuple[Finding, ...]:
        """The errors, and that judges are too few where more can register themselves."""
        short = (one for one in self.findings if one.short and one.severity != "error")
        return (*self.errors, *short)

    def raise_errors(self) -> None:
        """Raise `NotReady` if there are errors."""
        if self.errors:
            raise NotReady(self.errors)


class NotReady(InputError):
    """A campaign cannot start: its audit found errors."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__([Problem(message=str(one).removeprefix("error: ")) for one in findings])
        self.findings = findings


def error(message: str, code: str = "", **values: str | float) -> Finding:
    """An error, which has to be corrected before the campaign can start."""
    return _finding("error", message, code, values)


def warning(message: str, code: str, **values: str | float) -> Finding:
    """A warning: the campaign can start, but something may go wrong."""
    return _finding("warning", message, code, values)


def note(message: str, code: str, **values: str | float) -> Finding:
    """A note for information."""
    return _finding("note", message, code, values)


def _finding(
    severity: Severity, message: str, code: str, values: Mapping[str, str | float]
) -> Finding:
    said = (CodedMessage(code, values),) if code else ()
    return Finding(severity=severity, message=message, said=said)


def counted(number: int, word: str) -> str:
    """A number and its noun: `no kits`, `1 kit`, `2 kits`."""
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def kit_names(numbers: Sequence[int]) -> str:
    """Kits by their numbers, in words: `kit 3`, `kits 1 to 8`, `kits 2, 5`."""
    return f"kit{'' if len(numbers) == 1 else 's'} {number_range(numbers).replace('–', ' to ')}"


def number_range(numbers: Sequence[int]) -> str:
    """Sorted numbers, as a range if they are consecutive: `3`, `1–8`, `2, 5`."""
    if len(numbers) > 1 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers))
