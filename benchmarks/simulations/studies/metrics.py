"""Studies of metrics: `jurat metaeval` beside judgments, and `jurat score` of systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl

from benchmarks.simulations import claims
from benchmarks.simulations.claims import Keys, Reading, Truth, constant
from benchmarks.simulations.designs import SCALES, Rng
from benchmarks.simulations.study import RESAMPLES, Study, drawn_seed, judged
from jurat.metrics import metrics
from jurat.results import Result
from jurat.stats.metaeval.input_tables import read_scores
from jurat.stats.metric_scores.counts import ReferenceSet, count_metrics
from jurat.stats.metric_scores.results import results
from jurat.stats.settings import MetricSettings, ScoreSettings

CORRELATIONS = ("metric-pearson", "metric-spearman", "metric-kendall")


@dataclass(frozen=True, kw_only=True)
class EqualMetrics(Study):
    """`jurat metaeval` on two metrics that follow the judgments equally well."""

    folders = ("metaeval",)
    section = "metaeval"
    documents: int = 30
    segments: int = 5
    systems: int = 4
    shared: float = 0.0
    """SD of what a document adds to the error of each metric."""

    def columns(self) -> Mapping[str, object]:
        """The design."""
        return {
            "documents": self.documents,
            "segments": self.segments,
            "systems": self.systems,
            "document effect": self.shared,
        }

    @property
    def smallest(self) -> bool:
        """Ten documents."""
        return self.documents <= 10

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """Intervals of correlations, and the test that one metric is better."""
        frame, settings = self._tables(rng, bootstrap=RESAMPLES)
        names = ("metric-pearson", "metric-better-p")
        found = claims.computed("metaeval", judged(frame), settings, names)
        true = _correlations(self.shared)
        for name in CORRELATIONS:
            yield from claims.coverage(found, name, _segments(true.get(name)))
        yield from claims.rejections(found, "metric-better-p")
        yield claims.more_than_one(found, "metric-cluster")

    def _tables(self, rng: Rng, *, bootstrap: int) -> tuple[pl.DataFrame, MetricSettings]:
        shape = (self.documents, self.segments, self.systems)
        document, segment, system = (codes.ravel() for codes in np.indices(shape))
        quality = rng.normal(size=len(document))
        codes = pl.DataFrame({"d": document, "g": segment, "s": system})
        places = codes.select(
            document=pl.format("d{}", "d"),
            segment=pl.format("d{}-{}", "d", "g"),
            system=pl.format("s{}", "s"),
        )
        scores = {}
        for metric in ("m0", "m1"):
            wrong = rng.normal(0, self.shared, self.documents)[document]
            scores[metric] = quality + rng.normal(size=len(document)) + wrong
        frame = places.with_columns(
            item=pl.concat_str("segment", "system", separator="-"),
            judge=pl.lit("j0"),
            value=pl.Series(quality + rng.normal(size=len(document))),
        )
        read = read_scores(places.with_columns(**{n: pl.Series(v) for n, v in scores.items()}))
        settings = MetricSettings(
            scores=read, bootstrap=bootstrap, seed=drawn_seed(rng), permutations=400
        )
        return frame, settings


@cache
def _correlations(shared: float) -> Mapping[str, float]:
    """The metrics' correlations with the judgments in the population, the mean of both."""
    large = EqualMetrics(documents=4000, shared=shared)
    frame, settings = large._tables(np.random.default_rng(1), bootstrap=0)
    found = claims.computed("metaeval", judged(frame), settings, ("metric-pearson",))
    return {name: float(np.mean(_values(found[name]))) for name in CORRELATIONS if name in found}


def _values(given: list[Result]) -> list[float]:
    estimates = [e for result in given for e in result.estimates if e.by.get("level") == "segment"]
    return [e.value for e in estimates if e.value is not None]


def _segments(value: float | None) -> Truth:
    """The true correlation of segments; of so few systems there is none to speak of."""
    return lambda by: value if by.get("level") == "segment" else None


# The width of the steps in which agreement is counted: steps from quantiles would move the truth.
STEP = "0.45"


@dataclass(frozen=True, kw_only=True)
class Thresholds(Study):
    """`jurat metaeval`: from which difference of a metric on the majority of judges agrees."""

    folders = ("metaeval",)
    section = "metaeval, thresholds"
    documents: int = 30
    segments: int = 5
    shared: float = 0.0
    """SD of what a document adds to the metric's difference of two systems."""

    def columns(self) -> Mapping[str, object]:
        """The design."""
        return {
            "documents": self.documents,
            "segments": self.segments,
            "document effect": self.shared,
        }

    @property
    def smallest(self) -> bool:
        """Ten documents."""
        return self.documents <= 10

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """The intervals by each method."""
        settings = self._settings(*(tables := self._tables(rng)), drawn_seed(rng), RESAMPLES)
        found = claims.computed("metaeval", judged(tables[0]), settings, ("metric-threshold",))
        true = claims.looked_up(_thresholds(self.shared), "metric-threshold")
        yield from claims.coverage(found, "metric-threshold", true, ("method",))

    def _settings(
        self, _: pl.DataFrame, scores: pl.DataFrame, seed: int, bootstrap: int
    ) -> MetricSettings:
        return MetricSettings(scores=read_scores(scores), bootstrap=bootstrap, seed=seed, step=STEP)

    def _tables(self, rng: Rng) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Scores of three judges on five points, and of a metric, of four systems."""
        shape = (self.documents, self.segments, 4)
        document, segment, system = (codes.ravel() for codes in np.indices(shape))
        quality = rng.normal(size=len(document))
        metric = quality + rng.normal(size=len(document))
        metric += rng.normal(0, self.shared, (self.documents, 4))[document, system]
        codes = pl.DataFrame({"d": document, "g": segment, "s": system})
        places = codes.select(
            document=pl.format("d{}", "d"),
            segment=pl.format("d{}-{}", "d", "g"),
            system=pl.format("s{}", "s"),
        )
        given = [
            places.with_columns(
                item=pl.concat_str("segment", "system", separator="-"),
                judge=pl.lit(f"j{judge}"),
                value=pl.Series(SCALES["5 points"](quality + rng.normal(size=len(document)))),
            )
            for judge in range(3)
        ]
        return pl.concat(given), places.with_columns(m=pl.Series(metric))


@cache
def _thresholds(shared: float) -> Mapping[Keys, float]:
    """The thresholds of so many documents that they hardly vary."""
    large = Thresholds(documents=3000, shared=shared)
    tables = large._tables(np.random.default_rng(1))
    settings = large._settings(*tables, 1, 0)
    found = claims.computed("metaeval", judged(tables[0]), settings, ("metric-threshold",))
    return claims.values_by_keys(found)


WORDS = tuple(f"w{number}" for number in range(400))


@dataclass(frozen=True, kw_only=True)
class EqualTexts(Study):
    """`jurat score` on systems that get words wrong equally often."""

    folders = ("metric_scores",)
    section = "score"
    metric: str = "bleu"
    documents: int = 30
    segments: int = 5
    systems: int = 3
    interaction: float = 0.0
    """SD of document × system in the share of wrong words, in shares of its mean."""

    def columns(self) -> Mapping[str, object]:
        """The design."""
        return {
            "metric": self.metric,
            "documents": self.documents,
            "document effect": self.interaction,
        }

    @property
    def smallest(self) -> bool:
        """Ten documents."""
        return self.documents <= 10

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """The tests of every two systems, and the intervals of their differences."""
        reference, systems, documents = self._texts(rng)
        against = ReferenceSet(names=("ref",), references=[(text,) for text in reference])
        (scored,) = count_metrics(
            [systems], [metrics()[self.metric]()], [against], documents=documents
        )
        seed = drawn_seed(rng)
        found = _by_name(results(scored, ScoreSettings(bootstrap=RESAMPLES, seed=seed)))
        alone = ScoreSettings(bootstrap=RESAMPLES, seed=seed, correction="none")
        yield from claims.rejections(_by_name(results(scored, alone)), "metric-p")
        yield from claims.any_rejection(found, "metric-p")
        yield from claims.coverage(found, "metric-difference", constant(0.0))

    def _texts(self, rng: Rng) -> tuple[list[str], dict[str, list[str]], list[str]]:
        words = np.array(WORDS)
        document = np.repeat(np.arange(self.documents), self.segments)
        lengths = rng.integers(8, 25, len(document))
        right = [rng.integers(len(words), size=length) for length in lengths]
        effects = rng.normal(0, self.interaction, (self.documents, self.systems))
        systems = {}
        for system in range(self.systems):
            share = np.clip(0.3 * (1 + effects[document, system]), 0.02, 0.9)
            texts = [
                np.where(rng.random(len(row)) < wrong, rng.integers(len(words), size=len(row)), row)
                for row, wrong in zip(right, share, strict=True)
            ]
            systems[f"s{system}"] = [" ".join(words[row]) for row in texts]
        return [" ".join(words[row]) for row in right], systems, [f"d{d}" for d in document]


def _by_name(given: Iterator[Result]) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {}
    for result in given:
        found.setdefault(result.name, []).append(result)
    return found
