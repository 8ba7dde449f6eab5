"""What a statistic of systems says, by name and key."""

from typing import Any

from jurat.results import Estimate, Result
from jurat.stats import Evaluation
from jurat.stats.settings import SystemSettings
from jurat.stats.statistic import Statistic


def results(
    statistic: type[Statistic[Any]], evaluation: Evaluation, **choices
) -> dict[str, Result]:
    """The results by name, without intervals unless they are asked for."""
    settings = SystemSettings(**{"bootstrap": 0, **choices})
    return {result.name: result for result in statistic().results(evaluation, settings)}


def only(result: Result, **keys: object) -> Estimate:
    """The one estimate with these keys, in `by` or in `tags`."""
    found = [e for e in result.estimates if keys.items() <= {**e.tags, **e.by}.items()]
    assert len(found) == 1, found
    return found[0]


def values(result: Result, key: str = "system") -> dict[object, float | None]:
    """The values by system, or by another key."""
    return {e.by[key]: e.value for e in result.estimates}
