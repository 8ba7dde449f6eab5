"""Tests and intervals of means and differences that hold for new documents and new judges.

Judgments share documents and judges, so that they are not independent. A `LinearModel` gives the
estimate and its variance over documents, over judges and over both, and Student's t with degrees of
freedom that are estimated, too, the p-value. How often it errs in which design is in
docs/calibration.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import NamedTuple

import numpy as np

from jurat.resampling.engine import Array
from jurat.resampling.student_t import t_cdf, t_quantile
from jurat.resampling.wilson import wilson
from jurat.stats.linear_model import Contrast, Grouping, Variance
from jurat.stats.phrases import NO_VARIATION
from jurat.stats.ratings import Codes

# Below so many documents no p-value is given: the 32 patterns of signs of five cannot reach 5 %.
FEWEST_DOCUMENTS = 6
# Below so many judges nothing is said of other judges than these.
FEWEST_JUDGES = 3
# Below so many the statement about new judges holds, but has little power.
FEW_JUDGES = 5
# By how much, relative to it, a variance exceeds another that is the same but for rounding.
SAME = 1e-9

INSEPARABLE = "the systems cannot be separated from the judges or documents they were given to"
THESE_JUDGES = "for these judges only"


class Finding(NamedTuple):
    """An estimate with its interval and two-sided p-value; NaN where there is none."""

    value: float
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    reason: str = ""
    """Why there is no p-value."""
    scope: str = ""
    """For whom it holds, where that is not new documents and new judges; what to beware of."""

    def moved(self, to: float) -> Finding:
        """The same interval around another value; without a p-value, which was of the old one."""
        by = to - self.value
        return self._replace(value=to, low=self.low + by, high=self.high + by, p=math.nan)


@dataclass(frozen=True, eq=False)
class Clusters:
    """What judgments share: documents, and judges where they are known."""

    document: Codes
    judge: Codes | None = None
    what: str = "document"
    """What `document` holds: sentences, where documents are unknown."""

    def at(self, rows: Codes) -> Clusters:
        """Those of some of the judgments."""
        judge = None if self.judge is None else self.judge[rows]
        return Clusters(self.document[rows], judge, self.what)

    @property
    def without_judges(self) -> Clusters:
        """Documents as all that varies."""
        return Clusters(self.document, None, self.what)

    @cached_property
    def documents(self) -> Grouping:
        """The documents that occur."""
        return Grouping.of(self.document)

    @cached_property
    def judges(self) -> Grouping | None:
        """The judges that occur; None where they are unknown, or nothing is said of others."""
        return None if self.judge is None else Grouping.of(self.judge)

    @cached_property
    def cells(self) -> Grouping | None:
        """The documents of each judge; None without judges, or where every document has one."""
        if self.judge is None or nested(self.document, self.judge):
            return None
        return Grouping.of(self.document * (int(self.judge.max()) + 1) + self.judge)


def infer(contrast: Contrast, clusters: Clusters, *, confidence: float) -> Finding:
    """The value of a contrast, its interval and p-value, for new documents and new judges.

    The variance is V_c + max(0, V_d − V_c) + max(0, V_j − V_c) of documents d, judges j and their
    cells c; p is the largest of the three that this variance, documents alone and judges alone
    give, and the interval the widest. Where every document has one judge, judges alone count.
    With two judges or fewer it holds for these judges only.
    """
    return _infer(contrast, clusters, partial(contrast.variance, clusters.documents), confidence)


def _infer(
    contrast: Contrast,
    clusters: Clusters,
    of_documents: Callable[[], Variance],
    confidence: float,
) -> Finding:
    """`infer`, with the variance over documents, which takes long, as somebody has it."""
    value = contrast.value
    if math.isnan(value):
        return Finding(value, reason=INSEPARABLE)
    if np.ptp(contrast.model.values) <= 1e-12 * abs(value):
        return _without_variation(value, clusters)
    judges = clusters.judges
    if judges is None or judges.number < FEWEST_JUDGES:
        scope = f"{THESE_JUDGES} (fewer than {FEWEST_JUDGES})" if judges is not None else ""
        return _finding(value, [of_documents()], clusters, scope, confidence)
    few = judges.number < FEW_JUDGES
    scope = f"few judges ({judges.number}): little power" if few else ""
    if clusters.cells is None:
        return _finding(value, [contrast.variance(judges)], clusters, scope, confidence)
    of_cells = contrast.variance(clusters.cells)
    tried = two_way(of_documents(), contrast.variance(judges), of_cells)
    return _finding(value, tried, clusters, scope, confidence)


def infer_these_judges(contrast: Contrast, clusters: Clusters, *, confidence: float) -> Finding:
    """The same with documents as all that varies: it holds for these judges only."""
    return infer(contrast, clusters.without_judges, confidence=confidence)


def varying_words(what: str, judges: int, *, independent: str = "") -> str:
    """What tests and intervals take as varying, as a method says it.

    `independent` says why sentences are taken as independent, where they are; `judges` is their
    number, 0 where they are unknown.
    """
    new = " and judges" if judges >= FEWEST_JUDGES else ""
    whose = f", {THESE_JUDGES}" if 0 < judges < FEWEST_JUDGES else ""
    assumed = f"; {independent}: {what}s are taken as independent" if independent else ""
    return f"{what}s{new} vary{whose}{assumed}"


class PairFinding(NamedTuple):
    """The difference of two systems, for new judges and for these judges only."""

    finding: Finding
    these_judges: Finding
    n: int
    """How many sentences it comes from."""
    note: str = ""
    """What to beware of."""


def infer_pair(
    contrast: Contrast, clusters: Clusters, sentence: Codes, *, confidence: float, note: str = ""
) -> PairFinding:
    """Both findings about a difference, from judgments of these sentences."""
    of_documents = cache(partial(contrast.variance, clusters.documents))
    found, these = (
        _infer(contrast, varying, of_documents, confidence)
        for varying in (clusters, clusters.without_judges)
    )
    notes = ", ".join(filter(None, (note, found.scope)))
    return PairFinding(found, these, distinct_count(sentence), notes)


def two_way(of_documents: Variance, of_judges: Variance, of_cells: Variance) -> list[Variance]:
    """The variance over documents and judges, then that of each alone: the largest counts."""
    more = [v.value - of_cells.value for v in (of_documents, of_judges)]
    # of equal variances rounding would decide which of them count
    more = [extra if extra > SAME * of_cells.value else 0.0 for extra in more]
    value = of_cells.value + sum(more)
    known = [v for v, extra in zip((of_documents, of_judges), more, strict=True) if extra > 0]
    # cells are subtracted once where one way adds to them, and then do not count themselves
    known += [of_cells] if len(known) != 1 else []
    spread = sum(v.value**2 / v.freedom for v in known if v.freedom > 0)
    both = Variance(value, max(1.0, value**2 / spread) if spread > 0 else 0.0)
    return [both, of_documents, of_judges]


def reach(tried: Sequence[Variance], confidence: float) -> float:
    """Half the widest interval that these variances give; NaN where they tell nothing."""
    size, freedom = np.array(tried).T
    if not (size > 0).any() or not (freedom >= 1 - 1e-9).all():
        return math.nan
    return float((t_quantile(freedom, (1 + confidence) / 2) * np.sqrt(size)).max())


def _finding(
    value: float, tried: list[Variance], clusters: Clusters, scope: str, confidence: float
) -> Finding:
    few = _too_few(clusters)
    half = reach(tried, confidence)
    # what effects explain wholly leaves rounding alone
    if not half > 1e-9 * max(1.0, abs(value)):
        return Finding(value, reason=few or NO_VARIATION, scope=scope)
    size, freedom = np.array(tried).T
    with np.errstate(divide="ignore", invalid="ignore"):
        # no difference and no variation one way: chance gives as much
        t = np.where(size > 0, abs(value) / np.sqrt(size), math.inf if value else 0.0)
    p = float((2 * t_cdf(freedom, -t)).max())
    return Finding(value, value - half, value + half, math.nan if few else p, few, scope)


def _too_few(clusters: Clusters) -> str:
    """Why documents say nothing about others; empty where they are enough."""
    documents = clusters.documents.number
    if documents >= FEWEST_DOCUMENTS:
        return ""
    return f"{documents} {clusters.what}{'' if documents == 1 else 's'} cannot speak for others"


def _without_variation(value: float, clusters: Clusters) -> Finding:
    """Where all judgments say the same: the sign-flip test of documents, 2 of 2^D patterns."""
    few = _too_few(clusters)
    if few or not value:
        return Finding(value, reason=few or NO_VARIATION)
    documents = clusters.documents.number
    return Finding(
        value, p=2.0 ** (1 - documents), scope=f"every judgment is the same, {THESE_JUDGES}"
    )


def wilson_interval(
    value: Array, half: Array, clusters: int, confidence: float
) -> tuple[Array, Array]:
    """Wilson's interval with the effective n at which a plain one would reach `half` as far."""
    with np.errstate(all="ignore"):
        # t²/n: reach² = t² p (1 − p) / n; where none or all did, n is the number of clusters
        squared = np.where(
            (value > 0) & (value < 1),
            half**2 / (value * (1 - value)),
            t_quantile(max(1, clusters - 1), (1 + confidence) / 2) ** 2 / clusters,
        )
    low, high = wilson(value, 1 / squared, quantile=1.0)
    # a single cluster says nothing about others
    none = np.isnan(value) | (clusters < 2)
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


def infer_share(contrast: Contrast, clusters: Clusters, *, confidence: float) -> Finding:
    """The same of a mean of zeros and ones, with Wilson's interval."""
    found = infer(contrast, clusters, confidence=confidence)
    value, half = np.array([found.value]), np.array([found.high - found.value])
    # where all are ones, weights that sum to one but for rounding would leave 0.9999999999999999,
    # a share that varies, and has no interval
    whole = np.round(value)
    value = np.where(np.abs(value - whole) < 1e-9, whole, value)
    number = clusters.documents.number
    low, high = wilson_interval(value, half, number, confidence)
    return found._replace(value=float(value[0]), low=float(low[0]), high=float(high[0]))


def below_median(values: Array) -> Array:
    """1 where a value lies below the median of all of them, ½ where it is the median, else 0."""
    middle = np.median(values)
    return np.asarray((values < middle) + (values == middle) / 2, dtype=np.float64)


def woodruff_interval(values: Array, half: float) -> tuple[float, float]:
    """The interval of the median from `half` that of the share of values below it (Woodruff 1952).

    The ends are the quantiles at which Wilson's interval of a share of ½ ends, ½ ± half /
    √(1 + 4 half²); NaN where `half` is unknown or 0, as without variation among clusters.
    """
    if not half > 0:
        return math.nan, math.nan
    far = half / math.sqrt(1 + 4 * half**2)
    # values that occur: between two points of a scale lies nothing
    low = np.quantile(values, 0.5 - far, method="lower")
    return float(low), float(np.quantile(values, 0.5 + far, method="higher"))


def nested(document: Codes, judge: Codes) -> bool:
    """Whether every document has one judge."""
    one = np.zeros(int(document.max()) + 1, dtype=np.int64)
    one[document] = judge
    return np.array_equal(one[document], judge)


def distinct_count(codes: Codes) -> int:
    """How many different codes there are."""
    # numpy.unique takes ten times as long
    there = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.bool_)
    there[codes] = True
    return int(np.count_nonzero(there))
