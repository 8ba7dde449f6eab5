"""The crossed mixed model: score = mean + judge + item + rest, fitted by REML.

Items are absorbed (Henderson's mixed model equations), and everything that a fit needs of them is
added up beforehand by how many judgments they have. A step then costs as much as the judges are,
whether there are a thousand judgments or a million.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jurat.stats.ratings import Array, Codes, summed

# Natural logs of the variances' ratios to the rest: beyond these one of them is nothing.
SMALLEST, LARGEST = -16.0, 16.0


class Components(NamedTuple):
    """The variances of judges, items and the rest."""

    judge: float
    item: float
    rest: float


@dataclass(frozen=True, kw_only=True, eq=False)
class MixedModel:
    """A fitted model: what judges and items add to the mean, shrunk towards it."""

    mean: float
    judges: Array
    among_judges: Array
    """Each judge's effect less the mean of these judges', judges taken as fixed: not shrunk."""
    among_errors: Array
    """Its standard errors, items being independent."""
    document_errors: Array
    """The same with a variance over documents; NaN where a judge has fewer than two."""
    documents: Codes
    """How many documents each judge has."""
    items: Array
    components: Components
    residuals: Array
    criterion: float
    """Twice the negative restricted log-likelihood, without its constant."""


def fit_crossed(
    values: Array, judges: Codes, items: Codes, document_of_item: Codes | None = None
) -> MixedModel:
    """Fit the model by REML; judges and items are numbered from 0 without gaps.

    Without `document_of_item` each item is a document of its own.

    The criterion is −2 l = (N − 1) log S + Σ log(n_i + λ_i) + log|A| − J log λ_j − I log λ_i, with
    λ the ratio of the rest's variance to a component's, A the equations of mean and judges after
    items are absorbed, and S what they leave of Σy² (Patterson & Thompson 1971; Searle, Casella
    & McCulloch 1992, chapter 6). It is minimised over the two ratios.
    """
    # centred, so that Σy² does not swallow what the equations leave of it
    centre = float(values.mean())
    sums = _Sums.of(values - centre, judges, items)
    at = _minimum(sums)
    solved = sums.solve(*np.exp(at))
    rest = solved.left / (sums.total - 1)
    effects = solved.solution()
    # items were absorbed: their effects follow from what mean and judges leave of their sums
    left = sums.item_sums - effects[0] * sums.item_counts - sums.judge_effects(effects[1:])
    of_items = left / (sums.item_counts + np.exp(at[1]))
    fitted = effects[0] + effects[1:][judges] + of_items[items]
    among, scale, inverse = sums.fixed_judges(float(np.exp(at[1])))
    document = items if document_of_item is None else document_of_item[items]
    apart = (values - centre - among[judges], document, float(np.exp(at[1])))
    of_documents, documents = sums.document_errors(inverse, *apart)
    return MixedModel(
        mean=centre + float(effects[0]),
        judges=effects[1:],
        among_judges=among,
        among_errors=np.sqrt(rest) * scale,
        document_errors=of_documents,
        documents=documents,
        items=of_items,
        components=Components(
            judge=float(rest * np.exp(-at[0])), item=float(rest * np.exp(-at[1])), rest=rest
        ),
        residuals=values - centre - fitted,
        criterion=solved.criterion,
    )


class _Solved(NamedTuple):
    """The equations at two given ratios: their Cholesky root, bordered by the right-hand side.

    The border holds what solves them, and its corner the root of what they leave unexplained.
    """

    # one Cholesky factorisation gives the determinant, the solution and the residual sum
    root: Array
    criterion: float

    @property
    def left(self) -> float:
        return float(self.root[-1, -1] ** 2)

    def solution(self) -> Array:
        return np.asarray(
            np.linalg.solve(self.root[:-1, :-1].T, self.root[-1, :-1]), dtype=np.float64
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sums:
    """All that a fit needs, added up; `sizes` are the numbers of judgments that items have."""

    total: int
    square: float
    judge_counts: Array
    judge_sums: Array
    item_counts: Array
    item_sums: Array
    judges: Codes
    items: Codes
    sizes: Array
    of_size: Array
    """How many items have each size."""
    meetings: Array
    """For each size, how often two judges judged the same item: sizes × judges × judges."""
    size_sums: Array
    """For each size, Σ over items of the item's sum, and of its square: sizes × 2."""
    shared_sums: Array
    """For each size and judge, Σ of the sums of the items they judged."""

    @classmethod
    def of(cls, values: Array, judges: Codes, items: Codes) -> _Sums:
        counts = np.bincount(items)
        sums = summed(items, values)
        sizes, size = np.unique(counts, return_inverse=True)
        people = int(judges.max()) + 1
        shared = summed(size[items] * people + judges, sums[items], len(sizes) * people)
        return cls(
            total=len(values),
            square=float(values @ values),
            judge_counts=np.bincount(judges).astype(np.float64),
            judge_sums=summed(judges, values),
            item_counts=counts.astype(np.float64),
            item_sums=sums,
            judges=judges,
            items=items,
            sizes=sizes.astype(np.float64),
            of_size=np.bincount(size).astype(np.float64),
            meetings=np.stack(list(_meetings(judges, items, counts, sizes))),
            size_sums=np.column_stack([summed(size, sums), summed(size, sums**2)]),
            shared_sums=shared.reshape(len(sizes), people),
        )

    def solve(self, judge_ratio: float, item_ratio: float) -> _Solved:
        """The equations of mean and judges at these ratios, and the criterion."""
        equations = self._equations(judge_ratio, item_ratio)
        root = np.asarray(np.linalg.cholesky(equations), dtype=np.float64)
        logs = np.log(np.diag(root))
        people, things = len(self.judge_counts), len(self.item_counts)
        criterion = (
            2 * (self.total - 1) * logs[-1]
            + 2 * logs[:-1].sum()
            + self.of_size @ np.log(self.sizes + item_ratio)
            - people * np.log(judge_ratio)
            - things * np.log(item_ratio)
        )
        return _Solved(root, float(criterion))

    def _equations(self, judge_ratio: float, item_ratio: float) -> Array:
        """Mean, judges, and the right-hand side as a border, with items absorbed."""
        # absorbing an item of n judgments leaves the weight 1 / (n + λ) for each pair of them
        share = 1 / (self.sizes + item_ratio)
        people = len(self.judge_counts)
        full = np.empty((people + 2, people + 2))
        mean, judge, right = 0, slice(1, people + 1), people + 1
        full[judge, judge] = -np.tensordot(share, self.meetings, axes=1)
        full[judge, judge] += np.diag(self.judge_counts + judge_ratio)
        met = np.diagonal(self.meetings, axis1=1, axis2=2)
        full[judge, mean] = self.judge_counts - (share * self.sizes) @ met
        full[mean, mean] = self.total - share @ (self.sizes**2 * self.of_size)
        full[right, mean] = self.judge_sums.sum() - share @ (self.sizes * self.size_sums[:, 0])
        full[right, judge] = self.judge_sums - share @ self.shared_sums
        # a hair more than there is, so that a perfect fit leaves something to take the root of
        full[right, right] = self.square * (1 + 1e-12) - share @ self.size_sums[:, 1]
        return full  # whose upper half nobody reads

    def fixed_judges(self, item_ratio: float) -> tuple[Array, Array, Array]:
        """Fixed effects of judges less their mean, and their errors in units of √ of the rest.

        Also the inverse of their equations.
        """
        # a ratio of 0 is a variance without bound: nothing is shrunk, and the mean is the judges'
        full = self._equations(0.0, item_ratio)
        lower = np.tril(full[1:-1, 1:-1])
        inverse = np.linalg.inv(lower + np.tril(lower, -1).T)
        effects = inverse @ full[-1, 1:-1]
        # centred in rows and columns: the covariances of differences from the mean
        within = inverse - inverse.mean(axis=0)
        variances = np.diagonal(within) - within.mean(axis=1)
        errors = np.sqrt(np.maximum(variances, 0.0))
        return effects - effects.mean(), errors, np.asarray(inverse, dtype=np.float64)

    def document_errors(
        self, inverse: Array, left: Array, document: Codes, item_ratio: float
    ) -> tuple[Array, Codes]:
        """Standard errors of the fixed effects of judges from what each document adds to them.

        Items of a document are alike, and judges who have different documents differ by them. With
        w = r − Σ_i r / (n_i + λ) of the residuals r (`left`) a document adds C A⁻¹ u to them, u
        being its sums of w by judge and C what takes off the mean. The squares of what documents
        add are summed, times D / (D − 1) for a judge who has D documents; D comes second.
        """
        people = len(self.judge_counts)
        # what is common to all items is no residual
        left = left - left.mean()
        of_item = summed(self.items, left) / (self.item_counts + item_ratio)
        cells, at = np.unique(document * people + self.judges, return_inverse=True)
        sums = summed(at, left - of_item[self.items])
        number = np.bincount(cells % people, minlength=people)
        squares = np.zeros(people)
        own, judge = np.divmod(cells, people)
        own = np.unique(own, return_inverse=True)[1]
        documents = int(own.max()) + 1
        step = min(documents, max(1, AT_ONCE // people))
        for start in range(0, documents, step):
            here = (own >= start) & (own < start + step)
            table = np.zeros((step, people))
            table[own[here] - start, judge[here]] = sums[here]
            moved = table @ inverse
            squares += ((moved - moved.mean(axis=1, keepdims=True)) ** 2).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            errors = np.sqrt(squares * number / (number - 1))
        return np.where(number > 1, errors, np.nan), number

    def judge_effects(self, effects: Array) -> Array:
        """The sum over each item's judgments of their judges' effects."""
        return summed(self.items, effects[self.judges])


def _meetings(judges: Codes, items: Codes, counts: Codes, sizes: Codes) -> Iterator[Array]:
    """For items of each size, how often each two judges met; a judge meets themselves, too."""
    order = np.argsort(items, kind="stable")
    size_of = counts[items[order]]
    people = int(judges.max()) + 1
    for size in sizes:
        met = judges[order[size_of == size]].reshape(-1, size)
        # pairs are counted where they are few, else whole rows multiplied
        count = _multiplied if 4 * size > people else _counted
        step = max(1, AT_ONCE // (people if 4 * size > people else int(size) ** 2))
        parts = (count(met[at : at + step], people) for at in range(0, len(met), step))
        yield np.asarray(sum(parts, np.zeros((people, people))))


# Numbers held at once while meetings are counted.
AT_ONCE = 2**22


def _counted(met: Codes, people: int) -> Array:
    pairs = (met[:, :, None] * people + met[:, None, :]).ravel()
    return np.bincount(pairs, minlength=people**2).reshape(people, people).astype(np.float64)


def _multiplied(met: Codes, people: int) -> Array:
    present = np.zeros((len(met), people))
    present[np.arange(len(met))[:, None], met] = 1
    return np.asarray(present.T @ present)


def _minimum(sums: _Sums) -> Array:
    """The logs of both ratios at which the criterion is least: Newton steps, kept downhill."""
    # logs of the ratios, which cannot become negative; from equal variances on
    at = np.zeros(2)
    here = sums.solve(*np.exp(at)).criterion
    for _ in range(MOST_STEPS):
        step = _newton(sums, at, here)
        at_next, there = _downhill(sums, at, here, step)
        moved, at, here = float(np.abs(at_next - at).max()), at_next, there
        if moved < CLOSE:
            break
    return at


MOST_STEPS = 60
CLOSE = 1e-6
# Between the points from which slopes and curvatures are taken.
NEAR = 1e-3
LONGEST = 3.0


def _newton(sums: _Sums, at: Array, here: float) -> Array:
    """The Newton step, downhill also where the criterion is not convex, and not too long."""

    def value(first: int, second: int) -> float:
        return sums.solve(*np.exp(at + NEAR * np.array([first, second]))).criterion

    sides = [(value(1, 0), value(-1, 0)), (value(0, 1), value(0, -1))]
    slope = np.array([(up - down) / (2 * NEAR) for up, down in sides])
    bent = np.diag([(up + down - 2 * here) / NEAR**2 for up, down in sides])
    corners = value(1, 1) + value(-1, -1) - value(1, -1) - value(-1, 1)
    bent[0, 1] = bent[1, 0] = corners / (4 * NEAR**2)
    # eigenvalues by their size: a negative curvature would lead uphill
    sizes, ways = np.linalg.eigh(bent)
    step = -ways @ ((ways.T @ slope) / np.maximum(np.abs(sizes), 1e-3))
    return np.asarray(np.clip(step, -LONGEST, LONGEST))


def _downhill(sums: _Sums, at: Array, here: float, step: Array) -> tuple[Array, float]:
    """The step, halved until it leads down; nowhere if it never does."""
    for _ in range(30):
        # a component of no variance has an infinite ratio, which the bound stands for
        there = np.clip(at + step, SMALLEST, LARGEST)
        value = sums.solve(*np.exp(there)).criterion
        if value < here:
            return there, value
        step = step / 2
    return at, here
