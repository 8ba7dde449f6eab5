"""Questions asked of small tables of times."""

from typing import Any

from jurat.stats import Evaluation, statistics
from jurat.stats.settings import TimeSettings


def found(evaluation: Evaluation, name: str, **settings) -> list[Any]:
    """All estimates of a name."""
    asked = TimeSettings(**{"bootstrap": 0, **settings})
    (kind,) = (kind for kind in statistics("time") if name in kind.gives)
    results = kind().results(evaluation, asked)
    return [estimate for result in results if result.name == name for estimate in result.estimates]


def values(evaluation: Evaluation, name: str, key: str, **settings) -> dict[Any, Any]:
    """The values of a name by one of its keys."""
    return {e.by.get(key): e.value for e in found(evaluation, name, **settings)}
