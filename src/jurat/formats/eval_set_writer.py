"""Writes judgments in the layout of mt-metrics-eval: a folder of texts, documents and scores.

A file of scores has the means over judges; the errors that each judge has marked are in files of
ratings, from which scores of MQM follow.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from statistics import fmean

import msgspec
import polars as pl

from jurat.errors import input_error
from jurat.formats.export_rows import (
    Cells,
    JudgedTranslation,
    JudgedTranslations,
    judged_translations,
)
from jurat.formats.file_format import WrittenFiles
from jurat.formats.losses import left_out, unheld
from jurat.model import File

NOT_JUDGED = "None"
PAIR = r"[a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?"
UNKNOWN_PAIR, UNKNOWN_DOMAIN, REFERENCE = "und-und", "unknown", "refA"
# Numbers of segments may be this many times as large as there are segments.
MOST_GAPS = 10
_LINE_END = re.compile(r"\r\n|[\n\r]")

Place = tuple[str, str]


def write_eval_set(tables: Mapping[str, pl.DataFrame]) -> WrittenFiles:
    """The files of an EvalSet, with their folders; raises `InputError` if there are no scores."""
    judged = judged_translations(tables, controls=False)
    if not judged.questions:
        raise input_error("mt-metrics-eval holds scores, and there are none")
    writer = _EvalSet(judged, tables.get("translations", pl.DataFrame()))
    files = [File(name, content.encode()) for name, content in writer.files()]
    return WrittenFiles(files=files, notes=tuple(writer.notes()))


class _EvalSet:
    """The lines of all files: every segment has the same line in each."""

    def __init__(self, judged: JudgedTranslations, texts: pl.DataFrame) -> None:
        self._judged = judged
        pair = "-".join(judged.languages())
        self._pair = pair if re.fullmatch(PAIR, pair) else UNKNOWN_PAIR
        self._texts: dict[tuple[Place, str], Cells] = {}
        for cells in texts.iter_rows(named=True):
            # a degraded translation is another text of the same system
            if cells.get("control") == "degraded":
                continue
            self._texts.setdefault((_place(cells), str(cells["system"] or "")), cells)
        self._rows: dict[tuple[Place, str], list[JudgedTranslation]] = defaultdict(list)
        for row in judged.rows:
            self._rows[(row.text("document"), row.segment), row.text("system")].append(row)
        told = dict.fromkeys((*self._texts, *self._rows))
        self._places = _numbered(dict.fromkeys(place for place, _ in told))
        self._systems = list(dict.fromkeys(system for _, system in told))

    def files(self) -> Iterator[tuple[str, str]]:
        """The names and contents of all files."""
        pair = self._pair
        columns = {
            "source": f"sources/{pair}.txt",
            "reference": f"references/{pair}.{REFERENCE}.txt",
        }
        for column, name in columns.items():
            lines = [self._shared_text(place, column) for place in self._places]
            if any(lines):
                yield name, _lines(lines)
        if any(document for document, _ in self._places):
            yield f"documents/{pair}.docs", _lines(self._document_lines())
        for system in self._systems if self._texts else ():
            lines = [self._text(place, system, "translation") for place in self._places]
            yield f"system-outputs/{pair}/{_file_name(system)}.txt", _lines(lines)
        for question in self._judged.questions:
            name = f"human-scores/{pair}.{_file_name(question).replace('.', '_')}"
            yield f"{name}.seg.score", _lines(self._score_lines(question))
            for judge in self._judges() if self._is_marked() else ():
                told = _file_name(judge).replace(".", "_")
                yield f"{name}.{told}.seg.rating", _lines(self._rating_lines(question, judge))

    def _is_marked(self) -> bool:
        return any(row.spans for row in self._judged.rows)

    def _judges(self) -> list[str]:
        return list(dict.fromkeys(row.judge for row in self._judged.rows))

    def _text(self, place: Place, system: str, column: str) -> str:
        return str(self._texts.get((place, system), {}).get(column) or "")

    def _shared_text(self, place: Place, column: str) -> str:
        texts = (self._text(place, system, column) for system in self._systems)
        return next(filter(None, texts), "")

    def _document_lines(self) -> Iterator[str]:
        domains = {
            (row.text("document"), row.segment): row.text("domain") for row in self._judged.rows
        }
        for place in self._places:
            yield f"{domains.get(place) or UNKNOWN_DOMAIN}\t{place[0]}"

    def _score_lines(self, question: str) -> Iterator[str]:
        for system in self._systems:
            for place in self._places:
                rows = self._rows.get((place, system), ())
                values = [row.answers[question] for row in rows if question in row.answers]
                yield f"{system}\t{fmean(values) if values else NOT_JUDGED}"

    def _rating_lines(self, question: str, judge: str) -> Iterator[str]:
        derived = question in self._judged.derived
        for system in self._systems:
            for place in self._places:
                rows = self._rows.get((place, system), ())
                own = [row for row in rows if row.judge == judge and question in row.answers]
                if own:
                    errors = [_error(span, derived=derived) for span in own[-1].spans]
                    told = msgspec.json.encode({"errors": errors}).decode()
                    yield f"{system}\t{told}\t{judge}"
                else:
                    yield f"{system}\t{NOT_JUDGED}"

    def notes(self) -> Iterator[str]:
        """What an EvalSet does not hold."""
        title = "mt-metrics-eval"
        rows = self._judged.rows
        if any(segment != str(line) for line, (_, segment) in enumerate(self._places, 1)):
            yield f"{title}: segments are named by their lines, not by their ids"
        if not set(self._judged.questions) & self._judged.derived and any(
            row.text("judge") for row in rows
        ):
            yield f"{title}: scores are means over judges"
        lost: Counter[str] = Counter()
        for own in self._rows.values():
            lost["further judgments of a translation by the same judge"] += len(own) - len(
                {row.judge for row in own}
            )
        for row in rows:
            lost["answers in words"] += len(row.labels)
            lost["texts that judges wrote"] += len(row.texts)
        yield from left_out(lost, title)
        if any(
            _LINE_END.search(str(text or "")) for c in self._texts.values() for text in c.values()
        ):
            yield f"{title}: line ends in texts are written as spaces"
        yield from unheld(self._judged, title, self._judged.questions)


def _place(cells: Cells) -> Place:
    return str(cells["document"] or ""), str(cells["segment"] or "")


def _numbered(places: Collection[Place]) -> list[Place]:
    """The places in the order of their lines: that of their numbers, if segments are numbers.

    A number without a segment is a line that nobody has judged, in the document before it.
    """
    numbers = {int(place[1]): place for place in places if place[1].isdecimal()}
    most = max(numbers, default=0)
    if len(numbers) < len(places) or 0 in numbers or most > MOST_GAPS * len(places):
        return _by_document(places)
    lines: list[Place] = []
    document = numbers[min(numbers)][0]
    for number in range(1, most + 1):
        document = numbers.get(number, (document, ""))[0]
        lines.append((document, str(number)))
    # documents must be in one piece
    return lines if _by_document(lines) == lines else _by_document(places)


def _by_document(places: Iterable[Place]) -> list[Place]:
    """The places with the segments of a document one after the other."""
    documents: dict[str, dict[Place, None]] = {}
    for place in places:
        documents.setdefault(place[0], {})[place] = None
    return [place for found in documents.values() for place in found]


def _error(span: Cells, *, derived: bool) -> dict[str, object]:
    """An error of a rating; it has a score only where the scores of segments follow from these."""
    is_source = span.get("source_start") is not None and bool(span.get("missing"))
    told = {
        "start": span["source_start"] if is_source else span["start"],
        "end": span["source_end"] if is_source else span["end"],
        "category": span.get("category"),
        "severity": span["severity"],
        "is_source_error": is_source,
    }
    return {**told, "score": span.get("weight")} if derived else told


def _file_name(name: str) -> str:
    return re.sub(r"[/\\]", "_", name) or "_"


def _lines(lines: Iterator[str] | Sequence[str]) -> str:
    return "".join(f"{_LINE_END.sub(' ', line)}\n" for line in lines)
