"""Tables in, results out: what the judgments say, how sure that is, and its figure.

A folder holds the statistics of one command, a module of it one family of them. What is offered
here is imported when it is asked for: scores of metrics need no tables, and start without them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jurat.stats.evaluation_tables import Evaluation
    from jurat.stats.ratings import Ratings
    from jurat.stats.settings import Settings
    from jurat.stats.statistic import Statistic, analyse, statistics

__all__ = ["Evaluation", "Ratings", "Settings", "Statistic", "analyse", "statistics"]

_HOMES = {"Evaluation": "evaluation_tables", "Ratings": "ratings", "Settings": "settings"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    home = import_module(f"{__name__}.{_HOMES.get(name, 'statistic')}")
    return getattr(home, name)
