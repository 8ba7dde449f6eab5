"""The judgments that a reader can filter, small enough to stand in a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import msgspec
import numpy as np

from jurat.report.contents import LARGE, has_features
from jurat.report.live import orders, times
from jurat.report.live.answer_columns import answer_columns
from jurat.report.live.bias_data import bias_tables
from jurat.report.live.heval_data import heval_tables
from jurat.report.live.metric_data import metric_columns
from jurat.report.live.orders import ROW, row_numbers
from jurat.report.live.packed import (
    Columns,
    follows,
    packed_codes,
    packed_values,
    renamed,
    split_key,
    with_constant_tags,
)
from jurat.report.pseudonyms import Pseudonyms
from jurat.report.settings import ReportSettings
from jurat.stats import Evaluation
from jurat.stats.agreement.disagreement import lengths
from jurat.stats.judges.judge_ratings import true_ratings
from jurat.stats.preferences.comparisons import Comparisons, comparisons
from jurat.stats.ratings import Codes, Ratings, coded
from jurat.stats.settings import (
    FatigueSettings,
    JudgeSettings,
    MetricSettings,
    SystemSettings,
    TimeSettings,
)
from jurat.stats.systems.score_table import ScoreTable, rated_tables
from jurat.stats.systems.win_counts import ranking_codes, split_joined_systems

# Judgments above which a report has no filter: its file would become too large for a mail.
MOST_ROWS = 200_000


def live_data(
    evaluation: Evaluation, of_each: Evaluation, settings: ReportSettings, names: Pseudonyms
) -> Mapping[str, Any] | None:
    """What the page's script computes from; None where there is nothing that it could.

    Each table names the sections that are computed from it. Systems are left out where judgments
    have weights, or where what a sentence is depends on which judgments are kept; agreement and
    judges where an item does not tell its system and document. `of_each` has a row for each of
    several systems with the same output, as systems are scored.
    """
    if not settings.bootstrap:
        return None
    # before tables are made, which takes long for many judgments
    if len(evaluation.judged) + len(evaluation.compared) > MOST_ROWS:
        return None
    maker = _TableMaker(evaluation, of_each, settings, names)
    found = [*maker.rated(), *maker.compared()]
    found += times.other_tables(maker.times, names, by_segment=maker.by_segment)
    if has_features(evaluation):
        found += heval_tables(evaluation, settings.of("heval"), names)
    if settings.group:
        bias, unit = settings.of("bias"), maker.by_segment
        found += bias_tables(evaluation, bias, names, by_segment=unit)
    if not found:
        return None
    _all_or_none(found, "fatigue", len(evaluation.ratings))
    with_constant_tags([*found, *(part for one in found for part in one.get("parts", {}).values())])
    return {
        "confidence": settings.confidence,
        "normal": NormalDist().inv_cdf((1 + settings.confidence) / 2),
        "k": maker.of_judges.k,
        "sign": maker.of_systems.sign,
        "cap": TimeSettings.of(settings.of("time")).cap,
        "slices": FatigueSettings.of(settings.of("fatigue")).slices,
        "tables": found,
    }


def _all_or_none(tables: list[dict[str, Any]], section: str, number: int) -> None:
    """Take a section out of all tables unless so many have it: it needs the answers of all."""
    having = [table["sections"] for table in tables if section in table["sections"]]
    if len(having) != number:
        for sections in having:
            sections.remove(section)


def as_script(data: Mapping[str, Any]) -> str:
    """The data as JSON that can stand in a script element."""
    return msgspec.json.encode(data).decode().replace("<", "\\u003c")


class _TableMaker:
    """Makes the tables of an evaluation."""

    def __init__(
        self,
        evaluation: Evaluation,
        of_each: Evaluation,
        settings: ReportSettings,
        names: Pseudonyms,
    ) -> None:
        self.evaluation, self.of_each, self.names = evaluation, of_each, names
        self.of_systems = SystemSettings.of(settings.of("systems"))
        self.of_judges = JudgeSettings.of(settings.of("judges"))
        self.by_segment = settings.unit == "segment"
        self.settings = settings
        self.times = times.timed_decisions(evaluation)
        self.places = {} if settings.group else orders.decision_places(evaluation)

    def rated(self) -> Iterator[dict[str, Any]]:
        """Scores and answers: one table for several sections where they have the same rows."""
        answers = {id(one): one for one in self.evaluation.ratings if _has_whole_items(one)}
        for ratings, table in rated_tables(self.of_each, self.of_systems):
            if not _is_plain(table):
                continue
            sections = ["systems"]
            if len(table.rows) == len(ratings) and answers.pop(id(ratings), None) is not None:
                sections += self._of_answers(ratings)
            yield self._scores(ratings, table, sections)
        for ratings in answers.values():
            yield self._answers(ratings, self._of_answers(ratings))

    def _of_answers(self, ratings: Ratings) -> list[str]:
        # controls that were degraded on purpose count in agreement, not in comparing judges
        same = any(one is ratings for one in true_ratings(self.evaluation, self.of_judges))
        return ["agreement", "judges"] if same else ["agreement"]

    def _scores(self, ratings: Ratings, table: ScoreTable, sections: list[str]) -> dict[str, Any]:
        frame = ratings.frame[table.rows]
        systems, system = renamed(table.systems, table.system, self.names)
        judge = None
        if table.judge is not None:
            judge = renamed(coded(frame["judge"])[1], table.judge, self.names)
        columns = Columns(
            frame=frame,
            sentence=table.sentence,
            systems=(system,),
            judge=judge,
            document=table.document,
        )
        order = columns.order
        items = self._items(ratings, order, sections) if "agreement" in sections else {}
        # repeated answers, which metrics are not compared with, are known with items alone
        known = table.judge is None or "agreement" in sections
        metrics = self._metrics(ratings, table, order) if known else []
        return {
            "sections": [*sections, "metaeval"] if metrics else sections,
            "metrics": metrics,
            "split": split_key(table.by, table.tags),
            "by": {**table.tags, **table.by},
            "systems": systems,
            "system": packed_codes(system[order]),
            **columns.packed(),
            "documents": list(table.documents),
            "values": packed_values(table.values[order]),
            "judgment": columns.numbered_anew(table.judgment),
            "unit": table.unit,
            "allAnswers": _has_all_answers(self.of_each, ratings, table),
            "bySegment": table.by_segment,
            **items,
        }

    def _metrics(self, ratings: Ratings, table: ScoreTable, order: Codes) -> list[dict[str, Any]]:
        settings = MetricSettings.of(self.settings.of("metaeval"))
        if settings.scores is None:
            return []
        return metric_columns(self.evaluation, settings, ratings, table, order)

    def _answers(self, ratings: Ratings, sections: list[str]) -> dict[str, Any]:
        """The answers of judges alone, which may be words."""
        judge = renamed(ratings.judges, ratings.judge_codes, self.names)
        order, columns = answer_columns(ratings, judge, self.names)
        return {
            "sections": sections,
            **columns,
            "unranked": ratings.question in self.evaluation.partly_asked,
            "bySegment": self.by_segment,
            **self._items(ratings, order, sections),
        }

    def _items(self, ratings: Ratings, order: Codes, sections: list[str]) -> dict[str, Any]:
        """The item of each answer, which answers repeat one of the same judge, and their times."""
        firsts = replace(ratings, frame=row_numbers(ratings.frame)).firsts.frame[ROW].to_numpy()
        split = split_key(ratings.by, ratings.tags)
        known = lengths(ratings)
        seconds = times.own_seconds(self.times, split, ratings.frame, order, sections)
        place = self.places.get(split)
        if place is not None and (seconds or not ratings.has("seconds")):
            sections.append("fatigue")
        return {
            "item": packed_codes(ratings.item_codes[order]),
            "items": self._item_names(ratings),
            "lengths": None if known is None else packed_values(known[ratings.item_codes][order]),
            "again": _again(firsts, order),
            "turn": packed_codes(orders.turns(ratings)[order]),
            "place": None if place is None else packed_codes(place[order]),
            **seconds,
        }

    def _item_names(self, ratings: Ratings) -> list[str] | None:
        """The names of the items; of very many they would make the file too large."""
        if len(ratings) > LARGE:
            return None
        return [self.names.shown(name) for name in ratings.items]

    def compared(self) -> Iterator[dict[str, Any]]:
        """Comparisons of two systems."""
        for part in comparisons(self.evaluation):
            if len(part):
                yield self._comparisons(part)

    def _comparisons(self, part: Comparisons) -> dict[str, Any]:
        known = part.has("document")
        document, documents = coded(part.frame["document"]) if known else (None, [])
        judge = None
        if part.has("judge"):
            codes, stand_ins = coded(part.frame["judge"])
            judge = renamed(stand_ins, codes, self.names)
        columns = Columns(
            frame=part.frame,
            sentence=part.sentence,
            systems=part.sides,
            judge=judge,
            document=document,
        )
        order = columns.order
        firsts = replace(part, frame=row_numbers(part.frame)).firsts.frame[ROW].to_numpy()
        split, sections = split_key(part.by, part.tags), ["preferences", *self._of_systems(part)]
        seconds = times.own_seconds(self.times, split, part.frame, order, sections)
        return {
            "sections": sections,
            "split": split,
            "by": {**part.tags, **part.by},
            "systems": [self.names.shown(name) for name in part.systems],
            "first": packed_codes(part.sides[0][order]),
            "second": packed_codes(part.sides[1][order]),
            "shown": packed_codes(part.shown[order]),
            "ranking": columns.numbered_anew(ranking_codes(part)),
            **columns.packed(),
            "documents": documents,
            "item": packed_codes(part.item_codes[order]) if part.has("item") else None,
            "again": _again(firsts, order),
            "bySegment": self.by_segment,
            **seconds,
        }

    def _of_systems(self, part: Comparisons) -> list[str]:
        """Systems are compared here, too, unless outputs that several share count for each."""
        joined = split_joined_systems(part.frame)[1] or self.of_each is not self.evaluation
        return [] if joined else ["systems"]


def _is_plain(table: ScoreTable) -> bool:
    known = table.unit == "sentence" or (table.unit == "item" and not table.documents)
    return known and table.weights is None and len(table.systems) > 0


def _has_all_answers(evaluation: Evaluation, ratings: Ratings, table: ScoreTable) -> bool:
    """Whether judges' means and deviations are those of the table's rows."""
    known = [len(base) for base in evaluation.baseline if base.question == ratings.question]
    return known in ([], [len(table.rows)]) and len(table.rows) == len(ratings)


def _has_whole_items(ratings: Ratings) -> bool:
    """Whether answers have judges, and a filter keeps or leaves out all answers to an item."""
    frame = ratings.frame
    if not {"judge", "item"} <= {*frame.columns} or frame["judge"].null_count() or not len(ratings):
        return False
    places = [name for name in ("system", "document") if ratings.has(name)]
    return all(follows(ratings.coded(name)[0], ratings.item_codes) for name in places)


def _again(firsts: Codes, order: Codes) -> dict[str, str] | None:
    """1 for the rows that are not firsts, in that order; None where all are."""
    if len(firsts) == len(order):
        return None
    again = np.ones(len(order), dtype=np.int64)
    again[firsts] = 0
    return packed_codes(again[order])
