"""Guests have no account: they try a tutorial, and nothing of theirs is stored."""

from __future__ import annotations

from collections.abc import Mapping

from jurat.campaigns.screens import Screen, kit_screens, kit_steps
from jurat.campaigns.service_context import NotOffered, ServiceContext
from jurat.campaigns.tutorial_feedback import Practice, practice_of
from jurat.errors import input_error, unknown_name
from jurat.model import Kit, KitSteps


class Guests:
    """The part of the service for guests."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    def tasks(self, campaign: str) -> list[str]:
        """The tasks whose tutorial a guest can try, in their order; none if guests are refused."""
        if not self._context.plan(campaign).guest:
            return []
        phases = self._context.store.campaign(campaign).phases
        taught = {record.task for record in phases if record.phase == "tutorial"}
        return [task.name for task in self._context.plan(campaign).tasks if task.name in taught]

    def screens(self, campaign: str, task: str) -> list[Screen]:
        """The tutorial of a task, step by step; raises `NotOffered`."""
        kit = self._tutorial(campaign, task)
        return kit_screens(kit, self._context.protocol(campaign, task))

    def check(
        self, campaign: str, task: str, position: int, answers: Mapping[str, object]
    ) -> dict[str, object]:
        """The answers to a step as they would be stored; `answers` has those to earlier stages too.

        Raises `InputError` where they are not valid, and `NotOffered`.
        """
        protocol = self._context.protocol(campaign, task)
        items = self._tutorial(campaign, task).items
        index, stage = KitSteps(len(items), len(protocol.stages), protocol.advance).step(position)
        return protocol.check(answers, items[index], stage=stage)

    def practice(
        self, campaign: str, task: str, position: int, answers: Mapping[str, object]
    ) -> Practice | None:
        """A step with these answers and the expected ones; None where there are none."""
        kit, protocol = self._tutorial(campaign, task), self._context.protocol(campaign, task)
        return practice_of(kit_steps(kit, protocol)[position - 1], protocol, answers)

    def _tutorial(self, campaign: str, task: str) -> Kit:
        """The first tutorial kit of a task, where guests are admitted."""
        tasks = self.tasks(campaign)
        if not tasks:
            raise NotOffered(input_error("guests are not admitted to this campaign").problems)
        if task not in tasks:
            raise NotOffered(unknown_name("task with a tutorial", task, tasks).problems)
        # The first kit for everybody: a guest has no account from which a choice could follow.
        return next(self._context.store.kits(campaign, task=task, phase="tutorial"))
