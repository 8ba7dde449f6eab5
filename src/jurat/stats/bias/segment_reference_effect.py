"""How much the mean score of each segment depends on the reference that was shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key, spoken
from jurat.stats import figures
from jurat.stats.bias.group_means import no_mean
from jurat.stats.bias.groups import GroupStatistic, JudgeGroups
from jurat.stats.bias.reference_similarity import ReferenceTexts, reference_texts
from jurat.stats.estimates import method_line
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import BiasSettings, Settings
from jurat.stats.statistic import Answer

# Segments in the tables, those that depend most on the reference first.
LISTED = 2_000
# Segments in the figure.
DRAWN = 30
# Judgments up to which all segments are tested; of more, some segments at random.
TESTED = 10_000
PERMUTATIONS = 499
P_FORMULA = (
    "p of the mean spread over segments under permuted groups of the judges who saw a "
    "reference; n counts segments"
)


class SegmentSpread(GroupStatistic):
    """Each segment's mean in each group, how far these lie apart, and how far by chance."""

    name = "segment-spread"
    gives = ("segment-spread", "segment-mean", "segment-spread-p")
    asks = "Which segments are judged differently with another reference?"
    formula = "highest − lowest mean of the groups that saw a reference; n counts judgments"
    source = "Fomicheva & Specia 2016, section 4 (example)"
    order = 30

    def answers(self, parts: Sequence[JudgeGroups], settings: BiasSettings) -> Iterator[Answer]:
        """Segments by their spread, the means behind it, and what chance alone would give."""
        texts = reference_texts(parts, settings)
        found = [SegmentMeans.of(groups) for groups in parts]
        spreads = tuple(e for table in found for e in table.spreads(texts))
        means = tuple(e for table in found for e in table.estimates())
        cut = any(table.cut for table in found)
        note = f"the {LISTED:,} segments with the largest spread" if cut else ""
        draw = partial(_draw, means, spreads)
        yield Answer(spreads, method_line(self.formula, note), draw=draw)
        method = method_line("mean of a group's judgments of the segment; n counts judgments", note)
        yield Answer(means, method, "segment-mean", draw=draw)
        tests = [_SpreadTest.of(table, settings) for table in found]
        yield Answer(
            tuple(test.estimate for test in tests),
            method_line(P_FORMULA, next((test.method for test in tests if test.method), "")),
            "segment-spread-p",
            next((test.words for test in tests if test.words), ""),
            choices={"seed": settings.seed},
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The segment with the largest spread, which stands first."""
        first = known[0]
        if name != self.name:
            return ""
        if not first.value:
            return "No segment's mean score differs between references."
        # the largest of many differences is large by chance alone
        return (
            f"Segment {first.by['item']} differs most: {spoken(first.value)} points more with "
            f"{first.by['highest']} than with {first.by['lowest']}; segment-spread-p says whether "
            "chance alone would give such differences."
        )


class SegmentMeans(NamedTuple):
    """Means (items × groups, NaN where there are none), judgments behind them, and spreads."""

    groups: JudgeGroups
    means: Array
    counts: Array
    spread: Array
    order: Codes
    """The items to be listed, largest spread first; those without a spread last."""

    @classmethod
    def of(cls, groups: JudgeGroups) -> SegmentMeans:
        ratings, size = groups.ratings, len(groups.names)
        if ratings.nominal or not len(ratings):
            nothing = np.zeros((0, size))
            return cls(groups, nothing, nothing, np.zeros(0), np.zeros(0, dtype=np.int64))
        means, counts = mean_table(
            ratings.item_codes, groups.row_group, ratings.values, (len(ratings.items), size)
        )
        saw = groups.saw_reference(np.arange(size))
        spread = ranges(means[:, saw])
        # Stable, so that segments with the same spread stay in the order of their names.
        order = np.argsort(np.where(np.isnan(spread), np.inf, -spread), kind="stable")
        return cls(groups, means, counts, spread, order[:LISTED])

    @property
    def cut(self) -> bool:
        """Whether some segments are not listed."""
        return len(self.order) < len(self.spread)

    def spreads(self, texts: ReferenceTexts | str) -> Iterator[Estimate]:
        """The listed segments, with the groups that gave most and least, and their texts."""
        ratings = self.groups.ratings
        known = {} if isinstance(texts, str) else texts.of_items(self.groups)
        if reason := self._unspread():
            yield self.groups.missing(reason)
            return
        saw = np.flatnonzero(self.groups.saw_reference(np.arange(len(self.groups.names))))
        for item in self.order:
            yield self._spread(int(item), saw, known.get(ratings.items[item], {}), texts)

    def _unspread(self) -> str:
        if reason := no_mean(self.groups.ratings):
            return reason
        return "no segment was judged with two references" if np.isnan(self.spread).all() else ""

    def _spread(
        self, item: int, saw: Codes, known: dict[str, str], texts: ReferenceTexts | str
    ) -> Estimate:
        ratings, n = self.groups.ratings, int(self.counts[item, saw].sum())
        by: dict[str, Key] = {**ratings.by, "item": ratings.items[item]}
        if np.isnan(self.spread[item]):
            reason = "fewer than two groups judged it with a reference"
            return Estimate(None, n, by=by, tags=ratings.tags, reason=reason)
        row = self.means[item, saw]
        ends = {"highest": int(np.nanargmax(row)), "lowest": int(np.nanargmin(row))}
        names = {end: self.groups.names[saw[at]] for end, at in ends.items()}
        told = {f"{end}_saw": known.get(name, "") for end, name in names.items()} if known else {}
        if known and not isinstance(texts, str) and texts.translation:
            told = {"translation": known.get(texts.translation, ""), **told}
        tags = {**ratings.tags, **{k: v or "" for k, v in told.items()}}
        return Estimate(float(self.spread[item]), n, by={**by, **names}, tags=tags)

    def estimates(self) -> Iterator[Estimate]:
        """The mean of every group for every listed segment."""
        ratings = self.groups.ratings
        if not len(self.order):
            yield self.groups.missing(no_mean(ratings))
        for item in self.order:
            for at in np.flatnonzero(self.counts[item]):
                yield Estimate(
                    float(self.means[item, at]),
                    int(self.counts[item, at]),
                    by={**ratings.by, "item": ratings.items[item], "group": self.groups.names[at]},
                    tags=ratings.tags,
                )


def mean_table(
    items: Codes, groups: Codes, values: Array, shape: tuple[int, int]
) -> tuple[Array, Array]:
    """Means and counts, items × groups; a mean is NaN where there are no judgments."""
    cells = items * shape[1] + groups
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
    sums = np.bincount(cells, weights=values, minlength=counts.size).reshape(shape)
    means = np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0)
    return means, counts


def ranges(means: Array) -> Array:
    """Highest − lowest of each row; NaN where there are fewer than two values."""
    there = ~np.isnan(means)
    high = np.where(there, means, -np.inf).max(axis=1, initial=-np.inf)
    low = np.where(there, means, np.inf).min(axis=1, initial=np.inf)
    # Rows without values have infinities, which must not be subtracted.
    several = there.sum(axis=1) > 1
    nothing = np.full(len(means), np.nan)
    return np.asarray(np.subtract(high, low, out=nothing, where=several))


class _SpreadTest(NamedTuple):
    """The permutation test of the mean spread, with its method and a sentence about it."""

    estimate: Estimate
    words: str = ""
    method: str = ""

    @classmethod
    def of(cls, table: SegmentMeans, settings: Settings) -> _SpreadTest:
        groups, ratings = table.groups, table.groups.ratings
        if reason := _untestable(table):
            return cls(groups.missing(reason))
        # Of a segment that is tested all judgments are taken.
        rows = _tested_rows(table, np.random.default_rng(settings.seed))
        # Renumbered, so that arrays are no longer than what is tested.
        judges, judge = np.unique(ratings.judge_codes[rows], return_inverse=True)
        items, item = np.unique(ratings.item_codes[rows], return_inverse=True)
        arrays = (item, judge, ratings.values[rows], np.array(len(groups.names)))
        test = groups.test(
            mean_spreads, arrays, judges, settings, units=len(rows), permutations=PERMUTATIONS
        )
        p, others = float(test.p_value("greater")), test.replicates[~np.isnan(test.replicates)]
        by_chance = float(others.mean()) if len(others) else float("nan")
        few = groups.too_few(judges)
        words = (
            f"On average, a segment's groups lie {spoken(float(test.estimate))} points apart; "
            f"with judges grouped at random, {spoken(by_chance)} (p = {p:.4f}"
            f"{'; ' if few else ''}{few})."
        )
        estimate = Estimate(p, len(items), by=ratings.by, tags=ratings.tags, note=few)
        return cls(estimate, words, test.method)


def _untestable(table: SegmentMeans) -> str:
    if reason := no_mean(table.groups.ratings):
        return reason
    if "judge" not in table.groups.ratings.frame.columns:
        return "needs the column judge"
    if len(table.groups.references) < 2:
        return "there are not two groups that saw a reference"
    if np.isnan(table.spread).all():
        return "no segment was judged in two groups"
    return ""


def _tested_rows(table: SegmentMeans, rng: np.random.Generator) -> Codes:
    """Judgments with a reference of segments that have a spread: of all, or some at random."""
    groups = table.groups
    chosen = ~np.isnan(table.spread)
    rows = np.flatnonzero(
        groups.saw_reference(groups.row_group) & chosen[groups.ratings.item_codes]
    )
    if len(rows) <= TESTED:
        return rows
    items = np.flatnonzero(chosen)
    few = rng.choice(items, max(1, len(items) * TESTED // len(rows)), replace=False)
    return rows[np.isin(groups.ratings.item_codes[rows], few)]


def mean_spreads(labels: Codes, item: Codes, judge: Codes, values: Array, size: Codes) -> Array:
    """The mean spread over items for each row of labels; NaN where no item has one."""
    shape = (int(item.max()) + 1, int(size))
    found = np.full(len(labels), np.nan)
    for at, row in enumerate(labels):
        spread = ranges(mean_table(item, row[judge], values, shape)[0])
        there = spread[~np.isnan(spread)]
        found[at] = there.mean() if len(there) else np.nan
    return found


def _draw(means: Sequence[Estimate], spreads: Sequence[Estimate]) -> Figure:
    """The means of the segments that depend most on the reference."""
    top = [str(e.by["item"]) for e in spreads[:DRAWN] if e.value is not None]
    rows = figures.rows([e for e in means if str(e.by.get("item", "")) in top])
    return figures.scatter(
        "Segments whose score depends most on the reference",
        rows,
        x=figures.axis("value", "mean score", scale={"zero": False}),
        y=figures.axis("item", "segment", "nominal", sort=top),
        colour=figures.axis("group", "group", "nominal"),
        tooltip=("item", "group", "value", "n"),
    )
