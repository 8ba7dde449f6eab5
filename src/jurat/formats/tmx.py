"""TMX translation memories: they hold translations, and no judgments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.long_rows import Texts, translation_table
from jurat.model import File
from jurat.testsets.base import SetFile
from jurat.testsets.markup import EndTag, StartTag, TextEvent, xml_events


class Tmx(FileFormat):
    """Translation memories; the language of a translation is its system."""

    name: ClassVar[str] = "tmx"
    title: ClassVar[str] = "TMX"
    endings: ClassVar[tuple[str, ...]] = ("tmx", "xml")

    def recognises(self, sample: Sample) -> bool:
        return sample.root[0] == "tmx"

    def read(self, files: Sequence[File]) -> ReadTables:
        texts: Texts = {}
        for file in files:
            texts |= _texts(file)
        return ReadTables(tables={"translations": translation_table(texts)})


def _texts(file: File) -> Texts:
    """The texts of all units; the source is in the header's language, else the first."""
    found: Texts = {}
    source_language = language = unit = ""
    inside, number = False, 0
    variants: dict[str, str] = {}
    for event in xml_events(SetFile(file.name, file.data)):
        match event:
            case StartTag("header", _, told):
                source_language = told.get("srclang", "")
            case StartTag("tu", _, told):
                number += 1
                variants, unit = {}, told.get("tuid", str(number))
            case StartTag("tuv", _, told):
                language = told.get("xml:lang") or told.get("lang", "")
                variants[language] = ""
            case StartTag("seg") | EndTag("seg"):
                inside = isinstance(event, StartTag)
            case TextEvent(text) if inside:
                variants[language] += text
            case EndTag("tu"):
                first = source_language if source_language in variants else next(iter(variants), "")
                for name, text in variants.items():
                    if name != first:
                        found[file.name, unit, name] = (variants[first], text, None)
    return found
