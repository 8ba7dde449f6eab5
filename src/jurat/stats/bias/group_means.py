"""Mean scores of groups of judges, their differences, and a permutation test of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from jurat.resampling import adjust
from jurat.resampling.permutation import LabelPermutation
from jurat.results import Estimate, Figure, spoken
from jurat.stats import figures
from jurat.stats.bias.groups import LEVEL, GroupStatistic, JudgeGroups, Mask, chance_words
from jurat.stats.cluster_inference import FEWEST_JUDGES, THESE_JUDGES, Clusters, Finding, infer
from jurat.stats.estimates import method_line
from jurat.stats.independent_units import units_of
from jurat.stats.linear_model import LinearModel
from jurat.stats.pairwise import p_words
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import BiasSettings, Settings
from jurat.stats.statistic import Answer

# Pairs of groups that a headline names.
MOST = 6
SINGLE = "there is a single group"
P_FORMULA = (
    "p of Σ n (group's mean − mean)² of deviations from the item's mean under permuted "
    "groups of the judges who saw a reference; n counts these judges"
)
DIFFERENCE = (
    "group a − group b by least squares with an effect of each item that both judged (without such "
    "items, of the means); n counts judgments of these items"
)
DIFFERENCE_P = (
    "two-sided p of that difference, with items or documents and judges as what varies, adjusted "
    "by Holm for all pairs and questions; n counts judgments"
)
ONE_JUDGE = "a group has a single judge, who cannot be told apart from what the group saw"
NO_NUMBERS = "the answers are words without numbers (folding can give them numbers)"


class GroupMeans(GroupStatistic):
    """Fomicheva and Specia's table 2, with intervals and a test."""

    name = "group-mean"
    gives = ("group-mean", "group-difference", "group-difference-p", "group-mean-p")
    asks = "Do judges give other scores if they see another reference?"
    formula = "mean of the judgments of a group, first answers only; n counts judgments"
    source = "Fomicheva & Specia 2016, table 2"
    order = 10

    def answers(self, parts: Sequence[JudgeGroups], settings: BiasSettings) -> Iterator[Answer]:
        """Means, their differences, and a test of whether all groups have the same mean."""
        means = [mean for groups in parts for mean in _means(groups, settings)]
        differences = compare_groups(parts, settings)
        how = _interval_method(parts, settings)
        yield Answer(
            means,
            headline=_headline(parts, means, differences),
            how=method_line(how, _of_few_judges(means)),
        )
        told = [difference.estimate for difference in differences]
        together = f"{how}; simultaneous for {len(told)} differences" if how else ""
        yield Answer(
            told, DIFFERENCE, "group-difference", _clear_differences(differences), how=together
        )
        p = [difference.p_estimate for difference in differences]
        yield Answer(p, DIFFERENCE_P, "group-difference-p", "")
        tests = [means_test(groups, settings) for groups in parts]
        overall = tuple(_p(groups, test) for groups, test in zip(parts, tests, strict=True))
        tried = next((t.method for t in tests if isinstance(t, LabelPermutation)), "")
        method, seed = method_line(P_FORMULA, tried), {"seed": settings.seed}
        yield Answer(overall, method, "group-mean-p", choices=seed)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """What the test of all groups together says."""
        p = known[0].value or 0.0
        words = chance_words(p, known[0].note)
        return f"Means as far apart with judges grouped at random: p = {p:.4f}; {words}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Points of the means, or bars of the differences."""
        if name == "group-mean":
            title = "Mean score of each group of judges"
            return figures.points_with_intervals(
                title, estimates, over="group", value="mean score", facet="question"
            )
        return _draw_differences(estimates) if name == "group-difference" else {}


class GroupDifference(NamedTuple):
    """Two groups of judges compared on the items that both judged, or on all without such."""

    groups: JudgeGroups
    names: tuple[str, ...]
    """The two; none where there is a single group."""
    found: Finding
    n: int
    shared: int
    """How many items both judged."""
    p: float = np.nan
    """Adjusted for all pairs and questions."""

    def _estimate(
        self, value: float, reason: str, *, low: float = np.nan, high: float = np.nan
    ) -> Estimate:
        if not self.names:
            return self.groups.missing(reason)
        by = {"group_a": self.names[0], "group_b": self.names[1]}
        about, reason = self.groups.ratings, no_mean(self.groups.ratings) or reason
        return Estimate.of(value, self.n, about=about, by=by, low=low, high=high, reason=reason)

    @property
    def estimate(self) -> Estimate:
        """The difference."""
        found = self.found
        return self._estimate(found.value, found.reason, low=found.low, high=found.high)

    @property
    def p_estimate(self) -> Estimate:
        """The p-value of the difference."""
        return self._estimate(self.p, self.found.reason)


def _members(groups: JudgeGroups) -> range:
    return range(len(groups.names))


def _means(groups: JudgeGroups, settings: Settings) -> list[Estimate]:
    if not groups.names:
        return [groups.missing(no_mean(groups.ratings))]
    return [_mean(groups, at, settings) for at in _members(groups)]


def _mean(groups: JudgeGroups, at: int, settings: Settings) -> Estimate:
    """The mean of all judgments of a group, with an interval for new items and judges."""
    ratings, rows = groups.ratings, groups.row_group == at
    by, n = {"group": groups.names[at]}, int(rows.sum())
    if reason := no_mean(ratings):
        return Estimate.of(None, n, about=ratings, by=by, reason=reason)
    values = ratings.values[rows]
    # the interval of a single judge's group would speak for that judge alone
    if not settings.intervals or len(np.unique(_persons(groups)[rows])) < 2:
        return Estimate.of(float(values.mean()), n, about=ratings, by=by)
    model = LinearModel(values=values, system=np.zeros(n, dtype=np.int64))
    contrast = model.contrast(np.ones(1))
    found = infer(contrast, clusters_of(groups, rows, settings), confidence=settings.confidence)
    return Estimate.of(
        found.value, n, about=ratings, by=by, low=found.low, high=found.high, note=found.scope
    )


def compare_groups(parts: Sequence[JudgeGroups], settings: Settings) -> list[GroupDifference]:
    """Every two groups of every question and split; p is adjusted by Holm for all of them.

    Intervals are simultaneous (Bonferroni): in at most 5 % of campaigns without any difference does
    one of them leave out 0.
    """
    pairs = [(groups, a, b) for groups in parts for a, b in combinations(_members(groups), 2)]
    tested = sum(not no_mean(groups.ratings) for groups, *_ in pairs)
    confidence = 1 - (1 - settings.confidence) / max(tested, 1)
    made = [compare_two(*pair, settings, confidence) for pair in pairs]
    adjusted = adjust(np.array([one.found.p for one in made]), "holm")
    alone = [_single(groups) for groups in parts if len(groups.names) < 2]
    return [one._replace(p=float(p)) for one, p in zip(made, adjusted, strict=True)] + alone


def _single(groups: JudgeGroups) -> GroupDifference:
    reason = SINGLE if len(groups.ratings) else no_mean(groups.ratings)
    return GroupDifference(groups, (), Finding(np.nan, reason=reason), 0, 0)


def compare_two(
    groups: JudgeGroups, a: int, b: int, settings: Settings, confidence: float
) -> GroupDifference:
    """Group a less group b by least squares with an effect of each item that both judged.

    Judges, who belong to one group each, and items or documents are what varies. Without common
    items the means of all are compared, and how hard their items were is not taken out.
    """
    names, ratings = (groups.names[a], groups.names[b]), groups.ratings
    rows, shared = _shared_rows(groups, a, b)
    n = int(rows.sum())
    if reason := no_mean(ratings):
        return GroupDifference(groups, names, Finding(np.nan, reason=reason), n, shared)
    items = np.unique(ratings.item_codes[rows], return_inverse=True)[1] if shared else None
    model = LinearModel(
        values=ratings.values[rows],
        system=(groups.row_group[rows] == b).astype(np.int64),
        block=items,
    )
    contrast = model.contrast(np.array([1.0, -1.0]))
    found = infer(contrast, clusters_of(groups, rows, settings), confidence=confidence)
    persons = _persons(groups)
    of_each = [len(np.unique(persons[rows & (groups.row_group == at)])) for at in (a, b)]
    if min(of_each) < 2:
        # one judge's habits and what the group saw cannot be told apart
        found = Finding(found.value, reason=ONE_JUDGE)
    if not settings.intervals:
        found = found._replace(low=np.nan, high=np.nan)
    return GroupDifference(groups, names, found, n, shared)


def _shared_rows(groups: JudgeGroups, a: int, b: int) -> tuple[Mask, int]:
    """The judgments of two groups on items that both judged, and how many items; else on all."""
    items, size = groups.ratings.item_codes, len(groups.ratings.items)
    of_a, of_b = groups.row_group == a, groups.row_group == b
    both = (np.bincount(items[of_a], minlength=size) > 0) & (
        np.bincount(items[of_b], minlength=size) > 0
    )
    shared = int(both.sum())
    return (of_a | of_b) & (both[items] if shared else True), shared


def _persons(groups: JudgeGroups) -> Codes:
    """Who gave each judgment; one number for all where judges are not known."""
    if "judge" not in groups.ratings.frame.columns:
        return np.zeros(len(groups.ratings), dtype=np.int64)
    return groups.person[groups.ratings.judge_codes]


def clusters_of(groups: JudgeGroups, rows: Mask, settings: Settings) -> Clusters:
    """What the judgments of these rows share: documents where they are known, or items; judges."""
    units = units_of(groups.ratings, settings)
    texts = units.of_item[groups.ratings.item_codes[rows]]
    known = "judge" in groups.ratings.frame.columns
    return Clusters(texts, _persons(groups)[rows] if known else None, units.word)


def _interval_method(parts: Sequence[JudgeGroups], settings: Settings) -> str:
    rated = [groups for groups in parts if not no_mean(groups.ratings)]
    if not settings.intervals or not rated:
        return ""
    units = units_of(rated[0].ratings, settings)
    told = f"{100 * settings.confidence:g} % t interval, {units.words} × judges vary"
    return method_line(told, units.note)


def _of_few_judges(means: Sequence[Estimate]) -> str:
    """For whom the intervals of small groups hold; empty where all groups have enough judges."""
    if not any(THESE_JUDGES in mean.note for mean in means):
        return ""
    return f"of groups with fewer than {FEWEST_JUDGES} judges {THESE_JUDGES}"


def no_mean(ratings: Ratings) -> str:
    """Why the answers have no mean; empty where they have one."""
    if not len(ratings):
        return "no judgment has a group"
    return NO_NUMBERS if ratings.nominal else ""


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
    p, ratings = float(test.p_value("greater")), groups.ratings
    judges = np.unique(ratings.judge_codes[groups.saw_reference(groups.row_group)])
    note = groups.too_few(judges)
    return Estimate(p, test.n_units, by=ratings.by, tags=ratings.tags, note=note)


def _headline(
    parts: Sequence[JudgeGroups],
    means: Sequence[Estimate],
    differences: Sequence[GroupDifference],
) -> str:
    """The groups of the first question that differ most, and the group that saw the source."""
    part = next((groups for groups in parts if not no_mean(groups.ratings)), None)
    if part is None:
        return "No group has scores that are numbers."
    about = (part.ratings.question, part.ratings.tags)
    own = {str(e.by.get("group")): e for e in means if (e.by["question"], e.tags) == about}
    if len(own) == 1:
        return f"There is a single group, {next(iter(own))}: nothing to compare it with."
    seen = [own[name] for name in part.references]
    # The source is another task: it is named apart, where two references can be compared.
    ranked = sorted(seen if len(seen) > 1 else own.values(), key=lambda e: e.value or 0.0)
    low, high = ranked[0], ranked[-1]
    source = own.get(part.source) if len(seen) > 1 else None
    beside = f" The group that saw the source gave {_spoken_mean(source)}." if source else ""
    names = {str(low.by["group"]), str(high.by["group"])}
    pair = next(d for d in differences if d.groups is part and set(d.names) == names)
    gap = spoken((high.value or 0.0) - (low.value or 0.0))
    return (
        f"Judges gave {_spoken_mean(high)} with {high.by['group']} and {_spoken_mean(low)} with "
        f"{low.by['group']}: {gap} points apart{_apart(pair)} ({_chance(pair)}).{beside}"
    )


def _apart(pair: GroupDifference) -> str:
    """What the difference of two means is about, where they are not means of the same items."""
    ratings = pair.groups.ratings
    if not pair.shared:
        return " on different items, so that these may be why"
    if pair.shared == len(ratings.items):
        return ""
    away = spoken(abs(pair.found.value))
    return f" on all they judged; {away} on the {pair.shared:,} items that both judged"


def _chance(pair: GroupDifference) -> str:
    """What the test of a difference says of it, adjusted for all pairs."""
    if np.isnan(pair.p):
        return f"whether by chance cannot be told: {pair.found.reason}"
    return f"{p_words(pair.p)}: {chance_words(pair.p, '')}"


def _spoken_mean(mean: Estimate) -> str:
    few = f" ({THESE_JUDGES})" if THESE_JUDGES in mean.note else ""
    return f"{spoken(mean.value)}{interval(mean)}{few}"


def _clear_differences(differences: Sequence[GroupDifference]) -> str:
    """Which groups differ beyond chance."""
    there = [d for d in differences if not np.isnan(d.p)]
    known = [d for d in differences if not np.isnan(d.found.value)]
    if not known:
        return ""
    if not there:
        return f"Whether groups differ cannot be told: {known[0].found.reason}."
    sure = [d for d in there if d.p < LEVEL]
    few = next((d.found.scope for d in there if d.found.scope), "")
    note = f" ({few})" if few else ""
    unshared = sum(not d.shared for d in there)
    alone = (
        f" {unshared} pairs share no items: how hard these were is not taken out."
        if unshared
        else ""
    )
    if not sure:
        return (
            f"No two groups differ beyond chance on the items they share{note}; the intervals say "
            f"which differences remain possible.{alone}"
        )
    names = [
        f"{d.names[0]} and {d.names[1]} by {spoken(d.found.value)} ({p_words(d.p)})" for d in sure
    ]
    clear = f"{len(sure)} of {len(there)} pairs of groups differ beyond chance{note}"
    return f"{clear}: {'; '.join(names[:MOST])}{'; …' if names[MOST:] else ''}.{alone}"


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
