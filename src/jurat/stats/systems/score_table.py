"""Scores as arrays: which system got what on which sentence, from which judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.cache import Memoized
from jurat.errors import unknown_name
from jurat.results import Estimate, Key
from jurat.stats.estimates import Estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.pairwise import pair_keys
from jurat.stats.ratings import Array, Codes, Ratings, coded, codes_of, numbered
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.resampling_units import ResamplingUnits
from jurat.tables.same_output import as_judged
from jurat.tables.schema import SAME_OUTPUT


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemSplit(Memoized):
    """The systems of one question and split, by which every estimate about them is keyed."""

    by: Mapping[str, Key]
    tags: Mapping[str, Key]
    systems: tuple[str, ...]

    def estimates(
        self, made: Estimates, n: Codes, reason: str, *, start: int = 0
    ) -> Iterator[Estimate]:
        """An estimate of each system, from the values of `made` beginning at `start`.

        `n` is the number behind each system's value, `reason` says why a value is undefined.
        """
        for at, system in enumerate(self.systems):
            by = {"system": system}
            yield made.estimate(start + at, n=int(n[at]), about=self, by=by, reason=reason)

    def pair_keys(self, a: int, b: int) -> dict[str, Key]:
        """What an estimate about two systems is keyed by."""
        return {**self.by, **pair_keys(self.systems[a], self.systems[b])}


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTable(SystemSplit):
    """The scores of one question and split as arrays with a place for each judgment."""

    system: Codes = field(repr=False)
    values: Array = field(repr=False)
    rows: Codes = field(repr=False)
    """Which rows of the ratings they are."""
    sentence: Codes = field(repr=False)
    document: Codes | None = field(repr=False)
    """Which of the `documents`; None where the table has no documents."""
    documents: tuple[str, ...] = field(repr=False)
    judge: Codes | None = field(repr=False)
    """None where no judge is named."""
    sign: float
    unit: str
    """What a sentence is: sentence, item, or document where there is no smaller piece."""
    by_segment: bool = False
    """Whether sentences are taken as independent although documents and judges are known."""
    weights: Array | None = field(default=None, repr=False)
    """1 / the probability with which each judgment was asked for, where these differ."""
    judgment: Codes | None = field(default=None, repr=False)
    """Which judgment each is, where one of an output that systems share counts for each of them."""

    @cached_property
    def judges(self) -> int:
        """How many judges there are; 0 where they are unknown."""
        return 0 if self.judge is None else int(self.judge.max(initial=-1)) + 1

    @cached_property
    def sentences(self) -> int:
        """How many sentences were judged."""
        return int(self.sentence.max()) + 1 if len(self.sentence) else 0

    @cached_property
    def counts(self) -> Codes:
        """How many judgments each system has."""
        return np.bincount(self.system, minlength=len(self.systems))

    @cached_property
    def has_documents(self) -> bool:
        """Whether sentences come from several documents."""
        several = self.unit != "document" and len(self.documents) > 1
        return several and not self.by_segment

    @property
    def cluster_name(self) -> str:
        """What is resampled besides judges."""
        return "document" if self.has_documents else self.unit

    @cached_property
    def document_of(self) -> Codes:
        """The document of each sentence; itself where there are not several documents."""
        found = np.arange(self.sentences)
        if self.has_documents:
            assert self.document is not None
            # a sentence has one document, so that any of its judgments will do
            found[self.sentence] = self.document
        return found

    @cached_property
    def units(self) -> ResamplingUnits:
        """What is resampled for intervals of means of judgments."""
        clusters = self.document_of[self.sentence]
        return ResamplingUnits.of(clusters, self.cluster_name, self.judge)

    @cached_property
    def sentence_units(self) -> ResamplingUnits:
        """What is resampled for intervals of statistics of sentences."""
        return ResamplingUnits.of(self.document_of, self.cluster_name)

    @cached_property
    def means(self) -> Array:
        """Mean value of each system on each sentence (sentences × systems), NaN where none."""
        return self.averaged(self.values)

    @cached_property
    def oriented(self) -> Array:
        """The same as `means`, higher is better."""
        return self.sign * self.means

    def averaged(self, values: Array) -> Array:
        """Means of some values of the judgments, by sentence and system; NaN are left out."""
        return cell_means(self.sentence, self.sentences, self.system, len(self.systems), values)

    def segment_weights(self, taken: NDArray[np.bool_]) -> Array:
        """1 / the number of judgments taken of the same system and sentence: each counts once."""
        cell = self.sentence * len(self.systems) + self.system
        number = np.bincount(cell[taken], minlength=self.sentences * len(self.systems))
        weight = np.ones(len(cell)) if self.weights is None else self.weights
        return np.asarray(weight / np.maximum(number[cell], 1))

    @cached_property
    def joint_scores(self) -> JointScores:
        """The scores given together: by a judge to a sentence, or to a sentence if that is rare."""
        if self.judge is not None and (made := self._by_judge(self.judge)):
            return made
        everything = np.arange(self.sentences)
        # a sentence with one system compares nothing
        several = (~np.isnan(self.means)).sum(axis=1) > 1
        sentence, document = everything[several], self.document_of[several]
        averaged = self.judges > 1 and not self.by_segment
        return JointScores(self.means[several], sentence, document, None, averaged=averaged)

    def _by_judge(self, judge: Codes) -> JointScores | None:
        """By judge and sentence, if a judge scored other outputs too in half of the judgments."""
        width, systems = int(judge.max()) + 1, len(self.systems)
        known, group = numbered(self.sentence * width + judge, self.sentences * width)

        def where_several(rows: Codes | slice) -> NDArray[np.bool_]:
            there = np.zeros((len(known), systems), dtype=bool)
            there[group[rows], self.system[rows]] = True
            return np.asarray(there.sum(axis=1) > 1)

        # where most judges scored one output of a sentence only, hardly any pair would be left but
        # those of systems that share it, which differ elsewhere
        once = slice(None) if self.judgment is None else np.unique(self.judgment, True)[1]
        compared = where_several(once)[group[once]]
        if not 2 * compared.sum() >= len(compared) > 0:
            return None
        several = where_several(slice(None))
        joint = several[group]
        row = (np.cumsum(several) - 1)[group[joint]]
        sentence, by = np.divmod(known[several], width)
        means = cell_means(row, len(by), self.system[joint], systems, self.values[joint])
        return JointScores(means, sentence, self.document_of[sentence], by)


class JointScores(NamedTuple):
    """Scores of several systems that one judge gave to a sentence, or all judges together.

    `means` has a row for each, a column for each system, and NaN where there is no score.
    """

    means: Array
    sentence: Codes
    document: Codes
    judge: Codes | None
    averaged: bool = False
    """Whether they are means over several judges."""

    @property
    def words(self) -> str:
        """What the scores have in common, as the method says it."""
        return "within sentence" if self.judge is None else "within judge and sentence"


def cell_means(rows: Codes, height: int, columns: Codes, width: int, values: Array) -> Array:
    """Means by row and column, NaN where a cell is empty or its values are."""
    there = ~np.isnan(values)
    cells = rows[there] * width + columns[there]
    sums, numbers = (
        np.bincount(cells, weights=w, minlength=height * width).reshape(height, width)
        for w in (values[there], None)
    )
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(numbers > 0, sums / numbers, np.nan))


def ranked(scores: Array) -> Array:
    """Ranks along the last axis, 1 for the highest; equal scores share the better rank."""
    better = np.zeros(scores.shape)
    # a pass for each system needs no array of all pairs for every resample
    for at in range(scores.shape[-1]):
        better += scores[..., at : at + 1] > scores
    return np.where(np.isnan(scores), np.nan, 1 + better)


def rated_tables(
    evaluation: Evaluation, settings: SystemSettings
) -> list[tuple[Ratings, ScoreTable]]:
    """The ratings of every question and split that are numbers about systems, and their tables.

    Raises InputError if `--only` names a system that is nowhere.
    """
    check_only(evaluation, settings)
    scored = [ratings for ratings in evaluation.scored if has_system_scores(ratings)]
    tables = [(ratings, score_table_of(ratings, settings)) for ratings in scored]
    return [(ratings, table) for ratings, table in tables if len(table.values)]


def score_tables(evaluation: Evaluation, settings: SystemSettings) -> list[ScoreTable]:
    """The scores of every question and split whose answers are numbers about systems."""
    return [table for _, table in rated_tables(evaluation, settings)]


def has_system_scores(ratings: Ratings) -> bool:
    """Whether the answers are numbers about systems."""
    return not ratings.nominal and ratings.has("system")


def score_table_of(ratings: Ratings, settings: SystemSettings) -> ScoreTable:
    """The score table of some ratings, made once for all statistics."""
    # by the options that it depends on: another correction finds the same table again
    return ratings.once(_score_table, settings.only, settings.sign, settings.unit)


def _score_table(
    ratings: Ratings, only: tuple[str, ...], sign: float, asked_unit: str
) -> ScoreTable:
    system, names = ratings.coded("system")
    wanted = np.array([bool(n) and (not only or n in only) for n in names])
    rows = np.flatnonzero(wanted[system] & ~np.isnan(ratings.values))
    frame = ratings.frame if len(rows) == len(ratings) else ratings.frame[rows]
    # systems that are left out leave no gap in the numbers of the others
    new_code = np.cumsum(wanted) - 1
    sentence, unit = sentences_of(frame)
    document, documents = coded(frame["document"]) if _has_values(frame, "document") else (None, [])
    return ScoreTable(
        by=estimate_keys(ratings.by, ratings.tags),
        tags=ratings.tags,
        systems=tuple(n for n, there in zip(names, wanted, strict=True) if there),
        system=new_code[system[rows]],
        values=ratings.values[rows],
        rows=rows,
        sentence=sentence,
        document=document,
        documents=tuple(documents),
        judge=_judges(frame),
        sign=sign,
        unit=unit,
        by_segment=asked_unit == "segment",
        weights=_weights(frame),
        judgment=_judgments(frame, sentence),
    )


def estimate_keys(by: Mapping[str, Key], tags: Mapping[str, Key]) -> dict[str, Key]:
    """The keys of an estimate: the question, and the judge where results are split by judge."""
    return {**by, **({"judge": tags["judge"]} if "judge" in tags else {})}


def sentences_of(frame: pl.DataFrame) -> tuple[Codes, str]:
    """Which sentence each row is about, whatever system translated it, and what that is called.

    A sentence is known by document and segment. Without segments the documents take their place if
    there are no smaller items; else the items, without the system's name where it is part of them.
    """
    there = [n for n in ("document", "segment") if _has_values(frame, n)]
    if "segment" in there:
        return codes_of(frame.select(there)), "sentence"
    items = frame["item"].n_unique()
    if there and frame.select("document", "system").n_unique() >= items:
        return codes_of(frame.select("document")), "document"
    # more pairs than items: several systems share an item, which then is the sentence
    if frame.select("item", "system").n_unique() > items:
        return codes_of(frame.select("item")), "item"
    return codes_of(_without_systems(frame)), "item"


def _without_systems(frame: pl.DataFrame) -> pl.DataFrame:
    """The items without the name of the system, where that is a part of them."""
    rows = frame.select("item", "system").with_row_index(_ROW)
    parts = [
        part.with_columns(_without(name))
        for (name,), part in rows.partition_by("system", as_dict=True).items()
    ]
    bare = pl.concat(parts).sort(_ROW).select("item")
    return bare if bare["item"].n_unique() < frame["item"].n_unique() else frame.select("item")


# A column's name that no table has.
_ROW = "\0row"


def _without(system: object) -> pl.Expr:
    # items are parts joined by |, in which a | of the parts themselves is escaped
    whole = pl.concat_str(pl.lit("|"), pl.col("item"), pl.lit("|"))
    name = str(system or "").replace("\\", "\\\\").replace("|", "\\|")
    return whole.str.replace(f"|{name}|", "|", literal=True).alias("item")


def _has_values(frame: pl.DataFrame, column: str) -> bool:
    return column in frame.columns and frame[column].null_count() < frame.height


def _judges(frame: pl.DataFrame) -> Codes | None:
    """Judges as numbers, where they are named."""
    return coded(frame["judge"])[0] if _has_values(frame, "judge") else None


def _weights(frame: pl.DataFrame) -> Array | None:
    """1 / probability, with mean 1; None where judgments were asked for with the same one."""
    if not _has_values(frame, "probability"):
        return None
    # kits that nobody chose among others were certain
    chance = frame["probability"].fill_null(1.0).to_numpy()
    if not (chance > 0).all() or np.ptp(chance) == 0:
        return None
    weights = 1 / chance
    return np.asarray(weights / weights.mean())


def _judgments(frame: pl.DataFrame, sentence: Codes) -> Codes | None:
    """Which judgment each row comes from; None where none counts for several systems."""
    if not _has_values(frame, SAME_OUTPUT) or not frame[SAME_OUTPUT].any():
        return None
    judge = [name for name in ("judge",) if name in frame.columns]
    judged = frame.select(*judge, pl.Series("sentence", sentence)).hstack(as_judged(frame))
    # several answers of a judge about the same system are told apart by their number
    number = pl.int_range(pl.len()).over(*judge, "sentence", "item", frame["system"])
    return codes_of(judged.with_columns(number.alias("number")))


def check_only(evaluation: Evaluation, settings: SystemSettings) -> None:
    """Raise InputError for systems of `--only` that are in none of the tables."""
    if not settings.only:
        return
    tables = ((evaluation.judged, ("system",)), (evaluation.compared, ("system_a", "system_b")))
    there = {
        name
        for table, columns in tables
        for column in columns
        if column in table.columns
        for name in table[column].unique().drop_nulls().to_list()
    }
    # systems with the same output may share a row, joined by +
    known = sorted(there | {part for name in there for part in name.split("+")})
    for name in settings.only:
        if name not in known:
            raise unknown_name("system", name, known)
