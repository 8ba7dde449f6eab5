"""mt-metrics-eval: files of scores and ratings, and whole EvalSets (a folder).

A file of scores has a block of lines for each system, in the order of the segments. `None` is not
judged. The documents of segments are in `documents/`, their texts in `sources/` and others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec
import polars as pl

from jurat.decoding import decode, lines
from jurat.errors import Problem, counted, input_error, quoted, raise_problems
from jurat.formats.delimited_rows import tsv_rows
from jurat.formats.eval_set_writer import NOT_JUDGED, PAIR, write_eval_set
from jurat.formats.file_format import FileFormat, ReadTables, WrittenFiles
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_lines, decode_part
from jurat.formats.long_rows import LongRows, Texts, tables_of, translation_table
from jurat.formats.score_rows import ScoreRows
from jurat.formats.span_weights import penalty
from jurat.formats.wmt_ids import is_canary
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, SPANS, shortened

LEVELS = ("sys", "domain", "doc", "seg")
_SCORE = re.compile(rf"(?:({PAIR})\.)?(.+)\.({'|'.join(LEVELS)})\.score")
_RATING = re.compile(rf"({PAIR})\.([^.]+)(?:\.([^.]+))?\.seg\.rating")
# Fields of texts in JSON Lines; a line has one of them.
TEXT_FIELDS = ("source", "reference", "hypothesis", "translation", "text")
_TEXT = re.compile(
    rf"(sources|references|system-outputs|metadata)/({PAIR})(?:[./](.+))?\.(?:txt|jsonl)|documents/({PAIR})\.docs"
)


class RatedError(msgspec.Struct):
    """An error that a rater has marked, in the source or in the translation."""

    start: int
    end: int
    category: str | None = None
    severity: str | None = None
    score: float | None = None
    is_source_error: bool = False


class _Rating(msgspec.Struct):
    errors: list[RatedError] = []


class _Path(NamedTuple):
    """What the name of a file in an EvalSet says."""

    kind: str
    pair: str
    name: str = ""
    level: str = "seg"
    judge: str | None = None


def _path(name: str) -> _Path | None:
    """The parts of a file's name; None if it is none of an EvalSet."""
    parts = name.replace("\\", "/").split("/")
    folder = "/".join(parts[-3:-1])
    if found := _SCORE.fullmatch(parts[-1]):
        pair = found[1] or (parts[-2] if "metric-scores" in folder else "")
        kind = "metric" if "metric-scores" in folder or not found[1] else "human"
        return _Path(kind, pair, found[2], found[3])
    if found := _RATING.fullmatch(parts[-1]):
        return _Path("rating", found[1], found[2], "seg", found[3])
    if found := _TEXT.search("/".join(parts[-3:])):
        pair, kind = found[2] or found[4], found[1] or "documents"
        return _Path(kind, pair, found[3] or "")
    return None


class MtMetricsEval(FileFormat):
    """Scores, ratings and texts of an EvalSet."""

    name: ClassVar[str] = "mt-metrics-eval"
    title: ClassVar[str] = "mt-metrics-eval scores"
    endings: ClassVar[tuple[str, ...]] = ("score", "rating", "docs", "txt", "jsonl")
    names_tell: ClassVar[bool] = True
    holds: ClassVar[tuple[str, ...]] = ("judgments", "spans", "texts")

    def recognises(self, sample: Sample) -> bool:
        return _path(sample.file.name) is not None

    def read(self, files: Sequence[File]) -> ReadTables:
        named = [(file, path) for file in files if (path := _path(file.name))]
        if len(named) < len(files):
            names = ("PAIR.NAME.seg.score", "PAIR.NAME.RATER.seg.rating", "METRIC-REF.seg.score")
            message = "the name of the file does not say what it holds"
            raise input_error(message, file=files[0].name, allowed=names)
        return _EvalSet(named).tables()

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        return write_eval_set(tables)


class _EvalSet:
    """The files of one or several language pairs."""

    def __init__(self, files: Sequence[tuple[File, _Path]]) -> None:
        self._files = files
        self._judgments = LongRows(JUDGMENTS)
        self._spans = LongRows(SPANS)
        self._scores = ScoreRows()
        self._uneven: list[str] = []
        self._several = len({path.pair for _, path in files if path.pair}) > 1
        # where every judge's errors have scores, the file of scores has their means
        self._rated = {
            (path.pair, path.name)
            for file, path in files
            if path.kind == "rating" and b'"score"' in file.data
        }
        listed = {p.pair: list(tsv_rows(file)) for file, p in files if p.kind == "documents"}
        self._documents = {
            pair: [cells[-1] or None for _, cells in rows] for pair, rows in listed.items()
        }
        self._domains = {
            pair: [cells[0] if len(cells) > 1 else None for _, cells in rows]
            for pair, rows in listed.items()
        }

    def tables(self) -> ReadTables:
        """Judgments of people, scores of metrics, and texts."""
        metrics = any(path.kind == "metric" for _, path in self._files)
        means: list[str] = []
        told = {(p.pair, p.name) for _, p in self._files if p.kind == "human" and p.level == "seg"}
        for file, path in self._files:
            if path.kind == "rating":
                # errors without scores explain the scores, which are in another file
                self._add_ratings(file, path, only_spans=(path.pair, path.name) in told)
            elif path.kind == "human" and (path.pair, path.name) in self._rated:
                continue
            # means of scores that are in another file would count a second time
            elif path.kind == "human" and path.level != "seg" and (path.pair, path.name) in told:
                means.append(file.name)
            elif path.kind in ("human", "metric"):
                self._add_scores(file, path, also_as_metric=not metrics)
        found = {**tables_of(self._judgments, self._spans), **self._scores.tables()}
        if texts := self._texts():
            found["translations"] = translation_table(texts)
        note = f"mt-metrics-eval: left out, files of means of other scores: {len(means):,}"
        return ReadTables(tables=found, notes=(*([note] if means else ()), *self._uneven))

    def _place(self, path: _Path, number: int) -> dict[str, str | None]:
        """The document and the segment of a line; several pairs share the numbers of segments."""
        documents = self._documents.get(path.pair)
        document = documents[number - 1] if documents and number <= len(documents) else None
        if self._several:
            document = f"{path.pair}:{document or ''}"
        return {"document": document, "segment": str(number)}

    def _domain(self, path: _Path, number: int) -> str | None:
        """The domain of a line, where the documents have domains."""
        domains = self._domains.get(path.pair, [])
        return domains[number - 1] if path.level == "seg" and number <= len(domains) else None

    def _add_scores(self, file: File, path: _Path, *, also_as_metric: bool) -> None:
        lengths: Counter[str] = Counter()
        for line, cells, number, value in _system_lines(file, path, lengths):
            if path.level == "seg":
                place = self._place(path, number)
            else:
                place = {"document": _above_segments(path, cells, number), "segment": None}
            if path.kind == "human":
                told = {**place, "system": cells[-2], "language_pair": path.pair or None}
                told["domain"] = self._domain(path, number)
                self._judgments.add(file.name, line, **told, question=path.name, value=value)
            if path.kind == "metric" or also_as_metric:
                metric, _, reference = path.name.rpartition("-")
                is_metric = path.kind == "metric" and metric
                self._scores.add(
                    file.name,
                    line,
                    system=cells[-2],
                    value=value,
                    metric=metric if is_metric else path.name,
                    reference=reference if is_metric else None,
                    **place,
                )
        if path.level == "seg":
            self._check_lengths(file, path, lengths)

    def _check_lengths(self, file: File, path: _Path, lengths: Counter[str]) -> None:
        """Note systems whose lines are not those of all segments: their numbers may be wrong."""
        wanted = len(self._documents.get(path.pair, ())) or max(lengths.values(), default=0)
        if odd := {name: count for name, count in lengths.items() if count != wanted}:
            name, count = next(iter(odd.items()))
            self._uneven.append(
                f"mt-metrics-eval: {file.name}: {counted(len(odd), 'system')} with other than "
                f"{wanted:,} lines, one for each segment, such as {name} with {count:,}; their "
                "segments are counted from the first"
            )

    def _add_ratings(self, file: File, path: _Path, *, only_spans: bool) -> None:
        scored = (path.pair, path.name) in self._rated
        numbers: Counter[str] = Counter()
        for line, cells in tsv_rows(file):
            system, told = cells[0], cells[1] if len(cells) > 1 else NOT_JUDGED
            numbers[system] += 1
            if told == NOT_JUDGED:
                continue
            judge = cells[2] if len(cells) > 2 else path.judge
            errors = decode_part(file, told.encode(), _Rating, line).errors
            place = {**self._place(path, numbers[system]), "judge": judge, "system": system}
            shared = {**place, "question": path.name, "language_pair": path.pair}
            shared["domain"] = self._domain(path, numbers[system])
            value = rating_score(errors)
            if scored or not only_spans:
                self._judgments.add(file.name, line, **shared, value=value)
            for error in errors:
                self._spans.add(file.name, line, **shared, **span_cells(error))

    def _texts(self) -> Texts:
        read = {
            (p.pair, p.kind, p.name): _text_lines(file)
            for file, p in self._files
            if p.kind in ("sources", "references", "system-outputs")
        }
        found: Texts = {}
        for (pair, kind, system), targets in read.items():
            if kind != "system-outputs":
                continue
            sources = read.get((pair, "sources", ""), [])
            references = next(
                (t for (p, k, _), t in read.items() if (p, k) == (pair, "references")), []
            )
            for number, target in enumerate(targets, 1):
                place = self._place(_Path(kind, pair), number)
                if is_canary(place["document"]):
                    continue
                source, reference = (
                    t[number - 1] if number <= len(t) else None for t in (sources, references)
                )
                found[place["document"], place["segment"], system] = (source, target, reference)
        return found


def _text_lines(file: File) -> list[str]:
    """The texts of a file, a line each; those of JSON Lines are the only field that is a text."""
    if file.ending != "jsonl":
        return lines(decode(file))
    found: list[str] = []
    for line, row in decode_lines(file, dict[str, Any]):
        told = {name: value for name, value in row.items() if isinstance(value, str)}
        named = [name for name in TEXT_FIELDS if name in told] or list(told)
        if len(named) != 1:
            message = "the line does not say which of its fields is the text"
            raise input_error(message, file=file.name, line=line, allowed=TEXT_FIELDS)
        found.append(told[named[0]])
    return found


def _above_segments(path: _Path, cells: Sequence[str], number: int) -> str | None:
    """What a score above the level of segments is about: a document, a domain, or everything."""
    return {"doc": str(number), "domain": cells[0]}.get(path.level)


def rating_score(errors: Sequence[RatedError]) -> float | None:
    """Minus the sum of the errors' scores; where none has one, of the weights of severities."""
    if all(error.score is None for error in errors):
        return penalty([error.severity for error in errors])
    # rounded, since the sum of weights such as 0.1 is not exact
    return round(0.0 - sum(error.score or 0.0 for error in errors), 6)


def span_cells(error: RatedError) -> dict[str, object]:
    """The cells of an error in the table of spans."""
    cells = {
        "severity": error.severity or "unspecified",
        "category": error.category,
        "weight": error.score,
    }
    if error.is_source_error:
        return {
            **cells,
            "start": 0,
            "end": 0,
            "missing": True,
            "source_start": error.start,
            "source_end": error.end,
        }
    is_missing = error.start == error.end
    return {**cells, "start": error.start, "end": error.end, "missing": is_missing}


def _system_lines(
    file: File, path: _Path, numbers: Counter[str]
) -> Iterator[tuple[int, list[str], int, float]]:
    """Line, cells, number within the system's block, and score of each line that has one.

    The lines of each system are counted in `numbers`.
    """
    problems: list[Problem] = []
    wanted = 3 if path.level == "domain" else 2
    for line, row in tsv_rows(file):
        cells = row if len(row) > 1 else row[0].split()
        if len(cells) != wanted:
            expected = "domain, system and score" if wanted == 3 else "system and score"
            message = f"{len(cells)} cells, where a line has {expected}"
            problems.append(Problem(message=message, file=file.name, line=line))
            continue
        numbers[cells[-2]] += 1
        told = cells[-1].strip()
        try:
            if told != NOT_JUDGED:
                yield line, cells, numbers[cells[-2]], float(told)
        except ValueError:
            message = f"{quoted(told)} is not a score: a number, or None"
            problems.append(Problem(message=message, file=file.name, line=line))
    raise_problems(shortened(problems, len(problems)))
