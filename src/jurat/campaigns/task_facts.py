"""What a campaign knows of its tasks, in the words of checklists and datasheets."""

from __future__ import annotations

from jurat.campaigns.config import CampaignPlan
from jurat.errors import counted
from jurat.kits.task_plan import TaskPlan
from jurat.protocols import Protocol
from jurat.protocols.questions import Question
from jurat.protocols.questions.choice import Choice
from jurat.protocols.questions.scale import Scale
from jurat.report.study_details import TaskFacts


def task_facts(plan: CampaignPlan, task: TaskPlan, protocol: Protocol) -> TaskFacts:
    """A task of a plan in words."""
    questions = protocol.questions.values()
    named = f"protocol {protocol.name}, version {protocol.version}"
    return TaskFacts(
        name=task.name,
        protocol=f"{protocol.title}: {protocol.about}",
        instructions=f"the guidelines of {named} (`jurat protocols show {protocol.name}`)",
        questions=tuple(f"“{text}”" for question in questions for text in _asked(question)),
        scales=tuple(f"{question.id}: {_scale(question)}" for question in questions),
        training=_training(plan, task),
        quality=_quality(task),
        design=_design(task),
    )


def _asked(question: Question) -> list[str]:
    """The question as it is put; some depend on whether source or reference is shown."""
    return [question.ask] if isinstance(question.ask, str) else list(question.ask.values())


def _scale(question: Question) -> str:
    match question:
        case Scale():
            values = [point.value for point in question.points]
            return f"{len(values)} points from {min(values)} to {max(values)}"
        case Choice():
            return f"one of {', '.join(option.label for option in question.options)}"
    return f"{question.name}, {question.level}"


def _training(plan: CampaignPlan, task: TaskPlan) -> str:
    if plan.tutorial is None:
        return "no tutorial"
    needed = task.required.tutorial
    return f"a tutorial of {counted(needed, 'kit')} before judging" if needed else "a tutorial"


def _quality(task: TaskPlan) -> str:
    kits = task.kits
    controls = {
        "easy items": kits.controls.easy,
        "degraded copies": kits.controls.degraded,
        "items with a known answer": kits.controls.gold,
        "items that judges meet twice": kits.repeats,
    }
    used = [f"{many} {name} in each kit" for name, many in controls.items() if many]
    return "; ".join(used) or "no controls and no repeated items"


def _design(task: TaskPlan) -> str:
    said = [f"{counted(task.wanted, 'judgment')} of every item, each by another judge"]
    if task.groups:
        seen = ", ".join(f"{group} sees {what}" for group, what in task.groups.items())
        said.append(f"groups of judges: {seen}")
    said.append("systems are not named to judges")
    return "; ".join(said)
