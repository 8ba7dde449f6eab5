"""What a diagnosis says of a table: results by name and keys."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Result
from jurat.stats import Evaluation, analyse
from jurat.stats.settings import JudgeSettings
from jurat.tables import Intake, Judgments

Row = dict[str, Any]


class Diagnosis(NamedTuple):
    """All results of `jurat diagnose`."""

    results: tuple[Result, ...]

    def result(self, name: str) -> Any:
        """The one result of that name."""
        (only,) = [result for result in self.results if result.name == name]
        return only

    def estimates(self, name: str, **by: object) -> list[Estimate]:
        """Every estimate of that name with these keys."""
        return [e for e in self.result(name).estimates if _has(e, by)]

    def one(self, name: str, **by: object) -> Any:
        """The one estimate of that name with these keys."""
        found = self.estimates(name, **by)
        assert len(found) == 1, (name, by, found)
        return found[0]

    def value(self, name: str, **by: object) -> Any:
        """Its value."""
        return self.one(name, **by).value

    def values(self, name: str, key: str = "judge", **by: object) -> dict[str, Any]:
        """Values of that name by judge, or by another key."""
        return {str(e.by[key]): e.value for e in self.estimates(name, **by) if key in e.by}

    def found(self, way: str, **by: object) -> set[str]:
        """The judges whom a way finds."""
        found = self.estimates("judge-outlier", way=way, **by)
        return {str(e.by["judge"]) for e in found if e.value == 1}


def diagnosed(
    table: Evaluation | list[Row], intake: dict[str, Any] | None = None, **settings: Any
) -> Diagnosis:
    """The diagnosis of a table, without intervals unless they are asked for."""
    if not isinstance(table, Evaluation):
        frame = pl.DataFrame(table, infer_schema_length=None)
        table = Evaluation(judgments=Judgments(frame, Intake(**(intake or {}))))
    chosen = JudgeSettings(**{"bootstrap": 0, **settings})
    return Diagnosis(tuple(analyse("judges", table, chosen)))


def crossed(*, judges: int = 6, items: int = 40, each: int = 3, seed: int = 1) -> list[Row]:
    """A table of five-point scores: every item judged by some judges, each with their severity."""
    return list(_crossed(judges, items, each, np.random.default_rng(seed)))


def _crossed(judges: int, items: int, each: int, rng: np.random.Generator) -> Iterator[Row]:
    severity, quality = rng.normal(0, 0.5, judges), rng.normal(3, 1, items)
    for item in range(items):
        for judge in rng.permutation(judges)[:each]:
            score = quality[item] - severity[judge] + rng.normal(0, 0.6)
            yield {
                "judge": f"j{judge}",
                "item": f"i{item:03}",
                "system": f"s{item % 4}",
                "value": int(np.clip(round(score), 1, 5)),
            }


def _has(estimate: Estimate, by: dict[str, object]) -> bool:
    keys = {**estimate.tags, **estimate.by}
    return all(keys.get(name) == value for name, value in by.items())
