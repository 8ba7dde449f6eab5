"""The checklists of ARR and NeurIPS and the datasheet HEDS 3.0: their items and answers.

An item is answered by what the report knows, by the section `report` of `campaign.yaml`, by both,
or by the authors alone. Questions are in Jurat's own words; the numbers are those of the forms:
ARR's page as updated for October 2024, the sixteen items of NeurIPS, the web form of HEDS 3.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jurat.report.checklist_answers import KNOWN
from jurat.report.compute import Report
from jurat.report.study_details import ASKED

NOT_ANSWERED = "not answered"


class ChecklistItem(NamedTuple):
    """A question of a checklist, and what answers it."""

    number: str
    asks: str
    known: tuple[str, ...] = ()
    """Names of `KNOWN`: what Jurat says from the data and the campaign."""
    asked: tuple[str, ...] = ()
    """Fields of `StudyDetails`."""


class Checklist(NamedTuple):
    """A form of a venue."""

    name: str
    title: str
    items: tuple[ChecklistItem, ...]


class AnsweredItem(NamedTuple):
    """A question with its answer."""

    number: str
    asks: str
    answer: str


_I = ChecklistItem
ARR = Checklist(
    "arr",
    "ARR: Responsible NLP checklist",
    (
        _I("A1", "Limitations of the work", ("limits",), ("limitations",)),
        _I("A2", "Potential risks of the work", (), ("impact",)),
        _I("B1", "Creators of used artifacts are cited", ("citations",)),
        _I("B2", "Licences and terms of use of artifacts", (), ("license",)),
        _I("B3", "Use is consistent with what artifacts are intended for", (), ("license",)),
        _I("B4", "Identifiable people and offensive content", ("names",), ("personal_data",)),
        _I("B5", "Documentation of artifacts: domains, languages, groups", ("corpus",)),
        _I("B6", "Statistics of the data, such as numbers of examples", ("sizes",)),
        _I("C1", "Parameters of models, computing budget and infrastructure"),
        _I("C2", "Experimental setup, and search for hyperparameters", ("settings",)),
        _I("C3", "Descriptive statistics, error bars, single run or mean", ("uncertainty",)),
        _I("C4", "Existing packages, their versions and parameters", ("software",)),
        _I("D1", "Full text of instructions, with warnings of risks", ("instructions",)),
        _I("D2", "Recruitment, and whether pay is adequate", (), ("recruitment", "pay")),
        _I("D3", "Consent to the use of the data", (), ("consent",)),
        _I("D4", "Approval by an ethics review board", (), ("ethics",)),
        _I("D5", "Demographics of annotators", ("judges",), ("expertise", "demographics")),
        _I("E1", "Use of AI assistants in research, coding or writing", (), ("ai_use",)),
    ),
)
NEURIPS = Checklist(
    "neurips",
    "NeurIPS paper checklist",
    (
        _I("1", "Claims reflect contributions and scope", ("findings",)),
        _I("2", "Limitations", ("limits",), ("limitations",)),
        _I("3", "Theory: assumptions and proofs"),
        _I("4", "Results can be reproduced", ("software", "settings")),
        _I("5", "Open access to data and code", (), ("data",)),
        _I("6", "Experimental setting and details", ("corpus", "design"), ("selection",)),
        _I("7", "Statistical significance and error bars", ("uncertainty",)),
        _I("8", "Computing resources"),
        _I("9", "Conformity with the code of ethics", (), ("ethics",)),
        _I("10", "Broader impacts", (), ("impact",)),
        _I("11", "Safeguards against misuse", (), ("impact",)),
        _I("12", "Licences of existing assets", ("citations",), ("license",)),
        _I("13", "Documentation of new assets", ("sizes",), ("data",)),
        _I("14", "Human subjects: instructions and compensation", ("instructions",), ("pay",)),
        _I("15", "Risks to participants, and approval by a review board", (), ("ethics",)),
        _I("16", "Declaration of the use of language models", (), ("ai_use",)),
    ),
)
HEDS = Checklist(
    "heds",
    "HEDS 3.0: human evaluation datasheet",
    (
        _I("1.1", "The publication, and which of its experiments this is", (), ("paper",)),
        _I("1.2", "Where the resources of the evaluation are", ("software",), ("data",)),
        _I("1.3", "Who filled the sheet in, and whom to ask", ("contact",)),
        _I("2.1", "Type of the systems' input", ("input",)),
        _I("2.2", "Type of the systems' output", ("output",)),
        _I("2.3", "Task of the systems", ("systems",)),
        _I("2.4", "Languages of the input", ("languages",)),
        _I("2.5", "Languages of the output", ("languages",)),
        _I("3.1.1", "Number of outputs evaluated of each system", ("outputs",)),
        _I("3.1.2", "How outputs were selected", (), ("selection",)),
        _I("3.1.3", "Statistical power of the sample", (), ("power",)),
        _I("3.2.1", "Number of evaluators", ("judges",)),
        _I(
            "3.2.2", "Experts, paid, known to or among authors", (), ("expertise", "pay", "authors")
        ),
        _I("3.2.3", "How evaluators were recruited", (), ("recruitment",)),
        _I("3.2.4", "Training and practice before the evaluation", ("training",)),
        _I("3.2.5", "Other characteristics of evaluators", (), ("demographics",)),
        _I("3.3.1", "Preregistration of the design", ("frozen",), ("preregistration",)),
        _I("3.3.2", "Medium by which responses were collected", ("collection",)),
        _I("3.3.3", "Quality assurance", ("quality",)),
        _I("3.3.4", "Form or interface that evaluators saw", ("instructions",)),
        _I("3.3.5", "How free evaluators were in time and pace", ("time",), ("conditions",)),
        _I("3.3.6", "Whether evaluators could ask or comment", ("contact",), ("conditions",)),
        _I("3.3.7", "Conditions under which they worked", (), ("conditions",)),
        _I("3.3.8", "How they vary between evaluators", ("design",), ("conditions",)),
        _I("4.1", "Criterion: type, aspect of outputs, frame of reference", ("questions",)),
        _I("4.2.1", "Objective or subjective assessment"),
        _I("4.2.2", "Absolute or relative assessment", ("mode",)),
        _I("4.2.3", "Intrinsic or extrinsic evaluation"),
        _I("4.3.1", "Name of the criterion", ("protocol",)),
        _I("4.3.2", "Definition given to evaluators", ("instructions",)),
        _I("4.3.3", "Size of the scale", ("scales",)),
        _I("4.3.4", "Values of the scale", ("scales",)),
        _I("4.3.5", "How the scale is presented"),
        _I("4.3.6", "Task, if there is no scale"),
        _I("4.3.7", "Question or instruction, word for word", ("questions",)),
        _I("4.3.8", "Form in which responses are elicited"),
        _I("4.3.9", "How responses are aggregated", ("aggregation",)),
        _I("4.3.10", "Effect size and significance", ("uncertainty",)),
        _I("4.3.11", "Agreement between evaluators", ("agreement",)),
        _I("4.3.12", "Agreement of evaluators with themselves", ("consistency",)),
        _I("5.1", "Approval by an ethics committee", (), ("ethics",)),
        _I("5.2", "Personal data", ("names",), ("personal_data",)),
        _I("5.3", "Special categories of personal data", (), ("personal_data",)),
        _I("5.4", "Impact assessments", (), ("impact",)),
    ),
)
CHECKLISTS = (ARR, NEURIPS, HEDS)


def answered(checklist: Checklist, report: Report) -> Iterator[AnsweredItem]:
    """Every item with its answer, or that it was not answered."""
    for item in checklist.items:
        said = [KNOWN[name].answer(report) for name in item.known]
        said += [getattr(report.settings.study, name) for name in item.asked]
        told = [" ".join(part.split()).rstrip(".") + "." for part in said if part.strip()]
        yield AnsweredItem(item.number, item.asks, " ".join(told) or NOT_ANSWERED)


def checklist_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """The answers as Markdown files, one for each checklist."""
    for checklist in CHECKLISTS:
        rows = [
            f"- **{one.number}** {one.asks}: {_shown(one.answer)}"
            for one in answered(checklist, report)
        ]
        text = f"# {checklist.title}\n\n" + "\n".join(rows) + "\n"
        yield f"checklist-{checklist.name}.md", text.encode()


def _shown(answer: str) -> str:
    return f"*{answer}*" if answer == NOT_ANSWERED else answer


def origins(item: ChecklistItem) -> str:
    """Where the answer to an item comes from, in words."""
    told = [KNOWN[name].origin for name in item.known]
    told += [f"`report.{name}`: {ASKED[name]}" for name in item.asked]
    return "; ".join(told) or "the authors alone"
