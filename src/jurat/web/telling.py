"""What is wrong with an answer, in the judge's language: the core's own words are English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jurat.faults import Fault
from jurat.protocols.questions import Question
from jurat.web.languages import Language

OTHERWISE = "not-legal"


def told(fault: Fault, question: Question | None, language: Language) -> str:
    """One fault; what has no words of its own is just not possible."""
    key = fault.code if fault.code in language.keys else OTHERWISE
    return language.say(key, count=getattr(question, "most", None) or 0)


def all_told(
    faults: Iterable[Fault], questions: Mapping[str, Question], language: Language
) -> dict[str, str]:
    """The first fault of each question."""
    said: dict[str, str] = {}
    for fault in faults:
        name = fault.field or ""
        said.setdefault(name, told(fault, questions.get(name), language))
    return said
