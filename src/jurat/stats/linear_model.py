"""Additive effects of systems, judges and documents, and the variance of what they differ by.

Least squares give the effects. The variance of a combination of them, a `Contrast`, comes from the
residuals summed by cluster, such as a document or a judge, and is corrected for few clusters.
"""

from __future__ import annotations

from collections.abc import Iterator
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
# Cells of a table that is written with its zeros (32 MB).
MOST_CELLS = 2**22
# How many products of a dense table take as long as one of a sparse table.
FASTER = 50
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
    def scaled(self) -> Array:
        """`crossed`, each row divided by the block's scale."""
        return np.asarray(self.crossed / self.block_scale[:, None])

    @cached_property
    def _eigen(self) -> tuple[Array, Array]:
        """Eigenvalues and eigenvectors of the reduced normal matrix: some effects may be collinear.

        Those that are 0 but for rounding are left out.
        """
        values, vectors = np.linalg.eigh(self._reduced)
        told = values > RANK * values.max(initial=0.0)
        return values[told], vectors[:, told]

    @cached_property
    def inverse(self) -> Array:
        """The pseudo-inverse of the reduced normal matrix."""
        values, vectors = self._eigen
        return np.asarray(vectors / values @ vectors.T)

    @cached_property
    def root(self) -> Array:
        """A square root of `inverse`, with a column for each of its eigenvalues."""
        values, vectors = self._eigen
        return np.asarray(vectors / np.sqrt(values))

    @cached_property
    def residuals(self) -> Array:
        """What the effects leave of the values."""
        totals = summed(self.system, self.weight * self.values)
        if self.judge is not None:
            of_judges = summed(self.judge, self.weight * self.values)
            totals = np.concatenate([totals, of_judges])
        means = self.by_block(self.weight * self.values) / self._block_weights
        return np.asarray(self.values - self.fitted(*self._solve(totals, means)), dtype=np.float64)

    def contrast(self, of_columns: Array, of_blocks: Array | None = None) -> Contrast:
        """The combination of effects with these coefficients (systems, then judges; blocks)."""
        return next(self.contrasts(np.array([of_columns]), of_blocks))

    def contrasts(self, of_columns: Array, of_blocks: Array | None = None) -> Iterator[Contrast]:
        """Several of them, a row each, which have the coefficients of blocks in common."""
        wanted = np.zeros((len(of_columns), self.systems + self.judges))
        wanted[:, : of_columns.shape[1]] = of_columns
        shares = np.zeros(len(self._block_weights))
        if of_blocks is not None:
            shares = of_blocks / self._block_weights
        columns, blocks = self._solve(wanted, shares)
        # a combination that the data do not tell is not reproduced by its own solution
        again = columns @ self._reduced + shares @ self.crossed
        for at, row in enumerate(wanted):
            if np.allclose(again[at], row, atol=1e-6):
                made = self.fitted(columns[at], blocks[at])
                yield Contrast(self, made if self.weights is None else self.weights * made)
            else:
                yield Contrast(self, np.full(len(self.values), np.nan))

    def _solve(self, of_columns: Array, shares: Array) -> tuple[Array, Array]:
        """The effects of columns and blocks; `shares` is of blocks, by their weights."""
        columns = (of_columns - shares @ self.crossed) @ self.inverse
        return columns, shares - columns @ self.crossed.T / self._block_weights

    def fitted(self, of_columns: Array, of_blocks: Array) -> Array:
        """The value that these effects give each judgment."""
        made = of_columns[self.system]
        if self.judge is not None:
            # in place: another array for each of a million judgments takes as long as the sum
            made += of_columns[self.systems :][self.judge]
        if self.block is not None:
            made += of_blocks[self.block]
        return made

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

    @cached_property
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


class Grouping(NamedTuple):
    """The cluster of each judgment, numbered from 0 without gaps."""

    codes: Codes
    number: int

    @classmethod
    def of(cls, clusters: Codes) -> Grouping:
        """The clusters that occur, whatever their numbers."""
        known, codes = numbered(clusters, int(clusters.max()) + 1)
        return cls(codes, len(known))


class ClusterCorrection(NamedTuple):
    """How a cluster-robust variance is corrected for few clusters."""

    factor: Array
    """By which the squared sum of each cluster is multiplied."""
    freedom: float


@dataclass(frozen=True, eq=False)
class Contrast:
    """A combination of effects: a linear function of the values, given by its coefficients."""

    model: LinearModel
    coefficients: Array
    """NaN where the data do not tell the combination."""

    @cached_property
    def squares(self) -> Array:
        """What each judgment adds to the variance where all are independent and alike."""
        squares = self.coefficients**2
        return squares if self.model.weights is None else squares / self.model.weights

    @cached_property
    def parts(self) -> Array:
        """Coefficients times residuals."""
        return np.asarray(self.coefficients * self.model.residuals)

    @property
    def value(self) -> float:
        """The estimate; exactly 0 where only rounding is left of it."""
        told = float(self.coefficients @ self.model.values)
        # no sum of these products is larger (Cauchy and Schwarz)
        largest = np.linalg.norm(self.coefficients) * np.linalg.norm(self.model.values)
        return 0.0 if abs(told) <= ROUNDING * largest else told

    def variance(self, clusters: Grouping) -> Variance:
        """The cluster-robust variance over these clusters, for few of them.

        With c the contrast's coefficients, e the residuals and M the matrix that makes e of the
        values, V = Σ k_g² (Σ c e)², the inner sum over cluster g. k_g makes the expectation right
        where judgments are independent and alike: k_g² = c_g′c_g / c_g′M c_g. This is CR2 (Bell &
        McCaffrey 2002) with a factor for each cluster in place of a matrix; both are the same for
        a mean. Degrees of freedom f = (tr P)² / tr P², P = (k_g k_h c_g′M c_h) (Satterthwaite).
        """
        factor, freedom = self.correction(clusters)
        sums = summed(clusters.codes, self.parts, clusters.number)
        return Variance(float((factor * sums**2).sum()), freedom)

    def correction(self, clusters: Grouping) -> ClusterCorrection:
        """What `variance` needs besides the residuals; it is the same whatever the values are."""
        squares = summed(clusters.codes, self.squares, clusters.number)
        hat = _HatProducts.of(self, clusters)
        own = hat.own
        left = squares - own
        # a cluster that its own effects explain wholly says nothing about the contrast
        told = left > RANK * squares.max(initial=0.0)
        factor = np.where(told, squares / np.where(told, left, 1.0), 0.0)
        trace = float((factor * left).sum())
        product = hat.squared_trace(factor, squares, own)
        return ClusterCorrection(factor, trace**2 / product if product > 0 else 0.0)


class _HatProducts(NamedTuple):
    """c_g′H c_h of clusters g and h, H = I − M, as inner products of rows.

    H is that of blocks plus that of systems and judges without blocks; a row has a part for each.
    A cluster has a number other than 0 for its own blocks only, of the thousands there may be.
    """

    columns: Array
    at_block: csr_array | None
    """None where there are no blocks."""

    @classmethod
    def of(cls, contrast: Contrast, clusters: Grouping) -> _HatProducts:
        model, amounts = contrast.model, contrast.coefficients
        codes, number = clusters
        many = number > MANY_CLUSTERS
        totals = np.zeros((number, 1)) if many else model.by_column(codes, number, amounts)
        root = np.zeros((1, 1)) if many else model.root
        if model.block is None:
            return cls(totals @ root, None)
        scaled = amounts / model.block_scale[model.block]
        table = _sums_at_block(codes, number, model.block, scaled, len(model.block_scale))
        rest = totals if many else totals - table @ model.scaled
        return cls(rest @ root, table)

    @property
    def own(self) -> Array:
        """c_g′H c_g of each cluster."""
        made = (self.columns**2).sum(axis=1)
        if self.at_block is not None:
            made = made + self.at_block.power(2).sum(axis=1)
        return np.asarray(made)

    def squared_trace(self, factor: Array, squares: Array, own: Array) -> float:
        """Tr P² with P = K (diag(squares) − H) K and K² = diag(factor), without making P."""
        root = np.sqrt(factor)
        scaled = self.columns * root[:, None]
        weighted = factor * squares
        made = (weighted**2).sum() - 2 * (weighted * factor * own).sum()
        if self.at_block is None:
            return float(made + ((scaled.T @ scaled) ** 2).sum())
        at_block = self.at_block.multiply(root[:, None]).tocsr()
        if _meet_often(at_block):
            dense = at_block.toarray()
            return float(made + ((scaled @ scaled.T + dense @ dense.T) ** 2).sum())
        made += ((scaled.T @ scaled) ** 2).sum()
        made += 2 * ((at_block.T @ scaled) ** 2).sum() + _squared_products(at_block)
        return float(made)


def _meet_often(table: csr_array) -> bool:
    """Whether the products of every two rows are found faster with the zeros of the table."""
    rows, columns = table.shape
    if rows * columns > MOST_CELLS:
        return False
    by_column = np.bincount(table.indices, minlength=columns).astype(np.float64)
    return bool(rows**2 * columns < FASTER * float((by_column**2).sum()))


def _sums_at_block(
    codes: Codes, number: int, block: Codes, amounts: Array, blocks: int
) -> csr_array:
    """Amounts summed by cluster (row) and block (column)."""
    # half of what an analysis imports, where only this needs it
    from scipy.sparse import csr_array

    of_cluster = np.zeros(number, dtype=np.int64)
    of_cluster[codes] = block
    if not np.array_equal(of_cluster[codes], block):
        return csr_array((amounts, (codes, block)), (number, blocks))
    # a cluster within one block has one number: nothing need be sorted
    sums = summed(codes, amounts, number)
    return csr_array((sums, of_cluster, np.arange(number + 1)), (number, blocks))


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
