"""Writes judgments as tasks of Label Studio, with an annotation for each decision of a judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec
import polars as pl

from jurat.errors import input_error
from jurat.formats.export_rows import (
    Cells,
    JudgedTranslation,
    JudgedTranslations,
    judged_translations,
    of_own_questions,
)
from jurat.formats.file_format import WrittenFiles
from jurat.formats.losses import left_out, unheld
from jurat.model import File

# What a result is about: the object of a labelling configuration that shows the translation.
TRANSLATION, PAIR = "translation", "pair"
SIDES = {"a": "left", "b": "right"}
# Columns that become fields of a task's data.
DATA = ("campaign", "document", "segment", "system", "domain", "control")


def write_tasks(tables: Mapping[str, pl.DataFrame]) -> WrittenFiles:
    """A JSON list of tasks; raises `InputError` if there is nothing to write.

    Preferences that follow from scores side by side are not written beside these.
    """
    judged = judged_translations(tables)
    every = tables.get("preferences")
    compared = None if every is None else of_own_questions(every, tables)
    if not judged.rows and compared is None:
        raise input_error("Label Studio holds judgments and preferences, and there are none")
    tasks: dict[object, dict[str, Any]] = {}
    for row in judged.rows:
        key = tuple(row.text(name) for name in DATA)
        _task(tasks, key, _data(row))["annotations"].append(_annotation(row))
    for pair in compared.iter_rows(named=True) if compared is not None else ():
        sides = (pair.get("item"), pair["system_a"], pair["system_b"])
        _task(tasks, sides, _pair_data(pair))["annotations"].append(_choice(pair))
    derived = 0 if every is None or compared is None else every.height - compared.height
    following = {"preferences that follow from answers about each translation": derived}
    notes = (*_notes(judged), *_tie_notes(compared), *left_out(following, "Label Studio"))
    data = msgspec.json.encode(list(tasks.values()))
    return WrittenFiles(files=[File("tasks.json", data)], notes=notes)


def _task(tasks: dict[object, dict[str, Any]], key: object, data: Cells) -> dict[str, Any]:
    """The task of that key, which is made if there is none."""
    return tasks.setdefault(key, {"id": len(tasks) + 1, "data": data, "annotations": []})


def _data(row: JudgedTranslation) -> dict[str, object]:
    texts = {"source": row.source, "translation": row.translation, "reference": row.reference}
    places = {name: row.text(name) or None for name in DATA} | {"segment": row.segment or None}
    return {name: value for name, value in (places | texts).items() if value is not None}


def _annotation(row: JudgedTranslation) -> dict[str, Any]:
    results: list[dict[str, Any]] = [
        _result("number", question, number=value) for question, value in row.answers.items()
    ]
    results += [_result("choices", name, choices=[told]) for name, told in row.labels.items()]
    results += [_result("textarea", name, text=[told]) for name, told in row.texts.items()]
    results += [_region(span, row.translation or "", n) for n, span in enumerate(row.spans, 1)]
    return {**_decision(row.cells), "result": results}


def _decision(cells: Cells) -> dict[str, Any]:
    judge, decided = cells.get("judge"), cells.get("decided_at")
    return {
        "completed_by": None if judge is None else {"email": judge},
        "created_at": decided.isoformat() if isinstance(decided, datetime) else None,
        "lead_time": cells.get("seconds"),
        "was_cancelled": False,
        "ground_truth": cells.get("status") == "adjudicated",
    }


def _result(kind: str, question: str, about: str = TRANSLATION, **value: object) -> dict[str, Any]:
    return {"type": kind, "from_name": question, "to_name": about, "value": value}


def _region(span: Cells, text: str, number: int) -> dict[str, Any]:
    """A marked error; what Label Studio has no field for stands in the region's `meta`."""
    start, end = int(str(span["start"])), int(str(span["end"]))
    region = _result("labels", str(span.get("question") or "errors"))
    region["value"] = {
        "start": start,
        "end": end,
        "text": text[start:end],
        "labels": [span["severity"]],
    }
    meta: dict[str, object] = {"text": [span["category"]]} if span.get("category") else {}
    # an empty region says by itself that something is missing
    if (missing := bool(span.get("missing"))) != (start == end):
        meta["missing"] = missing
    return {"id": f"span-{number}", **region, **({"meta": meta} if meta else {})}


def _pair_data(pair: Cells) -> dict[str, object]:
    places = {name: pair[name] for name in DATA if pair.get(name) is not None}
    segment = places.get("segment", pair.get("item"))
    sides = {"left_system": pair["system_a"], "right_system": pair["system_b"]}
    return {**places, "segment": segment, **sides}


def _choice(pair: Cells) -> dict[str, Any]:
    question = str(pair.get("question") or "preference")
    chosen = SIDES.get(str(pair["outcome"]), "tie")
    result = _result("pairwise", question, PAIR, selected=chosen)
    return {**_decision(pair), "result": [result]}


def _notes(judged: JudgedTranslations) -> Iterator[str]:
    lost: Counter[str] = Counter()
    for row in judged.rows:
        lost["places in the source"] += sum(s.get("source_start") is not None for s in row.spans)
        lost["weights of errors"] += sum(s.get("weight") is not None for s in row.spans)
        lost["times at which items were shown"] += row.cells.get("shown_at") is not None
    yield from left_out(lost, "Label Studio")
    yield from unheld(judged, "Label Studio", judged.derived)


def _tie_notes(compared: pl.DataFrame | None) -> Iterator[str]:
    if compared is None:
        return
    if count := int(compared["outcome"].is_in(("good", "bad")).sum()):
        yield f"Label Studio: outcomes 'good' and 'bad' are written as ties: {count:,}"
