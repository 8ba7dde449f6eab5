"""Label Studio's tasks with their annotations, also from the flat form (JSON_MIN)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from jurat.formats.json_values import decode_file
from jurat.model import File

# Fields of a task's data by which Jurat knows what was judged.
PLACES = ("document", "segment", "system", "domain", "control")
# Fields that every row of the flat form has; the others are data and answers.
FLAT = frozenset({"id", "annotation_id", "annotator", "lead_time"})
# Fields of the flat form that say nothing about what was judged.
_META = FLAT | {"created_at", "updated_at"}
# Fields of data that are texts, whatever they hold.
_TEXTS = ("source", "translation", "reference", "text", "src", "mt", "tgt", "ref")
# A text that repeats is an answer in words if there are at most so many of them.
MOST_LABELS = 10


class _Notes(msgspec.Struct, frozen=True):
    """What somebody wrote about a region; Jurat writes the category of an error there."""

    text: tuple[str, ...] = ()


class Result(msgspec.Struct):
    """An answer, of the kind that `type` names."""

    type: str
    from_name: str = ""
    value: dict[str, Any] = {}
    meta: _Notes = _Notes()


class Annotation(msgspec.Struct):
    """What one annotator said about a task."""

    result: list[Result]
    completed_by: Any = None
    created_at: str | None = None
    updated_at: str | None = None
    lead_time: float | None = None
    was_cancelled: bool = False
    ground_truth: bool = False


class Task(msgspec.Struct):
    """What was annotated, and by whom."""

    id: int | str
    annotations: list[Annotation]
    data: dict[str, Any] = {}


class FlatTasks(NamedTuple):
    """Tasks, and notes on what their fields were taken for."""

    tasks: Sequence[Task]
    notes: tuple[str, ...] = ()


def flat_tasks(file: File) -> FlatTasks:
    """The tasks of a file in the flat form, in which data and answers stand side by side.

    Numbers and lists are answers. Texts are answers in words if they repeat, and otherwise data.
    """
    rows = decode_file(file, list[dict[str, Any]])
    words = _labels(rows)
    tasks = [_task(row, words) for row in rows]
    named = ", ".join(sorted(words))
    note = f"Label Studio: fields whose texts repeat are taken as answers: {named}"
    return FlatTasks(tasks, (note,) if words else ())


def _labels(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    values: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        for name, value in row.items():
            if isinstance(value, str) and name not in (*_META, *PLACES, *_TEXTS):
                values[name].append(value)
    return {
        name
        for name, told in values.items()
        if len(set(told)) <= MOST_LABELS and len(set(told)) < len(told)
    }


def _task(row: Mapping[str, Any], words: set[str]) -> Task:
    data: dict[str, Any] = {}
    results: list[Result] = []
    for name, value in row.items():
        found = [] if name in (*_META, *PLACES, *_TEXTS) else list(_results(name, value, words))
        results += found
        if not found and name not in _META:
            data[name] = value
    annotation = Annotation(
        result=results,
        completed_by=row["annotator"],
        created_at=row.get("created_at"),
        lead_time=row["lead_time"],
    )
    return Task(id=row["id"], annotations=[annotation], data=data)


def _results(name: str, value: Any, words: set[str]) -> Iterator[Result]:
    """The answers that a field holds; none if it is data."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield Result(type="number", from_name=name, value={"number": value})
    elif isinstance(value, str) and name in words:
        yield Result(type="choices", from_name=name, value={"choices": [value]})
    elif isinstance(value, dict) and "choices" in value:
        yield Result(type="choices", from_name=name, value=value)
    elif isinstance(value, list):
        for each in value:
            if isinstance(each, dict):
                kind = next((k for k in ("rating", "number", "labels") if k in each), "")
                if kind:
                    yield Result(type=kind, from_name=name, value=each)
