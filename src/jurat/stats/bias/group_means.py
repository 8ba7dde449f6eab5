"""Mean scores of the groups, how they differ, and whether chance alone would give that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from jurat.resampling.permutations import Relabelled
from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.bias.groups import Grouping, Groups, Mask, grouped
from jurat.stats.bias.relabelling import relabel
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval

BUNDLES = 1_000
"""Items are drawn in bundles where there are more: a thousand tell the spread as well."""
DOCUMENTS = 10
"""Documents from which they are drawn instead of items."""
MOST = 6
"""Pairs of groups that a headline names."""
SINGLE = "there is a single group"
WORDS = "the answers are words without numbers (folding can give them numbers)"


class GroupMeans(Statistic[Grouping]):
    """Fomicheva and Specia's table 2, with intervals and a test."""

    name = "group-mean"
    gives = ("group-mean", "group-difference", "group-mean-p")
    asks = "Do judges give other scores if they see another reference?"
    formula = "mean of the judgments of a group, first answers only; n counts judgments"
    source = "Fomicheva & Specia 2016, table 2"
    place = 10

    def results(self, evaluation: Evaluation, settings: Grouping) -> Iterator[Result]:
        """Means, their differences, and a test of whether all are the same."""
        parts = evaluation.once(grouped, settings.group, settings.source)
        found = [_Means.of(groups, settings) for groups in parts]
        means = tuple(e for part in found for e in part.means())
        differences = tuple(e for part in found for e in part.differences())
        how = first_method([part.spread for part in found])
        drawn = how and f"{how}: {found[0].drawn}"
        yield self.result(
            evaluation,
            settings,
            means,
            method=told(self.formula, drawn),
            headline=_headline(found),
            draw=lambda: _draw(means),
            group=settings.group,
            source=settings.source,
        )
        yield self.result(
            evaluation,
            settings,
            differences,
            name="group-difference",
            method=told("mean of group a − mean of group b; n counts judgments of both", drawn),
            headline=_clear(differences),
            draw=lambda: _draw_differences(differences),
            group=settings.group,
            source=settings.source,
        )
        yield self._test(evaluation, settings, parts)

    def _test(self, evaluation: Evaluation, settings: Grouping, parts: Sequence[Groups]) -> Result:
        tests = [means_test(groups, settings) for groups in parts]
        estimates = tuple(_p(groups, test) for groups, test in zip(parts, tests, strict=True))
        drawn = next((t.method for t in tests if isinstance(t, Relabelled)), "")
        return self.result(
            evaluation,
            settings,
            estimates,
            name="group-mean-p",
            method=told(
                "p of Σ n (group's mean − mean)² of deviations from the item's mean under permuted "
                "groups of the judges who saw a reference; n counts these judges",
                drawn,
            ),
            headline=_verdict(estimates),
            group=settings.group,
            source=settings.source,
            seed=settings.seed,
        )


class _Means(NamedTuple):
    """The means of one question's groups, then the difference of every two."""

    groups: Groups
    counts: Array
    spread: Spread
    drawn: str

    @classmethod
    def of(cls, groups: Groups, settings: Settings) -> _Means:
        """Documents or items and judges are drawn, as the design has them."""
        ratings, size = groups.ratings, len(groups.names)
        counts = np.bincount(groups.of_row, minlength=size).astype(np.float64)
        if ratings.nominal or not len(ratings):
            nothing = np.full(size + size * (size - 1) // 2, np.nan)
            return cls(groups, counts, Spread(values=nothing, low=nothing, high=nothing), "")
        member = np.eye(size)[groups.of_row]
        statistics = np.hstack([member * ratings.values[:, None], member])
        clusters, drawn = clusters_of(ratings)
        found = spread(statistics, means_and_differences, settings=settings, clusters=clusters)
        return cls(groups, counts, found, drawn)

    def means(self) -> Iterator[Estimate]:
        if not self.groups.names:
            ratings = self.groups.ratings
            yield Estimate(None, 0, by=ratings.by, tags=ratings.tags, reason=no_mean(ratings))
        for at, name in enumerate(self.groups.names):
            yield self._estimate(at, int(self.counts[at]), group=name)

    def differences(self) -> Iterator[Estimate]:
        ratings, pairs = self.groups.ratings, combinations(range(len(self.groups.names)), 2)
        if len(self.groups.names) < 2:
            reason = SINGLE if len(ratings) else no_mean(ratings)
            yield Estimate(None, 0, by=ratings.by, tags=ratings.tags, reason=reason)
        for at, (a, b) in enumerate(pairs, start=len(self.groups.names)):
            names = {"group_a": self.groups.names[a], "group_b": self.groups.names[b]}
            yield self._estimate(at, int(self.counts[a] + self.counts[b]), **names)

    def _estimate(self, at: int, n: int, **names: str) -> Estimate:
        ratings = self.groups.ratings
        by = {**ratings.by, **names}
        return self.spread.estimate(at, n=n, by=by, tags=ratings.tags, reason=no_mean(ratings))


def no_mean(ratings: Ratings) -> str:
    """Why the answers have no mean; empty where they have one."""
    if not len(ratings):
        return "no judgment has a group"
    return WORDS if ratings.nominal else ""


def means_and_differences(totals: Array) -> Array:
    """Sums of the groups, then counts, to means, then the differences of every two."""
    half = totals.shape[1] // 2
    means = totals[:, :half] / totals[:, half:]
    pairs = list(combinations(range(half), 2))
    first, second = (np.array([pair[n] for pair in pairs], dtype=np.intp) for n in (0, 1))
    return np.hstack([means, means[:, first] - means[:, second]])


def clusters_of(ratings: Ratings) -> tuple[Codes | tuple[Codes, Codes], str]:
    """What is drawn for an interval, and its name: documents or items, and judges."""
    texts, name = _texts(ratings)
    if "judge" not in ratings.frame.columns or len(ratings.judges) < 2:
        return texts, name
    people = ratings.judge_codes
    return (
        (people, "judges") if len(np.unique(texts)) < 2 else ((texts, people), f"{name} × judges")
    )


def _texts(ratings: Ratings) -> tuple[Codes, str]:
    if ratings.has("document"):
        codes, names = ratings.coded("document")
        if len(names) >= DOCUMENTS:
            return codes, "documents"
    if len(ratings.items) <= BUNDLES:
        return ratings.item_codes, "items"
    # Their order is perhaps no accident, the remainder of a shuffled number is.
    order = np.random.default_rng(0).permutation(len(ratings.items))
    return order[ratings.item_codes] % BUNDLES, "bundles of items"


def means_test(groups: Groups, settings: Settings) -> Relabelled | str:
    """Whether the groups' means differ more than under permuted labels; or why it is not told."""
    ratings = groups.ratings
    if "judge" not in ratings.frame.columns:
        return "needs the column judge"
    if reason := no_mean(ratings):
        return reason
    if len(groups.references) < 2:
        return "there are not two groups that saw a reference"
    rows = groups.saw_reference(groups.of_row)
    judges, sums, counts = _deviations(ratings, rows)
    if not sums.any():
        return "all judges gave every item the same score"
    labels = groups.of_judge[judges]
    if len(judges) == len(groups.references):
        return "every group has a single judge"
    return relabel(
        between,
        (sums, counts),
        labels=labels,
        person=groups.person[judges],
        units=len(labels) * len(groups.names),
        seed=settings.seed,
        jobs=settings.jobs,
    )


def _deviations(ratings: Ratings, rows: Mask) -> tuple[Codes, Array, Array]:
    """Of each judge of these rows: the sum of his deviations from the items' means, and their n."""
    item, judge, value = ratings.item_codes[rows], ratings.judge_codes[rows], ratings.values[rows]
    n = np.bincount(item)
    mean = np.bincount(item, weights=value) / np.maximum(n, 1)
    away = value - mean[item]
    size = len(ratings.judges)
    counts = np.bincount(judge, minlength=size).astype(np.float64)
    away = np.where(np.abs(away) < 1e-12, 0.0, away)
    sums = np.bincount(judge, weights=away, minlength=size).astype(np.float64)
    there = np.flatnonzero(counts)
    return there.astype(np.int64), sums[there], counts[there]


def between(labels: Codes, sums: Array, counts: Array) -> Array:
    """Σ n (group's mean − mean)² for each row of labels."""
    overall = sums.sum() / counts.sum()
    found = np.zeros(len(labels))
    for code in range(int(labels.max()) + 1):
        member = (labels == code).astype(np.float64)
        size = np.maximum(member @ counts, 1)
        found += (member @ sums - overall * (member @ counts)) ** 2 / size
    return found


def _p(groups: Groups, test: Relabelled | str) -> Estimate:
    ratings = groups.ratings
    if isinstance(test, str):
        return Estimate(None, 0, by=ratings.by, tags=ratings.tags, reason=test)
    p = float(test.p_value("greater"))
    return Estimate(p, test.n_units, by=ratings.by, tags=ratings.tags)


def _headline(found: Sequence[_Means]) -> str:
    """The groups of the first question that lie farthest apart, and the source beside them."""
    part = next((p for p in found if not np.isnan(p.spread.values).all()), None)
    if part is None:
        return "No group has scores that are numbers."
    means = {str(e.by["group"]): e for e in part.means()}
    seen = [means[name] for name in part.groups.references]
    if len(means) == 1:
        return f"There is a single group, {next(iter(means))}: nothing to compare it with."
    ranked = sorted(seen if len(seen) > 1 else means.values(), key=lambda e: e.value or 0.0)
    low, high = ranked[0], ranked[-1]
    gap = spoken((high.value or 0.0) - (low.value or 0.0))
    source = means.get(part.groups.source) if len(seen) > 1 else None
    beside = f" The group that saw the source gave {_told(source)}." if source else ""
    return (
        f"Judges gave {_told(high)} with {high.by['group']} and {_told(low)} with "
        f"{low.by['group']}: {gap} points apart.{beside}"
    )


def _told(mean: Estimate) -> str:
    return f"{spoken(mean.value)}{interval(mean)}"


def _clear(differences: Sequence[Estimate]) -> str:
    """Which groups differ for certain."""
    there = [e for e in differences if e.low is not None and e.high is not None]
    sure = [e for e in there if (e.low or 0.0) > 0 or (e.high or 0.0) < 0]
    if not there:
        return ""
    if not sure:
        return "No two groups differ by more than their intervals allow."
    names = [f"{e.by['group_a']} and {e.by['group_b']}" for e in sure]
    clear = f"{len(sure)} of {len(there)} pairs of groups differ beyond their intervals"
    return f"{clear}: {'; '.join(names[:MOST])}{'; …' if names[MOST:] else ''}."


def _verdict(estimates: Sequence[Estimate]) -> str:
    p = next((e.value for e in estimates if e.value is not None), None)
    if p is None:
        return ""
    chance = "chance alone would hardly give that" if p < 0.05 else "chance alone may give that"
    return (
        f"Had the judges been put into groups otherwise, means as far apart: p = {p:.4f}; {chance}."
    )


def _draw(means: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Mean score of each group of judges",
        means,
        over="group",
        value="mean score",
        facet="question",
    )


def _draw_differences(differences: Sequence[Estimate]) -> Figure:
    rows = [
        {**row, "groups": f"{row['group_a']} − {row['group_b']}"}
        for row in figures.rows(differences)
    ]
    return figures.bars(
        "Differences of the groups' means",
        rows,
        x=figures.axis("value", "difference"),
        y=figures.axis("groups", "groups", "nominal", sort="-x"),
    )
