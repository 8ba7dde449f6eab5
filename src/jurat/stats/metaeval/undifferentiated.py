"""Translations that people tell apart and a metric scores alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.decisions import Flags
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.places import PLACE, codes_in
from jurat.stats.metaeval.settings import choices
from jurat.stats.metaeval.texts import Texts
from jurat.stats.metaeval.wording import NO_PAIRS, of_first, place_of
from jurat.stats.spread import told
from jurat.stats.statistic import Settings
from jurat.stats.words import percent


class MetricUndifferentiated(AgainstPeople):
    """How many pairs the metric does not tell apart although most judges do."""

    name = "metric-undifferentiated"
    gives = ("metric-undifferentiated",)
    asks = "Which differences does the metric not see at all?"
    formula = (
        "pairs of different translations of a segment that more than half of the judges tell "
        "apart, in whichever direction, and the metric scores alike; n counts the pairs that the "
        "judges tell apart"
    )
    source = "Sun 2010, Table 3"
    place = 25

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A count for each metric."""
        asked = choices(settings)
        found = [e for one in matched(evaluation, asked) for e in _counts(one, asked.texts)]
        all_pairs = "without texts (--texts) all pairs are taken for different"
        yield self.answer(
            evaluation,
            asked,
            found,
            method=told(self.formula, "" if asked.texts else all_pairs),
            headline=_headline(found),
            draw=lambda: _draw(found),
        )


def unlike(one: Matched, texts: Texts | None) -> Flags:
    """Whether the two translations of each pair differ; what has no text is taken to differ."""
    pairs = one.people.decisions.pairs
    if texts is None or not len(pairs):
        return np.ones(len(pairs), dtype=np.bool_)
    table = texts_of(one, texts)
    same = table[pairs.segment, pairs.first] == table[pairs.segment, pairs.second]
    return np.asarray(~same | (table[pairs.segment, pairs.first] == 0))


def texts_of(one: Matched, texts: Texts) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """A number for the text of each translation, segments × systems; 0 where there is none."""
    rows = with_places(one, texts.translations)
    segment = codes_in(rows[PLACE], one.people.segments)
    system = codes_in(rows["system"], one.people.systems)
    own = (segment >= 0) & (system >= 0)
    text = rows["text"].rank("dense").to_numpy().astype(np.int64)
    table = np.zeros((one.segments, len(one.systems)), dtype=np.int64)
    table[segment[own], system[own]] = text[own]
    return table


def with_places(one: Matched, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows of texts with the segment that they belong to."""
    keys = [key for key in ("document", "segment") if key in rows.columns]
    keys = [key for key in keys if key in one.people.places.columns]
    if not keys:
        return rows.clear().with_columns(pl.lit("").alias(PLACE))
    return rows.join(one.people.places.select(PLACE, *keys), on=keys, how="inner")


def _counts(one: Matched, texts: Texts | None) -> Iterator[Estimate]:
    pairs = one.people.decisions.pairs
    apart = pairs.told_apart & unlike(one, texts)
    for at, name in enumerate(one.metrics):
        margin = one.margins(at)
        by = {**one.by, "metric": name}
        if np.isnan(margin).all():
            yield Estimate(None, 0, by=by, tags=one.tags, reason=NO_PAIRS)
            continue
        seen = int((apart & ~np.isnan(margin)).sum())
        yield Estimate(float((apart & (margin == 0)).sum()), seen, by=by, tags=one.tags)


def _headline(found: Sequence[Estimate]) -> str:
    told_of = of_first(found)
    if not told_of:
        return ""
    most = max(told_of, key=lambda e: e.value or 0.0)
    start = place_of(most, found)
    if not most.value:
        return f"{start}Every pair that most judges tell apart has different scores."
    share = percent(most.value / most.n)
    number = f"{int(most.value):,} {'pair' if most.value == 1 else 'pairs'}"
    words = f"{most.by['metric']} scores {number} alike that most judges tell apart"
    return f"{start}{words}, {share} of what they tell apart."


def _draw(found: Sequence[Estimate]) -> Figure:
    return figures.bars(
        "Pairs that judges tell apart and the metric scores alike",
        figures.rows(found),
        x=figures.axis("value", "pairs"),
        y=figures.axis("metric", "metric", "nominal", sort="-x"),
    )
