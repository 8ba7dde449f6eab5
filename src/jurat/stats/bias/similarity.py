"""How alike the references are, and how alike each is to what was judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

import numpy as np
import polars as pl

from jurat.metrics.metric import Metric
from jurat.metrics.word_f1 import WordF1
from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.bias.groups import GROUP, Groups, grouped
from jurat.stats.bias.pairing import ratio
from jurat.stats.bias.texts import BiasSettings, Texts, texts_of
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array
from jurat.stats.scores.counting import labels
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval
from jurat.tables import need
from jurat.tables.columns import cast_column

UNTOLD = "no segment has both texts"
UNTRANSLATED = "the texts have no column of the translations (mt, translation, target)"
OF_GROUP = "mean metric score of the items of a group; n counts items"
WORD_F1 = WordF1()


def similarities(
    texts: pl.DataFrame, a: str, b: str, *, metric: Metric = WORD_F1, both_ways: bool = True
) -> Array:
    """The metric between two columns for every segment that has both, both directions averaged."""
    one, other = (column.to_list() for column in texts.select(a, b).drop_nulls())
    forth = _scores(metric, one, other)
    return (forth + _scores(metric, other, one)) / 2 if both_ways else forth


def _scores(metric: Metric, hypotheses: Sequence[str], references: Sequence[str]) -> Array:
    counts = metric.counts(hypotheses, [[text] for text in references])
    return metric.score(counts, single=True)


class ReferenceSimilarity(Statistic[BiasSettings]):
    """The mean metric score between every two references, and between each and the translation."""

    name = "reference-similarity"
    gives = ("reference-similarity", "group-metric")
    asks = "How alike are the references, and how near is the translation to each?"
    formula = "mean over segments of the metric between two references, both directions averaged"
    source = "Fomicheva & Specia 2016, section 3.1 (there with Meteor: 0.33) and table 2"
    place = 40

    def results(self, evaluation: Evaluation, settings: BiasSettings) -> Iterator[Result]:
        """Every two references, then each beside the group that saw it."""
        texts = texts_of(evaluation, settings)
        metrics = list(zip(labels(settings.similarity), settings.similarity, strict=True))
        for label, metric in metrics:
            estimates = tuple(_between(texts, settings, label, metric))
            yield self.result(
                evaluation,
                settings,
                estimates,
                method=told(f"{self.formula}; n counts segments", _what(label, metric)),
                headline=_headline(estimates, label, metric),
                draw=partial(_draw, estimates, label),
                metric=label,
                **_choices(metric),
            )
        if settings.metric:
            yield self._of_groups(evaluation, settings, _scored(evaluation, settings))
            return
        for label, metric in metrics:
            beside = _beside(texts, settings, label, metric)
            what = {"what": _what(label, metric), "metric": label, **_choices(metric)}
            yield self._of_groups(evaluation, settings, beside, **what)

    def _of_groups(
        self,
        evaluation: Evaluation,
        settings: BiasSettings,
        estimates: Iterator[Estimate],
        *,
        what: str = "",
        **choices: str,
    ) -> Result:
        beside = tuple(estimates)
        return self.result(
            evaluation,
            settings,
            beside,
            name="group-metric",
            method=told(OF_GROUP, what),
            headline=_nearest(beside),
            draw=lambda: _draw_beside(beside),
            **{"metric": settings.metric, **choices},
            group=settings.group,
            source=settings.source,
        )


def _what(label: str, metric: Metric) -> str:
    """The metric in a line."""
    first, *_ = (metric.__doc__ or metric.title).strip().splitlines()
    return f"{label}: {first.rstrip('.')}"


def _choices(metric: Metric) -> dict[str, str]:
    """What the metric's own signature says of its options."""
    parts = (part.split(":", 1) for part in metric.signature([[""]], single=True).split("|"))
    return {name: value for name, value in parts if name not in ("nrefs", "version")}


def _between(
    texts: Texts | str, settings: Settings, label: str, metric: Metric
) -> Iterator[Estimate]:
    if isinstance(texts, str):
        yield Estimate(None, 0, by={"metric": label}, reason=texts)
        return
    if len(texts.references) < 2:
        yield Estimate(None, 0, by={"metric": label}, reason="there is a single reference")
    for a, b in combinations(texts.references, 2):
        values = similarities(texts.frame, a, b, metric=metric)
        by = {"metric": label, "reference_a": a, "reference_b": b}
        yield _mean(values, settings).estimate(n=len(values), by=by, reason=UNTOLD)


def _mean(values: Array, settings: Settings) -> Spread:
    if not len(values):
        nothing = np.full(1, np.nan)
        return Spread(values=nothing, low=nothing, high=nothing)
    return spread(np.column_stack([values, np.ones(len(values))]), ratio, settings=settings)


def _beside(
    texts: Texts | str, settings: Settings, label: str, metric: Metric
) -> Iterator[Estimate]:
    """The translation's scores with each group's reference."""
    if isinstance(texts, str) or not texts.translation:
        reason = texts if isinstance(texts, str) else UNTRANSLATED
        yield Estimate(None, 0, by={"metric": label}, reason=reason)
        return
    for name in texts.references:
        values = similarities(texts.frame, texts.translation, name, metric=metric, both_ways=False)
        by = {"group": name, "metric": label}
        yield _mean(values, settings).estimate(n=len(values), by=by, reason=UNTOLD)


def _scored(evaluation: Evaluation, settings: BiasSettings) -> Iterator[Estimate]:
    """The scores of what each group judged that stand in a column."""
    need(evaluation.judged, (settings.metric,), "--metric")
    for groups in evaluation.once(grouped, settings.group, settings.source):
        yield from _column(groups, settings)


def _column(groups: Groups, settings: BiasSettings) -> Iterator[Estimate]:
    """The means of a column of scores, each item once."""
    rows = groups.ratings.frame
    scores = rows.select("item", GROUP, cast_column(rows[settings.metric], pl.Float64))
    once = scores.drop_nulls().unique(["item", GROUP], keep="first", maintain_order=True)
    for name in groups.names:
        values = once.filter(pl.col(GROUP) == name)[settings.metric].to_numpy()
        by = {**groups.ratings.by, "group": name, "metric": settings.metric}
        reason = "no scores that are numbers"
        found = _mean(values, settings)
        yield found.estimate(n=len(values), by=by, tags=groups.ratings.tags, reason=reason)


def _headline(estimates: Sequence[Estimate], label: str, metric: Metric) -> str:
    there = [e for e in estimates if e.value is not None]
    if not there:
        return ""
    mean = sum(e.value or 0.0 for e in there) / len(there)
    ranked = sorted(there, key=lambda e: e.value or 0.0)
    near = "alike" if metric.higher_better else "apart"
    best = f"{metric.perfect:g} is the same words"
    words = f"Any two references are {near} by {spoken(mean)} ({label}, {best}) in the mean"
    if len(there) == 1:
        return f"{words}{interval(there[0])}."
    most, least = (
        f"{e.by['reference_a']} and {e.by['reference_b']}" for e in ranked[:: 1 - len(ranked)]
    )
    return f"{words}: most {most}, least {least}."


def _nearest(beside: Sequence[Estimate]) -> str:
    there = sorted((e for e in beside if e.value is not None), key=lambda e: e.value or 0.0)
    if len(there) < 2:
        return ""
    low, high = there[0].by, there[-1].by
    return (
        f"{high['metric']} is highest with {high['group']} and lowest with {low['group']}: compare "
        "with the groups' mean scores."
    )


def _draw(estimates: Sequence[Estimate], label: str) -> Figure:
    return figures.heat(
        "How alike the references are",
        figures.rows(estimates),
        x=figures.axis("reference_a", "reference", "nominal"),
        y=figures.axis("reference_b", "reference", "nominal"),
        colour=figures.axis("value", label),
    )


def _draw_beside(estimates: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "The metric's score with each group's reference", estimates, over="group", value="metric"
    )
