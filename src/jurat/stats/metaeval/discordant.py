"""The pairs on which people and a metric part, with their texts, for whoever wants to know why."""

from __future__ import annotations

import numpy as np
import polars as pl

from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.places import PLACE
from jurat.stats.metaeval.settings import MetricSettings
from jurat.stats.metaeval.texts import Texts
from jurat.stats.metaeval.undifferentiated import unlike, with_places
from jurat.stats.ratings import Array

DISCORDANT, ALIKE = "discordant", "undifferentiated"


def discordant_pairs(evaluation: Evaluation, settings: MetricSettings) -> pl.DataFrame:
    """A row for each pair and metric, the largest differences first.

    `discordant`: more than half of the judges prefer the translation that the metric scores lower;
    `undifferentiated`: they tell apart what the metric scores alike. `system_a` is the one that
    the metric prefers; `agree`, `disagree` and `tie` count judges.
    """
    frames = [
        _of_metric(one, at, settings.texts)
        for one in matched(evaluation, settings)
        for at in range(len(one.metrics))
    ]
    rows = [frame for frame in frames if frame.height] or frames[:1]
    if not rows:
        return pl.DataFrame({"metric": []}, schema={"metric": pl.String})
    found = pl.concat(rows, how="diagonal_relaxed")
    order = ["question", "metric", "kind", "difference"]
    return found.sort(order, descending=[False, False, False, True], maintain_order=True)


def _of_metric(one: Matched, metric: int, texts: Texts | None) -> pl.DataFrame:
    pairs, margin = one.people.decisions.pairs, one.margins(metric)
    against = pairs.contradicting(margin)
    alike = (margin == 0) & pairs.told_apart & unlike(one, texts)
    rows = np.flatnonzero(against | alike)
    turned = margin[rows] < 0
    first, second = pairs.first[rows], pairs.second[rows]
    a, b = np.where(turned, second, first), np.where(turned, first, second)
    won, lost = pairs.won[rows], pairs.lost[rows]
    segment = pairs.segment[rows]
    systems = np.array(one.systems, dtype=object)
    scores = one.scores[metric]
    frame = pl.DataFrame(
        {
            "question": [one.people.question] * len(rows),
            "metric": [one.metrics[metric]] * len(rows),
            "kind": np.where(against[rows], DISCORDANT, ALIKE).tolist(),
            PLACE: [one.people.segments[at] for at in segment],
            "system_a": systems[a].tolist(),
            "system_b": systems[b].tolist(),
            "score_a": scores[segment, a],
            "score_b": scores[segment, b],
            "difference": np.abs(margin[rows]),
            "agree": _whole(np.where(turned, lost, won)),
            "disagree": _whole(np.where(turned, won, lost)),
            "tie": _whole(pairs.tied[rows]),
        },
        schema_overrides=dict.fromkeys(
            ("question", "metric", "kind", PLACE, "system_a", "system_b"), pl.String
        ),
    )
    frame = frame.with_columns(pl.lit(str(value)).alias(tag) for tag, value in one.tags.items())
    frame = frame.join(one.people.places, on=PLACE, how="left", maintain_order="left")
    return _with_texts(frame, one, texts).drop(PLACE)


def _whole(values: Array) -> list[int]:
    return [int(value) for value in values]


def _with_texts(frame: pl.DataFrame, one: Matched, texts: Texts | None) -> pl.DataFrame:
    if texts is None:
        return frame
    told = with_places(one, texts.translations).select(PLACE, "system", "text")
    told = told.unique([PLACE, "system"], keep="first")
    for side in "ab":
        own = told.rename({"system": f"system_{side}", "text": f"text_{side}"})
        frame = frame.join(own, on=[PLACE, f"system_{side}"], how="left", maintain_order="left")
    beside = with_places(one, texts.beside)
    names = [n for n in beside.columns if n not in (PLACE, "document", "segment", *frame.columns)]
    once = beside.select(PLACE, *names).unique(PLACE, keep="first")
    return frame.join(once, on=PLACE, how="left", maintain_order="left")
