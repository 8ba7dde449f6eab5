"""A study recomputed: its published numbers beside those that Jurat computes from its data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurat.cli._studies import STUDIES, Study
from jurat.cli._studies.golden import Row, difference, golden_rows
from jurat.errors import input_error, unknown_name

if TYPE_CHECKING:
    from jurat.cli._studies.command_output import Answer

COLUMNS = ("number", "published", "recomputed", "difference")
_NUMBER = re.compile(r"[-−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")

# Passes answers on, with the number of them that there will be, to show progress.
Tracked = Callable[[Iterable[tuple[Row, "Answer"]], int], Iterable[tuple[Row, "Answer"]]]


@dataclass(frozen=True)
class Reproduction:
    """The numbers of a study, published and recomputed; made by `jurat.reproduce`."""

    title: str
    rows: tuple[dict[str, str], ...]
    """For each number what it is, as published, as recomputed, and the difference."""
    apart: tuple[str, ...]
    """The numbers that come out otherwise than they should."""
    summary: str
    """How many come out, in a sentence."""

    def frame(self, kind: str = "polars") -> Any:
        """A row per number; `kind` is `polars` or `pandas`."""
        import polars as pl

        from jurat.library.results import as_kind

        return as_kind(pl.DataFrame(self.rows, schema=COLUMNS), kind)

    def __repr__(self) -> str:
        """The title and the summary."""
        return f"{self.title}\n{self.summary}"

    def _repr_html_(self) -> str:
        lines = ("".join(f"<td>{escape(row[name])}</td>" for name in COLUMNS) for row in self.rows)
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        heading = "".join(f"<th>{name}</th>" for name in COLUMNS)
        table = f"<table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>"
        return f"<p><b>{escape(self.title)}</b><br>{escape(self.summary)}</p>{table}"


def reproduce(name: str, data: str | PathLike[str]) -> Reproduction:
    """Recompute the published numbers of a study from its data, as `jurat reproduce` does.

    Args:
        name: the study, such as "fomicheva2016"; a wrong name raises `InputError` with all.
        data: the folder with the study's data and its golden.csv.
    """
    return reproduction(name, Path(data), lambda answers, _: answers)


def reproduction(name: str, data: Path, tracked: Tracked) -> Reproduction:
    """The same, with answers passed through `tracked` as they come."""
    if name not in STUDIES:
        raise unknown_name("study", name, sorted(STUDIES))
    if not data.is_dir():
        raise input_error("there is no such folder", file=str(data))
    study = STUDIES[name]
    found = list(tracked(_answers(name, study, data), sum(1 for _ in golden_rows(data))))
    apart = tuple(row.id for row, answer in found if difference(row, answer))
    rows = tuple(_compared(row, answer) for row, answer in found)
    return Reproduction(study.title, rows, apart, _summary([row for row, _ in found], apart))


def _answers(name: str, study: Study, data: Path) -> Iterator[tuple[Row, Answer]]:
    """The golden rows that the study's modules answer for, with their answers."""
    rows = {row.id: row for row in golden_rows(data)}
    for module in study.modules:
        for key, answer in import_module(f"jurat.cli._studies.{module}").recomputed(data):
            if key not in rows:
                message = f"golden.csv has no row '{key}': is this the folder {study.dataset}?"
                raise input_error(message, file=str(data / "golden.csv"))
            yield rows[key], answer
    if name == "hamon2008":
        from jurat.cli._studies.hamon2008_example import made_up

        yield from made_up()


def _compared(row: Row, answer: Answer) -> dict[str, str]:
    """A line of the table; a number that others computed from the data is marked."""
    published = row.published
    if row.kind == "computed":
        published = f"{row.recomputed} (computed)"
    elif row.kind == "by hand":
        published = f"{row.published} (by hand)"
    elif not row.reproduces:
        published = f"{row.published} (does not follow from the data)"
    return {
        "number": f"{row.id}: {row.statistic}" if row.statistic not in row.id else row.id,
        "published": published,
        "recomputed": _in_words(answer),
        "difference": _difference(row, answer),
    }


def _in_words(answer: Answer) -> str:
    parts = answer if isinstance(answer, tuple) else (answer,)
    return " / ".join(part if isinstance(part, str) else f"{part:.6g}" for part in parts)


def _difference(row: Row, answer: Answer) -> str:
    """Recomputed − published, where both are one number; else whether they are the same."""
    text = row.recomputed if row.kind == "computed" else row.published
    numbers = _NUMBER.findall(re.sub(r"±\s*\S+", "", text))
    if len(numbers) == 1 and isinstance(answer, float):
        return f"{answer - float(numbers[0].replace('−', '-')):+.2g}"
    return "differs" if difference(row, answer) else "none"


def _summary(rows: list[Row], apart: tuple[str, ...]) -> str:
    unlike = [row.id for row in rows if not row.reproduces]
    same = len(rows) - len(apart) - len([key for key in unlike if key not in apart])
    told = f"{same} of {len(rows)} numbers come out within their tolerance."
    if unlike:
        do = "does" if len(unlike) == 1 else "do"
        told += f" {len(unlike)} in print {do} not follow from the published data."
    return f"{told} Not the same: {', '.join(apart)}." if apart else told
