"""Questions asked of small tables of preferences, and the numbers that come back."""

from collections.abc import Sequence
from typing import Any

from jurat.stats import Evaluation, statistics
from jurat.stats.preferences.comparisons import Comparisons, comparisons
from jurat.stats.settings import PreferenceSettings
from tests.stats.tables import comparison

Row = tuple[str, str, str, str, str]
HEAD = "judge,item,system_a,system_b,outcome"


def compared(rows: Sequence[Row]) -> Evaluation:
    """Preferences from rows of judge, item, both systems and outcome."""
    return comparison("\n".join([HEAD, *map(",".join, rows)]))


def only(rows: Sequence[Row]) -> Comparisons:
    """The comparisons of rows that ask one question."""
    (part,) = comparisons(compared(rows))
    return part


def found(evaluation: Evaluation, name: str, **settings) -> list[Any]:
    """All estimates of a name."""
    asked = PreferenceSettings(**{"bootstrap": 0, **settings})
    (kind,) = (kind for kind in statistics("preferences") if name in kind.gives)
    results = kind().results(evaluation, asked)
    return [estimate for result in results if result.name == name for estimate in result.estimates]


def one(
    evaluation: Evaluation, name: str, settings: dict[str, Any] | None = None, /, **by: Any
) -> Any:
    """The one estimate of a name with these keys."""
    there = found(evaluation, name, **(settings or {}))
    (estimate,) = (e for e in there if all(e.by.get(k) == v for k, v in by.items()))
    return estimate
