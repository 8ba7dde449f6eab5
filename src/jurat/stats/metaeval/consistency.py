"""How often a metric orders two translations as a judge does (Sun 2010, Table 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Key, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.by_judge import Rows, Tally, averaged, estimates
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import MetricSettings, choices
from jurat.stats.metaeval.spearman import draw, p_estimates
from jurat.stats.metaeval.wording import UNDECIDED, drawn_over, of_first, place_of
from jurat.stats.ratings import Array
from jurat.stats.spread import told
from jurat.stats.statistic import Settings
from jurat.stats.words import interval, percent

VERDICTS = ("agree", "disagree", "metric-tie", "human-tie")
TIES = {
    "inconsistent": "ties of the metric count as inconsistent",
    "half": "ties of the metric count half",
    "skip": "ties of the metric are left out",
}


class MetricConsistency(AgainstPeople):
    """The share of pairs that a metric orders as the judge did, and what it is made of."""

    name = "metric-consistency"
    gives = ("metric-consistency", "metric-verdicts", "metric-consistency-p")
    asks = "How often does the metric prefer the translation that a judge prefers?"
    formula = (
        "share of a judge's pairs of systems of a segment that the metric orders as he did, "
        "pairs that he calls a tie left out"
    )
    source = "Callison-Burch et al. 2008; Sun 2010, Table 2"
    place = 30

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Shares of each metric and judge, the counts behind them, and p."""
        asked = choices(settings)
        parts = matched(evaluation, asked)
        found = [_Found.of(one, at, asked) for one in parts for at in range(len(one.metrics))]
        spreads = [own.tally.spread(asked) for own in found]
        shares = [
            e
            for own, drawn in zip(found, spreads, strict=True)
            for e in estimates(own.one, own.metric, own.tally, drawn, reason=UNDECIDED)
        ]
        common = (averaged(parts), asked.scored.direction)
        how = (TIES[asked.metric_ties], "n counts pairs")
        yield self.answer(
            evaluation,
            asked,
            shares,
            method=told(self.formula, *how, *common, drawn_over(spreads)),
            headline=_headline(shares),
            draw=lambda: draw(shares, "Pairs that metrics order as judges do", "share of pairs"),
            ties=asked.metric_ties,
        )
        numbers = [e for own in found for e in own.counts()]
        yield self.answer(
            evaluation,
            asked,
            numbers,
            name="metric-verdicts",
            method="judges' decisions on two systems of a segment; n counts all that were scored",
        )
        tested = [(own, *own.tally.p_values(asked)) for own in found]
        chances = [
            e
            for own, p, _ in tested
            for e in p_estimates(own.one, own.metric, own.tally, p, reason=UNDECIDED)
        ]
        yield self.answer(
            evaluation,
            asked,
            chances,
            name="metric-consistency-p",
            method=told(
                "two-sided p of as many pairs ordered against the judge as with him; n counts "
                "segments",
                *common,
                next((words for _, _, words in tested if words), ""),
                "not corrected",
            ),
            seed=asked.seed,
        )


def verdicts(one: Matched, metric: int) -> Array:
    """Of each decision: 0 agree, 1 disagree, 2 the metric ties, 3 people do; -1 without scores."""
    decisions = one.people.decisions
    margin = one.margins(metric, decisions)
    same = np.sign(margin) * decisions.outcome
    kinds = [np.isnan(margin), decisions.outcome == 0, margin == 0, same > 0]
    return np.select(kinds, [-1, 3, 2, 0], default=1)


def tally_of(one: Matched, kinds: Array, settings: MetricSettings) -> Tally:
    """Consistent and counted pairs of each segment and judge."""
    agree, disagree, tied = (kinds == kind for kind in range(3))
    counted = agree | disagree | (tied & (settings.metric_ties != "skip"))
    half = 0.5 if settings.metric_ties == "half" else 0.0
    rows = one.people.decisions
    return Tally.of(
        one,
        Rows(rows.segment, rows.judge),
        above=agree + half * tied,
        below=counted.astype(np.float64),
        turning=agree.astype(np.float64) - disagree,
    )


class _Found(NamedTuple):
    """What one metric's scores say to every decision."""

    one: Matched
    metric: str
    kinds: Array
    tally: Tally

    @classmethod
    def of(cls, one: Matched, metric: int, settings: MetricSettings) -> _Found:
        kinds = verdicts(one, metric)
        return cls(one, one.metrics[metric], kinds, tally_of(one, kinds, settings))

    def counts(self) -> Iterator[Estimate]:
        """How many decisions there are of each kind, by judge and in all."""
        judges = max(1, len(self.one.people.judges))
        scored = self.kinds >= 0
        cells = self.one.people.decisions.judge[scored] * 4 + self.kinds[scored]
        table = np.bincount(cells, minlength=judges * 4).reshape(judges, 4)
        by: dict[str, Key] = {**self.one.by, "metric": self.metric}
        rows = [({**by, "judge": j}, table[at]) for at, j in enumerate(self.one.people.judges)]
        for key, row in [*rows, (by, table.sum(axis=0))]:
            for verdict, number in zip(VERDICTS, row, strict=True):
                own = {**key, "verdict": verdict}
                yield Estimate(float(number), int(row.sum()), by=own, tags=self.one.tags)


def _headline(shares: Sequence[Estimate]) -> str:
    told_of = [e for e in of_first(shares) if "judge" not in e.by]
    if not told_of:
        return ""
    best, worst = (f(told_of, key=lambda e: e.value or 0.0) for f in (max, min))
    words = f"{best.by['metric']} prefers the translation that a judge prefers in"
    share = f"{percent(best.value or 0.0)} of the pairs{interval(best)}"
    other = f"; {worst.by['metric']} in {percent(worst.value or 0.0)}" if worst != best else ""
    return f"{place_of(best, shares)}{words} {share}{other}."
