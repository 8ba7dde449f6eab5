"""Published numbers beside recomputed ones, and whether the two are the same.

A data set has its published numbers in golden.csv: how each is called, what was published, what
another program computed, how far apart they may be, and where the number stands.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jurat.cli._studies.command_output import Answer
from jurat.files import read_file

ROUNDING = 1e-9
"""What floating point itself takes away from a tolerance, as a share of the number."""


class Row(NamedTuple):
    """A row of a golden.csv."""

    dataset: str
    id: str
    statistic: str
    published: str
    recomputed: str
    tolerance: str
    kind: str
    source: str

    @property
    def reproduces(self) -> bool:
        """Whether the published number follows from the data; the README names those that don't."""
        return "NOT" not in self.tolerance and "misprint" not in self.source


def golden_rows(data: Path) -> Iterator[Row]:
    """The rows of the golden.csv in the folder of a data set; raises `InputError` without one."""
    text = read_file(data / "golden.csv").data.decode("utf-8")
    for row in csv.DictReader(io.StringIO(text)):
        yield Row(dataset=data.name, **row)


def difference(row: Row, answer: Answer) -> str:
    """Nothing where the answer is the golden one; else how they differ."""
    given = answer if isinstance(answer, tuple) else (answer,)
    if row.reproduces and (wrong := _published(row, given)):
        return f"published: {wrong}"
    if not row.reproduces and not _published(row, given):
        return "it follows from the data after all"
    if wrong := _recomputed(row, given):
        return f"recomputed: {wrong}"
    return ""


NUMBER = re.compile(r"(<?)(?<![\w.])([-−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?!\w)")


class _Number(NamedTuple):
    value: float
    digits: int
    below: bool = False

    @classmethod
    def all_of(cls, text: str) -> list[_Number]:
        """Every number of a text; what stands behind ± is no number of its own."""
        found = NUMBER.findall(re.sub(r"±\s*\S+", "", text))
        return [
            cls(float(n.replace("−", "-")), len(n.partition(".")[2]), sign == "<")
            for sign, n in found
        ]

    def is_near(self, answer: float, tolerance: str) -> bool:
        if self.below:
            return answer < self.value
        return abs(answer - self.value) <= self._allowed(tolerance) + ROUNDING * abs(self.value)

    def _allowed(self, tolerance: str) -> float:
        if not (numbers := _Number.all_of(tolerance)):
            return 0.0 if tolerance == "exact" else 0.5 * 10.0**-self.digits
        share = abs(self.value) / 100 if "relative" in tolerance else 1.0
        return numbers[0].value * share


def _published(row: Row, given: tuple[float | str, ...]) -> str:
    """Every number that was published must be among those given, near enough."""
    tolerance = row.tolerance if row.reproduces else ""
    mine = [float(part) for part in given if not isinstance(part, str)]
    for number in _Number.all_of(row.published):
        if not any(number.is_near(answer, tolerance) for answer in mine):
            return f"{number.value} is not among {mine}"
    return ""


def _recomputed(row: Row, given: tuple[float | str, ...]) -> str:
    """Numbers in their order, and words, as another program gave them."""
    words = [part for part in given if isinstance(part, str)]
    if len(words) == len(given) and {*words} != {*row.recomputed.split()}:
        return f"{words} instead of {row.recomputed}"
    if missing := [word for word in words if word not in row.recomputed]:
        return f"{missing} not in {row.recomputed}"
    mine = [float(part) for part in given if not isinstance(part, str)]
    theirs = _Number.all_of(row.recomputed)
    if len(mine) < len(theirs) and not words and "(" not in row.recomputed:
        return f"{mine} instead of {row.recomputed}"
    if not theirs and mine:
        return f"{mine} where there is no number"
    tolerance = _second(row.tolerance)
    for answer, number in zip(mine, theirs, strict=False):
        if not number.is_near(answer, tolerance):
            return f"{answer} instead of {number.value}"
    return ""


def _second(tolerance: str) -> str:
    """What is allowed beside the recomputed number: named apart where it is tighter."""
    if "NOT" in tolerance:
        return ""
    named = [part for part in tolerance.split(";") if "recomputed" in part]
    return named[0] if named else tolerance
