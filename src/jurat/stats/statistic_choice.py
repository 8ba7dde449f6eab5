"""Which statistics of a folder give the results that somebody asks for by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jurat.errors import InputError, did_you_mean, input_error
from jurat.stats.statistic import statistics

# The results of `jurat score`, which has no folder of statistics.
OF_METRICS = {
    "metric-score": "How high does each system score?",
    "metric-difference": "By how much do two systems differ?",
    "metric-p": "Which systems are told apart, and where may the difference be chance?",
}
LISTING = "--list names them all"
# The folder of `jurat.stats` that holds the statistics of each analysis.
FOLDERS = {
    **{name: name for name in ("agreement", "bias", "fatigue", "heval", "metaeval")},
    **{name: name for name in ("preferences", "suggestions", "systems", "time")},
    "diagnose": "judges",
    "model_agreement": "model_judges",
    "plan": "planning",
}


class Choice(NamedTuple):
    """The statistics that were asked for by name."""

    kinds: tuple[str, ...]
    """Names under which the registry has them."""
    results: frozenset[str]
    """Names of the results to show; a statistic may give others, too."""


def choose(folder: str, names: Sequence[str], *, listing: str = LISTING) -> Choice:
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
            raise _of_another(name, folder) or _unknown(name, known, listing)
        kinds |= dict.fromkeys(kind.name for kind in found)
        results |= {name} if any(name in kind.gives for kind in found) else {*found[0].gives}
    return Choice(tuple(kinds), frozenset(results))


def check_metric_results(names: Sequence[str], *, listing: str = LISTING) -> None:
    """Raise `InputError` for a name that is none of the results of `jurat score`."""
    for name in names:
        if name not in OF_METRICS:
            raise _unknown(name, tuple(OF_METRICS), listing)


def _of_another(name: str, asked: str) -> InputError | None:
    """The error for a name that another analysis knows, which is then named; None for no such."""
    own = next((analysis for analysis, folder in FOLDERS.items() if folder == asked), asked)
    for analysis, folder in FOLDERS.items():
        if any(name == kind.name or name in kind.gives for kind in statistics(folder)):
            return input_error(f"'{name}' is a statistic of {analysis}, not of {own}", value=name)
    return None


def _unknown(name: str, known: Sequence[str], listing: str) -> InputError:
    # there are too many to list in a message
    hint = did_you_mean(name, known) or listing
    return input_error(f"unknown statistic '{name}'; {hint}", value=name)
