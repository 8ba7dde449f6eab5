"""What the command's statistics say of a table, by name and keys."""

from collections.abc import Sequence

from jurat.results import Estimate, Result
from jurat.stats import Evaluation, Settings, analyse


def results(evaluation: Evaluation, **settings) -> list[Result]:
    """Every result, without intervals unless they are asked for."""
    return list(analyse("agreement", evaluation, Settings(**{"bootstrap": 0, **settings})))


def estimates(evaluation: Evaluation, name: str, **settings) -> list[Estimate]:
    """The estimates of one name."""
    found = results(evaluation, **settings)
    return [estimate for result in found if result.name == name for estimate in result.estimates]


def one(evaluation: Evaluation, name: str, settings=None, **by) -> Estimate:
    """The one estimate of a name with these keys."""
    found = [
        e
        for e in estimates(evaluation, name, **(settings or {}))
        if all({**e.tags, **e.by}.get(key) == value for key, value in by.items())
    ]
    assert len(found) == 1, found
    return found[0]


def value(evaluation: Evaluation, name: str, settings=None, **by) -> float | None:
    """Its value."""
    return one(evaluation, name, settings, **by).value


def long(rows: Sequence[Sequence[object]]) -> str:
    """A CSV of judgments from a row a judge, a column an item; None where they did not judge."""
    lines = [
        f"j{judge},i{item:03},{answer}"
        for judge, row in enumerate(rows)
        for item, answer in enumerate(row)
        if answer is not None
    ]
    return "\n".join(["judge,item,value", *lines])
