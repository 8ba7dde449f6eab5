"""The filter of a results page: the parameters of its address, checked against known names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from jurat.campaigns.monitoring.filters import Filter
from jurat.errors import Problem, raise_problems, unknown_name

if TYPE_CHECKING:
    from jurat.web.context import Visit

# The parameters of the address that make up a filter, and those of them that are names.
FILTER_FIELDS = ("task", "judges", "without", "documents", "systems", "where", "ways", "k")
NAME_FIELDS = ("task", "judges", "without", "documents", "systems")


def read_filter(visit: Visit) -> Filter:
    """The filter in the address; raises `InputError` for unknown names and faulty values."""
    given = visit.request.query_params
    chosen = Filter.read({name: given.getlist(name) for name in FILTER_FIELDS})
    # an unknown name would silently leave no judgment
    if any(getattr(chosen, name) for name in NAME_FIELDS):
        known = filter_names(visit)
        raise_problems([problem for name in known for problem in _unknown(name, known, chosen)])
    return chosen


def filter_names(visit: Visit) -> dict[str, list[str]]:
    """The names that each field of the filter may have."""
    test_set = visit.service.campaigns.test_set(visit.campaign)
    judges = [one.pin for one in visit.service.accounts.all(visit.campaign) if one.role == "judge"]
    return {
        "task": [one.name for one in visit.service.campaigns.plan(visit.campaign).tasks],
        "judges": judges,
        "without": judges,
        "documents": [one.id for one in test_set.documents],
        "systems": [one.name for one in test_set.systems],
    }


def _unknown(field: str, known: Mapping[str, list[str]], chosen: Filter) -> Iterator[Problem]:
    given: str | Iterable[str] = getattr(chosen, field)
    for name in (given,) if isinstance(given, str) else given:
        if name and name not in known[field]:
            yield from unknown_name(field, name, known[field], field=field).problems
