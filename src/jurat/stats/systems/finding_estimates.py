"""Findings of the cluster-robust methods as estimates: of a mean, and of adjusted scores."""

from __future__ import annotations

from collections.abc import Mapping

from jurat.results import Estimate, Key, Subject
from jurat.stats.cluster_inference import INSEPARABLE, Finding
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.score_table import ScoreTable
from jurat.stats.systems.system_inference import adjusted_scores
from jurat.stats.systems.system_statistic import Display

ADJUSTED = Display("Adjusted scores of systems", "score", "has the {best} adjusted score,")


def finding_estimate(
    found: Finding,
    n: int,
    *,
    about: Subject,
    by: Mapping[str, Key],
    reason: str,
    intervals: bool = True,
    note: str = "",
) -> Estimate:
    """What was found as an estimate; its scope, or why it proves nothing, stands in the note."""
    return Estimate.of(
        found.value,
        n,
        about=about,
        by=by,
        low=found.low if intervals else None,
        high=found.high if intervals else None,
        reason=reason,
        note=note or (", ".join(filter(None, (found.reason, found.scope))) if intervals else ""),
    )


def adjusted_estimates(table: ScoreTable, settings: SystemSettings) -> list[Estimate]:
    """The adjusted score of each system, in the order of the table."""
    found = adjusted_scores(table, settings.confidence).findings
    return [
        finding_estimate(
            one,
            int(table.counts[at]),
            about=table,
            by={"system": table.systems[at]},
            reason=one.reason or INSEPARABLE,
            intervals=bool(settings.bootstrap),
        )
        for at, one in enumerate(found)
    ]
