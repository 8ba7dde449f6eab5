"""WMT's ranking CSV (2008 to 2016), as Appraise printed it: rankings of five, or pairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from jurat.errors import Problem, quoted, raise_problems
from jurat.formats.delimited_rows import csv_rows
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.long_rows import LongRows, tables_of
from jurat.formats.sample import Sample
from jurat.model import File
from jurat.tables.preferences import UNRANKED
from jurat.tables.schema import RANKINGS, shortened

NEEDED = {"srclang", "trglang", "judgeid", "system1id", "system2id"}
# What `rank` means in the form for pairs: the ranks of the first and the second system.
PAIR_RANKS = {"1": (1, 2), "2": (2, 1), "0": (1, 1)}
_SYSTEM = re.compile(r"system(\d+)id")


class WmtRanking(FileFormat):
    """Rankings of WMT: `srclang,trglang,srcIndex,…,system1Id,…,system1rank,…`."""

    name: ClassVar[str] = "wmt-ranking"
    title: ClassVar[str] = "WMT rankings"
    endings: ClassVar[tuple[str, ...]] = ("csv",)

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


def _rankings(file: File) -> list[tuple[int, dict[str, str], list[tuple[str, int]]]]:
    """The rankings with their lines; raises `InputError` with the lines that do not fit."""
    rows = csv_rows(file)
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
