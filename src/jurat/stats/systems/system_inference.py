"""Means and differences of systems that hold for new documents and new judges.

What `cluster_inference` does for arrays, done for the scores of one question: a system's mean, the
difference of two systems, and scores adjusted for who judged what.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from jurat.stats import cluster_inference
from jurat.stats.cluster_inference import (
    FEWEST_DOCUMENTS,
    FEWEST_JUDGES,
    THESE_JUDGES,
    CenteredModel,
    Clusters,
    Contrast,
    Finding,
    LinearModel,
    PairFinding,
    infer,
    infer_pair,
    infer_share,
)
from jurat.stats.ratings import Array, Codes, numbered, summed
from jurat.stats.settings import Settings
from jurat.stats.systems.score_table import ScoreTable
from jurat.stats.systems.weighted_contrast import WeightedContrast

# Shared sentences from which on two systems are compared on these alone, however few of all they
# are: differences within a sentence owe nothing to its difficulty.
ENOUGH_SHARED = 30
# Share of a system's judgments that lie on other sentences, or with other judges, than those of the
# systems together, above which mean scores are not comparable.
UNBALANCED = 0.1

NOT_REMOVED = "hardly any shared sentences: right only if they were assigned at random"
OTHER_JUDGES = "hardly any judge scored both"
# Documents from which on weights hold at 5 % even where a kit's probability follows how far one
# system is ahead in it (document × system SD 0.6; 8 to 10 % with 10 and 30 documents).
ENOUGH_CHOSEN = 60
ADAPTIVE = (
    f"kits chosen adaptively, fewer than {ENOUGH_CHOSEN} documents: "
    "equal systems may be told apart more often than stated"
)
CONFOUNDED = (
    "no judge scored both and fewer than three scored one of them: "
    "systems and judges cannot be separated"
)
_NOTHING = Finding(np.nan, reason="one of them has no score")
NO_SCORE = PairFinding(_NOTHING, _NOTHING, 0)


class Scores(NamedTuple):
    """The judgments of one system, in the order of `key` (sentence and judge)."""

    key: Codes
    values: Array
    sentence: Codes
    judge: Codes | None
    weights: Array | None
    judgment: Array | None
    """What tells its judgments from those of a system with another output; None if all differ."""


def interval_words(table: ScoreTable, settings: Settings) -> str:
    """How intervals are made, and what they take as varying; empty where none are asked for."""
    if not settings.bootstrap:
        return ""
    return f"{settings.confidence:.0%} cluster-robust intervals with t; {varying_words(table)}"


def varying_words(table: ScoreTable) -> str:
    """What tests and intervals of the table take as varying, as a method says it."""
    if table.by_segment:
        return f"{table.unit}s are taken as independent, as asked"
    why = "all are of one document" if table.documents else "documents are unknown"
    known = table.has_documents or table.unit == "document"
    return cluster_inference.varying_words(
        table.cluster_name, table.judges, independent="" if known else why
    )


def clusters_of(table: ScoreTable, sentence: Codes, judge: Codes | None) -> Clusters:
    """What judgments of these sentences by these judges share."""
    document = table.document_of[sentence]
    return Clusters(document, None if table.by_segment else judge, table.cluster_name)


def mean_finding(
    table: ScoreTable,
    rows: Codes,
    values: Array,
    weights: Array | None,
    *,
    confidence: float,
    share: bool = False,
) -> Finding:
    """The mean of the values of some judgments (rows of the table), with its interval.

    Of zeros and ones it is a `share`, whose interval is Wilson's.
    """
    one = np.zeros(len(rows), dtype=np.int64)
    contrast = _mean(values, one, weights)
    judge = None if table.judge is None else table.judge[rows]
    clusters = clusters_of(table, table.sentence[rows], judge)
    return (infer_share if share else infer)(contrast, clusters, confidence=confidence)


def _mean(values: Array, one: Codes, weights: Array | None) -> Contrast:
    contrast = LinearModel(values=values, system=one, weights=weights).contrast(np.ones(1))
    return contrast if weights is None else WeightedContrast(*contrast)


def pair_findings(table: ScoreTable, confidence: float) -> dict[tuple[int, int], PairFinding]:
    """The difference of every two systems, the first minus the second; made once."""
    return table.once(_pair_findings, confidence)


def _pair_findings(table: ScoreTable, confidence: float) -> dict[tuple[int, int], PairFinding]:
    return {
        pair: NO_SCORE if found is None else found.infer(confidence)
        for pair, found in pair_contrasts(table)
    }


class PairContrast(NamedTuple):
    """The difference of two systems before it is tested."""

    contrast: Contrast
    clusters: Clusters
    sentence: Codes
    """The sentences that it comes from."""
    note: str = ""
    """What to beware of."""
    instead: PairContrast | None = None
    """Without documents, for where documents and judges explain everything."""
    untestable: str = ""
    """Why the difference tells nothing of the systems; empty where it can be tested."""

    def infer(self, confidence: float) -> PairFinding:
        """The difference with its intervals and p-values."""
        if self.untestable:
            alone = Finding(self.contrast.value, reason=self.untestable)
            return PairFinding(alone, alone, len(np.unique(self.sentence)), self.untestable)
        found = infer_pair(
            self.contrast, self.clusters, self.sentence, note=self.note, confidence=confidence
        )
        if self.instead is None or not np.isnan(found.finding.low):
            return found
        return self.instead.infer(confidence)


def pair_contrasts(table: ScoreTable) -> Iterator[tuple[tuple[int, int], PairContrast | None]]:
    """The contrast of every two systems, the first minus the second; None if one has no score.

    Its model has the differences of both where one judge scored both, in the order of sentence and
    judge; else the scores of the first in that order, then those of the second.
    """
    scores = [_scores_of(table, at) for at in range(len(table.systems))]
    for a, b in combinations(range(len(scores)), 2):
        yield (a, b), _compare(table, scores[a], scores[b])


def _scores_of(table: ScoreTable, system: int) -> Scores:
    """The scores of a system, the mean where a judge scored a sentence several times."""
    rows = np.flatnonzero(table.system == system)
    sentence = table.sentence[rows]
    judge = None if table.judge is None else table.judge[rows]
    width = 1 if judge is None else int(table.judges)
    key, at = numbered(sentence * width + (0 if judge is None else judge), table.sentences * width)
    weight = np.ones(len(rows)) if table.weights is None else table.weights[rows]
    total = summed(at, weight)
    values = summed(at, weight * table.values[rows]) / total
    return Scores(
        key,
        values,
        key // width,
        None if judge is None else key % width,
        None if table.weights is None else total,
        None if table.judgment is None else summed(at, table.judgment[rows].astype(np.float64)),
    )


def _compare(table: ScoreTable, a: Scores, b: Scores) -> PairContrast | None:
    common, first, second = np.intersect1d(a.key, b.key, assume_unique=True, return_indices=True)
    # where both have the same output they are equal, which says nothing of where they differ
    same = 0
    if a.judgment is not None and b.judgment is not None:
        same = int((a.judgment[first] == b.judgment[second]).sum())
    fewer = min(len(a.key), len(b.key))
    if len(common) and 2 * (len(common) - same) >= fewer - same:
        sentence, judge = a.sentence[first], None if a.judge is None else a.judge[first]
        one = np.zeros(len(common), dtype=np.int64)
        weights = None
        if a.weights is not None and b.weights is not None:
            weights = (a.weights[first] + b.weights[second]) / 2
        values = a.values[first] - b.values[second]
        contrast = _mean(values, one, weights)
        return PairContrast(contrast, clusters_of(table, sentence, judge), sentence, _chosen(table))
    return _unpaired(table, a, b)


def _chosen(table: ScoreTable) -> str:
    """What has to be said of kits that were chosen by the scores before them."""
    few = len(np.unique(table.document_of)) < ENOUGH_CHOSEN
    return ADAPTIVE if few and table.weights is not None else ""


def _unpaired(table: ScoreTable, a: Scores, b: Scores) -> PairContrast | None:
    """The difference of systems whose judges mostly differ, adjusted for judges and documents."""
    shared = np.intersect1d(a.sentence, b.sentence)
    fewer = min(len(np.unique(side.sentence)) for side in (a, b)) if len(a.key) * len(b.key) else 0
    if not fewer:
        return None
    if len(shared) >= min(ENOUGH_SHARED, (fewer + 1) // 2):
        a, b = _only(a, shared), _only(b, shared)
    sentence = np.concatenate([a.sentence, b.sentence])
    system = np.repeat([0, 1], [len(a.key), len(b.key)])
    values = np.concatenate([a.values, b.values])
    judge = None
    if a.judge is not None and b.judge is not None:
        judge = np.concatenate([a.judge, b.judge])
    weights = None
    if a.weights is not None and b.weights is not None:
        weights = np.concatenate([a.weights, b.weights])
    document = table.document_of[sentence]
    blocks, block_note = _blocks(table, document, system, shared)
    effects, judges, judge_note = _judge_effects(judge, system)
    model = LinearModel(values=values, system=system, judge=effects, block=blocks, weights=weights)
    clusters = clusters_of(table, sentence, judges)
    known = shared if len(shared) else np.arange(len(values))
    note = ", ".join(filter(None, (block_note, judge_note, _chosen(table))))
    apart = np.array([1.0, -1.0])
    if judge_note == CONFOUNDED and not table.by_segment:
        plain = replace(model, block=None).contrast(apart)
        return PairContrast(plain, clusters, known, untestable=CONFOUNDED)
    if blocks is None:
        return PairContrast(model.contrast(apart), clusters, known, note)
    plain = replace(model, block=None).contrast(apart)
    without = ", ".join(filter(None, (NOT_REMOVED, judge_note, _chosen(table))))
    instead = PairContrast(plain, clusters, known, without)
    return PairContrast(model.contrast(apart), clusters, known, note, instead)


def _only(scores: Scores, sentences: Codes) -> Scores:
    kept = np.isin(scores.sentence, sentences)
    return Scores(*(None if part is None else part[kept] for part in scores))  # type: ignore[arg-type]


def _blocks(
    table: ScoreTable, document: Codes, system: Codes, shared: Codes
) -> tuple[Codes | None, str]:
    """The documents whose difficulty is taken out, and a note where none is.

    Sentences are no blocks here: where judges differ within a sentence, their variance would come
    out too small.
    """
    both = np.intersect1d(document[system == 0], document[system == 1])
    if table.has_documents and len(both) >= FEWEST_DOCUMENTS:
        return numbered(document, int(document.max()) + 1)[1], ""
    return None, "" if len(shared) >= FEWEST_DOCUMENTS else NOT_REMOVED


def _judge_effects(judge: Codes | None, system: Codes) -> tuple[Codes | None, Codes | None, str]:
    """Judges whose severity is taken out, judges as clusters, and a note where they differ."""
    if judge is None:
        return None, None, ""
    first, second = (np.unique(judge[system == side]) for side in (0, 1))
    codes = numbered(judge, int(judge.max()) + 1)[1]
    both = len(np.intersect1d(first, second))
    if both >= FEWEST_JUDGES:
        return codes, codes, ""
    # judges of one system only vary like documents of one system only, if there are some of each
    if min(len(first), len(second)) >= FEWEST_JUDGES:
        return None, codes, OTHER_JUDGES
    # the difference lies within the one or two judges who scored both
    return (codes, None, f"{OTHER_JUDGES}: {THESE_JUDGES}") if both else (None, None, CONFOUNDED)


def imbalance(table: ScoreTable) -> tuple[float, float]:
    """How far systems were judged on different sentences, and by different judges: 0 to 1.

    The largest total variation distance of a system's judgments from those of all together.
    """
    judge = np.zeros(len(table.values), dtype=np.int64) if table.judge is None else table.judge
    return _distance(table.system, table.sentence), _distance(table.system, judge)


def _distance(system: Codes, code: Codes) -> float:
    everyone = np.bincount(code) / len(code)
    shares = [
        np.bincount(code[system == at], minlength=len(everyone)) / max(1, (system == at).sum())
        for at in np.unique(system)
    ]
    return max((float(np.abs(own - everyone).sum() / 2) for own in shares), default=0.0)


class AdjustedScores(NamedTuple):
    """Scores as if every system had been judged on every sentence by every judge."""

    findings: list[Finding]
    unbalanced: str
    """What differs between the systems, in words; empty where they are comparable as they are."""

    @property
    def values(self) -> Array:
        """The score of each system, NaN where it cannot be told."""
        return np.array([found.value for found in self.findings])

    @property
    def words(self) -> str:
        """What to beware of when systems are compared; empty where they are comparable."""
        if not self.unbalanced:
            return ""
        if self.needed:
            return (
                f"systems were judged {self.unbalanced}: ranks and clusters follow adjusted scores"
            )
        return f"systems were judged {self.unbalanced}, which cannot be adjusted for"

    @property
    def needed(self) -> bool:
        """Whether ranks and clusters should come from these instead of plain means."""
        return bool(self.unbalanced) and not np.isnan(self.values).any()


def adjusted_scores(table: ScoreTable, confidence: float) -> AdjustedScores:
    """The adjusted scores of all systems; made once.

    Marginal means of the additive model score = system + judge + sentence (least squares). Their
    intervals hold for new documents and judges: what these add to the scores varies, too, and is
    not taken out of the residuals.
    """
    return table.once(_adjusted_scores, confidence)


def _adjusted_scores(table: ScoreTable, confidence: float) -> AdjustedScores:
    clusters = clusters_of(table, table.sentence, table.judge)
    contrasts = _marginal_means(table, table.judgment)
    # where sentences with a shared output cannot be told from the others, all count alike
    if any(np.isnan(contrast.value) for contrast in contrasts):
        contrasts = _marginal_means(table, None)
    means = np.array([contrast.value for contrast in contrasts])
    centered = CenteredModel(
        values=table.values - means[table.system], system=table.system, weights=table.weights
    )
    findings = [
        infer(contrast._replace(model=centered), clusters, confidence=confidence).moved(mean)
        for contrast, mean in zip(contrasts, means, strict=True)
    ]
    return AdjustedScores(findings, _unbalanced(table))


def _marginal_means(table: ScoreTable, judgment: Codes | None) -> list[Contrast]:
    """The marginal mean of each system in the additive model; NaN where it cannot be told.

    Systems are equal where they share an output, and judges tell nothing of it. There they have
    effects of their own, or what they differ by elsewhere would come out too small (by 7 % with
    half of the outputs shared, 4 judges and 10 documents of 5 sentences).
    """
    systems, shared = len(table.systems), np.zeros(len(table.values), dtype=np.int64)
    if judgment is not None:
        shared = (np.bincount(judgment)[judgment] > 1).astype(np.int64)
    effect = shared * systems + table.system
    model = LinearModel(
        values=table.values,
        system=effect,
        judge=table.judge,
        block=table.sentence,
        weights=table.weights,
    )
    weight = model.weight / model.weight.sum()
    of_judges = np.zeros(0) if table.judge is None else summed(table.judge, weight)
    of_sentences = summed(table.sentence, weight)
    of_effects = summed(effect, weight, model.systems)
    of_system = np.arange(model.systems) % systems
    made = []
    for system in range(systems):
        own = np.where(of_system == system, of_effects, 0.0)
        columns = np.concatenate([own / own.sum(), of_judges])
        made.append(model.contrast(columns, of_sentences))
    return made


def _unbalanced(table: ScoreTable) -> str:
    sentences, judges = imbalance(table)
    differ = [
        f"{words} (up to {100 * share:.0f} % of a system's judgments)"
        for words, share in (("on different sentences", sentences), ("by different judges", judges))
        if share > UNBALANCED
    ]
    return " and ".join(differ)
