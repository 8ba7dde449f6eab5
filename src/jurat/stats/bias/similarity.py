"""How alike the references are, and how alike each is to what was judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.bias.groups import GROUP, Groups, grouped
from jurat.stats.bias.pairing import ratio
from jurat.stats.bias.texts import BiasSettings, Texts, texts_of
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval
from jurat.tables import need
from jurat.tables.columns import cast_column

Metric = Callable[[str, str], float]
"""`metric(hypothesis, reference)`, higher is more alike."""

# Scripts that put no blanks between words are compared by their characters.
_WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]|[^\W_]+|[^\w\s]")
UNTOLD = "no segment has both texts"


def word_f1(hypothesis: str, reference: str) -> float:
    """2 · shared words / all words of both: 1 for the same words in any order, 0 for none shared.

    Signs are words, and capitals do not count.
    """
    one, other = (Counter(_WORD.findall(text.lower())) for text in (hypothesis, reference))
    size = one.total() + other.total()
    return 2 * (one & other).total() / size if size else 1.0


def similarities(
    texts: pl.DataFrame, a: str, b: str, *, metric: Metric = word_f1, both_ways: bool = True
) -> Array:
    """The metric between two columns for every segment that has both, both directions averaged."""
    pairs = texts.select(a, b).drop_nulls().iter_rows()
    if not both_ways:
        return np.array([metric(one, other) for one, other in pairs])
    return np.array([(metric(one, other) + metric(other, one)) / 2 for one, other in pairs])


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
        estimates = tuple(_between(texts, settings))
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(f"{self.formula}; n counts segments", _WHAT),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
        )
        beside = tuple(_beside(evaluation, texts, settings))
        yield self.result(
            evaluation,
            settings,
            beside,
            name="group-metric",
            method=told(
                "mean metric score of the items of a group; n counts items",
                "" if settings.metric else _WHAT,
            ),
            headline=_nearest(beside),
            draw=lambda: _draw_beside(beside),
            metric=settings.metric or "word-f1",
            group=settings.group,
            source=settings.source,
        )


_WHAT = "word-f1: 2 · shared words / all words of both texts, signs included, capitals ignored"


def _between(texts: Texts | str, settings: Settings) -> Iterator[Estimate]:
    if isinstance(texts, str):
        yield Estimate(None, 0, by={"metric": "word-f1"}, reason=texts)
        return
    if len(texts.references) < 2:
        yield Estimate(None, 0, by={"metric": "word-f1"}, reason="there is a single reference")
    for a, b in combinations(texts.references, 2):
        values = similarities(texts.frame, a, b)
        by = {"metric": "word-f1", "reference_a": a, "reference_b": b}
        yield _mean(values, settings).estimate(n=len(values), by=by, reason=UNTOLD)


def _mean(values: Array, settings: Settings) -> Spread:
    if not len(values):
        nothing = np.full(1, np.nan)
        return Spread(values=nothing, low=nothing, high=nothing)
    return spread(np.column_stack([values, np.ones(len(values))]), ratio, settings=settings)


def _beside(
    evaluation: Evaluation, texts: Texts | str, settings: BiasSettings
) -> Iterator[Estimate]:
    """A metric's scores of what each group judged: a column's, or word-f1 with its reference."""
    if settings.metric:
        need(evaluation.judged, (settings.metric,), "--metric")
        for groups in evaluation.once(grouped, settings.group, settings.source):
            yield from _scored(groups, settings)
    elif isinstance(texts, str):
        yield Estimate(None, 0, by={"metric": "word-f1"}, reason=texts)
    elif not texts.translation:
        reason = "the texts have no column of the translations (mt, translation, target)"
        yield Estimate(None, 0, by={"metric": "word-f1"}, reason=reason)
    else:
        for name in texts.references:
            values = similarities(texts.frame, texts.translation, name, both_ways=False)
            by = {"group": name, "metric": "word-f1"}
            yield _mean(values, settings).estimate(n=len(values), by=by, reason=UNTOLD)


def _scored(groups: Groups, settings: BiasSettings) -> Iterator[Estimate]:
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


def _headline(estimates: Sequence[Estimate]) -> str:
    there = [e for e in estimates if e.value is not None]
    if not there:
        return ""
    mean = sum(e.value or 0.0 for e in there) / len(there)
    ranked = sorted(there, key=lambda e: e.value or 0.0)
    words = f"Any two references are alike by {mean:.3f} (word-f1, 1 is the same words) in the mean"
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


def _draw(estimates: Sequence[Estimate]) -> Figure:
    return figures.heat(
        "How alike the references are",
        figures.rows(estimates),
        x=figures.axis("reference_a", "reference", "nominal"),
        y=figures.axis("reference_b", "reference", "nominal"),
        colour=figures.axis("value", "word-f1"),
    )


def _draw_beside(estimates: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "The metric's score with each group's reference", estimates, over="group", value="metric"
    )
