"""Additive effects of systems, judges and documents, and the variance of what they differ by.

Least squares give the effects. The variance of a combination of them, a `Contrast`, comes from the
residuals summed by cluster, such as a document or a judge, and is corrected for few clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jurat.resampling.engine import Array
from jurat.stats.ratings import Codes, numbered, summed

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# From so many clusters on the share that systems and judges have in a cluster's residual is left
# out: it is about their number over that of the judgments.
MANY_CLUSTERS = 10_000
# What is left of a column, relative to its size, when it is a sum of others but for rounding.
RANK = 1e-9
# What is left of an estimate, relative to what cancels in it, when it is 0 but for rounding.
ROUNDING = 1e-12


class Variance(NamedTuple):
    """The variance of an estimate over clusters, and its degrees of freedom."""

    value: float
    freedom: float


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


def _table(rows: Codes, height: int, columns: Codes, width: int, amounts: Array) -> Array:
    """Amounts summed by row and column."""
    at = rows * width + columns
    return summed(at, amounts, height * width).reshape(height, width)
