"""Test sets from the texts in files of other tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import polars as pl
from msgspec.structs import replace

from jurat.errors import input_error
from jurat.kits.suggestions import TAG, as_tag
from jurat.model import Suggestion, Tags, TestSet
from jurat.testsets.assembly import assemble
from jurat.testsets.base import (
    ONLY_DOCUMENT,
    Kind,
    Location,
    Row,
    SetFacts,
    TextEntry,
    tidy_offset,
)

# The name of the reference in tables, which have one.
REFERENCE = "reference"


class TextRows:
    """Collects the texts of a test set; a text that was given before is not added again."""

    def __init__(self, file: str) -> None:
        """For texts of a file, by whose name problems are reported."""
        self._location = Location(file)
        self._texts: dict[tuple[Kind, str, str, str], str] = {}
        self._suggestions: dict[tuple[Kind, str, str, str], tuple[Suggestion, ...]] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, kind: Kind, name: str, place: tuple[str, str], text: str | None) -> bool:
        """Add a text of a document and segment, if there is one.

        False if another text has this place already, which stays.
        """
        return text is None or self._texts.setdefault((kind, name, *place), text) == text

    def suggest(
        self, system: str, place: tuple[str, str], suggestions: Sequence[Suggestion]
    ) -> bool:
        """Add the errors that are marked in a translation beforehand; none is known, too.

        False if others have been added, which stay.
        """
        key: tuple[Kind, str, str, str] = ("system", system, *place)
        text = self._texts[key]
        # the text loses blanks around it in a test set, and so do places in it
        own = tuple(
            replace(one, start=tidy_offset(text, one.start), end=tidy_offset(text, one.end))
            for one in suggestions
        )
        return self._suggestions.setdefault(key, own) == own

    @property
    def has_sources(self) -> bool:
        """Whether there are sources, or else no references either."""
        kinds = {kind for kind, *_ in self._texts}
        return "source" in kinds or "reference" not in kinds

    @property
    def has_suggestions(self) -> bool:
        """Whether errors are marked beforehand anywhere."""
        return any(self._suggestions.values())

    def fill_absent(self) -> frozenset[tuple[str, str, str]]:
        """Give systems empty texts where they have none: document, segment and system of these.

        A test set has every system's translation of every segment.
        """
        systems = dict.fromkeys(name for kind, name, *_ in self._texts if kind == "system")
        places = dict.fromkeys(key[2:] for key in self._texts)
        absent = [
            (document, segment, name)
            for document, segment in places
            for name in systems
            if ("system", name, document, segment) not in self._texts
        ]
        for document, segment, name in absent:
            self._texts["system", name, document, segment] = ""
        return frozenset(absent)

    def test_set(self, *, name: str = "", languages: tuple[str, str] = ("", "")) -> TestSet:
        """The test set of all texts; raises `InputError` with what is missing or contradictory."""
        source, target = languages
        facts = SetFacts(
            location=self._location, name=name, source_language=source, target_language=target
        )
        entries = (
            TextEntry(
                kind=kind,
                name=named,
                document=document,
                segment=segment,
                text=text,
                location=self._location,
                tags=self._tags((kind, named, document, segment)),
            )
            for (kind, named, document, segment), text in self._texts.items()
        )
        rows: list[Row] = [facts, *entries]
        return assemble(rows, unreadable=False)

    def _tags(self, key: tuple[Kind, str, str, str]) -> Tags:
        return {TAG: as_tag(self._suggestions[key])} if key in self._suggestions else {}


def test_set_of(tables: Mapping[str, pl.DataFrame], file: str) -> TestSet:
    """The texts in tables as a test set, with each system's translations.

    Raises `InputError` if there are none, or a text is missing.
    """
    if "translations" not in tables:
        raise input_error("there are no texts in this file, so it makes no test set", file=file)
    texts = TextRows(file)
    for cells in tables["translations"].iter_rows(named=True):
        # a line that no file has a text for
        if not cells["source"] and not cells["translation"]:
            continue
        place = (cells["document"] or ONLY_DOCUMENT, cells["segment"] or "")
        texts.add("source", "", place, cells["source"])
        texts.add("reference", REFERENCE, place, cells["reference"])
        texts.add("system", cells["system"] or "", place, cells["translation"])
    return texts.test_set(languages=_languages(tables.values()))


def _languages(tables: Iterable[pl.DataFrame]) -> tuple[str, str]:
    """The languages that the rows of tables name, if all name the same."""
    for table in tables:
        if {"source_language", "target_language"} <= {*table.columns}:
            pairs = table.select("source_language", "target_language").unique().rows()
            if len(pairs) == 1:
                return str(pairs[0][0] or ""), str(pairs[0][1] or "")
    return "", ""
