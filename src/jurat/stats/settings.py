"""The options of every analysis, named as on the command line.

Nothing heavy is imported here: scores of metrics start without tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import msgspec

from jurat.errors import input_error, unknown_name

if TYPE_CHECKING:
    import polars as pl

    from jurat.metrics.metric import Metric
    from jurat.protocols import Protocol
    from jurat.stats.metaeval.input_tables import MetricScores, TranslationTexts

Chosen = TypeVar("Chosen", bound="ResamplingSettings")


def _same(value: object, usual: object) -> bool:
    # tables cannot be compared with ==, and are never a default
    return value is usual or (
        isinstance(value, str | float | int | tuple | dict) and value == usual
    )


def _in_words(value: object) -> str:
    """The value of an option for a signature; of a table or a protocol, its fingerprint."""
    match value:
        case tuple():
            return "+".join(map(_in_words, value))
        case Mapping():
            return "+".join(f"{name}={_in_words(each)}" for name, each in sorted(value.items()))
        case str() | int() | float():
            return str(value)
    # a metric or a protocol is known by its fields, and a table by its rows
    if isinstance(value, msgspec.Struct):
        fields = msgspec.json.encode(value, enc_hook=repr, order="sorted")
        # apart, because a metric's name is not one of its fields
        return f"{getattr(value, 'name', '')}-{blake2b(fields, digest_size=8).hexdigest()}"
    return _fingerprint(value)


def _fingerprint(table: Any) -> str:
    if hasattr(table, "fingerprint"):
        return str(table.fingerprint)
    from jurat.tables.fingerprint import table_fingerprint

    return table_fingerprint(table)


# Options that say where a number is computed, and do not change it.
ELSEWHERE = ("jobs", "executor")


class ResamplingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How bootstrap intervals are computed."""

    seed: int = 1
    bootstrap: int = 1000
    """The number of resamples; 0 gives values without intervals."""
    confidence: float = 0.95
    jobs: int = 1
    executor: str = ""
    """The address of a cluster that computes, `dask://HOST:PORT`; empty for this process."""

    @property
    def intervals(self) -> bool:
        """Whether values get intervals: also those that are not resampled, as the jackknife's."""
        return self.bootstrap > 0

    def chosen(self) -> dict[str, str]:
        """Every option that differs from its default, in words, for signatures.

        Where and in how many threads it is computed is left out: that changes no number.
        """
        usual = type(self)()
        return {
            name.replace("_", "-"): _in_words(value)
            for name in self.__struct_fields__
            if name not in ELSEWHERE
            and not _same(value := getattr(self, name), getattr(usual, name))
        }

    @classmethod
    def of(cls: type[Chosen], settings: ResamplingSettings) -> Chosen:
        """The settings as this class; what only this class has keeps its default."""
        if isinstance(settings, cls):
            return settings
        common: dict[str, Any] = {
            name: getattr(settings, name)
            for name in cls.__struct_fields__
            if hasattr(settings, name)
        }
        return cls(**common)


class Settings(ResamplingSettings, frozen=True, kw_only=True):
    """How an analysis is computed: intervals, and the named method where there are several."""

    method: str = ""
    unit: Literal["", "document", "segment"] = ""
    """What tests and intervals take as independent; empty: documents where they are known."""

    def refuse_method(self) -> None:
        """Raise InputError if a method is named where there is only one."""
        if self.method:
            raise input_error(
                f"unknown method '{self.method}': there is only one way to compute this"
            )


class AgreementSettings(Settings, frozen=True, kw_only=True):
    """The options of `jurat agreement`."""

    draw: Literal["", "judges"] = ""
    """Whether intervals are for these judges, or for new ones too."""


# Which scores are correlated together: all of them, those of a segment, or those of a system.
Grouping = Literal["none", "item", "system"]
KendallVariant = Literal["b", "c", "23", "wmt12", "wmt13", "wmt14", "wmt20"]
# By which of its numbers a metric is compared with other metrics.
ComparedBy = Literal[
    "pearson",
    "pdp",
    "acceq",
    "consistency",
    "spa",
    "system-pearson",
    "system-spearman",
    "system-kendall",
]


# The test of two metrics that mt-metrics-eval makes: one-sided, of independent segments.
PERM_BOTH = "perm-both"


class MetricSettings(Settings, frozen=True, kw_only=True):
    """The options of `jurat metaeval`; `scores` and `texts` are the tables beside the judgments.

    `method`: `perm-both` compares metrics as mt-metrics-eval does. Raises InputError for another.
    """

    scores: MetricScores | None = None
    texts: TranslationTexts | None = None
    allow_unmatched: bool = False
    """Whether to go on where many scores or texts belong to nothing that was judged."""
    lower_better: bool = False
    """Whether low judgments are good ones: ranks, errors."""
    undefined: Literal["zero", "skip"] = "zero"
    """What a segment counts whose scores are all tied, so that it has no rank correlation."""
    metric_ties: Literal["inconsistent", "half", "skip"] = "inconsistent"
    step: str = ""
    grouping: Grouping | Literal[""] = ""
    kendall: KendallVariant | Literal[""] = ""
    compare: ComparedBy | Literal[""] = ""
    permutations: int = 1000

    def __post_init__(self) -> None:
        if self.method not in ("", PERM_BOTH):
            raise unknown_name("--method", self.method, (PERM_BOTH,))

    @property
    def metric_scores(self) -> MetricScores:
        """The table of scores; raises InputError where none is given."""
        if self.scores is None:
            raise input_error("a table of metric scores is needed")
        return self.scores

    @property
    def sign(self) -> float:
        """What a judgment is multiplied by so that higher is better."""
        return -1.0 if self.lower_better else 1.0

    def grouped(self, default: Grouping) -> Grouping:
        """How scores are grouped: as asked, else by the statistic's default."""
        return self.grouping or default

    def signature(self) -> dict[str, object]:
        """What every signature says of these options."""
        lower = self.scores.lower if self.scores else ()
        return {
            "direction": "lower is better" if self.lower_better else "",
            "lower-better-metrics": "+".join(lower),
            "unit": self.unit,
        }


class GroupSettings(Settings, frozen=True, kw_only=True):
    """The column that puts judges into groups, and which of the groups saw the source."""

    group: str = ""
    source: str | None = None
    """None: the group called source, if there is one; empty: no group saw the source."""

    def signature(self) -> dict[str, object]:
        """What every signature says of these options."""
        return {"group": self.group, "source": self.source}


class BiasSettings(GroupSettings, frozen=True, kw_only=True):
    """The options of `jurat bias`."""

    texts: pl.DataFrame | None = None
    """A row a segment, with a column for each reference and one by which items are found."""
    references: tuple[str, ...] = ()
    metric: str = ""
    """The column of metric scores in the table of judgments."""
    similarity: tuple[Metric, ...] = ()
    """Metrics of how alike two texts are; word F1 where none is given."""


CENTRED = "centred"


class PlanSettings(Settings, frozen=True, kw_only=True):
    """The options of `jurat plan`: what is fixed, and the precision wanted; 0 leaves a thing open.

    `method`: `centred` subtracts each judge's mean from their judgments in a file. Raises
    InputError for numbers out of range.
    """

    systems: int = 0
    segments: int = 0
    judgments: int = 0
    """Of every translation, each by another judge."""
    judges: int = 0
    kit_size: int = 20
    """Items in a kit."""
    interval: float = 0.0
    """Half the width of the interval of a system's score, in points of the scale."""
    difference: float = 0.0
    """The difference of two systems that should be found, in points of the scale."""
    power: float = 0.8
    """How likely that difference is to be found."""
    protocol: str = "tapet-adequacy"
    seconds_per_item: float = 0.0
    severity: float = 0.05
    """The standard deviation of judges' severities on a scale from 0 to 1."""
    noise: float = 0.1
    """The standard deviation of a judge's errors on a scale from 0 to 1."""
    interaction: float = 0.05
    """The standard deviation of documents by system on a scale from 0 to 1."""
    taste: float = 0.02
    """The standard deviation of judges by system on a scale from 0 to 1."""
    document_size: int = 0
    """Segments of a document."""
    simulations: int = 1000
    stop: bool = False
    most_documents: int = 0
    """The number of documents after which the campaign ends whatever was found."""

    def __post_init__(self) -> None:
        for name in (
            *("interval", "difference", "severity", "noise", "interaction", "taste"),
            *("seconds_per_item", "document_size", "most_documents"),
        ):
            value = getattr(self, name)
            if value < 0:
                message = f"{name.replace('_', ' ')} cannot be below 0"
                raise input_error(message, field=name, value=value)
        if self.method not in ("", CENTRED):
            raise unknown_name("--method", self.method, (CENTRED,))
        if not 0 < self.power < 1:
            raise input_error("power lies between 0 and 1", field="power", value=self.power)

    @property
    def centred(self) -> bool:
        """Whether each judge's mean is subtracted from their judgments first."""
        return self.method == CENTRED

    @property
    def error(self) -> float:
        """How often a difference may be found where there is none."""
        return 1 - self.confidence


Level = Literal["segment", "document", "corpus"]
MetricTestName = Literal["bootstrap", "randomisation", "sacrebleu-bootstrap"]
Correction = Literal["holm", "bh", "none"]

# How far below the significance level the smallest p must be able to lie after correction.
RESOLUTION = 2.5


class ScoreSettings(ResamplingSettings, frozen=True, kw_only=True):
    """The options of `jurat score`: resamples for intervals, and the test of every two systems.

    Raises InputError for an unknown test or correction.
    """

    test: MetricTestName = "bootstrap"
    trials: int = 10_000
    """Of approximate randomisation."""
    correction: Correction = "holm"
    """Of the p-values of all pairs of one metric."""
    draw: Literal["", "segments", "documents"] = ""
    """What is resampled, and swapped whole; empty: documents where they are known."""

    def __post_init__(self) -> None:
        for name, kind in (("test", MetricTestName), ("correction", Correction)):
            if getattr(self, name) not in get_args(kind):
                raise unknown_name(name, getattr(self, name), get_args(kind), field=name)

    def interval_choices(self) -> dict[str, object]:
        """The options behind intervals, for signatures."""
        drawn = {"bs": self.bootstrap, "seed": self.seed, "confidence": self.confidence}
        return {**drawn, **self._unit_choice()}

    def test_choices(self, trials: int) -> dict[str, object]:
        """The options behind p-values from so many trials, for signatures."""
        drawn = {"ar" if self.test == "randomisation" else "bs": trials}
        told = {"test": self.test, **drawn, "seed": self.seed, "correction": self.correction}
        return {**told, **self._unit_choice()}

    def _unit_choice(self) -> dict[str, object]:
        return {"draw": self.draw} if self.draw else {}

    def trials_for(self, pairs: int) -> int:
        """Resamples or trials for so many pairs: as asked, or as many as the correction needs.

        A thousand resamples give no p below 0.001, which after Holm's correction for the 190 pairs
        of twenty systems is 0.19.
        """
        asked = self.trials if self.test == "randomisation" else self.bootstrap
        # Holm's smallest p is multiplied by the number of pairs.
        tests = 1 if self.correction == "none" else pairs
        return max(asked, math.ceil(RESOLUTION * tests / (1 - self.confidence)))


# The tests of two systems' scores, as --method names them; WMT's own are one-sided.
CLUSTER_ROBUST, PERMUTATION, WILCOXON = "cluster-robust", "permutation", "wilcoxon"
RANK_SUM, SIGNED_RANK = "wmt-rank-sum", "wmt-signed-rank"
SYSTEM_TESTS = (CLUSTER_ROBUST, PERMUTATION, WILCOXON, RANK_SUM, SIGNED_RANK)
SEGMENT_MEANS, SEQUENTIAL = "segment-means", "trueskill-sequential"
AVERAGES = ("mean", SEGMENT_MEANS)
TRUESKILL_PASSES = ("trueskill", SEQUENTIAL)
# The column over whose values means are averaged, unless another is named.
MACRO = "domain"

# Who is best where several are: 1/k each, each of them, the first by name, or nobody.
BestTies = Literal["share", "all", "first", "none"]
# Ranks after a tie: 1, 1, 3 or 1, 1, 2.
RankTies = Literal["minimum", "dense"]


class SystemSettings(Settings, frozen=True, kw_only=True):
    """The options of `jurat systems`; `method` holds one name or several, separated by commas.

    Raises InputError for a method that is neither an average, a test nor a way of TrueSkill.
    """

    only: tuple[str, ...] = ()
    """The systems to compare; empty for all."""
    ties: BestTies = "share"
    ranks: RankTies = "minimum"
    tied: Literal["skip", "half"] = "skip"
    """Tied comparisons in shares of wins: left out, or half a win for both."""
    correction: Correction | Literal[""] = ""
    """For many tests; empty: Holm's, and none in WMT's own procedures."""
    lower_better: bool = False
    macro: str = ""
    """The column of domains for macro-averages; empty: `domain`, where there is one."""

    def __post_init__(self) -> None:
        for name in self.methods:
            if name not in (allowed := (*AVERAGES, *SYSTEM_TESTS, *TRUESKILL_PASSES)):
                raise unknown_name("--method", name, allowed)

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that were asked for by name."""
        return tuple(name for part in self.method.split(",") if (name := part.strip()))

    @property
    def average(self) -> str:
        """How a system's judgments become its score, one of `AVERAGES`."""
        return self._first(AVERAGES)

    @property
    def test(self) -> str:
        """The test of two systems, one of `SYSTEM_TESTS`."""
        return self._first(SYSTEM_TESTS)

    @property
    def macro_column(self) -> str:
        """The column over whose values macro-averages are taken."""
        return self.macro or MACRO

    @property
    def trueskill(self) -> str:
        """How TrueSkill goes through the comparisons, one of `TRUESKILL_PASSES`."""
        return self._first(TRUESKILL_PASSES)

    @property
    def corrected(self) -> str:
        """The correction for many tests; WMT's procedures had none."""
        return self.correction or ("none" if self.test in (RANK_SUM, SIGNED_RANK) else "holm")

    @property
    def sign(self) -> float:
        """What a value is multiplied by so that higher is better."""
        return -1.0 if self.lower_better else 1.0

    @property
    def best(self) -> str:
        """Which end of the values is the good one, as a headline says it."""
        return "lowest" if self.lower_better else "highest"

    @property
    def direction(self) -> str:
        """Which values are good, as the method says it; empty where high ones are."""
        return "lower is better" if self.lower_better else ""

    def test_choices(self) -> dict[str, Any]:
        """The options behind p-values, for signatures; only permutations depend on the seed."""
        drawn = {"seed": self.seed} if self.test == PERMUTATION else {}
        return {"test": self.test, "correction": self.corrected, **drawn}

    def signature(self) -> dict[str, Any]:
        """What every signature says of these options."""
        return {"only": "+".join(self.only), "direction": self.direction}

    def _first(self, allowed: tuple[str, ...]) -> str:
        return next((name for name in self.methods if name in allowed), allowed[0])


class PreferenceSettings(Settings, frozen=True, kw_only=True):
    """The options of `jurat preferences`. Raises InputError if a method is named: there is one."""

    without_ties: Literal["items", "decisions"] = "items"
    """What "no preference" takes with it: all decisions about its item, or only itself."""
    protocol: Protocol | None = None
    """The protocol whose order of answers is compared with preferences; else one that fits."""

    def __post_init__(self) -> None:
        self.refuse_method()


class HEvalSettings(Settings, frozen=True, kw_only=True):
    """The options of `jurat heval`.

    `method`: `features` (answers of 0 to `top`), `scores` (sentence or document scores of 0 to 1),
    or empty for what the answers look like. Raises InputError for another method.
    """

    level: Literal["system", "document", "segment"] = "system"
    average: Literal["sentences", "documents"] = "sentences"
    """Whether a system's score counts all sentences alike, or all documents."""
    features: tuple[str, ...] = ()
    """The questions that are features; if none is named, the protocol's eleven, or all."""
    compared: tuple[str, ...] = ()
    """Other questions with which the scores are correlated (`--with`)."""
    only: tuple[str, ...] = ()
    """The systems among which the best is sought; all when none is named."""
    ties: BestTies = "share"
    ranks: RankTies = "minimum"
    construct: str = "construct"
    """The column that tells the construct of a sentence."""
    top: float = 4.0
    """The best point of a feature."""

    def __post_init__(self) -> None:
        if self.method not in ("", "features", "scores"):
            raise unknown_name("--method", self.method, ("features", "scores"))


class TimeSettings(Settings, frozen=True, kw_only=True):
    """The options of `jurat time`.

    Raises InputError for a named method, and unless the cap and estimates are more than 0.
    """

    cap: float = 120.0
    """Seconds; a longer decision may hold a pause (TAP-ET's two minutes)."""
    length: str = ""
    """The column with the length of an item; else `length` or `words`."""
    parts: tuple[str, ...] = ()
    """Columns with the seconds spent on parts of the screen."""
    estimated: Mapping[str, float] = {}
    """Expected seconds a decision by question; under "" for all others."""

    def __post_init__(self) -> None:
        self.refuse_method()
        if not self.cap > 0:
            raise input_error("cap must be more than 0 seconds", field="cap", value=self.cap)
        for seconds in self.estimated.values():
            if not seconds > 0:
                raise input_error("estimated seconds must be more than 0", value=seconds)


class FatigueSettings(GroupSettings, frozen=True, kw_only=True):
    """The options of `jurat fatigue`."""

    slices: int = 5
    """Into how many slices the work of each judge is cut."""

    def signature(self) -> dict[str, object]:
        """What every signature says of these options."""
        return {"slices": self.slices, **super().signature()}


# The models of a judge's severity.
SEVERITY_MODELS = ("mixed", "rasch")


class JudgeSettings(Settings, frozen=True, kw_only=True):
    """The options of `jurat diagnose`: how far out is an outlier, and which items are controls.

    Raises InputError for a method that does not exist, and unless k is more than 0.
    """

    k: float = 1.0
    easy: str = ""
    """A condition for items of which the top score is expected; else the column `easy`."""
    controls: str = ""
    """A condition for items that were degraded on purpose; else `control == 'degraded'`."""
    top: float | None = None
    """The score that is expected of easy items; else the highest that was given."""
    lower_better: bool = False
    """Whether low values are the good ones, so that strict judges are those who give high ones."""

    def choices(self) -> dict[str, Any]:
        """What was chosen, for options and signatures."""
        own = {"easy": self.easy, "top": self.top, "controls": self.controls}
        return {"k": self.k, **{name: value for name, value in own.items() if value}}

    def __post_init__(self) -> None:
        if not self.k > 0:
            raise input_error("k must be more than 0", field="k", value=self.k)
        if self.method not in ("", *SEVERITY_MODELS):
            raise unknown_name("method", self.method, SEVERITY_MODELS)
