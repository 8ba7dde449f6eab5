"""Which statistics of a folder give the results that somebody asks for by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jurat.errors import did_you_mean, input_error
from jurat.stats.statistic import statistics


class Choice(NamedTuple):
    """The statistics that were asked for by name."""

    kinds: tuple[str, ...]
    """Names under which the registry has them."""
    results: frozenset[str]
    """Names of the results to show; a statistic may give others, too."""


def choose(folder: str, names: Sequence[str], *, listing: str = "--list names them all") -> Choice:
    """The statistics of a folder that give these results; raises `InputError` for other names.

    `listing` says where all names are found, in the message about a name like no other.
    """
    kinds: dict[str, None] = {}
    results: set[str] = set()
    offered = statistics(folder)
    for name in names:
        # a statistic of several results may be named as a whole
        found = [kind for kind in offered if name == kind.name or name in kind.gives]
        if not found:
            known = [n for kind in offered for n in (kind.name, *kind.gives)]
            hint = did_you_mean(name, known) or listing
            raise input_error(f"unknown statistic '{name}'; {hint}", value=name)
        kinds |= dict.fromkeys(kind.name for kind in found)
        results |= {name} if any(name in kind.gives for kind in found) else {*found[0].gives}
    return Choice(tuple(kinds), frozenset(results))
