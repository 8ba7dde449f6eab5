"""Groups of systems that are not told apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import choices
from jurat.stats.systems.pairwise import corrected
from jurat.stats.systems.telling import Told, told_apart
from jurat.stats.systems.wording import first_words, nothing_compared, place
from jurat.stats.words import listed


class SystemCluster(Statistic[Settings]):
    """Clusters as in WMT's tables: all of one are significantly better than all below."""

    name = "system-cluster"
    gives = ("system-cluster",)
    asks = "Which systems are equally good, as far as can be told?"
    formula = (
        "number of the cluster, 1 is best: systems in order of their score, a line drawn where "
        "every one above is significantly better than every one below; n counts systems"
    )
    source = "WMT (Bojar et al. 2013, 2016; Kocmi et al. 2023, 2024)"
    place = 30

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The clusters of every question."""
        chosen = choices(settings)
        found = told_apart(evaluation, chosen)
        estimates = [e for one in found for e in _estimates(one)]
        yield self.result(
            evaluation,
            settings,
            estimates or nothing_compared(evaluation),
            method=told(self.formula, first_words(found), corrected(chosen), chosen.direction),
            headline=_headline(estimates),
            draw=lambda: figures.points_with_intervals(
                "Clusters of systems",
                estimates,
                over="system",
                value="cluster",
                facet="question",
                sort="x",
            ),
            **chosen.tested(),
            level=round(1 - chosen.confidence, 10),
            **chosen.told(),
        )


def clusters(scores: Array, p: Array, *, level: float = 0.05) -> Codes:
    """The cluster of each system, from scores (higher better) and p (S × S, row better).

    A system without a score has cluster 0.
    """
    order = np.argsort(-scores, kind="stable")
    order = order[~np.isnan(scores[order])]
    better = np.nan_to_num(p[np.ix_(order, order)], nan=1.0) < level
    number, found = 1, np.zeros(len(scores), dtype=np.int64)
    for at, system in enumerate(order):
        if at and better[:at, at:].all():
            number += 1
        found[system] = number
    return found


def _estimates(one: Told) -> list[Estimate]:
    found = clusters(one.scores, one.chances.p, level=one.level)
    made = [
        Estimate(
            value=float(number) if number else None,
            n=len(one.systems),
            by={**one.by, "system": system},
            tags=one.tags,
            reason="" if number else "the system has no score",
        )
        for system, number in zip(one.systems, found, strict=True)
    ]
    return [made[at] for at in np.argsort(-one.scores, kind="stable")]


def _headline(estimates: list[Estimate]) -> str:
    told_of = [e for e in estimates if e.value is not None]
    if not told_of:
        return ""
    first = told_of[0]
    same = [
        e
        for e in told_of
        if (e.by.get("question"), e.tags) == (first.by.get("question"), first.tags)
    ]
    top = [str(e.by["system"]) for e in same if e.value == 1]
    count = int(max(e.value or 0 for e in same))
    where = f"{place(first)}: " if len(same) < len(told_of) else ""
    if count == 1:
        return f"{where}{'no' if where else 'No'} line can be drawn between {len(same)} systems."
    lead = f"{listed(top)} {'is' if len(top) == 1 else 'are'} in the first"
    return f"{where}{len(same)} systems fall into {count} clusters; {lead}."
