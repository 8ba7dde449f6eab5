"""Judgments of identical outputs, credited to every system that has the output.

One judgment of an output that several systems share is one judgment: agreement, judges and times
count it once, under the systems' joined names. Where systems are scored and compared it counts for
each of them. There the copies are not independent: they have one document, segment and judge, by
which intervals and tests resample, and the difference of the systems on them is exactly 0.
"""

from __future__ import annotations

from dataclasses import replace

from jurat.stats.evaluation_tables import Evaluation
from jurat.tables.same_output import for_each_system, has_several

# The folders of statistics that score or compare systems.
BY_SYSTEM = frozenset(("heval", "metaeval", "planning", "systems"))


def evaluation_for(folder: str, evaluation: Evaluation) -> Evaluation:
    """The evaluation as the statistics of a folder count it; most often the same object."""
    return credited(evaluation) if folder in BY_SYSTEM else evaluation


def credited(evaluation: Evaluation) -> Evaluation:
    """The evaluation with a row for each of several systems with the same output."""
    judged, compared, spans = evaluation.judgments, evaluation.preferences, evaluation.spans
    judgments = judged.credited() if judged else None
    preferences = compared.credited() if compared else None
    marked = spans is not None and has_several(spans)
    if judgments is judged and preferences is compared and not marked:
        return evaluation
    return replace(
        evaluation,
        judgments=judgments,
        preferences=preferences,
        spans=for_each_system(spans) if spans is not None else None,
        remarks=(*evaluation.remarks, NOTE),
    )


NOTE = "a judgment of an output that several systems share counts for each of them"
