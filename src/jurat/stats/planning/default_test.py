"""The default test of `jurat systems`, applied to many simulated campaigns of one design at once.

The contrasts of systems and the corrections for few documents and judges depend on who judged what
and not on the scores, so that all campaigns of a design share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import numpy as np
from scipy import sparse

from jurat.resampling.student_t import t_cdf
from jurat.stats.cluster_inference import (
    FEW_JUDGES,
    FEWEST_DOCUMENTS,
    FEWEST_JUDGES,
    nested,
    two_way,
)
from jurat.stats.linear_model import Contrast, Grouping, LinearModel, Variance
from jurat.stats.planning.campaign_design import CampaignDesign
from jurat.stats.ratings import Array, Codes
from jurat.stats.systems.score_table import ScoreTable
from jurat.stats.systems.system_inference import PairContrast, pair_contrasts

# So many more judges are tried where a layout leaves too few of them in common.
MORE_JUDGES = 6


def judges_missing(design: CampaignDesign) -> str:
    """How many judges so many judgments of each translation need, in words."""
    return f"{design.judgments} judgments of each translation need {design.judges_needed} judges"


def untestable(design: CampaignDesign) -> str:
    """Why the systems of such a campaign cannot be compared for new documents and judges."""
    judges = len(np.unique(design.judge_of()))
    if design.judges < design.judges_needed:
        return (
            f"{design.judgments} judgments of each translation need {design.judges_needed} judges"
        )
    if design.documents < FEWEST_DOCUMENTS:
        things = "1 document" if design.documents == 1 else f"{design.documents} documents"
        few = f"{things} cannot speak for others"
        return f"{few}: at least {FEWEST_DOCUMENTS} are needed"
    if judges < FEWEST_JUDGES:
        return f"{judges} judges cannot speak for others: at least {FEWEST_JUDGES} are needed"
    if design.nested and judges < FEW_JUDGES:
        return (
            f"where each document has one judge, {judges} judges are too few to compare systems: "
            f"at least {FEW_JUDGES} are needed, or several judges a document"
        )
    return "" if design.separable else inseparable(design)


def inseparable(design: CampaignDesign) -> str:
    """That this layout gives systems too few judges in common, and what to change."""
    changes = (
        ({"judges": design.judges + more} for more in range(1, MORE_JUDGES + 1)),
        ({"judgments": design.judgments + 1},),
        ({"kit_size": times * design.kit_size} for times in (2, 3)),
    )
    words = {"judges": "{} judges", "judgments": "{} judgments of each", "kit_size": "kits of {}"}
    remedies = []
    for tried in changes:
        made = ((change, msgspec.structs.replace(design, **change)) for change in tried)
        change = next((c for c, d in made if d.judges >= d.judges_needed and d.separable), {})
        remedies += [words[name].format(value) for name, value in change.items()]
    few = f"systems and judges cannot be separated: two systems share fewer than {FEWEST_JUDGES}"
    reason = f"{few} judges, and one has fewer than {FEWEST_JUDGES}"
    return f"{reason}; take {' or '.join(remedies)}" if remedies else reason


@dataclass(frozen=True, kw_only=True)
class SimulatedDifferences:
    """Differences of systems in simulated campaigns, as the default test sees them.

    Campaigns × pairs; the first pair is the one that differs.
    """

    differences: Array
    errors: Array
    """Standard errors by each way of the rule: ways × campaigns × pairs."""
    freedom: Array
    shifts: Array
    """By how much each pair is apart, when the first one is by 1."""
    pairs: int
    """Of all systems, for which p is corrected; some of them are not simulated."""

    @classmethod
    def joined(cls, parts: Sequence[SimulatedDifferences]) -> SimulatedDifferences:
        """The tests of some campaigns, then of others of the same design."""
        return cls(
            differences=np.concatenate([part.differences for part in parts]),
            errors=np.concatenate([part.errors for part in parts], axis=1),
            freedom=np.concatenate([part.freedom for part in parts], axis=1),
            shifts=parts[0].shifts,
            pairs=parts[0].pairs,
        )

    def power(self, error: float, shift: float = 0.0) -> float:
        """How often the better system is found, with all pairs corrected by Holm's method.

        `shift` moves the first two systems farther apart.
        """
        differences = self.differences + shift * self.shifts
        with np.errstate(divide="ignore", invalid="ignore"):
            p = 2 * t_cdf(self.freedom, -np.abs(differences) / self.errors)
        # no variation leaves no test
        p = np.where(np.isnan(p) | (self.freedom < 1 - 1e-9), 1.0, p).max(axis=0)
        found = _holm_first(p, self.pairs) < error
        return float((found & (differences[:, 0] > 0)).mean())

    def detectable(self, error: float, power: float) -> float:
        """The difference of the first two that is found with that power; infinite if none is."""
        start = float(self.differences[:, 0].mean())
        low, high = 0.0, 4 * float(self.errors[..., 0].max(axis=0).mean()) + abs(start)
        for _ in range(20):
            if self.power(error, high - start) >= power:
                break
            low, high = high, 2 * high
        else:
            return float("inf")
        while high - low > 1e-3 * high:
            middle = (low + high) / 2
            low, high = (
                (low, middle) if self.power(error, middle - start) >= power else (middle, high)
            )
        return high


def _holm_first(p: Array, pairs: int) -> Array:
    """Holm's adjusted p of the first column among `pairs`; pairs that are not there have p = 1."""
    order = np.argsort(p, axis=1)
    steps = np.take_along_axis(p, order, axis=1) * (pairs - np.arange(p.shape[1]))
    adjusted = np.maximum.accumulate(steps, axis=1)
    return np.asarray(adjusted[np.arange(len(p)), (order == 0).argmax(axis=1)])


@dataclass(frozen=True, kw_only=True)
class DefaultTest:
    """The test of every two systems of a design."""

    tests: list[_PairTest]
    shifts: Array
    pairs: int

    @classmethod
    def of(cls, design: CampaignDesign, judge_of: Codes) -> DefaultTest:
        """The test of the systems in `judge_of`, which has the judges of each cell in order."""
        table = empty_table(design, judge_of)
        found = [(pair, made) for pair, made in pair_contrasts(table) if made is not None]
        sides = np.zeros(len(table.systems))
        sides[:2] = 0.5, -0.5
        return cls(
            tests=[_PairTest.of(pair, made) for pair, made in found],
            shifts=np.array([sides[a] - sides[b] for (a, b), _ in found]),
            pairs=design.systems * (design.systems - 1) // 2,
        )

    def apply(self, scores: Array) -> SimulatedDifferences:
        """The tests of scores by campaign, document, system and judgment."""
        by_system = [scores[:, :, at].reshape(len(scores), -1).T for at in range(scores.shape[2])]
        found = [test.apply(by_system) for test in self.tests]
        differences, errors, freedom = (np.stack(c, axis=-1) for c in zip(*found, strict=True))
        return SimulatedDifferences(
            differences=differences,
            errors=errors,
            freedom=freedom,
            shifts=self.shifts,
            pairs=self.pairs,
        )


def empty_table(design: CampaignDesign, judge_of: Codes) -> ScoreTable:
    """The judgments of a design, those of a judge on a document as one with their number."""
    document, system, _ = (codes.ravel() for codes in np.indices(judge_of.shape))
    return ScoreTable(
        by={},
        tags={},
        systems=tuple(str(at) for at in range(judge_of.shape[1])),
        system=system,
        values=np.zeros(len(system)),
        rows=np.arange(len(system)),
        sentence=document,
        # documents of one segment are sentences, whose document is unknown
        document=document if design.document_size > 1 else None,
        documents=tuple(map(str, range(design.documents))) if design.document_size > 1 else (),
        judge=judge_of.ravel(),
        sign=1.0,
        unit="sentence",
        weights=design.document_sizes[document].astype(np.float64),
    )


class _ClusterVariance(NamedTuple):
    """The cluster-robust variance of a contrast, for many campaigns."""

    sums: sparse.csr_array
    factor: Array
    freedom: float

    @classmethod
    def of(cls, contrast: Contrast, clusters: Codes) -> _ClusterVariance:
        grouping = Grouping.of(clusters)
        factor, freedom = contrast.correction(grouping)
        return cls(_indicator(*grouping).T.tocsr(), factor, freedom)

    def values(self, weighted: Array) -> Array:
        """Of residuals times the contrast's coefficients: judgments × campaigns."""
        return np.asarray(self.factor @ (self.sums @ weighted) ** 2)


@dataclass(frozen=True, kw_only=True)
class _PairTest:
    """The test of two systems: of judges where documents are nested in them, else two-way."""

    pair: tuple[int, int]
    contrast: Contrast
    ways: list[_ClusterVariance]
    """Judges alone; or documents, judges and both."""

    @classmethod
    def of(cls, pair: tuple[int, int], made: PairContrast) -> _PairTest:
        document, judge = made.clusters.document, made.clusters.judge
        assert judge is not None
        if made.instead and np.isnan(made.contrast.coefficients).any():
            return cls.of(pair, made.instead())
        cells = document * (int(judge.max()) + 1) + judge
        ways = [judge] if nested(document, judge) else [document, judge, cells]
        found = [_ClusterVariance.of(made.contrast, way) for way in ways]
        if made.instead and min(way.freedom for way in found) < 1 - 1e-9:
            return cls.of(pair, made.instead())
        return cls(pair=pair, contrast=made.contrast, ways=found)

    def apply(self, by_system: list[Array]) -> tuple[Array, Array, Array]:
        """Differences, errors and degrees of freedom of scores (judgments × campaigns)."""
        first, second = (by_system[at] for at in self.pair)
        model, coefficients = self.contrast.model, self.contrast.coefficients
        paired = len(model.values) == len(first)
        values = first - second if paired else np.concatenate([first, second])
        weighted = coefficients[:, None] * residuals(model, values)
        found = np.array([way.values(weighted) for way in self.ways])
        freedom = np.repeat([[way.freedom] for way in self.ways], found.shape[1], axis=1)
        if len(found) > 1:
            # Plain numbers: those of arrays would take most of the time.
            own = [way.freedom for way in self.ways]
            tried = [two_way(*map(Variance, parts, own)) for parts in found.T.tolist()]
            found, freedom = np.array(tried).transpose(2, 1, 0)
        return coefficients @ values, np.sqrt(found), freedom


def residuals(model: LinearModel, values: Array) -> Array:
    """What the effects of a model leave of values of many campaigns (judgments × campaigns)."""
    effects = [_indicator(model.system, model.systems)]
    effects += [] if model.judge is None else [_indicator(model.judge, model.judges)]
    design = sparse.hstack(effects, format="csr")
    weighted = model.weight[:, None] * values
    totals = design.T @ weighted
    if model.block is None:
        return np.asarray(values - design @ (model.inverse @ totals))
    scale = model.block_scale[:, None] ** 2
    blocks = _indicator(model.block, len(scale))
    shares = (blocks.T @ weighted) / scale
    solved = model.inverse @ (totals - model.crossed.T @ shares)
    of_blocks = shares - model.crossed @ solved / scale
    return np.asarray(values - design @ solved - blocks @ of_blocks)


def _indicator(codes: Codes, number: int) -> sparse.csr_array:
    """A row for each judgment with 1 in the column of its code."""
    rows = np.arange(len(codes))
    return sparse.csr_array((np.ones(len(codes)), (rows, codes)), shape=(len(codes), number))
