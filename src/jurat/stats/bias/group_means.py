"""Mean scores of groups of judges, their differences, and a permutation test of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from jurat.resampling.permutation import LabelPermutation
from jurat.results import Estimate, Figure, spoken
from jurat.stats import figures
from jurat.stats.bias.groups import GroupStatistic, JudgeGroups, Mask, chance_words
from jurat.stats.estimates import (
    Estimates,
    bootstrap_estimates,
    first_method,
    method_line,
)
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import BiasSettings, Settings
from jurat.stats.statistic import Answer

# More items than these are resampled in bundles: a thousand units give as good an interval.
BUNDLES = 1_000
# From so many documents on they are resampled instead of items, since their items are alike.
DOCUMENTS = 10
# Pairs of groups that a headline names.
MOST = 6
SINGLE = "there is a single group"
P_FORMULA = (
    "p of Σ n (group's mean − mean)² of deviations from the item's mean under permuted "
    "groups of the judges who saw a reference; n counts these judges"
)
NO_NUMBERS = "the answers are words without numbers (folding can give them numbers)"


class GroupMeans(GroupStatistic):
    """Fomicheva and Specia's table 2, with intervals and a test."""

    name = "group-mean"
    gives = ("group-mean", "group-difference", "group-mean-p")
    asks = "Do judges give other scores if they see another reference?"
    formula = "mean of the judgments of a group, first answers only; n counts judgments"
    source = "Fomicheva & Specia 2016, table 2"
    order = 10

    def answers(self, parts: Sequence[JudgeGroups], settings: BiasSettings) -> Iterator[Answer]:
        """Means, their differences, and a test of whether all groups have the same mean."""
        found = [_Means.of(groups, settings) for groups in parts]
        how = first_method([part.found for part in found])
        drawn = how and f"{how}: {found[0].units}"
        means = tuple(e for part in found for e in part.means())
        method = method_line(self.formula, drawn)
        yield Answer(means, method, headline=_headline(found))
        differences = tuple(e for part in found for e in part.differences())
        formula = "mean of group a − mean of group b; n counts judgments of both"
        yield Answer(differences, method_line(formula, drawn), "group-difference")
        tests = [means_test(groups, settings) for groups in parts]
        p = tuple(_p(groups, test) for groups, test in zip(parts, tests, strict=True))
        tried = next((t.method for t in tests if isinstance(t, LabelPermutation)), "")
        method, seed = method_line(P_FORMULA, tried), {"seed": settings.seed}
        yield Answer(p, method, "group-mean-p", choices=seed)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Which groups differ clearly, or what the test says."""
        if name == "group-difference":
            return _clear_differences(known)
        p = known[0].value or 0.0
        return f"Means as far apart with judges grouped at random: p = {p:.4f}; {chance_words(p)}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Points of the means, or bars of the differences."""
        if name == "group-mean":
            title = "Mean score of each group of judges"
            return figures.points_with_intervals(
                title, estimates, over="group", value="mean score", facet="question"
            )
        return _draw_differences(estimates) if name == "group-difference" else {}


class _Means(NamedTuple):
    """The means of one question's groups, then the differences of every two, with intervals."""

    groups: JudgeGroups
    counts: Array
    found: Estimates
    units: str
    """What was resampled."""

    @classmethod
    def of(cls, groups: JudgeGroups, settings: Settings) -> _Means:
        """Compute them, with documents or items and judges resampled."""
        ratings, size = groups.ratings, len(groups.names)
        counts = np.bincount(groups.row_group, minlength=size).astype(np.float64)
        if ratings.nominal or not len(ratings):
            return cls(groups, counts, Estimates.undefined(size + size * (size - 1) // 2), "")
        member = np.eye(size)[groups.row_group]
        # Sums and counts of each group side by side, from which any resample's means follow.
        statistics = np.hstack([member * ratings.values[:, None], member])
        clusters, units = resampled_clusters(ratings)
        found = bootstrap_estimates(
            statistics, means_and_differences, settings=settings, clusters=clusters
        )
        return cls(groups, counts, found, units)

    def means(self) -> Iterator[Estimate]:
        if not self.groups.names:
            yield self.groups.missing(no_mean(self.groups.ratings))
        for at, name in enumerate(self.groups.names):
            yield self._estimate(at, int(self.counts[at]), group=name)

    def differences(self) -> Iterator[Estimate]:
        ratings, pairs = self.groups.ratings, combinations(range(len(self.groups.names)), 2)
        if len(self.groups.names) < 2:
            yield self.groups.missing(SINGLE if len(ratings) else no_mean(ratings))
        for at, (a, b) in enumerate(pairs, start=len(self.groups.names)):
            names = {"group_a": self.groups.names[a], "group_b": self.groups.names[b]}
            yield self._estimate(at, int(self.counts[a] + self.counts[b]), **names)

    def _estimate(self, at: int, n: int, **names: str) -> Estimate:
        ratings = self.groups.ratings
        return self.found.estimate(at, n=n, about=ratings, by=names, reason=no_mean(ratings))


def no_mean(ratings: Ratings) -> str:
    """Why the answers have no mean; empty where they have one."""
    if not len(ratings):
        return "no judgment has a group"
    return NO_NUMBERS if ratings.nominal else ""


def means_and_differences(totals: Array) -> Array:
    """Sums of the groups, then counts, to means, then the differences of every two."""
    half = totals.shape[1] // 2
    means = totals[:, :half] / totals[:, half:]
    pairs = list(combinations(range(half), 2))
    first, second = (np.array([pair[n] for pair in pairs], dtype=np.intp) for n in (0, 1))
    return np.hstack([means, means[:, first] - means[:, second]])


def resampled_clusters(ratings: Ratings) -> tuple[Codes | tuple[Codes, Codes], str]:
    """The clusters that are resampled, and their name: documents or items, and judges."""
    texts, name = _texts(ratings)
    if "judge" not in ratings.frame.columns or len(ratings.judges) < 2:
        return texts, name
    # A bootstrap of both (the pigeonhole bootstrap) needs at least two of each.
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
    # Items that stand together in a file may be alike, so that their numbers are shuffled first.
    order = np.random.default_rng(0).permutation(len(ratings.items))
    return order[ratings.item_codes] % BUNDLES, "bundles of items"


def means_test(groups: JudgeGroups, settings: Settings) -> LabelPermutation | str:
    """The permutation test of whether the groups' means differ, or why there is none."""
    ratings = groups.ratings
    if "judge" not in ratings.frame.columns:
        return "needs the column judge"
    if reason := no_mean(ratings):
        return reason
    if len(groups.references) < 2:
        return "there are not two groups that saw a reference"
    rows = groups.saw_reference(groups.row_group)
    judges, sums, counts = _deviations(ratings, rows)
    # Without any deviation every relabelling gives the same value, and p would be 1 of nothing.
    if not sums.any():
        return "all judges gave every item the same score"
    if len(judges) == len(groups.references):
        return "every group has a single judge"
    # Judges are permuted, not judgments: what one judge says is not independent.
    units = len(judges) * len(groups.names)
    return groups.test(between_groups, (sums, counts), judges, settings, units=units)


def _deviations(ratings: Ratings, rows: Mask) -> tuple[Codes, Array, Array]:
    """The judges of these rows, and each one's sum and number of deviations from items' means."""
    item, judge, value = ratings.item_codes[rows], ratings.judge_codes[rows], ratings.values[rows]
    n = np.bincount(item)
    # Around the item's mean, so that groups with harder items do not look severe.
    mean = np.bincount(item, weights=value) / np.maximum(n, 1)
    away = value - mean[item]
    size = len(ratings.judges)
    counts = np.bincount(judge, minlength=size).astype(np.float64)
    # Equal scores differ from their mean by rounding errors.
    away = np.where(np.abs(away) < 1e-12, 0.0, away)
    sums = np.bincount(judge, weights=away, minlength=size).astype(np.float64)
    there = np.flatnonzero(counts)
    return there.astype(np.int64), sums[there], counts[there]


def between_groups(labels: Codes, sums: Array, counts: Array) -> Array:
    """Σ n (group's mean − mean)² for each row of labels."""
    overall = sums.sum() / counts.sum()
    found = np.zeros(len(labels))
    for code in range(int(labels.max()) + 1):
        member = (labels == code).astype(np.float64)
        size = np.maximum(member @ counts, 1)
        found += (member @ sums - overall * (member @ counts)) ** 2 / size
    return found


def _p(groups: JudgeGroups, test: LabelPermutation | str) -> Estimate:
    if isinstance(test, str):
        return groups.missing(test)
    p = float(test.p_value("greater"))
    return Estimate(p, test.n_units, by=groups.ratings.by, tags=groups.ratings.tags)


def _headline(found: Sequence[_Means]) -> str:
    """The groups of the first question that differ most, and the group that saw the source."""
    part = next((p for p in found if not np.isnan(p.found.values).all()), None)
    if part is None:
        return "No group has scores that are numbers."
    means = {str(e.by["group"]): e for e in part.means()}
    seen = [means[name] for name in part.groups.references]
    if len(means) == 1:
        return f"There is a single group, {next(iter(means))}: nothing to compare it with."
    # The source is another task: it is named apart, where two references can be compared.
    ranked = sorted(seen if len(seen) > 1 else means.values(), key=lambda e: e.value or 0.0)
    low, high = ranked[0], ranked[-1]
    gap = spoken((high.value or 0.0) - (low.value or 0.0))
    source = means.get(part.groups.source) if len(seen) > 1 else None
    beside = f" The group that saw the source gave {_spoken_mean(source)}." if source else ""
    return (
        f"Judges gave {_spoken_mean(high)} with {high.by['group']} and {_spoken_mean(low)} with "
        f"{low.by['group']}: {gap} points apart.{beside}"
    )


def _spoken_mean(mean: Estimate) -> str:
    return f"{spoken(mean.value)}{interval(mean)}"


def _clear_differences(differences: Sequence[Estimate]) -> str:
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
