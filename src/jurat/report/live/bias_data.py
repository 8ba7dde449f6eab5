"""Answers of judges in groups by what they saw, for the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jurat.report.contents import LARGE
from jurat.report.live.answer_columns import answer_columns
from jurat.report.live.packed import packed_codes, renamed
from jurat.report.pseudonyms import Pseudonyms
from jurat.stats import Evaluation
from jurat.stats.bias.groups import PERSON, JudgeGroups, judge_groups
from jurat.stats.settings import BiasSettings, Settings


def bias_tables(
    evaluation: Evaluation, settings: Settings, names: Pseudonyms, *, by_segment: bool
) -> Iterator[dict[str, Any]]:
    """A table of the answers to each question and split that judges in groups gave."""
    for groups in judge_groups(evaluation, BiasSettings.of(settings)):
        if len(groups.ratings) and groups.ratings.has("judge"):
            yield _table(groups, names, by_segment=by_segment)


def _table(groups: JudgeGroups, names: Pseudonyms, *, by_segment: bool) -> dict[str, Any]:
    ratings = groups.ratings
    person = groups.person[ratings.judge_codes]
    # a judge of several groups is several judges there, and one name to a reader
    who = sorted(set(ratings.frame[PERSON].to_list()))
    order, columns = answer_columns(ratings, renamed(who, person, names), names)
    few = len(ratings) <= LARGE
    return {
        "sections": ["bias"],
        **columns,
        "item": packed_codes(ratings.item_codes[order]),
        "items": [names.shown(name) for name in ratings.items] if few else None,
        "told": {"group": {"names": groups.names, "codes": packed_codes(groups.row_group[order])}},
        "source": groups.source,
        "bySegment": by_segment,
    }
