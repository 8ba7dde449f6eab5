"""WMT's test sets since 2025: a file of sources, and a file for each system's translations.

A line is a document. Its segments are separated by blank lines (2025), or are paragraphs in
`<p>…</p>` (2026); where a translation has other paragraphs than the source, the whole document is
one segment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import msgspec

from jurat.errors import input_error
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_lines
from jurat.formats.long_rows import Texts, translation_table
from jurat.formats.system_names import system_of
from jurat.formats.wmt_ids import is_canary
from jurat.model import File

_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_BLANK_LINE = re.compile(r"\n\s*\n")


class _Reference(msgspec.Struct):
    ref: str


class _Document(msgspec.Struct):
    doc_id: str
    src_text: str
    refs: dict[str, _Reference | str] = {}


class _Output(msgspec.Struct):
    doc_id: str
    hypothesis: str


class WmtTestSet(FileFormat):
    """Documents of WMT25 and WMT26 with the systems' outputs."""

    name: ClassVar[str] = "wmt-testset"
    title: ClassVar[str] = "WMT test set"
    endings: ClassVar[tuple[str, ...]] = ("jsonl",)
    names_tell: ClassVar[bool] = True

    def recognises(self, sample: Sample) -> bool:
        return _is_output(sample) or {"doc_id", "src_text", "prompt_instruction"} <= (
            sample.record.keys()
        )

    def read(self, files: Sequence[File]) -> ReadTables:
        samples = [Sample(file) for file in files]
        documents = {
            document.doc_id: document
            for sample in samples
            if not _is_output(sample)
            for _, document in decode_lines(sample.file, _Document)
            if not is_canary(document.doc_id)
        }
        outputs = {
            system_of(sample.file.name): {
                output.doc_id: output.hypothesis
                for _, output in decode_lines(sample.file, _Output)
                if output.doc_id in documents
            }
            for sample in samples
            if _is_output(sample)
        }
        if not documents or not outputs:
            message = "give the file of the test set and the systems' files together"
            raise input_error(message, file=files[0].name)
        texts: Texts = {}
        whole = 0
        for document in documents.values():
            parts: Texts = dict(_segments(document, outputs))
            whole += (
                len({segment for _, segment, _ in parts}) == 1
                and len(_paragraphs(document.src_text)) > 1
            )
            texts |= parts
        note = f"WMT: documents whose translations have other paragraphs, as one segment: {whole:,}"
        tables = {"translations": translation_table(texts)}
        return ReadTables(tables=tables, notes=(note,) if whole else ())


def _is_output(sample: Sample) -> bool:
    return {"doc_id", "hypothesis"} <= sample.record.keys()


def _segments(
    document: _Document, outputs: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[tuple[str | None, str | None, str | None], tuple[str | None, ...]]]:
    """The segments of a document with their sources, translations and references."""
    told = next(iter(document.refs.values()), None)
    reference = told.ref if isinstance(told, _Reference) else told
    made = {system: texts.get(document.doc_id, "") for system, texts in outputs.items()}
    versions = [document.src_text, *filter(None, made.values()), *filter(None, [reference])]
    several = len({len(_paragraphs(text)) for text in versions}) == 1
    source, own = (_parts(text, several=several) for text in (document.src_text, reference or ""))
    for system, text in made.items():
        targets = _parts(text, several=several) if text else [""] * len(source)
        for number, (before, after) in enumerate(zip(source, targets, strict=True), 1):
            known = own[number - 1] if reference else None
            yield (document.doc_id, str(number), system), (before, after, known)


def _parts(text: str, *, several: bool) -> list[str]:
    return _paragraphs(text) if several else ["\n".join(_paragraphs(text))]


def _paragraphs(text: str) -> list[str]:
    marked = _PARAGRAPH.findall(text)
    return [part.strip() for part in marked or _BLANK_LINE.split(text.strip())]
