"""Whether a metric ranks the systems of a segment as judges do (Sun 2010, Tables 1 and 2).

Two numbers, for each judge and for the mean of the judges: consistency, which is the share of pairs
of systems that both order alike, and Spearman's ρ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from jurat.resampling import permute_signs
from jurat.results import Estimate, Figure, Key, spoken
from jurat.stats import figures
from jurat.stats.correlation import mid_ranks, pearson, spearman
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.matched_scores import NO_PAIRS, MatchedScores
from jurat.stats.metaeval.metric_statistic import (
    MetricStatistic,
    each_metric,
    highest,
    interval_method,
    lowest,
)
from jurat.stats.metaeval.unit_intervals import share_intervals, sum_intervals
from jurat.stats.phrases import interval, percent, percentage
from jurat.stats.ratings import Array, Codes, summed
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer

PERMUTATIONS = 10_000
# Judges, and their mean, that colours tell apart in a figure.
MOST_COLOURS = 8
UNDECIDED = "no pair that the metric scored was decided: there are none, or all are ties"
TIED = "every segment is tied, or has a single system"
VERDICTS = ("agree", "disagree", "metric-tie", "human-tie")
AGREE, DISAGREE, METRIC_TIE, HUMAN_TIE = range(4)
UNSCORED = -1
TIES = {
    "inconsistent": "ties of the metric count as inconsistent",
    "half": "ties of the metric count half",
    "skip": "ties of the metric are left out",
}
UNDEFINED = {
    "zero": "a segment all of whose judgments or scores are tied counts as 0",
    "skip": "segments all of whose judgments or scores are tied are left out",
}


class JudgeSums(NamedTuple):
    """Sums of one metric for each segment and judge, segments × judges.

    A judge's value is Σ numerator / Σ denominator. `signed` is what changes its sign where the
    metric's order of a segment is reversed.
    """

    numerator: Array
    denominator: Array
    signed: Array

    @classmethod
    def of(cls, data: MatchedScores, segment: Codes, judge: Codes, *rows: Array) -> JudgeSums:
        """The three sums from rows, of each of which `segment` and `judge` are given."""
        judges = max(1, len(data.human.judges))
        cells, shape = segment * judges + judge, (data.segments, judges)
        return cls(*(summed(cells, part, shape[0] * shape[1]).reshape(shape) for part in rows))

    @property
    def values(self) -> Array:
        """The value of each judge, then the mean of the judges."""
        both = np.hstack([self.numerator, self.denominator])
        return np.asarray(judge_values(both.sum(axis=0)[None])[0])

    def coefficients(self, data: MatchedScores, settings: MetricSettings) -> Estimates:
        """The same values with intervals over documents; they are coefficients of −1 to 1."""
        if not self.numerator.size:
            return Estimates.undefined(self.numerator.shape[1] + 1)
        both = np.hstack([self.numerator, self.denominator])
        used = np.column_stack([self.denominator, self.denominator.any(axis=1)])
        return sum_intervals(data, both, judge_values, settings, used=used)

    def shares(self, data: MatchedScores, settings: MetricSettings) -> Estimates:
        """The same values with intervals over documents; they are shares."""
        if not self.numerator.size:
            return Estimates.undefined(self.numerator.shape[1] + 1)
        total = self.denominator.sum(axis=0)
        # In the mean each judge weighs alike, however many pairs they decided.
        weight = np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)
        hits, cases = (
            np.column_stack([part, part @ weight]) for part in (self.numerator, self.denominator)
        )
        return share_intervals(data, hits, cases, settings, observed=[*total, total.sum()])

    def p_values(self, data: MatchedScores, settings: MetricSettings) -> tuple[Array, str]:
        """Two-sided p of each judge's value and of the mean, and the method in words.

        Under the null hypothesis a metric's order of a document's segments is as good as its
        reverse.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            # Each judge weighs alike in the mean, however many pairs they decided.
            weighted = np.nan_to_num(self.signed / self.denominator.sum(axis=0))
        columns = np.hstack([self.signed, weighted.sum(axis=1, keepdims=True)])
        if not columns.any():
            return np.full(columns.shape[1], np.nan), ""
        test = permute_signs(
            columns,
            clusters=data.units.of_item,
            permutations=PERMUTATIONS,
            seed=settings.seed,
            jobs=settings.jobs,
        )
        # A judge whose segments are all undecided has no p, though permutations would give 1.
        p = np.where(columns.any(axis=0), test.p_value, np.nan)
        note = f"; {data.units.note}" if data.units.note else ""
        return p, f"{test.method.replace('clusters', data.units.words)}{note}"


def judge_values(totals: Array) -> Array:
    """The value of each judge and their mean, from rows of all numerators and denominators."""
    numerator, denominator = np.hsplit(totals, 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        each = np.where(denominator > 0, numerator / denominator, np.nan)
        # Judges without a value are left out of the mean, in every resample anew.
        defined = ~np.isnan(each)
        mean = np.where(defined, each, 0.0).sum(axis=1) / defined.sum(axis=1)
    return np.column_stack([each, mean])


def judge_keys(data: MatchedScores, metric: int) -> list[dict[str, Key]]:
    """What estimates are of: each judge that is named, then all of them."""
    by = data.key(metric)
    return [*({**by, "judge": judge} for judge in data.human.judges), by]


class JudgeStatistic(MetricStatistic):
    """A value of a metric for each judge and their mean: a subclass gives sums and counts.

    Three results: the values, the counts behind them, and p.
    """

    no_value: ClassVar[str]
    """Why a value is missing."""
    no_p: ClassVar[str]
    counts_formula: ClassVar[str]
    p_formula: ClassVar[str]
    title: ClassVar[str]
    """Of the figure."""
    unit: ClassVar[str]
    """What the figure's axis says."""

    def choice(self, settings: MetricSettings) -> tuple[Mapping[str, object], str]:
        """How undefined cases count: as a choice in the signature, and in words for the method."""
        raise NotImplementedError

    def sums(self, data: MatchedScores, metric: int, settings: MetricSettings) -> JudgeSums:
        """What the values are computed from."""
        raise NotImplementedError

    def intervals(
        self, data: MatchedScores, sums: JudgeSums, settings: MetricSettings
    ) -> Estimates:
        """The values with their intervals."""
        return sums.coefficients(data, settings)

    def counts(self, data: MatchedScores, metric: int) -> Iterator[Estimate]:
        """The counts of each judge, then of all."""
        raise NotImplementedError

    def mean_finding(self, best: Estimate, means: Sequence[Estimate]) -> str:
        """The finding, from the highest mean of judges and the means of all metrics."""
        raise NotImplementedError

    def finding(self, name: str, first: Sequence[Estimate]) -> str:
        """What the means of the judges say."""
        means = [e for e in first if "judge" not in e.by]
        return self.mean_finding(highest(means), means) if name == self.name and means else ""

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point a metric for each judge, and one for the mean."""
        if name != self.name:
            return {}
        named = [e._replace(by={**e.by, "judge": e.by.get("judge", "mean")}) for e in estimates]
        draw = partial(figures.points_with_intervals, self.title, figures.labelled(named))
        judges, of = ({e.by[key] for e in named} for key in ("judge", "question"))
        if len(judges) > MOST_COLOURS and len(of) == 1:
            # so many colours cannot be told apart: the judges have names instead
            return draw(over="judge", value=self.unit, facet="metric", one_scale=True)
        return draw(over="metric", value=self.unit, colour="judge", facet="of")

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """Values of each metric and judge, the counts behind them, and p."""
        each = list(each_metric(parts))
        sums = [self.sums(data, metric, settings) for data, metric in each]
        drawn = [
            self.intervals(data, own, settings) for (data, _), own in zip(each, sums, strict=True)
        ]
        found = zip(each, sums, drawn, strict=True)
        values = [e for key, s, d in found for e in _value_estimates(*key, s, d, self.no_value)]
        common = (_mean_method(parts), settings.metric_scores.direction)
        choices, handling = self.choice(settings)
        method = method_line(self.formula, handling, *common, interval_method(drawn, parts))
        yield Answer(values, method, choices=choices)
        counts = [e for data, metric in each for e in self.counts(data, metric)]
        yield Answer(counts, self.counts_formula, self.gives[1])
        tests = [own.p_values(data, settings) for (data, _), own in zip(each, sums, strict=True)]
        tested = zip(each, sums, tests, strict=True)
        p = [e for key, s, (p, _) in tested for e in _p_estimates(*key, s, p, self.no_p)]
        tried = next((words for _, words in tests if words), "")
        method = method_line(self.p_formula, *common, tried, "not corrected")
        yield Answer(p, method, self.gives[2], choices={"seed": settings.seed})


def _value_estimates(
    data: MatchedScores, metric: int, sums: JudgeSums, found: Estimates, reason: str
) -> Iterator[Estimate]:
    """Each judge's value, and the mean of the judges; where nobody is named, that alone."""
    each = sums.denominator.sum(axis=0).astype(np.int64)
    judges = len(data.human.judges)
    numbers = [*each[:judges], (each > 0).sum() if judges else each.sum()]
    columns = [*range(judges), len(each)]
    for at, by, n in zip(columns, judge_keys(data, metric), numbers, strict=True):
        yield found.estimate(at, n=int(n), by=by, tags=data.tags, reason=reason)


def _p_estimates(
    data: MatchedScores, metric: int, sums: JudgeSums, p: Array, reason: str
) -> Iterator[Estimate]:
    """The p-value of each judge's value and of the mean; n counts segments."""
    keys, used = judge_keys(data, metric), sums.denominator > 0
    numbers = [*used.sum(axis=0)[: len(keys) - 1], used.any(axis=1).sum()]
    for by, value, n in zip(keys, p[-len(keys) :], numbers, strict=True):
        yield Estimate.of(value, n, by=by, tags=data.tags, reason=reason)


def _mean_method(parts: Sequence[MatchedScores]) -> str:
    """What the method says of judges."""
    if any(data.human.pooled for data in parts):
        return "no judge judged two systems of a segment: the judges' means are compared"
    named = any(data.human.judges for data in parts)
    return "without judge: the mean of the judges, n counts these" if named else ""


class MetricConsistency(JudgeStatistic):
    """The share of pairs that a metric orders as the judge did, and what it is made of."""

    name = "metric-consistency"
    gives = ("metric-consistency", "metric-verdicts", "metric-consistency-p")
    asks = "How often does the metric prefer the translation that a judge prefers?"
    formula = (
        "share of a judge's pairs of systems of a segment that the metric orders as they did, "
        "pairs that they call a tie left out"
    )
    source = "Callison-Burch et al. 2008; Sun 2010, Table 2"
    order = 30
    no_value = no_p = UNDECIDED
    counts_formula = "judges' decisions on two systems of a segment; n counts all that were scored"
    p_formula = (
        "two-sided p of as many pairs ordered against the judge as with them; n counts segments"
    )
    title, unit = "Pairs that metrics order as judges do", "share of pairs"

    def choice(self, settings: MetricSettings) -> tuple[Mapping[str, object], str]:
        """How pairs count that the metric scores alike."""
        return {"ties": settings.metric_ties}, f"{TIES[settings.metric_ties]}; n counts pairs"

    def sums(self, data: MatchedScores, metric: int, settings: MetricSettings) -> JudgeSums:
        """Consistent and counted pairs."""
        return consistency_sums(data, metric, settings)

    def intervals(
        self, data: MatchedScores, sums: JudgeSums, settings: MetricSettings
    ) -> Estimates:
        """Shares with their intervals."""
        return sums.shares(data, settings)

    def counts(self, data: MatchedScores, metric: int) -> Iterator[Estimate]:
        """How many decisions there are of each verdict."""
        found, judges = verdicts(data, metric), max(1, len(data.human.judges))
        scored = found != UNSCORED
        cells = data.human.decisions.judge[scored] * len(VERDICTS) + found[scored]
        table = np.bincount(cells, minlength=judges * len(VERDICTS)).reshape(judges, -1)
        keys = judge_keys(data, metric)
        for by, row in zip(keys, [*table[: len(keys) - 1], table.sum(axis=0)], strict=True):
            for verdict, number in zip(VERDICTS, row, strict=True):
                own = {**by, "verdict": verdict}
                yield Estimate(float(number), int(row.sum()), by=own, tags=data.tags)

    def mean_finding(self, best: Estimate, means: Sequence[Estimate]) -> str:
        """The most and the least consistent metric."""
        worst = lowest(means)
        words = f"{best.by['metric']} prefers the translation that a judge prefers in"
        share = f"{percentage(best)} of the pairs"
        other = f"; {worst.by['metric']} in {percent(worst.value or 0.0)}" if worst != best else ""
        return f"{words} {share}{other}."


def verdicts(data: MatchedScores, metric: int) -> Array:
    """Whether the metric agrees with each decision of a judge: an index of `VERDICTS`, or −1."""
    decisions = data.human.decisions
    margin = data.margins(metric, decisions)
    same = np.sign(margin) * decisions.outcome
    cases = [np.isnan(margin), decisions.outcome == 0, margin == 0, same > 0]
    return np.select(cases, [UNSCORED, HUMAN_TIE, METRIC_TIE, AGREE], default=DISAGREE)


def consistent_and_counted(found: Array, settings: MetricSettings) -> tuple[Array, Array]:
    """What each verdict adds to the consistent pairs and to all pairs, as ties are to count."""
    agree, tied = found == AGREE, found == METRIC_TIE
    counted = agree | (found == DISAGREE) | (tied & (settings.metric_ties != "skip"))
    half = 0.5 if settings.metric_ties == "half" else 0.0
    return agree + half * tied, counted.astype(np.float64)


def consistency_sums(data: MatchedScores, metric: int, settings: MetricSettings) -> JudgeSums:
    """Consistent and counted pairs of each segment and judge."""
    found, rows = verdicts(data, metric), data.human.decisions
    # Reversing the metric's order turns agreement into disagreement; ties stay.
    signed = (found == AGREE).astype(np.float64) - (found == DISAGREE)
    return JudgeSums.of(
        data, rows.segment, rows.judge, *consistent_and_counted(found, settings), signed
    )


class MetricSpearman(JudgeStatistic):
    """Spearman's ρ over the systems of each segment, averaged over segments."""

    name = "metric-spearman"
    gives = ("metric-spearman", "metric-spearman-undefined", "metric-spearman-p")
    asks = "Does the metric rank the systems of a segment as judges do?"
    formula = "Spearman's ρ (mid-ranks) over the systems of a segment, mean over segments"
    source = "Sun 2010, Table 1; Callison-Burch et al. 2008"
    order = 40
    no_value, no_p = NO_PAIRS, TIED
    counts_formula = "segments all of whose judgments or scores are tied; n counts segments"
    p_formula = "two-sided p of a mean ρ of 0"
    title, unit = "Rank correlation over the systems of a segment", "mean ρ"

    def choice(self, settings: MetricSettings) -> tuple[Mapping[str, object], str]:
        """How segments count that have no ρ."""
        words = f"{UNDEFINED[settings.undefined]}; n counts segments"
        return {"undefined": settings.undefined}, words

    def sums(self, data: MatchedScores, metric: int, settings: MetricSettings) -> JudgeSums:
        """The sum of ρ, and the number of segments."""
        return spearman_sums(data, metric, settings)

    def counts(self, data: MatchedScores, metric: int) -> Iterator[Estimate]:
        """How many segments have two systems but no ρ."""
        rows = _segment_rho(data, metric)
        size = max(1, len(data.human.judges))
        tied, every = (
            np.bincount(rows.judge, weights=mask, minlength=size)
            for mask in (rows.several & np.isnan(rows.rho), rows.several)
        )
        keys = judge_keys(data, metric)
        numbers = [*zip(tied, every, strict=True)][: len(keys) - 1]
        numbers.append((tied.sum(), every.sum()))
        for by, (value, n) in zip(keys, numbers, strict=True):
            yield Estimate(float(value), int(n), by=by, tags=data.tags)

    def mean_finding(self, best: Estimate, means: Sequence[Estimate]) -> str:
        """The metric with the highest ρ."""
        others = f", of {len(means)} metrics" if len(means) > 1 else ""
        words = f"Highest mean ρ with judges over the systems of a segment{others}"
        return f"{words}: {best.by['metric']} {spoken(best.value)}{interval(best)}."


class SegmentRho(NamedTuple):
    """ρ of each judge's segments; NaN where it is undefined."""

    segment: Codes
    judge: Codes
    rho: Array
    several: Mask
    """Whether there are two systems at all."""


class JudgeTables(NamedTuple):
    """A row a segment and judge: their scores of the systems, and the ranks of these."""

    segment: Codes
    judge: Codes
    scores: Array
    ranks: Array


def judge_tables(data: MatchedScores) -> JudgeTables:
    """The judges' scores of the systems, and their ranks, a row a segment and judge."""
    given = data.human.judge_scores
    judges = max(1, len(data.human.judges))
    groups, row = np.unique(given.segment * judges + given.judge, return_inverse=True)
    human = np.full((len(groups), len(data.systems)), np.nan)
    human[row, given.system] = given.value
    return JudgeTables(*np.divmod(groups, judges), human, mid_ranks(human))


def _segment_rho(data: MatchedScores, metric: int) -> SegmentRho:
    # The judges' ranks are the same for all metrics that scored what they judged.
    rows = data.once(judge_tables)
    # A metric's scores are the same for every judge of a segment.
    scores = data.oriented[metric][rows.segment]
    judged, scored = ~np.isnan(rows.scores), ~np.isnan(scores)
    if (judged & ~scored).any():
        rho = spearman(rows.scores, scores)
    else:
        rho = pearson(rows.ranks, mid_ranks(np.where(judged, scores, np.nan)))
    several = (judged & scored).sum(axis=1) > 1
    return SegmentRho(rows.segment, rows.judge, rho, several)


def spearman_sums(data: MatchedScores, metric: int, settings: MetricSettings) -> JudgeSums:
    """The sum of ρ and the number of segments, for each segment and judge."""
    return rho_sums(data, _segment_rho(data, metric), settings)


def rho_sums(data: MatchedScores, rows: SegmentRho, settings: MetricSettings) -> JudgeSums:
    """The same from the ρ of each judge's segments."""
    counted = rows.several & ((settings.undefined == "zero") | ~np.isnan(rows.rho))
    # An undefined ρ counts as 0, or is not counted at all.
    values = np.nan_to_num(rows.rho) * counted
    return JudgeSums.of(data, rows.segment, rows.judge, values, counted.astype(np.float64), values)
