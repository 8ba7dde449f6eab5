"""Label Studio's tasks with their annotations, also from the flat form (JSON_MIN)."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from jurat.errors import input_error
from jurat.formats.delimited_rows import csv_rows, tsv_rows
from jurat.formats.file_head import Sample
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
    """What is known of a region; Jurat writes the category of an error as its text."""

    text: tuple[str, ...] = ()
    missing: bool | None = None
    """Whether something is missing there; None: where the region is empty."""


class Result(msgspec.Struct):
    """An answer, of the kind that `type` names."""

    type: str
    from_name: str = ""
    to_name: str = ""
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
    rows = _rows(file)
    words = _labels(rows)
    tasks = [_task(row, words) for row in rows]
    named = ", ".join(sorted(words))
    note = f"Label Studio: fields whose texts repeat are taken as answers: {named}"
    return FlatTasks(tasks, (note,) if words else ())


def _rows(file: File) -> list[dict[str, Any]]:
    """The rows of JSON_MIN, or of CSV or TSV with the same fields, whose lists are JSON."""
    if file.data.removeprefix(BOM_UTF8).lstrip()[:1] == b"[":
        return decode_file(file, list[dict[str, Any]])
    read = tsv_rows if "\t" in Sample(file).first_line else csv_rows
    (_, heading), *rows = read(file)
    found = []
    for line, cells in rows:
        if len(cells) != len(heading):
            message = f"{len(cells)} cells where the heading has {len(heading)}"
            raise input_error(message, file=file.name, line=line)
        told = zip(heading, cells, strict=True)
        found.append({name: _value(name, cell) for name, cell in told if cell})
    for row in found:
        row.setdefault("lead_time", None)
    return found


def _value(name: str, cell: str) -> Any:
    """A number, or a list in JSON; texts and ids stay as they are."""
    if name in (*PLACES, *_TEXTS, "id", "annotator"):
        return cell
    try:
        found = msgspec.json.decode(cell)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return cell
    return cell if found is None or isinstance(found, bool) else found


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
