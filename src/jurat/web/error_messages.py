"""Problems and findings in the reader's language; the core reports them in English with a code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from jurat.errors import Problem, closest, shortened
from jurat.i18n import DEFAULT, Language, languages
from jurat.kits.audit_findings import Finding
from jurat.protocols.questions import Question
from jurat.yamlfile import MISSING

FALLBACK = "not-legal"


def answer_problem(fault: Problem, question: Question | None, language: Language) -> str:
    """What is wrong with a judge's answer; a general sentence for codes without their own."""
    key = fault.code if fault.code in language.keys else FALLBACK
    return language.say(key, count=getattr(question, "most", None) or 0)


def answer_problems(
    faults: Iterable[Problem], questions: Mapping[str, Question], language: Language
) -> dict[str, str]:
    """The first problem of each question, by its name."""
    said: dict[str, str] = {}
    for fault in faults:
        name = fault.field or ""
        # a question about one of several translations is called by its place, too
        question = questions.get(name) or questions.get(name.rpartition(".")[2])
        said.setdefault(name, answer_problem(fault, question, language))
    return said


# Keys of the texts for problems are this and the problem's code.
PROBLEM_PREFIX = "desk-fault-"
# The same for the findings of an audit.
FINDING_PREFIX = "desk-finding-"
# For a value that is missing, beside its field, whose name in campaign.yaml would mean nothing.
REQUIRED = "desk-fault-required"


class Message(NamedTuple):
    """A message to a coordinator."""

    words: str
    language: str
    """The code of the language that they are in."""


def problem_message(fault: Problem, language: Language, *, placed: bool = True) -> Message:
    """A problem in a language, or in English where it has no translation.

    `placed=False` leaves out the file and field, where the page shows them.
    """
    key = f"{PROBLEM_PREFIX}{fault.code}"
    if fault.code == MISSING and not placed:
        key = REQUIRED
    if not placed:
        return Message(*_worded(_unplaced(fault), key, language))
    nowhere = _unplaced(fault).changed(document=None, segment=None)
    said, code = _worded(nowhere, key, language)
    place = _place(fault, languages()[code])
    return Message(f"{place}: {said}" if place else said, code)


def _worded(fault: Problem, key: str, language: Language) -> tuple[str, str]:
    """A problem in a language, or in English, and the language's code."""
    if key in language.keys:
        return " ".join(_said(fault, key, language)), language.code
    return str(fault), DEFAULT


def finding_message(finding: Finding, language: Language) -> Message:
    """A finding of an audit in a language, or in English without a translation."""
    keys = [f"{FINDING_PREFIX}{one.code}" for one in finding.said]
    # all parts or none: a sentence half in English would be worse
    if not keys or not language.keys.issuperset(keys):
        return Message(str(finding), DEFAULT)
    said = zip(keys, finding.said, strict=True)
    grave = language.say(f"{FINDING_PREFIX}{finding.severity}")
    task = [f"{finding.task}:"] if finding.task else []
    words = (language.say(key, **one.values) for key, one in said)
    return Message(" ".join((grave, *task, *words)), language.code)


def _said(fault: Problem, key: str, language: Language) -> Iterator[str]:
    # a number stays one, to be written as in the language; True and False are also `int`
    number = isinstance(fault.value, int) and not isinstance(fault.value, bool)
    value = fault.value if number else shortened("" if fault.value is None else str(fault.value))
    yield language.say(key, value=value, allowed=", ".join(fault.allowed))
    if meant := closest(fault.value, fault.allowed):
        yield language.say("desk-did-you-mean", word=meant)


def _unplaced(fault: Problem) -> Problem:
    return fault.changed(file=None, line=None, field=None)


def _place(fault: Problem, language: Language) -> str:
    """`set.jsonl:12, Document d1, Segment 3, tasks.1.name`."""
    spot = ":".join(str(part) for part in (fault.file, fault.line) if part is not None)
    named = (("desk-document", fault.document), ("desk-segment", fault.segment))
    told = (f"{language.say(key)} {name}" for key, name in named if name)
    return ", ".join(part for part in (spot, *told, fault.field) if part)
