"""The scores of every segment on one question.

They count the judgments by which systems are scored (`Evaluation.scored`); comparisons count as
the share of those that a system won, under the name `preference`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.sections import DataVersion
from jurat.campaigns.monitoring.system_view import wins
from jurat.errors import unknown_name

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.monitoring.worker import WorkerState
    from jurat.stats import Evaluation

PREFERENCE = "preference"
# A segment by its document and its id; the id is empty where documents were judged as a whole.
Place = tuple[str, str]


class SegmentScore(NamedTuple):
    """The scores of one segment."""

    n: int
    """Judgments."""
    mean: float
    """Of the systems' means."""
    spread: float | None
    """The highest of the systems' means minus the lowest; None where only one was judged."""
    disagreement: float | None
    """The standard deviation between judges of a translation, averaged over translations.

    None where no translation has two judgments.
    """
    by_system: Mapping[str, float]


class SegmentScores(NamedTuple):
    """The scores of all segments that were judged, on one question."""

    as_of: DataVersion
    question: str
    """Empty while nothing was judged."""
    questions: tuple[str, ...]
    """All that can be asked for."""
    systems: tuple[str, ...]
    scores: Mapping[Place, SegmentScore]


def segment_scores(state: WorkerState, campaign: str, question: str) -> SegmentScores:
    """The scores of all segments; the first question where none is named. Raises `InputError`."""
    as_of, seen = state.tables(campaign).as_of, judged_evaluation(state, campaign)
    systems = [one.name for one in state.definition(campaign).test_set.systems]
    frames = score_frames(seen, systems)
    chosen = chosen_question(frames, question)
    scores = _by_segment(frames[chosen]) if chosen else {}
    made = {name for one in scores.values() for name in one.by_system}
    shown = tuple(name for name in systems if name in made)
    return SegmentScores(as_of, chosen, tuple(frames), shown, scores)


def judged_evaluation(state: WorkerState, campaign: str) -> Evaluation:
    """The judgments, with a row for each of several systems with the same output."""
    from jurat.stats.identical_outputs import credited

    return credited(state.filtered(campaign, Filter()).evaluation)


def score_frames(seen: Evaluation, systems: list[str]) -> dict[str, pl.DataFrame]:
    """The rows of each question: judge, system, document, segment and value."""
    import polars as pl

    names = ["judge", "system", "document", "segment", "value"]
    found = {
        ratings.question: ratings.frame.select(names)
        for ratings in (seen.scored if seen.judgments is not None else ())
        if not ratings.nominal and ratings.has("system")
    }
    if seen.preferences is not None and seen.compared.height:
        sides = [
            wins(seen.compared, name).with_columns(pl.lit(name).alias("system")).select(names)
            for name in systems
        ]
        found[PREFERENCE] = pl.concat(sides)
    return {question: frame for question, frame in found.items() if frame.height}


def chosen_question(frames: Mapping[str, object], question: str) -> str:
    """The question, or the first where none is named; raises `InputError` for an unknown one."""
    if question and question not in frames:
        raise unknown_name("question", question, frames)
    return question or next(iter(frames), "")


def _by_segment(frame: pl.DataFrame) -> dict[Place, SegmentScore]:
    import polars as pl

    value = pl.col("value")
    cells = frame.group_by("document", "segment", "system").agg(
        value.mean(), value.std().alias("deviation"), pl.len().alias("n")
    )
    found: dict[Place, dict[str, tuple[float, float | None, int]]] = {}
    for document, segment, system, mean, deviation, n in cells.iter_rows():
        found.setdefault((document, segment or ""), {})[system] = (mean, deviation, n)
    return {place: _score(cells) for place, cells in found.items()}


def _score(cells: Mapping[str, tuple[float, float | None, int]]) -> SegmentScore:
    means = [mean for mean, _, _ in cells.values()]
    deviations = [one for _, one, _ in cells.values() if one is not None]
    return SegmentScore(
        n=sum(n for _, _, n in cells.values()),
        mean=sum(means) / len(means),
        spread=max(means) - min(means) if len(means) > 1 else None,
        disagreement=sum(deviations) / len(deviations) if deviations else None,
        by_system={system: mean for system, (mean, _, _) in cells.items()},
    )
