"""A campaign of Appraise as one of Jurat: the texts of its batches, protocol and redundancy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec

from jurat.errors import input_error, quoted
from jurat.formats.appraise_batches import (
    Batch,
    BatchItem,
    TaskFacts,
    is_batches,
    is_manifest,
    split_systems,
)
from jurat.formats.appraise_document_ids import document_marks
from jurat.formats.file_format import ImportedCampaign
from jurat.formats.file_head import Sample
from jurat.formats.imported_protocol import (
    SCORE,
    Asked,
    fitting_suggestions,
    imported_protocol,
    protocol_of,
)
from jurat.formats.inclusive_spans import InclusiveSpan, with_line_breaks
from jurat.formats.json_values import decode_file, decode_part
from jurat.formats.testset_from_texts import REFERENCE, TextRows
from jurat.model import File, Suggestion

# Types and options of tasks, and the protocols of Jurat that ask the same; the first that fits.
PROTOCOLS = {"ESA": "esa", "MQM": "mqm", "SQM": "sqm", "Pairwise": "contrastive-esa"}
DIRECT = ("Direct", "Document")
# Kinds in which no errors are marked, where the protocol has that.
SCORES_ALONE = ("Pairwise",)
# Items of a kit, about ten minutes of work.
ITEMS = 20
# A `sourceID` that names a file of references: direct assessment may show these as the source.
_OF_REFERENCES = re.compile(r"\bref\b|-ref\.|\.ref", re.IGNORECASE)


class _Manifest(msgspec.Struct):
    name: str = msgspec.field(name="CAMPAIGN_NAME")
    tasks: list[list[object]] = msgspec.field(name="TASKS_TO_ANNOTATORS")
    redundancy: int = msgspec.field(name="REDUNDANCY", default=1)
    kind: str = msgspec.field(name="TASK_TYPE", default="Direct")
    options: str = msgspec.field(name="TASK_OPTIONS", default="")


class _Texts(NamedTuple):
    """The texts of a campaign so far, and what is not carried over."""

    rows: TextRows
    lost: Counter[str]
    asked: Asked
    batches: File
    """The file that is named where something in it is wrong."""


def read_campaign(files: Sequence[File]) -> ImportedCampaign:
    """The campaign of a manifest and its batches; raises `InputError` if one is missing."""
    samples = [Sample(file) for file in files]
    manifests = [s.file for s in samples if is_manifest(s)]
    batches = [b for s in samples if is_batches(s) for b in decode_file(s.file, list[Batch])]
    if len(manifests) != 1 or not batches:
        message = "give the manifest of an Appraise campaign and its batches"
        raise input_error(message, file=files[0].name)
    manifest = decode_file(manifests[0], _Manifest)
    batch_file = next(s.file for s in samples if is_batches(s))
    asked = _asked(manifest, manifests[0])
    texts = _Texts(TextRows(files[0].name), Counter(), asked, batch_file)
    for batch in batches:
        for item in batch.items:
            _add(texts, item)
    absent = texts.rows.fill_absent()
    task = batches[0].task
    made = texts.rows.test_set(
        name=manifest.name, languages=(task.source_language, task.target_language)
    )
    told = texts.rows
    made_of = replace(asked, sources=told.has_sources, suggestions=told.has_suggestions)
    protocol = imported_protocol(made_of)
    size = sum(1 for _ in made.segments()) / len(made.documents)
    return ImportedCampaign(
        title=manifest.name,
        protocol=protocol.name,
        protocol_file=protocol.file,
        wanted=manifest.redundancy,
        judges=_annotators(manifest, manifests[0]),
        documents=max(1, round(ITEMS / size)),
        test_set=made,
        notes=tuple(_notes(manifest, texts.lost, [batch.task for batch in batches])),
        assignment="batches",
        absent=absent,
    )


def _asked(manifest: _Manifest, file: File) -> Asked:
    """What annotators are asked: scores from 0 to 100, but in campaigns with errors alone."""
    named = (*manifest.options.split(";"), manifest.kind)
    for word, protocol in PROTOCOLS.items():
        if any(name.strip().startswith(word) for name in named):
            scales = () if protocol == "mqm" else (SCORE,)
            return Asked(protocol=protocol, scales=scales, errors=word not in SCORES_ALONE)
    if manifest.kind not in DIRECT:
        message = f"{quoted(manifest.kind)} is no kind of task that Jurat has"
        allowed = (*DIRECT, *PROTOCOLS)
        raise input_error(message, file=file.name, field="TASK_TYPE", allowed=allowed)
    return Asked(protocol="da")


def _annotators(manifest: _Manifest, file: File) -> int:
    """How many annotators the tasks of all language pairs have, which stands fourth in each."""
    told = [str(row[3]) for row in manifest.tasks if len(row) > 3]
    if odd := [one for one in told if not one.isdecimal()]:
        message = f"{quoted(odd[0])} is no number of annotators"
        raise input_error(message, file=file.name, field="TASKS_TO_ANNOTATORS")
    return sum(map(int, told))


def _add(texts: _Texts, item: BatchItem) -> None:
    """Add the texts of an item, or count it as one that is not carried over."""
    own = [(target.target_id, target.target_text) for target in item.targets]
    joined = own or [(item.target_id, item.target_text)]
    # as results count them, and as a judge sees them there
    joined = [(names, with_line_breaks(text)) for names, text in joined]
    targets = [(name, text) for names, text in joined for name in split_systems(names)]
    document, control, tutorial, _ = document_marks(item.document_id, [name for name, _ in targets])
    if tutorial:
        texts.lost["items of the tutorial"] += 1
    elif item.item_type != "TGT" or control:
        texts.lost["controls (Jurat makes its own)"] += 1
    elif item.is_complete_document:
        texts.lost["scores of whole documents"] += 1
    else:
        # segments without a document are independent of each other
        place = (document, str(item.item_id)) if document else (str(item.item_id), "1")
        source = with_line_breaks(item.source_text or item.segment_text)
        if _OF_REFERENCES.search(item.source_id):
            texts.rows.add("reference", REFERENCE, place, source)
        else:
            texts.rows.add("source", "", place, source)
        for name, text in targets:
            if not texts.rows.add("system", name, place, text):
                texts.lost["other texts of the same system for the same item"] += 1
            elif item.is_marked:
                texts.rows.suggest(name, place, _suggestions(item, text, texts))


def _suggestions(item: BatchItem, text: str, texts: _Texts) -> list[Suggestion]:
    """The errors that are marked in an item beforehand, as far as the protocol has such."""
    spans = decode_part(texts.batches, item.mqm, list[InclusiveSpan], None)
    found = []
    for cells in (span.cells(text) for span in spans):
        start, end = int(str(cells["start"])), int(str(cells["end"]))
        category = str(cells["category"] or "") or None
        missing, severity = bool(cells["missing"]), str(cells["severity"])
        found.append(
            Suggestion(severity=severity, start=start, end=end, missing=missing, category=category)
        )
    return fitting_suggestions(found, protocol_of(texts.asked), len(text), texts.lost)


def _notes(manifest: _Manifest, lost: Counter[str], tasks: Sequence[TaskFacts]) -> Iterator[str]:
    if options := [o for o in manifest.options.split(";") if o and o not in PROTOCOLS]:
        yield f"options: {', '.join(options)}"
    if len({(task.source_language, task.target_language) for task in tasks}) > 1:
        yield "languages: those of the first batch are taken, others differ"
    yield from (f"{what}: {count:,}" for what, count in lost.items() if count)
