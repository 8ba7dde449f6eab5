"""Answers of judges in groups by what they saw, for the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jurat.report.contents import LARGE
from jurat.report.live.packed import (
    Columns,
    packed_codes,
    packed_values,
    renamed,
    split_key,
)
from jurat.report.pseudonyms import Pseudonyms
from jurat.stats import Evaluation
from jurat.stats.bias.groups import PERSON, JudgeGroups, judge_groups
from jurat.stats.ratings import Codes
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
    document, documents = ratings.coded("document") if ratings.has("document") else (None, [])
    systems: list[str] = []
    system: tuple[Codes, ...] = ()
    if ratings.has("system") and not ratings.frame["system"].null_count():
        codes, stand_ins = ratings.coded("system")
        systems, shown = renamed(stand_ins, codes, names)
        system = (shown,)
    columns = Columns(
        frame=ratings.frame,
        sentence=ratings.item_codes,
        systems=system,
        judge=renamed(who, person, names),
        document=document,
    )
    order = columns.order
    few = len(ratings) <= LARGE
    return {
        "sections": ["bias"],
        "split": split_key(ratings.by, ratings.tags),
        "by": {**ratings.tags, **ratings.by},
        "systems": systems,
        "system": packed_codes(system[0][order]) if system else None,
        **columns.packed(),
        "documents": documents,
        "values": packed_values(ratings.values[order]),
        "labels": list(ratings.points) if ratings.nominal else None,
        "item": packed_codes(ratings.item_codes[order]),
        "items": [names.shown(name) for name in ratings.items] if few else None,
        "told": {"group": {"names": groups.names, "codes": packed_codes(groups.row_group[order])}},
        "source": groups.source,
        "bySegment": by_segment,
    }
