"""The part of the test set that a task is about."""

from __future__ import annotations

from jurat.kits.plan import TaskPlan
from jurat.model import Phase, TestSet
from jurat.parts import keep


def part(test_set: TestSet, plan: TaskPlan, *, phase: Phase = "evaluation") -> TestSet:
    """The systems, documents and segments that the plan asks for.

    A tutorial is a set of its own: documents and conditions of the plan do not apply to it, and
    the systems only where it has them.
    """
    if phase == "tutorial":
        there = [system.name for system in test_set.systems if system.name in plan.systems]
        return keep(test_set, systems=there or None, first=plan.first)
    return keep(
        test_set,
        systems=plan.systems or None,
        documents=plan.documents or None,
        first=plan.first,
        where=plan.where if plan.where.strip() else None,
    )
