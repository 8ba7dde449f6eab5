"""Computes the statistics of an analysis, with the options that all analyses share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from jurat.errors import unknown_name
from jurat.library.options import names
from jurat.library.results import Results
from jurat.stats.identical_outputs import evaluation_for
from jurat.stats.settings import Settings
from jurat.stats.statistic import analyse
from jurat.stats.statistic import statistics as statistics_of
from jurat.stats.statistic_choice import FOLDERS, OF_METRICS, choose

if TYPE_CHECKING:
    from jurat.stats import Evaluation

    AnySettings = TypeVar("AnySettings", bound=Settings)

# The shared options that are fields of all settings.
COMPUTING = ("seed", "bootstrap", "confidence", "unit", "method", "executor")
# Where all names of statistics are found, as messages say it.
LISTING = "jurat.statistics(…) names them all"


def statistics(analysis: str) -> dict[str, str]:
    """The names of all results of an analysis, each with the question that it answers.

    Raises `InputError` for an unknown analysis.
    """
    if analysis == "score":
        return dict(OF_METRICS)
    if analysis not in FOLDERS:
        raise unknown_name("analysis", analysis, (*FOLDERS, "score"))
    kinds = statistics_of(FOLDERS[analysis])
    return {name: kind.asks for kind in kinds for name in kind.gives}


def compute(
    folder: str, evaluation: Evaluation, settings: Settings, options: Mapping[str, Any]
) -> Results:
    """Compute the statistics of a folder of `jurat.stats`, or those in `options["statistics"]`."""
    asked = names(options.get("statistics"))
    chosen = choose(folder, asked, listing=LISTING)
    evaluation = evaluation_for(folder, evaluation)
    found = analyse(folder, evaluation, settings, only=chosen.kinds)
    kept = [one for one in found if not chosen.results or one.name in chosen.results]
    return Results(kept, notes=evaluation.notes)


def settings_of(kind: type[AnySettings], options: Mapping[str, Any], **own: Any) -> AnySettings:
    """Settings of a kind, from the shared options and its own; None leaves a field its default."""
    shared = {name: options[name] for name in COMPUTING if name in options}
    method = shared.get("method")
    if isinstance(method, list | tuple):
        shared["method"] = ",".join(method)
    given = {**shared, **own}
    return kind(**{name: value for name, value in given.items() if value is not None})
