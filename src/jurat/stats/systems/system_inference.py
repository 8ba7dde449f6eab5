"""Means and differences of systems that hold for new documents and new judges.

What `cluster_inference` does for arrays, done for the scores of one question: a system's mean and
the difference of two systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from jurat.results import Estimate, Key, Subject
from jurat.stats import cluster_inference
from jurat.stats.cluster_inference import (
    FEWEST_DOCUMENTS,
    FEWEST_JUDGES,
    THESE_JUDGES,
    Clusters,
    Finding,
    PairFinding,
    distinct_count,
    infer,
    infer_pair,
    infer_share,
    wilson_interval,
)
from jurat.stats.estimates import method_line
from jurat.stats.linear_model import Contrast, LinearModel
from jurat.stats.phrases import FALLS_SHORT
from jurat.stats.ratings import Array, Codes, numbered, summed
from jurat.stats.settings import Settings
from jurat.stats.systems.linked_contrast import LINKED, linked_contrast
from jurat.stats.systems.probability_weighted_means import WeightedContrast
from jurat.stats.systems.score_table import ScoreTable

# Shared sentences from which on two systems are compared on these alone, however few of all they
# are: differences within a sentence owe nothing to its difficulty.
ENOUGH_SHARED = 30

# Skewness of a system's judgments beyond which the interval of their mean was seen to hold in 87 to
# 92 % of campaigns (penalties of MQM, 12 to 60 documents); up to 2.4 in as many as without. Of so
# many documents means are nearly normal.
SKEWED = 3.0
# Share of a system's judgments at one end of the scale from which their mean is taken as a share.
# With 80 % of 5 points at the top, 12 documents and 6 judges, symmetric intervals held in 88 % of
# 200 simulated campaigns, these in 94 %; with 90 %, 40 documents of one judge each, in 90 and 94 %.
HEAPED = 0.5
FEWEST_HEAPED = 20
MANY_DOCUMENTS = 100
SKEWED_VALUES = method_line("scores are skewed: a few judgments decide", FALLS_SHORT)
ONLY_AT_RANDOM = "right only if they were assigned at random"
NOT_REMOVED = f"hardly any shared sentences: {ONLY_AT_RANDOM}"
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
CONFOUNDED_WHERE_SHARED = f"on the sentences that they share, {CONFOUNDED}"
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
    if not settings.intervals:
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
    kind: Literal["scores", "share", "any"] = "any",
) -> Finding:
    """The mean of the values of some judgments (rows of the table), with its interval.

    Of zeros and ones it is a `share`, whose interval is Wilson's; `scores` may be heaped at an end
    of their scale, see `between_ends`; of `any` other values the interval is symmetric.
    """
    one = np.zeros(len(rows), dtype=np.int64)
    contrast = _mean(values, one, weights)
    judge = None if table.judge is None else table.judge[rows]
    clusters = clusters_of(table, table.sentence[rows], judge)
    if kind == "share":
        return infer_share(contrast, clusters, confidence=confidence)
    found = infer(contrast, clusters, confidence=confidence)
    if kind == "scores":
        return of_scores(found, values, clusters, confidence=confidence)
    return with_doubt(found, values, clusters)


def of_scores(found: Finding, values: Array, clusters: Clusters, *, confidence: float) -> Finding:
    """The mean of scores: bounded where these are heaped, and noted where they are skewed."""
    ends = between_ends(found, values, clusters.documents.number, confidence)
    return with_doubt(ends, values, clusters)


def between_ends(found: Finding, values: Array, documents: int, confidence: float) -> Finding:
    """The interval of a mean of scores of which half or more are the lowest or the highest given.

    Of a handful of scores neither need be the end of the scale: then it stays as it is. Else it is
    Wilson's, of the mean as a share of the way from the lowest to the highest: beyond the end
    there is nothing, and near it means vary less than the further they are away.
    """
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    share = (found.value - low) / (high - low) if high > low else np.nan
    if len(values) < FEWEST_HEAPED or not 0 < share < 1 or np.isnan(found.low):
        return found
    if max((values == low).mean(), (values == high).mean()) < HEAPED:
        return found
    length = high - low
    half = np.array([(found.high - found.low) / 2 / length])
    ends = wilson_interval(np.array([share]), half, documents, confidence)
    lower, higher = (low + length * float(end[0]) for end in ends)
    return found._replace(low=lower, high=higher)


def with_doubt(found: Finding, values: Array, clusters: Clusters) -> Finding:
    """The mean of values; where these are so skewed that its interval falls short, that is said."""
    if clusters.documents.number >= MANY_DOCUMENTS:
        return found
    away = values - values.mean() if len(values) else values
    # numpy's third power takes thirty times as long as two products
    skewed = abs((away * away * away).sum()) * np.sqrt(len(away)) > SKEWED * (away**2).sum() ** 1.5
    if not skewed:
        return found
    return found._replace(scope=", ".join(filter(None, (found.scope, SKEWED_VALUES))))


def _mean(values: Array, one: Codes, weights: Array | None) -> Contrast:
    contrast = LinearModel(values=values, system=one, weights=weights).contrast(np.ones(1))
    return contrast if weights is None else WeightedContrast(contrast.model, contrast.coefficients)


def pair_findings(table: ScoreTable, confidence: float) -> dict[tuple[int, int], PairFinding]:
    """The difference of every two systems, the first minus the second; made once."""
    return table.once(_pair_findings, confidence)


def _pair_findings(table: ScoreTable, confidence: float) -> dict[tuple[int, int], PairFinding]:
    return {
        pair: NO_SCORE if found is None else _infer_linked(table, pair, found, confidence)
        for pair, found in pair_contrasts(table)
    }


def _infer_linked(
    table: ScoreTable, pair: tuple[int, int], found: PairContrast, confidence: float
) -> PairFinding:
    """The difference of two systems, through others where these two share hardly anything."""
    if found.through_others:
        linked = infer_pair(
            linked_contrast(table, *pair),
            clusters_of(table, table.sentence, table.judge),
            found.sentence,
            note=found.through_others,
            confidence=confidence,
        )
        if not np.isnan(linked.finding.p):
            return linked
    return found.infer(confidence)


class PairContrast(NamedTuple):
    """The difference of two systems before it is tested."""

    contrast: Contrast
    clusters: Clusters
    sentence: Codes
    """The sentences that it comes from."""
    note: str = ""
    """What to beware of."""
    instead: Callable[[], PairContrast] | None = None
    """Makes the same without documents, for where documents and judges explain everything."""
    untestable: str = ""
    """Why the difference tells nothing of the systems; empty where it can be tested."""
    through_others: str = ""
    """What to say where other systems link these two; empty where these share enough."""

    def infer(self, confidence: float) -> PairFinding:
        """The difference with its intervals and p-values."""
        if self.untestable:
            alone = Finding(self.contrast.value, reason=self.untestable)
            return PairFinding(alone, alone, distinct_count(self.sentence), self.untestable)
        found = infer_pair(
            self.contrast, self.clusters, self.sentence, note=self.note, confidence=confidence
        )
        if self.instead is None or not np.isnan(found.finding.low):
            return found
        return self.instead().infer(confidence)


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
    common, first, second = _in_both(a.key, b.key)
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


def _in_both(a: Codes, b: Codes) -> tuple[Codes, Codes, Codes]:
    """The keys that both have, and their places in each; the keys of each are sorted."""
    if np.array_equal(a, b):
        everything = np.arange(len(a))
        return a, everything, everything
    found: tuple[Codes, Codes, Codes] = np.intersect1d(
        a, b, assume_unique=True, return_indices=True
    )
    return found


def _chosen(table: ScoreTable) -> str:
    """What has to be said of kits that were chosen by the scores before them."""
    few = len(np.unique(table.document_of)) < ENOUGH_CHOSEN
    return ADAPTIVE if few and table.weights is not None else ""


def _unpaired(table: ScoreTable, a: Scores, b: Scores) -> PairContrast | None:
    """The difference of systems whose judges mostly differ, adjusted for judges and documents."""
    first, second = (_distinct(side.sentence) for side in (a, b))
    shared = np.intersect1d(first, second, assume_unique=True)
    fewer = min(len(first), len(second))
    if not fewer:
        return None
    whole = a, b
    if len(shared) >= min(ENOUGH_SHARED, (fewer + 1) // 2):
        a = a if len(shared) == len(first) else _only(a, shared)
        b = b if len(shared) == len(second) else _only(b, shared)
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
    linked = _linked_note(table, block_note, judge_note)
    if judge_note == CONFOUNDED and not table.by_segment:
        plain = replace(model, block=None).contrast(apart)
        why = _why_confounded(*whole)
        return PairContrast(plain, clusters, known, untestable=why, through_others=linked)
    if blocks is None:
        return PairContrast(model.contrast(apart), clusters, known, note, through_others=linked)

    def instead() -> PairContrast:
        plain = replace(model, block=None).contrast(apart)
        without = ", ".join(filter(None, (NOT_REMOVED, judge_note, _chosen(table))))
        return PairContrast(plain, clusters, known, without)

    return PairContrast(
        model.contrast(apart), clusters, known, note, instead, through_others=linked
    )


def _distinct(codes: Codes) -> Codes:
    """The different codes, in order: as `numpy.unique`, which takes ten times as long."""
    return numbered(codes, int(codes.max(initial=-1)) + 1)[0]


def _linked_note(table: ScoreTable, block_note: str, judge_note: str) -> str:
    """What to say of a difference through other systems; empty where that would remove nothing."""
    # one or two judges who scored both tell the systems apart by themselves
    by_judges = judge_note == CONFOUNDED or ONLY_AT_RANDOM in judge_note
    by_documents = bool(block_note) and table.has_documents
    if len(table.systems) < 3 or not (by_judges or by_documents):
        return ""
    left = "" if table.has_documents else block_note
    return ", ".join(filter(None, (LINKED, left, _chosen(table))))


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
    first, second = (_distinct(document[system == side]) for side in (0, 1))
    both = np.intersect1d(first, second, assume_unique=True)
    if table.has_documents and len(both) >= FEWEST_DOCUMENTS:
        return numbered(document, int(document.max()) + 1)[1], ""
    return None, "" if len(shared) >= FEWEST_DOCUMENTS else NOT_REMOVED


def _judge_effects(judge: Codes | None, system: Codes) -> tuple[Codes | None, Codes | None, str]:
    """Judges whose severity is taken out, judges as clusters, and a note where they differ."""
    if judge is None:
        return None, None, ""
    first, second = (_distinct(judge[system == side]) for side in (0, 1))
    codes = numbered(judge, int(judge.max()) + 1)[1]
    both = len(np.intersect1d(first, second, assume_unique=True))
    if both >= FEWEST_JUDGES:
        return codes, codes, ""
    # judges of one system only vary like documents of one system only, if there are some of each
    if min(len(first), len(second)) >= FEWEST_JUDGES:
        return None, codes, f"{OTHER_JUDGES}: {ONLY_AT_RANDOM}"
    # the difference lies within the one or two judges who scored both
    return (codes, None, f"{OTHER_JUDGES}: {THESE_JUDGES}") if both else (None, None, CONFOUNDED)


def _why_confounded(a: Scores, b: Scores) -> str:
    """Why judges and systems cannot be separated: on all their sentences, or on shared ones."""
    if a.judge is None or b.judge is None:
        return CONFOUNDED
    system = np.repeat([0, 1], [len(a.key), len(b.key)])
    *_, note = _judge_effects(np.concatenate([a.judge, b.judge]), system)
    return CONFOUNDED if note == CONFOUNDED else CONFOUNDED_WHERE_SHARED


def finding_estimate(
    found: Finding,
    n: int,
    *,
    about: Subject,
    by: Mapping[str, Key],
    reason: str,
    intervals: bool = True,
    note: str = "",
) -> Estimate:
    """What was found as an estimate; its scope, or why it proves nothing, stands in the note."""
    return Estimate.of(
        found.value,
        n,
        about=about,
        by=by,
        low=found.low if intervals else None,
        high=found.high if intervals else None,
        reason=reason,
        note=note or (", ".join(filter(None, (found.reason, found.scope))) if intervals else ""),
    )
