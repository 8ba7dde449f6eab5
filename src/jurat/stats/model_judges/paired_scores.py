"""A model judge's scores beside people's, item by item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from jurat.results import Estimate, Key
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.model_judges.settings import ModelSettings
from jurat.stats.phrases import NOT_NUMBERS
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.statistic import Statistic
from jurat.tables.judge_kinds import JUDGE_KIND, MODEL

NO_MODEL = "no judge is a model: a column judge_kind or --model-judges names them"
NO_PEOPLE = "no item was judged by people and the model"


class ModelStatistic(Statistic[ModelSettings]):
    """A statistic about model judges, for each question, split and model."""

    needs: ClassVar[tuple[str, ...]] = ("judge", "item")
    over = "model"
    resampled = False


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedScores:
    """What people and one model said to one question; an entry for each item that one judged."""

    ratings: Ratings
    model: str
    items: list[str]
    people: Array
    """The mean of people's scores; NaN where no person judged the item."""
    scores: Array
    """The model's score, the mean of several; NaN where it did not judge the item."""
    document: Codes
    unit: str
    """What `document` numbers: documents, or items where documents are not known."""
    system: list[str]
    characters: Array

    @property
    def by(self) -> dict[str, Key]:
        """The keys of every estimate about them."""
        return {**self.ratings.by, "model": self.model}

    @property
    def tags(self) -> Mapping[str, Key]:
        """The split."""
        return self.ratings.tags

    @property
    def both(self) -> Codes:
        """The items that people and the model judged."""
        return np.flatnonzero(~np.isnan(self.people) & ~np.isnan(self.scores))

    def missing(self) -> Estimate | None:
        """An estimate that says why there is none; None where numbers can be compared."""
        if self.ratings.nominal:
            return Estimate.of(None, 0, about=self, reason=NOT_NUMBERS)
        return None if len(self.both) else Estimate.of(None, 0, about=self, reason=NO_PEOPLE)


def split_by_kind(ratings: Ratings) -> tuple[Ratings, Ratings]:
    """People's answers, and those of models."""
    if JUDGE_KIND not in ratings.frame.columns:
        return ratings, ratings.where(np.zeros(len(ratings), dtype=bool))
    models = (ratings.frame[JUDGE_KIND] == MODEL).fill_null(value=False)
    return ratings.where(~models), ratings.where(models)


def model_names(ratings: Ratings) -> list[str]:
    """The model judges of some answers, sorted."""
    return split_by_kind(ratings)[1].frame["judge"].unique().drop_nulls().sort().to_list()


def paired(evaluation: Evaluation, settings: ModelSettings) -> Iterator[PairedScores]:
    """Every question, split and model with its scores."""
    for ratings in evaluation.scored:
        for model in model_names(ratings):
            yield _pair(ratings, model, settings)


def without_models(evaluation: Evaluation) -> list[Estimate]:
    """For each question without a model judge, an estimate that says so."""
    return [
        Estimate.of(None, 0, about=ratings, reason=NO_MODEL)
        for ratings in evaluation.scored
        if not model_names(ratings)
    ]


def _pair(ratings: Ratings, model: str, settings: ModelSettings) -> PairedScores:
    people, models = split_by_kind(ratings)
    own = models.frame.filter(pl.col("judge") == model)
    value = pl.col("value").mean()
    told = [c for c in ("document", "system", "characters", "translation") if c in own.columns]
    facts = [pl.col(name).drop_nulls().first() for name in told]
    # repeats of a judge count once: a judge's mean first, then the mean of the judges
    of_people = people.frame.group_by("item", "judge").agg(value).group_by("item").agg(value)
    of_model = own.group_by("item").agg(value.alias("model"))
    known = ratings.frame.group_by("item").agg(facts)
    table = (
        known.join(of_people, on="item", how="left")
        .join(of_model, on="item", how="left")
        .filter(pl.col("value").is_not_null() | pl.col("model").is_not_null())
        .sort("item")
    )
    unit, document = _units(table, settings)
    return PairedScores(
        ratings=ratings,
        model=model,
        items=table["item"].to_list(),
        people=table["value"].cast(pl.Float64).fill_null(np.nan).to_numpy(),
        scores=table["model"].cast(pl.Float64).fill_null(np.nan).to_numpy(),
        document=document,
        unit=unit,
        system=table["system"].fill_null("").to_list() if "system" in told else [],
        characters=_characters(table),
    )


def _units(table: pl.DataFrame, settings: ModelSettings) -> tuple[str, Codes]:
    known = "document" in table.columns and table["document"].null_count() < table.height
    if settings.unit != "segment" and known:
        codes, names = coded(table["document"])
        if len(names) > 1:
            return "documents", codes
    return "items", np.arange(table.height)


def _characters(table: pl.DataFrame) -> Array:
    """The length of each translation; NaN where it is not known."""
    if "characters" in table.columns:
        return table["characters"].cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
    if "translation" in table.columns:
        lengths = table["translation"].cast(pl.String).str.len_chars()
        return lengths.cast(pl.Float64).fill_null(np.nan).to_numpy()
    return np.full(table.height, np.nan)
