"""A cumulative-link mixed model: answers on a scale of a few points, judges and sentences random.

P(answer ≤ k) = 1 / (1 + exp(η − τ_k)), η = system + judge + sentence (McCullagh 1980). Judges and
sentences are normal; the likelihood's penalised maximum is found by Newton's method, and the
variances by the Laplace approximation's fixed point (Hedeker & Gibbons 1994; Breslow & Clayton
1993): σ² = mean of u² plus their posterior variances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.stats.cluster_inference import FEWEST_JUDGES, Clusters, nested, reach, two_way
from jurat.stats.linear_model import Variance
from jurat.stats.ratings import Array, Codes, numbered, summed

# Rounds of a Newton step and new variances; a change no greater than the second ends them.
ROUNDS, PRECISE = 200, 1e-5
# The longest step, and effects beyond which the likelihood has no maximum.
LIMIT, FARTHEST = 1.0, 12.0
# Below this a variance counts as 0.
LEAST = 1e-4


@dataclass(frozen=True, kw_only=True, eq=False)
class OrdinalData:
    """Answers as codes from 0, and who gave them to what; None for effects that are left out."""

    answer: Codes
    system: Codes
    judge: Codes | None = None
    sentence: Codes | None = None

    @property
    def columns(self) -> tuple[Codes, ...]:
        """The codes of systems and judges, counted on from the thresholds."""
        points = int(self.answer.max())
        systems = self.system + points
        if self.judge is None:
            return (systems,)
        return systems, self.judge + points + int(self.system.max()) + 1


class Slopes(NamedTuple):
    """First and second derivatives of each answer's log-likelihood by η and its thresholds."""

    by_latent: Array
    upper: Array
    lower: Array
    weight: Array
    above: Array
    below: Array
    chance: Array


class OrdinalFit(NamedTuple):
    """Effects at the maximum, the variances of judges and sentences, and influences."""

    systems: Array
    """Latent effects with mean 0."""
    judge_variance: float
    sentence_variance: float
    thresholds: Array
    scores: Array
    """Judgments × systems: how each moves the effects, with sentences given."""
    profiled: Array
    """The same with sentences' effects following."""
    judge_penalty: Array
    """Judges × systems: what the distribution of judges adds."""

    def halves(self, clusters: Clusters, confidence: float) -> Array:
        """Half the interval of each effect, for new documents and judges, NaN where none is told.

        The sandwich variance of one-step leave-out estimates, times g / (g − 1).
        """
        of_documents = _variances(self.scores, clusters.document)
        judge = clusters.judge
        if judge is None or len(np.unique(judge)) < FEWEST_JUDGES:
            tried = [[one] for one in of_documents]
        else:
            of_judges = _variances(self.profiled, judge, self.judge_penalty)
            cell = numbered(
                clusters.document * (int(judge.max()) + 1) + judge,
                (int(clusters.document.max()) + 1) * (int(judge.max()) + 1),
            )[1]
            of_cells = _variances(self.profiled, cell)
            alone = nested(clusters.document, judge)
            tried = [
                [j] if alone else two_way(d, j, c)
                for d, j, c in zip(of_documents, of_judges, of_cells, strict=True)
            ]
        return np.array([reach(one, confidence) for one in tried])


def _variances(rows: Array, codes: Codes, more: Array | None = None) -> list[Variance]:
    number = int(codes.max()) + 1
    sums = np.stack([summed(codes, column, number) for column in rows.T], axis=1)
    if more is not None and len(more):
        sums = sums + more
    groups = len(np.unique(codes))
    if groups < 2:
        return [Variance(0.0, 0.0)] * rows.shape[1]
    return [Variance(float(v), groups - 1.0) for v in groups / (groups - 1) * (sums**2).sum(axis=0)]


def fit_ordinal(data: OrdinalData) -> OrdinalFit | None:
    """The fit, or None where the likelihood has no maximum."""
    return _Search(data).run()


class _Step(NamedTuple):
    """A step of the effects and of the sentences, and the posterior (co)variances of both."""

    effects: Array
    sentences: Array
    inverse: Array
    spread: Array


class _Place(NamedTuple):
    """Where each answer counts, and whether it does."""

    codes: Codes
    there: NDArray[np.bool_]


def _table(rows: _Place, columns: _Place, amounts: Array, width: int, height: int = 0) -> Array:
    """Amounts summed by row and column (`height`, else `width`, rows), where both count."""
    there = rows.there & columns.there
    at = rows.codes[there] * width + columns.codes[there]
    return summed(at, amounts[there], (height or width) * width).reshape(-1, width)


class _Search:
    """Newton's steps; sentences are eliminated from each, as they are many and never meet."""

    def __init__(self, data: OrdinalData) -> None:
        self.data, self.points = data, int(data.answer.max())
        self.number = int(data.system.max()) + 1
        self.judges = 0 if data.judge is None else int(data.judge.max()) + 1
        self.sentences = 0 if data.sentence is None else int(data.sentence.max()) + 1
        share = np.cumsum(np.bincount(data.answer))[:-1] / len(data.answer)
        self.effects = np.zeros(self.points + self.number + self.judges)
        self.effects[: self.points] = np.log(share / (1 - share))
        self.of_sentence = np.zeros(self.sentences)
        self.variances = np.array([0.5, 0.5])

    def run(self) -> OrdinalFit | None:
        """Step until neither effects nor variances move; None where effects have no bound."""
        for _ in range(ROUNDS):
            slopes = self._slopes()
            step, follow, inverse, spread = self._step(slopes, *self._information(slopes))
            length = min(1.0, LIMIT / max(np.abs(step).max(), PRECISE))
            ends = slice(self.points)
            # thresholds that cross would give an answer a negative probability
            while (np.diff(self.effects[ends] + length * step[ends]) <= 0).any():
                length /= 2
            self.effects += length * step
            self.of_sentence += length * follow
            if np.abs(self.effects).max() > FARTHEST:
                return None
            new = self._new_variances(inverse, spread)
            moved = max(np.abs(step).max(), np.abs(new - self.variances).max())
            self.variances = new
            if moved < PRECISE:
                break
        return self._fit()

    def _latent(self) -> Array:
        made = sum((self.effects[codes] for codes in self.data.columns), np.zeros(1))
        return made if self.data.sentence is None else made + self.of_sentence[self.data.sentence]

    def _slopes(self) -> Slopes:
        ends = np.concatenate([[-np.inf], self.effects[: self.points], [np.inf]])
        latent = self._latent()
        high, low = ends[self.data.answer + 1] - latent, ends[self.data.answer] - latent
        a, b = 1 / (1 + np.exp(-high)), 1 / (1 + np.exp(-low))
        above, below, chance = a * (1 - a), b * (1 - b), np.maximum(a - b, 1e-12)
        upper = above * (1 - 2 * a) / chance - (above / chance) ** 2
        lower = -below * (1 - 2 * b) / chance - (below / chance) ** 2
        return Slopes(a + b - 1, upper, lower, above + below, above, below, chance)

    def _information(self, s: Slopes) -> tuple[Array, Array, Array]:
        """Curvatures of thresholds, systems and judges; of sentences with these; of sentences."""
        data, points, size = self.data, self.points, len(self.effects)
        upper = _Place(data.answer, data.answer < points)
        lower = _Place(data.answer - 1, data.answer > 0)
        normal = _table(upper, upper, -s.upper, size) + _table(lower, lower, -s.lower, size)
        between = _table(upper, lower, -s.above * s.below / s.chance**2, size)
        thresholds = [(upper, s.above), (lower, s.below)]
        everyone = np.ones(len(data.answer), dtype=bool)
        latent = [_Place(codes, everyone) for codes in data.columns]
        for one in latent:
            between += sum(_table(end, one, -by, size) for end, by in thresholds)
            normal += sum(_table(one, other, s.weight, size) for other in latent)
        normal += between + between.T
        crossed, own = np.zeros((self.sentences, size)), np.zeros(self.sentences)
        if data.sentence is not None:
            rows = _Place(data.sentence, everyone)
            parts = [(end, -by) for end, by in thresholds] + [(one, s.weight) for one in latent]
            crossed = sum((_table(rows, at, by, size, self.sentences) for at, by in parts), crossed)
            own = summed(data.sentence, s.weight, self.sentences) + 1 / self.variances[1]
        systems = slice(points, points + self.number)
        # the mean of the systems is free: a constant in every place keeps it
        normal[systems, systems] += normal[systems, systems].trace() / self.number**2
        judges = np.arange(points + self.number, size)
        normal[judges, judges] += 1 / self.variances[0]
        return normal, crossed, own

    def _score_parts(self, s: Slopes) -> list[tuple[Codes, Array]]:
        """The effects that each answer's likelihood depends on, and its derivatives by them."""
        answer, points = self.data.answer, self.points
        # the lowest and the highest answer have one threshold: the other's derivative is 0
        ends = [
            (np.minimum(answer, points - 1), np.where(answer < points, s.above / s.chance, 0.0)),
            (np.maximum(answer - 1, 0), np.where(answer > 0, -s.below / s.chance, 0.0)),
        ]
        return ends + [(codes, s.by_latent) for codes in self.data.columns]

    def _step(self, s: Slopes, normal: Array, crossed: Array, own: Array) -> _Step:
        whole = np.zeros(len(self.effects))
        for at, by in self._score_parts(s):
            whole += summed(at, by, len(self.effects))
        judges = slice(self.points + self.number, None)
        whole[judges] -= self.effects[judges] / self.variances[0]
        ratio, of_sentence = crossed / own[:, None], np.zeros(self.sentences)
        if self.data.sentence is not None:
            of_sentence = summed(self.data.sentence, s.by_latent, self.sentences)
            of_sentence = of_sentence - self.of_sentence / self.variances[1]
        inverse = np.asarray(np.linalg.inv(normal - crossed.T @ ratio), dtype=np.float64)
        step = inverse @ (whole - ratio.T @ of_sentence)
        spread = 1 / own + ((ratio @ inverse) * ratio).sum(axis=1)
        return _Step(step, of_sentence / own - ratio @ step, inverse, spread)

    def _new_variances(self, inverse: Array, spread: Array) -> Array:
        judges = slice(self.points + self.number, None)
        u = self.effects[judges]
        of_judges = np.mean(u**2 + np.diag(inverse)[judges]) if self.judges else 0.5
        of_sentences = np.mean(self.of_sentence**2 + spread) if self.sentences else 0.5
        return np.array([max(float(one), LEAST) for one in (of_judges, of_sentences)])

    def _fit(self) -> OrdinalFit:
        slopes = self._slopes()
        normal, crossed, own = self._information(slopes)
        inverse = self._step(slopes, normal, crossed, own).inverse
        systems = slice(self.points, self.points + self.number)
        centre = np.eye(self.number) - 1 / self.number
        influence = centre @ inverse[systems]
        scores = np.zeros((len(self.data.answer), self.number))
        for at, by in self._score_parts(slopes):
            scores += influence.T[at] * by[:, None]
        profiled = scores
        if self.data.sentence is not None:
            ratio = (crossed / own[:, None]) @ influence.T
            profiled = scores - slopes.by_latent[:, None] * ratio[self.data.sentence]
        judges = slice(self.points + self.number, None)
        penalty = -(self.effects[judges] / self.variances[0])[:, None] * influence[:, judges].T
        effects = self.effects[systems]
        return OrdinalFit(
            effects - effects.mean(),
            float(self.variances[0]) if self.judges else 0.0,
            float(self.variances[1]) if self.sentences else 0.0,
            self.effects[: self.points] - effects.mean(),
            scores,
            profiled,
            penalty,
        )
