"""WMT's ranking CSV (2008 to 2016), as Appraise printed it: rankings of five, or pairs."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

import polars as pl

from jurat.errors import Problem, input_error, quoted, raise_problems
from jurat.formats.delimited_rows import csv_rows, tsv_rows
from jurat.formats.file_format import FileFormat, ReadTables, WrittenFiles
from jurat.formats.file_head import Sample
from jurat.formats.long_rows import LongRows, tables_of
from jurat.formats.losses import UNKNOWN
from jurat.model import File
from jurat.tables.preferences import UNRANKED
from jurat.tables.schema import RANKINGS, shortened

NEEDED = {"srclang", "trglang", "judgeid", "system1id", "system2id"}
# What `rank` means in the form for pairs: the ranks of the first and the second system.
PAIR_RANKS = {"1": (1, 2), "2": (2, 1), "0": (1, 1)}
PAIR_OUTCOMES = {"a": "1", "b": "2"}
PLACE = ("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId")
_SYSTEM = re.compile(r"system(\d+)id")


class WmtRanking(FileFormat):
    """Rankings of WMT: `srclang,trglang,srcIndex,…,system1Id,…,system1rank,…`."""

    name: ClassVar[str] = "wmt-ranking"
    title: ClassVar[str] = "WMT rankings"
    endings: ClassVar[tuple[str, ...]] = ("csv",)
    holds: ClassVar[tuple[str, ...]] = ("rankings", "preferences")

    def recognises(self, sample: Sample) -> bool:
        return sample.heading >= NEEDED and bool({"rank", "system1rank"} & sample.heading)

    def read(self, files: Sequence[File]) -> ReadTables:
        rows = LongRows(RANKINGS)
        decisions: Counter[str] = Counter()
        unranked = 0
        for file in files:
            for line, row, ranks in _rankings(file):
                decisions[row["judgeid"]] += 1
                for slot, (system, rank) in enumerate(ranks, 1):
                    if rank == UNRANKED:
                        unranked += 1
                        continue
                    cells = {**_cells(row), "position": decisions[row["judgeid"]]}
                    rows.add(file.name, line, **cells, system=system, slot=slot, rank=rank)
        note = f"WMT: left out, outputs that were not ranked (-1): {unranked:,}"
        return ReadTables(tables=tables_of(rows), notes=(note,) if unranked else ())

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        if "rankings" in tables:
            heading, rows = _ranking_rows(tables["rankings"])
        elif "preferences" in tables:
            heading, rows = _pair_rows(tables["preferences"])
        else:
            raise input_error("WMT's rankings hold rankings and preferences, and there are none")
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows([heading, *rows])
        ties = tables.get("preferences", pl.DataFrame({"outcome": []}))["outcome"]
        merged = int(ties.is_in(("good", "bad")).sum()) if "rankings" not in tables else 0
        note = f"WMT: outcomes 'good' and 'bad' are written as ties: {merged:,}"
        file = File("ranking.csv", out.getvalue().encode())
        return WrittenFiles(files=[file], notes=(note,) if merged else ())


def _rankings(file: File) -> list[tuple[int, dict[str, str], list[tuple[str, int]]]]:
    """The rankings with their lines; raises `InputError` with the lines that do not fit."""
    rows = tsv_rows(file) if "\t" in Sample(file).first_line else csv_rows(file)
    _, heading = next(rows)
    names = [name.strip().lower() for name in heading]
    found = []
    problems: list[Problem] = []
    for line, cells in rows:
        if len(cells) != len(names):
            message = f"{len(cells)} cells where the heading has {len(names)}"
            problems.append(Problem(message=message, file=file.name, line=line))
            continue
        row = dict(zip(names, (cell.strip() for cell in cells), strict=True))
        try:
            found.append((line, row, _ranks(row)))
        except ValueError as error:
            problems.append(Problem(message=str(error), file=file.name, line=line))
    raise_problems(shortened(problems, len(problems)))
    return found


def _ranks(row: Mapping[str, str]) -> list[tuple[str, int]]:
    """The systems with their ranks; raises `ValueError` for what is no rank."""
    numbers = [m[1] for name in row if (m := _SYSTEM.fullmatch(name))]
    systems = [row[f"system{n}id"] for n in numbers]
    if "rank" in row:
        if row["rank"] not in PAIR_RANKS:
            raise ValueError(f"{quoted(row['rank'])} is not an outcome: 1, 2 or 0 (equal)")
        return list(zip(systems, PAIR_RANKS[row["rank"]], strict=False))
    ranks = [row.get(f"system{n}rank", "") for n in numbers]
    for rank in ranks:
        if not re.fullmatch(r"-1|[1-9]\d?", rank):
            raise ValueError(f"{quoted(rank)} is not a rank: 1 is best, -1 is not ranked")
    return [
        (system, int(rank)) for system, rank in zip(systems, ranks, strict=True) if system != ""
    ]


def _cells(row: Mapping[str, str]) -> dict[str, object]:
    document, segment = (row.get(n, "") for n in ("documentid", "segmentid"))
    segment = row.get("srcindex") or segment
    pair = f"{row['srclang']}-{row['trglang']}"
    # rankings of several language pairs share the numbers of segments
    named = document if document not in ("", "-1") else None
    return {
        "judge": row["judgeid"],
        "item": "|".join(filter(None, (pair, named, segment))),
        "document": f"{pair}:{named}" if named else None,
        "segment": segment,
        "question": "ranking",
        "language_pair": pair,
    }


def _ranking_rows(rankings: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    """The heading and the rows of rankings; those of fewer systems have empty ones at the end."""
    names = ("judge", "item", "question", "position", "decided_at")
    keys = [name for name in names if name in rankings.columns]
    decisions = rankings.group_by(keys, maintain_order=True).agg(pl.all())
    most = max(map(len, decisions["system"]), default=0)
    numbers = range(1, most + 1)
    heading = [*PLACE, *(n for k in numbers for n in (f"system{k}Number", f"system{k}Id"))]
    rows = []
    for row in decisions.iter_rows(named=True):
        ranked = sorted(zip(row.get("slot") or numbers, row["system"], row["rank"], strict=False))
        ranked += [(number, "", UNRANKED) for number in range(len(ranked) + 1, most + 1)]
        systems = [text for number, name, _ in ranked for text in (str(number), name)]
        first = {name: cell[0] if isinstance(cell, list) else cell for name, cell in row.items()}
        rows.append([*_place(first), *systems, *(str(rank) for *_, rank in ranked)])
    return [*heading, *(f"system{k}rank" for k in numbers)], rows


def _pair_rows(preferences: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    """The heading and the rows of the form for pairs."""
    heading = [*PLACE, "system1Number", "system1Id", "system2Number", "system2Id", "rank"]
    return heading, [
        [*_place(row), "1", row["system_a"], "2", row["system_b"], _pair_rank(row["outcome"])]
        for row in preferences.iter_rows(named=True)
    ]


def _pair_rank(outcome: str) -> str:
    return PAIR_OUTCOMES.get(outcome, "0")


def _place(row: Mapping[str, object]) -> list[str]:
    """The cells of `PLACE`; -1 is a document that is not known."""
    told = {name: "" if row.get(name) is None else str(row[name]) for name in _PLACE_COLUMNS}
    source, _, target = told["language_pair"].partition("-")
    segment = told["segment"] or told["item"]
    # the reader puts the languages before documents, and they must not be there twice
    document = told["document"].removeprefix(f"{told['language_pair']}:") or "-1"
    return [source or "und", target or "und", segment, document, segment, told["judge"] or UNKNOWN]


_PLACE_COLUMNS = ("language_pair", "document", "segment", "item", "judge")
