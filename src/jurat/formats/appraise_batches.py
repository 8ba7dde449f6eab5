"""Appraise's batches.json: the texts that were judged, by which results are completed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from jurat.formats.file_head import Sample
from jurat.formats.inclusive_spans import with_line_breaks
from jurat.formats.json_values import decode_file
from jurat.model import File

Key = tuple[str, str, str]
# Names with a `+` of their own, which Appraise does not take apart either.
WHOLE = ("Transformer+R2L", "R2L+Back")


def split_systems(name: str) -> list[str]:
    """The systems in a `targetID`, which joins those with the same output by `+`."""
    for whole in WHOLE:
        name = name.replace(whole, whole.replace("+", "\0"))
    return [part.replace("\0", "+") for part in name.split("+")]


class _Target(msgspec.Struct, rename="camel"):
    target_id: str = msgspec.field(name="targetID")
    target_text: str


class BatchItem(msgspec.Struct, rename="camel"):
    """What an annotator sees at once: a translation, or several side by side."""

    item_id: int | str = msgspec.field(name="itemID")
    document_id: str = msgspec.field(name="documentID", default="")
    source_text: str = ""
    segment_text: str = ""
    target_id: str = msgspec.field(name="targetID", default="")
    target_text: str = ""
    targets: list[_Target] = []
    source_id: str = msgspec.field(name="sourceID", default="")
    item_type: str = "TGT"
    is_complete_document: bool = False
    mqm: msgspec.Raw = msgspec.Raw(b"[]")

    @property
    def is_marked(self) -> bool:
        """Whether errors are marked before a judge sees it."""
        return bytes(self.mqm).startswith(b"[{")


class TaskFacts(msgspec.Struct, rename="camel"):
    """What a batch says about itself."""

    source_language: str = ""
    target_language: str = ""


class Batch(msgspec.Struct):
    """The items that an annotator does in one task."""

    items: list[BatchItem]
    task: TaskFacts = msgspec.field(default_factory=TaskFacts)


class Batches:
    """The texts of a campaign, by item, document and system as results name them."""

    def __init__(self) -> None:
        self._texts: dict[Key, tuple[str, str]] = {}

    def __bool__(self) -> bool:
        return bool(self._texts)

    def add(self, item: BatchItem) -> None:
        """Add the texts of an item, one for each of its targets."""
        own = _Target(target_id=item.target_id, target_text=item.target_text)
        source = with_line_breaks(item.source_text or item.segment_text)
        for target in item.targets or [own]:
            text = with_line_breaks(target.target_text)
            # results have a row for each of the systems, and in older files one for all
            for name in dict.fromkeys((target.target_id, *split_systems(target.target_id))):
                key = (str(item.item_id), item.document_id, name)
                self._texts.setdefault(key, (source, text))

    def texts(self, row: Mapping[str, str]) -> tuple[str, str] | None:
        """The source and the translation that a row of results is about; None if not known."""
        return self._texts.get((row["item"], row.get("document", ""), row["system"]))


def is_batches(sample: Sample) -> bool:
    """Whether a file holds batches."""
    return {"items", "task"} <= sample.first_of_list.keys()


def is_manifest(sample: Sample) -> bool:
    """Whether a file is the manifest of a campaign."""
    return {"CAMPAIGN_NAME", "TASKS_TO_ANNOTATORS"} <= sample.json.keys()


def read_batches(files: Sequence[File]) -> Batches:
    """The texts of all batches in the files; raises `InputError` for what is no batch."""
    batches = Batches()
    for file in files:
        for batch in decode_file(file, list[Batch]):
            for item in batch.items:
                batches.add(item)
    return batches
