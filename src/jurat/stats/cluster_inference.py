"""Tests and intervals of means and differences that hold for new documents and new judges.

Judgments share documents and judges, so that they are not independent. A least-squares fit gives
the estimate; its variance comes from the residuals summed by document, by judge and by both
(cluster-robust, corrected for few clusters), and the p-value from Student's t with degrees of
freedom that are estimated, too. How often it errs in which design is in docs/calibration.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jurat.resampling.engine import Array
from jurat.resampling.student_t import t_cdf, t_quantile
from jurat.resampling.wilson import wilson
from jurat.stats.phrases import NO_VARIATION
from jurat.stats.ratings import Codes, numbered, summed

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Below so many documents no p-value is given: the 32 patterns of signs of five cannot reach 5 %.
FEWEST_DOCUMENTS = 6
# Below so many judges nothing is said of other judges than these.
FEWEST_JUDGES = 3
# Below so many the statement about new judges holds, but has little power.
FEW_JUDGES = 5
# From so many clusters on the share that systems and judges have in a cluster's residual is left
# out: it is about their number over that of the judgments.
MANY_CLUSTERS = 10_000
# What is left of a column, relative to its size, when it is a sum of others but for rounding.
RANK = 1e-9
# By how much, relative to it, a variance exceeds another that is the same but for rounding.
SAME = 1e-9
# What is left of an estimate, relative to what cancels in it, when it is 0 but for rounding.
ROUNDING = 1e-12

INSEPARABLE = "the systems cannot be separated from the judges or documents they were given to"
THESE_JUDGES = "for these judges only"


class Variance(NamedTuple):
    """The variance of an estimate over clusters, and its degrees of freedom."""

    value: float
    freedom: float


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


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearModel:
    """Additive effects of systems, and of judges and blocks (documents) where these are given.

    All arrays have an entry for each judgment; codes count from 0. Effects that cannot be separated
    are no obstacle, unless a contrast asks for them.
    """

    values: Array
    system: Codes
    judge: Codes | None = None
    block: Codes | None = None
    weights: Array | None = None

    @cached_property
    def weight(self) -> Array:
        """The weight of each judgment, 1 where none is given."""
        return np.ones(len(self.values)) if self.weights is None else self.weights

    @cached_property
    def systems(self) -> int:
        """How many systems there are."""
        return int(self.system.max(initial=-1)) + 1

    @cached_property
    def judges(self) -> int:
        """How many judges have an effect."""
        return 0 if self.judge is None else int(self.judge.max(initial=-1)) + 1

    @cached_property
    def _block(self) -> Codes:
        return np.zeros(0, dtype=np.int64) if self.block is None else self.block

    @cached_property
    def _block_weights(self) -> Array:
        return summed(self._block, self.weight[: len(self._block)])

    @cached_property
    def crossed(self) -> Array:
        """Weights by block and column (systems, then judges)."""
        return self.by_column(self._block, len(self._block_weights), self.weight)

    @cached_property
    def _reduced(self) -> Array:
        """The normal matrix of systems and judges once blocks are eliminated (Schur complement)."""
        columns = self.systems + self.judges
        whole = np.zeros((columns, columns))
        whole[: self.systems] = self.by_column(self.system, self.systems, self.weight)
        if self.judge is not None:
            whole[self.systems :] = self.by_column(self.judge, self.judges, self.weight)
        shares = self.crossed / self._block_weights[:, None]
        return np.asarray(whole - self.crossed.T @ shares)

    @cached_property
    def inverse(self) -> Array:
        """The pseudo-inverse of the reduced normal matrix: some effects may be collinear."""
        made = np.linalg.pinv(self._reduced, rcond=RANK, hermitian=True)
        return np.asarray(made, dtype=np.float64)

    @cached_property
    def root(self) -> Array:
        """A square root of `inverse`."""
        values, vectors = np.linalg.eigh(self.inverse)
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))

    @cached_property
    def residuals(self) -> Array:
        """What the effects leave of the values."""
        totals = summed(self.system, self.weight * self.values)
        if self.judge is not None:
            of_judges = summed(self.judge, self.weight * self.values)
            totals = np.concatenate([totals, of_judges])
        of_blocks = self.by_block(self.weight * self.values)
        return np.asarray(
            self.values - self.fitted(*self._solve(totals, of_blocks)), dtype=np.float64
        )

    def contrast(self, of_columns: Array, of_blocks: Array | None = None) -> Contrast:
        """The combination of effects with these coefficients (systems, then judges; blocks)."""
        wanted = np.zeros(self.systems + self.judges)
        wanted[: len(of_columns)] = of_columns
        blocks = np.zeros(len(self._block_weights)) if of_blocks is None else of_blocks
        solved = self._solve(wanted, blocks)
        # a combination that the data do not tell is not reproduced by its own solution
        if not np.allclose(self._multiply(*solved), wanted, atol=1e-6):
            return Contrast(self, np.full(len(self.values), np.nan))
        return Contrast(self, self.weight * self.fitted(*solved))

    def _solve(self, of_columns: Array, of_blocks: Array) -> tuple[Array, Array]:
        shares = of_blocks / self._block_weights
        columns = self.inverse @ (of_columns - self.crossed.T @ shares)
        return columns, shares - self.crossed @ columns / self._block_weights

    def _multiply(self, of_columns: Array, of_blocks: Array) -> Array:
        """The normal matrix times effects, in the rows of systems and judges."""
        at_zero = self.crossed @ of_columns / self._block_weights
        return np.asarray(self._reduced @ of_columns + self.crossed.T @ (of_blocks + at_zero))

    def fitted(self, of_columns: Array, of_blocks: Array) -> Array:
        """The value that these effects give each judgment."""
        made = of_columns[self.system]
        if self.judge is not None:
            made = made + of_columns[self.systems + self.judge]
        return made if self.block is None else made + of_blocks[self.block]

    def by_column(self, rows: Codes, height: int, amounts: Array) -> Array:
        """Amounts summed by row and by column, which are systems, then judges."""
        made = np.zeros((height, self.systems + self.judges))
        if not height:
            return made
        made[:, : self.systems] = _table(rows, height, self.system, self.systems, amounts)
        if self.judge is not None:
            made[:, self.systems :] = _table(rows, height, self.judge, self.judges, amounts)
        return made

    def by_block(self, amounts: Array) -> Array:
        """Amounts summed by block; empty where there are no blocks."""
        return summed(self._block, amounts[: len(self._block)])

    @property
    def block_scale(self) -> Array:
        """The standard deviation of a block's total in units of one judgment: √ of its weight."""
        return np.asarray(np.sqrt(self._block_weights))


@dataclass(frozen=True, kw_only=True, eq=False)
class CenteredModel(LinearModel):
    """Values less the means of their systems: what is left of them is the residual.

    For contrasts whose coefficients come from a model with more effects, where these effects belong
    to what varies. Its systems count in the corrections for few clusters alone.
    """

    @cached_property
    def residuals(self) -> Array:
        """The values."""
        return self.values


class ClusterCorrection(NamedTuple):
    """How a cluster-robust variance is corrected for few clusters."""

    codes: Codes
    """The cluster of each judgment, from 0."""
    factor: Array
    """By which the squared sum of each cluster is multiplied."""
    freedom: float


class Contrast(NamedTuple):
    """A combination of effects: a linear function of the values, given by its coefficients."""

    model: LinearModel
    coefficients: Array
    """NaN where the data do not tell the combination."""

    @property
    def value(self) -> float:
        """The estimate; exactly 0 where only rounding is left of it."""
        told = float(self.coefficients @ self.model.values)
        # no sum of these products is larger (Cauchy and Schwarz)
        largest = np.linalg.norm(self.coefficients) * np.linalg.norm(self.model.values)
        return 0.0 if abs(told) <= ROUNDING * largest else told

    def variance(self, clusters: Codes) -> Variance:
        """The cluster-robust variance over these clusters, for few of them.

        With c the contrast's coefficients, e the residuals and M the matrix that makes e of the
        values, V = Σ k_g² (Σ c e)², the inner sum over cluster g. k_g makes the expectation right
        where judgments are independent and alike: k_g² = c_g′c_g / c_g′M c_g. This is CR2 (Bell &
        McCaffrey 2002) with a factor for each cluster in place of a matrix; both are the same for
        a mean. Degrees of freedom f = (tr P)² / tr P², P = (k_g k_h c_g′M c_h) (Satterthwaite).
        """
        codes, factor, freedom = self.correction(clusters)
        sums = summed(codes, self.coefficients * self.model.residuals, len(factor))
        return Variance(float((factor * sums**2).sum()), freedom)

    def correction(self, clusters: Codes) -> ClusterCorrection:
        """What `variance` needs besides the residuals; it is the same whatever the values are."""
        known, codes = numbered(clusters, int(clusters.max()) + 1)
        number, model = len(known), self.model
        scale = 1 / np.sqrt(model.weight)
        squares = summed(codes, (self.coefficients * scale) ** 2, number)
        hat = _HatProducts.of(self, codes, number)
        left = squares - hat.own
        # a cluster that its own effects explain wholly says nothing about the contrast
        told = left > RANK * squares.max(initial=0.0)
        factor = np.where(told, squares / np.where(told, left, 1.0), 0.0)
        trace = float((factor * left).sum())
        product = hat.squared_trace(factor, squares)
        return ClusterCorrection(codes, factor, trace**2 / product if product > 0 else 0.0)


class _HatProducts(NamedTuple):
    """c_g′H c_h of clusters g and h, H = I − M, as inner products of rows.

    H is that of blocks plus that of systems and judges without blocks; a row has a part for each.
    A cluster has a number other than 0 for its own blocks only, of the thousands there may be.
    """

    columns: Array
    at_block: csr_array

    @classmethod
    def of(cls, contrast: Contrast, codes: Codes, number: int) -> _HatProducts:
        # half of what an analysis imports, where only this needs it
        from scipy.sparse import csr_array

        model, amounts = contrast.model, contrast.coefficients
        many = number > MANY_CLUSTERS
        totals = np.zeros((number, 1)) if many else model.by_column(codes, number, amounts)
        root = np.zeros((1, 1)) if many else model.root
        if model.block is None:
            return cls(totals @ root, csr_array((number, 0)))
        scale = model.block_scale
        table = csr_array(
            (amounts / scale[model.block], (codes, model.block)), (number, len(scale))
        )
        rest = totals if many else totals - table @ (model.crossed / scale[:, None])
        return cls(rest @ root, table)

    @property
    def own(self) -> Array:
        """c_g′H c_g of each cluster."""
        return np.asarray((self.columns**2).sum(axis=1) + self.at_block.power(2).sum(axis=1))

    def squared_trace(self, factor: Array, squares: Array) -> float:
        """Tr P² with P = K (diag(squares) − H) K and K² = diag(factor), without making P."""
        root = np.sqrt(factor)
        scaled = self.columns * root[:, None]
        at_block = self.at_block.multiply(root[:, None]).tocsr()
        weighted = factor * squares
        made = (weighted**2).sum() - 2 * (weighted * factor * self.own).sum()
        made += ((scaled.T @ scaled) ** 2).sum()
        made += 2 * ((at_block.T @ scaled) ** 2).sum() + _squared_products(at_block)
        return float(made)


def _squared_products(table: csr_array) -> float:
    """‖T T′‖² = ‖T′T‖², from the one that has fewer products."""
    by_row = np.diff(table.indptr).astype(np.float64)
    by_column = np.bincount(table.indices, minlength=table.shape[1]).astype(np.float64)
    rows_meet = (by_column**2).sum() <= (by_row**2).sum()
    product = table @ table.T if rows_meet else table.T @ table
    return float((product.data**2).sum())


class Clusters(NamedTuple):
    """What judgments share: documents, and judges where they are known."""

    document: Codes
    judge: Codes | None = None
    what: str = "document"
    """What `document` holds: sentences, where documents are unknown."""

    def at(self, rows: Codes) -> Clusters:
        """Those of some of the judgments."""
        judge = None if self.judge is None else self.judge[rows]
        return self._replace(document=self.document[rows], judge=judge)


def infer(contrast: Contrast, clusters: Clusters, *, confidence: float) -> Finding:
    """The value of a contrast, its interval and p-value, for new documents and new judges.

    The variance is V_c + max(0, V_d − V_c) + max(0, V_j − V_c) of documents d, judges j and their
    cells c; p is the largest of the three that this variance, documents alone and judges alone
    give, and the interval the widest. Where every document has one judge, judges alone count.
    With two judges or fewer it holds for these judges only.
    """
    return _infer(contrast, clusters, partial(contrast.variance, clusters.document), confidence)


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
    document, judge = clusters.document, clusters.judge
    judges = 0 if judge is None else _distinct(judge)
    if judge is None or judges < FEWEST_JUDGES:
        scope = f"{THESE_JUDGES} (fewer than {FEWEST_JUDGES})" if judge is not None else ""
        return _finding(value, [of_documents()], clusters, scope, confidence)
    scope = f"few judges ({judges}): little power" if judges < FEW_JUDGES else ""
    if nested(document, judge):
        return _finding(value, [contrast.variance(judge)], clusters, scope, confidence)
    of_cells = contrast.variance(document * (int(judge.max()) + 1) + judge)
    tried = two_way(of_documents(), contrast.variance(judge), of_cells)
    return _finding(value, tried, clusters, scope, confidence)


def infer_these_judges(contrast: Contrast, clusters: Clusters, *, confidence: float) -> Finding:
    """The same with documents as all that varies: it holds for these judges only."""
    return infer(contrast, clusters._replace(judge=None), confidence=confidence)


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
    of_documents = cache(partial(contrast.variance, clusters.document))
    found, these = (
        _infer(contrast, varying, of_documents, confidence)
        for varying in (clusters, clusters._replace(judge=None))
    )
    notes = ", ".join(filter(None, (note, found.scope)))
    return PairFinding(found, these, _distinct(sentence), notes)


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
    documents = _distinct(clusters.document)
    if documents >= FEWEST_DOCUMENTS:
        return ""
    return f"{documents} {clusters.what}{'' if documents == 1 else 's'} cannot speak for others"


def _without_variation(value: float, clusters: Clusters) -> Finding:
    """Where all judgments say the same: the sign-flip test of documents, 2 of 2^D patterns."""
    few = _too_few(clusters)
    if few or not value:
        return Finding(value, reason=few or NO_VARIATION)
    documents = _distinct(clusters.document)
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
    number = _distinct(clusters.document)
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


def _distinct(codes: Codes) -> int:
    """How many different codes there are."""
    # numpy.unique takes ten times as long
    there = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.bool_)
    there[codes] = True
    return int(np.count_nonzero(there))


def _table(rows: Codes, height: int, columns: Codes, width: int, amounts: Array) -> Array:
    """Amounts summed by row and column."""
    at = rows * width + columns
    return summed(at, amounts, height * width).reshape(height, width)
