"""Golden rows: what others computed, what Jurat computes, and whether the two are the same.

A module of this folder answers for a data set: `DATASET` names it, and `recomputed(data)` yields
the id of a golden row with the number, the text, or several of them, that Jurat gives for it.
"""

import csv
import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from tests import ROOT, oracles
from tests.cli.run_command import jurat

DATA = ROOT.parent / "shared" / "data"
DATASETS = (
    "adequacy_fluency_faen",
    "esa_wmt23",
    "eyetracking_mono",
    "heval_tables",
    "mqm_ted_ende",
    "multiref_eten",
    "preference_parity",
    "stat_examples",
    "tradopad",
    "wmt14_hien",
    "wmt16_ranking",
    "wmt22_calibration",
    "wmt22_da_lven",
    "wmt23_metrics_ende",
)

Answer = float | str | tuple[float | str, ...]
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


class Printed(NamedTuple):
    """What a command printed with --json."""

    results: list[dict[str, Any]]

    def rows(self, name: str, **by: object) -> list[dict[str, Any]]:
        """Every number of that name with these keys, in `by` or in `tags`."""
        return [row for row in self.results if row["name"] == name and _has(row, by)]

    def value(self, name: str, **by: object) -> float:
        """The one number of that name with these keys and no others but the question."""
        found = self.rows(name, **by)
        if len(found) > 1:
            found = [row for row in found if not {*row["by"]} - {*by, "question"}]
        assert len(found) == 1, f"{len(found)} rows of {name} {by}: {found[:3]}"
        value = found[0]["value"]
        assert isinstance(value, int | float), found[0]
        return float(value)


def command(*arguments: object) -> Printed:
    """Run a command of Jurat's with --json, without intervals unless they are asked for."""
    quick = () if "--bootstrap" in arguments else ("--bootstrap", "0")
    done = jurat(*map(str, arguments), *quick, "--json")
    assert done.returncode == 0, done.stderr
    return Printed(json.loads(done.stdout)["results"])


def golden(dataset: str) -> Iterator[Row]:
    """The rows of a data set that the statistics answer for."""
    with (DATA / dataset / "golden.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield Row(dataset=dataset, **row)


@cache
def answers(dataset: str) -> dict[str, Answer]:
    """What Jurat gives for each golden row of a data set."""
    found: dict[str, Answer] = {}
    for module in modules():
        if dataset == module.DATASET:
            for name, answer in module.recomputed(DATA / dataset):
                assert name not in found, f"two modules answer for {name}"
                found[name] = answer
    return found


def modules() -> Iterator[ModuleType]:
    """The modules that answer for data sets."""
    for module in pkgutil.iter_modules(oracles.__path__, "tests.oracles."):
        if not module.name.rpartition(".")[2].startswith(("test_", "golden", "page")):
            yield importlib.import_module(module.name)


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


def _has(row: dict[str, Any], by: dict[str, object]) -> bool:
    keys = {**row.get("tags", {}), **row["by"]}
    return all(str(keys.get(name)) == str(value) for name, value in by.items())


NUMBER = re.compile(r"(<?)(?<![\w.])([-−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?!\w)")


class _Number(NamedTuple):
    value: float
    digits: int
    below: bool = False

    @classmethod
    def all_of(cls, text: str) -> list["_Number"]:
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
