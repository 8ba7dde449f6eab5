"""TMX translation memories: they hold translations, and no judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.long_rows import Texts, translation_table
from jurat.model import File
from jurat.testsets.base import SetFile
from jurat.testsets.markup import EndTag, StartTag, TextEvent, xml_events

# What the path has instead of a property that names the document of a unit; types of these.
NAME = "name of the document"
DOCUMENT = ("x-doc", "x-document", "document")
# Elements whose content is the original file's code, and no text.
CODES = ("bpt", "ept", "it", "ph", "ut")


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
    reader = _Reader(file.name)
    for event in xml_events(SetFile(file.name, file.data)):
        match event:
            case StartTag(tag, _, told):
                reader.start(tag, told)
            case EndTag(tag):
                reader.end(tag)
            case TextEvent(text):
                reader.add(text)
    return reader.found


class _Reader:
    """Follows the tags of a file."""

    def __init__(self, file: str) -> None:
        self.found: Texts = {}
        self._file = self._document = file
        self._source = self._language = self._unit = ""
        self._variants: dict[str, str] = {}
        self._path: list[str] = []
        self._number = 0
        self._times: Counter[tuple[str, str, str]] = Counter()

    def start(self, tag: str, told: Mapping[str, str]) -> None:
        """A start tag with its attributes."""
        if tag == "header":
            self._source = told.get("srclang", "")
        elif tag == "tu":
            self._number += 1
            self._variants, self._document = {}, self._file
            self._unit = told.get("tuid", str(self._number))
        elif tag == "tuv":
            self._language = told.get("xml:lang") or told.get("lang", "")
            self._variants[self._language] = ""
        elif tag == "prop" and told.get("type") in DOCUMENT:
            tag, self._document = NAME, ""
        self._path.append(tag)

    def end(self, tag: str) -> None:
        """An end tag; after that of a unit its texts are known."""
        self._path.pop()
        if tag != "tu":
            return
        sources = (name for name in self._variants if self._is_source(name))
        first = next(sources, next(iter(self._variants), ""))
        document = self._document or self._file
        for name, text in self._variants.items():
            if name != first:
                # a memory may have a number again, with other texts
                key = (document, self._unit, name)
                self._times[key] += 1
                again = self._times[key]
                unit = self._unit if again == 1 else f"{self._unit} ({again})"
                self.found[document, unit, name] = (self._variants[first], text, None)

    def _is_source(self, language: str) -> bool:
        """Whether a language is the header's, which may leave out the region."""
        told, own = self._source.lower(), language.lower()
        return bool(told) and (own == told or own.startswith(f"{told}-"))

    def add(self, text: str) -> None:
        """A piece of text, which is the original file's code in some elements."""
        if self._path and self._path[-1] == NAME:
            self._document += text
        elif "seg" in self._path and not any(tag in CODES for tag in self._path):
            self._variants[self._language] += text
