"""What is wrong, in the coordinator's language where it has words for it, else in English."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from jurat.faults import Fault, closest, shortened
from jurat.kits.findings import Finding
from jurat.speaking import DEFAULT, Language

PREFIX = "desk-fault-"
"""Of the words for a fault, by its code."""
FOUND = "desk-finding-"
"""The same for what an audit says."""


class Complaint(NamedTuple):
    """A fault in words."""

    words: str
    language: str
    """The code of the language that they are in."""


def complaint(fault: Fault, language: Language, *, placed: bool = True) -> Complaint:
    """A fault as people read it; not `placed`, where they see what it is about."""
    key = f"{PREFIX}{fault.code}"
    if key not in language.keys:
        return Complaint(str(fault if placed else _unplaced(fault)), DEFAULT)
    place = _place(fault, language) if placed else ""
    said = " ".join(_said(fault, key, language))
    return Complaint(f"{place}: {said}" if place else said, language.code)


def remark(finding: Finding, language: Language) -> Complaint:
    """What an audit found, as people read it."""
    keys = [f"{FOUND}{one.code}" for one in finding.said]
    if not keys or not language.keys.issuperset(keys):
        return Complaint(str(finding), DEFAULT)
    said = zip(keys, finding.said, strict=True)
    grave = language.say(f"{FOUND}{finding.severity}")
    task = [f"{finding.task}:"] if finding.task else []
    words = (language.say(key, **one.values) for key, one in said)
    return Complaint(" ".join((grave, *task, *words)), language.code)


def _said(fault: Fault, key: str, language: Language) -> Iterator[str]:
    number = isinstance(fault.value, int) and not isinstance(fault.value, bool)
    value = fault.value if number else shortened("" if fault.value is None else str(fault.value))
    yield language.say(key, value=value, allowed=", ".join(fault.allowed))
    if meant := closest(fault.value, fault.allowed):
        yield language.say("desk-did-you-mean", word=meant)


def _unplaced(fault: Fault) -> Fault:
    return msgspec.structs.replace(fault, file=None, line=None, field=None)


def _place(fault: Fault, language: Language) -> str:
    """`set.jsonl:12, Document d1, Segment 3, tasks.1.name`."""
    spot = ":".join(str(part) for part in (fault.file, fault.line) if part is not None)
    named = (("desk-document", fault.document), ("desk-segment", fault.segment))
    told = (f"{language.say(key)} {name}" for key, name in named if name)
    return ", ".join(part for part in (spot, *told, fault.field) if part)
