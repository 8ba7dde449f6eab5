"""The metrics' scores of the translations in a table of the page."""

from __future__ import annotations

from typing import Any

import numpy as np

from jurat.report.live.packed import follows, packed_numbers
from jurat.stats import Evaluation
from jurat.stats.metaeval.input_tables import SEGMENT_KEY, codes_in, with_segment_keys, with_systems
from jurat.stats.metaeval.matched_scores import MatchedScores, match_scores
from jurat.stats.ratings import Codes, Ratings
from jurat.stats.settings import MetricSettings
from jurat.stats.systems.score_table import ScoreTable

# Scores of all metrics that a report holds; more would make it too large for a mail.
MOST_SCORES = 150_000


def metric_columns(
    evaluation: Evaluation,
    settings: MetricSettings,
    ratings: Ratings,
    table: ScoreTable,
    order: Codes,
) -> list[dict[str, Any]]:
    """The metrics and their scores, a number for each translation in the order of the rows.

    `order` has the rows by sentence and system. Empty where there are no scores, too many, or where
    the table does not tell segments and documents as the scores are joined to them.
    """
    if settings.scores is None or ratings.nominal or len(table.rows) != len(ratings):
        return []
    data = next((d for d in match_scores(evaluation, settings) if _is_of(d, ratings)), None)
    if data is None or data.human.means is None:
        return []
    frame = ratings.frame[table.rows]
    judged, _ = with_segment_keys(*with_systems(frame, settings.scores.rows))
    if judged.height != frame.height or judged[SEGMENT_KEY].null_count():
        return []
    segment = codes_in(judged[SEGMENT_KEY], data.human.segments)
    system = codes_in(judged["system"], data.human.systems)
    if not _agree(data, table, segment, system):
        return []
    new = np.ones(len(order), dtype=np.bool_)
    for codes in (table.sentence[order], table.system[order]):
        new[1:] &= codes[1:] == codes[:-1]
    new[1:] = ~new[1:]
    first = order[new]
    return _packed(data, segment[first], system[first])


def _is_of(data: MatchedScores, ratings: Ratings) -> bool:
    return data.human.question == ratings.question and dict(data.tags) == dict(ratings.tags)


def _agree(data: MatchedScores, table: ScoreTable, segment: Codes, system: Codes) -> bool:
    """Whether the table's sentences and documents are the segments and units of the scores."""
    if min(segment.min(initial=0), system.min(initial=0)) < 0:
        return False
    if np.isnan(data.scores).all(axis=(0, 2)).any() or not np.isnan(data.human.of_systems).all():
        return False
    if not (follows(segment, table.sentence) and follows(table.sentence, segment)):
        return False
    if data.units.word != "document":
        return table.by_segment or not table.documents
    if table.document is None or table.by_segment:
        return False
    unit = data.units.of_item[segment]
    return follows(unit, table.document) and follows(table.document, unit)


def _packed(data: MatchedScores, segment: Codes, system: Codes) -> list[dict[str, Any]]:
    """The scores of these translations; none where they are too many."""
    if len(segment) * len(data.metrics) > MOST_SCORES:
        return []
    found = []
    for at, name in enumerate(data.metrics):
        given = data.of_systems[at]
        whole = None if np.isnan(given).all() else given[system]
        found.append(
            {
                "name": name,
                "sign": float(data.signs[at]),
                "scores": packed_numbers(data.scores[at][segment, system]),
                "ofSystems": None if whole is None else packed_numbers(whole),
                # the steps of differences follow from all scores, also of what nobody judged
                "allJudged": not (~np.isnan(data.scores[at]) & ~data.human.judged).any(),
            }
        )
    return found
