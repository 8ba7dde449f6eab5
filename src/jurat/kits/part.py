"""The part of the test set that a task is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from jurat.expressions import check_names, holds, parse
from jurat.faults import Fault, complain, refuse, unknown
from jurat.kits.plan import TaskPlan
from jurat.model import Document, Phase, Segment, TestSet


def part(test_set: TestSet, plan: TaskPlan, *, phase: Phase = "evaluation") -> TestSet:
    """The systems, documents and segments that the plan asks for.

    A tutorial is a set of its own: documents and conditions of the plan do not apply to it, and
    the systems only where it has them.
    """
    if phase == "tutorial":
        there = tuple(s.name for s in test_set.systems if s.name in plan.systems)
        plan = replace(plan, systems=there, documents=(), where="")
    systems = [system.name for system in test_set.systems]
    documents = [document.id for document in test_set.documents]
    refuse(
        [
            *_unknown("system", plan.systems, systems),
            *_unknown("document", plan.documents, documents),
        ]
    )
    return _shortened(_with_systems(test_set, plan.systems), plan)


def _unknown(word: str, names: Iterable[str], known: list[str]) -> Iterator[Fault]:
    for name in names:
        if name not in known:
            yield from unknown(word, name, known, field=f"{word}s").faults


def _with_systems(test_set: TestSet, names: tuple[str, ...]) -> TestSet:
    if not names:
        return test_set
    return replace(test_set, systems=tuple(s for s in test_set.systems if s.name in names))


def _shortened(test_set: TestSet, plan: TaskPlan) -> TestSet:
    stays = _condition(test_set, plan.where) if plan.where.strip() else None
    documents = [
        replace(d, segments=tuple(s for s in d.segments[: plan.first] if not stays or stays(d, s)))
        for d in test_set.documents
        if not plan.documents or d.id in plan.documents
    ]
    left = tuple(document for document in documents if document.segments)
    if not left:
        raise complain("no segment of the test set is left to be judged", field="where")
    return replace(test_set, documents=left)


def _condition(test_set: TestSet, where: str) -> Callable[[Document, Segment], bool]:
    condition = parse(where)
    tags = {tag for pair in test_set.segments() for each in pair for tag in each.tags}
    known = ["document", "segment", "source_language", *sorted(tags)]
    check_names(condition, dict.fromkeys(known), word="tag")

    def stays(document: Document, segment: Segment) -> bool:
        language = document.source_language or test_set.source_language
        ids = {"document": document.id, "segment": segment.id, "source_language": language}
        return holds(condition, {**ids, **document.tags, **segment.tags})

    return stays
