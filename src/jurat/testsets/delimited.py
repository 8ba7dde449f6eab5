"""TSV and CSV: tables with a line per segment; only CSV has quotes.

The headings say what each column holds: `document`, `segment`, `source`, `reference:NAME`,
`system:NAME`, `tag:NAME` (of the segment), `document-tag:NAME`, `system:NAME:tag:TAG`,
and `media`, `media_text`, `context_media`, `context_media_text` for what is shown with a segment.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import ClassVar, Literal, NamedTuple

import msgspec

from jurat.errors import InputError, Problem, did_you_mean, input_error, raise_problems
from jurat.model import MEDIA, Document, Segment, TestSet
from jurat.testsets import Format
from jurat.testsets.base import (
    ONLY_DOCUMENT,
    DocumentFacts,
    Location,
    Role,
    Row,
    SegmentFacts,
    SetFile,
    TextEntry,
    clean,
    flat,
    lines,
)

# A file of one long line would have millions.
MOST_COLUMNS = 2000

Holding = Literal[
    "document", "segment", "source", "reference", "system", "tag", "document-tag", "ignore"
]
ALIASES: dict[str, Holding] = {
    **dict.fromkeys(("document", "doc", "docid", "doc_id", "document_id"), "document"),
    **dict.fromkeys(("segment", "seg", "segid", "seg_id", "segment_id", "id"), "segment"),
    **dict.fromkeys(("source", "src"), "source"),
    **dict.fromkeys(("reference", "ref"), "reference"),
}
_REFERENCE = re.compile(r"ref(erence)?[ _-]?([0-9]{1,3}|[a-z])", re.IGNORECASE)
_TRANSLATION_TAG = ":tag:"
# Headings of tags that name a segment's video, recording or image, and describe it.
MEDIA_HEADINGS = (MEDIA, "media_text", "context_media", "context_media_text")


class TableColumn(msgspec.Struct, frozen=True):
    """What a column holds; `tag` is set for a tag of a system's translations."""

    holds: Holding
    name: str = ""
    tag: str = ""


class Delimited(Format):
    """A table with headings; subclasses define how a line is split into cells."""

    carries: ClassVar[tuple[str, ...]] = ("document tags", "segment tags", "translation tags")
    has_columns: ClassVar[bool] = True
    delimiter: ClassVar[str]

    def recognises(self, file: SetFile) -> bool:
        # a list of documents has tabs, too, but no headings
        if file.role and file.role.kind == "documents":
            return False
        if file.ending in self.endings:
            return True
        # texts have commas and tabs, too: a table has at least two headings of known meaning
        top = file.data[: 1 << 16].split(b"\n", 1)[0].decode(errors="ignore").rstrip("\r")
        headings = top.split(self.delimiter)
        return len(headings) > 1 and sum(_column(each) is not None for each in headings) > 1

    def records(self, file: SetFile) -> Iterator[tuple[int, list[str]]]:
        """The cells of every line, with its number."""
        raise NotImplementedError

    def read(self, file: SetFile) -> Iterator[Row]:
        records = self.records(file)
        line, headings = next(records, (1, []))
        if not headings:
            raise input_error("the file is empty", file=file.name)
        columns = _columns(file, line, [heading.strip() for heading in headings])
        counts: dict[str, int] = {}
        empty = True
        for line, cells in records:
            empty = False
            if len(cells) == len(columns):
                yield from _Record(columns, cells, Location(file.name, line)).rows(counts)
            else:
                message = f"this line has {len(cells)} cells; the heading has {len(columns)}"
                yield Problem(message=message, file=file.name, line=line)
        if empty:
            message = "the file has a header but no rows"
            raise input_error(message, file=file.name, value=file.name, code="no-rows")


class Tsv(Delimited):
    """Cells separated by tabs, without quotes."""

    name: ClassVar[str] = "tsv"
    endings: ClassVar[tuple[str, ...]] = ("tsv",)
    about: ClassVar[str] = "tab-separated table with headings, without quotes"
    delimiter: ClassVar[str] = "\t"

    def records(self, file: SetFile) -> Iterator[tuple[int, list[str]]]:
        for number, line in lines(file):
            if line.strip():
                yield number, line.split("\t")

    def write(self, test_set: TestSet) -> list[SetFile]:
        rows = ("\t".join(map(flat, row)) for row in _table(test_set))
        return [SetFile("testset.tsv", "".join(f"{row}\n" for row in rows).encode())]


class Csv(Delimited):
    """Cells separated by commas or semicolons, in quotes where needed."""

    name: ClassVar[str] = "csv"
    endings: ClassVar[tuple[str, ...]] = ("csv",)
    about: ClassVar[str] = "table with headings, separated by commas or semicolons"
    carries: ClassVar[tuple[str, ...]] = (*Delimited.carries, "line ends and tabs in texts")
    delimiter: ClassVar[str] = ","

    def records(self, file: SetFile) -> Iterator[tuple[int, list[str]]]:
        # spreadsheets write semicolons in countries with a decimal comma
        top = next(text for _, text in lines(file))
        semicolons = "," not in top and ";" in top
        # with its line end, which may be part of a quoted cell
        texts = (f"{text}\n" for _, text in lines(file))
        reader = csv.reader(texts, strict=True, delimiter=";" if semicolons else ",")
        while True:
            # a quoted cell may contain line ends: a row begins after the last line that was read
            line = reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                message = f"the quotes or cells cannot be read from here on: {error}"
                raise input_error(message, file=file.name, line=line) from None
            if cells is None:
                return
            # spreadsheets write rows of empty cells below a table
            if any(cells):
                yield line, cells

    def write(self, test_set: TestSet) -> list[SetFile]:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(_table(test_set))
        return [SetFile("testset.csv", out.getvalue().encode())]


class _Record:
    """A row of a table, as the entries and facts in it."""

    def __init__(
        self, columns: Sequence[TableColumn], cells: Sequence[str], location: Location
    ) -> None:
        self.pairs = [(c, cell) for c, cell in zip(columns, cells, strict=True)]
        self.location = location

    def rows(self, counts: dict[str, int]) -> Iterator[Row]:
        """The texts and facts; segments without an id are numbered within their document."""
        document = self._only("document", ONLY_DOCUMENT)
        counts[document] = counts.get(document, 0) + 1
        segment = self._only("segment", str(counts[document]))
        if not document or not segment:
            word = "segment" if document else "document"
            yield self.location.problem(f"this line names no {word}")
            return
        if tags := self._tags("document-tag"):
            yield DocumentFacts(location=self.location, document=document, tags=tags)
        if tags := self._tags("tag"):
            yield SegmentFacts(
                location=self.location, document=document, segment=segment, tags=tags
            )
        yield from self._entries(document, segment)

    def _entries(self, document: str, segment: str) -> Iterator[TextEntry]:
        for column, cell in self.pairs:
            if column.holds in ("source", "reference", "system") and not column.tag:
                yield TextEntry(
                    kind=column.holds,
                    name=column.name,
                    document=document,
                    segment=segment,
                    text=cell,
                    location=self.location,
                    tags=self._entry_tags(column),
                )

    def _only(self, holds: Holding, otherwise: str) -> str:
        return next((cell.strip() for c, cell in self.pairs if c.holds == holds), otherwise)

    def _tags(self, holds: Holding) -> dict[str, str]:
        return {c.name: cell for c, cell in self.pairs if c.holds == holds and cell.strip()}

    def _entry_tags(self, column: TableColumn) -> dict[str, str]:
        """A translation's tags; of a source, the media that may stand in for its text."""
        if column.holds == "system":
            return self._translation_tags(column)
        tags = self._tags("tag") if column.holds == "source" else {}
        return {name: tags[name] for name in tags if name == MEDIA}

    def _translation_tags(self, system: TableColumn) -> dict[str, str]:
        return {c.tag: cell for c, cell in self.pairs if c.tag and c.name == system.name}


class ColumnSample(NamedTuple):
    """A column of a table: its heading, one of its texts, and what it holds by its heading."""

    heading: str
    text: str
    holds: TableColumn | None


def sample_columns(file: SetFile) -> list[ColumnSample]:
    """The columns of a CSV or TSV file with the texts of its first row; none for other files."""
    kind = next((one for one in (Tsv, Csv) if one().recognises(file)), None)
    if kind is None:
        return []
    try:
        records = kind().records(clean(file))
        (_, headings), (_, cells) = next(records, (1, [])), next(records, (2, []))
    # what is wrong with the file is reported where it is read
    except (InputError, StopIteration):
        return []
    pairs = zip_longest(headings[:MOST_COLUMNS], cells[: len(headings)], fillvalue="")
    return [ColumnSample(h.strip(), text, _column(h.strip())) for h, text in pairs]


def _columns(file: SetFile, line: int, headings: Sequence[str]) -> list[TableColumn]:
    """What each column holds; raises `InputError` with all problems of the headings."""
    if len(headings) > MOST_COLUMNS:
        message = f"the heading has {len(headings):,} columns; at most {MOST_COLUMNS:,} are read"
        raise input_error(message, file=file.name, line=line)
    columns = [_given(heading, file.columns) or _column(heading) for heading in headings]
    strange = [heading for heading, c in zip(headings, columns, strict=True) if not c]
    found = [
        *(_doubled(headings, columns)),
        *(_absent(name, headings) for name in file.columns if name not in headings),
    ]
    raise_problems(
        [
            *(_without_role(heading, file.name, line) for heading in strange),
            *(Problem(message=message, file=file.name, line=line) for message in found),
        ]
    )
    return [column for column in columns if column]


def _given(heading: str, roles: Mapping[str, Role]) -> TableColumn | None:
    """What a column holds by the role that the caller gave it; None without one."""
    role = roles.get(heading)
    if role is None or role.kind == "documents":
        return None
    named = role.kind in ("reference", "system")
    return TableColumn(role.kind, (role.name or heading) if named else "")


def _column(heading: str) -> TableColumn | None:
    """What a column holds by its heading; None if the heading is not known."""
    word, colon, name = heading.partition(":")
    if colon and name and word == "system":
        system, _, tag = name.partition(_TRANSLATION_TAG)
        return TableColumn("system", system, tag)
    if colon and name and word in ("reference", "tag", "document-tag"):
        return TableColumn(word, name)  # type: ignore[arg-type]
    if heading in MEDIA_HEADINGS:
        return TableColumn("tag", heading)
    holds = ALIASES.get(heading.lower())
    if holds == "reference" or _REFERENCE.fullmatch(heading):
        # the heading itself is the name, so that `ref1` and `ref2` differ
        return TableColumn("reference", heading)
    return TableColumn(holds) if holds else None


def _without_role(heading: str, file: str, line: int) -> Problem:
    if not heading:
        return Problem(message="there is a column without a heading", file=file, line=line)
    ways = f"call it system:{heading}, reference:{heading} or tag:{heading}"
    options = f"or use --system {heading}, --reference {heading} or --ignore {heading}"
    hint = did_you_mean(heading, ALIASES)
    told = "; ".join(filter(None, (f"the column '{heading}' has no role: {ways}, {options}", hint)))
    return Problem(message=told, file=file, line=line, value=heading, code="column-without-role")


def _doubled(headings: Sequence[str], columns: Sequence[TableColumn | None]) -> Iterator[str]:
    seen: dict[TableColumn, str] = {}
    for heading, column in zip(headings, columns, strict=True):
        if column is None or column.holds == "ignore":
            continue
        if column in seen:
            yield f"the columns '{seen[column]}' and '{heading}' hold the same thing"
        seen.setdefault(column, heading)
    for column, heading in seen.items():
        if column.tag and TableColumn("system", column.name) not in seen:
            yield f"the column '{heading}' is a tag of a system that has no column"


def _absent(name: str, headings: Sequence[str]) -> str:
    hint = did_you_mean(name, headings) or f"the columns are {', '.join(headings)}"
    return f"there is no column '{name}'; {hint}"


def _table(test_set: TestSet) -> Iterator[list[str]]:
    """The heading and a row for every segment."""
    headings = list(_headings(test_set))
    yield headings
    for document, segment in test_set.segments():
        cells = _cells(document, segment)
        yield [cells.get(heading, "") for heading in headings]


def _headings(test_set: TestSet) -> Iterator[str]:
    segments = [segment for _, segment in test_set.segments()]
    yield from ("document", "segment")
    # dict.fromkeys keeps the order in which tags first appear
    yield from dict.fromkeys(f"document-tag:{tag}" for d in test_set.documents for tag in d.tags)
    yield from dict.fromkeys(f"tag:{tag}" for segment in segments for tag in segment.tags)
    if any(segment.source is not None for segment in segments):
        yield "source"
    yield from (f"reference:{name}" for name in test_set.references)
    for name in (system.name for system in test_set.systems):
        # when read again, the part after it would be taken for a tag
        if _TRANSLATION_TAG in name:
            message = f"a table cannot hold the system '{name}', whose name looks like a tag's"
            raise input_error(message)
        yield f"system:{name}"
        tags = dict.fromkeys(tag for s in segments for tag in s.translations[name].tags)
        yield from (f"system:{name}{_TRANSLATION_TAG}{tag}" for tag in tags)


def _cells(document: Document, segment: Segment) -> dict[str, str]:
    """The cells of a segment's row by heading."""
    cells = {"document": document.id, "segment": segment.id, "source": segment.source or ""}
    cells |= {f"document-tag:{tag}": value for tag, value in document.tags.items()}
    cells |= {f"tag:{tag}": value for tag, value in segment.tags.items()}
    cells |= {f"reference:{name}": text for name, text in segment.references.items()}
    for name, made in segment.translations.items():
        cells[f"system:{name}"] = made.text
        tags = {f"{_TRANSLATION_TAG}{tag}": value for tag, value in made.tags.items()}
        cells |= {f"system:{name}{tag}": value for tag, value in tags.items()}
    return cells
