"""What only the people who ran a study know: the section `report` of a `campaign.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from jurat.errors import Problem, raise_problems

# Letters of an answer: a checklist wants a paragraph, not a paper.
LONGEST = 2000


class StudyDetails(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Answers that go into reports and checklists; an empty one was not answered."""

    paper: str = ""
    data: str = ""
    license: str = ""
    selection: str = ""
    power: str = ""
    recruitment: str = ""
    pay: str = ""
    consent: str = ""
    expertise: str = ""
    demographics: str = ""
    authors: str = ""
    conditions: str = ""
    ethics: str = ""
    personal_data: str = ""
    impact: str = ""
    preregistration: str = ""
    ai_use: str = ""
    limitations: str = ""

    def __post_init__(self) -> None:
        raise_problems(list(self._too_long()))

    def _too_long(self) -> Iterator[Problem]:
        for name in self.__struct_fields__:
            if (letters := len(getattr(self, name))) > LONGEST:
                message = f"expected at most {LONGEST:,} letters, got {letters:,}"
                yield Problem(message=message, field=name, code="too-long")


# What each of them is asked for.
ASKED = {
    "paper": "the publication that describes the evaluation, or its title",
    "data": "where judgments, outputs and code can be found",
    "license": "under which licence they are published, and those of what was used",
    "selection": "how documents, segments and systems were chosen",
    "power": "how the number of items and judges was decided",
    "recruitment": "how judges were found",
    "pay": "what they were paid, and whether that is adequate where they live",
    "consent": "what they were told about the use of their judgments, and how they agreed",
    "expertise": "their languages, and what they know of translation",
    "demographics": "other facts about them, such as age, region or first language",
    "authors": "whether authors were among them, or knew them",
    "conditions": "where and when they worked, and whether they could ask questions",
    "ethics": "which board reviewed the study, and what it decided",
    "personal_data": "which personal data were collected, and how they are protected",
    "impact": "what may go wrong with the results, and for whom; assessments that were made",
    "preregistration": "where the design was registered beforehand, or that it was not",
    "ai_use": "what AI assistants and model judges were used for",
    "limitations": "what the results do not show",
}


class TaskFacts(NamedTuple):
    """What a campaign itself knows of one of its tasks, in words."""

    name: str
    protocol: str
    instructions: str
    questions: tuple[str, ...]
    scales: tuple[str, ...]
    training: str
    quality: str
    design: str
