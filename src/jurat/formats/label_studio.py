"""Label Studio's JSON export: tasks with annotations, each with results of several kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.json_values import decode_file
from jurat.formats.long_rows import LongRows, tables_of
from jurat.formats.sample import Sample
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, PREFERENCES, SPANS, TEXTS

# Fields of a task's data by which Jurat knows what was judged.
PLACES = ("document", "segment", "system", "domain")
# Systems left and right of a pairwise choice, as fields of a task's data.
LEFT = ("left_system", "system_a", "model_a")
RIGHT = ("right_system", "system_b", "model_b")


class _Result(msgspec.Struct):
    type: str
    from_name: str = ""
    value: dict[str, Any] = {}


class _Annotation(msgspec.Struct):
    result: list[_Result]
    completed_by: Any = None
    created_at: str | None = None
    updated_at: str | None = None
    lead_time: float | None = None
    was_cancelled: bool = False
    ground_truth: bool = False


class _Task(msgspec.Struct):
    id: int | str
    annotations: list[_Annotation]
    data: dict[str, Any] = {}


class LabelStudio(FileFormat):
    """Tasks with annotations, as Label Studio exports them."""

    name: ClassVar[str] = "label-studio"
    title: ClassVar[str] = "Label Studio annotations"
    endings: ClassVar[tuple[str, ...]] = ("json",)

    def recognises(self, sample: Sample) -> bool:
        return {"id", "annotations", "data"} <= sample.first_of_list.keys()

    def read(self, files: Sequence[File]) -> ReadTables:
        reader = _Results()
        for file in files:
            for task in decode_file(file, list[_Task]):
                reader.add_task(file, task)
        return reader.tables()


class _Results:
    """Turns results into rows of the tables that their kinds belong to."""

    def __init__(self) -> None:
        self._judgments = LongRows(JUDGMENTS)
        self._preferences = LongRows(PREFERENCES)
        self._spans = LongRows(SPANS)
        self._texts = LongRows(TEXTS)
        self._left_out: Counter[str] = Counter()

    def add_task(self, file: File, task: _Task) -> None:
        """Add all annotations of a task but those that were cancelled."""
        place = {name: str(task.data[name]) for name in PLACES if task.data.get(name) is not None}
        place.setdefault("segment", str(task.id))
        for annotation in task.annotations:
            if annotation.was_cancelled:
                self._left_out["cancelled annotations"] += 1
                continue
            shared: dict[str, Any] = {
                **place,
                "judge": _user(annotation.completed_by),
                "seconds": annotation.lead_time,
                "status": "adjudicated" if annotation.ground_truth else "valid",
            }
            for result in annotation.result:
                self._add(file, shared, task.data, result)

    def _add(
        self, file: File, shared: dict[str, Any], data: Mapping[str, Any], result: _Result
    ) -> None:
        cells = {**shared, "question": result.from_name}
        value = result.value
        match result.type:
            case "rating" | "number":
                self._judgments.add(file.name, None, **cells, value=float(value[result.type]))
            case "choices" | "taxonomy":
                for choice in value[result.type]:
                    label = "/".join(choice) if isinstance(choice, list) else str(choice)
                    self._judgments.add(file.name, None, **cells, label=label)
            case "labels" | "hypertextlabels" if "start" in value:
                marked = {"start": int(value["start"]), "end": int(value["end"])}
                for label in value[result.type]:
                    self._spans.add(file.name, None, **cells, **marked, severity=str(label))
            case "textarea":
                text = "\n".join(map(str, value["text"]))
                self._texts.add(file.name, None, **cells, text=text)
            case "pairwise":
                self._add_pair(file, cells, data, str(value["selected"]))
            case kind:
                self._left_out[f"results of the kind {kind}"] += 1

    def _add_pair(
        self, file: File, cells: dict[str, Any], data: Mapping[str, Any], selected: str
    ) -> None:
        """Add a choice between left and right; the systems are named in the task's data."""
        left, right = (
            next((str(data[n]) for n in names if n in data), None) for names in (LEFT, RIGHT)
        )
        if left is None or right is None:
            self._left_out["choices between left and right without the systems' names"] += 1
            return
        told = {name: cell for name, cell in cells.items() if name != "system"}
        outcome = {"left": "a", "right": "b"}.get(selected, "tie")
        self._preferences.add(
            file.name,
            None,
            **told,
            item=told["segment"],
            system_a=left,
            system_b=right,
            outcome=outcome,
        )

    def tables(self) -> ReadTables:
        """All tables, and what was left out."""
        found = tables_of(self._judgments, self._preferences, self._spans, self._texts)
        notes = [
            f"Label Studio: left out, {what}: {count:,}" for what, count in self._left_out.items()
        ]
        return ReadTables(tables=found, notes=tuple(notes))


def _user(completed_by: object) -> str | None:
    if isinstance(completed_by, Mapping):
        return str(completed_by.get("email") or completed_by.get("id"))
    return None if completed_by is None else str(completed_by)
