"""The mean score of every system by every judge, on one question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from jurat.campaigns.monitoring.sections import DataVersion
from jurat.campaigns.monitoring.segment_scores import (
    chosen_question,
    judged_evaluation,
    score_frames,
)

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.worker import WorkerState


class JudgeScores(NamedTuple):
    """The scores that one judge gave."""

    judge: str
    n: int
    mean: float
    """Of all their judgments."""
    by_system: Mapping[str, float]


class HeatMap(NamedTuple):
    """The mean score of every system by every judge, on one question."""

    as_of: DataVersion
    question: str
    questions: tuple[str, ...]
    systems: Mapping[str, float]
    """The mean of each by all judges, highest first."""
    judges: tuple[JudgeScores, ...]
    """Highest mean first."""
    least: float
    most: float
    """The range of the means of single judges."""


def heat_map(state: WorkerState, campaign: str, question: str) -> HeatMap:
    """Mean scores by judge and system; the first question where none is named.

    Raises `InputError`.
    """
    import polars as pl

    as_of, seen = state.tables(campaign).as_of, judged_evaluation(state, campaign)
    frames = score_frames(seen, [one.name for one in state.definition(campaign).test_set.systems])
    chosen = chosen_question(frames, question)
    if not chosen:
        return HeatMap(as_of, "", (), {}, (), 0.0, 0.0)
    frame = frames[chosen]
    mean = pl.col("value").mean()
    systems = dict(frame.group_by("system").agg(mean).sort("value", descending=True).iter_rows())
    cells = frame.group_by("judge", "system").agg(mean)
    own: dict[str, dict[str, float]] = {}
    for judge, system, value in cells.iter_rows():
        own.setdefault(judge, {})[system] = value
    # by name as well, so that equal means always come in the same order
    judges = frame.group_by("judge").agg(mean, pl.len().alias("n"))
    ordered = judges.sort("value", "judge", descending=[True, False])
    return HeatMap(
        as_of,
        chosen,
        tuple(frames),
        systems,
        tuple(JudgeScores(judge, n, value, own[judge]) for judge, value, n in ordered.iter_rows()),
        float(cells["value"].min()),  # type: ignore[arg-type]
        float(cells["value"].max()),  # type: ignore[arg-type]
    )
