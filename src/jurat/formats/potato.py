"""Potato: a user's state (`user_state.json`) or the exported table, with labels and spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

from jurat.errors import input_error
from jurat.formats.delimited_rows import csv_rows, tsv_rows
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_file, decode_lines, decode_part
from jurat.formats.long_rows import LongRows, tables_of
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, RANKINGS, SPANS

# What Potato writes as the value of a label that was chosen.
CHOSEN = ("true", "on", "1", True)
# Labels whose values hold several things.
ERRORS, RANK_ORDER = "errors", "rank_order"
# Labels whose values are answers, also where they look as if a label had been chosen.
TYPED = ("selection", "scale_value", "score")
# The fields of a text that was judged.
INSTANCE = frozenset({"id", "text"})
# Columns of an exported table beside those of labels, and the end of the name of one with spans.
PLACE, SPANS_COLUMN = frozenset({"instance_id", "user_id"}), "_spans"


class _Label(msgspec.Struct, frozen=True):
    schema: str
    name: str


class _Span(msgspec.Struct):
    schema: str
    name: str
    start: int
    end: int


class _ExportedSpan(msgspec.Struct):
    start: int
    end: int
    name: str = ""
    label: str = ""


class _Error(msgspec.Struct):
    start: int
    end: int
    type: str | None = None
    subtype: str | None = None
    severity: str | None = None


class _UserState(msgspec.Struct):
    user_id: str
    instance_id_to_label_to_value: dict[str, list[tuple[_Label, Any]]]
    instance_id_to_span_to_value: dict[str, list[tuple[_Span, Any]]] = {}
    instance_id_ordering: list[str] = []


class _Instance(msgspec.Struct):
    id: str | int
    text: str


class _Rows(NamedTuple):
    """The rows of the tables so far."""

    judgments: LongRows
    spans: LongRows
    rankings: LongRows


class Potato(FileFormat):
    """The states of Potato's users, and the instances that they judged."""

    name: ClassVar[str] = "potato"
    title: ClassVar[str] = "Potato annotations"
    endings: ClassVar[tuple[str, ...]] = ("json", "csv", "tsv")

    def recognises(self, sample: Sample) -> bool:
        return (
            _is_state(sample)
            or _is_export(sample)
            or _is_jsonl(sample)
            or sample.record.keys() == INSTANCE
        )

    def accompanies(self, sample: Sample) -> bool:
        return sample.heading >= INSTANCE or sample.record.keys() >= INSTANCE

    def read(self, files: Sequence[File]) -> ReadTables:
        samples = [Sample(file) for file in files]
        states = [(s.file, decode_file(s.file, _UserState)) for s in samples if _is_state(s)]
        for sample in samples:
            if _is_export(sample) or _is_jsonl(sample):
                states += [(sample.file, state) for state in _exported(sample)]
        if not states:
            message = "these are instances without annotations; give Potato's user_state.json, too"
            raise input_error(message, file=files[0].name)
        texts = {
            str(row.id): row.text
            for s in samples
            if not _is_state(s) and not _is_export(s) and not _is_jsonl(s)
            for row in _instances(s)
        }
        rows = _Rows(LongRows(JUDGMENTS), LongRows(SPANS), LongRows(RANKINGS))
        for file, state in states:
            _add(file, state, rows, texts)
        return ReadTables(tables=tables_of(*rows))


def _instances(sample: Sample) -> Iterator[_Instance]:
    """The texts that were judged, of JSON or a table."""
    if sample.record:
        yield from (row for _, row in decode_lines(sample.file, _Instance))
        return
    read = tsv_rows if "\t" in sample.first_line else csv_rows
    (_, heading), *rows = read(sample.file)
    names = [name.strip().lower() for name in heading]
    for _, cells in rows:
        row = dict(zip(names, cells, strict=False))
        yield _Instance(row.get("id", ""), row.get("text", ""))


def _is_state(sample: Sample) -> bool:
    return {"user_id", "instance_id_to_label_to_value"} <= sample.json.keys()


def _is_export(sample: Sample) -> bool:
    """Whether a file is a table with a column `SCHEMA.LABEL` for each label."""
    return sample.heading >= PLACE and any("." in name for name in sample.heading - PLACE)


def _is_jsonl(sample: Sample) -> bool:
    """Whether a file has such a table as JSON Lines."""
    others = sample.record.keys() - PLACE
    return sample.record.keys() >= PLACE and any("." in name for name in others)


def _lines(sample: Sample) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of an exported table with their lines."""
    if _is_jsonl(sample):
        for line, row in decode_lines(sample.file, dict[str, Any]):
            if absent := sorted(PLACE - row.keys()):
                message = f"there is no {' and no '.join(absent)}"
                raise input_error(message, file=sample.file.name, line=line)
            yield line, row
        return
    read = tsv_rows if "\t" in sample.first_line else csv_rows
    (_, heading), *rows = read(sample.file)
    for line, cells in rows:
        if len(cells) != len(heading):
            message = f"{len(cells)} cells where the heading has {len(heading)}"
            raise input_error(message, file=sample.file.name, line=line)
        yield line, dict(zip(heading, cells, strict=True))


def _exported(sample: Sample) -> list[_UserState]:
    """The states of the users in an exported table; empty cells are labels not chosen."""
    states: dict[str, _UserState] = {}
    for line, row in _lines(sample):
        user, instance = str(row.pop("user_id")), str(row.pop("instance_id"))
        state = states.setdefault(user, _UserState(user, {}))
        state.instance_id_ordering.append(instance)
        labels = state.instance_id_to_label_to_value.setdefault(instance, [])
        for column, cell in row.items():
            schema, _, name = column.partition(".")
            if name == SPANS_COLUMN and cell:
                told = cell if isinstance(cell, str) else msgspec.json.encode(cell).decode()
                marked = decode_part(sample.file, told.encode(), list[_ExportedSpan], line)
                spans = [(_Span(schema, s.name or s.label, s.start, s.end), None) for s in marked]
                state.instance_id_to_span_to_value[instance] = spans
            elif name and cell not in (None, "", False) and str(cell).lower() != "false":
                labels.append((_Label(schema, name), "true" if str(cell) == "True" else cell))
    return list(states.values())


def _add(file: File, state: _UserState, rows: _Rows, texts: dict[str, str]) -> None:
    order = {name: number for number, name in enumerate(state.instance_id_ordering, 1)}
    for instance, labels in state.instance_id_to_label_to_value.items():
        shared = {
            "judge": state.user_id,
            "item": instance,
            "segment": instance,
            "position": order.get(instance),
        }
        text = texts.get(instance)
        several = _several(labels)
        for label, value in labels:
            if label.name in (ERRORS, RANK_ORDER):
                _add_composed(file, label, value, shared, rows)
                continue
            # of a question with several answers, each label is a question that was answered yes
            own = label.schema in several
            question = f"{label.schema}.{label.name}" if own else label.schema
            means = "yes" if own else label.name
            chosen = value in CHOSEN and label.name not in TYPED
            answer = _answer(means if chosen else str(value))
            rows.judgments.add(file.name, None, **shared, text=text, question=question, **answer)
    for instance, marked in state.instance_id_to_span_to_value.items():
        shared = {"judge": state.user_id, "item": instance, "segment": instance}
        for span, _ in marked:
            cells = {"start": span.start, "end": span.end, "severity": span.name}
            rows.spans.add(file.name, None, **shared, question=span.schema, **cells)


def _add_composed(
    file: File, label: _Label, value: Any, shared: dict[str, Any], rows: _Rows
) -> None:
    """Add a ranking, such as `B,D,A=C`, or a list of marked errors."""
    cells = {**shared, "question": label.schema}
    if label.name == RANK_ORDER:
        for rank, tied in enumerate(str(value).split(","), 1):
            for name in tied.split("="):
                rows.rankings.add(file.name, None, **cells, system=name.strip(), rank=rank)
        return
    told = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    for error in decode_part(file, told.encode(), list[_Error], 1):
        kinds = "/".join(kind for kind in (error.type, error.subtype) if kind)
        rows.spans.add(
            file.name,
            None,
            **cells,
            start=error.start,
            end=error.end,
            severity=error.severity or "unspecified",
            category=kinds or None,
        )


def _several(labels: Sequence[tuple[_Label, Any]]) -> set[str]:
    """The questions to which several labels were given."""
    composed = (ERRORS, RANK_ORDER)
    asked = [label.schema for label, value in labels if label.name not in composed]
    return {schema for schema in asked if asked.count(schema) > 1}


def _answer(told: str) -> dict[str, object]:
    """A label, or the number that it is."""
    try:
        return {"value": float(told)}
    except ValueError:
        return {"label": told}
