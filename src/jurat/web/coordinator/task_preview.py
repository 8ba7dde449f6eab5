"""A task of a draft as judges will see it: the first steps of its first kit."""

from __future__ import annotations

from typing import NamedTuple

from jurat.campaigns import Screen
from jurat.campaigns.draft_preview import DraftPreview
from jurat.model import TestSet
from jurat.protocols import Protocol
from jurat.protocols.localization import in_language
from jurat.web.highlight import Highlighter
from jurat.web.judge.step_form import Form, Languages, StepForm

# Steps of a kit in the preview.
MAX_STEPS = 3


class Preview(NamedTuple):
    """One step of a task's first kit."""

    step: StepForm
    number: int
    steps: int
    """The number of steps in the preview."""


class PreviewStep(StepForm):
    """A step of a campaign that does not exist yet, without a judge."""

    def __init__(
        self, screen: Screen, protocol: Protocol, test_set: TestSet, *, shade: bool
    ) -> None:
        self.screen = screen
        self.protocol = protocol
        source = screen.source_language or test_set.source_language
        self.languages = Languages(source, test_set.target_language)
        self._shader = Highlighter(_references(test_set)) if shade else None
        # StepForm.__init__ is not called: it needs a visit to a campaign that exists
        self._answers = {}
        self.form = Form(protocol, screen, {})


def preview(draft: DraftPreview, task: int, number: int, language: str) -> Preview | None:
    """A step of a task by its number, in a language; None while the draft is not complete."""
    if task not in draft.tasks or draft.test_set is None:
        return None
    screens = draft.screens(task, most=MAX_STEPS)
    if not screens:
        return None
    number = min(max(number, 1), len(screens))
    protocol = in_language(draft.protocols[draft.tasks[task]], language)
    shown = PreviewStep(screens[number - 1], protocol, draft.test_set, shade=draft.plan.shading)
    return Preview(shown, number, len(screens))


def _references(test_set: TestSet) -> list[str]:
    return [text for _, segment in test_set.segments() for text in segment.references.values()]
