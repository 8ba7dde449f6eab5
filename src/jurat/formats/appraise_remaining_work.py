"""What is still to be judged, as a manifest and batches with which Appraise starts a campaign."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec
import polars as pl

from jurat.formats.export_rows import suggestion_cells
from jurat.formats.inclusive_spans import inclusive_span
from jurat.model import File

FOLDER = "left"
# Characters of a document's id in Appraise's database.
LONGEST_DOCUMENT = 100
# The name of the source, which Appraise wants beside that of the system.
SOURCE_ID = "source"
# Where Appraise runs that nobody has configured; the manifest has to name it.
URL = "http://127.0.0.1:8000/dashboard/sso/"


def work_files(
    work: pl.DataFrame, *, name: str, languages: tuple[str, str], options: str
) -> list[File]:
    """A manifest and batches, one for each judge, of the rows of `work`.

    `options` are Appraise's names of what is asked: `ESA`, `MQM`, or none for scores alone.
    """
    source, target = languages
    rows = work.sort("judge", maintain_order=True).iter_rows(named=True)
    batches: list[dict[str, Any]] = []
    for number, (judge, own) in enumerate(groupby(rows, key=lambda row: row["judge"]), 1):
        items = [_item(count, row) for count, row in enumerate(own, 1)]
        task = batch_task(number, len(items), source, target)
        # Appraise makes accounts of its own, and does not mind what it does not know
        batches.append({"items": items, "task": {**task, "judge": judge}})
    manifest = {
        "CAMPAIGN_URL": URL,
        "CAMPAIGN_NAME": name,
        "CAMPAIGN_KEY": name,
        "CAMPAIGN_NO": 1,
        "REDUNDANCY": 1,
        "TASKS_TO_ANNOTATORS": [[source, target, "uniform", len(batches), len(batches)]],
        "TASK_TYPE": "Document",
        "TASK_OPTIONS": options,
    }
    made = {"manifest.json": manifest, "batches.json": batches}
    return [File(f"{FOLDER}/{file}", msgspec.json.encode(told)) for file, told in made.items()]


def work_notes(work: pl.DataFrame, languages: tuple[str, str]) -> Iterator[str]:
    """What has to be known of these files, or changed in them."""
    yield (
        "Appraise: accounts have other names there; the first batch in left/ is for the first "
        "account that is made, and so on, and `judge` says whose it is here"
    )
    if count := int(work["side_by_side"].sum()):
        yield f"Appraise: translations that are side by side here are items of their own: {count:,}"
    numbered = work["segment"].str.contains(r"^\d+$").sum()
    if count := work.height - int(numbered or 0):
        yield f"Appraise: items are numbers there; segments that got another one: {count:,}"
    names = work["document"].str.len_chars() + work["system"].str.len_chars() + 1
    if count := int((names > LONGEST_DOCUMENT).sum()):
        limit = f"{LONGEST_DOCUMENT} characters"
        yield f"Appraise: document and system have {limit} together at most; longer: {count:,}"
    if odd := [code for code in languages if not re.fullmatch("[a-z]{3}", code)]:
        yield (
            "Appraise: languages are codes of three letters there (ISO 639-3); change these in "
            f"left/: {', '.join(odd)}"
        )


def batch_task(number: int, size: int, source: str, target: str) -> dict[str, object]:
    """What a batch of that number and size says of itself, with its languages."""
    return {
        "batchNo": number,
        "batchSize": size,
        "randomSeed": 0,
        "requiredAnnotations": 1,
        "sourceLanguage": source,
        "targetLanguage": target,
    }


def item_number(segment: str) -> int | None:
    """The number that a segment's name is, as Appraise has it; None for 007, which is not 7."""
    is_number = segment.isdecimal() and str(int(segment)) == segment
    return int(segment) if is_number else None


def _item(count: int, row: dict[str, Any]) -> dict[str, Any]:
    """An item of a batch; its number is the segment's where that is one."""
    segment = row["segment"]
    return {
        "_block": 0,
        "_item": count - 1,
        "itemID": count if (number := item_number(segment)) is None else number,
        "itemType": "TGT",
        "documentID": f"{row['document']}#{row['system']}",
        "isCompleteDocument": False,
        "sourceID": SOURCE_ID,
        "sourceText": row["source"] or "",
        "targetID": row["system"],
        "targetText": row["translation"],
        "mqm": [inclusive_span(one, row["translation"]) for one in suggestion_cells(row)],
    }
