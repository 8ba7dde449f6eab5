"""Label Studio's exports: tasks with annotations, each with results of several kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

import polars as pl

from jurat.errors import input_error, quoted
from jurat.formats.file_format import FileFormat, ReadTables, WrittenFiles
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_file, decode_lines
from jurat.formats.label_studio_tasks import (
    FLAT,
    PLACES,
    FlatTasks,
    Result,
    Task,
    flat_tasks,
)
from jurat.formats.label_studio_writer import write_tasks
from jurat.formats.long_rows import LongRows, Texts, tables_of, translation_table
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, PREFERENCES, RANKINGS, SPANS, TEXTS

# Systems left and right of a pairwise choice, as fields of a task's data.
LEFT = ("left_system", "system_a", "model_a")
RIGHT = ("right_system", "system_b", "model_b")
# Names of texts that are the source.
SOURCE = ("source", "src", "source_text")


class LabelStudio(FileFormat):
    """Tasks with annotations, as Label Studio exports them."""

    name: ClassVar[str] = "label-studio"
    title: ClassVar[str] = "Label Studio annotations"
    endings: ClassVar[tuple[str, ...]] = ("json", "csv", "tsv")
    holds: ClassVar[tuple[str, ...]] = ("judgments", "preferences", "spans", "texts")

    def recognises(self, sample: Sample) -> bool:
        told = (sample.record.keys(), sample.json.keys())
        return any(names >= {"id", "annotations", "data"} for names in told) or _is_flat(sample)

    def read(self, files: Sequence[File]) -> ReadTables:
        reader = _Results()
        notes: list[str] = []
        for file in files:
            flat = _is_flat(Sample(file))
            tasks = flat_tasks(file) if flat else FlatTasks(_tasks(file))
            notes += tasks.notes
            for task in tasks.tasks:
                reader.add_task(file, task)
        found = reader.tables()
        return replace(found, notes=(*notes, *found.notes))

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        return write_tasks(tables)


def _tasks(file: File) -> list[Task]:
    """The tasks of a list, of JSON Lines, or of one task alone."""
    sample = Sample(file)
    if sample.json and not sample.record:
        return [decode_file(file, Task)]
    return [task for _, task in decode_lines(file, Task)]


def _is_flat(sample: Sample) -> bool:
    return sample.first_of_list.keys() >= FLAT or sample.heading >= FLAT


class _Results:
    """Turns results into rows of the tables that their kinds belong to."""

    def __init__(self) -> None:
        self._judgments = LongRows(JUDGMENTS)
        self._preferences = LongRows(PREFERENCES)
        self._spans = LongRows(SPANS)
        self._texts = LongRows(TEXTS)
        self._rankings = LongRows(RANKINGS)
        self._translations: Texts = {}
        self._left_out: Counter[str] = Counter()

    def add_task(self, file: File, task: Task) -> None:
        """Add all annotations of a task but those that were cancelled."""
        place = {name: str(task.data[name]) for name in PLACES if task.data.get(name) is not None}
        place.setdefault("segment", str(task.id))
        self._add_texts(task.data, place)
        for annotation in task.annotations:
            if annotation.was_cancelled:
                self._left_out["cancelled annotations"] += 1
                continue
            shared: dict[str, Any] = {
                **place,
                "judge": _user(annotation.completed_by),
                "seconds": annotation.lead_time,
                "decided_at": _moment(annotation.created_at),
                "status": "adjudicated" if annotation.ground_truth else "valid",
            }
            for result in annotation.result:
                self._add(file, shared, task.data, result)

    def _add_texts(self, data: Mapping[str, Any], place: Mapping[str, str]) -> None:
        """Add the texts of a task whose data name them as Jurat does."""
        if isinstance(data.get("translation"), str):
            key = (place.get("document"), place["segment"], place.get("system"))
            texts = (data.get(name) for name in ("source", "translation", "reference"))
            self._translations[key] = tuple(t if isinstance(t, str) else None for t in texts)

    def _add(
        self, file: File, shared: dict[str, Any], data: Mapping[str, Any], result: Result
    ) -> None:
        cells = {**shared, "question": result.from_name}
        value = result.value
        match result.type:
            case "rating" | "number":
                self._judgments.add(file.name, None, **cells, value=_number(file, result))
            case "choices" | "taxonomy":
                chosen = _content(file, result, result.type, list)
                for choice in chosen:
                    label = "/".join(choice) if isinstance(choice, list) else str(choice)
                    # of several, each is a question that was answered yes
                    own = {**cells, "question": f"{result.from_name}.{label}"}
                    told = {**own, "label": "yes"} if len(chosen) > 1 else {**cells, "label": label}
                    self._judgments.add(file.name, None, **told)
            case "ranker" if isinstance(value.get("ranker"), dict):
                for order in value["ranker"].values():
                    told = {**cells, "item": cells["segment"]}
                    for rank, system in enumerate(order, 1):
                        placed = {**told, "system": str(system), "rank": rank}
                        self._rankings.add(file.name, None, **placed)
            case "labels" | "hypertextlabels" if _offsets(value):
                start, end = _offsets(value)
                category = "/".join(result.meta.text) or None
                marked = _place(result.to_name, start, end) | {"category": category}
                if result.meta.missing is not None:
                    marked["missing"] = result.meta.missing
                for label in _content(file, result, result.type, list):
                    self._spans.add(file.name, None, **cells, **marked, severity=str(label))
            case "textarea":
                told = _content(file, result, "text", list, str)
                text = "\n".join([told] if isinstance(told, str) else map(str, told))
                self._texts.add(file.name, None, **cells, text=text)
            case "pairwise":
                self._add_pair(file, cells, data, _content(file, result, "selected", str))
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
        found = tables_of(
            self._judgments, self._preferences, self._spans, self._texts, self._rankings
        )
        if self._translations:
            found["translations"] = translation_table(self._translations)
        notes = [
            f"Label Studio: left out, {what}: {count:,}" for what, count in self._left_out.items()
        ]
        return ReadTables(tables=found, notes=tuple(notes))


def _place(about: str, start: int, end: int) -> dict[str, object]:
    """The cells of a marked part; what is marked in the source is missing in the translation."""
    if about.lower() in SOURCE:
        at_source = {"source_start": start, "source_end": end}
        return {"start": 0, "end": 0, "missing": True, **at_source}
    return {"start": start, "end": end, "missing": start == end}


def _content(file: File, result: Result, name: str, *kinds: type) -> Any:
    """What an answer says under that name; raises `InputError` if that is of other kinds."""
    told = result.value.get(name)
    if not isinstance(told, kinds):
        message = f"the answer of the kind {result.type} has no '{name}'"
        raise input_error(message, file=file.name, field=result.from_name)
    return told


def _number(file: File, result: Result) -> float:
    told = _content(file, result, result.type, int, float, str)
    try:
        return float(told)
    except ValueError:
        message = f"{quoted(told)} is not a number"
        raise input_error(message, file=file.name, field=result.from_name) from None


def _offsets(value: Mapping[str, Any]) -> tuple[int, ...]:
    """Start and end of a marked part; empty where they are paths in a page."""
    told = value.get("globalOffsets", value)
    found = [told.get(name) for name in ("start", "end")]
    return tuple(found) if all(isinstance(one, int) for one in found) else ()


def _moment(text: str | None) -> float | None:
    """Unix seconds of a time as Label Studio writes it; None if it is none."""
    try:
        return datetime.fromisoformat(text).timestamp() if text else None
    except ValueError:
        return None


def _user(completed_by: object) -> str | None:
    if isinstance(completed_by, Mapping):
        return str(completed_by.get("email") or completed_by.get("id"))
    return None if completed_by is None else str(completed_by)
