"""Potato: a user's state (`user_state.json`) or the exported table, with labels and spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from jurat.errors import input_error
from jurat.formats.delimited_rows import csv_rows, tsv_rows
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_file, decode_lines, decode_part
from jurat.formats.long_rows import LongRows, tables_of
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, SPANS

# What Potato writes as the value of a label that was chosen.
CHOSEN = ("true", "on", "1", True)
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


class _UserState(msgspec.Struct):
    user_id: str
    instance_id_to_label_to_value: dict[str, list[tuple[_Label, Any]]]
    instance_id_to_span_to_value: dict[str, list[tuple[_Span, Any]]] = {}
    instance_id_ordering: list[str] = []


class _Instance(msgspec.Struct):
    id: str
    text: str


class Potato(FileFormat):
    """The states of Potato's users, and the instances that they judged."""

    name: ClassVar[str] = "potato"
    title: ClassVar[str] = "Potato annotations"
    endings: ClassVar[tuple[str, ...]] = ("json", "csv", "tsv")

    def recognises(self, sample: Sample) -> bool:
        return _is_state(sample) or _is_export(sample) or sample.record.keys() == {"id", "text"}

    def read(self, files: Sequence[File]) -> ReadTables:
        samples = [Sample(file) for file in files]
        states = [(s.file, decode_file(s.file, _UserState)) for s in samples if _is_state(s)]
        states += [(s.file, state) for s in samples if _is_export(s) for state in _exported(s)]
        if not states:
            message = "these are instances without annotations; give Potato's user_state.json, too"
            raise input_error(message, file=files[0].name)
        texts = {
            row.id: row.text
            for s in samples
            if not _is_state(s) and not _is_export(s)
            for _, row in decode_lines(s.file, _Instance)
        }
        judgments, spans = LongRows(JUDGMENTS), LongRows(SPANS)
        for file, state in states:
            _add(file, state, judgments, spans, texts)
        return ReadTables(tables=tables_of(judgments, spans))


def _is_state(sample: Sample) -> bool:
    return {"user_id", "instance_id_to_label_to_value"} <= sample.json.keys()


def _is_export(sample: Sample) -> bool:
    """Whether a file is a table with a column `SCHEMA.LABEL` for each label."""
    return sample.heading >= PLACE and any("." in name for name in sample.heading - PLACE)


def _exported(sample: Sample) -> list[_UserState]:
    """The states of the users in an exported table; empty cells are labels not chosen."""
    read = tsv_rows if "\t" in sample.first_line else csv_rows
    (_, heading), *rows = read(sample.file)
    states: dict[str, _UserState] = {}
    for line, cells in rows:
        if len(cells) != len(heading):
            message = f"{len(cells)} cells where the heading has {len(heading)}"
            raise input_error(message, file=sample.file.name, line=line)
        row = dict(zip(heading, cells, strict=True))
        user, instance = row.pop("user_id"), row.pop("instance_id")
        state = states.setdefault(user, _UserState(user, {}))
        state.instance_id_ordering.append(instance)
        labels = state.instance_id_to_label_to_value.setdefault(instance, [])
        for column, cell in row.items():
            schema, _, name = column.partition(".")
            if name == SPANS_COLUMN and cell:
                marked = decode_part(sample.file, cell.encode(), list[_ExportedSpan], line)
                spans = [(_Span(schema, s.name or s.label, s.start, s.end), None) for s in marked]
                state.instance_id_to_span_to_value[instance] = spans
            elif name and cell and cell.lower() != "false":
                labels.append((_Label(schema, name), cell.lower() if cell == "True" else cell))
    return list(states.values())


def _add(
    file: File, state: _UserState, judgments: LongRows, spans: LongRows, texts: dict[str, str]
) -> None:
    order = {name: number for number, name in enumerate(state.instance_id_ordering, 1)}
    for instance, labels in state.instance_id_to_label_to_value.items():
        shared = {
            "judge": state.user_id,
            "item": instance,
            "segment": instance,
            "position": order.get(instance),
            "text": texts.get(instance),
        }
        several = _several(labels)
        for label, value in labels:
            # of a question with several answers, each label is a question that was answered yes
            own = label.schema in several
            question = f"{label.schema}.{label.name}" if own else label.schema
            answer = _answer(value, chosen_means="yes" if own else label.name)
            judgments.add(file.name, None, **shared, question=question, **answer)
    for instance, marked in state.instance_id_to_span_to_value.items():
        shared = {"judge": state.user_id, "item": instance, "segment": instance}
        for span, _ in marked:
            cells = {"start": span.start, "end": span.end, "severity": span.name}
            spans.add(file.name, None, **shared, question=span.schema, **cells)


def _several(labels: Sequence[tuple[_Label, Any]]) -> set[str]:
    """The questions to which several labels were given."""
    asked = [label.schema for label, value in labels if value in CHOSEN]
    return {schema for schema in asked if asked.count(schema) > 1}


def _answer(value: Any, *, chosen_means: str) -> dict[str, object]:
    """A chosen label is a word, or the number that it is; a typed or slid value is itself."""
    told = chosen_means if value in CHOSEN else str(value)
    try:
        return {"value": float(told)}
    except ValueError:
        return {"label": told}
