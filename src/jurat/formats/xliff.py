"""XLIFF 1.2 and 2.x with ITS 2.0's localization quality issues, marked in the target.

Issues stand in attributes of `mrk`, or in a list that `mrk` refers to. Their severity is a number
from 0 to 100, which becomes minor, major or critical by thirds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from jurat.errors import input_error, quoted
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.long_rows import LongRows, Texts, tables_of, translation_table
from jurat.formats.system_names import system_of
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, SPANS
from jurat.testsets.base import SetFile
from jurat.testsets.markup import EndTag, StartTag, TextEvent, xml_events

# What a translation without a named origin is called.
TARGET = "target"
TYPE, SEVERITY = "locQualityIssueType", "locQualityIssueSeverity"
THIRDS = ((100 / 3, "minor"), (200 / 3, "major"), (100.0, "critical"))
# Elements that hold a source and a target: of version 1.2, of a suggestion in it, and of 2.x.
UNITS = ("trans-unit", "alt-trans", "segment")
# Elements of version 1.2 whose content is the original file's code, and no text.
CODES = ("bpt", "ept", "ph", "it")


@dataclass
class _Mark:
    start: int
    line: int
    issues: list[Mapping[str, str]]
    reference: str = ""
    end: int = 0


@dataclass
class _Unit:
    """A source and its target, with what is marked in the target."""

    document: str
    segment: str
    system: str
    line: int
    texts: dict[str, str] = field(default_factory=lambda: {"source": "", "target": ""})
    marks: list[_Mark] = field(default_factory=list)
    has_target: bool = False

    @property
    def marked(self) -> bool:
        """Whether something is said about the target."""
        return any(mark.issues for mark in self.marks)


class Xliff(FileFormat):
    """Bilingual files of translation tools, with the issues that reviewers marked."""

    name: ClassVar[str] = "xliff"
    title: ClassVar[str] = "XLIFF"
    endings: ClassVar[tuple[str, ...]] = ("xlf", "xliff", "mqxliff", "sdlxliff", "xml")

    def recognises(self, sample: Sample) -> bool:
        return sample.root[0] == "xliff"

    def read(self, files: Sequence[File]) -> ReadTables:
        judgments, spans = LongRows(JUDGMENTS), LongRows(SPANS)
        texts: Texts = {}
        read = [(file, _Reader(file).units()) for file in files]
        by = _told_apart([units for _, units in read])
        reviewed = [any(unit.marked for unit in units) for _, units in read]
        for (file, units), own in zip(read, reviewed, strict=True):
            # a file without issues beside others that are about the same has none to mark
            judged = any(reviewed) if by else own
            for unit in units:
                # suggestions of machines are shown beside the target, and nobody reviews them
                is_target = unit.system == TARGET
                place = {"document": unit.document, "segment": unit.segment, "system": unit.system}
                place |= {by: system_of(file.name)} if by and is_target else {}
                key = (unit.document, unit.segment, place["system"])
                texts[key] = (unit.texts["source"], unit.texts["target"], None)
                if judged and is_target:
                    _add(file, unit, place, judgments, spans)
        note = (
            "XLIFF: a segment's value is minus the number of its issues; severities from 0 to 100"
        )
        notes = [f"{note} are minor, major and critical by thirds"] if len(judgments) else []
        if by:
            what = (
                "translations of the same segments" if by == "system" else "the same translations"
            )
            notes.append(f"XLIFF: the files have {what}; their names are taken as {by}s")
        found = {**tables_of(judgments, spans), "translations": translation_table(texts)}
        return ReadTables(tables=found, notes=tuple(notes))


def _told_apart(files: Sequence[Sequence[_Unit]]) -> str:
    """What the names of files stand for: the system, if they translate the same segments otherwise.

    If they have the same translations, somebody has reviewed these again: the judge. Empty if no
    two files are about the same segments.
    """
    known: dict[tuple[str, str], str] = {}
    by = ""
    for units in files:
        own = {(u.document, u.segment): u.texts["target"] for u in units if u.system == TARGET}
        shared = own.keys() & known.keys()
        if any(own[key] != known[key] for key in shared):
            return "system"
        by = "judge" if shared else by
        known |= own
    return by


def _add(
    file: File, unit: _Unit, place: Mapping[str, str], judgments: LongRows, spans: LongRows
) -> None:
    issues = [(mark, issue) for mark in unit.marks for issue in mark.issues]
    value = 0.0 - len(issues)
    judgments.add(file.name, unit.line, **place, question="issues", value=value)
    for mark, issue in issues:
        spans.add(
            file.name,
            mark.line,
            **place,
            question="issues",
            start=mark.start,
            end=mark.end,
            severity=_severity(file, mark.line, issue.get(SEVERITY, "")),
            category=issue.get(TYPE),
            missing=issue.get(TYPE) == "omission",
            comment=issue.get("locQualityIssueComment"),
        )


def _severity(file: File, line: int, text: str) -> str:
    if not text:
        return "unspecified"
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:
        message = f"{quoted(text)} is not a severity: a number from 0 to 100"
        raise input_error(message, file=file.name, line=line)
    return next(word for highest, word in THIRDS if number <= highest)


class _Reader:
    """Follows the tags of a file."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._path: list[str] = []
        self._units: list[_Unit] = []
        self._open: list[_Unit] = []
        self._marks: list[_Mark] = []
        # those that begin and end with tags of their own, since they overlap others
        self._apart: dict[str, _Mark] = {}
        self._lists: dict[str, list[Mapping[str, str]]] = {}
        self._list = ""
        self._document = self._unit = ""
        self._unnamed = 0

    def units(self) -> list[_Unit]:
        """All units that have a target, with the issues of lists resolved."""
        for event in xml_events(SetFile(self._file.name, self._file.data)):
            match event:
                case StartTag():
                    self._start(event)
                case EndTag():
                    self._end()
                case TextEvent(text):
                    self._text(text)
        for unit in self._units:
            for mark in unit.marks:
                mark.issues += self._lists.get(mark.reference, [])
        # a target without a text stands for what nobody has translated
        return [u for u in self._units if u.has_target and (u.texts["target"].strip() or u.marked)]

    def _start(self, event: StartTag) -> None:
        tag = _local(event.tag)
        told = {_local(name): value for name, value in event.attributes.items()}
        match tag:
            case "file":
                self._document = told.get("original") or told.get("id") or self._file.name
            case "unit":
                self._unit = told.get("id", "")
                self._unnamed = 0
            case "trans-unit" | "alt-trans" | "segment":
                self._begin(tag, told, event.line)
            case "locQualityIssues":
                self._list = told.get("id", "")
            case "locQualityIssue":
                self._lists.setdefault(self._list, []).append(told)
            case "target" if self._open and self._path[-1] in UNITS:
                self._open[-1].has_target = True
                self._mark(told, event.line)
            case "mrk" if self._side() == "target":
                self._mark(told, event.line)
            case "sm" if self._side() == "target":
                self._mark(told, event.line)
                self._apart[told.get("id", "")] = self._marks.pop()
            case "em" if self._open and (mark := self._apart.pop(told.get("startRef", ""), None)):
                mark.end = len(self._open[-1].texts["target"])
                self._open[-1].marks.append(mark)
        self._path.append(tag)

    def _mark(self, told: Mapping[str, str], line: int) -> None:
        """Begin a part of the target, or all of it, that may have issues."""
        issues: list[Mapping[str, str]] = [told] if TYPE in told or SEVERITY in told else []
        reference = told.get("ref") or told.get("locQualityIssuesRef") or ""
        start = len(self._open[-1].texts["target"])
        self._marks.append(
            _Mark(start, line, issues, reference.removeprefix("#").removeprefix("its="))
        )

    def _begin(self, tag: str, told: Mapping[str, str], line: int) -> None:
        number = told.get("id", "")
        segment, system = number, TARGET
        if tag == "segment":
            segment = f"{self._unit}/{number}" if number else self._unit
            if not number:
                # names need not be given; further segments without one are numbered
                self._unnamed += 1
                segment += f"/{self._unnamed}" if self._unnamed > 1 else ""
        elif tag == "alt-trans":
            segment, system = self._open[-1].segment, told.get("origin", "alt-trans")
        unit = _Unit(self._document, segment, system, line)
        if tag == "alt-trans":
            unit.texts["source"] = self._open[-1].texts["source"]
        self._units.append(unit)
        self._open.append(unit)

    def _end(self) -> None:
        tag = self._path.pop()
        if tag in UNITS:
            self._open.pop()
        elif self._marks and self._closes_mark(tag):
            mark = self._marks.pop()
            mark.end = len(self._open[-1].texts["target"])
            self._open[-1].marks.append(mark)

    def _closes_mark(self, tag: str) -> bool:
        if tag == "target":
            return bool(self._open) and self._path[-1] in UNITS
        return tag == "mrk" and self._side() == "target"

    def _text(self, text: str) -> None:
        if side := self._side():
            self._open[-1].texts[side] += text

    def _side(self) -> str:
        """Whether the place is within the source or the target of a unit; empty if in neither.

        Only direct children of units count: tools keep old versions in elements of their own.
        """
        at = max((n for n, tag in enumerate(self._path) if tag in UNITS), default=-1)
        inside = self._path[at + 1] if 0 <= at < len(self._path) - 1 else ""
        if any(tag in CODES for tag in self._path[at + 1 :]):
            return ""
        return inside if inside in ("source", "target") else ""


def _local(name: str) -> str:
    return name.rpartition(":")[2]
