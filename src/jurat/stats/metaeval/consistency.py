"""How often a metric orders two translations as a judge does (Sun 2010, Table 2).

In all, for each judge, and for every two systems: which of them the metric misjudges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure
from jurat.stats import figures
from jurat.stats.answer import Answer
from jurat.stats.estimates import (
    Estimates,
    bootstrap_estimates,
    method_line,
    ratio,
    undefined_estimates,
)
from jurat.stats.metaeval.base import (
    NO_PAIRS,
    UNDECIDED,
    MetricStatistic,
    each_metric,
    first_question,
    highest,
    interval_method,
    known,
    lowest,
    question_prefix,
)
from jurat.stats.metaeval.by_judge import (
    JudgeSums,
    RowKeys,
    describe_mean,
    draw,
    judge_keys,
    p_estimates,
    value_estimates,
)
from jurat.stats.metaeval.matched_scores import MatchedScores
from jurat.stats.phrases import interval, percent
from jurat.stats.ratings import Array
from jurat.stats.settings import MetricSettings

VERDICTS = ("agree", "disagree", "metric-tie", "human-tie")
TIES = {
    "inconsistent": "ties of the metric count as inconsistent",
    "half": "ties of the metric count half",
    "skip": "ties of the metric are left out",
}
# Decisions on two systems, below which a headline does not name them.
FEW = 10


class MetricConsistency(MetricStatistic):
    """The share of pairs that a metric orders as the judge did, and what it is made of."""

    name = "metric-consistency"
    gives = ("metric-consistency", "metric-verdicts", "metric-consistency-p")
    asks = "How often does the metric prefer the translation that a judge prefers?"
    formula = (
        "share of a judge's pairs of systems of a segment that the metric orders as he did, "
        "pairs that he calls a tie left out"
    )
    source = "Callison-Burch et al. 2008; Sun 2010, Table 2"
    order = 30

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """Shares of each metric and judge, the counts behind them, and p."""
        each = list(each_metric(parts))
        sums = [judge_sums(data, metric, settings) for data, metric in each]
        spreads = [own.spread(settings) for own in sums]
        found = zip(each, sums, spreads, strict=True)
        shares = [e for key, s, d in found for e in value_estimates(*key, s, d, reason=UNDECIDED)]
        common = (describe_mean(parts), settings.metric_scores.direction)
        how = (TIES[settings.metric_ties], "n counts pairs")
        yield Answer(
            shares,
            method_line(self.formula, *how, *common, interval_method(spreads)),
            headline=_headline(shares),
            draw=lambda: draw(shares, "Pairs that metrics order as judges do", "share of pairs"),
            choices={"ties": settings.metric_ties},
        )
        counts = [e for data, metric in each for e in _counts(data, metric)]
        method = "judges' decisions on two systems of a segment; n counts all that were scored"
        yield Answer(counts, method, "metric-verdicts")
        tests = [own.p_values(settings) for own in sums]
        tested = zip(each, sums, tests, strict=True)
        p = [e for key, s, (p, _) in tested for e in p_estimates(*key, s, p, reason=UNDECIDED)]
        what = (
            "two-sided p of as many pairs ordered against the judge as with him; n counts segments"
        )
        how_tested = next((words for _, words in tests if words), "")
        method = method_line(what, *common, how_tested, "not corrected")
        yield Answer(p, method, "metric-consistency-p", choices={"seed": settings.seed})


def verdicts(data: MatchedScores, metric: int) -> Array:
    """Of each decision: 0 agree, 1 disagree, 2 the metric ties, 3 people do; -1 without scores."""
    decisions = data.human.decisions
    margin = data.margins(metric, decisions)
    same = np.sign(margin) * decisions.outcome
    kinds = [np.isnan(margin), decisions.outcome == 0, margin == 0, same > 0]
    return np.select(kinds, [-1, 3, 2, 0], default=1)


def consistent_and_counted(kinds: Array, settings: MetricSettings) -> tuple[Array, Array]:
    """What each verdict adds to the consistent pairs and to all pairs, as ties are to count."""
    agree, disagree, tied = (kinds == kind for kind in range(3))
    counted = agree | disagree | (tied & (settings.metric_ties != "skip"))
    half = 0.5 if settings.metric_ties == "half" else 0.0
    return agree + half * tied, counted.astype(np.float64)


def judge_sums(data: MatchedScores, metric: int, settings: MetricSettings) -> JudgeSums:
    """Consistent and counted pairs of each segment and judge."""
    kinds, rows = verdicts(data, metric), data.human.decisions
    signed = (kinds == 0).astype(np.float64) - (kinds == 1)
    keys = RowKeys(rows.segment, rows.judge)
    return JudgeSums.of(data, keys, *consistent_and_counted(kinds, settings), signed)


def _counts(data: MatchedScores, metric: int) -> Iterator[Estimate]:
    """How many decisions there are of each kind, by judge and in all."""
    kinds, judges = verdicts(data, metric), max(1, len(data.human.judges))
    # Decisions that the metric has no scores for are no verdicts.
    scored = kinds >= 0
    cells = data.human.decisions.judge[scored] * 4 + kinds[scored]
    table = np.bincount(cells, minlength=judges * 4).reshape(judges, 4)
    keys = judge_keys(data, metric)
    for by, row in zip(keys, [*table[: len(keys) - 1], table.sum(axis=0)], strict=True):
        for verdict, number in zip(VERDICTS, row, strict=True):
            own = {**by, "verdict": verdict}
            yield Estimate(float(number), int(row.sum()), by=own, tags=data.tags)


def _headline(shares: Sequence[Estimate]) -> str:
    means = [e for e in first_question(shares) if "judge" not in e.by]
    if not means:
        return ""
    best, worst = highest(means), lowest(means)
    words = f"{best.by['metric']} prefers the translation that a judge prefers in"
    share = f"{percent(best.value or 0.0)} of the pairs{interval(best)}"
    other = f"; {worst.by['metric']} in {percent(worst.value or 0.0)}" if worst != best else ""
    return f"{question_prefix(best, shares)}{words} {share}{other}."


class MetricConsistencyOfPair(MetricStatistic):
    """The share of decisions on two systems that a metric makes as people do."""

    name = "metric-consistency-pair"
    gives = ("metric-consistency-pair",)
    asks = "Between which systems can the metric not tell the better translation?"
    formula = (
        "share of the decisions on translations of two systems that the metric makes alike, "
        "decisions for a tie left out, all judges together"
    )
    source = "Sun 2010, section 5 (left open there)"
    order = 35

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """A share for each metric and every two systems."""
        made = [_of_pairs(data, metric, settings) for data, metric in each_metric(parts)]
        found = [e for _, estimates in made for e in estimates]
        how = (TIES[settings.metric_ties], "n counts decisions", settings.metric_scores.direction)
        yield Answer(
            found,
            method_line(self.formula, *how, interval_method([drawn for drawn, _ in made])),
            headline=_worst_pair(found),
            draw=lambda: _draw(found),
            choices={"ties": settings.metric_ties},
        )


def _of_pairs(
    data: MatchedScores, metric: int, settings: MetricSettings
) -> tuple[Estimates, list[Estimate]]:
    """The shares of one metric, of every two systems."""
    if len(data.systems) < 2:
        return undefined_estimates(), [data.missing(metric, NO_PAIRS)]
    rows = data.human.decisions
    first, second = np.triu_indices(len(data.systems), 1)
    # Which column of the table each two systems have.
    column = np.zeros((len(data.systems),) * 2, dtype=np.int64)
    column[first, second] = np.arange(len(first))
    size = data.segments * len(first)
    cells = rows.segment * len(first) + column[rows.first, rows.second]
    consistent, counted = (
        np.bincount(cells, weights=part, minlength=size).reshape(data.segments, len(first))
        for part in consistent_and_counted(verdicts(data, metric), settings)
    )
    both = np.hstack([consistent, counted])
    drawn = (
        bootstrap_estimates(both, ratio, settings=settings)
        if size
        else undefined_estimates(len(first))
    )
    numbers = counted.sum(axis=0).astype(np.int64).tolist()
    reason = "people never preferred one of the two"
    names = [
        {"system_a": data.systems[a], "system_b": data.systems[b]}
        for a, b in zip(first, second, strict=True)
    ]
    return drawn, [
        drawn.estimate(at, n=n, by=data.key(metric, **pair), tags=data.tags, reason=reason)
        for at, (n, pair) in enumerate(zip(numbers, names, strict=True))
    ]


def _worst_pair(found: Sequence[Estimate]) -> str:
    enough = [e for e in known(found) if e.n >= FEW]
    if len(enough) < 2:
        return ""
    worst = lowest(enough)
    pair = f"{worst.by['system_a']} and {worst.by['system_b']}"
    return (
        f"{question_prefix(worst, found)}{worst.by['metric']} is least consistent with people "
        f"between {pair}: {percent(worst.value or 0.0)} of {worst.n} decisions{interval(worst)}."
    )


def _draw(found: Sequence[Estimate]) -> Figure:
    """A cell for every two systems, for the first metric, question and split that have values."""
    first = known(found)[0]
    question, metric = first.by["question"], first.by["metric"]
    same = [e for e in found if e.by["metric"] == metric and e.tags == first.tags]
    return figures.heat(
        f"{metric}: decisions made as people do",
        figures.rows([e for e in same if e.by["question"] == question]),
        x=figures.axis("system_a", "system", "nominal"),
        y=figures.axis("system_b", "system", "nominal"),
        colour=figures.axis("value", "share"),
    )
