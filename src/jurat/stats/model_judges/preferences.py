"""A model judge's preferences: whether the order of the two sways it, and how people decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Key, Result
from jurat.stats.estimates import share_estimates
from jurat.stats.evaluation_tables import Evaluation, by_question
from jurat.stats.model_judges.paired_scores import ModelStatistic
from jurat.stats.model_judges.settings import ModelSettings
from jurat.stats.phrases import percentage
from jurat.stats.ratings import Codes, codes_of
from jurat.tables.judge_kinds import JUDGE_KIND, MODEL

TIES = ("tie", "good", "bad")
ONE_ORDER = "no pair was shown to the model in both orders"
NO_PAIRS = "no model judge has preferences"
NO_SHARED = "people and the model have compared no pair of translations in common"
# The winner of a pair, whichever was shown first; ties are one outcome.
_WINNER = (
    pl.when(pl.col("outcome") == "a")
    .then(pl.col("system_a"))
    .when(pl.col("outcome") == "b")
    .then(pl.col("system_b"))
    .otherwise(pl.lit("\0tie"))
)
_PAIR = [
    pl.min_horizontal("system_a", "system_b").alias("first"),
    pl.max_horizontal("system_a", "system_b").alias("second"),
]


class _Part(NamedTuple):
    """The preferences of one model and of people, to one question in one split."""

    by: Mapping[str, Key]
    tags: Mapping[str, Key]
    model: pl.DataFrame
    people: pl.DataFrame

    @property
    def both_orders(self) -> pl.DataFrame:
        """A row for each pair that the model saw in both orders, with its two answers."""
        keys = ["item", "first", "second"]
        straight = pl.col("system_a") == pl.col("first")
        rows = self.model.with_columns(straight.alias("straight"))
        halves = [
            rows.filter(own).unique(keys, keep="first", maintain_order=True)
            for own in (pl.col("straight"), ~pl.col("straight"))
        ]
        return halves[0].join(halves[1].select(*keys, "outcome", "winner"), on=keys, suffix="_2")


def _parts(evaluation: Evaluation) -> Iterator[_Part]:
    rows = evaluation.compared
    if rows.is_empty() or JUDGE_KIND not in rows.columns or "item" not in rows.columns:
        return
    told = rows.with_columns(*_PAIR, _WINNER.alias("winner"))
    questions = by_question(told) if "question" in told.columns else [("", told)]
    for question, own in questions:
        for tags, split in evaluation.split(own):
            models = split.filter(pl.col(JUDGE_KIND) == MODEL)
            people = split.filter(pl.col(JUDGE_KIND) != MODEL)
            for model in models["judge"].unique().sort():
                by = {"question": question, "model": str(model)}
                yield _Part(by, tags, models.filter(pl.col("judge") == model), people)


def _clusters(rows: pl.DataFrame, settings: ModelSettings) -> tuple[str, Codes]:
    name = "document" if "document" in rows.columns and settings.unit != "segment" else "item"
    return f"{name}s", codes_of(rows.select(name))


def _share(
    hits: pl.Series, rows: pl.DataFrame, part: _Part, settings: ModelSettings, reason: str
) -> Estimate:
    """A share of rows, with an interval over documents."""
    if not rows.height:
        return Estimate.of(None, 0, about=part, reason=reason)
    words, clusters = _clusters(rows, settings)
    found = share_estimates(
        hits.to_numpy().astype(np.float64),
        np.ones(rows.height),
        settings=settings,
        clusters=clusters,
        words=words,
    )
    return found.estimate(n=rows.height, about=part)


class PositionBias(ModelStatistic):
    """Whether a model prefers what it is shown first."""

    name = "model-position-bias"
    asks = "Does the order in which two translations are shown sway the model?"
    formulas: ClassVar = {
        "model-position-bias": (
            "share of the model's decisions for a side that are for the translation shown first, "
            "over pairs shown in both orders: 0.5 without bias; Wilson's interval over documents; "
            "n counts decisions"
        ),
        "model-consistency": (
            "share of pairs shown in both orders of which the model prefers the same translation "
            "both times, or none; Wilson's interval over documents; n counts pairs"
        ),
    }
    source = "Wang et al. 2024 (language models as judges favour a position)"
    needs = ("judge",)
    order = 30

    def results(self, evaluation: Evaluation, settings: ModelSettings) -> Iterator[Result]:
        """The share for the first, and the share of equal decisions."""
        firsts: list[Estimate] = []
        same: list[Estimate] = []
        for part in _parts(evaluation):
            pairs = part.both_orders
            decided = pl.concat(
                [
                    pairs.select("item", *_there(pairs), outcome=pl.col(name))
                    for name in ("outcome", "outcome_2")
                ]
            ).filter(~pl.col("outcome").is_in(TIES))
            firsts.append(_share(decided["outcome"] == "a", decided, part, settings, ONE_ORDER))
            equal = pairs["winner"] == pairs["winner_2"]
            same.append(_share(equal, pairs, part, settings, ONE_ORDER))
        none = [] if firsts else [Estimate.of(None, 0, reason=NO_PAIRS)]
        yield self.result(evaluation, settings, firsts + none)
        yield self.result(evaluation, settings, same + none, name="model-consistency")

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """How often the first wins, or how often the order changes nothing."""
        first = known[0]
        assert first.value is not None
        who, share = first.by["model"], percentage(first)
        if name == "model-consistency":
            return f"{who} decides {share} of pairs in the same way whichever comes first."
        return f"{who} prefers what is shown first in {share} of its decisions for a side."


def _there(rows: pl.DataFrame) -> list[str]:
    return ["document"] if "document" in rows.columns else []


class PreferenceAgreement(ModelStatistic):
    """How often a model prefers what a person prefers."""

    name = "model-preference-agreement"
    asks = "Does the model prefer what people prefer?"
    formula = (
        "share of people's decisions about a pair that equal the model's about the same pair, "
        "ties as one outcome, over both orders; Wilson's interval over documents; n counts pairs "
        "of decisions"
    )
    source = "the raw agreement of two judges, with a model as one of them"
    needs = ("judge",)
    order = 15

    def results(self, evaluation: Evaluation, settings: ModelSettings) -> Iterator[Result]:
        """The share for each model."""
        made = []
        for part in _parts(evaluation):
            keys = ["item", "first", "second"]
            own = part.model.select(*keys, "winner")
            both = part.people.join(own, on=keys, suffix="_model")
            hits = both["winner"] == both["winner_model"]
            made.append(_share(hits, both, part, settings, NO_SHARED))
        none = [] if made else [Estimate.of(None, 0, reason=NO_PAIRS)]
        yield self.result(evaluation, settings, made + none)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The first share in words."""
        first = known[0]
        assert first.value is not None
        return f"{first.by['model']} agrees with {percentage(first)} of people's preferences."
