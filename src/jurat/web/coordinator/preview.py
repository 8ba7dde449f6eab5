"""What a judge will see of a campaign that is not made yet."""

from __future__ import annotations

from typing import NamedTuple

from jurat.campaigns import Screen
from jurat.campaigns.outlooks import Outlook
from jurat.campaigns.seeing import Languages
from jurat.model import TestSet
from jurat.protocols import Protocol
from jurat.protocols.translating import in_language
from jurat.web.judge.steps import Form, Step
from jurat.web.shading import Shader

MOST = 3
"""Steps that can be looked at."""


class Preview(NamedTuple):
    """One step of a task's first kit."""

    step: Step
    number: int
    steps: int
    """How many can be looked at."""


class SketchedStep(Step):
    """A step of no campaign, with no judge before it."""

    def __init__(
        self, screen: Screen, protocol: Protocol, test_set: TestSet, *, shade: bool
    ) -> None:
        self.screen = screen
        self.protocol = protocol
        source = screen.source_language or test_set.source_language
        self.languages = Languages(source, test_set.target_language)
        self._shader = Shader(_references(test_set)) if shade else None
        self._answers = {}
        self.form = Form(protocol, screen, {})


def preview(outlook: Outlook, task: int, number: int, language: str) -> Preview | None:
    """A step of a task by its number, in the words of a language; None while there is none."""
    if task not in outlook.tasks or outlook.test_set is None:
        return None
    screens = outlook.screens(task, most=MOST)
    if not screens:
        return None
    number = min(max(number, 1), len(screens))
    protocol = in_language(outlook.protocols[outlook.tasks[task]], language)
    shown = SketchedStep(
        screens[number - 1], protocol, outlook.test_set, shade=outlook.plan.shading
    )
    return Preview(shown, number, len(screens))


def _references(test_set: TestSet) -> list[str]:
    return [text for _, segment in test_set.segments() for text in segment.references.values()]
